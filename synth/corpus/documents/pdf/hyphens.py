"""Joining of words that are split at the end of a line. A hyphen stays if it belongs to the word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

PAGE_MARK = "\x01"
"""Character that marks the beginning of a page in a text, until its offset is known. No PDF text contains it."""

_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_SPLIT = re.compile(r"(?<![^\W\d_])(?<![-'’])((?:[^\W\d_]|[-'’])*[^\W\d_])[-\u2010]$")
_LONGEST_WORD = 200
"""Maximum length of the first part of a word that is joined across lines, in characters."""

_SOFT = "\u00ad"
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010'’][^\W\d_]+)*")
_FIRST_PARTS = frozenset(
    "all cross double ever ex far fast first five four full half hard high higher ill large late left life long longer "
    "low lower mid multi near newly non off one open out peer quasi rate real right risk second self semi short single "
    "six so state third three time top two user value well wide world year".split()
)
"""First parts of English words with a hyphen ("self-made"), for words that the document contains nowhere else."""

_PREFIXES = frozenset("anti co counter inter intra micro non post pre pro re sub super trans un under".split())
"""Prefixes that some writers separate by a hyphen and others do not: "co-operative"."""


class Hyphens:
    """Joiner of lines. It keeps or removes a hyphen at a line end as the rest of the document spells the word."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: set[str] = set()
        self._compounds: set[str] = set()
        self._prefixes: set[str] = set()
        for line in lines:
            for match in _WORD.finditer(line):
                word = match.group().replace("\u2010", "-").casefold()
                if "-" in word:
                    self._compounds.add(word)
                    self._prefixes.add(word.partition("-")[0])
                elif match.end() + 1 < len(line) or not line.endswith("-"):
                    self._words.add(word)

    def joined(self, lines: Sequence[str]) -> str:
        """Return the lines as one text. No space is inserted between Chinese characters."""
        text = lines[0]
        for line in lines[1:]:
            bare = line.lstrip(PAGE_MARK)
            mark = line[: len(line) - len(bare)]
            split = _SPLIT.search(text, max(0, len(text) - _LONGEST_WORD))
            rest = _WORD.match(bare)
            if text.endswith(_SOFT):
                text = text[:-1] + line
            elif split and rest and bare[0].islower():
                text = text[:-1] + ("-" if self._keeps(split.group(1), rest.group()) else "") + line
            elif split and rest and len(text) > 1:
                text += line
            else:
                text += ("" if _HAN.match(text[-1:]) and _HAN.match(bare[:1]) else " ") + mark + bare
        return text.replace(_SOFT, "")

    def _keeps(self, first: str, rest: str) -> bool:
        """Whether a word that is split between lines into `first` and `rest` is spelled with a hyphen."""
        first, rest = first.casefold(), rest.casefold()
        if f"{first}-{rest}" in self._compounds:
            return True
        if first + rest in self._words:
            return False
        if "-" in first or first in _FIRST_PARTS or first in _PREFIXES & self._prefixes:
            return True
        return len(first) > 3 and len(rest) > 3 and first in self._words and rest in self._words
