"""Tasks of a run with a chat model: a request to the author, or candidates for the judge to check."""

from __future__ import annotations

from dataclasses import dataclass, field

from synth.core.records import Sample, digest
from synth.corpus.sections import Section
from synth.generation.proposals.paths import Path

PROPOSE, JOIN, ACROSS, EVOLVE, UNANSWERED = "propose", "join", "across", "evolve", "unanswered"
"""Kinds of task for the author."""

PROVE = "prove"
"""Kind of task for the judge: check candidates of several author tasks against their evidence."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Question that passed the filters without a model, and the author task that produced it.

    `attempt` is the number of failed requests to judge it.
    """

    task: Task
    sample: Sample
    attempt: int = 0

    @property
    def section(self) -> Section:
        """Section that contains the candidate's evidence; the first if there are several."""
        return self.task.section_of(self.sample)

    @property
    def parent(self) -> Sample | None:
        """Question that the candidate was developed from, or None."""
        return parent_of(self.sample, self.task)


@dataclass(frozen=True, slots=True)
class Task:
    """One request to the author, or candidates to judge: its `kind`, its sections and the question types.

    `paths` join the sections. `parents` are the questions to develop. Each parent has its section at the same index of
    `sections`, and its target types at the same index of `into`. `attempt` is the number of earlier failed requests for
    this task. `candidates` are the candidates of a task of kind PROVE.
    """

    kind: str
    sections: tuple[Section, ...]
    types: tuple[str, ...]
    paths: tuple[Path, ...] = ()
    parents: tuple[Sample, ...] = ()
    into: tuple[tuple[str, ...], ...] = ()
    attempt: int = 0
    candidates: tuple[Candidate, ...] = field(default=(), repr=False)

    def section_of(self, sample: Sample) -> Section:
        """Return the section that contains the evidence of a question; the first if there are several."""
        chunks = {piece.chunk_id for piece in sample.evidence}
        return next(
            (section for section in self.sections if not chunks.isdisjoint(section.chunk_ids)), self.sections[0]
        )

    @property
    def task_id(self) -> str:
        """Hash of the content of the task. No two tasks of a run have the same id."""
        names = [section.section_id for section in self.sections]
        parents = [parent.id for parent in self.parents]
        paths = [[statement.statement_id for statement in path.statements] for path in self.paths]
        proved = [[candidate.sample.id, candidate.attempt] for candidate in self.candidates]
        developed = [parents, self.into]
        name = digest(self.kind, names, self.types, developed, self.attempt, proved, *paths)
        return f"t-{name[:16]}"


def parent_of(sample: Sample, task: Task) -> Sample | None:
    """Return the parent of a sample among the questions of `task.parents`, or None if it has none there."""
    if not sample.lineage:
        return None
    name = sample.lineage[-1]["parents"][0].get("id")
    return next((parent for parent in task.parents if parent.id == name), None)
