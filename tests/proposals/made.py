"""Small corpora for the chat author: corpora cut into passages, and steps driven by hand."""

from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.testing import corpus_from
from synth.generation.writer import WriterContext
from synth.models.chat.base import Completion, RequestFailed, advanced, begun
from synth.models.prompts import load
from tests.corpus import document

_SYLLABLES = "ba ke li mo nu ra se ti vo zu dra fle gri plo".split()


def corpus_of(texts, format="markdown", titles=None, size=300, brief="A history of lighthouses."):
    """A corpus of documents by name, cut into passages of a size."""

    def cut(document):
        return chunk(document, ChunkSettings(size=size, overlap=0))

    documents = [document(doc_id, text, format, (titles or {}).get(doc_id, "")) for doc_id, text in texts.items()]
    corpus = corpus_from(documents, cut)
    corpus.brief = brief
    return corpus


def material_of(corpus, seed=0):
    """Material without drafts, and without anything that a transform knows."""

    def know(name, node):
        return None
        yield

    return WriterContext(
        corpus=corpus,
        graph=KnowledgeGraph(),
        doc_ids=corpus.doc_ids,
        prompt=load,
        know=know,
        provenance={"author": "chat"},
        seed=seed,
    )


def prose(number):
    """Two sentences of words that no other number has."""
    size = len(_SYLLABLES)
    made = [
        "".join(_SYLLABLES[(14 * number + place) // size**digit % size] for digit in range(4)) for place in range(14)
    ]
    told = "The {} of the {} was {} in a {}, and the {} is {} to {}. Of {}, {} and {}, {} was the {} that {} had as {}."
    return told.format(*made)


def user(request):
    """What a request shows besides its instructions."""
    return request.messages[-1].content


def said(**data):
    return Completion(text="", data=data)


def sentences_of(request):
    """The numbered sentences that a request shows, by number."""
    lines = (line.partition("] ") for line in user(request).splitlines() if line.startswith("["))
    return {int(number[1:]): text for number, _, text in lines if number[1:].isdigit()}


def driven(steps, reply):
    """What steps come to when each request is answered by `reply`, and the requests."""
    asked, step = [], lambda: begun(steps)
    while True:
        try:
            now = step()
        except StopIteration as end:
            return end.value, asked
        asked += now.requests
        answers = [reply(request) for request in now.requests]
        assert all(isinstance(one, Completion | RequestFailed) for one in answers)

        def step(now=now, answers=answers):
            return advanced(steps, now, answers)
