"""Plain text of Markdown, with the original offset of every character."""

from __future__ import annotations

import html
import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from synth.text.formulas import formula_text
from synth.text.raised import subscript, superscript

_INLINE = re.compile(
    r"""
    (?P<comment><!--(?>(?:[^-<]|-(?!->)|<(?!!--)){0,2000})-->)
  | (?P<code>(?<![^\\]`)(?P<ticks>`++)(?P<body>[^`]++(?>(?:(?!(?P=ticks)(?!`))`++[^`]++){0,200}))(?P=ticks)(?!`))
  | (?P<embedded>!\[\[[^\[\]\n]+\]\])
  | (?P<wiki>\[\[(?=\S)(?:(?P<note>[^\[\]|\#\n]+)(?:\#[^\[\]|\n]*)?|\#(?P<part>[^\[\]|\n]+))
      (?:\|(?P<shown>[^\[\]\n]+))?\]\](?![(\[]))
  | (?P<image>!\[[^\]\n]{0,2000}+\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+["'][^)]{0,2000}+)?\)|\[[^\]\n]*\])
      (?:\{[^}\n]{0,2000}+\})?)
  | (?P<footnote>\[\^[^\]\n]{1,2000}+\]:?)
  | (?P<link>\[(?P<label>(?:[^\[\]]|\[[^\[\]]*\])+)\]
      (?:\([^()\s]*(?:\([^()]*\)[^()\s]*)*(?:\s+["'][^)]{0,2000}+)?\)|\[[^\]\n]*\])(?:\{[^}\n]{0,2000}+\})?)
  | (?P<auto><(?P<url>(?:https?|mailto):[^>\s]{1,2000}+)>)
  | (?P<break><[bB][rR]\s*/?>)
  | (?P<pair><(?P<closing>/?)(?P<element>(?i:del|strike|s|sup|sub))(?:\s[^<>]*)?>|~~)
  | (?P<tag><[A-Za-z][A-Za-z0-9.-]*+\s(?>(?:[^<>"']++|"[^"]{0,2000}+"|'[^']{0,2000}+')*)>
      |</?[A-Za-z][A-Za-z0-9.-]*+(?:\s[^<>]*+)?/?>)
  | (?P<attribute>(?:(?<!\s)\s++)?\{\s*+[:#.][^{}\n]*+\})
  | (?P<template>\{%(?=[^%]{0,2000}+%).{0,2000}?%\}|\{\{(?=[^}]{0,2000}+\}).{0,2000}?\}\}
      |\{[*!](?=[^*!]{0,2000}+[*!]).{0,2000}?[*!]\})
  | (?P<shortcode>(?<!\S):[a-z][a-z0-9_+-]{2,}:(?!\S))
  | (?P<strong>\*{1,3}(?=\S)|(?<=\S)\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)
      |(?<![A-Za-z0-9=])==(?=[^\s=])|(?<=[^\s=])==(?![A-Za-z0-9=]))
  | (?P<entity>&(?:\#\d+|\#x[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]{1,31});)
  | (?P<escape>\\[!-/:-@\[-`{-~])
  | (?P<display>\$\$(?P<block>[^$]{1,2000})\$\$)
  | (?P<formula>(?<![\w$])\$(?=[^\s$])
      (?P<tex>(?=[^$\n]{0,400}[\\^_=]|[A-Za-z]\$)(?:\\.|[^$\n\\]){1,400})(?<!\s)\$(?![\w$]))
  | (?P<raised>(?<=[\w)\]])\^(?P<power>[^\s^*_`<>\[\]]{1,20})\^)
  | (?P<lowered>(?<=[A-Za-z)\]])~(?P<index>[0-9A-Za-z+−-]{1,8})~(?!~))
  | (?P<variant>-\{[^{}\n]*\}-)
  | (?P<emoji>(?:[\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u27bf\u2b50\u2b06\u2b07]
      |[\U0001f000-\U0001faff\ufe0f\u200d\u20e3])+)
    """,
    re.VERBOSE | re.DOTALL,
)
_MAY_OPEN = re.compile(
    r"[<`\[{*_~=:&$^\\\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u27bf\u2b06\u2b07\u2b50\u200d\u20e3\ufe0f\U0001f000-\U0001faff]"
)
"""Characters that markup needs: every match of `_INLINE` contains at least one of them.

Most paragraphs contain none of these characters, so the slow search with `_INLINE` is skipped for them.
"""
_LINE_START = re.compile(
    r"[ \t]*(?:(?:>[ \t]?)+)?[ \t]*(?:[*+-][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,9}[.)][ \t]+|#{1,6}[ \t]+)?"
)
_CLOSE = re.compile(r"~~|<[^<>]*>")
_LONGEST_RAISED = 100
"""Maximum length, with markup, of a text between superscript or subscript tags, in characters."""

_REFERENCE = re.compile(r"<[^<>]*reference|<[^<>]*>\s*(?:<a\b|\[)", re.IGNORECASE)
"""Footnote reference in superscript: a link, or a number in brackets."""

_VARIANT = re.compile(r"-\{[^{}\n]*\}-")
_FIRST_VARIANT = re.compile(r"(?:[A-Z]\|)?\s*(?:zh(?:-\w+)?\s*:\s*)?(?P<form>[^;{}]+)")
_RUN = re.compile(r"\S+(?: \S+)*")
"""Run of words separated by single spaces, which is copied unchanged."""
_HAN_OR_MARK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Plain:
    """Plain text with its offsets in the original.

    Character i of `text` comes from `starts[i]:ends[i]` of the original. Markup around a word (`**`, the address of a
    link) belongs to its first and last character. `code` lists the ranges of `text` that were inline code.
    """

    text: str
    starts: array[int]
    ends: array[int]
    code: tuple[tuple[int, int], ...] = ()

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the original that cover `text[start:end]`. The range must not be empty."""
        return min(self.starts[start:end]), max(self.ends[start:end])


def _tokens(raw: str, start: int, end: int) -> tuple[Iterator[re.Match[str]], dict[int, int]]:
    """Return the tokens of a text, and a map from the start of each opening mark to the start of its closing mark.

    The search runs twice to save memory: a match takes a kilobyte, and five million matches take 3 GB.
    """
    has_pairs = "<" in raw[start:end] or "~~" in raw[start:end]
    pairs = _pairs(_INLINE.finditer(raw, start, end)) if has_pairs else {}
    return _INLINE.finditer(raw, start, end), pairs


def _pairs(matches: Iterable[re.Match[str]]) -> dict[int, int]:
    pairs: dict[int, int] = {}
    waiting: dict[str, list[tuple[int, int]]] = {}
    for match in matches:
        if not match["pair"]:
            continue
        name = (match["element"] or "~~").casefold()
        opened = waiting.setdefault(name, [])
        if opened and (match["closing"] or name == "~~"):
            start, end = opened.pop()
            if name not in ("sup", "sub") or match.start() - end <= _LONGEST_RAISED:
                pairs[start] = match.start()
        elif not match["closing"]:
            opened.append(match.span())
    return pairs


class _Builder:
    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.chars: list[str] = []
        # Arrays, because lists would take 1 GB for a document of 20 MB in one line.
        self.starts, self.ends = array("i"), array("i")
        self.code: list[tuple[int, int]] = []
        self._opening: int | None = None

    def put(self, char: str, start: int, end: int) -> None:
        if char.isspace():
            if not self.chars or self.chars[-1] == " ":
                return
            char, self._opening = " ", None
        elif self._opening is not None:
            start, self._opening = self._opening, None
        self.chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def mark(self, start: int, end: int) -> None:
        """Record a mark that yields no character, such as `**`.

        An opening mark is added to the span of the next character, a closing mark to that of the previous one.
        """
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
        """Copy the characters start:end, which contain no white space except single spaces."""
        self.put(self.raw[start], start, start + 1)
        self.chars.extend(self.raw[start + 1 : end])
        self.starts.extend(range(start + 1, end))
        self.ends.extend(range(start + 2, end + 1))

    def _line_end(self, position: int, end: int) -> int:
        """Skip a line end and the marks after it. Add a space, except between Chinese characters."""
        line = _LINE_START.match(self.raw, position + 1)
        stop = min(end, line.end() if line else position + 1)
        following = self.raw[stop : stop + 1]
        if not (self.chars and _HAN_OR_MARK.match(self.chars[-1]) and _HAN_OR_MARK.match(following)):
            self.put(" ", position, position + 1)
        return stop

    def inline(self, start: int, end: int) -> None:
        if not _MAY_OPEN.search(self.raw, start, end):
            self.copy(start, end)
            return
        tokens, pairs = _tokens(self.raw, start, end)
        position = start
        for match in tokens:
            if match.start() < position:
                continue
            self.copy(position, match.start())
            position = match.end()
            if match.start() in pairs:
                position = self._element(match, pairs[match.start()])
            else:
                self._token(match)
        self.copy(position, end)

    def _element(self, opening: re.Match[str], close: int) -> int:
        """Add the content of a superscript or subscript element, or skip a strikethrough. Return its end offset."""
        kind = (opening["element"] or "~~").casefold()
        end = _CLOSE.match(self.raw, close).end()  # type: ignore[union-attr]
        if kind not in ("sup", "sub"):
            return end
        if kind == "sub" or not _REFERENCE.match(self.raw, opening.start(), end):
            self._shifted(kind, opening.span(), (close, end))
        return end

    def _shifted(self, kind: str, opening: tuple[int, int], closing: tuple[int, int]) -> None:
        """Add the text between two marks as superscript (`sup`, `^`) or subscript."""
        inner = plain(self.raw, opening[1], closing[0]) if kind in ("sup", "sub") else None
        body = inner.text if inner else self.raw[opening[1] : closing[0]]
        places = list(zip(inner.starts, inner.ends, strict=True)) if inner else []
        places = places or [(place, place + 1) for place in range(opening[1], closing[0])]
        shifted = superscript(body) if kind in ("sup", "^") else subscript(body)
        if not body:
            return
        # In `^(x y)`, `^(` gets the offsets of the opening mark, and `)` those of the closing mark.
        before = shifted.find(body) if len(shifted) > len(body) else 0
        after = len(shifted) - len(body) - before
        if len(shifted) < len(body):
            places, before, after = [(opening[0], closing[1])] * len(shifted), 0, 0
        spans = [opening] * before + places + [closing] * after
        self._wrapped(opening[0], closing[1], lambda: self._put_all(shifted, spans))

    def _put_all(self, text: str, spans: list[tuple[int, int]]) -> None:
        for char, span in zip(text, spans, strict=True):
            self.put(char, *span)

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
        elif kind in ("formula", "display"):
            tex = match["tex"] or match["block"]
            for char in formula_text(tex) or tex.strip():
                self.put(char, start, end)
        elif kind in ("raised", "lowered"):
            mark = "^" if kind == "raised" else "_"
            self._shifted(mark, (start, start + 1), (end - 1, end))
        elif kind in ("tag", "strong", "pair"):
            self.mark(start, end)
        elif kind in ("emoji", "shortcode") and self._is_cell(start, end):
            self.copy(start, end)

    def _is_cell(self, start: int, end: int) -> bool:
        """Return whether start:end is the whole content of a table cell: there, a sign such as ✅ is the value."""
        while start > 0 and self.raw[start - 1] in " \t":
            start -= 1
        while self.raw[end : end + 1] in (" ", "\t"):
            end += 1
        return self.raw[start - 1 : start] == "|" == self.raw[end : end + 1]

    def variant(self, match: re.Match[str]) -> None:
        """Copy the first form of a word that a wiki gives in several scripts, as in `-{zh-cn:软件; zh-tw:軟體}-`."""
        inner = _FIRST_VARIANT.match(self.raw, match.start() + 2, match.end() - 2)
        if inner:
            self._wrapped(*match.span(), lambda: self.copy(*inner.span("form")))

    def folded(self, start: int, end: int) -> None:
        """Copy plain text. Collapse white space and drop line ends between Chinese characters."""
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
            del self.starts[-1], self.ends[-1]
        size = len(self.chars)
        code = tuple((a, min(b, size)) for a, b in self.code if a < size)
        return Plain("".join(self.chars), self.starts, self.ends, code)


def plain(raw: str, start: int = 0, end: int | None = None, *, markdown: bool = True) -> Plain:
    """Return the plain text of `raw[start:end]`: no markup, addresses, tags or images, and white space collapsed.

    Offsets in the result count characters of the whole of `raw`. Without `markdown`, the text is read as plain text.
    Then only white space is collapsed, and a word that a wiki gives in several scripts keeps its first form, as in
    `-{zh-cn:软件; zh-tw:軟體}-`.
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
    """Return the ranges of `raw[start:end]` that must not be cut: links, images, code, formulas, tags, entities.

    A strikethrough, superscript or subscript element is one range.
    """
    tokens, pairs = _tokens(raw, start, end)
    spans, position = [], start
    for match in tokens:
        if match.start() < position or match.lastgroup in ("strong", "emoji", "shortcode"):
            continue
        close = pairs.get(match.start())
        position = match.end() if close is None else _CLOSE.match(raw, close).end()  # type: ignore[union-attr]
        spans.append((match.start(), position))
    return spans
