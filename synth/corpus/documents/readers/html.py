"""HTML: the main part of a page as Markdown, without navigation, scripts and controls."""

# LangChain's BSHTMLLoader returns all text of a page, navigation included, and no structure, so it is not used.
# trafilatura 2.3.1 keeps fewer words, lists and code blocks of documentation pages, and hardly any headings, lists
# and tables of DocBook pages, so it is not used.

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.grid import placed, resolved
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import Limit, parsing
from synth.text.formulas import formula_text

_DROPPED = frozenset(
    "script style noscript template nav button select input textarea svg canvas iframe object "
    "embed audio video picture img map dialog menu head del s strike".split()
)
_DROPPED_CLASS = re.compile(
    r"(?:^|\s)(?:headerlink|anchor-link|mw-editsection|toc|toctree-wrapper|breadcrumbs?|sidebar|navbar|"
    r"skip-link|sr-only|visually-hidden|cookie-banner|reflist|line-through|docinfo|footnote-back(?:ref)?|fn-backref|backrefs)(?:\s|$)"
)
_DROPPED_ROLE = frozenset({"navigation", "banner", "contentinfo", "search"})
_HIDDEN_STYLE = re.compile(r"display:none|visibility:(?:hidden|collapse)|text-decoration(?:-line)?:[^;]*line-through")
_TAB = re.compile(r"(?:^|\s)(?:tab-?pane(?:l)?|tabs?-(?:content|item|panel)|tabbed-block)(?:\s|$)", re.IGNORECASE)
_FORM_CONTENT = frozenset("p h1 h2 h3 h4 h5 h6 table li pre dl article".split())
_NOTES = ("doc-footnote", "doc-endnote", "doc-biblioentry")
_MARK = "\x13"
"""Placeholder for a footnote mark. It is removed with the space before it."""

_ENDNOTES = re.compile(r"(?:^|\s)footnotes(?:\s|$)")
_SECTIONING = frozenset({"article", "main", "section"})
_BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr html li main ol p pre section summary table tbody td tfoot th thead "
    "tr ul".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush)[-:\s]\s*([A-Za-z0-9+#]+)")
_MAX_DEPTH = 100
_MAX_INDENTED = 12
"""Maximum nesting depth at which the blocks of a definition are indented below its item."""

_OPENS = re.compile(r" *(?:-|\d+\.) |[`~]{3}|[|#>]|<!--")
_SHIFTS = {"sup": markdown.superscript, "sub": markdown.subscript}
_MATHML = {
    "msup": "%s^{%s}", "msub": "%s_{%s}", "msubsup": "%s_{%s}^{%s}", "mfrac": r"\frac{%s}{%s}",
    "msqrt": r"\sqrt{%s}", "munder": "%s_{%s}", "mover": "%s^{%s}", "munderover": "%s_{%s}^{%s}",
}  # fmt: skip


class HtmlReader(Reader):
    """Main part of a page. The title is that of `<title>`, else the first level-1 heading, else the first heading."""

    name = "html"
    suffixes = (
        ".html",
        ".htm",
        ".xhtml",
    )
    isolated = True

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file, markup=True)
        if not text.strip():
            return FileContent()
        with parsing("HTML"):
            root = _parse(text)
            body = "" if root is None else page_text(_main(root))
            if root is not None and not body:  # read the text that is shown without scripts
                for node in root.iter("noscript"):
                    node.tag = "div"
                body = page_text(_main(root))
        title = "" if root is None else " ".join((root.findtext(".//title") or "").split())
        return FileContent(body, title or written_title(body), metadata=metadata)


def page_text(element: Any) -> str:
    """Return the content of an HTML element as Markdown."""
    return markdown.join(_Page().blocks(element))


def _parse(text: str) -> Any:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    return etree.fromstring(text.encode("utf-8", "replace"), parser)


def _main(root: Any) -> Any:
    """Return the element with the content: the main element, the only article, or the whole body."""
    for path in (".//main", ".//*[@role='main']", ".//article"):
        elements = root.findall(path)
        if len(elements) == 1 and "".join(elements[0].itertext()).strip():
            return elements[0]
    body = root.find(".//body")
    return root if body is None else body


def _is_dropped(node: Any) -> bool:
    """Whether an element is not content: navigation, forms, scripts, hidden text, or the page's header or footer."""
    if node.tag == "script" and (node.get("type") or "").startswith("math/tex"):
        return False
    if not isinstance(node.tag, str) or node.tag in _DROPPED or node.get("role") in _DROPPED_ROLE:
        return True
    style = (node.get("style") or "").replace(" ", "").casefold()
    if "line-through" in style and _HIDDEN_STYLE.search(style):
        return True
    # Inactive tabs of a group are content, although they are hidden until the reader clicks.
    if node.get("role") != "tabpanel" and not _TAB.search(node.get("class") or ""):
        if node.get("hidden") is not None and node.get("hidden") != "until-found":
            return True
        if (node.get("aria-hidden") == "true" and node.tag != "code") or _HIDDEN_STYLE.search(style):
            return True
    if node.tag == "form":
        return not any(inner.tag in _FORM_CONTENT for inner in node.iterdescendants())
    if node.tag in ("header", "footer", "aside") or node.get("role") == "complementary":
        inside = any(ancestor.tag in _SECTIONING for ancestor in node.iterancestors())
        return not inside and (node.tag != "aside" or _is_linking(node))
    return bool(_DROPPED_CLASS.search(node.get("class") or ""))


def _is_linking(node: Any) -> bool:
    """Whether links are at least half of the text of an element, as in lists of related pages."""
    linked = sum(len("".join(link.itertext()).strip()) for link in node.iter("a"))
    return 2 * linked >= len(" ".join("".join(node.itertext()).split()))


def _is_reference(node: Any) -> bool:
    """Whether an element is a footnote mark, such as [3] in superscript."""
    if node.get("role") in ("doc-noteref", "doc-biblioref") or "footnote-ref" in (node.get("class") or ""):
        return True
    return (
        node.tag == "sup"
        and bool(re.fullmatch(r"\s*\[?\w{1,4}\]?\s*", "".join(node.itertext())))
        and (node.find(".//a") is not None or "reference" in (node.get("class") or ""))
    )


def _span(cell: Any, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return int(value) if re.fullmatch(r"\d{1,5}", value) else 1


def _with_rows_left(rows: list[Any]) -> Iterator[tuple[Any, int]]:
    """Yield (row, number of rows left) for each row of a table.

    The rows left are the row itself and the rows after it in the same part of the table (head, body or foot).
    """
    left = Counter(row.getparent() for row in rows)
    for row in rows:
        yield row, left[row.getparent()]
        left[row.getparent()] -= 1


def _tex(node: Any) -> str:
    """Return the TeX of a formula: from its annotation, from a script, or converted from MathML."""
    if node.tag == "script":
        return node.text or ""
    for note in node.iter("annotation"):
        if "tex" in (note.get("encoding") or ""):
            return (note.text or "").strip()
    return _mathml(node)


def _mathml(node: Any, depth: int = 0) -> str:
    if node.tag in ("annotation", "annotation-xml") or depth > _MAX_DEPTH:
        return ""
    inner = [_mathml(child, depth + 1) for child in node]
    form = _MATHML.get(node.tag)
    if form and form.count("%s") == len(inner):
        return form % tuple(inner)
    return (node.text or "").strip() + "".join(inner)


class _Page:
    """Markdown of an HTML tree. Elements nested deeper than _MAX_DEPTH are read as text."""

    def __init__(self) -> None:
        self.depth = 0
        self.notes = 0

    def blocks(self, node: Any) -> Iterator[str]:
        """Yield Markdown blocks of the content of `node`. Text between blocks becomes paragraphs."""
        self.depth += 1
        run: list[str] = [node.text or ""]
        for child in node:
            if not _is_dropped(child):
                if self.depth < _MAX_DEPTH and self._has_blocks(child):
                    yield self._flush(run)
                    run = []
                    yield from self._block(child)
                else:
                    run.append(self._inline(child))
            run.append(child.tail or "")
        yield self._flush(run)
        self.depth -= 1

    def _has_blocks(self, node: Any) -> bool:
        return node.tag in _BLOCKS or any(inner.tag in _BLOCKS for inner in node.iterdescendants())

    def _flush(self, run: list[str]) -> str:
        return _paragraph("".join(run))

    def _block(self, node: Any) -> Iterator[str]:
        if node.get("role") in _NOTES:
            yield self._note(node)
        elif node.get("role") == "doc-endnotes" or _ENDNOTES.search(node.get("class") or ""):
            notes = [note for note in node.iter("li") if not _is_dropped(note)]
            yield from map(self._note, notes) if notes else self.blocks(node)
        elif node.tag in _HEADINGS:
            yield markdown.heading(_HEADINGS[node.tag], "".join(self._texts(node)))
        elif node.tag == "pre":
            yield self._code(node)
        elif node.tag in ("ul", "ol"):
            yield from self._list(node, 0)
        elif node.tag == "dl":
            yield from self._definitions(node)
        elif node.tag == "table" and self._is_data(node):
            yield from self._table(node)
        elif node.tag == "figcaption":
            yield markdown.figure("".join(self._texts(node)))
        elif node.tag == "blockquote":
            for block in self.blocks(node):
                if block:
                    yield "\n".join("> " + line for line in block.split("\n"))
        elif node.tag != "hr":
            yield from self.blocks(node)

    def _note(self, node: Any) -> str:
        """Return a footnote without its own number."""
        self.notes += 1
        for label in node.xpath(".//*[@class='label']"):
            label.text = ""
            for child in list(label):
                label.remove(child)
        return markdown.footnote(self.notes, _without_marks(" ".join(self._parts(node))))

    def _list(self, node: Any, level: int) -> Iterator[str]:
        """Yield list items. Only the first block of an item gets a mark; code, tables and headings get none."""
        number = 0
        for child in node:
            if _is_dropped(child):
                continue
            if child.tag in ("ul", "ol"):
                yield from self._list(child, level + 1)
                continue
            number += 1
            inner = [block for block in self._item_blocks(child, level) if block]
            for index, block in enumerate(inner):
                if index == 0 and not re.match(r" *(?:-|\d+\.) |[`~]{3}|[|#]", block):
                    mark = f"{number}." if node.tag == "ol" else "-"
                    yield f"{'    ' * level}{mark} {block}"
                else:
                    yield block

    def _item_blocks(self, node: Any, level: int) -> Iterator[str]:
        run: list[str] = [node.text or ""]
        for child in node:
            if _is_dropped(child):
                pass
            elif child.tag in ("ul", "ol"):
                yield self._flush(run)
                run = []
                if level < 20:
                    yield from self._list(child, level + 1)
            elif child.tag in ("p", "div", "span") and not child.findall(".//ul") and not child.findall(".//pre"):
                run.append(self._inline(child) + (" " if child.tag != "span" else ""))
            elif self.depth < _MAX_DEPTH and self._has_blocks(child):
                yield self._flush(run)
                run = []
                yield from self._block(child) if child.tag in _BLOCKS else self.blocks(child)
            else:
                run.append(self._inline(child))
            run.append(child.tail or "")
        yield self._flush(run)

    def _definitions(self, node: Any) -> Iterator[str]:
        """Yield items `term: definition`. Further blocks of a definition follow, indented as parts of the item."""
        terms: list[str] = []
        for child in self._entries(node):
            if child.tag == "dt":
                terms.append(_paragraph("".join(self._parts(child))))
                continue
            first, *rest = [block for block in self.blocks(child) if block] or [""]
            if _OPENS.match(first):
                first, rest = "", [first, *rest]
            yield "- " + ": ".join(filter(None, (", ".join(filter(None, terms)), first)))
            yield from map(markdown.indented, rest) if self.depth < _MAX_INDENTED else rest
            terms = []
        yield from (f"- {term}" for term in terms if term)

    def _entries(self, node: Any) -> Iterator[Any]:
        """Yield the terms and definitions of a list, including those in a `<div>`, without those of nested lists."""
        for child in node:
            if child.tag in ("dt", "dd"):
                yield child
            elif child.tag == "div" and node.tag == "dl":
                yield from self._entries(child)

    def _table(self, node: Any) -> Iterator[str]:
        caption = node.find("caption")
        if caption is not None:
            yield markdown.caption("".join(self._texts(caption)))
        rows = [row for row in node.iter("tr") if not _is_dropped(row)]
        cells, grid = Limit(markdown.MOST_CELLS, "cells in a table"), []
        for cells_of_row in placed(self._cells(row, left) for row, left in _with_rows_left(rows)):
            cells.add(len(cells_of_row))
            grid.append(cells_of_row)
        heads = 0
        while heads < len(rows) and (rows[heads].getparent().tag == "thead" or self._is_head(rows[heads])):
            heads += 1
        columns = all(row.find("*") is not None and row.find("*").tag == "th" for row in rows[heads:])
        yield markdown.table(resolved(grid, max(heads, 1)), int(columns and 0 < heads < len(rows)))

    def _is_head(self, row: Any) -> bool:
        """Whether a row contains only names of columns."""
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        return bool(cells) and all(cell.tag == "th" and cell.get("scope") != "row" for cell in cells)

    def _is_data(self, table: Any) -> bool:
        """Whether a table contains data rather than layout: several columns, no nested table, no nested paragraphs."""
        rows = table.findall(".//tr")
        if not rows or table.find(".//table") is not None:
            return False
        return max(len(row) for row in rows) > 1 and table.find(".//td//p//p") is None

    def _cells(self, row: Any, left: int) -> list[tuple[str, int, int]]:
        """Return the cells of a row with the columns and rows that each spans.

        A cell spans at most `left` rows; a row span of 0 means all of them.
        """
        cells = [cell for cell in row if cell.tag in ("td", "th")]
        spans = ((_span(cell, "colspan"), min(_span(cell, "rowspan") or left, left)) for cell in cells)
        return [(" ".join("".join(self._texts(cell)).split()), *span) for cell, span in zip(cells, spans, strict=True)]

    def _code(self, node: Any) -> str:
        elements = (node.getparent(), node, *node.iter("code"))
        names = " ".join(element.get("class") or "" for element in elements if element is not None)
        language = _LANGUAGE.search(names)
        return markdown.fence("".join(node.itertext()), language.group(1) if language else "")

    def _texts(self, node: Any, depth: int = 0) -> Iterator[str]:
        """Yield text without markup, for headings and cells."""
        yield node.text or ""
        for child in node:
            if depth >= _MAX_DEPTH:
                yield " ".join(child.itertext())
            elif not _is_dropped(child) and not _is_reference(child):
                yield " " if child.tag in ("br", *_BLOCKS) else ""
                raised = _SHIFTS.get(child.tag)
                if child.tag in ("math", "script"):
                    yield formula_text(_tex(child)) or _tex(child)
                elif raised:
                    yield raised("".join(self._texts(child, depth + 1)))
                else:
                    yield from self._texts(child, depth + 1)
                yield " " if child.tag in _BLOCKS else ""
            yield child.tail or ""

    def _parts(self, node: Any, depth: int = 0) -> Iterator[str]:
        """Yield the text of an element and of its inline elements."""
        yield node.text or ""
        for child in node:
            yield "" if _is_dropped(child) else self._inline(child, depth + 1)
            yield child.tail or ""

    def _inline(self, node: Any, depth: int = 0) -> str:
        """Return the text of an inline element. Code is enclosed in two marks that `_paragraph` interprets."""
        if _is_reference(node):
            return _MARK
        if depth >= _MAX_DEPTH:
            return " ".join(node.itertext())
        if node.tag == "br":
            return " "
        if node.tag in ("code", "kbd", "samp", "tt"):
            return f"\x0e{''.join(node.itertext())}\x0f"
        if node.tag in ("math", "script"):
            tex = _tex(node)
            text = formula_text(tex)
            return f"\x0e\x12{tex}\x0f" if text is None else text
        if node.tag in _SHIFTS:
            return _SHIFTS[node.tag]("".join(self._parts(node, depth)))
        space = " " if node.tag in _BLOCKS else ""
        return space + "".join(self._parts(node, depth)) + space


def _without_marks(text: str) -> str:
    """Return `text` without footnote marks and the space before each mark."""
    *before, last = text.split(_MARK)
    return "".join(part.rstrip() for part in before) + last


def _paragraph(text: str) -> str:
    r"""Return a paragraph in which text between \x0e and \x0f becomes inline code or a formula."""
    pieces = re.split(r"\x0e(.*?)\x0f", _without_marks(text), flags=re.DOTALL)
    parts = []
    for index, piece in enumerate(pieces):
        if index % 2:
            body = re.sub(r"[\x0e\x0f]", "", piece)
            parts.append(markdown.formula(body[1:]) if body.startswith("\x12") else markdown.code_span(body))
        else:
            body = re.sub(r"[\x0e\x0f]", "", piece)
            line = markdown.paragraph(body) if index == 0 else markdown.inline(body)
            # Restore spaces beside inline code, which `markdown` strips.
            before = " " if body[:1].isspace() and index else ""
            after = " " if body[-1:].isspace() and line and index + 1 < len(pieces) else ""
            parts.append(before + line + after)
    return "".join(parts).strip()
