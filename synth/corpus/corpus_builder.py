"""Builder of the corpus on disk; it reads one group of documents at a time."""

from __future__ import annotations

import json
import shutil
from array import array
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from synth.core.records import NEAR_DUPLICATE, digest
from synth.core.store import BatchCache
from synth.corpus.corpus import DOCUMENTS, FACTS, NOTES, OUTLINES, Corpus, id_of, number_of
from synth.corpus.documents.stored import StoredDocuments, written_to
from synth.corpus.outlines import OutlinesWriter
from synth.corpus.sheets import Elsewhere, Sheet, SheetMaker, nowhere
from synth.corpus.transforms import near_duplicates
from synth.corpus.transforms.near_duplicates import bands_of
from synth.corpus.transforms.references import KIND as REFERS_TO
from synth.corpus.transforms.references import Pages, first_places
from synth.retrieval.bm25 import LexicalIndex, PostingsBuilder

if TYPE_CHECKING:
    import numpy as np

_FORMAT = 4
"""Version of the file format; a corpus in another format is built again."""

_IN_PART, _BYTES = 500, 8_000_000
"""Maximum number of documents in memory at a time, and maximum bytes of these documents."""


def corpus_of(
    documents: StoredDocuments,
    maker: SheetMaker,
    store: BatchCache,
    advance: Callable[[], None],
    elsewhere: Elsewhere = nowhere,
) -> Corpus:
    """Open the corpus of stored documents in a subfolder of their folder, or build it there.

    `maker` makes a sheet of each document: its chunks, word counts and links. `elsewhere` may do so in other processes.
    `advance` is called after each document. If code failed on a document, the corpus is usable, but the next run builds
    it again.
    """
    home = documents.folder / digest(_FORMAT, maker.version)[:16]
    if not (home / FACTS).exists():
        building = documents.folder / f"building-{uuid4().hex[:8]}"
        with ExitStack() as undo:
            undo.callback(shutil.rmtree, building, ignore_errors=True)
            with written_to(documents.folder):
                building.mkdir()
                whole = _CorpusBuilder(documents, maker, building).build(store, advance, elsewhere)
            undo.pop_all()
        if not whole:  # the next run tries the failed documents again
            corpus = Corpus(building, documents)
            _ = corpus.index
            shutil.rmtree(building, ignore_errors=True)  # files that are open stay readable
            return corpus
        try:
            building.rename(home)
        except OSError:  # another process was faster
            shutil.rmtree(building)
    return Corpus(home, documents)


class _CorpusBuilder:
    """Builder of one corpus, which collects its arrays in memory and writes its files."""

    def __init__(self, documents: StoredDocuments, maker: SheetMaker, folder: Path) -> None:
        self._documents, self._maker, self._folder = documents, maker, folder
        self._order = sorted(range(len(documents)), key=documents.ids.__getitem__)
        self._first, self._sizes, self._languages = array("q", [0]), array("q"), array("i")
        self._ids, self._starts, self._ends = array("Q"), array("i"), array("i")
        self._notes, self._links = array("q"), array("q", [0])
        self._signed, self._bands = array("i"), bytearray()
        self._names: list[str] = []
        self._postings = PostingsBuilder()
        self._link_count = 0
        self._hash = ""

    def build(self, store: BatchCache, advance: Callable[[], None], elsewhere: Elsewhere) -> bool:
        """Write the corpus. Return False if code failed on a document, so that the corpus is incomplete."""
        whole = True
        with (
            open(self._folder / NOTES, "wb") as notes,
            open(self._folder / "links.jsonl", "w+b") as links,
            open(self._folder / "signatures.bin", "w+b") as signatures,
            open(self._folder / DOCUMENTS, "wb") as hashes,
            open(self._folder / OUTLINES, "wb") as outlines,
        ):
            outlined = OutlinesWriter(hashes, outlines)
            for numbers in self._parts():
                part = [self._documents[number] for number in numbers]
                for document, sheet in self._maker.sheets(part, store, elsewhere):
                    outlined.add(document.doc_id, document.content_hash, sheet.outline)
                    self._add(len(document.text), sheet, notes, links, signatures)
                    whole = whole and sheet.whole
                    advance()
            signatures.flush()
            self._hash = outlined.end()
            self._write(self._near(signatures), links)
        for name in ("links.jsonl", "signatures.bin"):
            (self._folder / name).unlink()
        return whole

    def _parts(self) -> Iterator[list[int]]:
        """Yield document numbers in order, in groups with few documents and few bytes."""
        part, size, ends = list[int](), 0, self._documents.ends
        for number in self._order:
            part.append(number)
            size += ends[number + 1] - ends[number]
            if len(part) == _IN_PART or size > _BYTES:
                yield part
                part, size = [], 0
        yield part

    def _add(self, size: int, sheet: Sheet, notes: IO[bytes], links: IO[bytes], signatures: IO[bytes]) -> None:
        import numpy as np

        before = len(self._ids)
        for chunk_id, start, end, _ in sheet.chunks:
            self._ids.append(number_of(chunk_id))
            self._starts.append(start)
            self._ends.append(end)
        self._first.append(len(self._ids))
        self._sizes.append(size)
        if sheet.language not in self._names:
            self._names.append(sheet.language)
        self._languages.append(self._names.index(sheet.language))
        headings = [headings for *_, headings in sheet.chunks]
        notes.write(json.dumps(headings, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"))
        self._notes.append(notes.tell())
        packed = [(n, b64decode(one)) for n, one in enumerate(sheet.signatures, before) if one is not None]
        if packed:
            self._signed.extend([n for n, _ in packed])
            data = b"".join(one for _, one in packed)
            signatures.write(data)
            rows = np.frombuffer(data, dtype="<u4").reshape(len(packed), near_duplicates.PERMUTATIONS)
            self._bands += bands_of(rows).tobytes()
        if sheet.references and (sheet.references["links"] or sheet.references["anchors"]):
            row = json.dumps([sheet.references["links"], sheet.references["anchors"]], ensure_ascii=False)
            links.write(row.encode("utf-8", "surrogatepass"))
            self._link_count += len(sheet.references["links"])
        self._links.append(links.tell())
        for counts in sheet.words:
            self._postings.add(counts)

    def _near(self, signatures: IO[bytes]) -> np.ndarray:
        """Return pairs of passage numbers that are near duplicates."""
        import numpy as np

        if not self._signed:
            return np.zeros((0, 2), dtype=np.int32)
        rows = np.memmap(signatures, dtype="<u4", mode="r").reshape(-1, near_duplicates.PERMUTATIONS)
        bands = np.frombuffer(self._bands, dtype=np.uint64).reshape(len(rows), -1)
        ids = [id_of(self._ids[number]) for number in self._signed]
        signed = np.frombuffer(self._signed, dtype=np.int32)
        found = np.fromiter(
            (number for a, b, _ in self._maker.near.pairs(ids, rows, bands) for number in (a, b)), dtype=np.int32
        )
        self._bands = bytearray()
        pairs: np.ndarray = signed[found].reshape(-1, 2)
        return pairs

    def _write(self, near: np.ndarray, links: IO[bytes]) -> None:
        import numpy as np

        ids, passages = np.frombuffer(self._ids, dtype=np.uint64), len(self._ids)
        arrays: dict[str, np.ndarray] = {
            "order": np.array(self._order, dtype=np.int64),
            "first": np.frombuffer(self._first, dtype=np.int64),
            "sizes": np.frombuffer(self._sizes, dtype=np.int64),
            "languages": np.frombuffer(self._languages, dtype=np.int32),
            "ids": ids,
            "places": np.argsort(ids, kind="stable").astype(np.int32),
            "starts": np.frombuffer(self._starts, dtype=np.int32),
            "ends": np.frombuffer(self._ends, dtype=np.int32),
            "notes": np.frombuffer(self._notes, dtype=np.int64),
            **_by_passage("near", np.concatenate([near, near[:, ::-1]]), passages),
        }
        arrays |= _by_passage("refers", np.zeros((0, 2), dtype=np.int64), passages)
        self._save(arrays)
        index = LexicalIndex.of(self._postings.made())
        self._postings = PostingsBuilder()
        index.save(self._folder)
        facts: dict[str, Any] = {"languages": self._names, "hash": self._hash, "stats": {}}
        (self._folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")
        references = np.array([*self._references(links)], dtype=np.int64).reshape(-1, 2)
        self._save(_by_passage("refers", references, passages))
        facts["stats"] = self._stats(near, references)
        (self._folder / FACTS).write_text(json.dumps(facts), encoding="utf-8")

    def _save(self, arrays: Mapping[str, np.ndarray]) -> None:
        import numpy as np

        for name, values in arrays.items():
            path = self._folder / f"{name}.npy"
            path.unlink(missing_ok=True)  # an open file keeps its content
            np.save(path, values)

    def _references(self, links: IO[bytes]) -> Iterator[tuple[int, int]]:
        """Yield each distinct link as (passage number, target number).

        A negative target -n means the n-th document from the end.
        """
        if not self._link_count:
            return
        ids = [self._documents.ids[number] for number in self._order]
        numbers, pages = {doc_id: n for n, doc_id in enumerate(ids)}, Pages(ids)
        corpus = Corpus(self._folder, self._documents)

        def read(number: int) -> Any:
            start, end = self._links[number], self._links[number + 1]
            links.seek(start)
            return json.loads(links.read(end - start).decode("utf-8", "surrogatepass")) if end > start else ([], [])

        @lru_cache(maxsize=2000)
        def anchors(number: int) -> dict[str, int]:
            return first_places(read(number)[1])

        for home, doc_id in enumerate(ids):
            found: dict[tuple[int, int], None] = {}
            for index, _, _, text, target in read(home)[0]:
                page, slug = pages.target(doc_id, text, target) or ("", "")
                if not page:
                    continue
                place = anchors(numbers[page]).get(slug)
                covering = None if place is None else corpus.passage_at(numbers[page], place, place + 1)
                source, to = self._first[home] + index, numbers[page] - len(ids) if covering is None else covering
                if to not in (source, home - len(ids)):
                    found[source, to] = None
            yield from found

    def _stats(self, near: np.ndarray, references: np.ndarray) -> dict[str, Any]:
        """Return counts of nodes, edges and languages, in the form of `KnowledgeGraph.stats`."""
        nodes = {"chunk": len(self._ids), "document": len(self._order)}
        with_passages = sum(first < after for first, after in pairwise(self._first))
        edges = {
            "contains": len(self._ids),
            NEAR_DUPLICATE: len(near),
            "next": len(self._ids) - with_passages,
            REFERS_TO: len(references),
        }
        languages = Counter(self._names[number] for number in self._languages)
        return {
            "nodes": {kind: count for kind, count in nodes.items() if count},
            "edges": {kind: count for kind, count in sorted(edges.items()) if count},
            "languages": dict(sorted(languages.items())),
        }


def _by_passage(name: str, pairs: np.ndarray, passages: int) -> dict[str, np.ndarray]:
    """Return the pairs (passage, target) as two arrays of a corpus.

    Array `name` contains the targets, sorted by passage. Array `name` + "_first" contains, for each passage, the index
    in array `name` at which the targets of the passage begin.
    """
    import numpy as np

    ordered = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return {
        f"{name}_first": np.searchsorted(ordered[:, 0], np.arange(passages + 1)).astype(np.int64),
        name: ordered[:, 1].astype(np.int32),
    }
