"""Small worlds in three scripts: their graphs, material with drafts, and what a scripted model is asked."""

import json

from synth.core.records import Chunk, Document, Draft, text_hash
from synth.corpus.graph import KnowledgeGraph
from synth.generation.writer import WriterContext
from synth.grammar.reading import Reading
from synth.models.prompts import load
from synth.text.normalise import to_traditional

LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def said_in(language, value):
    """A text, or a JSON value, in the script of a language; given in simplified script or English."""
    if language != "zh-Hant":
        return value
    return json.loads(to_traditional(json.dumps(value, ensure_ascii=False)))


def of(table, language):
    """What a table has for a language; traditional is made from simplified."""
    return said_in(language, table["en" if language == "en" else "zh-Hans"])


def graph_of(texts, titles=None):
    """A graph of documents of one passage each."""
    graph = KnowledgeGraph()
    for doc_id, text in texts.items():
        title = (titles or {}).get(doc_id, "")
        graph.add_document(
            Document(
                doc_id=doc_id, source=doc_id, title=title, text=text, content_hash=text_hash(text),
                metadata={"format": "text"},
            )
        )  # fmt: skip
        graph.add_chunk(Chunk(chunk_id=f"c-{doc_id}", doc_id=doc_id, start=0, end=len(text), text=text))
    return graph


def material_of(graph, asked, seed=0):
    """Material whose drafts are `asked`: by document (question, answer, number of the sentence)."""
    readings = {document.doc_id: Reading(document) for document in graph.documents()}

    def drafts(doc_id):
        sentences = readings[doc_id].sentences
        return [
            Draft(
                question=question, golden_answers=(answer,), spans=((sentences[n].start, sentences[n].end),),
                pattern="copula", worth=0.9,
            )
            for question, answer, n in asked.get(doc_id, [])
        ]  # fmt: skip

    def know(name, node):
        return None
        yield

    return WriterContext(
        graph=graph, readings=readings, drafts=drafts, prompt=load, know=know, provenance={"author": "chat"}, seed=seed
    )
