"""Trial of author and judge on questions of which the corpus gives the answers.

The author is asked what the first tasks of the run ask, so that the run goes on from its replies. Each plain answer
must stand in the sentences that it cites. The judge is shown statements with a gap, and the word that belongs there or
another one. A judge that passes decides on every candidate, whatever the author's figures are; with one that fails no
question is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from synth.core.errors import UntrustedModel
from synth.core.records import Sample, digest
from synth.core.store import Store
from synth.corpus.sections import HEADING, Section, SectionLine, characters, lines_of
from synth.generation.filters.base import Corpus
from synth.generation.judge_requests import CLOSED, OPEN, holds, open_request
from synth.generation.proposals.author import PROPOSE_PROMPT, Asked, asked_of
from synth.generation.proposals.candidates import read
from synth.generation.proposals.tasks import Task
from synth.generation.question_form import QuestionMix
from synth.generation.writer import WriterContext, evidence_of
from synth.models.chat.base import Completion, Steps
from synth.text.language import is_chinese
from synth.text.tokens import content_words, words

KIND = "trial"

AUTHOR, JUDGE = 0.9, 0.75
"""Share of proposals with the right sentences from which an author is trusted, and the sensitivity and specificity
from which a judge is."""

SLIP_OF = 6
"""Proposals from which on one wrong citation does not count against the author."""

FEWEST = 3
"""Proposals, right items and wrong items without which nobody is trusted."""

TASKS = 2
"""Tasks of the author in a trial."""

_ITEMS = 6  # right ones, and as many wrong ones
LOOKED_AT = 24
"""Most sections of a trial."""
_BATCH = 4  # items in a request
_SUPPORT = 0.6  # share of an answer's words that the cited sentences must have


@dataclass(frozen=True, slots=True)
class Trial:
    """Counts of a trial: `proposals` of the author and those whose sentences `supported` them; `right` and `wrong`
    items, and those of them that the judge `kept` and `refused`.

    `failed` requests, the first for the reason `failure`, say nothing about the model; a trial with some of them is
    not kept.
    """

    language: str
    proposals: int = 0
    supported: int = 0
    right: int = 0
    kept: int = 0
    wrong: int = 0
    refused: int = 0
    failed: int = 0
    failure: str = ""

    @property
    def author(self) -> bool:
        """Test whether the author cites the right sentences."""
        slips = self.proposals - self.supported
        return self.proposals >= FEWEST and slips <= max(self.proposals >= SLIP_OF, (1 - AUTHOR) * self.proposals)

    @property
    def is_enough(self) -> bool:
        """Test whether there were enough items for the judge, and every request was answered."""
        return not self.failed and min(self.right, self.wrong) >= FEWEST

    @property
    def judge(self) -> bool:
        """Test whether the judge is trusted to decide."""
        enough = min(self.right, self.wrong) >= FEWEST
        return enough and self.kept >= JUDGE * self.right and self.refused >= JUDGE * self.wrong

    def and_then(self, other: Trial) -> Trial:
        """This trial with another one on other items."""
        names = ("proposals", "supported", "right", "kept", "wrong", "refused", "failed")
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Trial(self.language, **sums, failure=self.failure or other.failure)

    @property
    def figures(self) -> str:
        """The counts as people read them."""
        counts = (
            f"the author cited the right sentences for {self.supported} of {self.proposals} answers; the judge kept "
            f"{self.kept} of {self.right} right statements and refused {self.refused} of {self.wrong} wrong ones"
        )
        return f"{counts}; {self.failed} requests failed, the first: {self.failure}" if self.failed else counts

    def check(self) -> None:
        """Raise UntrustedModel when the judge failed."""
        if self.judge:
            return
        if self.failed and min(self.right, self.wrong) < FEWEST:
            raise UntrustedModel(
                f"no question was written with this model, since it could not be tried: {self.figures}. Mend what the "
                "reason says, and --resume sends them again; or leave out --llm for the questions that are written "
                "without a model"
            )
        why = (
            f"it must keep, and refuse, at least {JUDGE:.0%} of each"
            if min(self.right, self.wrong) >= FEWEST
            else f"at least {FEWEST} of each are needed to trust a judge"
        )
        raise UntrustedModel(
            f"no question was written with this model, since the judge failed its trial: {self.figures}; {why}. "
            "Name a better judge with --judge, leave out --llm for the questions that are written without a model, or "
            "go on regardless with --trust"
        )

    def packed(self) -> dict[str, Any]:
        """The trial as JSON values, with the verdicts on author and judge."""
        return {**asdict(self), "author": self.author, "judge": self.judge}

    @classmethod
    def unpacked(cls, values: Mapping[str, Any]) -> Trial:
        """The trial that `packed` gave."""
        return cls(**{field.name: values[field.name] for field in fields(cls)})


def trial_key(models: str, prompts: Sequence[str], language: str) -> str:
    """Key of a trial in the store: by models, endpoints, prompts and language."""
    return digest(KIND, 1, models, list(prompts), language)


def kept_trial(store: Store, key: str) -> Trial | None:
    """The trial kept under a key, or None."""
    kept = store.get(KIND, key)
    return Trial(**json.loads(kept)) if kept else None


def keep_trial(store: Store, key: str, trial: Trial) -> None:
    """Keep a trial under a key."""
    store.put(KIND, key, json.dumps(asdict(trial)).encode())


def prompts_of(material: WriterContext, language: str) -> list[str]:
    """The prompts by which author and judge are asked, by name and digest."""
    return [material.prompt(name, language).label for name in (PROPOSE_PROMPT, CLOSED, OPEN)]


def tried(
    tasks: Sequence[Task],
    order: Sequence[Section],
    language: str,
    material: WriterContext,
    corpus: Corpus,
    mix: QuestionMix,
) -> Steps[Trial]:
    """The trial of the author on some tasks, and of the judge on statements of the first of some sections."""
    proposals: dict[str, Asked] = {}
    for task in tasks:
        proposals[task.task_id] = yield from asked_of(task, material, corpus, mix)
    items = list(_items(order, material, corpus))[: 2 * _ITEMS]
    batches = [items[start : start + _BATCH] for start in range(0, len(items), _BATCH)]
    judged = [open_request([sample for sample, _ in batch], corpus) for batch in batches]
    replies = yield [*(replace(asked.request, purpose=KIND) for asked in proposals.values()), *judged]
    proposed = supported = 0
    for asked, reply in zip(proposals.values(), replies, strict=False):
        if isinstance(reply, Completion):
            shown = asked.shown
            samples, refused = read(
                reply.data["candidates"], shown, material, asked.request.prompt, language, asked.metadata
            )
            plain = [sample for sample in samples if sample.question_type == "simple"]
            proposed += len(plain) + sum(item.stage == "evidence" for item in refused)
            supported += sum(_is_supported(sample, shown.lines, corpus) for sample in plain)
    failures = [reply.reason for reply in replies if not isinstance(reply, Completion)]
    counts = {"right": 0, "kept": 0, "wrong": 0, "refused": 0}
    for batch, reply in zip(batches, replies[len(proposals) :], strict=True):
        if not isinstance(reply, Completion):
            continue
        by_item = {item["item"]: item for item in reply.data["verdicts"]}
        for number, (_, is_right) in enumerate(batch):
            verdict = by_item.get(number)
            keeps = verdict is not None and holds(verdict)
            counts["right" if is_right else "wrong"] += 1
            counts["kept" if is_right else "refused"] += keeps if is_right else verdict is not None and not keeps
    return Trial(language, proposed, supported, **counts, failed=len(failures), failure=failures[0] if failures else "")


def _is_supported(sample: Sample, lines: Sequence[SectionLine], corpus: Corpus) -> bool:
    """Test whether the cited sentences have the words of an answer, and no other sentence of the section has more."""
    answer = set(content_words(sample.golden_answers[0])) or set(words(sample.golden_answers[0]))
    cited = {(piece.doc_id, piece.start) for piece in sample.evidence}

    def share(text: str) -> float:
        # Looked for inside of words, as "docker" in "docker/kubernetes".
        return sum(word in text.casefold() for word in answer) / (len(answer) or 1)

    own = share(" ".join(corpus.texts(sample)))
    others = (line for line in lines if line.kind != HEADING and (line.doc_id, line.start) not in cited)
    best = max((share(line.text) for line in others), default=0.0)
    return own >= _SUPPORT or (own >= best and own > 0)


def _items(order: Sequence[Section], material: WriterContext, corpus: Corpus) -> Iterator[tuple[Sample, bool]]:
    """Statements with a gap, each once with its own word and once with the word of another statement."""
    frequencies = corpus.index.frequencies()
    gapped: list[tuple[Section, SectionLine, str]] = []
    # Of each section its best statement first, then the second ones, where there are but few sections.
    by_section = [(section, _gaps(lines_of(material.graph, section), frequencies)) for section in order[:LOOKED_AT]]
    for place in range(_ITEMS):
        gapped += [(section, *gaps[place]) for section, gaps in by_section if place < len(gaps)]
        if len(gapped) >= _ITEMS:
            break
    chosen = gapped[:_ITEMS]
    for number, (section, line, word) in enumerate(chosen):
        yield _item(section, line, word, word, material), True
        section, line, word = chosen[(number + len(chosen) // 2) % len(chosen)]
        other = chosen[(number + len(chosen) // 2 + 1) % len(chosen)][2]
        if other not in line.text:
            yield _item(section, line, word, other, material), False


def _gaps(lines: Sequence[SectionLine], frequencies: Mapping[str, int]) -> list[tuple[SectionLine, str]]:
    """Sentences with a word that can be left out, the one with the rarest word first."""
    ranked: list[tuple[float, int, SectionLine, str]] = []
    for place, line in enumerate(lines):
        if line.kind != "paragraph" or not 30 <= characters(line.text) <= 400:
            continue
        rare = [
            (1 / max(1, frequencies.get(word, 1)), len(word), word)
            for word in content_words(line.text)
            if len(word) > 1 and line.text.count(word) == 1
        ]
        if rare:
            rarity, _, word = max(rare)
            ranked.append((-rarity, place, line, word))
    return [(line, word) for _, _, line, word in sorted(ranked, key=lambda item: item[:2])]


def _item(section: Section, line: SectionLine, word: str, answer: str, material: WriterContext) -> Sample:
    gap = line.text.replace(word, "____")
    title = section.title or section.doc_id
    asked = (
        f"《{title}》中这句话的空白处是哪个词：“{gap}”？"
        if is_chinese(section.language)
        else (f'In "{title}", which word stands in the gap of the sentence "{gap}"?')
    )
    return Sample(
        question=asked,
        golden_answers=(answer,),
        evidence=evidence_of(material, section.doc_id, [(line.start, line.end)]),
        question_type="simple",
        language=section.language,
    )
