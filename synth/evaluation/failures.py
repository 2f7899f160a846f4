"""Attribution of wrong answers to the retriever, the ranking or the generator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from synth.core.containment import contained
from synth.core.records import SUB_QUESTIONS, Response, Score
from synth.evaluation.judging.claim_verdicts import CONTRADICTED
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.measuring.character_coverage import Cover, cover
from synth.evaluation.measuring.word_coverage import WordIndex, content, share, weights
from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.correctness import Correctness
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Item
from synth.text.tokens import numbers

HOPS = ("hop 1 missed", "hop 2 missed", "hop 3 missed")
"""Kinds of failure for questions over several passages: the first sub-question whose evidence is missing."""

RIGHT, MISSED, LOW, CONTRADICTS, OFF_TOPIC, IGNORED, UNKNOWN = (
    "right", "missed", "ranked low", "contradicted", "off topic", "ignored", "unknown",
)  # fmt: skip
MEANINGS = {
    MISSED: "the evidence was not retrieved",
    **dict.fromkeys(HOPS, "the evidence of this sub-question was not retrieved, but evidence of another one was"),
    LOW: "the evidence was retrieved, but ranked too low for the generator to see",
    CONTRADICTS: "the generator saw the evidence and contradicted it",
    OFF_TOPIC: "the generator saw the evidence and answered something else",
    IGNORED: "the generator saw the evidence and did not use it",
    UNKNOWN: "the retrieved passages have neither offsets nor texts, or the row has no evidence",
    RIGHT: "the answer is right",
}
"""Kinds of failure with their meanings, in the order of the stages of a system."""

_HALF_COVERED, _ON_TOPIC, _PASSAGES_SEEN = 0.5, 0.1, 5
_JUDGED_RIGHT = ("answer_correctness", "factual_correctness")
_RIGHT_FROM = 0.5
RULE = f"right: correctness of at least {_RIGHT_FROM:g}; if a judge measured {' or '.join(_JUDGED_RIGHT)}, that metric"
"""Rule that decides which answers are right, in one line."""


def failures(
    items: Iterable[Item], responses: Responses, scores: Mapping[str, Sequence[Score]], unit: str, folding: Folding
) -> dict[str, list[str]]:
    """Return the ids of the rows by kind of failure. All kinds are included, in order; unanswerable rows are left out.

    `scores` are the scores of each row by id. Scores of a judge take precedence over rules. `unit` and `folding` are as
    in `Measurement`.
    """
    by_kind: dict[str, list[str]] = {kind: [] for kind in MEANINGS}
    for item in items:
        response = responses.get(item.id, item.question) or Response(sample_id=item.id, answer="", retrieved=())
        case = Case(item, response, folding, unit)
        if case.answerable and item.golden_answers:
            kind = UNKNOWN
            with contained("the search for failures", f"row {item.id}"):
                kind = _kind(case, {score.metric: score for score in scores.get(item.id, ())})
            by_kind[kind].append(item.id)
    return by_kind


def _kind(case: Case, scores: Mapping[str, Score]) -> str:
    if _is_right(case, scores):
        return RIGHT
    if hop := _missed_hop(case):
        return hop
    retrieved, shown = case.retrieved_cover, case.contexts_cover
    if isinstance(retrieved, str) or isinstance(shown, str):
        return UNKNOWN
    if _share(retrieved) < _HALF_COVERED and _share(shown) < _HALF_COVERED:
        return MISSED
    limit = None if case.response.contexts is not None else _PASSAGES_SEEN
    if _share(shown, limit) < _HALF_COVERED:
        return LOW
    return _of_generator(case, scores)


def _missed_hop(case: Case) -> str:
    """Return the kind of failure for the first sub-question without retrieved evidence.

    Return "" if all sub-questions, or none, have retrieved evidence.
    """
    found = []
    for part in case.item.metadata.get(SUB_QUESTIONS, ())[: len(HOPS)]:
        places = part.get("evidence", ())
        own = [n for n, piece in enumerate(case.item.evidence) if [piece.doc_id, piece.start, piece.end] in places]
        covers = [
            cover(
                [case.item.evidence[n] for n in own],
                passages,
                chunk_ids=case.chunk_ids,
                alternatives=[(own.index(n), other) for n, other in case.item.alternatives if n in own],
            )
            for passages in (case.response.retrieved or (), case.contexts)
        ]
        found.append(any(not isinstance(one, str) and _share(one) >= _HALF_COVERED for one in covers))
    return HOPS[found.index(False)] if any(found) and not all(found) else ""


def _is_right(case: Case, scores: Mapping[str, Score]) -> bool:
    for name in _JUDGED_RIGHT:
        value = scores[name].value if name in scores else None
        if value is not None:
            return value >= _RIGHT_FROM
    golden = case.item.golden_answers
    return max(Correctness().compare(case.answer, answer, case) for answer in golden) >= _RIGHT_FROM


def _share(cover: Cover, k: int | None = None) -> float:
    return cover.covered(k) / cover.total


def _of_generator(case: Case, scores: Mapping[str, Score]) -> str:
    rows: Any = scores["faithfulness"].detail if "faithfulness" in scores else None
    if rows is not None:
        contradicts = any(row["verdict"] == CONTRADICTED for row in rows)
    else:
        figures = [numbers(golden) for golden in case.item.golden_answers]
        answer_numbers = numbers(case.answer)
        contradicts = bool(answer_numbers) and all(
            golden_numbers and not golden_numbers & answer_numbers for golden_numbers in figures
        )
    if contradicts:
        return CONTRADICTS
    about = scores["answer_relevancy"].value if "answer_relevancy" in scores else None
    if about is None:
        words = content(case.answer)
        known = " ".join((case.item.question, *(piece.text for piece in case.item.evidence)))
        about = share(words, weights(words), WordIndex.of(content(known)))
    return OFF_TOPIC if case.answer.strip() and about < _ON_TOPIC else IGNORED
