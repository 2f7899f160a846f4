"""History of a set: its versions with hashes, and the changes of each update."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import digest
from synth.testset.stored_manifest import Manifest, VersionPart
from synth.testset.update.alignment import Alignment
from synth.testset.update.decision import GENERATE, KEEP, REVISE, Decision


def set_hash(lines: Iterable[str]) -> str:
    """Return the hash of a version of a set: a hash of its non-empty lines, in order."""
    return "sha256:" + digest([line for line in lines if line.strip()])


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a set: its number, its hash, the hash of its parent, and the changes.

    `parent` is "" for the first version. `counts` maps classes of decision to numbers of rows. `documents` maps kinds
    of change to the changed documents. `changes` lists the rows that were not simply kept, with reasons.
    """

    number: int
    hash: str
    parent: str
    rows: int
    corpus: str
    counts: Mapping[str, int]
    documents: Mapping[str, Any]
    changes: Sequence[Mapping[str, Any]]

    @property
    def names(self) -> dict[str, Any]:
        """Number, hash and parent of the version."""
        return {"version": self.number, "hash": self.hash, "parent": self.parent}

    def packed(self) -> dict[str, Any]:
        """Return the version as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def unpacked(cls, values: VersionPart) -> Version:
        """Return the version of `packed` values. Missing values are replaced by empty ones."""
        return cls(
            number=values.get("number", 1),
            hash=values.get("hash", ""),
            parent=values.get("parent", ""),
            rows=values.get("rows", 0),
            corpus=values.get("corpus", ""),
            counts=values.get("counts", {}),
            documents=values.get("documents", {}),
            changes=values.get("changes", []),
        )


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes of an update: the decision on each row, the new rows, and the changed documents by kind of change."""

    decisions: Sequence[Decision]
    new_rows: Sequence[Mapping[str, Any]]
    documents: Mapping[str, Any]

    @property
    def counts(self) -> dict[str, int]:
        """Number of rows by class of decision, new rows included."""
        tally = Counter(decision.kind for decision in self.decisions)
        tally[GENERATE] += len(self.new_rows)
        return {kind: count for kind, count in tally.items() if count}

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Class, reason and documents of each row that was not simply kept, new rows included."""
        changes = []
        for decision in self.decisions:
            if decision.kind == KEEP and not decision.review:
                continue
            change: dict[str, Any] = {
                "class": decision.kind,
                "id": decision.id,
                "reason": decision.reason,
                "documents": list(decision.documents),
            }
            if decision.kind == REVISE and decision.row is not None:
                change = {**change, "id": decision.row["id"], "supersedes": decision.id}
            if decision.notes:
                change["notes"] = list(decision.notes)
            if decision.review:
                change["review"] = decision.review
            changes.append(change)
        for row in self.new_rows:
            documents = list(dict.fromkeys(piece["doc_id"] for piece in row["evidence"]))
            changes.append({"class": GENERATE, "id": row["id"], "reason": "", "documents": documents})
        return changes


def versions_of(manifest: Manifest) -> tuple[Version, ...]:
    """Return the versions in a manifest, the oldest first."""
    return tuple(map(Version.unpacked, manifest.get("history", ())))


def first_version(lines: Sequence[str], corpus: str) -> Version:
    """Return the first version of a set. `corpus` is the hash of its corpus."""
    rows = [line for line in lines if line.strip()]
    return Version(1, set_hash(rows), "", len(rows), corpus, {GENERATE: len(rows)}, {}, ())


def next_version(
    before: Sequence[Version], *, parent: str, lines: Sequence[str], corpus: str, changes: Changes
) -> Version:
    """Return the version that follows the version with the hash `parent`.

    If no row changed, this is the last version with the new `corpus` hash. An interrupted update may have written the
    set but not the manifest. In that case the rows have the hash `parent`, which differs from the hash of the last
    version. The last version then becomes the parent of a new version.
    """
    hash = set_hash(lines)
    last = before[-1]
    if hash == parent == last.hash:
        return replace(last, corpus=corpus)
    origin = last.hash if hash == parent else parent
    return Version(last.number + 1, hash, origin, len(lines), corpus, changes.counts, changes.documents, changes.rows)


def with_version(before: Sequence[Version], version: Version) -> tuple[Version, ...]:
    """Return the history with `version` at its end. A last version with the same number is replaced."""
    return (*before[:-1], version) if version.number == before[-1].number else (*before, version)


def documents_changed(alignment: Alignment) -> dict[str, Any]:
    """Return the changed documents by kind of change. Kinds without documents are left out."""
    changes: dict[str, Any] = {
        "added": list(alignment.added),
        "changed": list(alignment.changed),
        "removed": list(alignment.removed),
        "renamed": dict(alignment.renamed),
    }
    return {kind: names for kind, names in changes.items() if names}
