"""Text and Markdown: kept as they are, but for the encoding, the byte order mark and line ends."""

# LangChain's TextLoader reads with one encoding and no check of it, its Markdown loader drops the marks: passed by.

from __future__ import annotations

import re

from synth.corpus.documents.decoding import decode
from synth.corpus.documents.file_content import File, FileContent
from synth.text.markup import plain

_LINE_END = re.compile(r"\r\n?")
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)\n(.*?)\n(?:---|\.\.\.|\+\+\+)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_LINE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.MULTILINE | re.IGNORECASE)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}#[ \t]+(.+?)[ \t]*#*[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*$")


def text_of(file: File, *, markup: bool = False) -> tuple[str, str]:
    """The decoded text with every line end as one newline, and the encoding it was in."""
    text, encoding = decode(file.data, markup=markup)
    return _LINE_END.sub("\n", text), encoding


def read_text(file: File) -> FileContent:
    """Plain text, character for character."""
    text, encoding = text_of(file)
    return FileContent(text, format="text", metadata={"encoding": encoding})


def read_markdown(file: File) -> FileContent:
    """Markdown, character for character; the title is front matter's, or the first level-1 heading's."""
    text, encoding = text_of(file)
    return FileContent(text, markdown_title(text), metadata={"encoding": encoding})


def markdown_title(text: str) -> str:
    """Title of a Markdown text: front matter's, else its first level-1 heading; "" without either."""
    front = _FRONT_MATTER.match(text)
    if front:
        found = _TITLE_LINE.search(front.group(2))
        if found:
            return found.group(1).strip().strip("\"'")
    return _first_heading(text, front.end() if front else 0)


def _first_heading(text: str, start: int) -> str:
    fence, previous = "", ""
    for line in text[start : start + 200_000].split("\n"):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = ""
        elif mark:
            fence = mark.group(1)
        elif found := _HEADING.match(line):
            return plain(found.group(1)).text
        elif _UNDERLINE.match(line) and previous.strip():
            return plain(previous).text
        previous = line
    return ""
