"""The corpus on disk: documents, passages, headings, languages, links, near duplicates and a lexical index.

It answers for all documents, while a knowledge graph holds what was read of them.
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
from synth.core.records import Chunk, Document, Evidence, Sample
from synth.core.written_json import WrittenObject
from synth.corpus.documents.stored import StoredDocuments
from synth.corpus.matched_passages import MatchedPassages
from synth.corpus.outlines import Outlines
from synth.models.prompts import Prompt, load
from synth.retrieval.bm25 import LexicalIndex
from synth.text.blocks import blocks
from synth.text.markup import plain

if TYPE_CHECKING:
    import numpy as np

ARRAYS = (
    *("order", "first", "sizes", "languages", "ids", "places", "starts", "ends", "notes"),
    *("near_first", "near", "refers_first", "refers"),
)
"""Arrays of a corpus.

By document, in order of the ids: `order`, its number among the stored documents; `first`, the number of its first
passage, and one number more; `sizes` in characters; `languages`, a number; `notes`, the end of the headings of its
passages in the file.
By passage: `ids` as numbers, `starts` and `ends` in the document; `near_first`, as `first`, of its near duplicates
`near`; `refers_first` of what its links lead to, `refers`, where numbers below 0 are documents, from the last one
back. `places` are the passages in order of their ids.
"""

NOTES, FACTS = "notes.jsonl", "corpus.json"
DOCUMENTS, OUTLINES = "documents.json", "outlines.json"

_KEPT = 10_000_000
"""Characters of documents kept in memory as they were last read."""

_MAX_CACHED_TEXTS = 10_000
"""Number of pieces of evidence whose plain text is kept in memory."""


class Corpus:
    """Documents in the order of their ids, cut into passages, in mapped files of a folder.

    Passages have headings, near duplicates and links; documents have a language. `prompt` gives a prompt by name and
    language, and `brief` says what the documents are and who asks about them: both go into requests about the corpus.
    """

    def __init__(
        self, folder: Path, documents: StoredDocuments, prompt: Callable[[str, str], Prompt] = load, brief: str = ""
    ) -> None:
        self.folder, self._stored = folder, documents
        self.prompt, self.brief = prompt, brief
        self._arrays: dict[str, np.ndarray] = {name: mapped(folder / f"{name}.npy") for name in ARRAYS}
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        self._stats: dict[str, Any] = facts["stats"]
        self._languages: list[str] = facts["languages"]
        self._hash: str = facts["hash"]
        self._hashes, self._outlines = WrittenObject(folder / DOCUMENTS), WrittenObject(folder / OUTLINES)
        self._read: OrderedDict[int, Document] = OrderedDict()
        self._last_headings: tuple[int, list[list[str]]] = (-1, [])
        self._held = 0
        self._plain_texts: dict[tuple[str, str], str] = {}
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
    def passages(self) -> MatchedPassages:
        """The passages sentence by sentence, to be compared with questions."""
        return MatchedPassages(self)

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

    def outlines(self) -> Outlines:
        """Content hashes and outlines of the documents."""
        return Outlines(self._hash, self._hashes, self._outlines)

    def stats(self) -> dict[str, Any]:
        """Counts of nodes, edges and languages, as `KnowledgeGraph.stats` has them."""
        return self._stats

    # Documents and passages

    def __contains__(self, node_id: str) -> bool:
        """Whether there is a document or a passage of this id."""
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

    def language(self, doc_id: str) -> str:
        """The language of a document. Raises InputError when there is none of this id."""
        return self._languages[int(self._arrays["languages"][self._number(doc_id)])]

    def near_duplicates(self, chunk_id: str) -> list[str]:
        """Ids of the passages that nearly repeat a passage."""
        return [self.index.ids[other] for other in self._edges("near", chunk_id)]

    def links(self, chunk_id: str) -> list[str]:
        """Ids of the passages and documents that the links of a passage lead to."""
        ids = self.index.ids
        return [ids[number] if number >= 0 else self.doc_ids[number] for number in self._edges("refers", chunk_id)]

    # Evidence

    def misplaced(self, piece: Evidence) -> str:
        """Reason why a piece of evidence is not where it says, or "" when it is."""
        if piece.doc_id not in self:
            return f"document '{piece.doc_id}' is not in the corpus"
        document = self.document(piece.doc_id)
        if document.content_hash != piece.doc_hash:
            return f"document '{piece.doc_id}' has changed since the evidence was taken"
        if not piece.text or document.text[piece.start : piece.end] != piece.text:
            return f"characters {piece.start} to {piece.end} of '{piece.doc_id}' are not the evidence"
        return ""

    def line(self, piece: Evidence) -> str:
        """The line, or lines, of the document that a piece of evidence stands in."""
        text = self.document(piece.doc_id).text
        end = text.find("\n", piece.end)
        return text[text.rfind("\n", 0, piece.start) + 1 : end if end >= 0 else len(text)]

    def headings(self, piece: Evidence) -> tuple[str, ...]:
        """The headings, outermost first, that a piece of evidence stands under."""
        document = self.document(piece.doc_id)
        above: tuple[str, ...] = ()
        for block in blocks(document.text, str(document.metadata.get("format", "text"))):
            if block.start > piece.start:
                break
            above = block.headings
        return above

    def plain_evidence(self, sample: Sample) -> str:
        """The evidence of a sample as plain text, without markup, piece after piece."""
        return " ".join(self.texts(sample))

    def texts(self, sample: Sample) -> list[str]:
        """The pieces of evidence of a sample as plain text, without markup."""
        return self.texts_of(sample.evidence)

    def texts_of(self, pieces: Sequence[Evidence]) -> list[str]:
        """Pieces of evidence as plain text, without markup."""
        return [self._plain(piece) for piece in pieces]

    def titles(self, sample: Sample) -> list[str]:
        """For each piece of evidence the title and the headings of its passage."""
        places = [(self.document(piece.doc_id).title, piece.chunk_id) for piece in sample.evidence]
        return [" / ".join(filter(None, [title, *self.chunk(name).headings])) for title, name in places]

    # Internals

    def _plain(self, piece: Evidence) -> str:
        key = (piece.doc_id, piece.text)
        if len(self._plain_texts) > _MAX_CACHED_TEXTS:
            self._plain_texts.clear()
        if key not in self._plain_texts:
            markdown = self.document(piece.doc_id).metadata.get("format") == "markdown"
            self._plain_texts[key] = plain(piece.text, markdown=markdown).text
        return self._plain_texts[key]

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
            headings=tuple(self._headings_of(home)[number - self._range(home)[0]]),
        )

    def _headings_of(self, number: int) -> list[list[str]]:
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
