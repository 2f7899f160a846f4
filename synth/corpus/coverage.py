"""Share of a question that a text speaks of: words are compared by their stems, and rare ones weigh more."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import log

from synth.text.normalise import fold_width, to_simplified
from synth.text.stems import stem, stems
from synth.text.tokens import content_words

_ASKING = re.compile(
    r"哪.*|多|多[少久长高远大重深宽]|几.?|何.?|怎.*|什么.*|是否|[能可会]否|请问|请|表示|意思|which|year|years|date|term|mean|means|stand"
)


@dataclass(frozen=True, slots=True)
class StemmedText:
    """A text prepared for matching: the stems of its content words, and the simplified text, for Chinese."""

    stems: frozenset[str]
    text: str

    @classmethod
    def of(cls, text: str) -> StemmedText:
        return cls(frozenset(stems(text)), to_simplified(fold_width(text)).casefold())

    def has(self, word: str) -> bool:
        """Test whether a stem stands in it; a Chinese word may have been cut in another way."""
        return word in self.stems or (word >= "\u3400" and word in self.text)


def asked_words(question: str) -> tuple[str, ...]:
    """The stems of the content words of a question, each once, in order."""
    return tuple(dict.fromkeys(stem(word) for word in content_words(question) if not _ASKING.fullmatch(word)))


@dataclass(frozen=True, slots=True)
class Rarity:
    """The weight of a stem: its inverse document frequency, as in BM25. `frequencies` are by stem."""

    passages: int
    frequencies: Mapping[str, int]
    _weights: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def weight(self, word: str) -> float:
        """From nearly 0 for a word that all passages hold to the most for one that none does."""
        holding = min(self.passages, self.frequencies.get(word, 0))
        return log(1 + (self.passages - holding + 0.5) / (holding + 0.5)) + 0.2

    def known(self, words: Iterable[str]) -> tuple[str, ...]:
        """Those of `words` that some passage holds; all of them when none does."""
        given = list(words)
        return tuple(word for word in given if self.frequencies.get(word)) or tuple(given)

    def share(self, words: Iterable[str], *texts: StemmedText) -> float:
        """Share of the weight of `words`, from 0 to 1, that stands in at least one of `texts`; 1 without words."""
        whole = part = 0.0
        for word in words:
            weight = self._weights.get(word) or self._weights.setdefault(word, self.weight(word))
            whole += weight
            for stemmed in texts:
                if stemmed.has(word):
                    part += weight
                    break
        return part / whole if whole else 1.0
