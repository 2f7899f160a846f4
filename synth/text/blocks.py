"""Structure of a text: headings, paragraphs, list items, table rows and code, with offsets."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from synth.text.front_matter import front_matter_end
from synth.text.markup import plain
from synth.text.sentences import trimmed

_DIRECTIVE = re.compile(
    r"^[ \t]*(?:/{3,}.*|:{3,}.*|\{[*!].*[*!]\}|\{%.*%\}|\[\[.*\]\]|\[TOC\]|"
    r"(?:!!!|\?\?\?\+?)[ \t].*|===[+!]?[ \t]+\".*)[ \t]*$",
    re.MULTILINE,
)
_INDENTED_ADMONITION = re.compile(r"^[ \t]*(?:!!!|\?\?\?\+?|===)[ \t]")
_ENDS_SENTENCE = re.compile(r"[.!?。！？…:：;；,，][\"'”’」』)）\]]*\s*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A structural piece of a text: `text[start:end]`, under `headings` (outermost first).

    `kind` is one of heading, paragraph, list_item, table_row, code, html, front_matter, directive. The items of one
    list and the rows of one table have the same `group`.
    """

    kind: str
    start: int
    end: int
    headings: tuple[str, ...]
    level: int = 0
    group: int = 0


@lru_cache(maxsize=256)
def blocks(text: str, format: str) -> tuple[Block, ...]:
    """Blocks of a text in document order. A `format` other than "markdown" is plain text.

    Only a directive between lines of indented code overlaps another block, the code that it lies in.
    """
    return tuple(_markdown_blocks(text) if format == "markdown" else _text_blocks(text))


@lru_cache(maxsize=1)
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable("table").disable(["inline", "reference"])


def _text_blocks(text: str) -> list[Block]:
    text_blocks = []
    last = len(text.rstrip())
    headings: tuple[str, ...] = ()
    for match in re.finditer(r"[^\n]+(?:\n(?![ \t]*(?:\n|\Z))[^\n]+)*", text):
        start, end = match.span()
        body = match.group().strip()
        if not body:
            continue
        start += len(match.group()) - len(match.group().lstrip())
        end = start + len(body)
        heading = "\n" not in body and len(body) <= 80 and not _ENDS_SENTENCE.search(body)
        if heading and end < last:
            headings = (body,)
            text_blocks.append(Block("heading", start, end, headings, level=1))
        else:
            text_blocks.append(Block("paragraph", start, end, headings))
    return text_blocks


def _prepare(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """`text` with front matter and directives replaced by empty lines, and (kind, start, end) of each."""
    special = []

    offset = front_matter_end(text)
    if offset:
        special.append(("front_matter", 0, offset))
    head = "\n" * text.count("\n", 0, offset)
    lines, fence, admonition = [], "", False
    position = offset
    for line in text[offset:].split("\n"):
        marker = re.match(r"[ \t]*(`{3,}|~{3,})", line)
        if marker and not fence:
            fence = marker.group(1)
        elif marker and fence and marker.group(1).startswith(fence) and not line.strip(" \t`~"):
            fence = ""
        elif not fence and _DIRECTIVE.match(line):
            special.append(("directive", position, position + len(line)))
            admonition = bool(_INDENTED_ADMONITION.match(line))
            lines.append("")
            position += len(line) + 1
            continue
        if admonition and line.startswith("    "):
            lines.append(line[4:])
        else:
            admonition = admonition and not line.strip()
            lines.append(line)
        position += len(line) + 1
    return head + "\n".join(lines), special


def _markdown_blocks(text: str) -> list[Block]:
    prepared, special = _prepare(text)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def span(lines: list[int]) -> tuple[int, int]:
        return trimmed(text, starts[lines[0]], min(starts[lines[1]], len(text) + 1) - 1)

    markdown_blocks = [Block(kind, start, end, ()) for kind, start, end in special]
    path: list[tuple[int, str]] = []
    lists: list[int] = []
    group = 0
    for token in _parser().parse(prepared):
        headings = tuple(title for _, title in path)
        if token.type in ("bullet_list_open", "ordered_list_open", "table_open"):
            group += 1
            lists.append(group)
        elif token.type in ("bullet_list_close", "ordered_list_close", "table_close"):
            lists.pop()
        elif token.type == "heading_open":
            start, end = span(token.map)
            level = int(token.tag[1])
            while path and path[-1][0] >= level:
                path.pop()
            path.append((level, plain(text, start, end).text))
            markdown_blocks.append(Block("heading", start, end, tuple(title for _, title in path), level))
        elif token.type == "paragraph_open":
            start, end = span(token.map)
            kind = "list_item" if lists else "paragraph"
            markdown_blocks.append(Block(kind, start, end, headings, group=lists[-1] if lists else 0))
        elif token.type == "tr_open" and token.map:
            start, end = span(token.map)
            markdown_blocks.append(Block("table_row", start, end, headings, group=lists[-1]))
        elif token.type in ("fence", "code_block"):
            markdown_blocks.append(Block("code", *span(token.map), headings))
        elif token.type == "html_block":
            markdown_blocks.append(Block("html", *span(token.map), headings))
    filled = [block for block in markdown_blocks if block.start < block.end]
    return sorted(filled, key=lambda block: (block.start, block.end))
