"""Coverage: the share of a question's content words that a text contains, with more weight on rare words."""

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
    """A text prepared for matching.

    `stems` are the stems of its content words. `text` is the text itself in lower case and simplified script, in which
    Chinese words are searched.
    """

    stems: frozenset[str]
    text: str

    @classmethod
    def of(cls, text: str) -> StemmedText:
        """Return a text prepared for matching."""
        return cls(frozenset(stems(text)), to_simplified(fold_width(text)).casefold())

    def has(self, word: str) -> bool:
        """Whether the text contains a stem.

        A Chinese word is also searched as a string, because word boundaries may differ.
        """
        return word in self.stems or (word >= "\u3400" and word in self.text)


def asked_words(question: str) -> tuple[str, ...]:
    """Return the stems of a question's content words in order, without repetition and without question words."""
    return tuple(dict.fromkeys(stem(word) for word in content_words(question) if not _ASKING.fullmatch(word)))


@dataclass(frozen=True, slots=True)
class Rarity:
    """Weights of stems by inverse document frequency, as in BM25.

    `passages` is the number of passages; `frequencies` is the number of passages that contain each stem.
    """

    passages: int
    frequencies: Mapping[str, int]
    _weights: dict[str, float] = field(default_factory=dict, init=False, repr=False, compare=False)

    def weight(self, word: str) -> float:
        """Return the weight of a stem: about 0.2 if every passage contains it, highest if no passage does."""
        holding = min(self.passages, self.frequencies.get(word, 0))
        return log(1 + (self.passages - holding + 0.5) / (holding + 0.5)) + 0.2

    def known(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return the words that occur in at least one passage, or all `words` if no word occurs."""
        given = list(words)
        return tuple(word for word in given if self.frequencies.get(word)) or tuple(given)

    def share(self, words: Iterable[str], *texts: StemmedText) -> float:
        """Return the share of the total weight of `words` that at least one of `texts` contains, from 0 to 1.

        The share is 1 if `words` is empty.
        """
        whole = part = 0.0
        for word in words:
            weight = self._weights.get(word) or self._weights.setdefault(word, self.weight(word))
            whole += weight
            for stemmed in texts:
                if stemmed.has(word):
                    part += weight
                    break
        return part / whole if whole else 1.0
