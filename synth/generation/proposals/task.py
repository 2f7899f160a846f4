"""Tasks of a run with a chat model: one request to the author, or candidates for the judge to prove."""

from __future__ import annotations

from dataclasses import dataclass, field

from synth.core.records import Sample, digest
from synth.corpus.sections import Section
from synth.generation.proposals.paths import Path

PROPOSE, ACROSS, EVOLVE, UNANSWERED = "propose", "across", "evolve", "unanswered"
"""Kinds of task for the author."""

PROVE = "prove"
"""Kind of task for the judge: candidates of several tasks of the author, with their evidence."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A candidate that no rule refuses, and the `task` of the author that it comes from.

    `attempt` counts the requests for its proof that failed.
    """

    task: Task
    sample: Sample
    attempt: int = 0

    @property
    def section(self) -> Section:
        """The section that the candidate rests on; of several the first."""
        return self.task.section_of(self.sample)

    @property
    def parent(self) -> Sample | None:
        """The question that the candidate was developed from, or None."""
        return parent_of(self.sample, self.task)


@dataclass(frozen=True, slots=True)
class Task:
    """One request to the author, or candidates to prove: its `kind`, its sections and the types of question.

    `paths` join the sections, `parents` are the questions to develop, each on the section of the same place and
    `into` the types of that place; `attempt`
    counts the earlier requests for this task that failed. `notes_first` is one that reads for the notes, where no
    questions on one passage are missing. `candidates` are those that a task of the kind PROVE has proved.
    """

    kind: str
    sections: tuple[Section, ...]
    types: tuple[str, ...]
    paths: tuple[Path, ...] = ()
    parents: tuple[Sample, ...] = ()
    into: tuple[tuple[str, ...], ...] = ()
    attempt: int = 0
    notes_first: bool = False
    candidates: tuple[Candidate, ...] = field(default=(), repr=False)

    def section_of(self, sample: Sample) -> Section:
        """The section that a question of this task rests on; of several the first."""
        chunks = {piece.chunk_id for piece in sample.evidence}
        return next(
            (section for section in self.sections if not chunks.isdisjoint(section.chunk_ids)), self.sections[0]
        )

    @property
    def task_id(self) -> str:
        """Hash of what is asked; no two tasks of a run have the same."""
        names = [section.section_id for section in self.sections]
        parents = [parent.id for parent in self.parents]
        paths = [[statement.statement_id for statement in path.statements] for path in self.paths]
        proved = [[candidate.sample.id, candidate.attempt] for candidate in self.candidates]
        developed = [parents, self.into]
        name = digest(self.kind, names, self.types, developed, self.attempt, self.notes_first, proved, *paths)
        return f"t-{name[:16]}"


def parent_of(sample: Sample, task: Task) -> Sample | None:
    """The question of a task that a sample was developed from, or None."""
    if not sample.lineage:
        return None
    name = sample.lineage[-1]["parents"][0].get("id")
    return next((parent for parent in task.parents if parent.id == name), None)
