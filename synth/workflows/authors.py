"""Choice of the author of a run: a chat model, or the grammar, which writes questions without a model."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from synth.core.progress import Progress
from synth.core.records import Scenario
from synth.corpus.on_demand import Touched
from synth.generation.admission import RowGoal, RunResult
from synth.generation.pipeline import Checks
from synth.generation.proposals.trial import Trial
from synth.generation.writer import WriterContext
from synth.workflows.portions import GrammarAuthor, writers_of
from synth.workflows.proposing import ChatAuthor
from synth.workflows.session import Run
from synth.workflows.settings import Settings


class Author(Protocol):
    """Author of the rows of a run.

    - `is_free`: true if the author sends no requests, so that rows can be made just to count them.
    - `exchanges_types`: true if the author itself replaces missing rows by rows of other types or levels.
    - `gentle_limits`: maximum shares of rows by tag. They may be exceeded if rows would be missing otherwise.
    - `material`: the corpus and graph that the author reads.
    - `trial`: result of the trial of the chat models, or None.
    """

    @property
    def is_free(self) -> bool: ...

    @property
    def exchanges_types(self) -> bool: ...

    @property
    def gentle_limits(self) -> Mapping[str, float]: ...

    @property
    def material(self) -> WriterContext: ...

    @property
    def trial(self) -> Trial | None: ...

    def prepare(self) -> None:
        """Do what must precede any writing or judging, such as a trial of the models.

        Before this call, no model is asked.
        """

    def rows(self, goal: RowGoal, checks: Checks, progress: Progress) -> RunResult:
        """Return rows of each type, up to the requested number or as many as the documents allow."""

    def scenarios(self, types: Mapping[str, int]) -> Mapping[str, Sequence[Scenario]]:
        """Return the possible scenarios by question type. A scenario is a plan of one question with its evidence."""

    def learn(self, outcome: RunResult) -> None:
        """Store what later runs can learn from the rows of this run."""

    def on_demand(self) -> Mapping[str, Touched]:
        """Return for each transform how many attributes of passages and documents it computed on demand."""


def check_author(settings: Settings) -> None:
    """Raise ConfigError for a question type that the author of the settings cannot write."""
    if settings.author == "grammar":
        writers_of(settings)


def author_of(run: Run, *, brief: str = "", fresh: Collection[str] = (), rows: int = 0) -> Author:
    """Return the author that the settings name.

    `brief` is an existing brief (description) of the documents, or "". `fresh` are ids of documents to read first.
    `rows` is the number of rows that will be requested. Raises InputError if no questions can be asked about any
    document, and ConfigError if the settings leave out the judge of a chat model.
    """
    if run.settings.author == "chat":
        return ChatAuthor(run, brief)
    return GrammarAuthor(run, fresh, rows)
