"""Execution of tasks: the author proposes candidates, rules and the judge check them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import Sample, Scenario, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.graph import Span
from synth.corpus.notes import Notes, notes_of
from synth.corpus.sections import HEADING, Numbered, Section, characters, lines_of, numbered, shown_name
from synth.generation.admission import Rejected
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.base import DOUBT, RATINGS, UNJUDGED, Filter
from synth.generation.filters.judged import Judged
from synth.generation.judge_controls import JudgeControl, try_judge
from synth.generation.judge_requests import Judgement
from synth.generation.proposals.archive import MOVES, eliminated
from synth.generation.proposals.candidates import (
    ITEM,
    MOVE,
    PATH,
    REWORD,
    WORTH,
    RejectedProposal,
    adds_nothing,
    evolved,
    read,
)
from synth.generation.proposals.paths import Path, path_between
from synth.generation.proposals.shortcuts import shortcut
from synth.generation.proposals.task import ACROSS, EVOLVE, JOIN, PROPOSE, PROVE, UNANSWERED, Candidate, Task, parent_of
from synth.generation.proposals.unanswered import unanswered
from synth.generation.proposals.wishes import language_name, wishes
from synth.generation.question_form import QuestionMix
from synth.generation.row_topics import labelled
from synth.generation.writer import WriterContext
from synth.models.chat.base import Completion, Request, RequestFailed, Steps
from synth.models.prompt_labels import headed, label
from synth.text.language import LANGUAGES
from synth.text.normalise import collapse_space
from synth.text.prompt_injection import gives_orders

PROMPTS = {kind: f"proposals/{kind}" for kind in (PROPOSE, JOIN, ACROSS, EVOLVE)}
"""Prompts of the author by kind of task."""

MOST_CANDIDATES = {PROPOSE: 4, JOIN: 2, ACROSS: 4}
"""Maximum number of candidates to request, per passage (PROPOSE) or for several passages together."""

_MEASURED = ("category", "difficulty", "difficulty_signals", "tags")  # measured again after the rating
_ONE_OF_SEVERAL = 1000  # characters shown per passage if there are several; a wide character counts twice
_A_QUESTION = 350  # characters of a passage per question on it; a wide character counts twice
_OF_A_PARENT = 1200  # characters shown around the evidence of a question to develop


@dataclass(frozen=True, slots=True)
class Move:
    """Outcome of a move, which develops a question: its name, the parent, and the child (None if it was not kept)."""

    name: str
    parent: Sample
    child: Sample | None


@dataclass(frozen=True, slots=True)
class TaskResult:
    """Result of a task.

    `candidates` passed the filters that ask no model. `samples` passed the judge. `unjudged` are candidates whose
    request to the judge failed for the first time. `rejected` are rejected candidates, each with the reason. `controls`
    are the results of tests of the judge. `notes` are what the author noted on the passages, `moves` the outcomes of
    moves. `failed` is True if the request of the task failed.
    """

    candidates: tuple[Candidate, ...] = ()
    samples: tuple[tuple[Candidate, Sample], ...] = ()
    unjudged: tuple[Candidate, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    controls: tuple[JudgeControl, ...] = ()
    notes: tuple[Notes, ...] = ()
    moves: tuple[Move, ...] = ()
    failed: bool = False


@dataclass(frozen=True, slots=True)
class _Reply:
    """Reply of the author: candidates, rejected proposals, and notes."""

    samples: Sequence[Sample]
    refused: Sequence[RejectedProposal]
    notes: Sequence[Notes] = ()


@dataclass(frozen=True, slots=True)
class Author:
    """Author of candidates. The `filters` check them without a model, the `judge` with one."""

    material: WriterContext
    corpus: Corpus
    filters: Sequence[Filter]
    judge: Judged
    difficulty: DifficultyMeasure
    mix: QuestionMix

    def steps(self, task: Task, *, tests: int = 0) -> Steps[TaskResult]:
        """Carry out a task.

        The judge is tested on the first `tests` candidates of a PROVE task, each with a planted fault.
        """
        return (yield from self._proofs(task, tests) if task.kind == PROVE else self._proposals(task))

    def _proposals(self, task: Task) -> Steps[TaskResult]:
        """Return the result of an author task: candidates that pass the filters with `proves`, and rejected ones."""
        reply = yield from self._written(task)
        rejected = [rejected_of(task, proposal.stage, proposal.reason, proposal.sample) for proposal in reply.refused]
        worded = [self.mix.with_typos(sample, task.task_id, self.material.graph) for sample in reply.samples]
        ready = []
        for sample in worded:
            wrong = self._ruled_out(sample)
            if wrong is None:
                ready.append(sample)
            else:
                rejected.append(rejected_of(task, wrong.filter, wrong.reason, sample, wrong.score))
        kept = [Candidate(task, self._measured(sample)) for sample in ready]
        if not reply.samples and not reply.refused:
            rejected.append(rejected_of(task, "written", "the author found nothing worth asking", None))
        survivors = {(one.sample.question, one.sample.evolutions) for one in kept}
        lost = [child for child in worded if (child.question, child.evolutions) not in survivors]
        moves = [_move(child, parent_of(child, task), kept=False) for child in lost]
        return TaskResult(
            candidates=tuple(kept),
            rejected=tuple(rejected),
            notes=tuple(reply.notes),
            moves=tuple(filter(None, moves)),
        )

    def _proofs(self, task: Task, tests: int) -> Steps[TaskResult]:
        """Return the result of a judge task: the samples that the judge keeps, and the rejected ones."""
        samples = [candidate.sample for candidate in task.candidates]
        controls: list[JudgeControl] = []
        for sample in samples[:tests]:
            controls += yield from try_judge(sample, self.corpus, [self.judge])
        rejected: list[Rejected] = []
        unjudged: list[Candidate] = []
        moves: list[Move | None] = []

        def refuse(candidate: Candidate, stage: str, reason: str, sample: Sample, score: float | None = None) -> None:
            if reason.startswith(UNJUDGED) and not candidate.attempt:
                unjudged.append(replace(candidate, attempt=1))
                return
            rejected.append(rejected_of(candidate.task, stage, reason, sample, score))
            moves.append(_move(sample, candidate.parent, kept=False))

        clear: list[tuple[Candidate, Judgement, Sample | None]] = []
        for candidate, judgement, parent in (yield from self._read_alone(task.candidates)):
            stage, reason = self._worse(candidate.sample, parent)
            if not judgement.verdict.kept:
                verdict = judgement.verdict
                refuse(candidate, verdict.filter, verdict.reason, candidate.sample, verdict.score)
            elif reason:
                refuse(candidate, stage, reason, candidate.sample)
            else:
                clear.append((candidate, judgement, parent))
        judgements = yield from self.judge.prove(
            [candidate.sample for candidate, *_ in clear], [judgement for _, judgement, _ in clear], self.corpus
        )
        kept: list[tuple[Candidate, Sample]] = []
        for (candidate, _, parent), judgement in zip(clear, judgements, strict=True):
            verdict, rated = judgement.verdict, _rated(candidate.sample, judgement)
            if verdict.kept and rated.question_type != candidate.sample.question_type:
                verdict = self._ruled_out(rated) or verdict
            proved = replace(rated, verdicts=(*rated.verdicts[:-1], verdict))
            stage, reason = self._worse(proved, parent) if verdict.kept else (verdict.filter, verdict.reason)
            if reason:
                refuse(candidate, stage, reason, rated, None if verdict.kept else verdict.score)
                continue
            kept.append((candidate, proved))
            moves.append(_move(proved, parent, kept=True))
        return TaskResult(
            samples=tuple(kept),
            unjudged=tuple(unjudged),
            rejected=tuple(rejected),
            controls=tuple(controls),
            moves=tuple(filter(None, moves)),
        )

    def _read_alone(self, candidates: Sequence[Candidate]) -> Steps[list[tuple[Candidate, Judgement, Sample | None]]]:
        """Return each candidate with the closed judge's judgement, and its parent with the closed judge's ratings.

        The closed judge reads questions without documents. The parent is the question from which the candidate was
        developed, or None.
        """
        parents = {parent.id: parent for candidate in candidates if (parent := candidate.parent) is not None}
        asked = [*(candidate.sample for candidate in candidates), *parents.values()]
        judgements = yield from self.judge.read_alone(asked, self.corpus)
        of_parents = zip(parents.items(), judgements[len(candidates) :], strict=True)
        rated = {name: _rated(parent, judgement) for (name, parent), judgement in of_parents}
        judged: list[tuple[Candidate, Judgement, Sample | None]] = []
        for candidate, judgement in zip(candidates, judgements, strict=False):
            sample = _rated(candidate.sample, judgement)
            if judgement.verdict.kept:
                told = {name: value for name, value in sample.metadata.items() if name not in _MEASURED}
                sample = self._measured(replace(sample, metadata=told), judgement.verdict)
            parent = rated[candidate.parent.id] if candidate.parent else None
            judged.append((replace(candidate, sample=sample), judgement, parent))
        return judged

    def _measured(self, sample: Sample, verdict: Verdict | None = None) -> Sample:
        """Return a sample with its topic and difficulty.

        With `verdict`, the closed judge's verdict on the sample, the sample also gets the verdicts of all filters.
        """
        marked = sample if verdict is None else self._marked(sample, verdict)
        return self.difficulty.measured(labelled(marked, self.corpus, self.material.graph))

    def _worse(self, sample: Sample, parent: Sample | None) -> tuple[str, str]:
        """Return (stage, reason) to reject a judged sample that adds nothing to the set, or ("", "") to keep it.

        A sample adds nothing in two cases. It was developed from `parent` but is no better. Or it is a question over
        several passages, but its evidence is in one place (a shortcut).
        """
        if parent is not None and (reason := eliminated(sample, parent)):
            return f"evolution: {sample.evolutions[-1]}", reason
        if sample.question_type == "multi_context" and (reason := shortcut(sample, self.corpus)):
            return "shortcut", reason
        return "", ""

    def _written(self, task: Task) -> Steps[_Reply]:
        if task.kind == UNANSWERED:
            return _Reply(*(yield from unanswered(task, self.material, self.corpus)))
        asked = yield from asked_of(task, self.material, self.corpus, self.mix)
        shown, language = asked.shown, task.sections[0].language
        completion = yield asked.request
        samples, refused = read(
            completion.data["candidates"], shown, self.material, asked.request.prompt, language, asked.metadata
        )
        if task.kind == EVOLVE:
            return _children(samples, refused, task)
        notes = [] if task.kind == ACROSS else self._notes(task, completion, shown)
        joined = _with_paths(samples, task, notes)
        return _Reply(joined.samples, [*refused, *joined.refused], notes)

    def _notes(self, task: Task, completion: Completion, shown: Numbered) -> list[Notes]:
        chunks = [self.material.corpus.chunk(name) for section in task.sections for name in section.chunk_ids]
        return notes_of(completion.data["notes"], shown, chunks)

    def _ruled_out(self, sample: Sample) -> Verdict | None:
        """Return the rejecting verdict of the first filter with `proves`, or None."""
        return next((verdict for verdict in self._proven(sample) if not verdict.kept), None)

    def _proven(self, sample: Sample) -> Iterator[Verdict]:
        """Return the verdicts of the filters with `proves`, which decide on every sample."""
        return (filter_.decide(sample, self.corpus) for filter_ in self.filters if filter_.proves)

    def _marked(self, sample: Sample, verdict: Verdict) -> Sample:
        """Return the sample with the verdicts that kept it. The objections of other filters become its `signals`."""
        verdicts = (*self._proven(sample), verdict)
        signals = {}
        if sample.language in LANGUAGES:
            advisory = (filter_.decide(sample, self.corpus) for filter_ in self.filters if not filter_.proves)
            signals = {verdict.filter: verdict.reason for verdict in advisory if not verdict.kept}
        metadata = {**sample.metadata, **({"signals": signals} if signals else {})}
        return replace(sample, verdicts=verdicts, metadata=metadata)


@dataclass(frozen=True, slots=True)
class Asked:
    """Request to the author, the passages that it shows, and the metadata of the samples that it asks for."""

    request: Request
    shown: Numbered
    metadata: Mapping[str, Any]


def asked_of(task: Task, material: WriterContext, corpus: Corpus, mix: QuestionMix) -> Steps[Asked]:
    """Return the request to the author for a task, with the question form drawn from `mix`.

    The same task gets the same request in every run.
    """
    shown = shown_of(task, material)
    about = yield from _summaries(task, material)
    home = task.sections[0]
    metadata, manner = wishes(mix, task.task_id, home.chunk_ids[0], material, home.language)
    return Asked(_request(task, f"{about}{shown.text}", material, corpus, manner), shown, metadata)


def shown_of(task: Task, material: WriterContext) -> Numbered:
    """Return the passages of a task as the author sees them."""
    around: dict[str, list[tuple[int, int]]] = {}
    if task.kind == EVOLVE:
        for section, parent in zip(task.sections, task.parents, strict=False):
            around.setdefault(section.section_id, []).extend(_part_of(section, parent, material.corpus))
        return numbered(material.corpus, [*dict.fromkeys(task.sections)], longest=_OF_A_PARENT, around=around)
    if task.kind != ACROSS:
        return numbered(material.corpus, task.sections)
    for path in task.paths:
        for section, statement in zip(path.sections, path.statements, strict=False):
            around.setdefault(section.section_id, []).extend(statement.spans)
    return numbered(material.corpus, task.sections, longest=_ONE_OF_SEVERAL, around=around)


def _part_of(section: Section, parent: Sample, corpus: Corpus) -> list[Span]:
    """Return the offsets of a question's evidence and of all lines under the same headings, which may continue it."""
    lines = lines_of(corpus, section)
    pieces = [(piece.start, piece.end) for piece in parent.evidence]
    own = {line.headings for line in lines if any(a < line.end and line.start < b for a, b in pieces)}
    return [*pieces, *((line.start, line.end) for line in lines if line.headings in own)]


def _summaries(task: Task, material: WriterContext) -> Steps[str]:
    """Return summaries of a task's documents, if a transform writes summaries."""
    lines = []
    for doc_id in dict.fromkeys(section.doc_id for section in task.sections):
        try:
            summary = yield from material.know("summary", doc_id)
        except RequestFailed:
            continue  # the summary is optional, the passages are enough
        if summary and not gives_orders(summary["text"]):
            lines.append(f"{shown_name(doc_id)}: {collapse_space(summary['text'])}\n\n")
    return "".join(lines)


def _request(task: Task, passages: str, material: WriterContext, corpus: Corpus, manner: str) -> Request:
    name = PROMPTS[task.kind]
    language = task.sections[0].language
    values = {
        "brief": corpus.brief or "-",
        "language": language_name(language),
        "manner": manner,
        "passages": passages,
    }
    if task.kind == ACROSS:
        values["paths"] = "\n".join(f"- {_told(path, language)}" for path in task.paths)
    elif task.kind == PROPOSE:
        values["types"] = ", ".join(task.types)
    if task.kind == EVOLVE:
        moves = dict.fromkeys((*(move for kind in task.types for move in MOVES[kind]), REWORD))
        values["moves"] = ", ".join(moves)
        shown = enumerate(zip(task.parents, task.into, strict=True))
        values["questions"] = "\n".join(_to_develop(number, parent, into, language) for number, (parent, into) in shown)
    elif task.kind == PROPOSE:
        values["most"] = ", ".join(str(_most(_quota(section, corpus), task)) for section in task.sections)
    else:
        values["most"] = str(_most(MOST_CANDIDATES[task.kind], task))
    return Request.of(material.prompt(name, language), values, purpose=name)


def _to_develop(number: int, parent: Sample, into: Sequence[str], language: str) -> str:
    """Return a question to develop in one line: its number, the new types, the question and its answer."""
    types = headed(label("new type", language), ", ".join(into), language)
    asked = f"{collapse_space(parent.question)} -> {collapse_space(parent.golden_answers[0])}"
    return headed(f"{label('question', language)} {number} ({types})", asked, language)


def _told(path: Path, language: str) -> str:
    """Return a path in one line: the documents of its passages and what joins them, without prompt injections."""
    documents = " + ".join(section.doc_id for section in path.sections)
    kind = label(path.kind, language)
    return headed(documents, kind if gives_orders(path.told) else f"{kind} {path.told}", language)


def _quota(section: Section, corpus: Corpus) -> int:
    """Return the maximum number of questions on a passage, by its length."""
    size = sum(characters(line.text) for line in lines_of(corpus, section) if line.kind != HEADING)
    return min(MOST_CANDIDATES[PROPOSE], 1 + size // _A_QUESTION)


def _most(most: int, task: Task) -> int:
    """Return the maximum number of candidates to request.

    Each attempt requests another number, because an equal request would only return the stored reply.
    """
    return max(1, most - task.attempt)


def _with_paths(samples: Iterable[Sample], task: Task, notes: Sequence[Notes]) -> _Reply:
    """Return the samples as a reply. A sample over several passages gets its path, or is rejected if it has none."""
    kept: list[Sample] = []
    refused: list[RejectedProposal] = []
    for sample in samples:
        path = _path_of(sample, task, notes) if sample.question_type == "multi_context" else None
        if path is not None:
            kept.append(replace(sample, metadata={**sample.metadata, PATH: path.packed()}))
        elif sample.question_type == "multi_context":
            refused.append(RejectedProposal("path", "its passages share no name, answer or word", sample))
        else:
            kept.append(sample)
    return _Reply(kept, refused)


def _path_of(sample: Sample, task: Task, notes: Sequence[Notes]) -> Path | None:
    """Return the path between the passages of a sample's evidence, or None if nothing joins them.

    A path of the task is preferred to one found between the passages.
    """
    chunks = {piece.chunk_id for piece in sample.evidence}
    planned = [path for path in task.paths if all(not chunks.isdisjoint(one.chunk_ids) for one in path.sections)]
    return planned[0] if planned else path_between(sample, task.sections, notes)


def _children(samples: Sequence[Sample], refused: Sequence[RejectedProposal], task: Task) -> _Reply:
    """Return the samples as children of the task's parents.

    A child is rejected if it asks the same as its parent, or if its type was not requested.
    """
    children, lost = [], list(refused)
    for proposed in samples:
        move, item = str(proposed.metadata[MOVE]), int(proposed.metadata[ITEM])
        sample = replace(proposed, metadata={k: v for k, v in proposed.metadata.items() if k not in (MOVE, ITEM)})
        stage = f"evolution: {move}"
        if not 0 <= item < len(task.parents):
            lost.append(RejectedProposal(stage, f"it develops question {item}, which was not shown", sample))
            continue
        parent = task.parents[item]
        reason = adds_nothing(sample, parent, move)
        if not reason and move != REWORD and sample.question_type not in task.types:
            reason = f"the set needs no more rows of its type '{sample.question_type}'"
        if reason:
            lost.append(RejectedProposal(stage, reason, evolved(sample, parent, move)))
        else:
            children.append(evolved(sample, parent, move))
    return _Reply(children, lost)


def _move(child: Sample, parent: Sample | None, *, kept: bool) -> Move | None:
    """Return the outcome of the move that a child comes from, or None if the sample was not developed."""
    return Move(child.evolutions[-1], parent, child if kept else None) if parent is not None else None


def _rated(sample: Sample, judgement: Judgement) -> Sample:
    """Return the sample with its ratings, 1 to 5, the judge's doubt, and the type that the judge assigns.

    It is unchanged if the judge gave no ratings.
    """
    if not judgement.ratings:
        return sample
    metadata = dict(sample.metadata)
    worth = metadata.pop(WORTH, metadata.get(RATINGS, {}).get(WORTH, 3))
    kind = judgement.question_type or sample.question_type
    if kind != sample.question_type:
        for name in ("condition", "otherwise"):
            metadata.pop(name, None)
    metadata[RATINGS] = {WORTH: worth, **judgement.ratings}
    doubt = {DOUBT: judgement.doubt} if judgement.doubt else {}
    return replace(sample, question_type=kind, metadata={**metadata, **doubt})


def rejected_of(task: Task, stage: str, reason: str, sample: Sample | None, score: float | None = None) -> Rejected:
    """Return a rejected candidate of a task."""
    return Rejected(scenario_of(task, sample), stage, reason, score, sample)


def scenario_of(task: Task, sample: Sample | None = None) -> Scenario:
    """Return a scenario that describes a task in the result of a run.

    Its type and sections are those of `sample`. Without a sample, they are the first type and all sections of the task.
    """
    section = task.section_of(sample) if sample else task.sections[0]
    sections = [section] if sample and task.kind == PROPOSE else task.sections
    return Scenario(
        scenario_id=task.task_id,
        synthesizer=task.kind,
        question_type=sample.question_type if sample else task.types[0],
        chunk_ids=tuple(chunk_id for part in sections for chunk_id in part.chunk_ids),
        language=section.language,
    )
