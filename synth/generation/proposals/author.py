"""From a task to judged candidates: proposed, checked by the filters that decide by proof, judged and measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from synth.core.records import Sample, Scenario, Verdict
from synth.corpus.sections import harmless, numbered
from synth.generation.admission import Rejected
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.base import DOUBT, RATINGS, UNJUDGED, Corpus, Filter
from synth.generation.filters.judged import Judged
from synth.generation.judge_controls import JudgeControl, try_judge
from synth.generation.judge_requests import Judgement
from synth.generation.proposals.candidates import OPERATOR, WORTH, RejectedProposal, adds_nothing, evolved, read
from synth.generation.proposals.tasks import ACROSS, EVOLVE, LINKS, OPERATORS, PROPOSE, UNANSWERED, Link, Task
from synth.generation.proposals.unanswered import unanswered
from synth.generation.proposals.wishes import language_name, wishes
from synth.generation.question_form import QuestionMix
from synth.generation.row_topics import labelled
from synth.generation.writer import WriterContext
from synth.models.chat.base import Request, RequestFailed, Steps
from synth.text.language import LANGUAGES
from synth.text.normalise import collapse_space
from synth.text.prompt_injection import gives_orders

PROPOSE_PROMPT = "proposals/propose"
ACROSS_PROMPT = "proposals/across"
EVOLVE_PROMPT = "proposals/evolve"
LINKS_PROMPT = "proposals/links"
MOST_CANDIDATES = {PROPOSE_PROMPT: 4, ACROSS_PROMPT: 4}
"""Most candidates that a request asks for: on each passage, and on several together."""

MOST_LINKS = 10
"""Links that the author is asked for at most."""

_ONE_OF_SEVERAL = 1800  # characters of each passage where several are shown, a wide one counting twice
_BEGINNING = 200  # characters of a passage in a list


@dataclass(frozen=True, slots=True)
class Proposed:
    """Result of a task: kept candidates, rejected ones and control items of the judge; or links.

    It `failed` when there were candidates and the judge could be reached or read for none of them.
    """

    samples: tuple[Sample, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    controls: tuple[JudgeControl, ...] = ()
    links: tuple[Link, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Author:
    """The author of candidates and those that check them: `filters` ask no model, `judge` does."""

    material: WriterContext
    corpus: Corpus
    filters: Sequence[Filter]
    judge: Judged
    difficulty: DifficultyMeasure
    mix: QuestionMix

    def steps(self, task: Task, *, test: bool = False) -> Steps[Proposed]:
        """Carry out a task; with `test` the judge is also tried on a candidate with a planted fault."""
        if task.kind == LINKS:
            return Proposed(links=(yield from self._linked(task)))
        samples, refused = yield from self._written(task)
        rejected = [rejected_of(task, proposal.stage, proposal.reason, proposal.sample) for proposal in refused]
        worded = [self.mix.with_typos(sample, task.task_id, self.corpus.graph) for sample in samples]
        ready = []
        for sample in worded:
            wrong = self._ruled_out(sample)
            if wrong is None:
                ready.append(sample)
            else:
                rejected.append(rejected_of(task, wrong.filter, wrong.reason, sample, wrong.score))
        controls = (yield from try_judge(ready[0], self.corpus, [self.judge])) if test and ready else ()
        judgements = yield from self.judge.judge_all(ready, self.corpus)
        kept = []
        for sample, judgement in zip(ready, judgements, strict=True):
            rated = _rated(sample, judgement)
            refusal = None if judgement.verdict.kept else judgement.verdict
            if refusal is None and rated.question_type != sample.question_type:
                refusal = self._ruled_out(rated)
            if refusal is None:
                marked = self._marked(rated, judgement.verdict)
                kept.append(self.difficulty.measured(labelled(marked, self.corpus.graph)))
            else:
                rejected.append(rejected_of(task, refusal.filter, refusal.reason, rated, refusal.score))
        if not samples and not refused:
            rejected.append(rejected_of(task, "written", "the author found nothing worth asking", None))
        failed = bool(ready) and all(judgement.verdict.reason.startswith(UNJUDGED) for judgement in judgements)
        return Proposed(tuple(kept), tuple(rejected), controls, failed=failed)

    def _written(self, task: Task) -> Steps[tuple[list[Sample], list[RejectedProposal]]]:
        if task.kind == UNANSWERED:
            return (yield from unanswered(task, self.material, self.corpus))
        longest = _ONE_OF_SEVERAL if task.kind != PROPOSE and len(task.sections) > 1 else 0
        shown = numbered(self.material.graph, task.sections, longest=longest)
        language = task.sections[0].language
        about = yield from self._summaries(task)
        home = task.sections[0].chunk_ids[0]
        metadata, manner = wishes(self.mix, task.task_id, home, self.corpus.graph, language)
        request = proposal_request(task, f"{about}{shown.text}", self.material, self.corpus, manner)
        completion = yield request
        samples, refused = read(completion.data["candidates"], shown, self.material, request.prompt, language, metadata)
        if task.parent is None:
            return samples, refused
        return _children(samples, refused, task)

    def _linked(self, task: Task) -> Steps[tuple[Link, ...]]:
        """The links that the author finds among the passages of a task."""
        graph = self.material.graph
        lines = []
        for number, section in enumerate(task.sections):
            shown = numbered(graph, [section], longest=_BEGINNING)
            headings = graph.chunk(section.chunk_ids[0]).headings
            place = " > ".join((section.doc_id, *harmless((section.title, *headings))))
            beginning = collapse_space(" ".join(line.text for line in shown.lines if line.kind != "code"))
            lines.append(f"[{number}] {place}: {beginning[:_BEGINNING]}")
        most = str(_fewer(MOST_LINKS, task))
        values = {"brief": self.corpus.brief or "-", "passages": "\n".join(lines), "most": most}
        prompt = self.material.prompt(LINKS_PROMPT, task.sections[0].language)
        completion = yield Request.of(prompt, values, purpose=LINKS_PROMPT)
        links = []
        for link in completion.data["links"]:
            numbers = list(dict.fromkeys(link["passages"]))
            if len(numbers) > 1 and all(0 <= number < len(task.sections) for number in numbers):
                chosen = tuple(task.sections[number] for number in numbers)
                links.append(Link(chosen, collapse_space(str(link["question"]))))
        return tuple(links)

    def _summaries(self, task: Task) -> Steps[str]:
        """Summaries of a task's documents, where a transform gives them."""
        lines = []
        for doc_id in dict.fromkeys(section.doc_id for section in task.sections):
            try:
                summary = yield from self.material.know("summary", doc_id)
            except RequestFailed:
                continue  # It only helps; the passages are enough.
            if summary and not gives_orders(summary["text"]):
                lines.append(f"{doc_id}: {collapse_space(summary['text'])}\n\n")
        return "".join(lines)

    def _ruled_out(self, sample: Sample) -> Verdict | None:
        """The verdict of the first filter that refuses a sample by proof, or None."""
        return next((verdict for verdict in self._proven(sample) if not verdict.kept), None)

    def _proven(self, sample: Sample) -> Iterator[Verdict]:
        """The verdicts of the filters that decide by proof (`Filter.proves`)."""
        return (filter_.decide(sample, self.corpus) for filter_ in self.filters if filter_.proves)

    def _marked(self, sample: Sample, verdict: Verdict) -> Sample:
        """The sample with the verdicts that kept it and, as `signals`, the reasons of the other filters."""
        verdicts = (*self._proven(sample), verdict)
        signals = {}
        if sample.language in LANGUAGES:
            advisory = (filter_.decide(sample, self.corpus) for filter_ in self.filters if not filter_.proves)
            signals = {verdict.filter: verdict.reason for verdict in advisory if not verdict.kept}
        metadata = {**sample.metadata, **({"signals": signals} if signals else {})}
        return replace(sample, verdicts=verdicts, metadata=metadata)


def proposal_request(task: Task, passages: str, material: WriterContext, corpus: Corpus, manner: str = "") -> Request:
    """Request to the author for a task, on passages with numbered sentences."""
    name = {PROPOSE: PROPOSE_PROMPT, ACROSS: ACROSS_PROMPT, EVOLVE: EVOLVE_PROMPT}[task.kind]
    language = task.sections[0].language
    values = {
        "brief": corpus.brief or "-",
        "language": language_name(language),
        "manner": manner,
        "passages": passages,
    }
    if task.kind == ACROSS:
        values["guesses"] = "\n".join(f"- {link.question}" for link in task.links) or "-"
    else:
        values["types"] = ", ".join(task.types)
    if task.parent is None:
        values["most"] = str(_fewer(MOST_CANDIDATES[name], task))
    else:
        operators = dict.fromkeys(operator for kind in task.types for operator in OPERATORS[kind])
        values["operators"] = ", ".join(operators)
        values["question"], values["answer"] = task.parent.question, task.parent.golden_answers[0]
    return Request.of(material.prompt(name, language), values, purpose=name)


def _fewer(most: int, task: Task) -> int:
    """The most that a request asks for: one fewer in another attempt, or the stored reply to the first would answer."""
    return most - task.attempt


def _children(
    samples: Sequence[Sample], refused: Sequence[RejectedProposal], task: Task
) -> tuple[list[Sample], list[RejectedProposal]]:
    """The samples as children of the task's parent, and the rejected ones: those that add nothing, or are of a type
    that is not asked for."""
    assert task.parent is not None
    children, lost = [], list(refused)
    for proposed in samples:
        operator = str(proposed.metadata[OPERATOR])
        sample = replace(proposed, metadata={k: v for k, v in proposed.metadata.items() if k != OPERATOR})
        reason = adds_nothing(sample, task.parent)
        if not reason and sample.question_type not in task.types:
            reason = f"it is of type '{sample.question_type}', of which no more rows are needed"
        if reason:
            lost.append(RejectedProposal(f"evolution: {operator}", reason, sample))
        else:
            children.append(evolved(sample, task.parent, operator))
    return children, lost


def _rated(sample: Sample, judgement: Judgement) -> Sample:
    """The sample with its ratings by author and judge, from 1 to 5, the judge's doubt, and of the type that the judge
    finds it to be; as it is where the judge gave no ratings."""
    if not judgement.ratings:
        return sample
    ratings = {WORTH: sample.metadata.get(WORTH, 3), **judgement.ratings}
    metadata = {name: value for name, value in sample.metadata.items() if name != WORTH}
    kind = judgement.question_type or sample.question_type
    if kind != sample.question_type:
        metadata.pop("condition", None)
    doubt = {DOUBT: judgement.doubt} if judgement.doubt else {}
    return replace(sample, question_type=kind, metadata={**metadata, RATINGS: ratings, **doubt})


def rating(sample: Sample) -> float:
    """Mean rating of a candidate divided by 5, from 0.2 to 1; 0.5 without ratings."""
    ratings = sample.metadata.get(RATINGS)
    return sum(ratings.values()) / (5 * len(ratings)) if ratings else 0.5


def rejected_of(task: Task, stage: str, reason: str, sample: Sample | None, score: float | None = None) -> Rejected:
    """A candidate of a task that is refused."""
    return Rejected(scenario_of(task, sample), stage, reason, score, sample)


def scenario_of(task: Task, sample: Sample | None = None) -> Scenario:
    """The scenario that stands for a task in the result, with the type and sections of `sample`, or its first type."""
    section = task.section_of(sample) if sample else task.sections[0]
    sections = [section] if sample and task.kind == PROPOSE else task.sections
    return Scenario(
        scenario_id=task.task_id,
        synthesizer=task.kind,
        question_type=sample.question_type if sample else task.types[0],
        chunk_ids=tuple(chunk_id for part in sections for chunk_id in part.chunk_ids),
        language=section.language,
    )
