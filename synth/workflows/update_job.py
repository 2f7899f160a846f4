"""Inputs and result of an update."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.core.containment import ItemError
from synth.core.jsonl import write_atomic
from synth.core.progress import Progress
from synth.core.records import Skipped
from synth.corpus.documents.loading import Loaded
from synth.generation.pipeline import quotas
from synth.testset.manifest import beside
from synth.testset.update.alignment import Alignment
from synth.testset.update.decision import KEEP, Decision, ExistingRow
from synth.testset.update.history import Version, changes_of, count_by_class, first_version, set_hash, versions_of
from synth.workflows.settings import Settings

_WHO = ("name", "base_url", "judge", "judge_url")
"""Settings that name the models."""


@dataclass(frozen=True, slots=True)
class Updated:
    """Result of `update`, or of its dry run: the decision on each row, and the new rows.

    `calls` is the number of calls to a chat model, or an estimate for a dry run; None when unknown. `version` is that
    of the updated set, `shortfall` the missing rows by type, `given_up` the types whose search ended early,
    `untrusted` the reason why no row could be made with the chat model, "" where none was needed or its judge passed
    the trial; `errors` the errors of single items.
    """

    decisions: tuple[Decision, ...]
    new_rows: tuple[Mapping[str, Any], ...]
    wanted: int
    version: Version
    documents: Mapping[str, Any]
    skipped: tuple[Skipped, ...]
    shortfall: Mapping[str, int]
    calls: int | None
    unchanged: bool
    output: Path
    dry_run: bool = False
    given_up: tuple[str, ...] = ()
    untrusted: str = ""
    errors: tuple[ItemError, ...] = ()

    @property
    def review(self) -> tuple[Decision, ...]:
        """The rows that a person has to review."""
        return tuple(decision for decision in self.decisions if decision.review)

    @property
    def counts(self) -> Mapping[str, int]:
        return count_by_class(self.decisions, self.wanted if self.dry_run else len(self.new_rows))

    @property
    def changes(self) -> list[dict[str, Any]]:
        return changes_of(self.decisions, self.new_rows)


@dataclass(frozen=True)
class UpdateJob:
    """Inputs of an update, known before models or the graph are opened."""

    testset: Path
    output: Path
    settings: Settings
    base: Settings
    before: Mapping[str, Any]
    existing: Sequence[ExistingRow]
    loaded: Loaded
    alignment: Alignment
    against: Mapping[str, Any]
    progress: Progress

    @property
    def recut(self) -> bool:
        """True if the chunk settings differ from those of the set."""
        return bool(self.before) and self.base.chunks != self.settings.chunks

    @property
    def asked(self) -> Mapping[str, int]:
        """Original goal of the set: rows by type."""
        goal = self.before.get("set", {}).get("goal")
        return goal or Counter(row.sample.question_type for row in self.existing if row.sample)

    @property
    def targets(self) -> dict[str, int]:
        """Rows to reach, by type: in the original proportions unless the settings change them."""
        total = sum(self.asked.values())
        wanted = self.settings.n if self.settings.n != self.base.n else total
        if dict(self.settings.types) != dict(self.base.types):
            return quotas(self.settings.types, wanted)
        return quotas(self.asked, wanted) if total else {}

    @property
    def nothing_to_do(self) -> bool:
        recorded = self.before.get("set", {}).get("hash")
        edited = recorded is not None and recorded != set_hash(self.lines())
        more = sum(self.targets.values()) > sum(self.asked.values())
        return self.alignment.unchanged and not (self.recut or more or edited or self.unfinished)

    @property
    def is_judge_trusted(self) -> bool:
        """True if the settings say so, or if the judge is the one that passed the trial of the set."""
        model, before = self.settings.model, self.base.model
        same = all(getattr(model, name) == getattr(before, name) for name in _WHO)
        return model.trust or (same and self.before.get("trial", {}).get("judge", False))

    @property
    def unfinished(self) -> bool:
        """True if the last update stopped before it had made every row."""
        rows = sum(row.sample is not None for row in self.existing)
        return bool(self.before.get("set", {}).get("stopped")) and sum(self.targets.values()) > rows

    def lines(self) -> list[str]:
        """The lines of the set as they stand in the file."""
        return [row.text for row in self.existing]

    def history(self) -> tuple[Version, ...]:
        corpus = str(self.before.get("corpus", {}).get("hash", ""))
        return versions_of(self.before) or (first_version(self.lines(), corpus),)

    def copied(self, dry_run: bool) -> Updated:
        """Result of an update without changes: the set is copied to the output if that is another file."""
        if not dry_run and self.output.resolve() != self.testset.resolve():
            for name in ("rejected.jsonl", "retired.jsonl", "manifest.json"):
                if beside(self.testset, name).exists():
                    write_atomic(beside(self.output, name), beside(self.testset, name).read_text(encoding="utf-8"))
            write_atomic(self.output, "".join(line + "\n" for line in self.lines()))
        decisions = tuple(Decision(row, KEEP, row=row.row, sample=row.sample) for row in self.existing)
        return Updated(decisions, (), 0, self.history()[-1], {}, self.loaded.skipped, {}, 0, True, self.output)
