"""Formats by name, and the detection of the format of a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synth.annotation.formats import argilla, csv, doccano, label_studio, xlsx
from synth.annotation.formats.base import ReturnedSheet, RowToWrite, file_bytes
from synth.core.errors import ConfigError

Write = Callable[[Path, Sequence[RowToWrite], str, str], list[Path]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its writer, its reader and the suffixes of its files."""

    write: Write
    read: Callable[[Path], ReturnedSheet]
    suffixes: tuple[str, ...]


FORMATS: Mapping[str, Format] = {
    "argilla": Format(argilla.write, argilla.read, argilla.SUFFIXES),
    "csv": Format(csv.write, csv.read, csv.SUFFIXES),
    "doccano": Format(doccano.write, doccano.read, doccano.SUFFIXES),
    "label-studio": Format(label_studio.write, label_studio.read, label_studio.SUFFIXES),
    "xlsx": Format(xlsx.write, xlsx.read, xlsx.SUFFIXES),
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
