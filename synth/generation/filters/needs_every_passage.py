"""A question over several passages needs each of them: without any one, nothing gives the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.generation.derivation import CHOOSING, READ, closure, stands, yields
from synth.generation.filters.base import Corpus, Filter
from synth.generation.filters.coverage import StemmedText, asked_words
from synth.generation.filters.passages import MatchedPassage
from synth.generation.filters.stated_outright import gives, nearest, stated_outright
from synth.text.dates import read_date
from synth.text.normalise import holds

_YEAR = re.compile(r"\d{3,4}")


@dataclass(frozen=True)
class NeedsEveryPassage(Filter):
    """Keep a multi_context question when it is proved that leaving out any one of its passages breaks it.

    Every passage must give a step that the answer rests on and that no other piece of evidence could give.
    And no single passage of the corpus may do alone, that is: have what is looked up last (the answer, or
    all the values that it is worked out from) and speak of at least `max_share`, by weight, of the question's
    words that the other passages were needed for. Looked at are the evidence's passages, the `siblings` best
    others of their documents, and the `passages` best of the corpus by BM25.
    """

    name: ClassVar[str] = "needs_every_passage"
    order: ClassVar[int] = 41
    slack: ClassVar[Mapping[str, float]] = {"max_share": 0.05, "max_outright": 0.05}
    max_share: float = 0.65
    max_outright: float = 0.58
    passages: int = 12
    siblings: int = 8

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        if sample.question_type != "multi_context":
            return self.passed()
        wrong = self._structure(sample, corpus)
        if wrong:
            return self.verdict(False, wrong)
        values = " ".join(step.value for step in yields(sample.steps))
        near = nearest(sample, corpus, self.passages, (f"{sample.question} {values}",))
        near += self._siblings(sample, corpus, {passage.chunk_id for passage in near})
        if sample.steps[-1].operation != READ:
            outright = stated_outright(sample, corpus, near, self.max_outright)
            if outright:
                return self.verdict(False, f"one sentence answers it: '{outright[:120]}'")
        needed, everything = self._needed(sample, corpus)
        wanted = self._wanted(sample)
        worst, closest = 0.0, ""
        for passage in near:
            share = corpus.passages.rarity.share(needed.get(passage.chunk_id, everything), passage.told)
            if share <= worst or not self._holds(sample, wanted, passage):
                continue
            if share >= self.max_share:
                told = (
                    f"the passage of '{passage.doc_id}' answers it alone: it has the answer and speaks of {share:.0%}"
                )
                return self.verdict(False, f"{told} of what others were needed for", round(share, 4))
            worst, closest = share, passage.doc_id
        return self.verdict(True, self._proof(sample, worst, closest), round(worst, 4))

    def _structure(self, sample: Sample, corpus: Corpus) -> str:
        """Why the steps do not need every passage, or ""."""
        passages = dict.fromkeys(piece.chunk_id for piece in sample.evidence)
        if len(passages) < 2:
            return "the evidence is one passage, at least two wanted"
        for answer in sample.golden_answers:
            if wrong := corpus.derivation_fault(sample, answer):
                return wrong
        texts = corpus.texts(sample)
        for number, piece in enumerate(sample.evidence):
            if not any(number in step.evidence for step in sample.steps if step.operation == READ):
                return f"no step reads the evidence from '{piece.doc_id}': '{texts[number][:80]}'"
        for chunk_id in passages:
            if not any(self._only_from(chunk_id, step_pieces, sample) for step_pieces in self._reads(sample, texts)):
                doc_id = corpus.graph.chunk(chunk_id).doc_id
                return f"no step rests on the passage of '{doc_id}' alone: it can be left out"
        return ""

    @staticmethod
    def _reads(sample: Sample, texts: list[str]) -> Iterator[list[int]]:
        """For each value read on the way, the pieces of evidence that it stands in."""
        for number in sorted(closure(sample.steps)):
            step = sample.steps[number]
            if step.operation == READ:
                yield [n for n in step.evidence if stands(step.value, [texts[n]])] or list(step.evidence)

    @staticmethod
    def _only_from(chunk_id: str, pieces: list[int], sample: Sample) -> bool:
        return bool(pieces) and all(sample.evidence[n].chunk_id == chunk_id for n in pieces)

    def _siblings(self, sample: Sample, corpus: Corpus, known: set[str]) -> list[MatchedPassage]:
        """The other passages of the evidence's documents that fit the question best."""
        asked = asked_words(sample.question)
        found: list[MatchedPassage] = []
        for doc_id in dict.fromkeys(piece.doc_id for piece in sample.evidence):
            names = [chunk.chunk_id for chunk in corpus.graph.chunks_of(doc_id) if chunk.chunk_id not in known]
            if len(names) > self.siblings:
                scores = corpus.index.scores_of(sample.question, names)
                names = [name for _, name in sorted(zip(scores, names, strict=True), key=lambda s: (-s[0], s[1]))]
            read = [corpus.passages.passage(name) for name in names[: self.siblings]]
            found += [one for one in read if any(one.told.has(word) for word in asked)]
        return found

    @staticmethod
    def _wanted(sample: Sample) -> tuple[str, ...]:
        """What is looked up last: one of the answers, or all the values that it is worked out from; years of dates."""
        if sample.steps[-1].operation == READ:
            return sample.golden_answers
        values = [step.value for step in yields(sample.steps)]
        years = [_YEAR.search(value) if read_date(value, sample.language) else None for value in values]
        return tuple(year.group() if year else value for year, value in zip(years, values, strict=True))

    @staticmethod
    def _holds(sample: Sample, wanted: tuple[str, ...], passage: MatchedPassage) -> bool:
        """Whether a passage has what is looked up last."""
        needs = any if sample.steps[-1].operation == READ else all
        return needs(
            holds(passage.text, value) if _YEAR.fullmatch(value) else gives(passage.text, value, sample.language)
            for value in wanted
        )

    @staticmethod
    def _needed(sample: Sample, corpus: Corpus) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
        """The question's words that a passage must have as well to do without the evidence's other passages.

        For each of the evidence's own these are the words that its pieces do not have and the others do; in
        a choice, the names of the other options too. For any other passage, given second, they are all that
        the evidence has.
        """
        asked, last = asked_words(sample.question), sample.steps[-1]
        options = [sample.steps[n].says for n in last.of] if last.operation in CHOOSING else []
        named = {word for option in options for word in asked_words(option)}
        texts: dict[str, list[StemmedText]] = {}
        for text, about, piece in zip(corpus.texts(sample), corpus.titles(sample), sample.evidence, strict=True):
            texts.setdefault(piece.chunk_id, []).append(StemmedText.of(f"{text} {about}"))
        held = {name: {word for word in asked if any(t.has(word) for t in told)} for name, told in texts.items()}
        needed = {}
        for name, own in held.items():
            others = set().union(*(words for other, words in held.items() if other != name)) | named
            missing = tuple(word for word in asked if word not in own)
            needed[name] = tuple(word for word in missing if word in others) or missing
        known = set().union(*held.values())
        return needed, tuple(word for word in asked if word in known) or asked

    @staticmethod
    def _proof(sample: Sample, worst: float, closest: str) -> str:
        reads = [step for step in sample.steps if step.operation == READ]
        left_out = "; ".join(
            f"without '{sample.evidence[step.evidence[0]].doc_id}' nothing says '{step.value[:60]}'" for step in reads
        )
        alone = (
            f"the closest single passage, of '{closest}', has {worst:.0%} of what the others give"
            if closest
            else "no single passage has what is looked up last"
        )
        return f"{left_out}; {alone}"
