"""Formats by name, and detection of a file's format."""

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
    """A file format: writer, reader and file suffixes.

    `as_stored` returns a text as the files of this format store it.
    """

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
    """Return the format with this name. Raises ConfigError, listing the known names, if there is none."""
    if name not in FORMATS:
        raise ConfigError(f"unknown format '{name}'; known: {', '.join(FORMATS)}")
    return FORMATS[name]


def format_to_write(path: Path) -> Format:
    """Return the format for a file name by its suffix. Raises ConfigError if the suffix is unknown."""
    for format_ in FORMATS.values():
        if path.name.lower().endswith(format_.suffixes):
            return format_
    raise ConfigError(f"the name {path.name} has no known suffix; name a format with --format: {', '.join(FORMATS)}")


def format_to_read(path: Path) -> Format:
    """Detect the format of a file by its name; for JSON files, by the field names at the start.

    A folder is Argilla's. Raises ConfigError if the suffix is unknown, InputError if the file cannot be read.
    """
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
    """Read a returned file in a restricted subprocess.

    `name` is the name of the format, "" to detect it. Raises ConfigError for an unknown format. Raises InputError if
    the file cannot be read or exceeds a limit: 120 s of processor time, 1 GB of memory, 200 MB of rows.
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
            raise InputError(f"cannot read {path}: {error}; give a file that `annotate export` wrote") from error
    return ReturnedSheet(tuple(rows), tuple(problems))


def returned_items(_: bytes, path: str, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the format name, the rows and the problems of a returned file as JSON values.

    `read_sheet` calls this function in the subprocess.
    """
    format_ = format_named(name) if name else format_to_read(Path(path))
    yield "format", next(known for known, other in FORMATS.items() if other is format_)
    sheet = format_.read(Path(path))
    for row in sheet.rows:
        values = asdict(row)
        del values["as_stored"]
        yield "row", values
    yield from (("problem", asdict(problem)) for problem in sheet.problems)
