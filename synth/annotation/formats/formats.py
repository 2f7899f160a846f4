"""The formats by name, and which of them a file is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from synth.annotation.formats import argilla, csv, doccano, label_studio, xlsx
from synth.annotation.formats.base import Entry, Sheet, file_bytes
from synth.core.errors import ConfigError

Write = Callable[[Path, Sequence[Entry], str, str], list[Path]]


@dataclass(frozen=True, slots=True)
class Format:
    """How rows are written for a tool and read back, and the ends of names that its files have."""

    write: Write
    read: Callable[[Path], Sheet]
    suffixes: tuple[str, ...]


FORMATS: Mapping[str, Format] = {
    "argilla": Format(argilla.write, argilla.read, argilla.SUFFIXES),
    "csv": Format(csv.write, csv.read, csv.SUFFIXES),
    "doccano": Format(doccano.write, doccano.read, doccano.SUFFIXES),
    "label-studio": Format(label_studio.write, label_studio.read, label_studio.SUFFIXES),
    "xlsx": Format(xlsx.write, xlsx.read, xlsx.SUFFIXES),
}


def format_named(name: str) -> Format:
    """The format of that name. Raises ConfigError, listing those there are, for any other."""
    if name not in FORMATS:
        raise ConfigError(f"no format is called '{name}'; known are {', '.join(FORMATS)}")
    return FORMATS[name]


def format_to_write(path: Path) -> Format:
    """The format that the name of a file asks for. Raises ConfigError where it asks for none."""
    for one in FORMATS.values():
        if path.name.lower().endswith(one.suffixes):
            return one
    raise ConfigError(f"the name {path.name} does not say which format; name one with --format: {', '.join(FORMATS)}")


def format_to_read(path: Path) -> Format:
    """The format a file is in, by its name and for JSON by its fields. Raises ConfigError where neither tells."""
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
