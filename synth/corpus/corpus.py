"""The corpus on disk: documents, passages, headings, languages, links, near duplicates and a lexical index.

A corpus covers all documents. A knowledge graph covers only the documents that were read so far.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from synth.core.errors import InputError
from synth.core.mapped_arrays import mapped
from synth.core.records import Chunk, Document, Evidence, Sample
from synth.core.written_json import WrittenObject
from synth.corpus.documents.globs import matches
from synth.corpus.documents.stored import StoredDocuments
from synth.corpus.matched_passages import MatchedPassages
from synth.corpus.outlines import Outlines
from synth.models.prompts import Prompt, load
from synth.retrieval.bm25 import LexicalIndex
from synth.text.blocks import blocks
from synth.text.boilerplate import boilerplate_sizes, kind_of_file
from synth.text.markup import plain

if TYPE_CHECKING:
    import numpy as np

ARRAYS = (
    *("order", "first", "sizes", "languages", "ids", "places", "starts", "ends", "notes"),
    *("near_first", "near", "refers_first", "refers"),
)
"""Names of the arrays of a corpus, one file each.

Arrays by document, in order of document id:
`order`: position of the document among the stored documents.
`first`: number of its first passage. One extra entry at the end is the number of all passages.
`sizes`: length of its text in characters.
`languages`: index into the list of languages.
`notes`: byte offset in the file NOTES at which the headings of its passages end.

Arrays by passage, in order of the text:
`ids`: passage id, converted to a number by `number_of`.
`places`: passage numbers, sorted by passage id.
`starts`, `ends`: character offsets in the document.
`near_first`, `near`: near duplicates of passage n are `near[near_first[n]:near_first[n + 1]]`.
`refers_first`, `refers`: targets of its links, stored in the same way. -n means the n-th document from the end.
"""

NOTES, FACTS = "notes.jsonl", "corpus.json"
DOCUMENTS, OUTLINES = "documents.json", "outlines.json"

_KEPT = 10_000_000
"""Maximum characters of document text in the memory cache."""

_SAMPLED = 100
"""Number of documents from which `Corpus.subjects` is estimated."""

_SUBJECT = 0.25
"""Minimum share of documents that consist mostly of a kind of boilerplate, if the corpus is about that kind."""

_MAX_CACHED_TEXTS = 10_000
_FOLDER_PAGES = ("index", "README", "readme", "_index")
"""Names of the page that stands for its folder, without their ending."""

"""Maximum number of plain evidence texts in the memory cache."""


class Corpus:
    """Documents in order of their ids, cut into passages and stored as memory-mapped files in `folder`.

    Passages have headings, near duplicates and links. Documents have a language. `prompt` loads a prompt by name and
    language. `brief` describes the documents and the people who ask about them. Model requests about the corpus use
    `prompt` and `brief`. `distractors` are patterns of the documents that rows must not be about (see `is_asked`).
    """

    def __init__(
        self, folder: Path, documents: StoredDocuments, prompt: Callable[[str, str], Prompt] = load, brief: str = ""
    ) -> None:
        self.folder, self._stored = folder, documents
        self.prompt, self.brief = prompt, brief
        self.distractors: Sequence[str] = ()
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
        """Ids of the documents, sorted."""
        return [self._stored.ids[number] for number in self._arrays["order"].tolist()]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {doc_id: number for number, doc_id in enumerate(self.doc_ids)}

    @cached_property
    def passages(self) -> MatchedPassages:
        """The passages, split into sentences that can be matched with questions."""
        return MatchedPassages(self)

    @cached_property
    def index(self) -> LexicalIndex:
        """The lexical index of all passages."""
        ids = _PassageIds(self._arrays["ids"], self._arrays["places"])
        return LexicalIndex.open(self.folder, ids, ids.numbers)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """Number of characters of each document, by document id."""
        return dict(zip(self.doc_ids, self._arrays["sizes"].tolist(), strict=True))

    @cached_property
    def subjects(self) -> frozenset[str]:
        """Kinds of boilerplate that the corpus is about, such as licences in a handbook of licences.

        At least two documents and a quarter of them consist mostly of such a kind, or it is the only document. This is
        estimated from the middle passages of some documents. Files whose name says that they are boilerplate count only
        if there are no others.
        """
        some = self.doc_ids[:: max(1, len(self.doc_ids) // _SAMPLED)]
        sampled = [doc_id for doc_id in some if not _kind_of_file(doc_id)] or some
        counts: Counter[str] = Counter()
        for passages in filter(None, map(self.chunks_of, sampled)):
            sizes = self.boilerplate_sizes(passages[len(passages) // 2])
            counts.update(kind for kind, size in sizes.items() if kind and size >= sizes.total() / 2)
        least = max(min(2, len(sampled)), _SUBJECT * len(sampled))
        return frozenset(kind for kind, count in counts.items() if count >= least)

    def boilerplate_sizes(self, passage: Chunk) -> Counter[str]:
        """Return the number of characters of a passage by kind of boilerplate (see `text.boilerplate`)."""
        if kind := _kind_of_file(passage.doc_id):
            return Counter({kind: len(passage.text)})
        document = self.document(passage.doc_id)
        headings = (document.title, *passage.headings)
        return boilerplate_sizes(passage.text, str(document.metadata.get("format", "text")), headings)

    def is_asked(self, doc_id: str) -> bool:
        """Return whether rows may be about a document, because it matches none of `distractors`."""
        return not (self.distractors and matches(doc_id, self.distractors))

    @property
    def distracting(self) -> list[str]:
        """Ids of the documents that rows must not be about, sorted."""
        return [doc_id for doc_id in self.doc_ids if not self.is_asked(doc_id)] if self.distractors else []

    def top_asked(self, query: str, count: int) -> list[str]:
        """Return the ids of the `count` best passages by BM25, best first, of the documents that rows may be about."""
        most = count
        while True:
            names = [name for name, _ in self.index.top(query, most)]
            asked = [name for name in names if self.is_asked(self.chunk(name).doc_id)] if self.distractors else names
            if len(asked) >= count or len(names) < most:
                return asked[:count]
            most *= 4

    def in_languages(self, known: Callable[[Mapping[str, int]], Container[str]]) -> tuple[list[str], np.ndarray]:
        """Return ids and sizes (characters) of the documents in the wanted languages.

        `known` receives the number of documents per language and returns the wanted languages. Documents without
        passages, and those that match `distractors`, are left out. Raises InputError if all documents match them.
        """
        import numpy as np

        some = self._arrays["first"][1:] > self._arrays["first"][:-1]
        if others := set(self.distracting):
            if len(others) == len(self.doc_ids):
                raise InputError(
                    f"no question can be asked: each of the {len(others)} documents is a distractor by the patterns "
                    + ", ".join(self.distractors)
                )
            some &= np.array([doc_id not in others for doc_id in self.doc_ids], dtype=bool)
        counts = np.bincount(self._arrays["languages"][some], minlength=len(self._languages)).tolist()
        wanted = known({name: count for name, count in zip(self._languages, counts, strict=True) if count})
        is_wanted = np.array([name in wanted for name in self._languages], dtype=bool)
        found = np.flatnonzero(some & is_wanted[self._arrays["languages"]])
        return [self.doc_ids[number] for number in found.tolist()], self._arrays["sizes"][found]

    def outlines(self) -> Outlines:
        """Return content hashes and outlines of the documents."""
        return Outlines(self._hash, self._hashes, self._outlines)

    def stats(self) -> dict[str, Any]:
        """Return the counts of nodes, edges and languages, in the form of `KnowledgeGraph.stats`."""
        return self._stats

    # Documents and passages

    def __contains__(self, node_id: str) -> bool:
        """Whether the id belongs to a document or a passage of the corpus."""
        return node_id in self._numbers or node_id in self._passages

    def documents(self) -> Iterator[Document]:
        """Iterate over the documents in order of id."""
        return (self._stored[number] for number in self._arrays["order"].tolist())

    def document(self, doc_id: str) -> Document:
        """Return the document with this id. Raise InputError if the corpus has no such document."""
        return self._document(self._number(doc_id))

    def chunks(self) -> Iterator[Chunk]:
        """Iterate over all passages, document by document."""
        return (chunk for doc_id in self.doc_ids for chunk in self.chunks_of(doc_id))

    def chunk(self, chunk_id: str) -> Chunk:
        """Return the passage with this id. Raise InputError if the corpus has no such passage."""
        number = self._passage(chunk_id)
        return self._chunk(number, self._home(number))

    def chunks_of(self, doc_id: str) -> list[Chunk]:
        """Return the passages of a document in order of the text. Raise InputError for an unknown document."""
        home = self._number(doc_id)
        return [self._chunk(number, home) for number in range(*self._range(home))]

    def chunk_count(self, doc_id: str) -> int:
        """Return the number of passages of a document. Raise InputError for an unknown document."""
        first, after = self._range(self._number(doc_id))
        return after - first

    def chunk_at(self, doc_id: str, start: int, end: int | None = None) -> Chunk | None:
        """Return the first passage that contains characters `start:end` of a document, or None if no passage does.

        Without `end`, only character `start` must lie in the passage. Raise InputError for an unknown document.
        """
        home = self._number(doc_id)
        covering = self.passage_at(home, start, start + 1 if end is None else end)
        return None if covering is None else self._chunk(covering, home)

    def passage_at(self, home: int, start: int, stop: int) -> int | None:
        """Return the number of the first passage that contains `start:stop`, or None.

        `home` is the number of the document.
        """
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
        """Return the language tag of a document. Raise InputError for an unknown document."""
        return self._languages[int(self._arrays["languages"][self._number(doc_id)])]

    def near_duplicates(self, chunk_id: str) -> list[str]:
        """Return ids of the near duplicates of a passage. Raise InputError for an unknown passage."""
        return [self.index.ids[other] for other in self._edges("near", chunk_id)]

    def links(self, chunk_id: str) -> list[str]:
        """Return ids of the passages and documents that a passage links to. Raise InputError for an unknown passage."""
        ids = self.index.ids
        return [ids[number] if number >= 0 else self.doc_ids[number] for number in self._edges("refers", chunk_id)]

    # Evidence

    def misplaced(self, piece: Evidence) -> str:
        """Return why a piece of evidence does not match its document, or "" if it matches.

        The evidence must name a document of the corpus with unchanged content, and its offsets must contain its text.
        """
        if piece.doc_id not in self:
            return f"document '{piece.doc_id}' is not in the corpus"
        document = self.document(piece.doc_id)
        if document.content_hash != piece.doc_hash:
            return f"document '{piece.doc_id}' has changed since the evidence was taken"
        if not piece.text or document.text[piece.start : piece.end] != piece.text:
            return f"characters {piece.start} to {piece.end} of '{piece.doc_id}' do not contain the evidence text"
        return ""

    def line(self, piece: Evidence) -> str:
        """Return the complete lines of the document that contain a piece of evidence."""
        text = self.document(piece.doc_id).text
        end = text.find("\n", piece.end)
        return text[text.rfind("\n", 0, piece.start) + 1 : end if end >= 0 else len(text)]

    def headings(self, piece: Evidence) -> tuple[str, ...]:
        """Return the headings above a piece of evidence, outermost first."""
        document = self.document(piece.doc_id)
        above: tuple[str, ...] = ()
        for block in blocks(document.text, str(document.metadata.get("format", "text"))):
            if block.start > piece.start:
                break
            above = block.headings
        return above

    def plain_evidence(self, sample: Sample) -> str:
        """Return the evidence of a sample as one plain text without markup."""
        return " ".join(self.texts(sample))

    def texts(self, sample: Sample) -> list[str]:
        """Return the text of each piece of evidence of a sample, without markup."""
        return self.texts_of(sample.evidence)

    def texts_of(self, pieces: Sequence[Evidence]) -> list[str]:
        """Return the text of each piece of evidence, without markup."""
        return [self._plain(piece) for piece in pieces]

    def folder_title(self, doc_id: str) -> str:
        """Return the title of the page that stands for the folder of a document (`_FOLDER_PAGES`), or "".

        For such a page itself, it is the title of the folder above. A title that the document has as well is left out.
        """
        folder, _, name = doc_id.rpartition("/")
        stem, _, suffix = name.rpartition(".")
        if stem in _FOLDER_PAGES:
            folder = folder.rpartition("/")[0]
        if not folder:
            return ""
        pages = (f"{folder}/{page}.{suffix}" for page in _FOLDER_PAGES)
        found = next((one for one in pages if one in self.sizes), "")
        title = self.document(found).title if found else ""
        return "" if title in self.document(doc_id).title else title

    def titles(self, sample: Sample) -> list[str]:
        """Return, for each piece of evidence, the document title and the headings of its passage, joined by " / "."""
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
            raise InputError(
                f"the corpus has no document {doc_id!r}; build the corpus again from the current documents"
            )
        return number

    def _passage(self, chunk_id: str) -> int:
        number = self._passages.get(chunk_id)
        if number is None:
            raise InputError(
                f"the corpus has no passage {chunk_id!r}; build the corpus again from the current documents"
            )
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
        """Return the headings of each passage of document `number`. The result for the last document is cached."""
        if self._last_headings[0] == number:
            return self._last_headings[1]
        start = int(self._arrays["notes"][number - 1]) if number else 0
        self._notes.seek(start)
        packed = self._notes.read(int(self._arrays["notes"][number]) - start)
        headings: list[list[str]] = json.loads(packed.decode("utf-8", "surrogatepass"))
        self._last_headings = (number, headings)
        return headings


def _kind_of_file(doc_id: str) -> str:
    return kind_of_file(PurePosixPath(doc_id).stem)


class _PassageIds(Sequence[str]):
    """Passage ids as strings, computed from the stored numbers."""

    def __init__(self, ids: np.ndarray, places: np.ndarray) -> None:
        self._ids = ids
        self.numbers: Mapping[str, int] = _Numbers(ids, places)

    def __getitem__(self, number: Any) -> Any:
        return id_of(int(self._ids[number]))

    def __len__(self) -> int:
        return len(self._ids)


class _Numbers(Mapping[str, int]):
    """Mapping from passage id to passage number, by binary search."""

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
    """Return a passage id as the number by which it is stored; -1 for a string that is not a passage id."""
    try:
        return int(chunk_id.removeprefix("c-"), 16) if chunk_id.startswith("c-") and len(chunk_id) == 18 else -1
    except ValueError:
        return -1


def id_of(number: int) -> str:
    """Return the passage id for a stored number; the inverse of `number_of`."""
    return f"c-{number:016x}"
