"""An evolved question is another question than each of its parents, with an answer or a proof of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, ClassVar

from synth.core.records import Evidence, Sample, Verdict
from synth.generation.derivation import closure, equal
from synth.generation.filters.base import Corpus, Filter
from synth.generation.filters.coverage import StemmedText, asked_words
from synth.text.normalise import normalise

_QUESTION_WORD = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b|什么|哪|谁|多|几|何|怎|吗|是否")


@dataclass(frozen=True)
class AddsSomething(Filter):
    """Drop an evolved question that repeats a parent, keeps its answer and evidence, or only adds words to it.

    It repeats a parent when the two, normalised, are at least `max_likeness` alike (ratio of matching
    characters, Ratcliff and Obershelp) and no content word tells them apart.
    """

    name: ClassVar[str] = "adds_something"
    order: ClassVar[int] = 7
    max_likeness: float = 0.9

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        parents = list(_parents(sample))
        if not parents:
            return self.passed("not evolved from anything")
        for parent in parents:
            if wrong := self._fault(sample, parent, corpus):
                return self.verdict(False, wrong)
        return self.verdict(True, f"differs from {len(parents)} parents")

    def _fault(self, sample: Sample, parent: Mapping[str, Any], corpus: Corpus) -> str:
        """Why a child adds nothing to a parent, or ""."""
        question = str(parent.get("question", ""))
        if self._same_question(sample.question, question):
            return f"repeats its parent: '{question}'"
        if not _same_answers(sample, parent):
            return ""
        new = [number for number, piece in enumerate(sample.evidence) if not _held(piece, parent)]
        if not new:
            return "the question was changed, but the answer and its evidence are those of the parent"
        used = {n for step in closure(sample.steps) for n in sample.steps[step].evidence}
        if sample.steps and not used & set(new):
            return "the evidence that was added to the parent's is used by no step"
        return self._padding(sample, question, new, corpus)

    def _same_question(self, question: str, parent: str) -> bool:
        mine, theirs = normalise(question), normalise(parent)
        if mine == theirs:
            return True
        if set(asked_words(question)) != set(asked_words(parent)) or _asks(mine) != _asks(theirs):
            return False
        return SequenceMatcher(None, mine, theirs, autojunk=False).ratio() >= self.max_likeness

    @staticmethod
    def _padding(sample: Sample, question: str, new: list[int], corpus: Corpus) -> str:
        """Why the words that a child adds to its parent's question are but padding, or ""."""
        before, now = asked_words(question), asked_words(sample.question)
        added = [word for word in now if word not in before]
        if not added:
            return "the question adds no content word to its parent's, and has the same answer"
        if not set(before) <= set(now):
            return ""
        texts = corpus.texts(sample)
        says = [f"{s.says} {s.value}" for s in sample.steps if normalise(s.says) != normalise(sample.question)]
        used = StemmedText.of(" ".join([texts[n] for n in new] + says))
        if not any(used.has(word) for word in added):
            return f"the words added to the parent's question are used by no step: {', '.join(added)}"
        return ""


def _asks(question: str) -> set[str]:
    return set(_QUESTION_WORD.findall(question))


def _parents(sample: Sample) -> Iterator[Mapping[str, Any]]:
    for one in sample.lineage:
        for parent in one.get("parents", ()):
            if isinstance(parent, Mapping):
                yield parent


def _same_answers(sample: Sample, parent: Mapping[str, Any]) -> bool:
    theirs = [str(answer) for answer in parent.get("golden_answers", ())]
    return any(equal(mine, other, sample.language) for mine in sample.golden_answers for other in theirs) or (
        not theirs and not sample.golden_answers
    )


def _held(piece: Evidence, parent: Mapping[str, Any]) -> bool:
    """Whether a piece of evidence is one of the parent's, be it cut a little longer or shorter."""
    places = [place for place in parent.get("evidence", ()) if len(place) == 3]
    return any(doc_id == piece.doc_id and start < piece.end and end > piece.start for doc_id, start, end in places)
