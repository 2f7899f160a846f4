"""Comparison of two versions of a set: added, kept, relocated, changed, revised and retired rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.core.records import WITH_PLACES
from synth.testset.stored_manifest import Manifest
from synth.text.normalise import normalise

ADDED, KEPT, RELOCATED, CHANGED, REVISED, RETIRED = "added", "kept", "relocated", "changed", "revised", "retired"
KINDS = (ADDED, KEPT, RELOCATED, CHANGED, REVISED, RETIRED)
"""All kinds of change of a row."""
_PLACE_FIELDS = ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")


@dataclass(frozen=True, slots=True)
class Change:
    """Change of one row. `old` is None for an added row, and `new` is None for a retired row."""

    kind: str
    old: Mapping[str, Any] | None
    new: Mapping[str, Any] | None
    reason: str = ""

    @property
    def id(self) -> str:
        row = self.new or self.old or {}
        return str(row.get("id", ""))

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of the documents that contained the evidence before or after the change."""
        rows = [row for row in (self.old, self.new) if row]
        return tuple(dict.fromkeys(piece["doc_id"] for row in rows for piece in row.get("evidence", ())))


def compare_sets(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], reasons: Mapping[str, str]
) -> list[Change]:
    """Return the changes from one set to another, in the order of `new`, followed by the retired rows.

    A row is REVISED if it supersedes an old row, or repeats the question of an old row under another id. It is
    RELOCATED if only places differ, and CHANGED if anything else differs. `reasons` maps ids of rows to reasons.
    """
    by_id = {str(row["id"]): row for row in old}
    ids_by_question = {normalise(str(row["question"])): str(row["id"]) for row in reversed(old)}
    ids = {str(row["id"]) for row in new}
    changes, seen = [], set()
    for row in new:
        name = str(row["id"])
        before = by_id.get(name)
        if before is not None:
            seen.add(name)
            changes.append(Change(_difference(before, row), before, row, reasons.get(name, "")))
            continue
        earlier = str(row.get("metadata", {}).get("supersedes", ""))
        if earlier not in by_id or earlier in seen:
            earlier = ids_by_question.get(normalise(str(row["question"])), "")
        if earlier and earlier not in seen and earlier not in ids:
            seen.add(earlier)
            changes.append(Change(REVISED, by_id[earlier], row, reasons.get(name, "") or reasons.get(earlier, "")))
        else:
            changes.append(Change(ADDED, None, row, reasons.get(name, "")))
    changes += [Change(RETIRED, row, None, reasons.get(name, "")) for name, row in by_id.items() if name not in seen]
    return changes


def reasons_of(manifest: Manifest) -> dict[str, str]:
    """Return the latest reason recorded for each changed row, by row id, from the history in a manifest."""
    reasons = {}
    for version in manifest.get("history", ()):
        for change in version.get("changes", ()):
            if reason := change.get("reason"):
                reasons[change.get("id", "")] = reason
    return reasons


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old == new:
        return KEPT
    return RELOCATED if _without_places(old) == _without_places(new) else CHANGED


def _without_places(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row without the places of its evidence, alternative evidence and hard negatives."""
    evidence = [
        {name: value for name, value in piece.items() if name not in _PLACE_FIELDS} for piece in row["evidence"]
    ]
    metadata = {name: value for name, value in row["metadata"].items() if name not in WITH_PLACES}
    return {**row, "evidence": evidence, "metadata": metadata}
