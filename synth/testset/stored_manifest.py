"""Reading of stored manifests. `Manifest` declares every part that a command reads.

A set may come from anybody. No part of its manifest is trusted to have the declared type before this module checks it.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any, TypedDict

from synth.core.declared_parts import read_as, warn_of
from synth.core.errors import InputError
from synth.core.input_files import bytes_of
from synth.core.swapping import settle
from synth.testset.manifest import FORMAT, paths


class SetPart(TypedDict, total=False):
    rows: int
    wanted: dict[str, int]
    goal: dict[str, int]
    hash: str
    stopped: str


class MadePart(TypedDict, total=False):
    by: str
    of: str


class SkippedPart(TypedDict, total=False):
    source: str
    reason: str


class CorpusPart(TypedDict, total=False):
    hash: str
    documents: dict[str, str]
    outlines: dict[str, str]
    skipped: list[SkippedPart]


class ModelPart(TypedDict, total=False):
    calls: int
    cached: int


class TrialPart(TypedDict, total=False):
    judge: bool


class ChangedDocuments(TypedDict, total=False):
    added: list[str]
    changed: list[str]
    removed: list[str]
    renamed: dict[str, str]


ChangePart = TypedDict(
    "ChangePart",
    {
        "class": str,
        "id": str,
        "reason": str,
        "documents": list[str],
        "supersedes": str,
        "notes": list[str],
        "review": str,
    },
    total=False,
)


class VersionPart(TypedDict, total=False):
    number: int
    hash: str
    parent: str
    rows: int
    corpus: str
    counts: dict[str, int]
    documents: ChangedDocuments
    changes: list[ChangePart]


class MergedSetPart(TypedDict, total=False):
    name: str
    hash: str
    rows: int


class MergedPart(TypedDict, total=False):
    sets: list[MergedSetPart]
    differ: dict[str, list[str]]


class Manifest(TypedDict, total=False):
    """The parts of a manifest that commands read. Each part may be missing."""

    set: SetPart
    settings: dict[str, Any]
    """Settings of the run. `workflows.settings.restored` reads them and declares their parts."""
    filters: list[dict[str, Any]]
    """One object per filter, with `name` and the thresholds that the filter declares."""
    made: MadePart
    corpus: CorpusPart
    graph: dict[str, Any]
    """Counts of the graph. They are copied unchanged into the next version of the set."""
    funnel: dict[str, dict[str, int]]
    model: ModelPart
    brief: str
    trial: TrialPart
    history: list[VersionPart]
    annotation: dict[str, Any]
    """Record of the review. Commands check only whether `annotation` and `adopted` are present."""
    adopted: dict[str, Any]
    merged: MergedPart


def manifest_of(testset: Path) -> Manifest:
    """Return the manifest beside a set, or {} if it is missing or unreadable.

    A part of a wrong type is treated as missing, and a `Malformed` warning names the part. Raises InputError if the
    manifest has a later format than this synth reads.
    """
    path = paths(testset)[1]
    try:
        value = _value(testset)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        unreadable = getattr(error, "strerror", None) or "it is not JSON"
        warn_of(path.name, [f"the manifest, which cannot be read ({unreadable})"])
        return {}
    return declared(value, path.name)


def check_format(testset: Path) -> None:
    """Raise InputError if the manifest of a set has a later format than this synth reads."""
    with suppress(OSError, ValueError, RecursionError):
        _value(testset)


def _value(testset: Path) -> Any:
    settle(testset)
    path = paths(testset)[1]
    value = json.loads(bytes_of(path))
    found = value.get("format") if isinstance(value, dict) else None
    if isinstance(found, int) and found > FORMAT:
        raise InputError(
            f"{path} has format {found}, this synth knows {FORMAT}: update synth, or name another set than {testset}"
        )
    return value


def declared(value: Any, place: str) -> Manifest:
    """Return a manifest without the parts whose type is wrong. `place` names its source in the warning."""
    faults: list[str] = []
    manifest: Manifest = read_as(Manifest, value, "", faults)
    warn_of(place, [fault or "the manifest" for fault in faults])
    return manifest
