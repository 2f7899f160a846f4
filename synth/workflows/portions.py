"""Portions of a corpus that is read without a chat model: only as many documents are parsed as the rows need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from synth.core.progress import Progress
from synth.core.store import Store
from synth.corpus.deep_reading import DeepReading
from synth.corpus.on_demand import Lazy
from synth.generation.writer import WriterContext, priority
from synth.workflows.assembly import Assembly
from synth.workflows.session import Cut, Drafts, corpus_of, counted, material_of, read_cut, read_deeply, wanted
from synth.workflows.settings import CHEAP, Settings

WHOLE = 250_000
"""Most characters of a corpus that is one portion."""

FIRST = 60_000
"""Least characters of the first portion of a larger corpus. Each further portion doubles what is read."""


class Portions:
    """Portions of the documents of a corpus, in an order that depends on the ids of the documents and the seed alone.

    `built` and `corpus` have all documents, with the transforms that parse nothing. `first` is the material of the
    first portion, whose graph has the results of all transforms on its documents. Raises InputError when no document
    can have questions.
    """

    def __init__(
        self,
        documents: Cut,
        settings: Settings,
        store: Store,
        parts: Assembly,
        progress: Progress,
        reading: DeepReading,
    ) -> None:
        self._documents, self._settings, self._store = documents, settings, store
        self._parts, self._progress, self._reading = parts, progress, reading
        self._made: list[WriterContext] = []
        if sum(len(document.text) for document in documents.loaded.documents) <= WHOLE:
            self.built = counted(read_cut(read_deeply(documents, reading, progress), store, parts, progress), reading)
            self.corpus = corpus_of(self.built.graph, settings)
            self.first, self.lazy = material_of(self.built, settings, parts, store, progress)
            return
        cheap = tuple(part for part in parts.transforms if part.name in CHEAP)
        self.built = read_cut(documents, store, replace(parts, transforms=cheap), progress)
        self.corpus = corpus_of(self.built.graph, settings)
        self._drafts = Drafts(self.built.readings, store)
        order = sorted(wanted(self.built, settings), key=lambda doc_id: (priority(settings.seed, doc_id), doc_id))
        ends = portion_ends([len(self.built.graph.document(doc_id).text) for doc_id in order])
        self._portions = [sorted(order[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
        self._read = replace(documents, loaded=replace(documents.loaded, documents=()), readings={}, chunks=())
        self.first, self.lazy = self._portion(0)

    def _further(self, number: int) -> WriterContext | None:
        """The material with portion `number`, from 1, and those before it; None when there is no such portion."""
        if number > len(self._made) and number < len(self._portions):
            self._made.append(self._portion(number)[0])
        return self._made[number - 1] if number <= len(self._made) else None

    def _portion(self, number: int) -> tuple[WriterContext, Lazy]:
        """Read a portion; return the material with it and those before it."""
        graph, before = self.built.graph, self._read
        added = Cut(
            loaded=replace(before.loaded, documents=tuple(map(graph.document, self._portions[number]))),
            readings={doc_id: self._documents.readings[doc_id] for doc_id in self._portions[number]},
            chunks=[chunk for doc_id in self._portions[number] for chunk in graph.chunks_of(doc_id)],
        )
        added = read_deeply(added, self._reading, self._progress)
        self._read = Cut(
            loaded=replace(before.loaded, documents=(*before.loaded.documents, *added.loaded.documents)),
            readings={**before.readings, **added.readings},
            chunks=[*before.chunks, *added.chunks],
        )
        built = read_cut(self._read, self._store, self._parts, self._progress)
        material, lazy = material_of(built, self._settings, self._parts, self._store, self._progress, self._drafts)
        further = partial(self._further, number + 1)
        return replace(material, passages=self.corpus.passages, further=further), lazy


def portion_ends(sizes: Sequence[int]) -> list[int]:
    """The ends of portions of documents of these sizes, in characters; the last portion ends with the documents."""
    ends, least = [], FIRST
    for number, read in enumerate(accumulate(sizes), 1):
        if read >= least or number == len(sizes):
            ends.append(number)
            least = 2 * read
    return ends
