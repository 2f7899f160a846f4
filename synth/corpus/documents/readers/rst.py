"""reStructuredText, parsed by docutils, including the roles and directives of Sphinx."""

# LangChain's UnstructuredRSTLoader needs unstructured and pandoc, so it is not used.

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.readers.html import page_text
from synth.corpus.documents.reasons import parsing

_ROLE = re.compile(r":(?:[a-z]+:)?([a-zA-Z][\w.+-]*):`((?:[^`\\]|\\.)+)`(?!`)", re.DOTALL)
_TITLE_AND_TARGET = re.compile(r"(.*?)(?:(?<!\s)\s++)?<([^<>]+)>\Z", re.DOTALL)
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
"""Directives that describe a thing, such as a function. Their argument is its name."""

_VERSIONS = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
    "versionremoved": "Removed in version",
}
"""Text that Sphinx writes before the version number, by directive."""

_TITLED = frozenset("tab group-tab tab-item dropdown details card grid-item-card".split())
"""Directives whose argument is a title."""

_TOLD_OPTIONS = ("type", "default")
"""Options of description directives that a page shows."""

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
    "math_output": "LaTeX",
    "initial_header_level": 1,
    "toc_backlinks": False,
}


class RestructuredTextReader(Reader):
    """A document as Markdown. The title is its first heading. Included files are not read."""

    name = "rst"
    suffixes = (".rst",)
    isolated = True

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("reStructuredText"):
            body = page_text(_page(text))
        return FileContent(body, written_title(body), metadata=metadata)


def _plain_role(match: re.Match[str]) -> str:
    """Return a Sphinx role without its markup: its title as prose, or its target as code."""
    role, content = match.group(1), match.group(2)
    if role in _STANDARD_ROLES:
        return match.group()
    explicit = _TITLE_AND_TARGET.match(content)
    title = explicit.group(1) if explicit else ""
    if title or role in _PROSE_ROLES:
        return (title or content.lstrip("~!")).strip("<>")
    target = content.lstrip("~!")
    # With a tilde, Sphinx shows only the last part of a target.
    return f"``{target.rsplit('.', 1)[-1] if content.startswith('~') else target}``"


@lru_cache(maxsize=1)
def _directive_classes() -> tuple[type, type, type, type]:
    from docutils import nodes
    from docutils.parsers.rst import Directive
    from docutils.statemachine import StringList

    class AnyOption(dict):  # type: ignore[type-arg]
        """An option table that accepts every option, because docutils rejects unknown options."""

        def __getitem__(self, name: str) -> Any:
            return lambda argument: argument

        def __bool__(self) -> bool:
            return True

    class Prose(Directive):  # type: ignore[misc]
        """A Sphinx directive whose body is prose."""

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
        """A directive that describes a thing, such as a function, named by its argument. It becomes a definition."""

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
                return []  # Django and Celery use this below a heading with the setting's name
            entry = nodes.definition_list_item("", term, body)
            return [nodes.definition_list("", entry, classes=["description"])]

    class Silent(Prose):
        """A directive that contains no text for readers, such as a table of contents."""

        def run(self) -> list[nodes.Node]:
            return []

    class Code(Prose):
        """A code block that accepts every option of Sphinx."""

        def run(self) -> list[nodes.Node]:
            body = "\n".join(self.content)
            return [nodes.literal_block(body, body, classes=self.arguments[:1])]

    return Prose, Description, Silent, Code


def _register(text: str) -> None:
    """Register the directives in `text` that docutils does not know, so that they cause no error."""
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


def _page(text: str) -> Any:
    """Return the text as the main part of an HTML page."""
    from docutils.core import publish_parts
    from lxml import html

    _register(text)
    written = publish_parts(_ROLE.sub(_plain_role, text), writer="html5", settings_overrides=_SETTINGS)["html_body"]
    page = html.fromstring(written)
    for node in page.iter():
        classes = (node.get("class") or "").split()
        if node.tag == "pre" and "literal-block" in classes:
            names = [name for name in classes if name not in ("code", "literal-block")]
            node.set("class", f"language-{names[0]}" if names else "")
        elif "math" in classes:
            node.tag = "script"
            node.set("type", "math/tex")
        elif "literal" in classes:
            node.tag = "code"
        elif "colon" in classes:
            node.text = ""
        elif "line-block" in classes:
            node.tag = "p"
        elif "line" in classes:
            node.tag, node.tail = "span", " "
        elif "rubric" in classes:
            node.tag = f"h{min(1 + sum(1 for _ in node.iterancestors('section')), 6)}"
    return page
