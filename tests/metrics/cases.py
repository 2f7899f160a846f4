"""Rows and responses for the tests of metrics."""

from functools import lru_cache

from synth.core.records import Evidence, Passage, Response
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.metrics.base import CHUNK, Case
from synth.testset.dataset import Item
from synth.workflows.assembly import metrics_named


def piece(text, start=100, doc_id="a.md", chunk_id="c-1"):
    return Evidence(
        doc_id=doc_id, doc_hash="sha256:0", chunk_id=chunk_id, start=start, end=start + len(text), text=text
    )


def item(golden=(), evidence=(), relevance=None, question="What is it?", id="q-1", **metadata):
    golden = (golden,) if isinstance(golden, str) else golden
    return Item(
        id=id, question=question, golden_answers=golden, evidence=evidence, relevance=relevance, metadata=metadata
    )


def place(start, end, doc_id="a.md"):
    return Passage(doc_id=doc_id, start=start, end=end)


def case(row, answer=None, retrieved=None, contexts=None, calls=None, fold=("script", "width"), unit=CHUNK):
    response = Response(sample_id=row.id, answer=answer, retrieved=retrieved, contexts=contexts, tool_calls=calls)
    return Case(row, response, Folding.named(fold), unit)


@lru_cache(maxsize=256)
def named(name, **parameters):
    """One metric; it is looked for once, since a property asks for it a hundred times."""
    (metric,) = metrics_named([name], **parameters)
    return metric


def scores(name, one, **parameters):
    """The scores of one case by column, through the public door."""
    held = {key: tuple(value) if key == "ks" else value for key, value in parameters.items()}
    metric = named(name, **held)
    return {score.metric: score for score in metric.scores([one])[0]}


def value(name, one, column=None, **parameters):
    return scores(name, one, **parameters)[column or name].value


def of_answer(name, answer, golden, fold=("script", "width"), **metadata):
    """The value of a metric of the answer."""
    return value(name, case(item(golden, **metadata), answer, fold=fold))


def of_ids(name, ids, relevance):
    """The value of a metric of retrieved ids; a text is a list of one-letter ids."""
    row = item(relevance=relevance if isinstance(relevance, dict) else dict.fromkeys(relevance, 1))
    return value(
        name.partition("@")[0],
        case(row, retrieved=tuple(Passage(id=id) for id in ids)),
        name,
        ks=[int(name.partition("@")[2])],
    )
