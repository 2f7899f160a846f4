"""reStructuredText, through docutils, with the roles and directives that Sphinx adds."""

# LangChain's UnstructuredRSTLoader needs unstructured and pandoc, so it is not used.

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import parsing
from synth.text.formulas import formula_text

_ROLE = re.compile(r":(?:[a-z]+:)?([a-zA-Z][\w.+-]*):`((?:[^`\\]|\\.)+)`(?!`)", re.DOTALL)
_TITLE_AND_TARGET = re.compile(r"(.*?)\s*<([^<>]+)>\Z", re.DOTALL)
_PROSE_ROLES = frozenset(
    "ref doc term numref any download abbr dfn menuselection guilabel strong emphasis title subscript sub "
    "superscript sup math pep rfc cite eq".split()
)
_STANDARD_ROLES = frozenset("strong emphasis subscript sub superscript sup math title literal code".split())
_DIRECTIVE = re.compile(r"^[ \t]*\.\.[ \t]+(?:\|[^|\n]+\|[ \t]+)?([A-Za-z][\w.+:-]*?)::(?=\s|$)", re.MULTILINE)
_PROSE_DIRECTIVES = frozenset(
    "versionadded versionchanged deprecated versionremoved seealso tip rst-class centered hlist only tab tabs tab-set "
    "tab-item group-tab dropdown glossary topic card grid grid-item-card details todo toggle collapse aside".split()
)
_DESCRIPTIONS = frozenset(
    "function class method attribute data exception describe object option cmdoption envvar confval setting property "
    "staticmethod classmethod decorator decoratormethod directive role macro struct union enum enumerator type var "
    "member concept alias django-admin django-admin-option".split()
)
"""Directives whose argument names what their body describes."""

_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
"""What Sphinx writes before the version that is the argument."""

_TITLED = frozenset("tab group-tab tab-item dropdown details card grid-item-card".split())
"""Directives whose argument is a title."""

_SHIFTS = {"superscript": markdown.superscript, "subscript": markdown.subscript}

_TOLD_OPTIONS = ("type", "default")
"""Options of such directives that readers are shown."""

_SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": False,
    "_disable_config": True,
    "syntax_highlight": "none",
    "smart_quotes": False,
    "doctitle_xform": False,
    "sectsubtitle_xform": False,
}


class RestructuredTextReader(Reader):
    """A document as Markdown; the title is its first heading. No other file is included."""

    name = "rst"
    suffixes = (".rst",)
    isolated = True

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("reStructuredText"):
            tree = _parse(text)
            body = markdown.join(_RstBlocks().blocks(tree, 0))
        return FileContent(body, written_title(body), metadata=metadata)


def _plain_role(match: re.Match[str]) -> str:
    """A Sphinx role without its markup: its title as prose, or its target as code."""
    role, content = match.group(1), match.group(2)
    if role in _STANDARD_ROLES:
        return match.group()
    explicit = _TITLE_AND_TARGET.match(content)
    title = explicit.group(1) if explicit else ""
    if title or role in _PROSE_ROLES:
        return (title or content.lstrip("~!")).strip("<>")
    target = content.lstrip("~!")
    # Sphinx shows only the last part of a target after a tilde.
    return f"``{target.rsplit('.', 1)[-1] if content.startswith('~') else target}``"


@lru_cache(maxsize=1)
def _directive_classes() -> tuple[type, type, type, type]:
    from docutils import nodes
    from docutils.parsers.rst import Directive
    from docutils.statemachine import StringList

    class AnyOption(dict):  # type: ignore[type-arg]
        """An option table in which every option is known, since an unknown one is an error."""

        def __getitem__(self, name: str) -> Any:
            return lambda argument: argument

        def __bool__(self) -> bool:
            return True

    class Prose(Directive):  # type: ignore[misc]
        """A directive of Sphinx whose body is prose."""

        has_content = True
        optional_arguments = 1
        final_argument_whitespace = True
        option_spec = AnyOption()

        def run(self) -> list[nodes.Node]:
            box = nodes.container()
            # The argument includes the lines below it: `.. versionadded:: 3.2` and the description.
            description = self.arguments[0].split("\n")[1:] if self.arguments else []
            self.state.nested_parse(StringList(description, "argument"), self.content_offset, box)
            self.state.nested_parse(self.content, self.content_offset, box)
            title, name = self.arguments[0].split("\n")[0].strip() if self.arguments else "", self.name.lower()
            if title and name in _TITLED:
                box.insert(0, nodes.paragraph("", nodes.Text(f"{title}:")))
            elif title and name in _VERSIONS:
                if not isinstance(box.next_node(), nodes.paragraph):
                    box.insert(0, nodes.paragraph())
                since = f"{_VERSIONS[name]} {title}"
                box[0].insert(0, nodes.Text(f"{since}: " if len(box[0]) else f"{since}."))
            return [box]

    class Description(Prose):
        """A directive that describes what its argument names: a definition, in which each name is code."""

        def run(self) -> list[nodes.Node]:
            if not self.arguments:
                return super().run()
            term, body = nodes.term(), nodes.definition()
            for number, name in enumerate(line.strip() for line in self.arguments[0].split("\n")):
                term += [nodes.Text(", ")] if number else []
                term += nodes.literal(name, name)
            self.state.nested_parse(self.content, self.content_offset, body)
            told = [(name, self.options[name]) for name in _TOLD_OPTIONS if self.options.get(name)]
            if told and not isinstance(body.next_node(), nodes.paragraph):
                body.insert(0, nodes.paragraph())
            for name, value in told:
                body[0] += [nodes.Text(f" {name.capitalize()}: "), nodes.literal(value, value), nodes.Text(".")]
            if not len(body) and self.name.lower() == "setting":
                return []  # Django and Celery mark the place of a setting so, below a heading that has its name
            entry = nodes.definition_list_item("", term, body)
            return [nodes.definition_list("", entry, classes=["description"])]

    class Silent(Prose):
        """A directive without text for readers, such as a table of contents."""

        def run(self) -> list[nodes.Node]:
            return []

    class Code(Prose):
        """A code block with any option of Sphinx."""

        def run(self) -> list[nodes.Node]:
            body = "\n".join(self.content)
            return [nodes.literal_block(body, body, classes=self.arguments[:1])]

    return Prose, Description, Silent, Code


def _register(text: str) -> None:
    """Register the directives of `text` that docutils does not know, so that they raise no error."""
    from docutils.parsers.rst import directives
    from docutils.parsers.rst.languages import en

    prose, description, silent, code = _directive_classes()
    for name in ("code", "code-block", "sourcecode"):
        directives.register_directive(name, code)
    for name in sorted(set(_DIRECTIVE.findall(text))):
        if name.lower() in en.directives or name.lower() in directives._directives:
            continue
        plain_name = name.lower().rsplit(":", 1)[-1]
        shown = description if plain_name in _DESCRIPTIONS else prose if plain_name in _PROSE_DIRECTIVES else silent
        directives.register_directive(name.lower(), shown)


def _parse(text: str) -> Any:
    from docutils.core import publish_doctree

    _register(text)
    return publish_doctree(_ROLE.sub(_plain_role, text), settings_overrides=_SETTINGS)


class _RstBlocks:
    """Markdown blocks of a docutils tree."""

    _SILENT = frozenset(
        "comment system_message substitution_definition target footnote citation image raw pending topic "
        "header footer meta problematic docinfo decoration".split()
    )
    _CODE = frozenset({"literal_block", "doctest_block", "math_block"})

    def blocks(self, node: Any, level: int) -> Iterator[str]:
        for child in node.children:
            yield from self._block(child, level)

    def _block(self, node: Any, level: int) -> Iterator[str]:
        kind = node.tagname
        if kind in self._SILENT:
            return
        if kind == "section":
            yield from self.blocks(node, level + 1)
        elif kind in ("title", "rubric"):
            yield markdown.heading(max(level, 1) + (kind == "rubric"), _text(node))
        elif kind in ("paragraph", "term", "attribution"):
            yield markdown_text(node)
        elif kind in self._CODE:
            names = [name for name in node.get("classes", []) if name != "code"]
            yield markdown.fence(node.astext(), names[0] if names else "")
        elif kind in ("bullet_list", "enumerated_list"):
            yield from self._list(node, 0)
        elif kind == "definition_list":
            yield from self._definitions(node, level)
        elif kind == "field_list":
            for entry in node.children:
                yield markdown.item(": ".join(part.astext() for part in entry.children))
        elif kind == "table":
            yield from _table(node)
        elif kind == "figure":
            yield from (markdown.figure(_text(part)) for part in node.children if part.tagname == "caption")
            yield from (
                block for part in node.children if part.tagname == "legend" for block in self.blocks(part, level)
            )
        elif kind == "line_block":
            yield markdown.paragraph(" ".join(line.astext() for line in node.findall() if line.tagname == "line"))
        elif kind == "block_quote":
            for block in self.blocks(node, level):
                if block:
                    yield "\n".join("> " + line for line in block.split("\n"))
        elif node.children and not hasattr(node, "rawsource_only"):
            yield from self.blocks(node, level)

    def _list(self, node: Any, depth: int) -> Iterator[str]:
        ordered = node.tagname == "enumerated_list"
        for number, entry in enumerate(node.children, start=int(node.get("start", 1))):
            has_mark = False
            for child in entry.children:
                if child.tagname in ("bullet_list", "enumerated_list"):
                    yield from self._list(child, depth + 1)
                elif child.tagname == "paragraph" and not has_mark:
                    mark = f"{number}." if ordered else "-"
                    yield f"{'    ' * depth}{mark} {markdown_text(child)}"
                    has_mark = True
                else:
                    yield from self._block(child, 1)

    def _definitions(self, node: Any, level: int) -> Iterator[str]:
        if "description" in node["classes"]:
            term, body = node.children[0].children
            yield from self._description(term, body, level)
            return
        for entry in node.children:
            term = ": ".join(part.astext() for part in entry.children if part.tagname in ("term", "classifier"))
            body = next((part for part in entry.children if part.tagname == "definition"), None)
            paragraphs = [] if body is None else body.children
            if len(paragraphs) == 1 and paragraphs[0].tagname == "paragraph":
                yield f"- {markdown.inline(term)}: {markdown_text(paragraphs[0])}"
            else:
                yield markdown.paragraph(term)
                yield from () if body is None else self.blocks(body, level)

    def _description(self, term: Any, body: Any, level: int) -> Iterator[str]:
        first, *further = body.children or [None]
        said = markdown_text(first) if first is not None and first.tagname == "paragraph" else ""
        yield f"- {markdown_text(term)}: {said}" if said else f"- {markdown_text(term)}"
        for child in further if said else body.children:
            yield from self._block(child, level)


def _table(table: Any) -> Iterator[str]:
    title = next((node for node in table.children if node.tagname == "title"), None)
    if title is not None:
        yield markdown.caption(_text(title))
    rows = [node for node in table.findall() if node.tagname == "row"]
    spans = ([(_text(e), e.get("morecols", 0) + 1, e.get("morerows", 0) + 1) for e in row.children] for row in rows)
    lines = list(markdown.limited(markdown.unspanned(spans)))
    heads = sum(row.parent.tagname == "thead" for row in rows)
    if heads > 1:
        lines[:heads] = [markdown.one_header(lines[:heads])]
    stubs = sum(bool(node.get("stub")) for node in table.findall() if node.tagname == "colspec")
    yield markdown.table(lines, stubs)


def _text(node: Any) -> str:
    """Text of a node without markup, in which raised and lowered text still says so."""
    if node.tagname in _SHIFTS:
        return _SHIFTS[node.tagname](node.astext())
    if node.tagname == "math":
        return formula_text(node.astext()) or node.astext()
    if not node.children:
        return "" if node.tagname in ("footnote_reference", "citation_reference", "image") else str(node.astext())
    inline = node.tagname in ("paragraph", "title", "term") or not node.children[0].children
    return ("" if inline else " ").join(map(_text, node.children))


def markdown_text(node: Any) -> str:
    """Inline content of a docutils node; literals become inline code."""
    parts: list[str] = []
    for child in node.children:
        if child.tagname in ("image", "footnote_reference", "citation_reference", "system_message", "target", "raw"):
            parts[-1:] = [parts[-1].rstrip()] if parts and child.tagname != "target" else parts[-1:]
            continue
        if child.tagname == "math":
            parts.append(markdown.formula(child.astext()))
        elif child.tagname == "literal":
            parts.append(markdown.code_span(child.astext()))
        else:
            text = _text(child).replace("\n", " ")
            edges = (" " if text[:1].isspace() else "", " " if text[-1:].isspace() else "")
            parts.append(edges[0] + markdown.inline(text) + (edges[1] if text.strip() else ""))
    line = "".join(parts).strip()
    return "\\" + line if markdown.opens_block(line) else line
