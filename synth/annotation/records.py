"""Annotations: a person's decision on a version of a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synth.core.checks import wrong
from synth.core.errors import RecordError
from synth.core.records import Sample, digest, empty_mapping

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
"""Dimensions of ratings of generated questions (QGEval, Fu et al. 2024), each from 1 to `BEST`."""

REVIEW = "review"
"""The field of the metadata of a row that an update raised for review."""

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
"""Reasons of a rejection, each with the filters that should have refused the row."""

MOST_CHARACTERS = 20_000
"""Largest length of a question, answer or comment by a person."""


def sample_hash(sample: Sample) -> str:
    """The hash that binds a decision to a row: question, answers and evidence texts, without their places.

    In a row that an update raised, also why: an earlier decision does not settle that.
    """
    return "sha256:" + digest(*_texts(sample), *filter(None, [sample.metadata.get(REVIEW)]))


def decided_hashes(sample: Sample) -> frozenset[str]:
    """The hashes of the decisions that people took on these texts, before an update raised the row and after."""
    return frozenset({sample_hash(sample), "sha256:" + digest(*_texts(sample))})


def _texts(sample: Sample) -> tuple[str, list[str], list[str]]:
    return sample.question, list(sample.golden_answers), [piece.text for piece in sample.evidence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """One decision of one person on one row.

    `question` and `golden_answers` are the new wording of an edit, else empty; `reason` is one of `REASONS` for a
    rejection; `ratings` has a number from 1 to `BEST` for each rated dimension. `adjudicated` marks a decision that
    settles a disagreement.
    """

    sample_id: str
    sample_hash: str
    annotator: str
    decision: str
    question: str = ""
    golden_answers: tuple[str, ...] = ()
    reason: str = ""
    comment: str = ""
    ratings: Mapping[str, int] = field(default_factory=empty_mapping)
    adjudicated: bool = False


def annotation_of(
    sample: Sample,
    annotator: str,
    given: Mapping[str, Any],
    place: str,
    *,
    adjudicated: bool = False,
) -> Annotation:
    """The annotation of a row from `given`: decision, question, golden_answers, reason, comment, ratings.

    Texts are trimmed. An accepted row with a changed wording counts as an edit. Raises RecordError, naming `place`, for
    an unknown decision, reason or rating, an edit without a change, and a text that is too long.
    """
    decision = given.get("decision") or ""
    if decision not in DECISIONS:
        raise wrong(f"{place}: the decision", f"one of {', '.join(DECISIONS)}", decision, RecordError)
    name = clean(annotator, place, "annotator")
    if not name:
        raise RecordError(f"{place}: no annotator is named; who decided?")
    original = tidy(sample.question), tuple(map(tidy, sample.golden_answers))
    question = clean(given.get("question") or "", place, "question") or original[0]
    answers = tuple(filter(None, (clean(text, place, "answer") for text in _listed(given, place)))) or original[1]
    changed = (question, answers) != original
    if answers and not original[1]:
        raise RecordError(
            f"{place}: an unanswerable row takes no answer; if it has one, reject it as of the wrong type"
        )
    if decision == ACCEPT and changed:
        decision = EDIT
    if decision == EDIT and not changed:
        raise RecordError(f"{place}: an edit that changes neither the question nor an answer; accept it or change it")
    reason = clean(given.get("reason") or "", place, "reason")
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


def _listed(given: Mapping[str, Any], place: str) -> Sequence[Any]:
    """The golden answers that were given. Raises RecordError for what is no list."""
    answers = given.get("golden_answers") or ()
    if not isinstance(answers, list | tuple):
        raise wrong(f"{place}: golden_answers", "a list of texts", answers, RecordError)
    return answers


def clean(text: Any, place: str, what: str) -> str:
    """A text by a person, trimmed. Raises RecordError for another type or a text that is too long."""
    if not isinstance(text, str):
        raise wrong(f"{place}: the {what}", "a text", text, RecordError)
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"{place}: the {what} has {len(text)} characters, at most {MOST_CHARACTERS} are taken")
    return tidy(text)


def tidy(text: str) -> str:
    """A text as compared and stored: trimmed, with uniform line ends and invalid characters replaced."""
    return whole(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def whole(text: str) -> str:
    """A text that any file can hold: lone surrogates and NUL are replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")


def _ratings(given: Any, place: str) -> dict[str, int]:
    if not isinstance(given, Mapping):
        raise wrong(f"{place}: ratings", "numbers by dimension", given, RecordError)
    ratings = {}
    for name in DIMENSIONS:
        value = given.get(name)
        if value is None:
            continue
        if type(value) is not int or not 1 <= value <= BEST:
            raise wrong(f"{place}: the rating of {name}", f"1 to {BEST}", value, RecordError)
        ratings[name] = value
    unknown = [name for name in given if name not in DIMENSIONS]
    if unknown:
        raise RecordError(f"{place}: '{unknown[0]}' is not a dimension; known: {', '.join(DIMENSIONS)}")
    return ratings
