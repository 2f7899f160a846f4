"""Manifest of a set that was merged from other sets."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.core.errors import Notice
from synth.core.installation import versions
from synth.core.jsonl import lines_of
from synth.core.records import digest
from synth.testset.manifest import FORMAT
from synth.testset.stored_manifest import Manifest, manifest_of
from synth.testset.update.history import first_version, set_hash

_SHOWN = 5
"""Maximum number of names in a notice."""


class Differing(Notice):
    """Warning that merged sets were made in different ways, and that the manifest keeps only what they share."""


@dataclass(frozen=True, slots=True)
class MergedSet:
    """A set that was merged: its file, its manifest, and its number of rows in the merged set.

    `file` is None for a set that was made in memory. Its manifest is empty.
    """

    file: Path | None
    rows: int
    manifest: Manifest

    @classmethod
    def of(cls, file: Path | None, rows: int) -> MergedSet:
        """Return the set in a file, with the manifest beside it."""
        return cls(file, rows, manifest_of(file) if file else {})

    def packed(self) -> dict[str, Any]:
        """Return the file name, hash and number of rows as JSON values."""
        hash = set_hash(lines_of(self.file)) if self.file and self.file.is_file() else ""
        return {"name": self.file.name if self.file else "", "hash": hash, "rows": self.rows}


def merged_manifest(sets: Sequence[MergedSet], ids: Sequence[str], lines: Sequence[str]) -> dict[str, Any] | None:
    """Return the manifest of a merged set, or None if no set has a manifest.

    `ids` and `lines` are those of the merged rows. The manifest contains the documents of all sets, and the settings
    and filters that are equal in all sets that have a manifest. `merged` names the sets and what differs between them.
    A chat model is kept even if only some sets name it, so that `update` still asks for one.
    """
    manifests = [one.manifest for one in sets if one.manifest]
    if not manifests:
        return None
    settings, other_settings = _shared([manifest.get("settings", {}) for manifest in manifests])
    models = [manifest["settings"]["model"] for manifest in manifests if _names_a_model(manifest)]
    if models:
        settings["model"] = models[0]
    by_name = [{str(one.get("name")): one for one in manifest.get("filters", ())} for manifest in manifests]
    filters, other_filters = _shared(by_name, everywhere=False)
    corpus, other_documents = _corpus(manifests)
    wanted = [Counter(manifest.get("set", {}).get("wanted", {})) for manifest in manifests]
    version = first_version(lines, corpus["hash"])
    differ = {"settings": other_settings, "filters": other_filters, "documents": other_documents}
    differ = {name: names for name, names in differ.items() if names}
    _warn(differ)
    return {
        "format": FORMAT,
        "set": {
            "id": digest(list(ids))[:16],
            "rows": len(ids),
            **({"wanted": dict(sum(wanted, Counter[str]()))} if all(wanted) else {}),
            **version.names,
        },
        "settings": {name: value for name, value in settings.items() if name != "n"},
        "versions": versions(),
        "filters": [*filters.values()],
        "corpus": corpus,
        **{part: manifest[part] for part in ("annotation", "adopted") for manifest in manifests if part in manifest},
        **({"brief": brief} if (brief := _same(manifest.get("brief", "") for manifest in manifests)) else {}),
        "made": {"by": "merge", "of": made_of(sets)},
        "merged": {"sets": [one.packed() for one in sets], **({"differ": differ} if differ else {})},
        "history": [version.packed()],
    }


def made_of(sets: Sequence[MergedSet]) -> str:
    """Return a hash of the merged sets, which tells whether a set was merged from the same sets."""
    return digest([one.packed()["hash"] for one in sets])


def _names_a_model(manifest: Manifest) -> bool:
    model = manifest.get("settings", {}).get("model")
    return isinstance(model, Mapping) and bool(model.get("name"))


def _shared(tables: Sequence[Mapping[str, Any]], *, everywhere: bool = True) -> tuple[dict[str, Any], list[str]]:
    """Return the entries that are equal in all tables, and the names of the others.

    If `everywhere` is False, an entry may be missing in some tables.
    """
    shared, others = dict[str, Any](), list[str]()
    for name in dict.fromkeys(name for table in tables for name in table):
        values = [table[name] for table in tables if name in table]
        if all(value == values[0] for value in values) and (len(values) == len(tables) or not everywhere):
            shared[name] = values[0]
        elif name != "n":
            others.append(name)
    return shared, others


def _corpus(manifests: Sequence[Manifest]) -> tuple[dict[str, Any], list[str]]:
    """Return the part `corpus` with the documents of all sets, and the documents whose content differs between sets.

    The latter are left out, because the rows are about several versions of them.
    """
    parts = [manifest.get("corpus", {}) for manifest in manifests]
    hashes: dict[str, set[str]] = {}
    for part in parts:
        for doc_id, hash in part.get("documents", {}).items():
            hashes.setdefault(doc_id, set()).add(hash)
    documents = {doc_id: next(iter(found)) for doc_id, found in sorted(hashes.items()) if len(found) == 1}
    outlines = {doc_id: outline for part in parts for doc_id, outline in part.get("outlines", {}).items()}
    skipped = {one.get("source"): one for part in parts for one in part.get("skipped", ())}
    known = _same(part.get("hash", "") for part in parts)
    corpus = {
        "hash": known or digest(sorted(documents.items())),
        "documents": documents,
        "outlines": {doc_id: outlines[doc_id] for doc_id in documents if doc_id in outlines},
        "skipped": [*skipped.values()],
    }
    return corpus, sorted(doc_id for doc_id, found in hashes.items() if len(found) > 1)


def _same(values: Iterable[str]) -> str:
    """Return the value that all values equal, or ""."""
    first, *others = values
    return first if all(other == first for other in others) else ""


def _warn(differ: Mapping[str, Sequence[str]]) -> None:
    """Warn of what differs between the sets."""
    if not differ:
        return
    named = [
        f"{kind} {', '.join(names[:_SHOWN])}{f' and {len(names) - _SHOWN} more' if len(names) > _SHOWN else ''}"
        for kind, names in differ.items()
    ]
    advice = "; update the sets to the same documents before the merge" if "documents" in differ else ""
    warnings.warn(
        f"the merged sets differ in {'; '.join(named)}; verify and update use their defaults for these{advice}",
        Differing,
        stacklevel=3,
    )
