"""Central sentences of a document, whose words are nearest to the average (centroid) of all its sentences."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from synth.text.prose import Sentence
from synth.text.tokens import content_words, count_tokens

# Words at the start of a sentence that refer to the preceding sentence.
_REFERS_BACK = re.compile(
    r"(?:it|he|she|they|this|that|these|those|however|but|and|so|also|then|thus|therefore|moreover|instead|here|there"
    r"|for example|in addition)\b|(?:它|他|她|这|這|那|此|其|但|而|因此|所以|然而|不过|不過|另外|此外|例如"
    r"|同时|同時|于是|於是|并|並)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!。！][\"'”’」』)）]*$")
_MIN_WORDS, _MAX_WORDS = 4, 45  # limits for the content words of a sentence in a summary
_MAX_OVERLAP = 0.6  # maximum share of shared words, relative to the sentence with fewer different words
_FIRST_SENTENCE_BONUS = 0.25  # cosine bonus of the first sentence


class CentralSentences:
    """The sentences of a document, with the words by which they are compared."""

    def __init__(self, prose: Sequence[Sentence]) -> None:
        self.prose = prose
        self._words = [Counter(content_words(sentence.text)) for sentence in prose]
        self._rarity = _rarity(self._words)

    def summary(self) -> dict[str, Any]:
        """Return one to three central sentences in order, as "text" and "spans"; both are empty without sentences."""
        ranked, near = self._by_nearness()
        count = 1 if len(ranked) < 6 else 2 if len(ranked) < 16 else 3
        chosen: list[int] = []
        for n in ranked:
            if len(chosen) == count or (chosen and not self._stands_alone(n)):
                break
            if (not chosen or near[n]) and self._is_new(n, chosen):
                chosen.append(n)
        sentences = [self.prose[n] for n in sorted(chosen)]
        gap = "" if any("\u3400" <= c <= "\u9fff" for sentence in sentences for c in sentence.text[:20]) else " "
        return {
            "text": gap.join(sentence.text for sentence in sentences),
            "spans": [[sentence.start, sentence.end] for sentence in sentences],
        }

    def gist(self, tokens: int) -> list[Sentence]:
        """Return central sentences in order of the text, up to `tokens` tokens in total; all sentences if they fit."""
        if sum(count_tokens(sentence.text) for sentence in self.prose) <= tokens:
            return [*self.prose]
        tokens_left = tokens
        chosen: list[int] = []
        for n in self._by_nearness()[0]:
            cost = count_tokens(self.prose[n].text)
            if cost <= tokens_left and self._is_new(n, chosen):
                chosen.append(n)
                tokens_left -= cost
        return [self.prose[n] for n in sorted(chosen)]

    def _by_nearness(self) -> tuple[list[int], dict[int, float]]:
        """Return sentence numbers, nearest to the centroid first, and the nearness of each (Radev et al., 2004).

        Sentences are compared with the centroid, not with each other, so the cost is linear.
        """
        rarity, n_sentences = self._rarity, len(self.prose)
        centre: Counter[str] = Counter()
        for counts in self._words:
            centre.update(counts)
        weight = {word: count * rarity[word] for word, count in sorted(centre.items()) if count > 1 or n_sentences < 4}
        length = math.sqrt(sum(w * w for w in weight.values())) or 1.0

        def nearness(counts: Counter[str]) -> float:
            own = math.sqrt(sum((c * rarity[w]) ** 2 for w, c in counts.items())) or 1.0
            return sum(c * rarity[w] * weight.get(w, 0.0) for w, c in counts.items()) / (own * length)

        near = {n: nearness(counts) for n, counts in enumerate(self._words)}
        scores = {n: near[n] + _FIRST_SENTENCE_BONUS / (1 + n) for n in near}
        ranked = sorted(scores, key=lambda n: (not self._stands_alone(n), -round(scores[n], 9), n))
        return ranked, near

    def _stands_alone(self, n: int) -> bool:
        sentence = self.prose[n]
        code = sum(b - a for a, b in sentence.code)
        return (
            _MIN_WORDS <= self._words[n].total() <= _MAX_WORDS
            and bool(_SENTENCE_END.search(sentence.text))
            and not _REFERS_BACK.match(sentence.text)
            and code * 3 < len(sentence.text)
        )

    def _is_new(self, n: int, chosen: Sequence[int]) -> bool:
        return all(_overlap(self._words[n], self._words[other]) < _MAX_OVERLAP for other in chosen)


def _rarity(words: Sequence[Counter[str]]) -> dict[str, float]:
    spread = Counter(word for counts in words for word in counts)
    return {word: math.log(1 + len(words) / count) for word, count in spread.items()}


def _overlap(first: Counter[str], second: Counter[str]) -> float:
    return len(first.keys() & second.keys()) / (min(len(first), len(second)) or 1)
