"""Small corpora for tests: documents, their graph, and samples with evidence in them."""

import re

from synth.core.records import Chunk, Document, Evidence, Sample, digest, text_hash
from synth.corpus.graph import KnowledgeGraph
from synth.generation.filters.base import Corpus
from synth.retrieval.bm25 import LexicalIndex
from synth.text.language import detect


def document(doc_id, text, format="markdown", title=""):
    return Document(
        doc_id=doc_id, source=doc_id, title=title, text=text, content_hash=text_hash(text), metadata={"format": format}
    )


def corpus(**texts):
    """A corpus of documents, each one passage, under the heading that it begins with; names are doc_ids."""
    graph = KnowledgeGraph()
    for doc_id, text in texts.items():
        graph.add_document(document(doc_id, text))
        name, headings = f"c-{digest(doc_id)[:8]}", tuple(re.findall(r"\A#+ (.+)", text))
        graph.add_chunk(Chunk(chunk_id=name, doc_id=doc_id, start=0, end=len(text), text=text, headings=headings))
    passages = list(graph.chunks())
    return Corpus(graph, LexicalIndex([c.chunk_id for c in passages], [c.text for c in passages]))


def sample(of, question, answer, quote, doc_id=None, language=None):
    """A sample whose evidence is `quote` where it stands in the corpus `of`."""
    for held in of.graph.documents():
        start = held.text.find(quote)
        if start >= 0 and doc_id in (None, held.doc_id):
            piece = Evidence(
                doc_id=held.doc_id,
                doc_hash=held.content_hash,
                chunk_id=of.graph.chunk_at(held.doc_id, start).chunk_id,
                start=start,
                end=start + len(quote),
                text=quote,
            )
            return Sample(
                question=question,
                golden_answers=(answer,),
                evidence=(piece,),
                question_type="simple",
                language=language or detect(held.text),
            )
    raise AssertionError(f"no document says: {quote}")
