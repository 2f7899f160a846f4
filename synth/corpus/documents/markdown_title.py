"""Titles of Markdown texts, from front matter or headings."""

from __future__ import annotations

import re

from synth.text.front_matter import front_matter_end, front_matter_title
from synth.text.markup import plain

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+)$")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
_WRITTEN_HEADING = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
_SEARCHED = 200_000  # characters


def markdown_title(text: str) -> str:
    """Return the title of a Markdown text: from its front matter, else from its headings, else "".

    The first heading of level 1 is the title. If there is none, the first heading is the title if all later headings
    are below it in level. If a later heading has the same level, the first heading is only a section.
    """
    return front_matter_title(text) or _first_heading(text, front_matter_end(text))


def written_title(text: str) -> str:
    """Return the first level-1 heading of Markdown written by a reader, else its first heading, else "".

    The heading is returned with its markup.
    """
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
            words = heading.group(2).rstrip(" \t").rstrip("#").rstrip(" \t")
            title = plain(words or heading.group(2)[0]).text
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
