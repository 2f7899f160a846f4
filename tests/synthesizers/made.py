"""Small worlds in three scripts: their corpora, material with drafts, and what a scripted model is asked."""

import json

from synth.core.records import Draft
from synth.corpus.testing import corpus_from
from synth.generation.writer import WriterContext
from synth.grammar.reading import Reading
from synth.models.prompts import load
from synth.text.normalise import to_traditional
from tests.corpus import document, graph_of, one_passage

LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def said_in(language, value):
    """A text, or a JSON value, in the script of a language; given in simplified script or English."""
    if language != "zh-Hant":
        return value
    return json.loads(to_traditional(json.dumps(value, ensure_ascii=False)))


def of(table, language):
    """What a table has for a language; traditional is made from simplified."""
    return said_in(language, table["en" if language == "en" else "zh-Hans"])


def corpus_of(texts, titles=None):
    """A corpus of documents of one passage each."""
    documents = [document(doc_id, text, "text", (titles or {}).get(doc_id, "")) for doc_id, text in texts.items()]
    return corpus_from(documents, one_passage)


def material_of(corpus, asked, graph=None, seed=0):
    """Material whose drafts are `asked`: by document (question, answer, number of the sentence)."""
    readings = {document.doc_id: Reading(document) for document in corpus.documents()}

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
        corpus=corpus, graph=graph or graph_of(corpus), doc_ids=corpus.doc_ids, prompt=load, know=know,
        provenance={"author": "chat"}, seed=seed, readings=readings, drafts=drafts,
    )  # fmt: skip
