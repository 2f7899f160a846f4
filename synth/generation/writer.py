"""Base class of writers. A writer plans scenarios on the graph and writes samples for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from synth.core.errors import InputError
from synth.core.records import Chunk, Draft, Evidence, Sample, Scenario, pseudo_random
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.grammar.reading import Reading
from synth.grammar.structure.facts import Fact
from synth.models.chat.base import Steps
from synth.models.prompts import Prompt


def nothing_further() -> None:
    """Return None; the default if no further documents can be read."""


def no_drafts(doc_id: str) -> Sequence[Draft]:
    """Return no drafts; the default if the grammar reads nothing."""
    return ()


def no_passage_drafts(passage: Chunk) -> Sequence[Draft]:
    """Return no drafts; the default if the grammar reads nothing."""
    return ()


def no_facts(doc_id: str) -> Sequence[Fact]:
    """Return no facts; the default if the structure of documents is not read."""
    return ()


@dataclass(frozen=True, slots=True)
class WriterContext:
    """Material of writers: the corpus, and the `graph` of what was read from it.

    `doc_ids` are the documents to ask about. `prompt` returns a prompt by name and language. `know` returns an
    attribute of a chunk or document, and asks a chat model for it if needed. `provenance` is written to every row.

    The grammar fills these fields: `readings` are the parsed documents by id. `drafts` returns the questions that the
    grammar finds in a document, best first, and `facts` what its structure states. `passage_drafts` does the same for a
    single passage of the corpus. `further` returns the material with the next portion of the corpus, or None. `unread`
    is the number of characters in the portions left.
    """

    corpus: Corpus
    graph: KnowledgeGraph
    doc_ids: Sequence[str]
    prompt: Callable[[str, str], Prompt]
    know: Callable[[str, str], Steps[Any]]
    provenance: Mapping[str, Any]
    seed: int
    readings: Mapping[str, Reading] = field(default_factory=dict)
    drafts: Callable[[str], Sequence[Draft]] = no_drafts
    facts: Callable[[str], Sequence[Fact]] = no_facts
    passage_drafts: Callable[[Chunk], Sequence[Draft]] = no_passage_drafts
    further: Callable[[], WriterContext | None] = nothing_further
    unread: int = 0

    @property
    def characters(self) -> int:
        """Number of characters that were read."""
        return sum(reading.characters for reading in self.readings.values())

    def has_read(self, passage: Chunk) -> bool:
        """Return whether a passage of the corpus was read."""
        reading = self.readings.get(passage.doc_id)
        return reading is not None and reading.covers(passage)


@dataclass(frozen=True, slots=True)
class Written:
    """Samples of a scenario, best first, and (stage, reason) for each candidate that the writer gave up."""

    samples: tuple[Sample, ...] = ()
    given_up: tuple[tuple[str, str], ...] = ()


class Writer(ABC):
    """Writer of one type of question."""

    name: ClassVar[str]
    question_type: ClassVar[str]

    @abstractmethod
    def plan(self, material: WriterContext) -> Iterable[Scenario]:
        """Return every scenario that may yield a question, with its worth. Of equal worth, the first is tried first.

        A scenario may depend only on its own documents and the seed. Then a larger set extends a smaller one, and a
        changed document changes only its own scenarios.
        """

    @abstractmethod
    def write(self, scenario: Scenario, material: WriterContext) -> Steps[Written] | Written:
        """Return the samples of a scenario. With a chat model, this is a generator of requests that returns them."""


def starts(doc_id: str, spans: Iterable[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    """Return the sentences of a scenario: the document and the start offset of each span of its evidence."""
    return tuple((doc_id, start) for start, _ in spans)


def evidence_of(material: WriterContext, doc_id: str, spans: Iterable[tuple[int, int]]) -> tuple[Evidence, ...]:
    """Return evidence records for spans (start, end) of the text of a document.

    Raise InputError if no chunk contains the start of a span.
    """
    document = material.corpus.document(doc_id)
    return tuple(
        Evidence(
            doc_id=doc_id,
            doc_hash=document.content_hash,
            chunk_id=passage_at(material, doc_id, start).chunk_id,
            start=start,
            end=end,
            text=document.text[start:end],
        )
        for start, end in spans
    )


def passage_at(material: WriterContext, doc_id: str, offset: int) -> Chunk:
    """Return the chunk that contains a character of a document. Raise InputError if no chunk does."""
    chunk = material.corpus.chunk_at(doc_id, offset)
    if chunk is None:
        raise InputError(f"no passage of '{doc_id}' contains character {offset}; chunk the document again")
    return chunk


def priority(seed: int, *identity: object) -> float:
    """Return a pseudo-random number from 0 to 1 that depends only on the seed and `identity`, for a stable shuffle."""
    return pseudo_random(seed, *identity)
