"""The library of a large corpus: its documents, passages, near duplicates and lexical index, in mapped files.

It answers for the whole corpus, while a knowledge graph holds the documents that are read.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.core.errors import InputError
from synth.core.mapped_arrays import mapped
from synth.core.records import NEAR_DUPLICATE, Chunk, Document
from synth.core.written_json import WrittenObject
from synth.corpus.documents.stored import StoredDocuments
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.outlines import Outlines
from synth.corpus.transforms.references import KIND as REFERS_TO
from synth.retrieval.bm25 import LexicalIndex

if TYPE_CHECKING:
    import numpy as np

ARRAYS = (
    *("order", "first", "sizes", "languages", "ids", "places", "starts", "ends", "notes"),
    *("near_first", "near", "refers_first", "refers"),
)
"""Arrays of a library.

By document, in order of the ids: `order`, its number among the stored documents; `first`, the number of its first
passage, and one number more; `sizes` in characters; `languages`, a number; `notes`, the end of the headings of its
passages in the file.
By passage: `ids` as numbers, `starts` and `ends` in the document; `near_first`, as `first`, of its near duplicates
`near`; `refers_first` of what its links lead to, `refers`, where numbers below 0 are documents, from the last one
back. `places` are the passages in order of their ids.
"""

NOTES, FACTS = "notes.jsonl", "library.json"
DOCUMENTS, OUTLINES = "documents.json", "outlines.json"

_KEPT = 10_000_000
"""Characters of documents kept in memory as they were last read."""


class Library(KnowledgeGraph):
    """A knowledge graph on disk: documents, their languages, passages, near duplicates and what links lead to."""

    def __init__(self, folder: Path, documents: StoredDocuments) -> None:
        super().__init__()
        self.folder, self._stored = folder, documents
        self._arrays: dict[str, np.ndarray] = {name: mapped(folder / f"{name}.npy") for name in ARRAYS}
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        self._stats: dict[str, Any] = facts["stats"]
        self._languages: list[str] = facts["languages"]
        self._hash: str = facts["hash"]
        self._hashes, self._outlines = WrittenObject(folder / DOCUMENTS), WrittenObject(folder / OUTLINES)
        self._read: OrderedDict[int, Document] = OrderedDict()
        self._last_headings: tuple[int, list[list[str]]] = (-1, [])
        self._held = 0
        self._notes = open(folder / NOTES, "rb")  # noqa: SIM115

    def __del__(self) -> None:
        if hasattr(self, "_notes"):
            self._notes.close()

    @cached_property
    def doc_ids(self) -> list[str]:
        """Ids of the documents, in order."""
        return [self._stored.ids[number] for number in self._arrays["order"].tolist()]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {doc_id: number for number, doc_id in enumerate(self.doc_ids)}

    @cached_property
    def index(self) -> LexicalIndex:
        """The lexical index of all passages."""
        ids = _PassageIds(self._arrays["ids"], self._arrays["places"])
        return LexicalIndex.open(self.folder, ids, ids.numbers)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Characters of each document."""
        return dict(zip(self.doc_ids, self._arrays["sizes"].tolist(), strict=True))

    def in_languages(self, known: Callable[[Mapping[str, int]], Container[str]]) -> tuple[list[str], np.ndarray]:
        """Ids and sizes, in characters, of the documents with passages in languages that are `known`.

        That is called with the number of documents in each language.
        """
        import numpy as np

        some = self._arrays["first"][1:] > self._arrays["first"][:-1]
        counts = np.bincount(self._arrays["languages"][some], minlength=len(self._languages)).tolist()
        wanted = known({name: count for name, count in zip(self._languages, counts, strict=True) if count})
        is_wanted = np.array([name in wanted for name in self._languages], dtype=bool)
        found = np.flatnonzero(some & is_wanted[self._arrays["languages"]])
        return [self.doc_ids[number] for number in found.tolist()], self._arrays["sizes"][found]

    @property
    def languages(self) -> dict[str, str]:
        """Language of each document that has passages."""
        some = (self._arrays["first"][1:] > self._arrays["first"][:-1]).tolist()
        numbers = self._arrays["languages"].tolist()
        return {doc_id: self._languages[n] for doc_id, n, has in zip(self.doc_ids, numbers, some, strict=True) if has}

    def outlines(self) -> Outlines:
        """Content hashes and outlines of the documents."""
        return Outlines(self._hash, self._hashes, self._outlines)

    # As in every graph

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._numbers or node_id in self._passages

    def documents(self) -> Iterator[Document]:
        return (self._stored[number] for number in self._arrays["order"].tolist())

    def document(self, doc_id: str) -> Document:
        """The document of this id. Raises InputError when there is none."""
        return self._document(self._number(doc_id))

    def chunks(self) -> Iterator[Chunk]:
        return (chunk for doc_id in self.doc_ids for chunk in self.chunks_of(doc_id))

    def chunk(self, chunk_id: str) -> Chunk:
        """The passage of this id. Raises InputError when there is none."""
        number = self._passage(chunk_id)
        return self._chunk(number, self._home(number))

    def chunks_of(self, doc_id: str) -> list[Chunk]:
        """Passages of a document, in the order of its text."""
        home = self._number(doc_id)
        return [self._chunk(number, home) for number in range(*self._range(home))]

    def chunk_count(self, doc_id: str) -> int:
        """Number of the passages of a document."""
        first, after = self._range(self._number(doc_id))
        return after - first

    def chunk_at(self, doc_id: str, start: int, end: int | None = None) -> Chunk | None:
        """The first passage that holds character `start` of a document, or all of `start:end`; None without one."""
        home = self._number(doc_id)
        covering = self.passage_at(home, start, start + 1 if end is None else end)
        return None if covering is None else self._chunk(covering, home)

    def passage_at(self, home: int, start: int, stop: int) -> int | None:
        """The number of the first passage of a document that holds `start:stop`, by the number of the document."""
        import numpy as np

        first, after = self._range(home)
        last = first + int(np.searchsorted(self._arrays["starts"][first:after], start, side="right"))
        covering = None
        for number in range(last - 1, first - 1, -1):
            if self._arrays["ends"][number] >= stop:
                covering = number
            elif self._arrays["ends"][number] <= start:
                break
        return covering

    def value(self, node_id: str, name: str) -> Any:
        """The attribute `name` of a node, or None; a document has its "language"."""
        number = self._numbers.get(node_id)
        if name != "language" or number is None:
            return None
        return self._languages[int(self._arrays["languages"][number])]

    def __len__(self) -> int:
        return len(self.doc_ids) + len(self._arrays["ids"])

    def values(self, node_id: str) -> dict[str, Any]:
        """The attributes of a node, by name."""
        language = self.value(node_id, "language")
        return {} if language is None else {"language": language}

    def targets(self, node_id: str, kind: str) -> list[str]:
        """Ids of the near duplicates of a passage, or of what it links to; other edges are not kept."""
        if kind == REFERS_TO:
            ids = self.index.ids
            return [ids[number] if number >= 0 else self.doc_ids[number] for number in self._edges("refers", node_id)]
        return self.neighbours(node_id, kind)

    def sources(self, node_id: str, kind: str) -> list[str]:
        """Ids of the near duplicates of a passage; from where it is linked to is not kept."""
        return self.neighbours(node_id, kind)

    def neighbours(self, node_id: str, kind: str) -> list[str]:
        """Ids of the near duplicates of a passage."""
        return [self.index.ids[other] for other in self._edges("near", node_id)] if kind == NEAR_DUPLICATE else []

    def stats(self) -> dict[str, Any]:
        """Counts as those of `KnowledgeGraph.stats`."""
        return self._stats

    # Internals

    def _edges(self, name: str, chunk_id: str) -> list[int]:
        number = self._passage(chunk_id)
        ends = self._arrays[f"{name}_first"][number : number + 2]
        found: list[int] = self._arrays[name][slice(*ends.tolist())].tolist()
        return found

    @property
    def _passages(self) -> Mapping[str, int]:
        ids = self.index.ids
        assert isinstance(ids, _PassageIds)
        return ids.numbers

    def _number(self, doc_id: str) -> int:
        number = self._numbers.get(doc_id)
        if number is None:
            raise InputError(f"the corpus has no document {doc_id!r}; build it again from the corpus as it is")
        return number

    def _passage(self, chunk_id: str) -> int:
        number = self._passages.get(chunk_id)
        if number is None:
            raise InputError(f"the corpus has no passage {chunk_id!r}; build it again from the corpus as it is")
        return number

    def _range(self, home: int) -> tuple[int, int]:
        first, after = self._arrays["first"][home : home + 2].tolist()
        return first, after

    def _home(self, number: int) -> int:
        import numpy as np

        return int(np.searchsorted(self._arrays["first"], number, side="right")) - 1

    def _document(self, number: int) -> Document:
        document = self._read.pop(number, None)
        if document is None:
            document = self._stored[int(self._arrays["order"][number])]
            self._held += len(document.text)
        self._read[number] = document
        while self._held > _KEPT and len(self._read) > 1:
            self._held -= len(self._read.popitem(last=False)[1].text)
        return document

    def _chunk(self, number: int, home: int) -> Chunk:
        document, start, end = (
            self._document(home),
            int(self._arrays["starts"][number]),
            int(self._arrays["ends"][number]),
        )
        return Chunk(
            chunk_id=self.index.ids[number],
            doc_id=document.doc_id,
            start=start,
            end=end,
            text=document.text[start:end],
            headings=tuple(self._headings(home)[number - self._range(home)[0]]),
        )

    def _headings(self, number: int) -> list[list[str]]:
        """The headings of each passage of a document; those of the document last asked for are kept."""
        if self._last_headings[0] == number:
            return self._last_headings[1]
        start = int(self._arrays["notes"][number - 1]) if number else 0
        self._notes.seek(start)
        packed = self._notes.read(int(self._arrays["notes"][number]) - start)
        headings: list[list[str]] = json.loads(packed.decode("utf-8", "surrogatepass"))
        self._last_headings = (number, headings)
        return headings


class _PassageIds(Sequence[str]):
    """Ids of passages, made of the numbers that they are kept as."""

    def __init__(self, ids: np.ndarray, places: np.ndarray) -> None:
        self._ids = ids
        self.numbers: Mapping[str, int] = _Numbers(ids, places)

    def __getitem__(self, number: Any) -> Any:
        return id_of(int(self._ids[number]))

    def __len__(self) -> int:
        return len(self._ids)


class _Numbers(Mapping[str, int]):
    """Numbers of passages by their ids."""

    def __init__(self, ids: np.ndarray, places: np.ndarray) -> None:
        self._ids, self._places = ids, places

    def __getitem__(self, chunk_id: str) -> int:
        wanted = number_of(chunk_id)
        low, high = 0, len(self._places)
        while low < high:
            middle = (low + high) // 2
            if int(self._ids[self._places[middle]]) < wanted:
                low = middle + 1
            else:
                high = middle
        if wanted >= 0 and low < len(self._places) and int(self._ids[self._places[low]]) == wanted:
            return int(self._places[low])
        raise KeyError(chunk_id)

    def __iter__(self) -> Iterator[str]:
        return (id_of(int(number)) for number in self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def number_of(chunk_id: str) -> int:
    """The number that the id of a passage is kept as; -1 for an id that no chunker gives."""
    try:
        return int(chunk_id.removeprefix("c-"), 16) if chunk_id.startswith("c-") and len(chunk_id) == 18 else -1
    except ValueError:
        return -1


def id_of(number: int) -> str:
    """The inverse of `number_of`."""
    return f"c-{number:016x}"
