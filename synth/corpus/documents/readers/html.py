"""HTML: the main part of a page as Markdown, without navigation, scripts and forms."""

# LangChain's BSHTMLLoader returns all text of a page, navigation included, and no structure, so it is not used.
# trafilatura 2.3.1 keeps fewer words, lists and code blocks of documentation pages, and hardly any headings, lists
# and tables of DocBook pages, so it is not used.

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import parsing

_DROPPED = frozenset(
    "script style noscript template nav aside form button select input textarea svg math canvas iframe object "
    "embed audio video picture img map dialog menu head".split()
)
_DROPPED_CLASS = re.compile(
    r"(?:^|\s)(?:headerlink|anchor-link|mw-editsection|toc|toctree-wrapper|breadcrumbs?|sidebar|navbar|"
    r"skip-link|sr-only|visually-hidden|cookie-banner|reflist)(?:\s|$)"
)
_DROPPED_ROLE = frozenset({"navigation", "banner", "contentinfo", "search", "complementary"})
_SECTIONING = frozenset({"article", "main", "section"})
_BLOCKS = frozenset(
    "address article blockquote body center dd details div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 "
    "header hgroup hr html li main ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_LANGUAGE = re.compile(r"(?:language|lang|highlight|brush)[-:\s]\s*([A-Za-z0-9+#]+)")
_MAX_DEPTH = 100


class HtmlReader(Reader):
    """Main part of a page; the title is that of `<title>`, else the first level-1 heading."""

    name = "html"
    suffixes = (
        ".html",
        ".htm",
        ".xhtml",
    )
    isolated = True

    def read(self, file: File) -> FileContent:
        text, encoding = text_of(file, markup=True)
        if not text.strip():
            return FileContent()
        with parsing("HTML"):
            root = _parse(text)
            body = "" if root is None else markdown.join(_Page().blocks(_main(root)))
        title = "" if root is None else " ".join((root.findtext(".//title") or "").split())
        return FileContent(body, title or written_title(body), metadata={"encoding": encoding})


def _parse(text: str) -> Any:
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, remove_comments=True, remove_pis=True)
    return etree.fromstring(text.encode("utf-8", "replace"), parser)


def _main(root: Any) -> Any:
    """The element with the content: the main element, the only article, or the whole body."""
    for path in (".//main", ".//*[@role='main']", ".//article"):
        elements = root.findall(path)
        if len(elements) == 1 and "".join(elements[0].itertext()).strip():
            return elements[0]
    body = root.find(".//body")
    return root if body is None else body


def _is_dropped(node: Any) -> bool:
    """Whether an element is no content: navigation, forms, scripts, hidden text, header and footer of the page."""
    if not isinstance(node.tag, str) or node.tag in _DROPPED or node.get("role") in _DROPPED_ROLE:
        return True
    if node.get("hidden") is not None or (node.get("aria-hidden") == "true" and node.tag != "code"):
        return True
    if "display:none" in (node.get("style") or "").replace(" ", ""):
        return True
    if node.tag in ("header", "footer"):
        return not any(ancestor.tag in _SECTIONING for ancestor in node.iterancestors())
    return bool(_DROPPED_CLASS.search(node.get("class") or ""))


def _is_reference(node: Any) -> bool:
    """A footnote mark such as a raised [3]."""
    return (
        node.tag == "sup"
        and bool(re.fullmatch(r"\s*\[?\w{1,4}\]?\s*", "".join(node.itertext())))
        and (node.find(".//a") is not None or "reference" in (node.get("class") or ""))
    )


class _Page:
    """Markdown of a tree; elements nested deeper than _MAX_DEPTH are read as text."""

    def __init__(self) -> None:
        self.depth = 0

    def blocks(self, node: Any) -> Iterator[str]:
        """Markdown blocks of the content of `node`; text between blocks makes paragraphs."""
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
        if node.tag in _HEADINGS:
            yield markdown.heading(_HEADINGS[node.tag], "".join(self._texts(node)))
        elif node.tag == "pre":
            yield self._code(node)
        elif node.tag in ("ul", "ol"):
            yield from self._list(node, 0)
        elif node.tag == "dl":
            yield from self._definitions(node)
        elif node.tag == "table" and self._is_data(node):
            yield markdown.table([self._cells(row) for row in node.iter("tr")])
        elif node.tag == "blockquote":
            for block in self.blocks(node):
                if block:
                    yield "\n".join("> " + line for line in block.split("\n"))
        elif node.tag != "hr":
            yield from self.blocks(node)

    def _list(self, node: Any, level: int) -> Iterator[str]:
        """List items; only the first block of an item has the mark, unless it opens a block of its own."""
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
        """Items `term: definition`; a definition with blocks stands below its term."""
        term = ""
        for child in node.iter("dt", "dd"):
            if child.tag == "dt":
                term = _paragraph("".join(self._parts(child)))
                if child.getnext() is None or child.getnext().tag != "dd":
                    yield f"- {term}" if term else ""
                continue
            if any(inner.tag in ("dl", "pre", "table", "ul", "ol") for inner in child.iterdescendants()):
                yield term
                yield from self.blocks(child)
            else:
                body = _paragraph("".join(self._parts(child)))
                yield f"- {term}: {body}" if term else f"- {body}"

    def _is_data(self, table: Any) -> bool:
        """Whether a table holds data, and is not there for the layout: two columns, no table or nested paragraphs."""
        rows = table.findall(".//tr")
        if not rows or table.find(".//table") is not None:
            return False
        return max(len(row) for row in rows) > 1 and table.find(".//td//p//p") is None

    def _cells(self, row: Any) -> list[str]:
        return ["".join(self._texts(cell)) for cell in row if cell.tag in ("td", "th")]

    def _code(self, node: Any) -> str:
        elements = (node.getparent(), node, *node.iter("code"))
        names = " ".join(element.get("class") or "" for element in elements if element is not None)
        language = _LANGUAGE.search(names)
        return markdown.fence("".join(node.itertext()), language.group(1) if language else "")

    def _texts(self, node: Any, depth: int = 0) -> Iterator[str]:
        """Text without markup, for headings and cells."""
        yield node.text or ""
        for child in node:
            if depth >= _MAX_DEPTH:
                yield " ".join(child.itertext())
            elif not _is_dropped(child) and not _is_reference(child):
                yield " " if child.tag == "br" else ""
                yield from self._texts(child, depth + 1)
            yield child.tail or ""

    def _parts(self, node: Any, depth: int = 0) -> Iterator[str]:
        """Text of an element and of its inline elements."""
        yield node.text or ""
        for child in node:
            yield "" if _is_dropped(child) else self._inline(child, depth + 1)
            yield child.tail or ""

    def _inline(self, node: Any, depth: int = 0) -> str:
        """Text of an inline element; code is between two marks that `_paragraph` reads."""
        if _is_reference(node):
            return ""
        if depth >= _MAX_DEPTH:
            return " ".join(node.itertext())
        if node.tag == "br":
            return " "
        if node.tag in ("code", "kbd", "samp", "tt"):
            return f"\x0e{''.join(node.itertext())}\x0f"
        space = " " if node.tag in _BLOCKS else ""
        return space + "".join(self._parts(node, depth)) + space


def _paragraph(text: str) -> str:
    """A paragraph in which text between \\x0e and \\x0f becomes inline code."""
    pieces = re.split(r"\x0e(.*?)\x0f", text, flags=re.DOTALL)
    parts = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append(markdown.code_span(re.sub(r"[\x0e\x0f]", "", piece)))
        else:
            body = re.sub(r"[\x0e\x0f]", "", piece)
            line = markdown.paragraph(body) if index == 0 else markdown.inline(body)
            # The spaces beside inline code, which `markdown` strips.
            before = " " if body[:1].isspace() and index else ""
            after = " " if body[-1:].isspace() and line and index + 1 < len(pieces) else ""
            parts.append(before + line + after)
    return "".join(parts).strip()
