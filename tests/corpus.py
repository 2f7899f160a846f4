"""Small corpora for tests: documents, the graph of what was read of them, and samples with evidence in them."""

import re

from synth.core.records import Chunk, Document, Evidence, Sample, digest, text_hash
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.testing import corpus_from
from synth.text.language import detect


def document(doc_id, text, format="markdown", title=""):
    return Document(
        doc_id=doc_id, source=doc_id, title=title, text=text, content_hash=text_hash(text), metadata={"format": format}
    )


def one_passage(document):
    """A document as one passage, under the heading that it begins with."""
    name, headings = f"c-{digest(document.doc_id)[:16]}", tuple(re.findall(r"\A#+ (.+)", document.text))
    end = len(document.text)
    return [Chunk(chunk_id=name, doc_id=document.doc_id, start=0, end=end, text=document.text, headings=headings)]


def corpus(**texts):
    """A corpus of documents, each one passage; names are doc_ids."""
    return corpus_from([document(doc_id, text) for doc_id, text in texts.items()], one_passage)


def graph_of(corpus, doc_ids=None):
    """The graph of the documents of a corpus, or of some, with their passages and nothing that was read off them."""
    graph = KnowledgeGraph()
    for doc_id in corpus.doc_ids if doc_ids is None else doc_ids:
        graph.add_document(corpus.document(doc_id))
        for chunk in corpus.chunks_of(doc_id):
            graph.add_chunk(chunk)
    return graph


def sample(of, question, answer, quote, doc_id=None, language=None):
    """A sample whose evidence is `quote` where it stands in the corpus `of`."""
    for held in of.documents():
        start = held.text.find(quote)
        if start >= 0 and doc_id in (None, held.doc_id):
            piece = Evidence(
                doc_id=held.doc_id,
                doc_hash=held.content_hash,
                chunk_id=of.chunk_at(held.doc_id, start).chunk_id,
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
