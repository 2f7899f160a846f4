"""Base class of writers, which plan scenarios on the graph and write samples for them."""

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
    """No further documents: all that can have questions are there."""


def no_drafts(doc_id: str) -> Sequence[Draft]:
    """No drafts: the grammar reads nothing."""
    return ()


def no_passage_drafts(passage: Chunk) -> Sequence[Draft]:
    """No drafts: the grammar reads nothing."""
    return ()


def no_facts(doc_id: str) -> Sequence[Fact]:
    """No facts: nothing was read off the structure."""
    return ()


@dataclass(frozen=True, slots=True)
class WriterContext:
    """The material of writers: the corpus, and the `graph` of what was read of it.

    `doc_ids` are the documents that may be asked about. `prompt` gives a prompt by name and language; `know` gives an
    attribute of a chunk or a document, from a chat model where one makes it; `provenance` is written to every row.
    Where the grammar reads, `readings` are those of the documents that were read, by id; `drafts` gives its drafts for
    a document, the best first, and `facts` what the structure of one states; `passage_drafts` reads any passage of the
    corpus, alone; `further` gives the material with the next portion of the corpus, or None; `unread` is the number
    of characters that further portions have.
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
        """Number of characters that are read."""
        return sum(reading.characters for reading in self.readings.values())

    def has_read(self, passage: Chunk) -> bool:
        """Whether a passage of the corpus is among those that are read."""
        reading = self.readings.get(passage.doc_id)
        return reading is not None and reading.covers(passage)


@dataclass(frozen=True, slots=True)
class Written:
    """The samples of a scenario, the best first, and the stage and reason of each candidate that was given up."""

    samples: tuple[Sample, ...] = ()
    given_up: tuple[tuple[str, str], ...] = ()


class Writer(ABC):
    """One way to write one type of question."""

    name: ClassVar[str]
    question_type: ClassVar[str]

    @abstractmethod
    def plan(self, material: WriterContext) -> Iterable[Scenario]:
        """Every scenario that may give a question, with its worth; those of equal worth in order.

        Scenarios must depend on their own documents and the seed alone, so that a larger set extends a smaller one, and
        a changed document changes only its own scenarios.
        """

    @abstractmethod
    def write(self, scenario: Scenario, material: WriterContext) -> Steps[Written] | Written:
        """The samples of a scenario; with a chat model, a generator of requests that ends in them."""


def starts(doc_id: str, spans: Iterable[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    """The sentences of a scenario: document and start of each span (start, end) of its evidence."""
    return tuple((doc_id, start) for start, _ in spans)


def evidence_of(material: WriterContext, doc_id: str, spans: Iterable[tuple[int, int]]) -> tuple[Evidence, ...]:
    """Evidence records for spans (start, end) of the text of a document."""
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
    """The chunk that holds a character of a document. Raises InputError when none does."""
    chunk = material.corpus.chunk_at(doc_id, offset)
    if chunk is None:
        raise InputError(f"no passage of '{doc_id}' holds character {offset}; chunk the document again")
    return chunk


def priority(seed: int, *identity: object) -> float:
    """A pseudo-random number from 0 to 1 that depends on the seed and the identity alone, for a stable shuffle."""
    return pseudo_random(seed, *identity)
