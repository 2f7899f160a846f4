"""Titles of Markdown texts: from front matter or from the first heading."""

from __future__ import annotations

import re

from synth.text.front_matter import front_matter_end, front_matter_title
from synth.text.markup import plain

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
_WRITTEN_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_SEARCHED = 200_000  # characters


def markdown_title(text: str) -> str:
    """Title of a Markdown text: that of the front matter, else the first heading; "" without them.

    A heading of level 1 comes before the others. A lower one is the title only if all later ones are below it: of
    several at one level, the first is a section.
    """
    return front_matter_title(text) or _first_heading(text, front_matter_end(text))


def written_title(text: str) -> str:
    """The first heading of Markdown that a reader wrote, as it stands, one of level 1 before others; "" without one."""
    headings = list(_WRITTEN_HEADING.finditer(text, 0, _SEARCHED))
    first = next((heading for heading in headings if heading.group(1) == "#"), headings[0] if headings else None)
    return first.group(2) if first else ""


def _first_heading(text: str, start: int) -> str:
    fence, previous, lower, level = "", "", "", 0
    for line in text[start : start + _SEARCHED].split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = ""
        elif mark:
            fence = mark.group(1)
        elif heading := _HEADING.match(line):
            title = plain(heading.group(2)).text
            if len(heading.group(1)) == 1:
                return title
            if level and len(heading.group(1)) <= level:
                lower = ""
            elif not level:
                lower, level = title, len(heading.group(1))
        elif _UNDERLINE.match(line) and previous.strip():
            return plain(previous).text
        previous = line
    return lower
