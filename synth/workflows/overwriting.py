"""Protection of existing sets: a set is written completely or not at all, and people's work is never overwritten.

`write_set` writes every set. `check_no_set` keeps other outputs from replacing a set. `Making` records which command
made a set and from which file. `check_replaceable` refuses an output whose set was made from something else. `Replaced`
is the existing set at the output of `generate`.
"""

from __future__ import annotations

import json
import os
import shlex
import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
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

_ADVICE = "name another output with -o, or replace it with --force"
_PARTIAL, _REVIEWED = "partial", "reviewed"
_COMPANIONS = ("rejected.jsonl", "retired.jsonl", "manifest.json")


class FewerRows(Notice):
    """Warning that a set will be replaced by a smaller one."""


PEOPLE = ("annotation", "adopted")
"""Parts of a manifest that show that people wrote or decided on the rows."""

Version = tuple[str, str]
"""Key of a row in decisions: its id and the hash of its texts."""


def decided(testset: Path) -> frozenset[Version]:
    """Return the rows and refused candidates of a set that people decided on in a review."""
    log = store_path(testset)
    if is_stream(testset) or not log.is_file():
        return frozenset()
    with Decisions(log) as decisions:
        kept = [stored.annotation for stored in decisions.all()]
    return frozenset((one.sample_id, one.sample_hash) for one in kept if one.decision != SKIP)


@dataclass(frozen=True, slots=True)
class Making:
    """The command `by` that makes a set, and the input file or set `given`.

    `of` identifies the input. For a set, it is the hash of the set's first version, so that later versions count as the
    same set. For another file, it is the file name; for a pipe, "".
    """

    by: str
    given: Path
    of: str

    @classmethod
    def of_set(cls, by: str, testset: Path) -> Making:
        """Return how the command `by` makes a set from another set."""
        if is_stream(testset):
            return cls(by, testset, "")
        versions = versions_of(manifest_of(testset))
        return cls(by, testset, versions[0].hash if versions else set_hash(lines_of(testset)))

    def recorded(self, manifest: Mapping[str, Any], lines: Iterable[str]) -> dict[str, Any]:
        """Return the manifest with two additions: how the set was made, and a hash of its lines.

        The hash reveals later edits.
        """
        of_set = {**manifest.get("set", {}), "hash": set_hash(lines)}
        return {**manifest, "set": of_set, "made": {"by": self.by, "of": self.of}}

    def made(self, output: Path, manifest: Manifest) -> bool:
        """Return whether the set at `output` was made in this way and not edited since."""
        recorded = manifest.get("made", {})
        is_same = (recorded.get("by"), recorded.get("of")) == (self.by, self.of)
        return bool(self.of) and is_same and manifest.get("set", {}).get("hash") == set_hash(lines_of(output))

    def repeats(self, output: Path) -> bool:
        """Return whether the set at `output` contains the same rows as the given file."""
        return self.given.is_file() and set_hash(lines_of(self.given)) == set_hash(lines_of(output))


def check_replaceable(output: Path, making: Making, *, force: bool = False) -> None:
    """Raise ConfigError if `output` cannot be a file, or contains something that the command could not make again.

    A command may replace the set it was given. It may also replace a set that the same command made from the same set,
    unless somebody edited or reviewed it since. With `force`, it may replace anything. Call this before reading
    documents or sending requests. Raises InputError for a set of a later version of synth.
    """
    check_output(output)
    check_format(output)
    manifest = manifest_of(output)  # also finishes an interrupted swap
    if is_stream(output) or not output.is_file() or not output.stat().st_size:
        return
    if force or output.resolve() == making.given.resolve():
        return
    if reviewed := decided(output):
        raise ConfigError(f"{output} {_reviewed(output, reviewed)}; {_ADVICE}")
    if not (making.repeats(output) or making.made(output, manifest)):
        raise ConfigError(
            f"{output} already exists and was not made by {making.by} from {making.given.name}; {_ADVICE}"
        )


def _reviewed(output: Path, reviewed: frozenset[Version]) -> str:
    return f"contains the work of people: {counted(len(reviewed), 'decision')} in {store_path(output).name}"


def check_no_set(*outputs: Path | None, may_be_folder: bool = False) -> None:
    """Raise ConfigError for an output that is not a set, if it cannot be a file or would replace a set.

    Call this before reading documents or sending requests.
    """
    for output in filter(None, outputs):
        if not (may_be_folder and output.name and output.is_dir()):
            check_output(output)
        if decided(output) or _is_set(output):
            raise ConfigError(f"{output} is a testset, and this output would replace it; name another output with -o")


def check_same_kind(path: Path, content: bytes) -> None:
    """Raise ConfigError if the existing file is of another kind than its new content.

    Tables, JSON and JSONL are of the same kind if at least half of their column or field names agree. Other files are
    of the same kind if their first lines agree.
    """
    if is_stream(path) or not path.is_file() or not path.stat().st_size:
        return
    names, known = _column_names(content), _column_names(bytes_of(path))
    if len(names & known) * 2 < len(names | known):
        raise ConfigError(
            f"{path} already exists and is not an earlier output of this command; name another output with -o"
        )


def _column_names(content: bytes) -> frozenset[str]:
    """Return the field names of the first JSON object, or else the cells of the first line.

    The object is the content itself, the first line of JSONL, or the first item of a JSON list.
    """
    first = content.lstrip().partition(b"\n")[0]
    for text in (first, content):
        with suppress(ValueError, RecursionError):
            value = json.loads(text)
            row = value[0] if isinstance(value, list) and value else value
            if isinstance(row, dict):
                return frozenset(row)
    return frozenset(first.decode("utf-8-sig", "replace").strip().split(","))


def _is_set(path: Path) -> bool:
    """Return whether the first line of a file is a row of a set."""
    if is_stream(path) or not path.is_file():
        return False
    with suppress(InputError, RecordError):
        for _, line in numbered_lines(path):
            Item.from_row(parsed_line(line, "row"), "row")
            return True
    return False


@dataclass(frozen=True, slots=True)
class SetFiles:
    """Contents of a set and of the files beside it: its lines, its manifest, and lines of the other files.

    If a part is None, its file is left unchanged.
    """

    lines: Sequence[str]
    manifest: Mapping[str, Any] | str | None
    rejected: Iterable[str] | None = None
    retired: Iterable[str] | None = None


def write_set(output: Path, new: SetFiles, *, keep: bool = False, without: Iterable[Path] = ()) -> Path | None:
    """Write a set and the files beside it. Either all files are new afterwards, or all are unchanged.

    `without` are files to remove. Raises ConfigError if rows would be lost that have decisions in the log beside the
    set. With `keep`, the old set and its decisions are copied instead, and the path of the copy is returned. A copy is
    also made if rows would be lost into which `annotate accept` wrote decisions. Raises InputError for a set of a later
    version of synth.
    """
    check_format(output)
    beside_it = {"rejected.jsonl": new.rejected, "retired.jsonl": new.retired}
    contents = {name: list(lines) for name, lines in beside_it.items() if lines is not None}
    lost = _lost(output, new.lines, contents.get("rejected.jsonl"))
    if lost and not keep:
        raise ConfigError(
            f"{counted(len(lost), 'row')} of {output} with decisions of people would be lost "
            f"({store_path(output).name}): name another output with -o, "
            f"or write the reviewed rows first with synth annotate accept {shlex.quote(str(output))} "
            "--corpus SOURCE -o accepted.jsonl"
        )
    with swap() as files:
        is_copied = lost or (keep and _loses_accepted(output, new.lines, contents.get("rejected.jsonl")))
        copy = _keep_reviewed(output, files) if is_copied else None
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
    """Return the refused candidates on which people decided and which the `new` lines do not contain."""
    reviewed = decided(output)
    wanted = reviewed - _versions(new) if reviewed else reviewed
    return [line for line in _lines(paths(output)[0]) if _versions([line]) & wanted] if wanted else []


def refused_by_people(testset: Path) -> list[Refused]:
    """Return the rows that reviews of a set left out, and the old wording of edited rows.

    Rows are left out if people rejected them, were undecided about them, or did not review them. Invalid lines are
    skipped.
    """
    path = paths(testset)[0]
    if is_stream(testset) or not path.is_file():
        return []
    return [row for row in read_refused(path)[0] if row.rejection.get("stage") == PEOPLE_STAGE]


def rejected_by_people(testset: Path) -> list[Refused]:
    """Return the rows that people rejected, and edited rows in their old wording: questions not to be asked again."""
    return [row for row in refused_by_people(testset) if row.rejection.get("reason") not in (UNDECIDED, UNREVIEWED)]


def _joined(lines: Iterable[str]) -> str:
    return "".join(line + "\n" for line in lines)


def _lines(path: Path) -> list[str]:
    return [line for line in lines_of(path) if line.strip()] if path.is_file() else []


def _lost(output: Path, lines: Iterable[str], rejected: Iterable[str] | None) -> frozenset[Version]:
    """Return the rows and refused candidates with decisions that would be lost if the set consisted of `lines`.

    A row that becomes a refused candidate counts as lost, because `annotate accept` writes only rows of the set. A
    refused candidate is lost if neither `lines` nor `rejected` contain it.
    """
    reviewed = decided(output)
    if not reviewed:
        return reviewed
    refused, rows = _lines(paths(output)[0]), _versions(lines)
    lost = (reviewed & _versions(_lines(output))) - rows
    return lost | ((reviewed & _versions(refused)) - rows - _versions(refused if rejected is None else rejected))


def _loses_accepted(output: Path, lines: Iterable[str], rejected: Iterable[str] | None) -> bool:
    """Return whether the new files lack a row with decisions, of the set or of its refused candidates."""
    if is_stream(output):
        return False
    refused = _lines(paths(output)[0])
    new = _with_decisions([*lines, *(refused if rejected is None else rejected)])
    return not _with_decisions([*_lines(output), *refused]) <= new


def _with_decisions(lines: Iterable[str]) -> frozenset[str]:
    """Return the ids of the rows into which `annotate accept` wrote decisions. Invalid lines are skipped."""
    found = set()
    for line in lines:
        with suppress(RecordError):
            row = parsed_line(line, "row")
            sample = row_to_sample(row, "row")
            rejection = row.get("rejected")
            is_left_out = isinstance(rejection, Mapping) and rejection.get("stage") == PEOPLE_STAGE
            found |= {sample.id} if is_left_out or sample.metadata.get("annotation") else set()
    return frozenset(found)


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
    """Copy a set with all its files, decisions included, to an unused name."""
    copy = free_name(output, _REVIEWED)
    if store_path(output).is_file():
        with Decisions(store_path(output)) as decisions:
            files.write(store_path(copy), decisions.serialized())
    for name in _COMPANIONS:
        if (source := beside(output, name)).is_file():
            files.write(beside(copy, name), bytes_of(source))
    if output.is_file():
        files.write(copy, bytes_of(output))
    return copy


def free_name(output: Path, kind: str) -> Path:
    """Return an unused file name beside a set, such as testset.reviewed.jsonl."""
    found, number = output.with_name(f"{output.stem}.{kind}{output.suffix}"), 1
    while os.path.lexists(found):
        number += 1
        found = output.with_name(f"{output.stem}.{kind}-{number}{output.suffix}")
    return found


@dataclass(frozen=True, slots=True)
class Target:
    """Place where a new set is written: `path`.

    `before` is the number of rows that the file contains now. `kept` is the existing set that was not replaced because
    the new one is smaller, or None. `without` are files to remove because the new set replaces them.
    """

    path: Path
    before: int = 0
    kept: Path | None = None
    without: tuple[Path, ...] = ()


@dataclass
class Replaced:
    """The existing set that a run of `generate` will replace, if there is one.

    A set that `generate` made and nobody changed may be replaced by a set of the same corpus. Raises ConfigError for
    other sets, for sets edited since, and for rows that people adopted, accepted or reviewed. With `force`, any file
    may be replaced. `wanted` is the number of rows of the new set. `sources` are its documents as typed on a command
    line. The error message uses them in the command that it recommends.
    """

    output: Path
    force: bool = False
    wanted: int = 0
    sources: str = "SOURCE"
    _manifest: Manifest = field(init=False, default_factory=Manifest)
    _is_there: bool = field(init=False, default=False)
    _is_untouched: bool = field(init=False, default=False)

    def __post_init__(self) -> None:
        output = self.output
        self._manifest = manifest_of(output)  # also finishes an interrupted swap
        self._is_there = output.is_file() and output.stat().st_size > 0
        if not self._is_there:
            self._manifest = {}
            return
        reason = self._reason()
        if reason and not self.force:
            raise ConfigError(f"{output} {reason}; {self._commands()}{_ADVICE}")
        self._is_untouched = not reason

    def _reason(self) -> str:
        """Return the reason why the set must not be replaced, or ""."""
        versions = versions_of(self._manifest)
        if reviewed := decided(self.output):
            return _reviewed(self.output, reviewed)
        if not versions or "settings" not in self._manifest:
            return "already exists and was not made by generate"
        if {*PEOPLE} & self._manifest.keys():
            return "contains the work of people"
        if (by := self._manifest.get("made", {}).get("by", "update")) != "update":
            return f"was made by {by}"
        if set_hash(lines_of(self.output)) != versions[-1].hash:
            return "was edited after synth wrote it"
        return ""

    def _commands(self) -> str:
        """Return the commands that add rows to a set that people worked on, or "" if nobody did."""
        if not ((is_open := bool(decided(self.output))) or {*PEOPLE} & self._manifest.keys()):
            return ""
        output = self.output.with_name(f"{self.output.stem}.accepted.jsonl") if is_open else self.output
        more = ["synth", "update", str(output), "--corpus"]
        add = f"{shlex.join(more)} {self.sources} -n {max(self.wanted, 1)} -o {shlex.quote(str(output))}"
        if not is_open:
            return f"to add rows and keep this work: {add}; or "
        take = f"{shlex.join(['synth', 'annotate', 'accept', str(self.output)])} --corpus {self.sources} "
        take += shlex.join(["-o", str(output)])
        return f"to write the accepted rows: {take}; then to add rows: {add}; or "

    def warn_of_fewer(self, rows: int) -> None:
        """Warn before the run if a complete set of `rows` rows would replace a larger set."""
        if self._rows > rows:
            warnings.warn(
                f"{self.output} contains {counted(self._rows, 'row')}, and a complete run replaces them by {rows}; "
                "to keep both sets, stop the run and name another output",
                FewerRows,
                stacklevel=2,
            )

    def check_corpus(self, documents: Sequence[Document]) -> None:
        """Raise ConfigError if the existing set is about documents, and none of them is among `documents`."""
        known = {} if self.force else self._manifest.get("corpus", {}).get("documents", {})
        if known and not any(document.doc_id in known for document in documents):
            raise ConfigError(f"{self.output} is a set of other documents; {_ADVICE}")

    def target(self, rows: int, settings: Mapping[str, Any], *, stopped: bool, is_whole: bool) -> Target:
        """Return where a set of `rows` rows made with `settings` is written.

        - A complete set (`is_whole`) replaces the existing set.
        - The set of a `stopped` run replaces only a set of another stopped run that nobody changed and that is not
          larger, even with `force`.
        - Any other set has too few rows or a failed judge. It replaces a set that nobody changed and that is not
          larger, or any set with `force`.

        Otherwise, the set is written beside the existing one.
        """
        partial = enclosed(self.output.with_name(f"{self.output.stem}.{_PARTIAL}{self.output.suffix}"))
        if not self._is_there or is_stream(self.output):
            return Target(self.output)
        if is_whole:
            return Target(self.output, self._rows, without=_superseded(partial, settings))
        was_stopped = self._is_untouched and bool(self._set.get("stopped"))
        enough = self._is_untouched and rows >= self._rows
        if (enough and was_stopped) if stopped else (enough or self.force):
            return Target(self.output, self._rows)
        path = free_name(self.output, _PARTIAL) if decided(partial) else partial
        return Target(path, _row_count(path), kept=self.output)

    @cached_property
    def _rows(self) -> int:
        """Number of rows of the set before the run, which is read once."""
        return _row_count(self.output)

    @property
    def _set(self) -> SetPart:
        return self._manifest.get("set", {})


def _row_count(path: Path) -> int:
    return 0 if is_stream(path) or not path.is_file() else len(read_samples(path).samples)


def _superseded(partial: Path, settings: Mapping[str, Any]) -> tuple[Path, ...]:
    """Return the files of a partial set made with the same settings; () if there is none or people worked on it."""
    manifest, versions = manifest_of(partial), versions_of(manifest_of(partial))
    is_untouched = bool(versions) and partial.is_file() and set_hash(lines_of(partial)) == versions[-1].hash
    is_same = manifest.get("settings") == json.loads(json.dumps(settings))
    if not (is_untouched and is_same) or store_path(partial).exists():
        return ()
    return (partial, *paths(partial))
