"""What a person says of a row, and what ties it to that row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from synth.core.errors import RecordError
from synth.core.records import Sample, digest, nothing

ACCEPT, EDIT, REJECT, SKIP = DECISIONS = ("accept", "edit", "reject", "skip")

DIMENSIONS = (
    "fluency",
    "clarity",
    "conciseness",
    "relevance",
    "consistency",
    "answerability",
    "answer_consistency",
)
"""What people rate generated questions by (QGEval, Fu et al. 2024), each from 1 to `BEST`."""

BEST = 3

REASONS: Mapping[str, tuple[str, ...]] = {
    "unsupported": ("grounded", "judged"),
    "wrong_answer": ("answerable", "judged"),
    "badly_put": ("well_formed",),
    "not_alone": ("self_contained",),
    "ambiguous": ("specific",),
    "trivial": ("worth_asking",),
    "gives_away": ("leaked_answer", "copied"),
    "duplicate": ("duplicate",),
    "wrong_type": ("judged", "unanswered"),
    "other": (),
}
"""Why a row is rejected, and by each reason the filters that should have refused the row before."""

MOST_CHARACTERS = 20_000
"""The longest question, answer or comment that is taken from a person."""


def sample_hash(sample: Sample) -> str:
    """What a decision is bound to: the question, the answers and the evidence texts, wherever they stand."""
    texts = [piece.text for piece in sample.evidence]
    return "sha256:" + digest(sample.question, list(sample.golden_answers), texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One decision of one person on one row.

    `question` and `golden_answers` are the new wording of an edit, and empty otherwise; `reason` is one of
    `REASONS` for a rejection; `ratings` holds, by dimension, a number from 1 to `BEST` for those that were
    rated. `adjudicated` marks the decision of whoever settles what others differ on.
    """

    sample_id: str
    sample_hash: str
    annotator: str
    decision: str
    question: str = ""
    golden_answers: tuple[str, ...] = ()
    reason: str = ""
    comment: str = ""
    ratings: Mapping[str, int] = field(default_factory=nothing)
    adjudicated: bool = False


def annotation_of(
    sample: Sample,
    annotator: str,
    given: Mapping[str, Any],
    place: str,
    *,
    adjudicated: bool = False,
) -> Annotation:
    """The annotation that `given` makes of a row: decision, question, golden_answers, reason, comment, ratings.

    Texts are trimmed. An accepted row whose wording was changed is an edit. Raises RecordError, naming `place`,
    for a decision, a reason or a rating that is none, an edit that changes nothing or leaves nothing to ask,
    and a text that is too long.
    """
    decision = given.get("decision") or ""
    if decision not in DECISIONS:
        raise RecordError(f"{place}: the decision must be one of {', '.join(DECISIONS)}, was {decision!r}")
    name = clean(annotator, place, "annotator")
    if not name:
        raise RecordError(f"{place}: no annotator is named; who decided?")
    was = tidy(sample.question), tuple(map(tidy, sample.golden_answers))
    question = clean(given.get("question") or "", place, "question") or was[0]
    answers = tuple(filter(None, (clean(one, place, "answer") for one in given.get("golden_answers") or ()))) or was[1]
    changed = (question, answers) != was
    if answers and not was[1]:
        raise RecordError(
            f"{place}: an unanswerable row takes no answer; where there is one, reject it as of no such type"
        )
    if decision == ACCEPT and changed:
        decision = EDIT
    if decision == EDIT and not changed:
        raise RecordError(f"{place}: an edit that changes neither the question nor an answer; accept it or change it")
    reason = given.get("reason") or ""
    if decision == REJECT and reason not in REASONS:
        raise RecordError(f"{place}: a rejection needs a reason, one of {', '.join(REASONS)}; was {reason!r}")
    return Annotation(
        sample_id=sample.id,
        sample_hash=sample_hash(sample),
        annotator=name,
        decision=decision,
        question=question if decision == EDIT else "",
        golden_answers=answers if decision == EDIT else (),
        reason=reason if decision == REJECT else "",
        comment=clean(given.get("comment") or "", place, "comment"),
        ratings=_ratings(given.get("ratings") or {}, place),
        adjudicated=adjudicated,
    )


def clean(text: Any, place: str, what: str) -> str:
    """`tidy` of what a person gave. Raises RecordError for what is no text, or too long a one."""
    if not isinstance(text, str):
        raise RecordError(f"{place}: the {what} must be a text, was {text!r}")
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"{place}: the {what} has {len(text)} characters, at most {MOST_CHARACTERS} are taken")
    return tidy(text)


def tidy(text: str) -> str:
    """A text as it is compared and kept: trimmed, its lines ended in one way, what is no character replaced."""
    return whole(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def whole(text: str) -> str:
    """A text that any file can hold: halves of characters and NUL are replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")


def _ratings(given: Any, place: str) -> dict[str, int]:
    if not isinstance(given, Mapping):
        raise RecordError(f"{place}: ratings must be numbers by dimension, were {given!r}")
    ratings = {}
    for name in DIMENSIONS:
        value = given.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= BEST:
            raise RecordError(f"{place}: the rating of {name} must be 1 to {BEST}, was {value!r}")
        ratings[name] = value
    unknown = [name for name in given if name not in DIMENSIONS]
    if unknown:
        raise RecordError(f"{place}: '{unknown[0]}' is not rated; rated are {', '.join(DIMENSIONS)}")
    return ratings
