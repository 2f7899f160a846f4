"""Small corpora, and checks of transforms and readers, for the tests of packages that add such parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.core.records import Chunk, Document, text_hash
from synth.core.store import STORE, Store
from synth.corpus.corpus import Corpus
from synth.corpus.corpus_builder import corpus_of
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import Unloadable
from synth.corpus.documents.stored import DocumentWriter
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import Tools, build
from synth.corpus.sheets import SheetMaker
from synth.corpus.transforms.base import Transform
from synth.models.chat.reply_cache import MemoryCache

TEXTS = (
    "# Pumps\n\nThe pump at Fogbrook delivers 40 litres a second. Ada Finch installed it in 1931.\n",
    "# Valves\n\nThe valve of the Fogbrook pump is brass. Ada Finch replaced it in 1950.\n",
    "# 泵站\n\n雾溪泵站每秒输水四十升。它由陈雨于1931年安装。\n",
)
_CUTS = (0, 0.3, 0.9)  # shares of a file that a reader receives in place of a damaged file


def cut_by_default(document: Document) -> Sequence[Chunk]:
    """Return the passages of a document under the default settings."""
    return chunk(document, ChunkSettings())


def corpus_from(documents: Iterable[Document], cut: Callable[[Document], Sequence[Chunk]] = cut_by_default) -> Corpus:
    """Return a corpus of documents that `cut` splits into passages.

    Its files are deleted at once but stay readable while the corpus is in use.
    """
    with (
        TemporaryDirectory(prefix="synth-", ignore_cleanup_errors=True) as folder,
        Store(Path(folder) / STORE) as store,
    ):
        writer = DocumentWriter(Path(folder) / "documents")
        given = list(documents)
        for document in given:
            writer.append(document)
        stored = writer.written([document.doc_id for document in given])
        corpus = corpus_of(stored, SheetMaker(cut, "testing"), store, lambda: None)
        _ = corpus.index  # opens its files
    return corpus


def check_transform(
    transform: Transform, texts: Sequence[str] = TEXTS, needs: Sequence[Transform] = (), size: int = 0
) -> KnowledgeGraph:
    """Check a transform on Markdown `texts`, one document each, and return the graph.

    Documents are cut into passages of `size` characters, even inside words; 0 makes each document one passage. `needs`
    are transforms that assign what this transform requires. Raise AssertionError with the fault, or ConfigError if a
    requirement is missing.
    """
    name = transform.name
    assert transform.assigns, f"transform {name!r} has an empty `assigns`; list the attributes that it assigns"
    documents = [markdown_document(f"{number}.md", text, f"{number}.md") for number, text in enumerate(texts)]
    chunks = [part for document in documents for part in _chunks(document, size)]
    cache = MemoryCache()
    graph, counts = build(documents, chunks, [*needs, transform], Tools(cache))
    failed = counts[name].failed
    assert not failed, f"transform {name!r} failed: {failed}"
    assigned = _attributes(graph) - _attributes(build(documents, chunks, needs)[0])
    undeclared = sorted(assigned - set(transform.assigns))
    assert not undeclared, f"transform {name!r} assigns {', '.join(undeclared)}; add that to `assigns`"
    assert assigned, f"transform {name!r} assigns nothing to the nodes of these texts; pass other texts as `texts`"
    again = build(documents[::-1], chunks[::-1], [*needs, transform])[0]
    assert graph.to_bytes() == again.to_bytes(), (
        f"transform {name!r} builds a different graph when it runs again; make it deterministic"
    )
    return graph


def check_reader(reader: Reader, name: str, data: bytes) -> FileContent:
    """Check a reader on the valid file `name` with the bytes `data`, and return the content.

    The reader also receives truncated parts of the file, which it must read or reject with Unloadable. Raise
    AssertionError with the fault.
    """
    kind = type(reader).__name__
    assert reader.name, f"{kind} has an empty `name`; set it"
    assert reader.suffixes, f"{kind} has empty `suffixes`; list the file suffixes that it reads"
    for suffix in reader.suffixes:
        assert suffix == "." + suffix.casefold().strip("."), (
            f"suffix {suffix!r} must be in lower case with a leading dot, like '.txt'"
        )
    assert name.casefold().endswith(reader.suffixes), (
        f"{name} must end with one of the reader's suffixes, {reader.suffixes}"
    )
    content = reader.read(File(name, data))
    assert isinstance(content, FileContent), f"{kind}.read returns {type(content).__name__}; it must return FileContent"
    assert content.passages or content.text.strip(), f"{kind} finds no text in {name}"
    assert content.format in ("markdown", "text", "passage"), (
        f"the format {content.format!r} is not markdown, text or passage"
    )
    assert content == reader.read(File(name, data)), (
        f"{kind} returns different content when it reads {name} again; make it deterministic"
    )
    json.dumps(dict(content.metadata))
    for share in _CUTS:
        with suppress(Unloadable):
            reader.read(File(name, data[: int(len(data) * share)]))
    return content


def markdown_document(doc_id: str, text: str, title: str) -> Document:
    """Return a Markdown document."""
    return Document(
        doc_id=doc_id,
        source=doc_id,
        title=title,
        text=text,
        content_hash=text_hash(text),
        metadata={"format": "markdown"},
    )


def _chunks(document: Document, size: int) -> list[Chunk]:
    """Return the passages of a document, of `size` characters each; 0 makes the document one passage."""
    text, doc_id = document.text, document.doc_id
    places = [(start, min(len(text), start + (size or len(text)))) for start in range(0, len(text), size or len(text))]
    return [
        Chunk(chunk_id=f"c-{doc_id}-{start}", doc_id=doc_id, start=start, end=end, text=text[start:end])
        for start, end in places
    ]


def _attributes(graph: KnowledgeGraph) -> set[str]:
    """Return the attributes in a graph, named as in `assigns`: values of nodes, and edges as attributes of chunks."""
    nodes = {
        "document": [document.doc_id for document in graph.documents()],
        "chunk": [chunk.chunk_id for chunk in graph.chunks()],
        "entity": [entity.entity_id for entity in graph.entities()],
    }
    values = {f"{kind}.{name}" for kind, ids in nodes.items() for node_id in ids for name in graph.values(node_id)}
    edges = {edge.kind for edge in graph.relationships()}
    return values | {"chunk.entities" if kind == "mentions" else f"chunk.{kind}" for kind in edges}
