"""Titles of Markdown texts: from front matter or from the first level-1 heading."""

from __future__ import annotations

import re

from synth.text.markup import plain

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\n(.*?)\n(?:---|\.\.\.|\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_LINE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")
_WRITTEN_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_SEARCHED = 200_000  # characters


def markdown_title(text: str) -> str:
    """Title of a Markdown text: that of the front matter, else the first level-1 heading; "" without either."""
    front = _FRONT_MATTER.match(text)
    if front and (line := _TITLE_LINE.search(front.group(2))):
        return line.group(1).strip().strip("\"'")
    return _first_heading(text, front.end() if front else 0)


def written_title(text: str) -> str:
    """The first level-1 heading of Markdown that a reader wrote, as it stands; "" without one."""
    heading = _WRITTEN_HEADING.search(text)
    return heading.group(1) if heading else ""


def _first_heading(text: str, start: int) -> str:
    fence, previous = "", ""
    for line in text[start : start + _SEARCHED].split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = ""
        elif mark:
            fence = mark.group(1)
        elif heading := _HEADING.match(line):
            return plain(heading.group(1)).text
        elif _UNDERLINE.match(line) and previous.strip():
            return plain(previous).text
        previous = line
    return ""
