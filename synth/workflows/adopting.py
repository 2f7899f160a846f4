"""The verb adopt: a set made elsewhere becomes a testset, its evidence located in the corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.core.containment import Contained, contained, contained_so_far
from synth.core.errors import ConfigError, RecordError
from synth.core.installation import versions
from synth.core.jsonl import dumps, sample_to_row, write_atomic, write_rows
from synth.core.progress import Progress, Silent
from synth.core.records import Skipped
from synth.corpus.graph_builder import build
from synth.generation.filters.base import Corpus, Filter, SetFilter
from synth.testset.adoption import AdoptedRow, RefusedRow, adopt_row, judged, locator, origin
from synth.testset.foreign.files import read_records
from synth.testset.foreign.rows import Records
from synth.testset.foreign.shapes import foreign, renaming
from synth.testset.locating import MIN_SCORE, Locator
from synth.testset.manifest import adopted_manifest, paths
from synth.testset.verification import refusals
from synth.workflows.assembly import set_filters
from synth.workflows.session import chunks_of, corpus_of, load_sources, opened
from synth.workflows.settings import Settings

ALL_FILTERS = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """On which terms rows are adopted.

    `fields` names the field of the file by what it is (question, answer, passage, document, id), where synth does
    not know it; `min_score` is how alike a text must be that is not quite the same; `narrow` takes of each passage
    the sentences with the answer; `drop` names the filters whose refusals keep a row out, or "all".
    """

    fields: Mapping[str, str] | None = None
    min_score: float = MIN_SCORE
    narrow: bool = False
    drop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0.5 <= self.min_score <= 1:
            raise ConfigError(f"min_score must be from 0.5 to 1, was {self.min_score}")
        renaming(self.fields or {})


@dataclass(frozen=True, slots=True)
class Adoption:
    """What `adopt` made: the rows, those that are none, and where they were written; `contained` says what raised."""

    rows: tuple[AdoptedRow, ...]
    refused: tuple[RefusedRow, ...]
    skipped: tuple[Skipped, ...]
    output: Path
    rejected: Path
    contained: tuple[Contained, ...] = ()

    @property
    def hows(self) -> Mapping[str, int]:
        """How many rows were found in which way."""
        return Counter(row.how for row in self.rows)

    @property
    def filters(self) -> Mapping[str, int]:
        """How many of the rows each filter refuses."""
        return dict(sorted(Counter(name for row in self.rows for name in refusals(row.sample)).items()))

    @property
    def ambiguous(self) -> tuple[AdoptedRow, ...]:
        """The rows with evidence that stands in other places as well."""
        return tuple(row for row in self.rows if any(place.others for place in row.places))


def adopt(
    file: Path,
    sources: Sequence[Any],
    output: Path,
    settings: Settings | None = None,
    progress: Progress | None = None,
    terms: Terms | None = None,
) -> Adoption:
    """Make a testset of a set made elsewhere, and write it to `output`, with what was not adopted and a manifest.

    The evidence of each row is located in the corpus: as it stands, else but for markup, white space, width and
    script, else by likeness. Filters that need no model are asked, and what they say is written. Raises InputError
    when the file or the corpus cannot be read, ConfigError for terms that make no sense.
    """
    settings, progress, terms = settings or Settings(), progress or Silent(), terms or Terms()
    if output.resolve() == file.resolve():
        raise ConfigError(
            f"the set to adopt and the output are both {file}, which would be overwritten; name another with -o"
        )
    records = read_records(file)
    without_model = replace(settings, model=replace(settings.model, name=""))
    with opened(without_model) as (store, parts):
        _check_filters(terms, parts.filters, set_filters(without_model))
        loaded = load_sources(sources, settings)
        graph, _ = build(loaded.documents, chunks_of(loaded.documents, settings, store), (), store)
        corpus, of_set = corpus_of(graph, settings), set_filters(without_model, parts.encoder)
        where = locator(corpus, terms.min_score)
        with progress.stage("adopting", len(records.rows)) as stage:
            outcomes = []
            for outcome in _outcomes(file.name, records, corpus, where, parts.filters, of_set, terms):
                outcomes.append(outcome)
                stage.advance()
        left_out = contained_so_far()
    rows = tuple(one for one in outcomes if isinstance(one, AdoptedRow))
    refused = [one for one in outcomes if isinstance(one, RefusedRow)]
    refused += [RefusedRow(damaged.line, damaged.reason) for damaged in records.damaged]
    rejected, manifest_path = paths(output)
    done = Adoption(rows, tuple(sorted(refused, key=lambda one: one.line)), loaded.skipped, output, rejected, left_out)
    manifest = adopted_manifest(
        [row.sample for row in rows],
        loaded.documents,
        loaded.skipped,
        versions(),
        [*parts.filters, *of_set],
        {
            "file": file.name,
            "rows": len(records.rows),
            "found": dict(sorted(done.hows.items())),
            "refused": len(refused),
        },
        left_out,
    )
    _write(done, records, manifest, manifest_path)
    return done


def _outcomes(
    file: str,
    records: Records,
    corpus: Corpus,
    where: Locator,
    filters: Sequence[Filter],
    set_filters: Sequence[SetFilter],
    terms: Terms,
) -> Iterator[AdoptedRow | RefusedRow]:
    lines: dict[str, int] = {}
    for line, record in records.rows:
        with contained("adopting", f"{file}:{line}") as guard:
            outcome = _outcome(file, line, record, corpus, where, filters, set_filters, terms, lines)
        yield RefusedRow(line, f"could not be dealt with: {guard.error}") if guard.error else outcome


def _outcome(
    file: str,
    line: int,
    record: Mapping[str, Any],
    corpus: Corpus,
    where: Locator,
    filters: Sequence[Filter],
    set_filters: Sequence[SetFilter],
    terms: Terms,
    lines: dict[str, int],
) -> AdoptedRow | RefusedRow:
    """What becomes of one record; `lines` are those of the rows so far, by id."""
    try:
        row = foreign(record, f"{file}:{line}", terms.fields)
    except RecordError as error:
        return RefusedRow(line, str(error))
    outcome = adopt_row(line, row, corpus, where, narrow=terms.narrow)
    if isinstance(outcome, RefusedRow):
        return outcome
    held = replace(outcome.sample, provenance={"author": "adopted", "model": None, "synth": versions()["synth"]})
    known = lines.setdefault(held.id, line)
    if known != line:
        return RefusedRow(line, f"line {known} has the same question and the same evidence")
    sample = judged(held, corpus, filters, set_filters)
    against = [name for name in refusals(sample) if name in terms.drop or ALL_FILTERS in terms.drop]
    if against:
        return RefusedRow(line, f"{against[0]}: {refusals(sample)[against[0]]}")
    for filter_ in set_filters:
        filter_.hold(sample)
    told = {**sample.metadata, "adopted": origin(file, line, row, outcome.places)}
    return replace(outcome, sample=replace(sample, metadata=told))


def _check_filters(terms: Terms, filters: Sequence[Filter], set_filters: Sequence[SetFilter]) -> None:
    known = sorted([*(filter_.name for filter_ in filters), *(filter_.name for filter_ in set_filters)])
    for name in terms.drop:
        if name not in (*known, ALL_FILTERS):
            raise ConfigError(
                f"no filter '{name}' is asked when a set is adopted; asked are {', '.join(known)}, or name 'all'"
            )


def _write(done: Adoption, records: Records, manifest: Mapping[str, Any], manifest_path: Path) -> None:
    held = dict(records.rows)
    write_rows(done.output, (sample_to_row(row.sample) for row in done.rows))
    lines = ({"line": one.line, "reason": one.reason, "row": held.get(one.line)} for one in done.refused)
    write_atomic(done.rejected, "".join(dumps(line) + "\n" for line in lines))
    write_atomic(manifest_path, json.dumps(manifest, ensure_ascii=False, indent=2) + "\n")
