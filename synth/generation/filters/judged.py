"""Filter by the verdicts of a chat model, the judge.

The judge reads the question alone, then with its evidence, and then with only part of the evidence. One request of each
kind judges several candidates. Those that the first request rejects are not judged further. A judge is trusted only
after its trial (`synth.generation.proposals.trial`). `synth judge-check --filters` measures its errors on good and bad
questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from synth.core.checks import check_range
from synth.core.records import SUB_QUESTIONS, UNANSWERABLE, Evidence, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.sections import Section, numbered, section_of
from synth.corpus.twins import Twins
from synth.generation.filters.base import UNJUDGED, Filter
from synth.generation.judge_requests import (
    Judgement,
    JudgeReply,
    answer_request,
    answers_of_parts,
    by_item,
    closed_request,
    near_spans,
    open_request,
)
from synth.generation.matching.agreement import agreed, nearness, says_yes
from synth.generation.matching.decided import asks_for_decision
from synth.models.chat.base import Steps
from synth.models.prompt_labels import headed, label
from synth.text.language import is_chinese
from synth.text.normalise import collapse_space, to_simplified
from synth.text.tokens import numbers, words

CLOSED_BOOK = "closed_book"
TRIED = ("multi_context", UNANSWERABLE)
"""Question types with a further test: part of the evidence, or the nearest passages, must not answer the question."""

_UNANSWERED_PASSAGES = 4
_NEAREST = 2  # sections without evidence that must not answer a question over several passages
_SEARCHED = 40  # best chunks among which these sections are chosen
_NEAR_TEXT = 1200  # characters shown of each section, around its best sentences
_SAME = 0.5  # minimum agreement, as F1 of words, for an answer to be the golden one
_NEGATION = re.compile(r"[不没无别勿未]")
_UNCHANGED = 0.9  # minimum F1 of words for an unchanged answer; another case often has similar words


@dataclass(frozen=True)
class Judged(Filter):
    """Drop a question that a chat model, the judge, rejects.

    The closed judge reads the question without the documents. It must find the question clear. It must rate its
    naturalness at least `min_natural`, and its importance at least `min_matters`, both from 1 to 5. If it knows the
    answer, the row gets a tag.

    The open judge reads the evidence and the nearest passages. It must find the golden answer right. The proof and the
    answer must be complete, or at least have no grave gap. If the judge has a small objection or finds another answer
    equally good, this is recorded as a doubt.

    The open judge also checks the question type. A reasoning or conditional question becomes simple if the judge
    disagrees with its type. A conditional one also becomes simple if its answer stays the same without the condition. A
    question over several passages is rejected if the judge disagrees with its type. It must become unanswerable without
    the passages of any one sub-question. An unanswerable question must have no answer in its nearest passages. A
    candidate is rejected if the judge fails, times out, sends an unreadable reply or omits the candidate.
    """

    name: ClassVar[str] = "judged"
    order: ClassVar[int] = 80
    needs_model: ClassVar[bool] = True
    proves: ClassVar[bool] = True
    min_natural: int = 2
    min_matters: int = 2

    def __post_init__(self) -> None:
        for name in ("min_natural", "min_matters"):
            check_range(f"filters.judged: {name}", getattr(self, name), 1, 5)

    def check(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        (judgement,) = yield from self.judge_all([sample], corpus)
        if judgement.verdict.kept and judgement.question_type not in ("", sample.question_type):
            return self.verdict(
                False, f"not of the type {sample.question_type}: the judge calls it {judgement.question_type}"
            )
        return judgement.verdict

    def judge_all(self, samples: Sequence[Sample], corpus: Corpus) -> Steps[list[Judgement]]:
        """Return the judgement on each sample, in order. The open judge sees only what the closed judge keeps."""
        first = yield from self.read_alone(samples, corpus)
        kept = [number for number, judgement in enumerate(first) if judgement.verdict.kept]
        proved = yield from self.prove([samples[number] for number in kept], [first[number] for number in kept], corpus)
        by_number = dict(zip(kept, proved, strict=True))
        return [by_number.get(number, judgement) for number, judgement in enumerate(first)]

    def read_alone(self, samples: Sequence[Sample], corpus: Corpus) -> Steps[list[Judgement]]:
        """Return the closed judge's judgement on each sample. It reads the questions without documents."""
        if not samples:
            return []
        (reply,) = yield [closed_request(samples, corpus)]
        return [self._alone(sample, item) for sample, item in zip(samples, by_item(reply, len(samples)), strict=True)]

    def prove(self, samples: Sequence[Sample], first: Sequence[Judgement], corpus: Corpus) -> Steps[list[Judgement]]:
        """Return the open judge's judgement on each sample. The open judge reads the evidence.

        `first` are the closed judge's judgements on these samples, all of which it kept.
        """
        answerable = [sample for sample in samples if sample.question_type != UNANSWERABLE]
        opened: Iterator[JudgeReply] = iter(())
        if answerable:
            (reply,) = yield [open_request(answerable, corpus)]
            opened = iter(by_item(reply, len(answerable)))
        judgements = [
            before if sample.question_type == UNANSWERABLE else self._proved(sample, before, next(opened))
            for sample, before in zip(samples, first, strict=True)
        ]
        return (yield from self._tried(samples, judgements, corpus))

    def _alone(self, sample: Sample, reply: JudgeReply) -> Judgement:
        """Return the closed judge's judgement on a sample, from its reply."""
        if isinstance(reply, str):
            return Judgement(self.verdict(False, f"{UNJUDGED}: {reply}"))
        ratings = {name: int(reply[name]) for name in ("natural", "matters")}
        if reason := _closed_fault(reply):
            return Judgement(self.verdict(False, reason), ratings)
        if ratings["matters"] < self.min_matters:
            reason = f"the judge rates 'matters' {ratings['matters']} of 5, at least {self.min_matters} needed"
            return Judgement(self.verdict(False, reason), ratings)
        rating = float(ratings["natural"])
        if rating < self.min_natural:
            reason = f"the judge rates 'natural' {rating:g} of 5, at least {self.min_natural} needed"
            return Judgement(self.verdict(False, reason, rating), ratings)
        known = str(reply["known"])
        tag = CLOSED_BOOK if known and sample.golden_answers and agreed(known, sample) >= _SAME else ""
        return Judgement(
            self.verdict(True, "the question is clear, and the evidence proves the answer", rating, tag), ratings
        )

    def _proved(self, sample: Sample, first: Judgement, reply: JudgeReply) -> Judgement:
        """Return the open judge's judgement on a sample, from its reply. `first` is the closed judge's judgement."""
        if isinstance(reply, str):
            return replace(first, verdict=self.verdict(False, f"{UNJUDGED}: {reply}"))
        objection = _objection(reply)
        if reason := _refusal(reply, sample):
            return replace(first, verdict=self.verdict(False, reason))
        reason = f"a doubt: {objection}" if objection else first.verdict.reason
        verdict = replace(first.verdict, reason=reason)
        return replace(first, verdict=verdict, question_type=_type(reply, sample), doubt=objection)

    def _tried(
        self, samples: Sequence[Sample], judgements: Sequence[Judgement], corpus: Corpus
    ) -> Steps[list[Judgement]]:
        """Return the judgements after a last request, which shows kept samples with part of their evidence.

        A sample is rejected if the judge still finds its answer.
        """
        trials = [
            (number, trial)
            for number, (sample, judgement) in enumerate(zip(samples, judgements, strict=True))
            if judgement.verdict.kept
            for trial in _trials(sample, corpus)
        ]
        if not trials:
            return list(judgements)
        language = samples[0].language
        item, question = label("item", language), label("question", language)
        text = "\n\n".join(
            f"{item} {n}\n{trial.text}\n{headed(question, trial.question, language)}"
            for n, (_, trial) in enumerate(trials)
        )
        (reply,) = yield [answer_request(text, samples[0], corpus)]
        judged = list(judgements)
        for (number, trial), outcome in zip(trials, by_item(reply, len(trials)), strict=True):
            if not judged[number].verdict.kept:
                continue
            reason = f"{UNJUDGED}: {outcome}" if isinstance(outcome, str) else _still(outcome, samples[number], trial)
            verdict = self.verdict(False, reason) if reason else judged[number].verdict
            judged[number] = replace(judged[number], verdict=verdict, question_type=samples[number].question_type)
        return judged


@dataclass(frozen=True, slots=True)
class _Trial:
    """Question and a text that must not answer it. `named` describes the text in the reason of a rejection."""

    question: str
    text: str
    named: str


def _trials(sample: Sample, corpus: Corpus) -> Iterable[_Trial]:
    """Yield the trials of a question.

    A question over several passages has one trial per sub-question, which shows the evidence without the passages of
    that sub-question. Its further trials show a single section without evidence. An unanswerable question is tried on
    its nearest passages.
    """
    if sample.question_type == "multi_context":
        hops = _hops(sample, corpus)
        for hop in hops:
            rest = [section for other in hops if other is not hop for section in other]
            yield _Trial(sample.question, numbered(corpus, rest).text, f"without '{hop[0].doc_id}'")
        elsewhere = _elsewhere(sample, corpus)
        spans = near_spans(sample, elsewhere, corpus)
        yield from (
            _Trial(
                sample.question, numbered(corpus, [place], 0, _NEAR_TEXT, spans).text, f"from '{place.doc_id}' alone"
            )
            for place in elsewhere
        )
    if sample.question_type == UNANSWERABLE:
        near = [name for name in sample.metadata.get("nearest", ()) if name in corpus]
        near += [name for name, _ in corpus.index.top(sample.question, _UNANSWERED_PASSAGES) if name not in near]
        sections = [section_of(corpus, name) for name in near[:_UNANSWERED_PASSAGES]]
        yield _Trial(sample.question, numbered(corpus, sections).text, "")


def _hops(sample: Sample, corpus: Corpus) -> list[list[Section]]:
    """Return the sections with evidence of a question, in groups. The sections of a group serve the same sub-questions.

    If all sections serve the same sub-questions, each of them is a group.
    """
    parts = [part.get("evidence") for part in sample.metadata.get(SUB_QUESTIONS, ()) if isinstance(part, Mapping)]
    serves: dict[Section, set[int]] = {}
    for piece in sample.evidence:
        served = {number for number, places in enumerate(parts) if _is_at(piece, places)}
        serves.setdefault(section_of(corpus, piece.chunk_id), set()).update(served)
    groups: dict[frozenset[int], list[Section]] = {}
    for section, served in serves.items():
        groups.setdefault(frozenset(served), []).append(section)
    return [*groups.values()] if len(groups) > 1 else [[section] for section in serves]


def _is_at(piece: Evidence, places: Any) -> bool:
    """Return whether a piece of evidence overlaps one of some places, each as [document, start, end]."""
    return isinstance(places, Sequence) and any(
        doc_id == piece.doc_id and start < piece.end and piece.start < end for doc_id, start, end in places
    )


def _elsewhere(sample: Sample, corpus: Corpus) -> list[Section]:
    """Return the sections without evidence that may alone answer a question over several passages.

    Sections that contain the answers of the most sub-questions come first, then the sections nearest to the question
    and its answers. Translations of the evidence pages are left out.
    """
    finder = Twins(corpus)
    twins = {finder.of(piece.doc_id) for piece in sample.evidence}
    evidence = {piece.chunk_id for piece in sample.evidence}
    answers = answers_of_parts(sample)
    whole = " ".join((sample.question, *sample.golden_answers, *answers))
    ranked = (section_of(corpus, name) for name, _ in corpus.index.top(whole, _SEARCHED))
    others = dict.fromkeys(
        section for section in ranked if evidence.isdisjoint(section.chunk_ids) and section.doc_id not in twins
    )
    return sorted(others, key=lambda section: -sum(_states(section, answer, corpus) for answer in answers))[:_NEAREST]


def _states(section: Section, answer: str, corpus: Corpus) -> bool:
    """Return whether a section contains all numbers of an answer, or all its words if it has no numbers."""
    text = " ".join(corpus.chunk(name).text for name in section.chunk_ids)
    wanted, found = (numbers(answer), numbers(text)) if numbers(answer) else (set(words(answer)), set(words(text)))
    return bool(wanted) and wanted <= found


def _still(reply: Mapping[str, Any], sample: Sample, trial: _Trial) -> str:
    """Return the reason to reject a sample because the text of a trial still gives its answer, or ""."""
    answer = collapse_space(str(reply["answer"]))
    if not reply["found"]:
        return ""
    if sample.question_type == UNANSWERABLE:
        return f"the judge finds an answer: '{answer[:80]}'"
    if _is_golden(answer, sample):
        return f"{trial.named} the judge still answers '{answer[:80]}'"
    return ""


def _is_golden(answer: str, sample: Sample) -> bool:
    """Return whether an answer that the judge finds in a text may count as a golden answer.

    The judge says that the text settles the question. So any answer counts but the other one of yes and no, and one
    with numbers that the golden answer lacks.
    """
    return any(not _is_other(answer, golden, sample) for golden in sample.golden_answers)


def _is_other(answer: str, golden: str, sample: Sample) -> bool:
    leanings = _leaning(answer, sample), _leaning(golden, sample)
    if None not in leanings:
        return leanings[0] != leanings[1]
    return bool(numbers(golden)) and not numbers(answer) <= numbers(golden)


def _leaning(answer: str, sample: Sample) -> bool | None:
    """Return True for yes, False for no, and None for neither.

    An answer in Chinese to a question that asks for a decision says no if it begins with a negation, such as 没必要.
    """
    says = says_yes(answer)
    if says is None and is_chinese(sample.language) and asks_for_decision(sample.question, sample.language):
        return False if _NEGATION.match(to_simplified(answer)) else None
    return says


def _closed_fault(reply: Mapping[str, Any]) -> str:
    """Return the reason why the judge rejects a question that it read without documents, or ""."""
    if reply["clear"]:
        return ""
    unnamed = collapse_space(str(reply["unnamed"]))
    return "the question is not clear without the documents" + (f": it does not name {unnamed}" if unnamed else "")


def _refusal(reply: Mapping[str, Any], sample: Sample) -> str:
    """Return the reason why the judge rejects an item that it read with the evidence, or "".

    The judge rejects a wrong answer. It rejects an unproved or incomplete answer if it calls the gap grave. If another
    answer is equally good, this is only a doubt, because readers accepted four of six such rows.
    """
    objection = _objection(reply)
    if not reply["right"] or (reply["grave"] and not (reply["proved"] and reply["complete"])):
        return objection
    if sample.question_type == "multi_context" and not reply["typed"]:
        return f"not of the type {sample.question_type}: {_why(reply)}"
    return ""


def _why(reply: Mapping[str, Any]) -> str:
    return collapse_space(str(reply["why"])) or f"the judge answers '{collapse_space(str(reply['answer']))[:80]}'"


def _objection(reply: Mapping[str, Any]) -> str:
    """Return the first fault that the judge finds in a golden answer and its evidence, or ""."""
    for name, fault in (
        ("proved", "the evidence does not prove the answer"),
        ("right", "the answer is not right"),
        ("complete", "the answer is not complete"),
        ("one", "another answer is as good"),
    ):
        if not reply[name]:
            other = collapse_space(str(reply["other"]))
            return f"{fault}: {other if name == 'one' and other else _why(reply)}"
    return ""


def _type(reply: Mapping[str, Any], sample: Sample) -> str:
    """Return the type that the judge assigns to a question: the type of the sample, or "simple" if it is easier."""
    kind = sample.question_type
    if not reply["typed"]:
        return "simple"
    turned = collapse_space(str(reply["turned"]))
    if kind == "conditional" and turned:
        # The answer for another case often has nearly the same words.
        near = max(nearness(turned, golden) for golden in sample.golden_answers)
        if near >= _UNCHANGED and agreed(turned, sample) >= _SAME:
            return "simple"
    return kind
