"""Subjects of a corpus: phrases that name what many passages are about, and the subject of each passage."""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Phrases: TypeAlias = Mapping[str, float]
"""Strength (0 to 1) of each phrase of a passage that may name its subject."""

Terms: TypeAlias = Mapping[str, float]
"""Weight of each phrase and word of a passage, used to compare passages."""

_REMAINING = 0.4  # share of a passage's gain that remains after it gets a subject of full strength
_REDUNDANT_FROM = 0.5  # a phrase is redundant if one chosen subject covers this share of its passages
_LEAST_GAIN = 1.2
_BONUS_FOR_HOLDING = 0.5  # score bonus for a subject whose phrase the passage contains at full strength
_TERMS_OF_A_CENTROID = 60
_DOCUMENT_WEIGHT = 0.35  # weight of the mean score over the passages of a document
# Minimum score of a passage's subject. The second number is for a subject that occurs only in one other document.
_LEAST_SCORE, _LEAST_SCORE_ELSEWHERE = 0.09, 0.2


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """A passage: the number of its document, its phrases and its terms."""

    document: int
    phrases: Phrases
    terms: Terms


def subjects(passages: Sequence[PassageTerms], most: int, worth: Callable[[str], float]) -> list[str]:
    """Return up to `most` phrases to use as subjects, chosen so that few passages lack one, in the order of choice.

    The method is greedy weighted maximum coverage. The gain of a phrase is the sum of its strengths in the passages
    that contain it, reduced where chosen subjects already cover a passage. The next subject is the phrase with the
    greatest product of gain and `worth`, its value as a name. Ties go to the alphabetically first phrase. A phrase is
    skipped if one chosen subject already covers half of its passages. Gains only shrink, so an earlier gain is an upper
    bound. A phrase whose gain has shrunk goes back into the heap.
    """
    postings: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        for phrase in passage.phrases:
            postings.setdefault(phrase, []).append(number)
    remaining = [1.0] * len(passages)
    covered_by: list[set[int]] = [set() for _ in passages]
    value = {phrase: worth(phrase) for phrase, numbers in postings.items() if len(numbers) > 1}

    def gain(phrase: str) -> float:
        total = sum(passages[n].phrases[phrase] * remaining[n] for n in postings[phrase])
        return round(total * value[phrase], 9)

    waiting = [(-gain(phrase), phrase) for phrase in value if value[phrase] > 0]
    heapq.heapify(waiting)
    chosen: list[str] = []
    while waiting and len(chosen) < most:
        negated, phrase = heapq.heappop(waiting)
        now = gain(phrase)
        if now < _LEAST_GAIN * value[phrase]:
            continue
        if now < -negated:
            heapq.heappush(waiting, (-now, phrase))
            continue
        covered = Counter(subject for n in postings[phrase] for subject in covered_by[n])
        if covered and max(covered.values()) >= _REDUNDANT_FROM * len(postings[phrase]):
            continue
        for n in postings[phrase]:
            remaining[n] *= 1 - (1 - _REMAINING) * passages[n].phrases[phrase]
            covered_by[n].add(len(chosen))
        chosen.append(phrase)
    return chosen


def assign(passages: Sequence[PassageTerms], chosen: Sequence[str], fewest: int) -> list[int | None]:
    """Return the index of the subject of each passage, or None if no subject scores enough.

    The score of a subject compares the passage with the average (centroid) of all passages that contain the subject's
    phrase. A share of the subject's mean score in the same document is added. Subjects with fewer than `fewest`
    passages are dropped.
    """
    frequencies = Counter(term for passage in passages for term in passage.terms)
    vectors = [_vector(passage.terms, frequencies, len(passages)) for passage in passages]
    alive = set(range(len(chosen)))
    profiles = _profiles(passages, vectors, chosen)
    while True:
        nearest = [*_nearest(passages, vectors, chosen, profiles, alive)]
        sizes = Counter(subject for subject in nearest if subject is not None)
        small = {subject for subject in alive if sizes[subject] < fewest}
        if not small:
            return nearest
        alive -= small


def _vector(terms: Terms, frequencies: Mapping[str, int], count: int) -> dict[str, float]:
    weighed = {
        term: weight * math.log(1 + count / frequencies[term])
        for term, weight in terms.items()
        if frequencies[term] > 1
    }
    norm = math.sqrt(sum(weight * weight for weight in weighed.values())) or 1.0
    return {term: weight / norm for term, weight in weighed.items()}


def _profiles(
    passages: Sequence[PassageTerms], vectors: Sequence[Mapping[str, float]], chosen: Sequence[str]
) -> dict[str, list[tuple[int, float]]]:
    """Return, for each term, the subjects whose centroid contains it, with its weight there."""
    subject_of = {phrase: n for n, phrase in enumerate(chosen)}
    sums: list[dict[str, float]] = [{} for _ in chosen]
    for passage, vector in zip(passages, vectors, strict=True):
        for phrase, strength in passage.phrases.items():
            if phrase in subject_of:
                into = sums[subject_of[phrase]]
                for term, weight in vector.items():
                    into[term] = into.get(term, 0.0) + weight * strength
    profiles: dict[str, list[tuple[int, float]]] = {}
    for subject, terms in enumerate(sums):
        best = sorted(terms.items(), key=lambda item: (-round(item[1], 9), item[0]))[:_TERMS_OF_A_CENTROID]
        norm = math.sqrt(sum(weight * weight for _, weight in best)) or 1.0
        for term, weight in best:
            profiles.setdefault(term, []).append((subject, weight / norm))
    return profiles


def _nearest(
    passages: Sequence[PassageTerms],
    vectors: Sequence[Mapping[str, float]],
    chosen: Sequence[str],
    profiles: Mapping[str, Sequence[tuple[int, float]]],
    alive: set[int],
) -> Iterator[int | None]:
    """Yield for each passage the subject in `alive` with the best score, or None if that score is too low."""
    subject_of = {phrase: n for n, phrase in enumerate(chosen) if n in alive}
    homes: list[set[int]] = [set() for _ in chosen]
    for passage in passages:
        for phrase in passage.phrases.keys() & subject_of.keys():
            homes[subject_of[phrase]].add(passage.document)
    scored: list[Mapping[int, float]] = []
    of_document: dict[int, defaultdict[int, float]] = {}
    sizes: Counter[int] = Counter()
    for passage, vector in zip(passages, vectors, strict=True):
        own: defaultdict[int, float] = defaultdict(float)
        for term, weight in vector.items():
            for subject, there in profiles.get(term, ()):
                if subject in alive:
                    own[subject] += weight * there
        for phrase, strength in passage.phrases.items():
            if phrase in subject_of:
                own[subject_of[phrase]] += _BONUS_FOR_HOLDING * strength
        scored.append(own)
        sizes[passage.document] += 1
        total = of_document.setdefault(passage.document, defaultdict(float))
        for subject, score in own.items():
            total[subject] += score
    for passage, scores_of_own in zip(passages, scored, strict=True):
        of_all, size = of_document[passage.document], sizes[passage.document]
        scores = {
            subject: scores_of_own.get(subject, 0.0) + _DOCUMENT_WEIGHT * of_all[subject] / size for subject in of_all
        }
        best = min(scores, key=lambda subject: (-round(scores[subject], 9), subject), default=None)
        home = homes[best] if best is not None else set()
        least = _LEAST_SCORE if len(home) > 1 or passage.document in home else _LEAST_SCORE_ELSEWHERE
        yield best if best is not None and scores[best] >= least else None
