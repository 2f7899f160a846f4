"""Control items with a known verdict, which test whether the judge model can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from synth.core.records import Chunk, Evidence, Sample, digest
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter
from synth.generation.matching.agreement import states_answer
from synth.generation.spoiling import spoilt
from synth.models.chat.base import Steps
from synth.text.language import detect
from synth.text.tokens import content_words

MOST_ADMITTED = 0.2
"""Maximum share of admitted control items for a trusted judge. Even a sound judge errs sometimes."""

WRONG_ANSWER, NO_EVIDENCE = "wrong answer", "no evidence"
_LENGTH = 400
_MOST_TRIED = 200  # maximum passages tried to find one without the answer


@dataclass(frozen=True, slots=True)
class JudgeControl:
    """Result of a control item: its fault, whether the judge admitted it, and the judge's reason."""

    question: str
    fault: str
    admitted: bool
    reason: str


def trusted(controls: Sequence[JudgeControl]) -> bool:
    """Return whether at most `MOST_ADMITTED` of the control items were admitted."""
    return sum(control.admitted for control in controls) <= MOST_ADMITTED * len(controls)


def try_judge(sample: Sample, corpus: Corpus, filters: Sequence[Filter]) -> Steps[tuple[JudgeControl, ...]]:
    """Test the judge on a copy of a sample with a planted fault, and return the result as a tuple of one item.

    Only the filters that need a model run. The result is () if no fault can be planted.
    """
    faulty = with_fault(sample, corpus)
    if faulty is None:
        return ()
    fault, wrong = faulty
    for filter_ in filters:
        if filter_.needs_model:
            verdict = yield from filter_.run(wrong, corpus)
            if not verdict.kept:
                return (JudgeControl(wrong.question, fault, False, f"{filter_.name}: {verdict.reason}"),)
    return (JudgeControl(wrong.question, fault, True, "every filter that asks the judge kept this faulty item"),)


def with_fault(sample: Sample, corpus: Corpus) -> tuple[str, Sample] | None:
    """Return the name of a fault, and a copy of the sample with this fault.

    The fault is a wrong golden answer, or evidence that does not answer the question. The id of the sample decides
    which. The wrong answer is easily mistaken for the right one (`spoiling`), or consists of words of another document.
    The result is None if the sample has no evidence, or if no suitable passage of another document is found.
    """
    foreign = _foreign(sample, corpus) if sample.evidence else None
    if foreign is None:
        return None
    wrong = spoilt(sample.golden_answers[0], passages(sample, corpus), sample.language)
    # Most controls are wrong answers, which are hardest for a judge to notice.
    draw = int(digest("fault", sample.id)[:8], 16) % 4
    if draw == 0 and sample.question_type != "multi_context":
        return NO_EVIDENCE, replace(sample, evidence=(_start_of(foreign, corpus),))
    kind, answer = wrong[0] if wrong else (WRONG_ANSWER, "")
    if not answer:
        joint = " " if sample.language == "en" else ""
        answer = joint.join(content_words(foreign.text)[:3])
    return kind, replace(sample, golden_answers=(answer,))


def passages(sample: Sample, corpus: Corpus) -> str:
    """Return the text of the chunks that contain the evidence of a sample."""
    names = dict.fromkeys(piece.chunk_id for piece in sample.evidence if piece.chunk_id in corpus)
    return "\n\n".join(corpus.chunk(name).text for name in names)


def _foreign(sample: Sample, corpus: Corpus) -> Chunk | None:
    """Return a passage of another document in the same language without the answer, chosen by the sample's id."""
    home = {piece.doc_id for piece in sample.evidence}
    chunks = sorted(corpus.chunks(), key=lambda chunk: digest(sample.id, chunk.chunk_id))
    for chunk in chunks[:_MOST_TRIED]:
        answers = any(states_answer(chunk.text, answer, sample.language) for answer in sample.golden_answers)
        if chunk.doc_id not in home and detect(chunk.text) == sample.language and not answers:
            return chunk
    return None


def _start_of(chunk: Chunk, corpus: Corpus) -> Evidence:
    end = min(chunk.end, chunk.start + _LENGTH)
    document = corpus.document(chunk.doc_id)
    return Evidence(
        doc_id=chunk.doc_id,
        doc_hash=document.content_hash,
        chunk_id=chunk.chunk_id,
        start=chunk.start,
        end=end,
        text=document.text[chunk.start : end],
    )
