"""The author of a run: a chat model or the grammar. This is the one place that chooses."""

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
from synth.workflows.assembly import check_types
from synth.workflows.portions import GrammarAuthor, writers_of
from synth.workflows.proposing import ChatAuthor
from synth.workflows.session import Run
from synth.workflows.settings import Settings


class Author(Protocol):
    """Author of the rows of a run.

    One that `is_free` may be tried out. `exchanges_types` tells that types make up for one another within a search,
    where no levels of difficulty are asked for. `gentle_limits` are the largest shares of rows with a tag, by tag, that
    give way when rows would be missing. `trial` is that of a model, where one was made.
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
        """Do what must be done before rows are written, or judged, with a model; nothing is asked before."""

    def rows(self, goal: RowGoal, checks: Checks, progress: Progress) -> RunResult:
        """Rows of each type, as many as wanted or as the documents give."""

    def scenarios(self, types: Mapping[str, int]) -> Mapping[str, Sequence[Scenario]]:
        """What could be asked about, by type."""

    def learn(self, outcome: RunResult) -> None:
        """Keep what later runs can learn from the rows of this one."""

    def on_demand(self) -> Mapping[str, Touched]:
        """Counts of the attributes of passages and documents that were read on demand, by transform."""


def check_author(settings: Settings) -> None:
    """Raise ConfigError for a question type that is unknown, or that the author of the settings does not write."""
    check_types(settings)
    if settings.author == "grammar":
        writers_of(settings)


def author_of(run: Run, *, brief: str = "", fresh: Collection[str] = (), rows: int = 0) -> Author:
    """The author that the settings name.

    `brief` is that of the documents, where there is one already; `fresh` are the documents that are read first, `rows`
    the number of rows that will be wanted. Raises InputError when no document can have questions, ConfigError for
    settings that leave the judge of a chat model out.
    """
    if run.settings.author == "chat":
        return ChatAuthor(run, brief)
    return GrammarAuthor(run, fresh, rows)
