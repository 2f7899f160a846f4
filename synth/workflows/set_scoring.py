"""The verb score: the quality of a testset, by itself, on its corpus and against human questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.core.errors import InputError, MissingPartError
from synth.core.installation import versions
from synth.core.jsonl import Damaged, dumps, write_atomic
from synth.core.progress import Progress, Silent
from synth.core.records import Chunk, Document
from synth.core.store import STORE, Store
from synth.evaluation.scoring import RULES, Coverage, SetScore, score_set
from synth.evaluation.validity import Figure, Probe, RetrieverScores, Validity, tried, validity
from synth.models.encoders.base import CachedEncoder, Encoder
from synth.retrieval.base import Passages
from synth.retrieval.reference import DESCRIPTIONS, NEED_ENCODER, reference
from synth.testset.dataset import Dataset, Item, Rows
from synth.workflows.assembly import open_encoder_for
from synth.workflows.session import build_graph, chunks_of, load_sources
from synth.workflows.settings import Settings
from synth.workflows.verifying import verify

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph

SPREAD_ROWS = 1000
CAN_TELL = (
    "A set made from documents is good for ranking retrievers, as far as the table above goes. It is weak for ranking "
    "generators: its golden answers are short and its questions ask for facts that the documents state directly."
)


@dataclass(frozen=True, slots=True)
class ScoredCorpus:
    """The documents of a set and the passages they were cut into."""

    documents: Mapping[str, Document]
    chunks: Sequence[Chunk]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScored:
    """Result of `score`: grades of the set, scores of retrievers on it, and its agreement with human questions."""

    of: SetScore
    scores: RetrieverScores | None = None
    human: RetrieverScores | None = None
    validity: Validity | None = None
    damaged: tuple[Damaged, ...] = ()
    left_out: tuple[str, ...] = ()
    """Reference retrievers left out because no encoder is installed."""
    unit: str = ""
    settings: Mapping[str, Any]


def score(
    testset: Path | str | Dataset,
    sources: Sequence[Any] = (),
    settings: Settings | None = None,
    *,
    human: Path | str | Dataset | None = None,
    graph: bool = False,
    output: Path | None = None,
    progress: Progress | None = None,
) -> SetScored:
    """Score a testset by itself.

    With its documents as `sources`, evidence is checked, coverage counted and reference retrievers run; `graph` also
    builds the knowledge graph, for coverage of entities and topics. `human` are people's questions over the same
    documents (rows with an id, a question, answers, and evidence or `doc_id`), to compare the set with. `output` is a
    JSON file for the result. Raises InputError for files that cannot be used.
    """
    settings, progress = settings or Settings(), progress or Silent()
    items, damaged = _rows(testset)
    if human is not None and not sources:
        raise InputError("human questions need their documents for the comparison; name them with --corpus")
    if not sources:
        alone = [Probe(i.id, i.question, frozenset(), "", " ".join(e.text for e in i.evidence)) for i in items]
        scored = SetScored(of=score_set(items, probes=alone), damaged=damaged, settings=_shown_settings(settings))
    else:
        people, more = _rows(human) if human is not None else ([], ())
        with Store(settings.workspace_path / STORE) as store:
            scored = _with_corpus(testset, items, sources, settings, people, store, graph, progress)
        scored = replace(scored, damaged=(*damaged, *more))
    if output:
        write_atomic(output, dumps(as_json(scored)) + "\n")
    return scored


def _with_corpus(
    testset: Path | str | Dataset,
    items: list[Item],
    sources: Sequence[Any],
    settings: Settings,
    people: list[Item],
    store: Store,
    graph: bool,
    progress: Progress,
) -> SetScored:
    from threadpoolctl import threadpool_limits

    documents = load_sources(sources, settings).documents
    corpus = ScoredCorpus({document.doc_id: document for document in documents}, chunks_of(documents, settings, store))
    unit = "chunk" if all(_placed(item, corpus) for item in (*items, *people)) else "document"
    mine, theirs = (_probes(rows, corpus, unit) for rows in (items, people))
    if not mine:
        raise InputError("no row of the set names a document of this corpus, by evidence or by doc_id")
    encoder = _encoder(settings, documents, store)
    with threadpool_limits(1):  # for small matrices threads cost more than they save
        passages = _passages(corpus, unit)
        if encoder:
            texts = [*passages.texts, *(probe.question for probe in (*mine, *theirs))]
            with progress.stage("encoding", len(texts)) as stage:
                encoder.encode(texts)
                stage.advance(len(texts))
        retrievers = reference(passages, encoder)
        with progress.stage("retrieving", len(retrievers) * (2 if theirs else 1)) as stage:
            scores = tried(mine, retrievers, stage.advance)
            others = tried(theirs, retrievers, stage.advance) if theirs else None
    coverage = {"documents": _document_coverage(items, corpus)}
    if graph:
        coverage |= _graph_coverage(build_graph(sources, settings, progress).graph, items)
    return SetScored(
        of=score_set(
            items,
            faults=_faults(testset, items, sources, settings, progress),
            probes=mine,
            scores=scores,
            coverage=coverage,
            spread=_spread(items, encoder) if encoder else None,
        ),
        scores=scores,
        human=others,
        validity=validity(scores, others, settings.seed) if others else None,
        left_out=() if encoder else NEED_ENCODER,
        unit=unit,
        settings=_shown_settings(settings),
    )


def _rows(testset: Path | str | Dataset) -> tuple[list[Item], tuple[Damaged, ...]]:
    rows = testset if isinstance(testset, Dataset) else Rows(Path(testset))
    items = list(rows)
    damaged = tuple(rows.damaged) if isinstance(rows, Rows) else ()
    if not items:
        why = f"; the first line: {damaged[0].reason}" if damaged else ""
        raise InputError(f"{testset} has no row that can be read{why}")
    return items, damaged


def _encoder(settings: Settings, documents: Sequence[Document], store: Store) -> Encoder | None:
    """The encoder of the settings; none where the default one is not installed."""
    try:
        encoder = open_encoder_for(settings, documents, store)
    except MissingPartError:
        if settings.encoder != "auto":
            raise
        return None
    return encoder if isinstance(encoder, CachedEncoder) else CachedEncoder(encoder, store)


def _placed(item: Item, corpus: ScoredCorpus) -> bool:
    """True if every piece of evidence is in a document of the corpus; true for rows without evidence."""
    return not item.relevance and all(piece.doc_id in corpus.documents for piece in item.evidence)


def _passages(corpus: ScoredCorpus, unit: str) -> Passages:
    if unit == "chunk":
        return Passages(
            tuple(passage.chunk_id for passage in corpus.chunks), tuple(passage.text for passage in corpus.chunks)
        )
    return Passages(tuple(corpus.documents), tuple(passage.text for passage in corpus.documents.values()))


def _probes(items: Sequence[Item], corpus: ScoredCorpus, unit: str) -> list[Probe]:
    """The rows with relevant passages or documents in the corpus."""
    texts = {chunk.chunk_id: chunk.text for chunk in corpus.chunks} if unit == "chunk" else {}
    by_document: dict[str, list[Chunk]] = {}
    for chunk in corpus.chunks:
        by_document.setdefault(chunk.doc_id, []).append(chunk)
    probes = []
    for item in items:
        if unit == "chunk":
            relevant = dict.fromkeys(
                chunk.chunk_id
                for piece in item.evidence
                for chunk in by_document.get(piece.doc_id, ())
                if chunk.start < piece.end and piece.start < chunk.end
            )
            passage = " ".join(texts[id] for id in relevant)
        else:
            named = [*item.documents, *(id for id, grade in item.relevance.items() if grade > 0)]
            relevant = dict.fromkeys(id for id in named if id in corpus.documents)
            passage = " ".join(corpus.documents[id].text for id in relevant)
        if relevant:
            document = item.documents[0] if item.documents else next(iter(relevant))
            probes.append(Probe(item.id, item.question, frozenset(relevant), document, passage))
    return probes


def _faults(
    testset: Path | str | Dataset, items: Sequence[Item], sources: Sequence[Any], settings: Settings, progress: Progress
) -> dict[str, str] | None:
    """Reasons of rows that fail verification, by id; None for a set without evidence or not in a file."""
    if isinstance(testset, Dataset) or not any(item.evidence for item in items):
        return None
    failures = verify(Path(testset), sources, settings, progress).failures
    by_id = {failure.id: failure.reason for failure in failures if failure.id}
    return {item.id: by_id.get(item.id, "") for item in items}


def _document_coverage(items: Sequence[Item], corpus: ScoredCorpus) -> Coverage:
    asked = {id for item in items for id in (*item.documents, *item.relevance) if id in corpus.documents}
    return Coverage(reached=len(asked), could=min(len(corpus.documents), len(items)))


def _graph_coverage(graph: KnowledgeGraph, items: Sequence[Item]) -> dict[str, Coverage]:
    """Coverage by evidence passages of the entities in several passages, and of the topics."""
    places = {(piece.doc_id, piece.start) for item in items for piece in item.evidence}
    chunks = {chunk.chunk_id for place in places if place[0] in graph and (chunk := graph.chunk_at(*place))}
    several = [node for node in graph.entities() if len(graph.sources(node.entity_id, "mentions")) > 1]
    met = sum(any(id in chunks for id in graph.sources(node.entity_id, "mentions")) for node in several)
    topics = {str(topic) for node in graph.chunks() if (topic := graph.value(node.chunk_id, "category"))}
    asked = {str(topic) for id in chunks if (topic := graph.value(id, "category"))}
    return {
        "entities": Coverage(reached=met, could=len(several)),
        "topics": Coverage(reached=len(asked), could=min(len(topics), len(items))),
    }


def _spread(items: Sequence[Item], encoder: Encoder) -> float | None:
    """The mean cosine distance of two questions, over at most a thousand."""
    vectors = encoder.encode([item.question for item in items[:SPREAD_ROWS]])
    n = len(vectors)
    if n < 2:
        return None
    total = float((vectors.sum(axis=0) ** 2).sum())
    return 1 - (total - n) / (n * (n - 1))


def _shown_settings(settings: Settings) -> dict[str, Any]:
    return {"seed": settings.seed, "encoder": settings.encoder, "synth": versions()["synth"]}


def as_json(scored: SetScored) -> dict[str, Any]:
    """A result as JSON values."""
    table = asdict(scored.of)
    table["grades"] = {row.pop("name"): {**row, "rule": _rule(grade.name)} for row, grade in _paired(table, scored)}
    return {
        **table,
        "damaged": [row.reason for row in scored.damaged],
        **({"retrieval": _retrieval(scored)} if scored.scores else {}),
        **({"validity": _validity(scored.validity)} if scored.validity else {}),
        "settings": dict(scored.settings),
    }


def _paired(table: dict[str, Any], scored: SetScored) -> list[tuple[dict[str, Any], Any]]:
    return list(zip(table["grades"], scored.of.grades, strict=True))


def _rule(name: str) -> str:
    return f"{RULES[name].says}: {RULES[name].shown}"


def _retrieval(scored: SetScored) -> dict[str, Any]:
    assert scored.scores is not None
    return {
        "unit": scored.unit,
        "questions": len(scored.scores.probes),
        "left_out": list(scored.left_out),
        "retrievers": {
            name: {
                "is": DESCRIPTIONS[name],
                "ndcg@10": float(scored.scores.ndcg[i].mean()),
                "mrr@10": float(scored.scores.mrr[i].mean()),
                **({"human_ndcg@10": float(scored.human.ndcg[i].mean())} if scored.human else {}),
                **({"human_mrr@10": float(scored.human.mrr[i].mean())} if scored.human else {}),
            }
            for i, name in enumerate(scored.scores.names)
        },
    }


def _validity(validity: Validity) -> dict[str, Any]:
    def figure(it: Figure) -> dict[str, Any]:
        return asdict(it)

    return {
        "questions": validity.questions,
        "human": validity.human,
        "human_sample": validity.sample,
        "figures": {name: figure(it) for name, it in validity.figures.items()},
        "shift": validity.shift,
        "pairs": validity.pairs,
        "told_apart": validity.told_apart,
        "human_told_apart": validity.human_told_apart,
        "contradicted": [list(pair) for pair in validity.contradicted],
        "note": CAN_TELL,
    }
