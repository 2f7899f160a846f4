"""Formats by name, and the detection of the format of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synth.annotation.formats import argilla, csv, doccano, label_studio, xlsx
from synth.annotation.formats.base import Problem, ReturnedRow, ReturnedSheet, RowToWrite, StoredForm, file_bytes
from synth.annotation.formats.tabular import as_cell
from synth.core.errors import ConfigError, InputError
from synth.core.restricted_process import Crashed, Limits, Overrun, RestrictedProcess

_LIMITS = Limits(seconds=120, output=200_000_000)

Write = Callable[[Path, Sequence[RowToWrite], str, str], list[Path]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its writer, its reader, the suffixes of its files, and the form in which they store a text."""

    write: Write
    read: Callable[[Path], ReturnedSheet]
    suffixes: tuple[str, ...]
    as_stored: StoredForm = str


FORMATS: Mapping[str, Format] = {
    "argilla": Format(argilla.write, argilla.read, argilla.SUFFIXES),
    "csv": Format(csv.write, csv.read, csv.SUFFIXES, as_cell),
    "doccano": Format(doccano.write, doccano.read, doccano.SUFFIXES),
    "label-studio": Format(label_studio.write, label_studio.read, label_studio.SUFFIXES),
    "xlsx": Format(xlsx.write, xlsx.read, xlsx.SUFFIXES, as_cell),
}


def format_named(name: str) -> Format:
    """The format of that name. Raises ConfigError, listing the known ones, for an unknown name."""
    if name not in FORMATS:
        raise ConfigError(f"unknown format '{name}'; known: {', '.join(FORMATS)}")
    return FORMATS[name]


def format_to_write(path: Path) -> Format:
    """The format of a file name. Raises ConfigError for an unknown suffix."""
    for format_ in FORMATS.values():
        if path.name.lower().endswith(format_.suffixes):
            return format_
    raise ConfigError(f"the name {path.name} has no known suffix; name a format with --format: {', '.join(FORMATS)}")


def format_to_read(path: Path) -> Format:
    """The format of a file by its name, for JSON by its fields. Raises ConfigError when unknown."""
    if path.is_dir():
        return FORMATS["argilla"]
    if path.suffix.lower() not in (".json", ".jsonl"):
        return format_to_write(path)
    begins = file_bytes(path)[:200_000].decode("utf-8", "replace")
    if '"label"' in begins:
        return FORMATS["doccano"]
    if '"responses"' in begins or ".responses" in begins:
        return FORMATS["argilla"]
    return FORMATS["label-studio"]


def read_sheet(path: Path, name: str = "") -> ReturnedSheet:
    """The rows of a returned file, read in a restricted process; `name` is its format, by default that of the file.

    Raises ConfigError for an unknown format; InputError when the file cannot be read, or takes more than 120 s of
    processor time, 1 GB of memory or 200 MB of rows.
    """
    if name:
        format_named(name)
    rows: list[ReturnedRow] = []
    problems: list[Problem] = []
    with RestrictedProcess(_LIMITS) as process:
        try:
            for kind, value in process.results(f"{__name__}:returned_items", path=str(path), name=name):
                if kind == "format":
                    as_stored = FORMATS[value].as_stored
                elif kind == "row":
                    rows.append(ReturnedRow(**value, as_stored=as_stored))
                else:
                    problems.append(Problem(**value))
        except (Overrun, Crashed) as error:
            raise InputError(f"cannot read {path}: {error}; is it the file that `annotate export` wrote?") from error
    return ReturnedSheet(tuple(rows), tuple(problems))


def returned_items(_: bytes, path: str, name: str) -> Iterator[tuple[str, Any]]:
    """The name of the format of a returned file, its rows and its problems as values of JSON; called in the process."""
    format_ = format_named(name) if name else format_to_read(Path(path))
    yield "format", next(known for known, other in FORMATS.items() if other is format_)
    sheet = format_.read(Path(path))
    for row in sheet.rows:
        values = asdict(row)
        del values["as_stored"]
        yield "row", values
    yield from (("problem", asdict(problem)) for problem in sheet.problems)
