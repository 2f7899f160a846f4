"""Items with a known verdict, planted among those that a chat model judges: whether the judge can be trusted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synth.core.records import Chunk, Evidence, Sample, digest
from synth.generation.filters.base import Corpus, Filter
from synth.generation.matching.agreement import gives
from synth.models.chat.base import Steps
from synth.text.language import detect
from synth.text.tokens import content_words

MOST_ADMITTED = 0.2
"""Share of the control items that may be admitted before the judge is not to be trusted: an honest one slips too."""

WRONG_ANSWER, NO_EVIDENCE = "wrong answer", "no evidence"
_DIGITS = re.compile(r"\d+")
_LENGTH = 400
_NONE_KNOWN = 200  # passages tried for one that does not give the answer


@dataclass(frozen=True, slots=True)
class JudgeControl:
    """A control item: what was wrong with it, whether the judge let it pass, and what was said."""

    question: str
    fault: str
    admitted: bool
    reason: str


def trusted(controls: Sequence[JudgeControl]) -> bool:
    """Whether few enough control items were admitted."""
    return sum(one.admitted for one in controls) <= MOST_ADMITTED * len(controls)


def try_judge(sample: Sample, corpus: Corpus, filters: Sequence[Filter]) -> Steps[tuple[JudgeControl, ...]]:
    """A sample made wrong, and what the filters that ask a model say of it; () where it cannot be made so."""
    made = spoilt(sample, corpus)
    if made is None:
        return ()
    fault, wrong = made
    for filter_ in filters:
        if filter_.needs_model:
            verdict = yield from filter_.run(wrong, corpus)
            if not verdict.kept:
                return (JudgeControl(wrong.question, fault, False, f"{filter_.name}: {verdict.reason}"),)
    return (JudgeControl(wrong.question, fault, True, "every filter that asks the judge kept it"),)


def spoilt(sample: Sample, corpus: Corpus) -> tuple[str, Sample] | None:
    """A sample with a wrong golden answer, or with evidence that does not answer it; by its id, one or the other.

    None for one without evidence, or where no passage of the corpus is far enough from it.
    """
    foreign = _foreign(sample, corpus) if sample.evidence else None
    if foreign is None:
        return None
    turned = int(digest("fault", sample.id)[:8], 16) % 2
    if turned and sample.question_type != "multi_context":
        return NO_EVIDENCE, replace(sample, evidence=(_start_of(foreign, corpus),), steps=())
    answer = sample.golden_answers[0]
    wrong = _DIGITS.sub(lambda match: str(int(match.group()) + 7), answer)
    if wrong == answer:
        joint = " " if sample.language == "en" else ""
        wrong = joint.join(content_words(foreign.text)[:3])
    return WRONG_ANSWER, replace(sample, golden_answers=(wrong,))


def _foreign(sample: Sample, corpus: Corpus) -> Chunk | None:
    """A passage of another document in the same language that gives no answer, the same one every time."""
    home = {piece.doc_id for piece in sample.evidence}
    chunks = sorted(corpus.graph.chunks(), key=lambda chunk: digest(sample.id, chunk.chunk_id))
    for chunk in chunks[:_NONE_KNOWN]:
        answers = any(gives(chunk.text, answer, sample.language) for answer in sample.golden_answers)
        if chunk.doc_id not in home and detect(chunk.text) == sample.language and not answers:
            return chunk
    return None


def _start_of(chunk: Chunk, corpus: Corpus) -> Evidence:
    end = min(chunk.end, chunk.start + _LENGTH)
    document = corpus.graph.document(chunk.doc_id)
    return Evidence(
        doc_id=chunk.doc_id,
        doc_hash=document.content_hash,
        chunk_id=chunk.chunk_id,
        start=chunk.start,
        end=end,
        text=document.text[chunk.start : end],
    )
