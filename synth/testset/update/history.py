"""The versions of a set: what it is known by, what it was made from, and what each update did to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import digest
from synth.testset.update.alignment import Alignment
from synth.testset.update.decision import GENERATE, KEEP, REVISE, Decision


def set_hash(lines: Iterable[str]) -> str:
    """What a version of a set is known by: the hash of its rows as they are written, in order."""
    return "sha256:" + digest([line for line in lines if line.strip()])


@dataclass(frozen=True, slots=True)
class Version:
    """One version: its number, its hash, that of the version it was made from ("" for none), and what was done.

    `counts` are rows by what became of them; `documents` what happened to the corpus, by what; `changes` the rows
    that did not simply stay, with the reason.
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
        """What a set says of itself: its version, its hash, that of its parent."""
        return {"version": self.number, "hash": self.hash, "parent": self.parent}

    def packed(self) -> dict[str, Any]:
        """The version as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def unpacked(cls, held: Mapping[str, Any]) -> Version:
        """The version that `packed` gave; what is missing is empty."""
        return cls(
            number=int(held.get("number", 1)),
            hash=str(held.get("hash", "")),
            parent=str(held.get("parent", "")),
            rows=int(held.get("rows", 0)),
            corpus=str(held.get("corpus", "")),
            counts=dict(held.get("counts", {})),
            documents=dict(held.get("documents", {})),
            changes=tuple(held.get("changes", ())),
        )


def versions_of(manifest: Mapping[str, Any]) -> tuple[Version, ...]:
    """The versions that a manifest tells of, the oldest first; none for one that tells of none."""
    return tuple(Version.unpacked(one) for one in manifest.get("history", ()))


def first(lines: Sequence[str], corpus: str) -> Version:
    """The version of a set that was just made, or of which nothing else is known."""
    rows = [line for line in lines if line.strip()]
    return Version(1, set_hash(rows), "", len(rows), corpus, {GENERATE: len(rows)}, {}, ())


def following(
    before: Sequence[Version],
    *,
    parent: str,
    lines: Sequence[str],
    corpus: str,
    counts: Mapping[str, int],
    documents: Mapping[str, Any],
    changes: Sequence[Mapping[str, Any]],
) -> Version:
    """The version made from the one whose hash is `parent`.

    Where the rows came out as they were and are not the last version's, an update was interrupted between the set
    and its manifest: the parent is then that last version. A set whose rows stay as they are stays what it is.
    """
    found = set_hash(lines)
    last = before[-1]
    if found == parent == last.hash:
        return replace(last, corpus=corpus)
    origin = last.hash if found == parent else parent
    return Version(last.number + 1, found, origin, len(lines), corpus, counts, documents, changes)


def with_version(before: Sequence[Version], version: Version) -> tuple[Version, ...]:
    """The history with a version behind it, or in the place of the last one when it is that still."""
    return (*before[:-1], version) if version.number == before[-1].number else (*before, version)


def documents_changed(alignment: Alignment) -> dict[str, Any]:
    """What happened to the documents, by what; without what did not happen."""
    found: dict[str, Any] = {
        "added": list(alignment.added),
        "changed": list(alignment.changed),
        "removed": list(alignment.removed),
        "renamed": dict(alignment.renamed),
    }
    return {what: names for what, names in found.items() if names}


def counted(decisions: Iterable[Decision], made: int) -> dict[str, int]:
    """Rows by what became of them, in the order of the classes; those that have to be looked at apart."""
    tally = Counter(decision.kind for decision in decisions)
    tally[GENERATE] += made
    return {kind: count for kind, count in tally.items() if count}


def changes_of(decisions: Iterable[Decision], made: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A line for each row that is not simply there still: what became of it, why, and by which documents."""
    found = []
    for one in decisions:
        if one.kind == KEEP and not one.review:
            continue
        line: dict[str, Any] = {"class": one.kind, "id": one.id, "reason": one.reason, "documents": list(one.documents)}
        if one.kind == REVISE and one.row is not None:
            line = {**line, "id": one.row["id"], "supersedes": one.id}
        if one.notes:
            line["notes"] = list(one.notes)
        if one.review:
            line["review"] = one.review
        found.append(line)
    for row in made:
        documents = list(dict.fromkeys(piece["doc_id"] for piece in row["evidence"]))
        found.append({"class": GENERATE, "id": row["id"], "reason": "", "documents": documents})
    return found
