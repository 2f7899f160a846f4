"""Trial of author and judge on questions whose answers the corpus contains.

The author gets the first tasks of the run, so that the run can continue from its replies. Each simple answer must occur
in the sentences that it cites. The judge gets statements with a gap, and either the missing word or a wrong one. Wrong
words are easily mistaken for the right one: another number of the passage, "must" for "may", a word of the next
sentence. If the judge passes, it decides on every candidate, even if the author did badly. If the judge fails, no
question is written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import islice, zip_longest
from typing import Any

from synth.core.errors import UntrustedModel
from synth.core.records import Sample, digest
from synth.core.store import Store
from synth.core.terminal import counted
from synth.corpus.corpus import Corpus
from synth.corpus.sections import HEADING, Section, SectionLine, characters, lines_of, spans
from synth.generation.judge_requests import CLOSED, OPEN, holds, open_request
from synth.generation.proposals.author import PROMPTS, Asked, asked_of
from synth.generation.proposals.candidates import read
from synth.generation.proposals.task import PROPOSE, Task
from synth.generation.question_form import QuestionMix
from synth.generation.spoiling import reversals, spoilt
from synth.generation.writer import WriterContext, evidence_of
from synth.models.chat.base import Completion, Steps
from synth.text.language import is_chinese
from synth.text.normalise import normalise
from synth.text.tokens import content_words, words

KIND = "trial"

AUTHOR, JUDGE = 0.9, 0.75
"""Minimum figures (0 to 1) to trust a model.

AUTHOR is the share of an author's proposals with correct citations. JUDGE is the share of right items that a judge
keeps, and of wrong items that it rejects.
"""

SLIP_OF = 6
"""Minimum number of proposals to forgive a single wrong citation."""

FEWEST = 3
"""Minimum number of proposals, of right items and of wrong items for a conclusive trial."""

TASKS = 2
"""Number of author tasks in a trial."""

_ITEMS = 6  # right items, and the same number of wrong items
LOOKED_AT = 24
"""Maximum number of sections in a trial."""
_BATCH = 4  # items in a request
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SUPPORT = 0.6  # minimum share of an answer's words in the cited sentences


@dataclass(frozen=True, slots=True)
class Trial:
    """Counts of a trial.

    `proposals` is the number of simple answers by the author. `supported` is the number of these answers that the cited
    sentences support. `right` and `wrong` are the numbers of right and wrong items shown to the judge. `kept` is the
    number of right items that it kept, and `refused` the number of wrong items that it rejected. `failed` counts failed
    requests, and `failure` is the reason of the first one. They do not count against the model. A trial with failed
    requests is not stored.
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
    def author_passed(self) -> bool:
        """Whether the author cites the right sentences."""
        slips = self.proposals - self.supported
        return self.proposals >= FEWEST and slips <= max(self.proposals >= SLIP_OF, (1 - AUTHOR) * self.proposals)

    @property
    def is_enough(self) -> bool:
        """Whether the judge had enough items and every request was answered."""
        return not self.failed and min(self.right, self.wrong) >= FEWEST

    @property
    def judge_passed(self) -> bool:
        """Whether the judge is trusted to decide."""
        enough = min(self.right, self.wrong) >= FEWEST
        return enough and self.kept >= JUDGE * self.right and self.refused >= JUDGE * self.wrong

    def and_then(self, other: Trial) -> Trial:
        """Return the sum of this trial and a trial on other items."""
        names = ("proposals", "supported", "right", "kept", "wrong", "refused", "failed")
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Trial(self.language, **sums, failure=self.failure or other.failure)

    @property
    def figures(self) -> str:
        """Counts in words, for messages."""
        counts = (
            f"the author cited the right sentences for {self.supported} of {self.proposals} answers; the judge kept "
            f"{self.kept} of {self.right} right statements and refused {self.refused} of {self.wrong} wrong ones"
        )
        return (
            f"{counts}; {counted(self.failed, 'request')} failed, the first: {self.failure}" if self.failed else counts
        )

    def check(self) -> None:
        """Raise UntrustedModel if the judge failed or could not be tried."""
        if self.judge_passed:
            return
        if self.failed and min(self.right, self.wrong) < FEWEST:
            raise UntrustedModel(
                f"no question was written with this model, because it could not be tried: {self.figures}. Fix the "
                "cause of the failure and run again with --resume; or leave out --llm to get the questions that are "
                "written without a model"
            )
        if min(self.right, self.wrong) < FEWEST:
            raise UntrustedModel(
                "no question was written with this model, because the documents contain only "
                f"{counted(self.right, 'statement')} to try its judge on, and a trial needs at least {FEWEST}. Add "
                "documents, leave out --llm to get the questions that are written without a model, or continue without "
                "a trial with --trust"
            )
        raise UntrustedModel(
            f"no question was written with this model, because the judge failed its trial: {self.figures}; it must "
            f"keep at least {JUDGE:.0%} of the right statements and refuse as many of the wrong ones. Name a better "
            "judge with --judge, leave out --llm to get the questions that are written without a model, or continue "
            "regardless with --trust"
        )

    def packed(self) -> dict[str, Any]:
        """Return the trial as JSON values, with the verdicts on author and judge."""
        return {**asdict(self), "author": self.author_passed, "judge": self.judge_passed}

    @classmethod
    def unpacked(cls, values: Mapping[str, Any]) -> Trial:
        """Return the trial from the values of `packed`."""
        return cls(**{field.name: values[field.name] for field in fields(cls)})


def trial_key(models: str, prompts: Sequence[str], language: str) -> str:
    """Return the key of a trial in the store, from models with endpoints, prompts and language."""
    return digest(KIND, 3, models, list(prompts), language)


def kept_trial(store: Store, key: str) -> Trial | None:
    """Return the trial stored under a key, or None."""
    kept = store.get(KIND, key)
    return Trial(**json.loads(kept)) if kept else None


def keep_trial(store: Store, key: str, trial: Trial) -> None:
    """Store a trial under a key."""
    store.put(KIND, key, json.dumps(asdict(trial)).encode())


def prompts_of(material: WriterContext, language: str) -> list[str]:
    """Return name and digest of the prompts for author and judge."""
    return [material.prompt(name, language).label for name in (PROMPTS[PROPOSE], CLOSED, OPEN)]


def tried(
    tasks: Sequence[Task],
    order: Sequence[Section],
    language: str,
    material: WriterContext,
    corpus: Corpus,
    mix: QuestionMix,
) -> Steps[Trial]:
    """Try the author on `tasks`, and the judge on statements from the sections in `order`; return the counts."""
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
    """Return whether the cited sentences support an answer.

    They must contain the share `_SUPPORT` of its words, or at least as many as any other sentence of the section.
    """
    answer = set(content_words(sample.golden_answers[0])) or set(words(sample.golden_answers[0]))
    cited = {(piece.doc_id, piece.start) for piece in sample.evidence}

    def share(text: str) -> float:
        # Words are also found inside other words, such as "docker" in "docker/kubernetes".
        return sum(word in text.casefold() for word in answer) / (len(answer) or 1)

    own = share(" ".join(corpus.texts(sample)))
    others = (line for line in lines if line.kind != HEADING and (line.doc_id, line.start) not in cited)
    best = max((share(line.text) for line in others), default=0.0)
    return own >= _SUPPORT or (own >= best and own > 0)


_ENDS = (".", "!", "?", "。", "！", "？")
"""Ends of sentences. Lines without one may be entries of an index."""

_KINDS = (("paragraph",), ("paragraph", "list_item"), ("paragraph", "list_item", "table_row"))
"""Kinds of lines that items are made from. The later ones are used if the earlier ones give too few items."""

_GAP_QUESTIONS = {
    "en": 'In "{title}", which word or number stands in the gap of the sentence "{sentence}"?',
    "zh-Hans": "《{title}》中这句话的空白处是什么：“{sentence}”？",
    "zh-Hant": "《{title}》中這句話的空白處是什麼：「{sentence}」？",
}


@dataclass(frozen=True, slots=True)
class _Gap:
    """Sentence `lines[place]` of a section, a `word` in it, and a `wrong` word that would make it untrue."""

    section: Section
    lines: Sequence[SectionLine]
    place: int
    word: str
    wrong: str

    @property
    def text(self) -> str:
        """Text of the sentence in normal form."""
        return normalise(self.lines[self.place].text)


def _items(order: Sequence[Section], material: WriterContext, corpus: Corpus) -> Iterator[tuple[Sample, bool]]:
    """Yield (sample, is right) for statements with a gap. Each appears with the missing word and with a wrong word."""
    frequencies = corpus.index.frequencies()
    chosen: list[_Gap] = []
    for kinds in _KINDS:
        by_section = [_gaps(section, kinds, material, frequencies) for section in order[:LOOKED_AT]]
        # A notice that stands on many pages would make the same item again and again.
        pages = Counter(text for gaps in by_section for text in {gap.text for gap in gaps})
        once = [[gap for gap in gaps if pages[gap.text] == 1] for gaps in by_section]
        # The best statement of each section comes first, then the second ones if there are few sections.
        turns = zip_longest(*(once if any(once) else by_section))
        chosen = list(islice((gap for turn in turns for gap in turn if gap), _ITEMS))
        if len(chosen) == _ITEMS:
            break
    for number, gap in enumerate(chosen):
        yield _item(gap, gap.word, material), True
        later = chosen[(number + len(chosen) // 2) % len(chosen)]
        yield _item(later, later.wrong, material), False


def _gaps(
    section: Section, kinds: Collection[str], material: WriterContext, frequencies: Mapping[str, int]
) -> list[_Gap]:
    """Return sentences of a section with a word to leave out and a wrong word, best first.

    They are sentences of paragraphs, and list items or table rows if `kinds` contains these.

    The word is a number, a word whose opposite reverses the rule, or the rarest word. The wrong word is another number
    of the section, the opposite, or the rarest word of the nearest other sentence.
    """
    lines = lines_of(material.corpus, section)
    passage = "\n".join(line.text for line in lines)
    rarest = {
        place: _rarest(line.text, frequencies, section.language)
        for place, line in enumerate(lines)
        if line.kind in kinds
        and 30 <= characters(line.text) <= 400
        and (line.kind != "paragraph" or line.text.endswith(_ENDS))
    }
    ranked: list[tuple[float, _Gap]] = []
    for place, (rarity, word) in rarest.items():
        text = lines[place].text
        # A number alone in brackets is a footnote mark.
        numbers = [one for one in _NUMBER.findall(text) if text.count(one) == 1 and f"({one})" not in text]
        turns_round = next(reversals(text, section.language), None)
        # Words of the nearest sentence are in the evidence too, so that looking for the word there is not enough.
        near = sorted(rarest, key=lambda at: abs(at - place))
        others = [rarest[at][1] for at in near if rarest[at][1] and rarest[at][1] not in text]
        if numbers and (wrong := spoilt(numbers[0], passage, section.language)):
            ranked.append((-3.0, _Gap(section, lines, place, numbers[0], wrong[0][1])))
        elif turns_round is not None and text.count(text[slice(*turns_round[:2])]) == 1:
            ranked.append((-2.0, _Gap(section, lines, place, text[slice(*turns_round[:2])], turns_round[2])))
        elif word and others:
            ranked.append((-rarity, _Gap(section, lines, place, word, others[0])))
    return [gap for _, gap in sorted(ranked, key=lambda pair: (pair[0], pair[1].place))]


def _rarest(text: str, frequencies: Mapping[str, int], language: str) -> tuple[float, str]:
    """Return (rarity, word) for the rarest word that occurs only once in a sentence; (0.0, "") if there is none.

    In Chinese, a word that occurs once in the corpus comes last, because it is often segmented wrongly.
    """
    rare = [
        (
            not is_chinese(language) or frequencies.get(word, 1) > 1,
            1 / max(1, frequencies.get(word, 1)),
            len(word),
            word,
        )
        for word in content_words(text)
        if len(word) > 1 and text.count(word) == 1
    ]
    _, rarity, _, word = max(rare, default=(True, 0.0, 0, ""))
    return rarity, word


def _item(gap: _Gap, answer: str, material: WriterContext) -> Sample:
    section, line = gap.section, gap.lines[gap.place]
    sentence = line.text.replace(gap.word, "____", 1)
    title = section.title or section.doc_id
    asked = _GAP_QUESTIONS.get(section.language, _GAP_QUESTIONS["en"]).format(title=title, sentence=sentence)
    # The neighbouring sentences are evidence too, so that the judge has to find the right one.
    near = [one for one in gap.lines[max(0, gap.place - 1) : gap.place + 2] if one.kind == line.kind]
    return Sample(
        question=asked,
        golden_answers=(answer,),
        evidence=evidence_of(material, section.doc_id, spans(near)[section.doc_id]),
        question_type="simple",
        language=section.language,
    )
