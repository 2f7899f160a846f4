"""Small corpora for the chat author: graphs with passages and languages, and steps driven by hand."""

from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.graph import KnowledgeGraph
from synth.generation.filters.base import Corpus
from synth.generation.writer import WriterContext
from synth.grammar.reading import Reading
from synth.models.chat.base import Completion, RequestFailed, advanced, begun
from synth.models.prompts import load
from synth.retrieval.bm25 import LexicalIndex
from synth.text.language import detect
from tests.corpus import document

_SYLLABLES = "ba ke li mo nu ra se ti vo zu dra fle gri plo".split()


def graph_of(texts, format="markdown", titles=None, size=300):
    """The graph of some documents by name, cut into passages, each with its language."""
    graph = KnowledgeGraph()
    for doc_id, text in texts.items():
        made = document(doc_id, text, format, (titles or {}).get(doc_id, ""))
        graph.add_document(made)
        for piece in chunk(made, ChunkSettings(size=size, overlap=0)):
            graph.add_chunk(piece)
        graph.assign(doc_id, "language", detect(text))
    return graph


def material_of(graph, seed=0):
    """Material without drafts, and without anything that a transform knows."""

    def know(name, node):
        return None
        yield

    return WriterContext(
        graph=graph,
        readings={document.doc_id: Reading(document) for document in graph.documents()},
        drafts=lambda doc_id: [],
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


def corpus_of(graph, brief="A history of lighthouses."):
    passages = list(graph.chunks())
    index = LexicalIndex([one.chunk_id for one in passages], [one.text for one in passages])
    return Corpus(graph, index, brief=brief)


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
