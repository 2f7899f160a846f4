"""Sets that are written: whole or not at all, never over people's work, and never over more than they are.

`write_set` writes every set, and `check_no_set` keeps other outputs from sets. `Making` says what a set is made of;
`check_replaceable` refuses an output with a set that was made of something else. `Replaced` is the set that `generate`
finds at its output, which depends on what it makes.
"""

from __future__ import annotations

import json
import os
import shlex
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from synth.annotation.acceptance import UNDECIDED, UNREVIEWED
from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import SKIP, decided_hashes
from synth.core.errors import ConfigError, InputError, Notice, RecordError
from synth.core.input_files import bytes_of, enclosed
from synth.core.jsonl import lines_of, numbered_lines, parsed_line, read_samples, row_to_sample
from synth.core.output_files import check_output
from synth.core.records import Document
from synth.core.swapping import Swap, is_stream, swap
from synth.core.terminal import counted
from synth.core.written_json import indented
from synth.testset.dataset import Item
from synth.testset.manifest import beside, paths
from synth.testset.refused import PEOPLE_STAGE, Refused, read_refused
from synth.testset.stored_manifest import Manifest, SetPart, check_format, manifest_of
from synth.testset.update.history import set_hash, versions_of

_ADVICE = "name another file with -o, or replace it with --force"
_PARTIAL, _REVIEWED = "partial", "reviewed"
_COMPANIONS = ("rejected.jsonl", "retired.jsonl", "manifest.json")


class FewerRows(Notice):
    """A set is about to be replaced by a smaller one."""


PEOPLE = ("annotation", "adopted")
"""Parts of a manifest that say that people wrote or decided on the rows."""

Version = tuple[str, str]
"""A row as a decision names it: its id and the hash of its texts."""


def decided(testset: Path) -> frozenset[Version]:
    """The rows of a set, and its refused candidates, on which people decided in a review of it."""
    log = store_path(testset)
    if is_stream(testset) or not log.is_file():
        return frozenset()
    with Decisions(log) as decisions:
        kept = [stored.annotation for stored in decisions.all()]
    return frozenset((one.sample_id, one.sample_hash) for one in kept if one.decision != SKIP)


@dataclass(frozen=True, slots=True)
class Making:
    """How a set is made: by which command, from the set or file `given`, which `of` names.

    `of` is the hash of the first version of a set, so that its later versions count as the same, the name of a file
    that is no set of synth, and "" for a pipe.
    """

    by: str
    given: Path
    of: str

    @classmethod
    def of_set(cls, by: str, testset: Path) -> Making:
        """The making of a set from another."""
        if is_stream(testset):
            return cls(by, testset, "")
        versions = versions_of(manifest_of(testset))
        return cls(by, testset, versions[0].hash if versions else set_hash(lines_of(testset)))

    def recorded(self, manifest: Mapping[str, Any], lines: Iterable[str]) -> dict[str, Any]:
        """The manifest of a set of these lines, with how it was made and the hash by which an edit shows."""
        of_set = {**manifest.get("set", {}), "hash": set_hash(lines)}
        return {**manifest, "set": of_set, "made": {"by": self.by, "of": self.of}}

    def made(self, output: Path, manifest: Manifest) -> bool:
        """Whether the set at `output` was made like this, and nobody edited it since."""
        recorded = manifest.get("made", {})
        is_same = (recorded.get("by"), recorded.get("of")) == (self.by, self.of)
        return bool(self.of) and is_same and manifest.get("set", {}).get("hash") == set_hash(lines_of(output))

    def repeats(self, output: Path) -> bool:
        """Whether the set at `output` has the rows of the given file."""
        return self.given.is_file() and set_hash(lines_of(self.given)) == set_hash(lines_of(output))


def check_replaceable(output: Path, making: Making, *, force: bool = False) -> None:
    """Raise ConfigError where `output` is no place for a file, or has something that a command would not make again.

    Replaced are the set that the command was given, a set that the same command made of the same one and that nobody
    edited or reviewed since, and with `force` anything. Called before anything is read for the new set, or spent on it.
    Raises InputError for a set of a later synth.
    """
    check_output(output)
    check_format(output)
    manifest = manifest_of(output)  # also finishes a swap that was cut off
    if is_stream(output) or not output.is_file() or not output.stat().st_size:
        return
    if force or output.resolve() == making.given.resolve():
        return
    if reviewed := decided(output):
        raise ConfigError(f"{output} {_reviewed(output, reviewed)}; {_ADVICE}")
    if not (making.repeats(output) or making.made(output, manifest)):
        raise ConfigError(f"{output} is there and was not made by {making.by} from {making.given.name}; {_ADVICE}")


def _reviewed(output: Path, reviewed: frozenset[Version]) -> str:
    return f"holds the work of people: {counted(len(reviewed), 'decision')} in {store_path(output).name}"


def check_no_set(*outputs: Path | None, may_be_folder: bool = False) -> None:
    """Raise ConfigError where an output that is no set is no place for a file, or would replace a set.

    Called before anything is read for it, or spent on it.
    """
    for output in filter(None, outputs):
        if not (may_be_folder and output.name and output.is_dir()):
            check_output(output)
        if decided(output) or _is_set(output):
            raise ConfigError(f"{output} is a set, which this would replace; name another file with -o")


def check_same_kind(path: Path, content: bytes) -> None:
    """Raise ConfigError where a file is there that is not of the same kind as its new content.

    Of the same kind are tables, JSON and JSONL with mostly the same names of columns or fields, and other files that
    begin alike.
    """
    if is_stream(path) or not path.is_file() or not path.stat().st_size:
        return
    names, known = _column_names(content), _column_names(bytes_of(path))
    if len(names & known) * 2 < len(names | known):
        raise ConfigError(f"{path} is there and is no earlier output of this command; name another file with -o")


def _column_names(content: bytes) -> frozenset[str]:
    """The fields of the first row of JSONL or a JSON list, those of a JSON object, else the cells of the first line."""
    first = content.lstrip().partition(b"\n")[0]
    for text in (first, content):
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
            row = value[0] if isinstance(value, list) and value else value
            if isinstance(row, dict):
                return frozenset(row)
    return frozenset(first.decode("utf-8-sig", "replace").strip().split(","))


def _is_set(path: Path) -> bool:
    """Test whether the first line of a file is a row of a set."""
    if is_stream(path) or not path.is_file():
        return False
    with suppress(InputError, RecordError):
        for _, line in numbered_lines(path):
            Item.from_row(parsed_line(line, "row"), "row")
            return True
    return False


@dataclass(frozen=True, slots=True)
class SetFiles:
    """Contents of a set and of the files beside it: `lines` of its rows, the manifest, and lines of the other files.

    A file that is None stays as it is.
    """

    lines: Sequence[str]
    manifest: Mapping[str, Any] | str | None
    rejected: Iterable[str] | None = None
    retired: Iterable[str] | None = None


def write_set(output: Path, new: SetFiles, *, keep: bool = False, without: Iterable[Path] = ()) -> Path | None:
    """Write a set and the files beside it: all of them are new, or all are old.

    `without` are files to remove. A set that would lose rows on which people decided is not replaced: ConfigError is
    raised, or with `keep` the set is kept beside, with its decisions, and the path of that copy returned. InputError is
    raised for a set of a later synth.
    """
    check_format(output)
    beside_it = {"rejected.jsonl": new.rejected, "retired.jsonl": new.retired}
    contents = {name: list(lines) for name, lines in beside_it.items() if lines is not None}
    lost = _lost(output, new.lines, contents.get("rejected.jsonl"))
    if lost and not keep:
        raise ConfigError(
            f"{counted(len(lost), 'row')} of {output} on which people decided would be lost "
            f"({store_path(output).name}): name another file with -o, "
            f"or write the reviewed rows first with synth annotate accept {shlex.quote(str(output))} -o accepted.jsonl"
        )
    with swap() as files:
        copy = _keep_reviewed(output, files) if lost else None
        for path in without:
            files.remove(path)
        for name, texts in contents.items():
            files.write(beside(output, name), _joined(texts))
        if new.manifest is not None:
            text = new.manifest if isinstance(new.manifest, str) else indented(new.manifest) + "\n"
            files.write(paths(output)[1], text)
        files.write(output, _joined(new.lines))
    return copy


def reviewed_refusals(output: Path, new: Iterable[str]) -> list[str]:
    """The refused candidates of a set on which people decided, without those that the `new` lines have."""
    reviewed = decided(output)
    wanted = reviewed - _versions(new) if reviewed else reviewed
    return [line for line in _lines(paths(output)[0]) if _versions([line]) & wanted] if wanted else []


def refused_by_people(testset: Path) -> list[Refused]:
    """Rows that reviews of a set left out: rejected, undecided, not reviewed, or the wording before an edit.

    Invalid lines are skipped.
    """
    path = paths(testset)[0]
    if is_stream(testset) or not path.is_file():
        return []
    return [row for row in read_refused(path)[0] if row.rejection.get("stage") == PEOPLE_STAGE]


def rejected_by_people(testset: Path) -> list[Refused]:
    """Rows that people rejected, and wordings that people edited: questions that must not be asked again."""
    return [row for row in refused_by_people(testset) if row.rejection.get("reason") not in (UNDECIDED, UNREVIEWED)]


def _joined(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _lines(path: Path) -> list[str]:
    return [line for line in lines_of(path) if line.strip()] if path.is_file() else []


def _lost(output: Path, lines: Iterable[str], rejected: Iterable[str] | None) -> frozenset[Version]:
    """The rows on which people decided that the new `lines` lack, and the refused candidates that both files lack.

    A row that becomes a refused candidate is lost: `annotate accept` writes rows of the set alone.
    """
    reviewed = decided(output)
    if not reviewed:
        return reviewed
    refused, rows = _lines(paths(output)[0]), _versions(lines)
    lost = (reviewed & _versions(_lines(output))) - rows
    return lost | ((reviewed & _versions(refused)) - rows - _versions(refused if rejected is None else rejected))


def _versions(lines: Iterable[str]) -> frozenset[Version]:
    found = set()
    for line in lines:
        try:
            sample = row_to_sample(parsed_line(line, "row"), "row")
        except RecordError:
            continue
        found |= {(sample.id, hash) for hash in decided_hashes(sample)}
    return frozenset(found)


def _keep_reviewed(output: Path, files: Swap) -> Path:
    """Copy a set with all that belongs to it, decisions included, to a name that is free."""
    copy = free_name(output, _REVIEWED)
    with Decisions(store_path(output)) as decisions:
        files.write(store_path(copy), decisions.serialized())
    for name in _COMPANIONS:
        if (source := beside(output, name)).is_file():
            files.write(beside(copy, name), bytes_of(source))
    files.write(copy, bytes_of(output))
    return copy


def free_name(output: Path, kind: str) -> Path:
    """A name beside a set, such as testset.reviewed.jsonl, that no file has."""
    found, number = output.with_name(f"{output.stem}.{kind}{output.suffix}"), 1
    while os.path.lexists(found):
        number += 1
        found = output.with_name(f"{output.stem}.{kind}-{number}{output.suffix}")
    return found


@dataclass(frozen=True, slots=True)
class Target:
    """Where a new set goes: `path`; and the set that stays as it was because the new one is less, None if there is
    none. `without` are files that the new set makes superfluous.
    """

    path: Path
    kept: Path | None = None
    without: tuple[Path, ...] = ()


@dataclass
class Replaced:
    """The set that a run will replace, if any. Checked at once for people's work, later for its corpus.

    A set that `generate` made and nobody touched may be replaced by one of the same corpus: with more rows, another
    seed or another model. Raises ConfigError for a file that holds something else, whose rows are not those that
    its manifest records, or that people adopted, accepted or reviewed; with `force` for none of them.
    """

    output: Path
    force: bool = False
    _manifest: Manifest = field(init=False, default_factory=Manifest)
    _is_there: bool = field(init=False, default=False)
    _is_untouched: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        output = self.output
        self._manifest = manifest_of(output)  # also finishes a swap that was cut off
        self._is_there = output.is_file() and output.stat().st_size > 0
        if not self._is_there:
            self._manifest = {}
            return
        reason = self._reason()
        if reason and not self.force:
            raise ConfigError(f"{output} {reason}; {_ADVICE}")
        self._is_untouched = not reason

    def _reason(self) -> str:
        """Why the set must not be replaced, "" if it may."""
        versions = versions_of(self._manifest)
        if reviewed := decided(self.output):
            return _reviewed(self.output, reviewed)
        if not versions or "settings" not in self._manifest:
            return "is there and was not made by generate"
        if {*PEOPLE} & self._manifest.keys():
            return "holds the work of people"
        if (by := self._manifest.get("made", {}).get("by", "update")) != "update":
            return f"was made by {by}"
        if set_hash(lines_of(self.output)) != versions[-1].hash:
            return "was edited since synth wrote it"
        return ""

    def warn_of_fewer(self, rows: int) -> None:
        """Warn, before the run, that a set of `rows` rows replaces a larger one."""
        before = len(read_samples(self.output).samples) if self._is_there and not is_stream(self.output) else 0
        if before > rows:
            warnings.warn(
                f"{self.output} has {counted(before, 'row')}, and this run puts {rows} in their place; "
                "to keep both, stop it and name another output",
                FewerRows,
                stacklevel=2,
            )

    def check_corpus(self, documents: Sequence[Document]) -> None:
        """Raise ConfigError when the set there has documents and none of them is among these."""
        known = {} if self.force else self._manifest.get("corpus", {}).get("documents", {})
        if known and not any(document.doc_id in known for document in documents):
            raise ConfigError(f"{self.output} is the set of other documents; {_ADVICE}")

    def target(self, rows: int, settings: Mapping[str, Any], *, stopped: bool, is_whole: bool) -> Target:
        """Where a set of `rows` rows, made with `settings`, goes.

        A whole set, one that is what was asked for, replaces the one there. One of a run that was `stopped` replaces
        only an earlier part of a set, also with `force`. One that has too few rows, or a judge that failed, although
        the run came to its end, replaces a set with no more rows, and with `force` any.
        """
        partial = enclosed(self.output.with_name(f"{self.output.stem}.{_PARTIAL}{self.output.suffix}"))
        if not self._is_there or is_stream(self.output):
            return Target(self.output)
        if is_whole:
            return Target(self.output, without=_superseded(partial, settings))
        was_stopped = self._is_untouched and bool(self._set.get("stopped"))
        enough = self._is_untouched and rows >= len(read_samples(self.output).samples)
        if (enough and was_stopped) if stopped else (enough or self.force):
            return Target(self.output)
        return Target(partial if not decided(partial) else free_name(self.output, _PARTIAL), kept=self.output)

    @property
    def _set(self) -> SetPart:
        return self._manifest.get("set", {})


def _superseded(partial: Path, settings: Mapping[str, Any]) -> tuple[Path, ...]:
    """The files of a partial set, where the same settings made it and nobody worked on it."""
    manifest, versions = manifest_of(partial), versions_of(manifest_of(partial))
    is_untouched = bool(versions) and partial.is_file() and set_hash(lines_of(partial)) == versions[-1].hash
    is_same = manifest.get("settings") == json.loads(json.dumps(settings))
    if not (is_untouched and is_same) or store_path(partial).exists():
        return ()
    return (partial, *paths(partial))
