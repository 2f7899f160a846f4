"""Pages in two languages: X.md and X.en.md, or en/X.md and zh/X.md, with the same blocks in the same order."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from synth.core.records import Evidence
from synth.corpus.corpus import Corpus
from synth.text.blocks import blocks

_TAGS = ("en", "zh", *(f"zh{mark}{part}" for mark in "-_" for part in ("CN", "TW", "HK", "cn", "tw", "Hans", "Hant")))
_TAGGED = re.compile(rf"(?P<name>.+)[._-](?:{'|'.join(sorted(_TAGS, key=len, reverse=True))})")


@dataclass(slots=True)
class Twins:
    """Finder of the page that states the same in another language, by its path and its blocks."""

    corpus: Corpus
    _twins: dict[str, str] = field(init=False, default_factory=dict)
    _blocks: dict[str, tuple[list[int], list[str]]] = field(init=False, default_factory=dict)

    def of(self, doc_id: str) -> str:
        """Return the id of the twin of a document, or "".

        The path of a twin differs only in a language tag. A twin is in another language and has the same kinds of
        blocks in the same order.
        """
        if doc_id not in self._twins:
            named = (other for other in _paths_beside(doc_id) if other in self.corpus and other != doc_id)
            self._twins[doc_id] = next((other for other in named if self._are_twins(doc_id, other)), "")
        return self._twins[doc_id]

    def blocks_of(self, pieces: Iterable[Evidence], *, in_twins: bool = False) -> frozenset[tuple[str, int]]:
        """Return (document id, number of the block) of each piece of evidence.

        With `in_twins`, the document id is that of the twin, in which the block has the same number.

        The result is empty unless all documents of the evidence have a twin.
        """
        places = [(piece, self.of(piece.doc_id)) for piece in pieces]
        if not all(twin for _, twin in places):
            return frozenset()
        return frozenset((twin if in_twins else piece.doc_id, self._number(piece)) for piece, twin in places)

    def _are_twins(self, doc_id: str, other: str) -> bool:
        differ = self.corpus.language(doc_id) != self.corpus.language(other)
        return differ and self._outline(doc_id)[1] == self._outline(other)[1]

    def _number(self, piece: Evidence) -> int:
        return bisect_right(self._outline(piece.doc_id)[0], piece.start)

    def _outline(self, doc_id: str) -> tuple[list[int], list[str]]:
        """Return the starts and the kinds of the blocks of a document."""
        if doc_id not in self._blocks:
            document = self.corpus.document(doc_id)
            found = blocks(document.text, str(document.metadata.get("format", "text")))
            self._blocks[doc_id] = [block.start for block in found], [block.kind for block in found]
        return self._blocks[doc_id]


def _paths_beside(doc_id: str) -> Iterator[str]:
    """Yield the paths that differ from the path of a document only in a language tag."""
    folder, file = posixpath.split(doc_id)
    stem, suffix = posixpath.splitext(file)
    tagged = _TAGGED.fullmatch(stem)
    name = tagged["name"] if tagged else stem
    yield posixpath.join(folder, f"{name}{suffix}")
    yield from (posixpath.join(folder, f"{name}{mark}{tag}{suffix}") for mark in "._-" for tag in _TAGS)
    parts = folder.split("/") if folder else []
    for at, part in enumerate(parts):
        if part in _TAGS:
            yield posixpath.join(*parts[:at], *parts[at + 1 :], file)
            yield from (posixpath.join(*parts[:at], tag, *parts[at + 1 :], file) for tag in _TAGS)
    if not any(part in _TAGS for part in parts):
        yield from (
            posixpath.join(*parts[:at], tag, *parts[at:], file) for at in range(len(parts) + 1) for tag in _TAGS
        )
