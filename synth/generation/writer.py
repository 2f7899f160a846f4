"""What a writer is: it plans scenarios over the graph and writes samples for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from synth.core.errors import InputError
from synth.core.records import Chunk, Draft, Evidence, Sample, Scenario, digest
from synth.corpus.graph import KnowledgeGraph
from synth.grammar.reading import Reading
from synth.models.chat.base import Steps
from synth.models.prompts import Prompt


@dataclass(frozen=True, slots=True)
class WriterContext:
    """What a writer works on.

    `readings` are by doc_id; `drafts` gives the grammar's drafts of a document, best first; `prompt`
    gives a prompt by name and language; `know` gives an attribute of a chunk or a document, and asks a
    chat model for it where that makes it; `provenance` is what every row says of its making.
    """

    graph: KnowledgeGraph
    readings: Mapping[str, Reading]
    drafts: Callable[[str], Sequence[Draft]]
    prompt: Callable[[str, str], Prompt]
    know: Callable[[str, str], Steps[Any]]
    provenance: Mapping[str, Any]
    seed: int


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a scenario: samples, best first, and what was given up on the way, as (stage, reason)."""

    samples: tuple[Sample, ...] = ()
    given_up: tuple[tuple[str, str], ...] = ()


class Writer(ABC):
    """One way to write one type of question."""

    name: ClassVar[str]
    question_type: ClassVar[str]

    @abstractmethod
    def plan(self, material: WriterContext) -> Iterable[Scenario]:
        """Every scenario that might give a question, with its worth; those of equal worth in order.

        Scenarios depend on their own documents and the seed alone, so that a larger set extends a
        smaller one and a changed document moves only its own scenarios.
        """

    @abstractmethod
    def write(self, scenario: Scenario, material: WriterContext) -> Steps[Written] | Written:
        """What can be written for a scenario; with a chat model, a generator of requests."""


def starts(doc_id: str, spans: Iterable[tuple[int, int]]) -> tuple[tuple[str, int], ...]:
    """The sentences of a scenario, of the spans (start, end) of a document that are to be its evidence."""
    return tuple((doc_id, start) for start, _ in spans)


def evidence_of(material: WriterContext, doc_id: str, spans: Iterable[tuple[int, int]]) -> tuple[Evidence, ...]:
    """Evidence records for spans (start, end) of the text of a document."""
    document = material.graph.document(doc_id)
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
    chunk = material.graph.chunk_at(doc_id, offset)
    if chunk is None:
        raise InputError(f"no passage of '{doc_id}' holds character {offset}; chunk the document again")
    return chunk


def priority(seed: int, *identity: object) -> float:
    """A number from 0 to 1 that depends on the seed and the identity alone: a stable shuffle."""
    return int(digest(seed, *identity)[:12], 16) / float(16**12)
