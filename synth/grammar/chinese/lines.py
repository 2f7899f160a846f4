"""A sentence as the patterns read it: no asides, no loose spaces, and the way back to the text."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from synth.grammar.chinese.lexicon import CLOSING, OPENING
from synth.grammar.parsing import Word

_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef‘’“”·—…]")
_LONGEST = 220
_NUMBERED = re.compile(r"第[〇零一二三四五六七八九十百千\d]+[条條款](?:之[一二三四五六七八九十])?[\s　:：]+")
"""The number of an article, which is no part of what it lays down."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a line: `line.simple[start:end]`, with its LAC tag."""

    text: str
    tag: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChineseLine:
    """A sentence without the bracketed asides and without the spaces beside Chinese characters.

    Patterns run over `simple`; `origin[i]` is the place of its character i in `raw`, the plain text
    of the sentence as written. `index` is the number of the sentence in its reading.
    """

    index: int
    raw: str
    simple: str
    origin: tuple[int, ...]
    tokens: tuple[Token, ...]
    edges: frozenset[int]

    def answer(self, start: int, end: int) -> str:
        """`simple[start:end]` as it stands in the sentence, for a golden answer."""
        return self.raw[self.origin[start] : self.origin[end - 1] + 1].strip()

    def written(self, start: int, end: int) -> str:
        """`simple[start:end]` as written but without asides, for use in a question."""
        text = ""
        for i in range(start, end):
            here = self.origin[i]
            if (
                text
                and here
                and self.raw[here - 1].isspace()
                and text[-1] != " "
                and not _close(text[-1], self.raw[here])
            ):
                text += " "
            if not (self.raw[here].isspace() and text.endswith(" ")):
                text += self.raw[here]
        return text.strip()

    def span(self, start: int, end: int) -> tuple[Token, ...]:
        """The tokens of `simple[start:end]`; both ends must be in `edges`."""
        first = bisect_left(self.tokens, start, key=lambda token: token.start)
        last = bisect_left(self.tokens, end, key=lambda token: token.start)
        return self.tokens[first:last]

    def whole(self, start: int, end: int) -> bool:
        """True if `simple[start:end]` is made of whole words."""
        return start < end and start in self.edges and end in self.edges


def _close(left: str, right: str) -> bool:
    return bool(_HAN.match(left)) and bool(_HAN.match(right))


def line(index: int, raw: str, words: Sequence[Word]) -> ChineseLine | None:
    """The line of a sentence, or None when it is too long or its brackets or quotes do not match."""
    if not 6 <= len(raw) <= _LONGEST or not balanced(raw):
        return None
    chars: list[str] = []
    origin: list[int] = []
    tokens: list[Token] = []
    aside = 0
    numbered = _NUMBERED.match(raw)
    opening = numbered.end() if numbered else 0
    for word in words:
        start = len(chars)
        fixed = word.tag == "code"
        for i, char in enumerate(word.simple):
            if word.start + i < opening:
                continue
            if not fixed and char in "(（" and not _call(raw, word.start + i):
                aside += 1
            elif not fixed and aside and char in ")）":
                aside -= 1
            elif not aside and (fixed or not _loose(raw, word.start + i)):
                chars.append(char)
                origin.append(word.start + i)
        if len(chars) > start:
            tokens.append(Token("".join(chars[start:]), word.tag, start, len(chars)))
    tokens = _names_joined(tokens)
    edges = frozenset({0, *(token.end for token in tokens)})
    return ChineseLine(index, raw, "".join(chars), tuple(origin), tuple(tokens), edges)


def _names_joined(tokens: list[Token]) -> list[Token]:
    """The tokens with the parts of a foreign name, 约翰·史密斯, made one."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1] if joined else None
        joins = before is not None and (
            (token.text[0] in _DOTS and before.text[-1] not in _PUNCTUATION)
            or (before.text[-1] in _DOTS and len(before.text) > 1)
        )
        if before is not None and joins and token.text[-1] not in _PUNCTUATION:
            joined[-1] = Token(before.text + token.text, "PER", before.start, token.end)
        else:
            joined.append(token)
    return joined


_DOTS = "·•‧・"
_PUNCTUATION = "，。、；：！？“”《》「」『』,;:!?"


def _call(raw: str, i: int) -> bool:
    """True if the bracket at `i` is one of a call such as `run()`, not of an aside."""
    return raw[i] == "(" and i > 0 and raw[i - 1].isascii() and (raw[i - 1].isalnum() or raw[i - 1] == "_")


def _loose(raw: str, i: int) -> bool:
    """True if the character at `i` is a space that parts no two Latin words."""
    if not raw[i].isspace():
        return False
    left, right = raw[:i].rstrip()[-1:], raw[i:].lstrip()[:1]
    return not (left and right and left.isascii() and right.isascii())


def balanced(text: str) -> bool:
    """True if brackets and paired quotes open and close as they should."""
    stack: list[str] = []
    for char in text:
        if char in OPENING:
            stack.append(OPENING[char])
        elif char in CLOSING and (not stack or stack.pop() != char):
            return False
    return not stack and text.count('"') % 2 == 0
