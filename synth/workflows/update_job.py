"""Inputs and result of an update: the set with its settings and rows, the documents, and the decision on each row."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.annotation.records import decided_hashes
from synth.core.containment import ItemError
from synth.core.errors import InputError
from synth.core.jsonl import dumps, lines_of, read_samples
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress
from synth.core.records import Skipped
from synth.core.terminal import counted
from synth.corpus.documents.kept import KeptDocuments
from synth.generation.admission import Barren
from synth.generation.pipeline import quotas
from synth.testset.manifest import beside
from synth.testset.stored_manifest import Manifest, manifest_of
from synth.testset.update.alignment import Alignment
from synth.testset.update.decision import GENERATE, KEEP, Decision, ExistingRow
from synth.testset.update.history import Changes, Version, first_version, set_hash, versions_of
from synth.workflows.assembly import filters_of_set
from synth.workflows.overwriting import Making, SetFiles, decided, refused_by_people, reviewed_refusals, write_set
from synth.workflows.settings import NAMES_OF_MODELS, ModelSettings, Settings, recorded_model, restored


def settings_of_set(testset: Path, model: ModelSettings | None = None) -> Settings:
    """Return the settings that a set may decide, from its manifest.

    Without a manifest, the number of rows of each type is kept. Models, addresses, keys, files and folders are left to
    the user: `model` is the chat model, and the others have their defaults.
    """
    manifest = manifest_of(testset)
    if not manifest:
        types = Counter(sample.question_type for sample in read_samples(testset).samples)
        return Settings(n=types.total(), types=dict(types)) if types else Settings()
    settings = replace(restored(manifest.get("settings", {}), model), filters=filters_of_set(manifest))
    if manifest.get("set", {}).get("goal"):
        return settings
    rows = len(read_samples(testset).samples)  # a set without a goal, such as an accepted set, keeps its number of rows
    return replace(settings, n=rows) if rows else settings


def held_rows(testset: Path) -> list[ExistingRow]:
    """Return the lines of a set with the rows that they contain. Raises InputError if the set contains no valid row."""
    read, lines = read_samples(testset), lines_of(testset)
    samples = dict(zip(read.lines, read.samples, strict=True))
    damage = {damaged.line: damaged.reason for damaged in read.damaged}
    rows, reviewed = [], decided(testset)
    for number, text in enumerate(lines, start=1):
        if number in samples:
            sample = samples[number]
            is_reviewed = bool(reviewed) and any((sample.id, hash) in reviewed for hash in decided_hashes(sample))
            row = json.loads(text.removeprefix("\ufeff"))
            rows.append(ExistingRow(number, text, row, sample, reviewed=is_reviewed))
        elif number in damage:
            rows.append(ExistingRow(number, text, damage=damage[number]))
    if not samples:
        hint = f"; the first damaged line: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {testset} contains no row to update{hint}")
    return rows


@dataclass(frozen=True, slots=True, repr=False)
class Updated(Tabular):
    """Result of `update`, or of its dry run: the decision on each row, and the new rows.

    - `wanted`: number of rows to make.
    - `calls`: number of calls to a chat model, or an estimate for a dry run; None if unknown.
    - `version`: version of the updated set.
    - `shortfall`: number of rows by type that could not be made.
    - `given_up`: question types that were given up after many tries without a row.
    - `barren`: the reason why the corpus was not read to its end, or None.
    - `untrusted`: the reason why the chat model could make no row; "" if none was needed or its judge passed the trial.
    - `errors`: errors of single items.
    - `reviewed`: path of a copy of the replaced set with people's decisions; None if no decision would have been lost.
    - `untaken`: ids of rows with decisions in the log beside the set, which `accept` has not applied.
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
    barren: Barren | None = None
    untrusted: str = ""
    errors: tuple[ItemError, ...] = ()
    reviewed: Path | None = None
    untaken: tuple[str, ...] = ()

    @property
    def review(self) -> tuple[Decision, ...]:
        """Decisions that a person must review."""
        return tuple(decision for decision in self.decisions if decision.review)

    @property
    def counts(self) -> Mapping[str, int]:
        """Number of rows by class of decision. A dry run counts the rows that it would make."""
        counts = self._changes.counts
        return {**counts, GENERATE: self.wanted} if self.dry_run and self.wanted else counts

    def notebook_table(self) -> NotebookTable:
        decided = [
            [one.kind, one.review or one.reason, one.existing.row.get("question", "")]
            for one in self.decisions
            if one.kind != KEEP or one.review
        ]
        rows = [*decided, *(["generate", "", row["question"]] for row in self.new_rows)]
        note = ", ".join(f"{count} {kind}" for kind, count in self.counts.items())
        return NotebookTable(["class", "because", "question"], rows, "; ".join([note, *self.warnings]))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings: decisions that `accept` has not applied, and rows that a person has to review."""
        lines = []
        if self.untaken:
            rows = counted(len(self.untaken), "row")
            lines.append(f"decisions on {rows} are not applied yet; call accept first, then update the accepted set")
        if self.review:
            need = "row needs" if len(self.review) == 1 else "rows need"
            calls = "" if self.dry_run else f": review({str(self.output)!r}, ReviewSettings(raised=True)), then accept"
            lines.append(f"{len(self.review)} {need} review{calls}")
        return tuple(lines)

    @property
    def changes(self) -> list[dict[str, Any]]:
        """Class of decision, reason and documents of each row, new ones included. Rows simply kept are left out."""
        return self._changes.rows

    @property
    def _changes(self) -> Changes:
        return Changes(self.decisions, self.new_rows, self.documents)


@dataclass(frozen=True)
class UpdateJob:
    """Inputs of an update, known before models or the graph are opened.

    `set_settings` are the settings of the set. `manifest` is its manifest, or {}. `against` describes the set whose
    questions must not be repeated, or {}. With `force`, any existing output is replaced.
    """

    testset: Path
    output: Path
    settings: Settings
    set_settings: Settings
    manifest: Manifest
    existing: Sequence[ExistingRow]
    loaded: KeptDocuments
    alignment: Alignment
    against: Mapping[str, Any]
    progress: Progress
    making: Making
    force: bool = False

    @property
    def chunking_changed(self) -> bool:
        """Whether the chunk settings differ from those of the set."""
        return bool(self.manifest) and self.set_settings.chunks != self.settings.chunks

    @property
    def original_goal(self) -> Mapping[str, int]:
        """Original goal of the set: number of rows by type."""
        goal = self.manifest.get("set", {}).get("goal")
        return goal or self._present

    @property
    def targets(self) -> dict[str, int]:
        """Number of rows to reach, by type. The original proportions hold unless the settings change them."""
        total = sum(self.original_goal.values())
        wanted = self.settings.n if self.settings.n != self.set_settings.n else total
        if dict(self.settings.type_shares) != dict(self.set_settings.type_shares):
            return quotas(self.settings.type_shares, wanted)
        return quotas(self.original_goal, wanted) if total else {}

    def missing_rows(self, kept: Mapping[str, int]) -> dict[str, int]:
        """Return the number of rows to make by type. `kept` is the number of rows by type that stay.

        If rows of some types exceed their target, fewer rows of the others are made, so that the total is not exceeded.
        """
        lacking = {kind: max(0, count - kept.get(kind, 0)) for kind, count in self.targets.items()}
        room = max(0, sum(self.targets.values()) - sum(kept.values()))
        if sum(lacking.values()) <= room:
            return lacking
        return quotas(lacking, room) if room else dict.fromkeys(lacking, 0)

    @property
    def nothing_to_do(self) -> bool:
        """Whether the corpus and the set are unchanged and no further rows are requested."""
        recorded = self.manifest.get("set", {}).get("hash")
        edited = recorded is not None and recorded != set_hash(self.lines())
        is_new_goal = self.targets != dict(self.original_goal) and any(self.missing_rows(self._present).values())
        asks_others = self.set_settings.corpus.distractors != self.settings.corpus.distractors
        return self.alignment.unchanged and not (
            self.chunking_changed or asks_others or is_new_goal or edited or self.unfinished
        )

    @property
    def is_judge_trusted(self) -> bool:
        """Whether the settings trust the judge, or the same models passed a trial when the set was written."""
        model, trial = self.settings.model, self.manifest.get("trial", {})
        same = recorded_model(self.manifest.get("settings", {})) == replace(
            ModelSettings(), **{name: getattr(model, name) for name in NAMES_OF_MODELS}
        )
        return model.trust or (same and trial.get("judge", False))

    @property
    def unfinished(self) -> bool:
        """Whether the last run stopped before it had made every row."""
        stopped = bool(self.manifest.get("set", {}).get("stopped"))
        return stopped and sum(self.targets.values()) > self._present.total()

    @property
    def _present(self) -> Counter[str]:
        """Number of rows of the set by type, without damaged lines."""
        return Counter(row.sample.question_type for row in self.existing if row.sample)

    @property
    def untaken(self) -> tuple[str, ...]:
        """Ids of the rows with decisions in the log beside the set."""
        return tuple(row.sample.id for row in self.existing if row.sample and row.reviewed)

    @property
    def is_in_place(self) -> bool:
        """Whether the updated set replaces the given set."""
        return self.output.resolve() == self.testset.resolve()

    def rejected_lines(self, new: Sequence[str] | None, rows: Sequence[str]) -> list[str] | None:
        """Return the lines for the file of refused candidates beside the updated set, which consists of `rows`.

        None means that the file stays unchanged. `new` are the candidates refused in this update, None if no row was
        searched for. They replace earlier candidates, except those on which people decided. If `new` is None and the
        output is another file, the candidates of the given set are copied.
        """
        if new is None:
            given = None if self.is_in_place else self._lines("rejected.jsonl")
            return given and [*given, *reviewed_refusals(self.output, given)]
        present = {json.loads(line).get("id") for line in rows}
        people = [dumps(one.row) for one in refused_by_people(self.testset) if one.row.get("id") not in present]
        kept = [*new, *people]
        for testset in dict.fromkeys((self.testset, self.output)):
            kept += reviewed_refusals(testset, kept)
        return kept

    def lines(self) -> list[str]:
        """Return the lines of the set exactly as in the file."""
        return [row.text for row in self.existing]

    def history(self) -> tuple[Version, ...]:
        """Return the versions of the set, the oldest first."""
        corpus = self.manifest.get("corpus", {}).get("hash", "")
        return versions_of(self.manifest) or (first_version(self.lines(), corpus),)

    def copied(self, dry_run: bool) -> Updated:
        """Copy the set and its files to another output. Return the result of an update without changes."""
        reviewed = None
        if not dry_run and not self.is_in_place:
            text = self._lines("manifest.json", whole=True)
            copy = SetFiles(
                self.lines(), text[0] if text else None, self._lines("rejected.jsonl"), self._lines("retired.jsonl")
            )
            reviewed = write_set(self.output, copy, keep=self.force)
        decisions = tuple(Decision(row, KEEP, row=row.row, sample=row.sample) for row in self.existing)
        return Updated(
            decisions=decisions,
            new_rows=(),
            wanted=0,
            version=self.history()[-1],
            documents={},
            skipped=self.loaded.skipped,
            shortfall={},
            calls=0,
            unchanged=True,
            output=self.output,
            reviewed=reviewed,
            untaken=self.untaken,
        )

    def _lines(self, name: str, *, whole: bool = False) -> list[str] | None:
        """Return the lines of a file beside the set; with `whole`, its text as one item. None if it does not exist."""
        source = beside(self.testset, name)
        if not source.exists():
            return None
        text = "\n".join(lines_of(source))
        return [text] if whole else text.removesuffix("\n").split("\n")
