"""Small corpora, a store in memory and a transform that counts, for the tests of transforms."""

from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Chunk, Document, digest, text_hash
from synth.corpus.graph_builder import build
from synth.corpus.transforms.base import Transform
from synth.corpus.transforms.entities import Entities


def document(doc_id, text, format="markdown"):
    return Document(
        doc_id=doc_id, source=doc_id, title=doc_id, text=text, content_hash=text_hash(text), metadata={"format": format}
    )


def chunks(document, size=None):
    size = size or max(1, len(document.text))
    found = []
    for start in range(0, len(document.text), size):
        end = min(start + size, len(document.text))
        chunk_id = "c-" + digest(document.doc_id, start, end)[:12]
        found.append(
            Chunk(chunk_id=chunk_id, doc_id=document.doc_id, start=start, end=end, text=document.text[start:end])
        )
    return found


def graph_of(*texts, format="markdown", transform=None, **more):
    documents = [document(f"{n}.md", text, format) for n, text in enumerate(texts)]
    graph, _ = build(documents, [c for d in documents for c in chunks(d)], [transform or Entities()], **more)
    return graph


def names(*texts, **more):
    return {entity.name for entity in graph_of(*texts, **more).entities()}


def forms(*texts, **more):
    return {frozenset(entity.surface_forms) for entity in graph_of(*texts, **more).entities()}


class MemoryStore:
    def __init__(self):
        self.held = {}

    def get(self, kind, key):
        return self.held.get((kind, key))

    def put(self, kind, key, value):
        self.held.setdefault((kind, key), value)

    def put_all(self, kind, items):
        for key, value in items:
            self.put(kind, key, value)


@dataclass(frozen=True)
class Lengths(Transform):
    """Assigns to each chunk its length, and remembers the documents it ran on."""

    name = "lengths"
    assigns = ("chunk.length",)
    ran: ClassVar[list[str]] = []
    factor: int = 1

    def run(self, reading, chunks):
        self.ran.append(reading.document.doc_id)
        return [len(chunk.text) * self.factor for chunk in chunks]

    def merge(self, graph, artifacts):
        for doc_id, lengths in artifacts.items():
            for chunk, length in zip(graph.chunks_of(doc_id), lengths, strict=True):
                graph.assign(chunk.chunk_id, "length", length)


@dataclass(frozen=True)
class Longest(Transform):
    """Reads nothing but the graph."""

    name = "longest"
    requires = ("chunk.length",)
    assigns = ("chunk.longest",)

    def merge(self, graph, artifacts):
        assert not artifacts
        longest = max(graph.chunks(), key=lambda chunk: graph.value(chunk.chunk_id, "length"))
        graph.assign(longest.chunk_id, "longest", True)
