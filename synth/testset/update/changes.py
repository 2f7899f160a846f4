"""Two versions of a set side by side: what was added, kept, relocated, revised, retired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.text.normalise import normalise

ADDED, KEPT, RELOCATED, CHANGED, REVISED, RETIRED = "added", "kept", "relocated", "changed", "revised", "retired"
KINDS = (ADDED, KEPT, RELOCATED, CHANGED, REVISED, RETIRED)
_PLACES = ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")
_PLACED = ("also", "hard_negatives")


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one row: `old` is None for one that was added, `new` for one that was retired."""

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
        """Those of the evidence, before and after."""
        rows = [row for row in (self.old, self.new) if row]
        return tuple(dict.fromkeys(piece["doc_id"] for row in rows for piece in row.get("evidence", ())))


def compared(
    old: Sequence[Mapping[str, Any]], new: Sequence[Mapping[str, Any]], reasons: Mapping[str, str]
) -> list[Change]:
    """The changes from one set to another, in the order of the new one, with what was retired behind.

    A row is revised when it says which it `supersedes`, or asks the same of other evidence; relocated when only
    places differ, and changed when its answers or what is said about it do. `reasons` are by the id of a row.
    """
    by_id = {str(row["id"]): row for row in old}
    asked = {normalise(str(row["question"])): str(row["id"]) for row in reversed(old)}
    ids = {str(row["id"]) for row in new}
    found, met = [], set()
    for row in new:
        name = str(row["id"])
        before = by_id.get(name)
        if before is not None:
            met.add(name)
            found.append(Change(_difference(before, row), before, row, reasons.get(name, "")))
            continue
        earlier = str(row.get("metadata", {}).get("supersedes", ""))
        if earlier not in by_id or earlier in met:
            earlier = asked.get(normalise(str(row["question"])), "")
        if earlier and earlier not in met and earlier not in ids:
            met.add(earlier)
            found.append(Change(REVISED, by_id[earlier], row, reasons.get(name, "") or reasons.get(earlier, "")))
        else:
            found.append(Change(ADDED, None, row, reasons.get(name, "")))
    found += [Change(RETIRED, row, None, reasons.get(name, "")) for name, row in by_id.items() if name not in met]
    return found


def reasons_of(manifest: Mapping[str, Any]) -> dict[str, str]:
    """Why rows changed, by id, as the history in a manifest tells; the latest reason counts."""
    found = {}
    for version in manifest.get("history", ()):
        for change in version.get("changes", ()):
            if change.get("reason"):
                found[str(change["id"])] = str(change["reason"])
    return found


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    if old == new:
        return KEPT
    return RELOCATED if _bare(old) == _bare(new) else CHANGED


def _bare(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row without the places of anything."""
    evidence = [{name: value for name, value in piece.items() if name not in _PLACES} for piece in row["evidence"]]
    metadata = {name: value for name, value in row["metadata"].items() if name not in _PLACED}
    return {**row, "evidence": evidence, "metadata": metadata}
