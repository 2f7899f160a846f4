"""Subjects of a corpus: phrases that name what many of its passages are about, and the subject of each passage."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Phrases: TypeAlias = Mapping[str, float]
"""Phrases of a passage that may name its subject, with their strength."""

Signs: TypeAlias = Mapping[str, float]
"""Phrases and words of a passage with their weight, by which passages are compared."""

_AGAIN = 0.4  # the gain left of a passage that has a subject already
_WITHIN = 0.5  # share of its passages from which a phrase beside one subject is a part of that subject
_HAS_IT = 0.5
_SIGNS_OF_A_SUBJECT = 60
_OF_DOCUMENT = 0.35
_LEAST_GAIN = 1.2
# The least likeness of a passage to a subject of several documents, and to one of a single other document.
_LEAST_LIKE, _LEAST_LIKE_ONE_DOCUMENT = 0.09, 0.2


@dataclass(frozen=True, slots=True)
class PassageSubjects:
    """A passage: the number of its document, its phrases and its signs."""

    document: int
    phrases: Phrases
    signs: Signs


def subjects(passages: Sequence[PassageSubjects], most: int, worth: Callable[[str], float]) -> list[str]:
    """Up to `most` phrases that leave few passages without a subject, the most telling first.

    Greedy choice: the next phrase is the one with the greatest gain over all its passages, times `worth`, its value as
    a name; of equal ones the first in order. A phrase is left out when half of its passages have one subject already.
    """
    holding: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        for phrase in passage.phrases:
            holding.setdefault(phrase, []).append(number)
    left = [1.0] * len(passages)
    taken: list[set[int]] = [set() for _ in passages]

    def gain(phrase: str) -> float:
        total = sum(passages[n].phrases[phrase] * left[n] for n in holding[phrase])
        return round(total * value[phrase], 9)

    value = {phrase: worth(phrase) for phrase, numbers in holding.items() if len(numbers) > 1}
    waiting = [(-gain(phrase), phrase) for phrase, worth_of_phrase in value.items() if worth_of_phrase > 0]
    heapq.heapify(waiting)
    chosen: list[str] = []
    while waiting and len(chosen) < most:
        before, phrase = heapq.heappop(waiting)
        now = gain(phrase)
        if now < _LEAST_GAIN * value[phrase]:
            continue
        if now < -before:
            heapq.heappush(waiting, (-now, phrase))
            continue
        beside = Counter(subject for n in holding[phrase] for subject in taken[n])
        if beside and max(beside.values()) >= _WITHIN * len(holding[phrase]):
            continue
        for n in holding[phrase]:
            left[n] *= 1 - (1 - _AGAIN) * passages[n].phrases[phrase]
            taken[n].add(len(chosen))
        chosen.append(phrase)
    return chosen


def assigned(passages: Sequence[PassageSubjects], chosen: Sequence[str], fewest: int) -> list[int | None]:
    """The number of the subject of each passage, or None when it is like none.

    A passage is compared with the centroid of the passages that hold the phrase of a subject; the other passages of its
    document count too. Subjects with fewer than `fewest` passages are dropped.
    """
    spread = Counter(sign for passage in passages for sign in passage.signs)
    vectors = [_vector(passage.signs, spread, len(passages)) for passage in passages]
    alive = set(range(len(chosen)))
    profiles = _profiles(passages, vectors, chosen)
    while True:
        nearest = [*_nearest(passages, vectors, chosen, profiles, alive)]
        sizes = Counter(subject for subject in nearest if subject is not None)
        small = {subject for subject in alive if sizes[subject] < fewest}
        if not small:
            return nearest
        alive -= small


def _vector(signs: Signs, spread: Mapping[str, int], count: int) -> dict[str, float]:
    weighed = {sign: weight * math.log(1 + count / spread[sign]) for sign, weight in signs.items() if spread[sign] > 1}
    norm = math.sqrt(sum(weight * weight for weight in weighed.values())) or 1.0
    return {sign: weight / norm for sign, weight in weighed.items()}


def _profiles(
    passages: Sequence[PassageSubjects], vectors: Sequence[Mapping[str, float]], chosen: Sequence[str]
) -> dict[str, list[tuple[int, float]]]:
    """The subjects of each sign, with its weight in their centroid."""
    number = {phrase: n for n, phrase in enumerate(chosen)}
    sums: list[dict[str, float]] = [{} for _ in chosen]
    for passage, vector in zip(passages, vectors, strict=True):
        for phrase, strength in passage.phrases.items():
            if phrase in number:
                into = sums[number[phrase]]
                for sign, weight in vector.items():
                    into[sign] = into.get(sign, 0.0) + weight * strength
    profiles: dict[str, list[tuple[int, float]]] = {}
    for subject, signs in enumerate(sums):
        best = sorted(signs.items(), key=lambda item: (-round(item[1], 9), item[0]))[:_SIGNS_OF_A_SUBJECT]
        norm = math.sqrt(sum(weight * weight for _, weight in best)) or 1.0
        for sign, weight in best:
            profiles.setdefault(sign, []).append((subject, weight / norm))
    return profiles


def _nearest(
    passages: Sequence[PassageSubjects],
    vectors: Sequence[Mapping[str, float]],
    chosen: Sequence[str],
    profiles: Mapping[str, Sequence[tuple[int, float]]],
    alive: set[int],
) -> Iterator[int | None]:
    """The nearest subject of each passage among those `alive`, or None."""
    number = {phrase: n for n, phrase in enumerate(chosen) if n in alive}
    homes: list[set[int]] = [set() for _ in chosen]
    for passage in passages:
        for phrase in passage.phrases.keys() & number.keys():
            homes[number[phrase]].add(passage.document)
    likes: list[dict[int, float]] = []
    of_document: dict[int, Counter[int]] = {}
    sizes: Counter[int] = Counter()
    for passage, vector in zip(passages, vectors, strict=True):
        like: dict[int, float] = {}
        for sign, weight in vector.items():
            for subject, there in profiles.get(sign, ()):
                if subject in alive:
                    like[subject] = like.get(subject, 0.0) + weight * there
        for phrase, strength in passage.phrases.items():
            if phrase in number:
                like[number[phrase]] = like.get(number[phrase], 0.0) + _HAS_IT * strength
        likes.append(like)
        sizes[passage.document] += 1
        shared = of_document.setdefault(passage.document, Counter())
        for subject, score in like.items():
            shared[subject] += score  # type: ignore[assignment]
    for passage, like in zip(passages, likes, strict=True):
        of_all, size = of_document[passage.document], sizes[passage.document]
        scores = {subject: like.get(subject, 0.0) + _OF_DOCUMENT * of_all[subject] / size for subject in of_all}
        best = min(scores, key=lambda subject: (-round(scores[subject], 9), subject), default=None)
        home = homes[best] if best is not None else set()
        least = _LEAST_LIKE if len(home) > 1 or passage.document in home else _LEAST_LIKE_ONE_DOCUMENT
        yield best if best is not None and scores[best] >= least else None
