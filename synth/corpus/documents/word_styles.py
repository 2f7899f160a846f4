"""Styles of a Word document: headings and lists, and the character formatting that changes the meaning of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

_HEADING = re.compile(r"(?:heading|标题|標題)\s*(\d)", re.I)
_LIST = re.compile(r"(?:list (?:bullet|number)|列表\D*|清單\D*)\s*(\d)?", re.I)
WRAPPERS = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"})
_MOST_LEVELS = 6
"""Levels of headings in Markdown. Deeper headings become headings of the last level."""

RAISED, LOWERED = "above the line", "below the line"
"""Values of `Look.shift` for text moved up or down without a superscript or subscript mark."""

_MOST_BASES = 10
_MOST_COLUMNS_SPANNED = 100
"""Maximum number of columns that a cell may span. Word allows 63."""

Format: TypeAlias = tuple[str, Any]
"""Name of a style ("" for a paragraph's own format), and its `pPr` element or None."""


def tag_of(element: Any) -> str:
    """Return the tag of an element without its namespace."""
    return str(element.tag).rsplit("}", 1)[-1]


def children(parent: Any, tag: str) -> Iterator[Any]:
    """Yield the children of an element with a tag, including those within content controls and tracked insertions."""
    for child in parent:
        if tag_of(child) == tag:
            yield child
        elif tag_of(child) in WRAPPERS:
            yield from children(child, tag)


def value_of(properties: Any, tag: str) -> str | None:
    """Return the value of a property such as `outlineLvl`, or None. The old format of a tracked change is ignored."""
    node = next(children(properties, tag), None) if properties is not None else None
    return None if node is None else next(iter(node.attrib.values()), "")


def number_of(properties: Any, tag: str, otherwise: int) -> int:
    """Return the value of a property as a number, at most 100, or `otherwise` if it is not a number."""
    value = value_of(properties, tag) or ""
    return min(int(value), _MOST_COLUMNS_SPANNED) if value.isdecimal() and len(value) < 9 else otherwise


@dataclass(frozen=True, slots=True)
class Look:
    """Character formatting that changes the meaning of text; None for properties that a style does not set."""

    is_hidden: bool | None = None
    is_struck: bool | None = None
    is_struck_twice: bool | None = None
    shift: str | None = None
    font: str | None = None

    def over(self, other: Look) -> Look:
        """Return this formatting, with unset properties taken from `other`."""
        return Look(*(mine if mine is not None else getattr(other, name) for name, mine in _fields(self)))

    @property
    def is_unread(self) -> bool:
        """Whether the text is hidden or has strikethrough."""
        return bool(self.is_hidden or self.is_struck or self.is_struck_twice)


def _fields(look: Look) -> Iterator[tuple[str, Any]]:
    return ((name, getattr(look, name)) for name in Look.__slots__)


def look_of(properties: Any) -> Look:
    """Return the formatting in an `rPr` element."""
    if properties is None:
        return Look()
    flags = {tag: flag(properties, tag) for tag in ("vanish", "strike", "dstrike")}
    fonts = next(children(properties, "rFonts"), None)
    font = None if fonts is None else attribute(fonts, "ascii") or attribute(fonts, "hAnsi")
    shift = value_of(properties, "vertAlign") or _shift(properties)
    return Look(flags["vanish"], flags["strike"], flags["dstrike"], shift, font)


def _shift(properties: Any) -> str | None:
    """Return RAISED or LOWERED for characters moved above or below the line, as LibreOffice writes it, else None."""
    position = value_of(properties, "position") or ""
    if not position.removeprefix("-").isdecimal() or not int(position):
        return None
    return LOWERED if position.startswith("-") else RAISED


def flag(properties: Any, tag: str) -> bool | None:
    """Return whether a property is switched on, or None if it is not set."""
    value = value_of(properties, tag)
    return None if value is None else value not in ("0", "false", "off")


def attribute(element: Any, name: str) -> str:
    """Return an attribute by its name without namespace; "" if it is missing."""
    return next((str(value) for key, value in element.attrib.items() if key.rsplit("}", 1)[-1] == name), "")


class Styles:
    """The styles of a document by id."""

    def __init__(self, root: Any) -> None:
        self._styles = {attribute(style, "styleId"): style for style in children(root, "style")}
        self._looks: dict[str, Look] = {}
        defaults = next(children(root, "docDefaults"), None)
        of_runs = None if defaults is None else next(children(defaults, "rPrDefault"), None)
        self._default_look = look_of(None if of_runs is None else next(children(of_runs, "rPr"), None))
        self._default = next(
            (
                key
                for key, style in self._styles.items()
                if attribute(style, "type") == "paragraph" and _is_default(style)
            ),
            "",
        )

    def chain(self, key: str | None) -> Iterator[Any]:
        """Yield a style and the styles that it is based on."""
        for _ in range(_MOST_BASES):
            style = self._styles.get(key or "")
            if style is None:
                return
            yield style
            key = value_of(style, "basedOn")

    def look(self, key: str | None) -> Look:
        """Return the character formatting of a style."""
        key = key or ""
        if key not in self._looks:
            look = Look()
            for style in self.chain(key):
                look = look.over(look_of(next(children(style, "rPr"), None)))
            self._looks[key] = look
        return self._looks[key]

    def of_paragraph(self, properties: Any) -> Look:
        """Return the character formatting that a paragraph's style gives to its text."""
        return self.look(value_of(properties, "pStyle") or self._default).over(self._default_look)

    def formats(self, properties: Any) -> list[Format]:
        """Return the formats of a paragraph, strongest first: direct formatting, its style, then the base styles."""
        styles = self.chain(value_of(properties, "pStyle") or self._default)
        return [
            ("", properties),
            *((value_of(style, "name") or "", next(children(style, "pPr"), None)) for style in styles),
        ]


def _is_default(style: Any) -> bool:
    return attribute(style, "default") in ("1", "true", "on")


def heading_level(formats: list[Format]) -> int:
    """Return the heading level by style name or outline level; 0 if the paragraph is no heading."""
    for name, _ in formats:
        if name.casefold() == "title":
            return 1
        if match := _HEADING.match(name):
            return min(int(match.group(1)), _MOST_LEVELS)
    levels = (value_of(properties, "outlineLvl") for _, properties in formats)
    level = next((level for level in levels if level is not None), "")
    # Outline levels 0 to 8 are headings, 9 is body text.
    return min(int(level) + 1, _MOST_LEVELS) if level.isdecimal() and int(level) < 9 else 0


def numbering_of(formats: list[Format]) -> tuple[str | None, int]:
    """Return the id of a paragraph's list and its level from 0. The id is None if the paragraph is not numbered."""
    level = None
    for _, properties in formats:
        numbering = next(children(properties, "numPr"), None) if properties is not None else None
        if numbering is None:
            continue
        if level is None and value_of(numbering, "ilvl") is not None:
            level = number_of(numbering, "ilvl", 0)
        number = value_of(numbering, "numId")
        if number is not None:
            # Numbering 0 removes a paragraph from the list of its style.
            return (None if number == "0" else number), min(level or 0, 8)
    return None, 0


def list_depth(formats: list[Format]) -> int | None:
    """Return the depth of a list item from 0, by its numbering or style names; None for other paragraphs."""
    for name, properties in formats:
        numbering = next(children(properties, "numPr"), None) if properties is not None else None
        if numbering is not None:
            number, level = numbering_of(formats)
            return None if number is None else level
        if match := _LIST.match(name):
            return max(int(match.group(1) or 1) - 1, 0)
    return None
