"""Annotations: the decision of one person on one version of a row."""

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
"""Dimensions in which people rate a generated question, each from 1 to `BEST` (QGEval, Fu et al. 2024)."""

REVIEW = "review"
"""Metadata field of a row that an update marked for another review. It contains a mapping with the reason."""

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
"""Reasons for a rejection. Each reason names the filters that should have refused the row."""

MOST_CHARACTERS = 20_000
"""Maximum length in characters of a question, answer or comment that a person enters."""


def sample_hash(sample: Sample) -> str:
    """Return the hash that ties a decision to a version of a row.

    The hash covers the question, the answers and the evidence texts, but not the positions of the evidence. If an
    update marked the row for review, the hash also covers that mark, so that earlier decisions no longer apply.
    """
    return "sha256:" + digest(*_texts(sample), *filter(None, [sample.metadata.get(REVIEW)]))


def decided_hashes(sample: Sample) -> frozenset[str]:
    """Return the hashes of a row with and without the mark for review that an update adds.

    Decisions from before the update contain the hash without the mark, later decisions the hash with the mark.
    """
    return frozenset({sample_hash(sample), "sha256:" + digest(*_texts(sample))})


def _texts(sample: Sample) -> tuple[str, list[str], list[str]]:
    return sample.question, list(sample.golden_answers), [piece.text for piece in sample.evidence]


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotation:
    """A decision of one person on one row.

    `question` and `golden_answers` are the new wording of an edit, and empty for other decisions. `reason` is one of
    `REASONS` for a rejection, "" otherwise. `ratings` maps each rated dimension to a number from 1 to `BEST`.
    `adjudicated` marks a decision that settles a disagreement.
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
    """Build the annotation of a row from the values in `given`, and check them.

    `given` may contain decision, question, golden_answers, reason, comment and ratings. Texts are trimmed. If the
    wording changed, "accept" becomes "edit".

    Raises RecordError, naming `place`, if a decision, reason or rating is unknown or the annotator is missing. Also
    raises RecordError if an edit changes nothing, an unanswerable row gets an answer, or a text is too long.
    """
    decision = given.get("decision") or ""
    if decision not in DECISIONS:
        raise wrong(f"{place}: the decision", f"one of {', '.join(DECISIONS)}", decision, RecordError)
    name = clean(annotator, place, "annotator")
    if not name:
        raise RecordError(f"{place}: the decision has no annotator; fill in the name of the person, or set --annotator")
    original = tidy(sample.question), tuple(map(tidy, sample.golden_answers))
    question = clean(given.get("question") or "", place, "question") or original[0]
    answers = tuple(filter(None, (clean(text, place, "answer") for text in _listed(given, place)))) or original[1]
    changed = (question, answers) != original
    if answers and not original[1]:
        raise RecordError(
            f"{place}: the row is marked unanswerable, so an edit cannot add an answer; "
            "if the documents do answer the question, reject the row with reason wrong_type"
        )
    if decision == ACCEPT and changed:
        decision = EDIT
    if decision == EDIT and not changed:
        raise RecordError(
            f"{place}: the edit changes neither question nor answers; change one of them, or accept the row"
        )
    reason = clean(given.get("reason") or "", place, "reason")
    if decision == REJECT and reason not in REASONS:
        raise RecordError(f"{place}: a rejection needs one of the reasons {', '.join(REASONS)}; was {reason!r}")
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
    """Return the golden answers in `given`. Raises RecordError if they are not a list."""
    answers = given.get("golden_answers") or ()
    if not isinstance(answers, list | tuple):
        raise wrong(f"{place}: golden_answers", "a list of texts", answers, RecordError)
    return answers


def clean(text: Any, place: str, what: str) -> str:
    """Return a text entered by a person, trimmed. Raises RecordError if it is no string or is too long."""
    if not isinstance(text, str):
        raise wrong(f"{place}: the {what}", "a text", text, RecordError)
    if len(text) > MOST_CHARACTERS:
        raise RecordError(f"{place}: the {what} has {len(text)} characters; shorten it to at most {MOST_CHARACTERS}")
    return tidy(text)


def tidy(text: str) -> str:
    """Return a text in the form in which it is compared and stored.

    It is trimmed, line ends are unified and invalid characters replaced.
    """
    return whole(text).replace("\r\n", "\n").replace("\r", "\n").strip()


def whole(text: str) -> str:
    """Return a text that any file can store: lone surrogates and NUL are replaced."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\0", "\ufffd")


def _ratings(given: Any, place: str) -> dict[str, int]:
    if not isinstance(given, Mapping):
        raise wrong(f"{place}: ratings", "an object that maps dimensions to numbers", given, RecordError)
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
        raise RecordError(f"{place}: unknown dimension '{unknown[0]}'; known: {', '.join(DIMENSIONS)}")
    return ratings
