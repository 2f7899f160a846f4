"""Plain text of Markdown, with the offset of every character in the original."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

_INLINE = re.compile(
    r"""
    (?P<comment><!--(?:[^-<]|-(?!->)|<(?!!--)){0,2000}+-->)
  | (?P<code>(?<![^\\]`)(?P<ticks>`++)(?P<body>.+?)(?<!`)(?P=ticks)(?!`))
  | (?P<embedded>!\[\[[^\[\]\n]+\]\])
  | (?P<wiki>\[\[(?=\S)(?:(?P<note>[^\[\]|\#\n]+)(?:\#[^\[\]|\n]*)?|\#(?P<part>[^\[\]|\n]+))
      (?:\|(?P<shown>[^\[\]\n]+))?\]\](?![(\[]))
  | (?P<image>!\[[^\]\n]*\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+["'][^)]*)?\)|\[[^\]\n]*\])(?:\{[^}\n]*\})?)
  | (?P<footnote>\[\^[^\]\n]+\]:?)
  | (?P<link>\[(?P<label>(?:[^\[\]]|\[[^\[\]]*\])+)\]
      (?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+["'][^)]*)?\)|\[[^\]\n]*\])(?:\{[^}\n]*\})?)
  | (?P<auto><(?P<url>(?:https?|mailto):[^>\s]+)>)
  | (?P<break><[bB][rR]\s*/?>)
  | (?P<tag></?[A-Za-z][A-Za-z0-9-]*(?:\s[^<>]*)?/?>)
  | (?P<attribute>(?:(?<!\s)\s++)?\{\s*+[:#.][^{}\n]*+\})
  | (?P<template>\{%(?=[^%]{0,2000}+%).{0,2000}?%\}|\{\{(?=[^}]{0,2000}+\}).{0,2000}?\}\}
      |\{[*!](?=[^*!]{0,2000}+[*!]).{0,2000}?[*!]\})
  | (?P<shortcode>(?<!\S):[a-z][a-z0-9_+-]{2,}:(?!\S))
  | (?P<strong>\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)|~~
      |(?<![A-Za-z0-9=])==(?=[^\s=])|(?<=[^\s=])==(?![A-Za-z0-9=]))
  | (?P<entity>&(?:\#\d+|\#x[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]{1,31});)
  | (?P<escape>\\[!-/:-@\[-`{-~])
  | (?P<variant>-\{[^{}\n]*\}-)
  | (?P<emoji>(?:[\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u27bf\u2b50\u2b06\u2b07]
      |[\U0001f000-\U0001faff\ufe0f\u200d\u20e3])+)
    """,
    re.VERBOSE | re.DOTALL,
)
_MAY_OPEN = re.compile(
    r"[<`\[{*_~=:&\\\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u27bf\u2b06\u2b07\u2b50\u200d\u20e3\ufe0f\U0001f000-\U0001faff]"
)
"""The characters one of which every match of `_INLINE` has: most paragraphs have none, and this finds that out fast."""
_LINE_START = re.compile(
    r"[ \t]*(?:(?:>[ \t]?)+)?[ \t]*(?:[*+-][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?"
)
_VARIANT = re.compile(r"-\{[^{}\n]*\}-")
_FIRST_VARIANT = re.compile(r"(?:[A-Z]\|)?\s*(?:zh(?:-\w+)?\s*:\s*)?(?P<form>[^;{}]+)")
_RUN = re.compile(r"\S+(?: \S+)*")
"""Words with one space between them, which are copied as they are."""
_HAN_OR_MARK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain text with its offsets in the original.

    Character i of `text` is `starts[i]:ends[i]` of the original; markup around a word (`**`, the address of a link)
    belongs to its first and last character. `code` holds the ranges of `text` that were inline code.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    code: tuple[tuple[int, int], ...] = ()

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original that cover `text[start:end]`, for a range that is not empty."""
        return min(self.starts[start:end]), max(self.ends[start:end])


class _Builder:
    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.code: list[tuple[int, int]] = []
        self._opening: int | None = None

    def put(self, char: str, start: int, end: int) -> None:
        if char.isspace():
            if not self.chars or self.chars[-1] == " ":
                return
            char = " "
        elif self._opening is not None:
            start, self._opening = self._opening, None
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def mark(self, start: int, end: int) -> None:
        """Take in a mark that leaves no character: it opens the next word or closes the previous one."""
        after = self.raw[end : end + 1]
        before = self.chars and self.chars[-1] != " " and self.ends[-1] == start
        if before and (not after or not after.isalnum()):
            self.ends[-1] = end
        elif self._opening is None and after and not after.isspace():
            self._opening = start
        elif before:
            self.ends[-1] = end

    def copy(self, start: int, end: int) -> None:
        """Copy the characters start:end, except line ends and the marks at line starts."""
        position = start
        while position < end:
            run = _RUN.match(self.raw, position, end)
            if run:
                self._put_run(position, run.end())
                position = run.end()
            elif self.raw[position] != "\n":
                self.put(" ", position, position + 1)
                position += 1
            else:
                position = self._line_end(position, end)

    def _put_run(self, start: int, end: int) -> None:
        """Copy the characters start:end, which have no white space."""
        self.put(self.raw[start], start, start + 1)
        self.chars.extend(self.raw[start + 1 : end])
        self.starts.extend(range(start + 1, end))
        self.ends.extend(range(start + 2, end + 1))

    def _line_end(self, position: int, end: int) -> int:
        """Skip a line end and the marks after it, putting a space except between Chinese characters."""
        line = _LINE_START.match(self.raw, position + 1)
        stop = min(end, line.end() if line else position + 1)
        following = self.raw[stop : stop + 1]
        if not (self.chars and _HAN_OR_MARK.match(self.chars[-1]) and _HAN_OR_MARK.match(following)):
            self.put(" ", position, position + 1)
        return stop

    def inline(self, start: int, end: int) -> None:
        position = start
        for match in _INLINE.finditer(self.raw, start, end) if _MAY_OPEN.search(self.raw, start, end) else ():
            if match.start() < position:
                continue
            self.copy(position, match.start())
            self._token(match)
            position = match.end()
        self.copy(position, end)

    def _token(self, match: re.Match[str]) -> None:
        start, end = match.span()
        kind = match.lastgroup
        if match.group("code"):
            first = len(self.chars)
            self._wrapped(start, end, lambda: self.copy(*match.span("body")))
            if len(self.chars) > first:
                self.code.append((first, len(self.chars)))
        elif match.group("link"):
            self._wrapped(start, end, lambda: self.inline(*match.span("label")))
        elif match.group("wiki"):
            name = next(name for name in ("shown", "note", "part") if match.group(name))
            self._wrapped(start, end, lambda: self.inline(*match.span(name)))
        elif match.group("auto"):
            self._wrapped(start, end, lambda: self.copy(*match.span("url")))
        elif kind == "entity":
            for char in html.unescape(match.group()):
                self.put(char, start, end)
        elif kind == "escape":
            self.put(match.group()[1], start, end)
        elif kind == "variant":
            self.variant(match)
        elif kind == "break":
            self.put(" ", start, end)
        elif kind in ("tag", "strong"):
            self.mark(start, end)

    def variant(self, match: re.Match[str]) -> None:
        """Copy the first form of a word that a wiki gives in several scripts: `-{zh-cn:软件; zh-tw:軟體}-`."""
        inner = _FIRST_VARIANT.match(self.raw, match.start() + 2, match.end() - 2)
        if inner:
            self._wrapped(*match.span(), lambda: self.copy(*inner.span("form")))

    def folded(self, start: int, end: int) -> None:
        """Copy plain text: white space is folded, line ends between Chinese characters are dropped."""
        position = start
        while position < end:
            run = _RUN.match(self.raw, position, end)
            if run:
                self._put_run(position, run.end())
                position = run.end()
                continue
            following = self.raw[position + 1 : position + 2]
            between = self.chars and _HAN_OR_MARK.match(self.chars[-1]) and _HAN_OR_MARK.match(following)
            if self.raw[position] != "\n" or not between:
                self.put(" ", position, position + 1)
            position += 1

    def _wrapped(self, start: int, end: int, inner: Callable[[], None]) -> None:
        first = len(self.chars)
        inner()
        if len(self.chars) > first:
            self.starts[first] = min(self.starts[first], start)
            self.ends[-1] = max(self.ends[-1], end)

    def build(self) -> Plain:
        while self.chars and self.chars[-1] == " ":
            self.chars.pop()
        size = len(self.chars)
        code = tuple((a, min(b, size)) for a, b in self.code if a < size)
        return Plain("".join(self.chars), tuple(self.starts[:size]), tuple(self.ends[:size]), code)


def plain(raw: str, start: int = 0, end: int | None = None, *, markdown: bool = True) -> Plain:
    """Plain text of `raw[start:end]`, without markup, addresses, tags and images, white space folded.

    Offsets in the result count characters of the whole of `raw`. With `markdown=False` only white space is folded,
    and of a word that a wiki gives in several scripts the first is taken.
    """
    end = len(raw) if end is None else end
    builder = _Builder(raw)
    if not markdown:
        position = start
        for match in _VARIANT.finditer(raw, start, end):
            builder.folded(position, match.start())
            builder.variant(match)
            position = match.end()
        builder.folded(position, end)
        return builder.build()
    opening = _LINE_START.match(raw, start, end)
    builder.inline(opening.end() if opening else start, end)
    return builder.build()


def inline_spans(raw: str, start: int, end: int) -> list[tuple[int, int]]:
    """Ranges of `raw[start:end]` that must not be cut: links, images, inline code, tags, entities."""
    matches = _INLINE.finditer(raw, start, end)
    return [match.span() for match in matches if match.lastgroup not in ("strong", "emoji", "shortcode")]
