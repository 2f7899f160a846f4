"""The command score: the quality of a testset by itself, on its corpus, and compared with human questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.core.errors import InputError, MissingPartError
from synth.core.installation import versions
from synth.core.jsonl import Damaged, dumps, write_atomic
from synth.core.notebook_table import NotebookTable, Tabular, three_digits
from synth.core.progress import Progress, progress_of
from synth.core.records import Document
from synth.core.store import Store
from synth.core.swapping import together
from synth.core.terminal import counted
from synth.corpus.corpus import Corpus
from synth.corpus.documents.loading import Sources
from synth.evaluation.folders import rows_by_folder
from synth.evaluation.messages import message
from synth.evaluation.report.set_page import set_page
from synth.evaluation.scoring import RULES, Coverage, Grade, SetScore, score_set
from synth.evaluation.validity import Probe, RetrieverScores, Validity, retriever_scores, validity
from synth.models.encoders.base import CachedEncoder, Encoder
from synth.retrieval.base import Passages
from synth.retrieval.reference import DESCRIPTIONS, NEED_ENCODER, reference
from synth.testset.dataset import Dataset, Item, Rows
from synth.testset.stored_manifest import manifest_of
from synth.workflows.assembly import open_encoder_for
from synth.workflows.call_files import CallFiles, file_of
from synth.workflows.overwriting import check_no_set
from synth.workflows.session import build_graph, opened_corpus
from synth.workflows.settings import Settings
from synth.workflows.verifying import verify, with_distractors

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph

SPREAD_ROWS = 1000
"""Maximum number of questions whose mean distance in meaning is measured."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ScoreResult(Tabular):
    """Result of `score`: grades of the set, scores of retrievers on it, and its agreement with human questions."""

    of: SetScore
    scores: RetrieverScores | None = None
    human: RetrieverScores | None = None
    validity: Validity | None = None
    damaged: tuple[Damaged, ...] = ()
    left_out: tuple[str, ...] = ()
    """Reference retrievers that did not run because no encoder is installed."""
    unit: str = ""
    """Unit that retrievers rank: "chunk" or "document"; "" without a corpus."""
    settings: Mapping[str, Any]

    def notebook_table(self) -> NotebookTable:
        rows = [
            [
                grade.name,
                grade.letter,
                three_digits(grade.value),
                (grade.reason or message(f"rule.{grade.name}")).text,
            ]
            for grade in self.of.grades
        ]
        note = f"{counted(self.of.rows, 'row')}, {self.of.faulty} of them with a fault"
        return NotebookTable(["aspect", "grade", "value", "meaning"], rows, note)


def score(
    testset: str | Path | Dataset,
    sources: str | Path | Sequence[Any] = (),
    settings: Settings | None = None,
    *,
    human: str | Path | Dataset | None = None,
    graph: bool = False,
    output: str | Path | None = None,
    page: str | Path | None = None,
    progress: Progress | bool | None = None,
) -> ScoreResult:
    """Score a testset: by itself, on its documents, and against people's questions.

    - `testset`: a path, an address or a Dataset.
    - `sources`: the documents. With documents, evidence is checked, coverage is counted, and reference retrievers run.
    - `graph`: also build the knowledge graph, for coverage of entities and topics.
    - `human`: people's questions about the same documents, for comparison. Each row has an id, a question, answers, and
      evidence or `doc_id`.
    - `output`: a JSON file for the result.
    - `page`: an HTML file that works offline.
    - `progress`: True for lines or bars on stderr.

    Raises InputError for files that cannot be used.
    """
    output, page = file_of(output), file_of(page)
    check_no_set(output)
    file = testset.source if isinstance(testset, Dataset) else Path(testset)
    settings = with_distractors(settings or Settings(), manifest_of(file) if file else {})
    progress = progress_of(progress)
    items, damaged = _rows(testset)
    for is_asked, needs in ((human is not None, "human questions need"), (graph, "coverage of the graph needs")):
        if is_asked and not sources:
            raise InputError(f"{needs} the documents; name them with --corpus")
    if not sources:
        alone = [Probe(i.id, i.question, frozenset(), "", " ".join(e.text for e in i.evidence)) for i in items]
        scored = ScoreResult(of=score_set(items, probes=alone), damaged=damaged, settings=_shown_settings(settings))
    else:
        people, more = _rows(human) if human is not None else ([], ())
        scored = _OnCorpus(sources, settings, progress).scored(testset, items, people, graph=graph)
        scored = replace(scored, damaged=(*damaged, *more))
    with together():
        if page:
            name = "testset" if isinstance(testset, Dataset) else Path(testset).name
            write_atomic(page, set_page(as_json(scored), name))
        if output:
            write_atomic(output, dumps(as_json(scored)) + "\n")
    return scored


@dataclass(frozen=True, slots=True)
class _OnCorpus:
    """Scoring with the documents `sources`. They are opened separately for each part of the score."""

    sources: Sources
    settings: Settings
    progress: Progress

    def scored(
        self, testset: Path | str | Dataset, items: list[Item], people: list[Item], *, graph: bool
    ) -> ScoreResult:
        """Return the score of a set with these items. `people` are human questions, possibly none."""
        from threadpoolctl import threadpool_limits

        with opened_corpus(self.sources, self.settings, self.progress) as (loaded, run):
            corpus = run.corpus
            unit = "chunk" if all(_fits_chunks(item, corpus) for item in (*items, *people)) else "document"
            mine, theirs = (_probes(rows, corpus, unit) for rows in (items, people))
            for probes, rows, whose in ((mine, items, "row of the set"), (theirs, people, "human question")):
                if rows and not probes:
                    raise InputError(
                        f"no {whose} refers to a document of this corpus by evidence or doc_id; "
                        "name the right documents with --corpus"
                    )
            encoder = _encoder(self.settings, loaded.documents, run.store)
            with threadpool_limits(1):  # with small matrices, threads cost more time than they save
                passages = _passages(corpus, unit)
                if encoder:
                    texts = [*passages.texts, *(probe.question for probe in (*mine, *theirs))]
                    with self.progress.stage("encoding", len(texts)) as stage:
                        encoder.encode(texts)  # into its cache
                        stage.advance(len(texts))
                retrievers = reference(passages, encoder)
                with self.progress.stage("retrieving", len(retrievers) * (2 if theirs else 1)) as stage:
                    scores = retriever_scores(mine, retrievers, stage.advance)
                    others = retriever_scores(theirs, retrievers, stage.advance) if theirs else None
            spread = _spread(items, encoder) if encoder else None
            doc_ids = list(filter(corpus.is_asked, corpus.doc_ids))
        coverage = {"documents": _document_coverage(items, doc_ids)}
        if graph:
            coverage |= _graph_coverage(build_graph(self.sources, self.settings, self.progress).graph, items)
        of_set = score_set(
            items,
            faults=self._faults(testset, items),
            probes=mine,
            scores=scores,
            coverage=coverage,
            spread=spread,
        )
        return ScoreResult(
            of=replace(of_set, folders=rows_by_folder(items, doc_ids)),
            scores=scores,
            human=others,
            validity=validity(scores, others, self.settings.seed) if others else None,
            left_out=() if encoder else NEED_ENCODER,
            unit=unit,
            settings=_shown_settings(self.settings),
        )

    def _faults(self, testset: Path | str | Dataset, items: Sequence[Item]) -> dict[str, str] | None:
        """Return for each row id the reason why the row fails verification; "" if it is valid.

        Returns None if the set has no evidence.
        """
        if not any(item.evidence for item in items):
            return None
        with CallFiles() as files:
            file = files.of_dataset(testset) if isinstance(testset, Dataset) else Path(testset)
            failures = verify(file, self.sources, self.settings, self.progress).failures
        by_id = {failure.id: failure.reason for failure in failures if failure.id}
        return {item.id: by_id.get(item.id, "") for item in items}


def _rows(testset: Path | str | Dataset) -> tuple[list[Item], tuple[Damaged, ...]]:
    rows = testset if isinstance(testset, Dataset) else Rows(Path(testset))
    items = list(rows)
    damaged = tuple(rows.damaged) if isinstance(rows, Rows) else ()
    if not items:
        why = f"; the first damaged line: {damaged[0].reason}" if damaged else ""
        name = "the testset" if isinstance(testset, Dataset) else testset
        raise InputError(f"{name} contains no readable row{why}")
    return items, damaged


def _encoder(settings: Settings, documents: Sequence[Document], store: Store) -> Encoder | None:
    """Return the encoder of the settings, or None if the default encoder is not installed."""
    try:
        encoder = open_encoder_for(settings, documents, store)
    except MissingPartError:
        if settings.encoder != "auto":
            raise
        return None
    return encoder if isinstance(encoder, CachedEncoder) else CachedEncoder(encoder, store)


def _fits_chunks(item: Item, corpus: Corpus) -> bool:
    """Return whether a row can be scored by chunk.

    Such a row has no relevance grades, and all its evidence is in documents of the corpus.
    """
    return not item.relevance and all(piece.doc_id in corpus for piece in item.evidence)


def _passages(corpus: Corpus, unit: str) -> Passages:
    if unit == "chunk":
        chunks = list(corpus.chunks())
        return Passages(tuple(passage.chunk_id for passage in chunks), tuple(passage.text for passage in chunks))
    return Passages(tuple(corpus.doc_ids), tuple(document.text for document in corpus.documents()))


def _probes(items: Sequence[Item], corpus: Corpus, unit: str) -> list[Probe]:
    """Return the rows that have relevant passages or documents in the corpus, as probes for retrievers."""
    probes = []
    for item in items:
        if unit == "chunk":
            relevant = dict.fromkeys(
                chunk.chunk_id
                for piece in item.evidence
                for chunk in corpus.chunks_of(piece.doc_id)
                if chunk.start < piece.end and piece.start < chunk.end
            )
            passage = " ".join(corpus.chunk(id).text for id in relevant)
        else:
            relevant = dict.fromkeys(id for id in _documents_of(item) if id in corpus)
            passage = " ".join(corpus.document(id).text for id in relevant)
        if relevant:
            document = item.documents[0] if item.documents else next(iter(relevant))
            probes.append(Probe(item.id, item.question, frozenset(relevant), document, passage))
    return probes


def _documents_of(item: Item) -> list[str]:
    """Return the documents that answer a row, by its evidence, its `doc_id` or its relevance grades."""
    return [*item.documents, *(id for id, grade in item.relevance.items() if grade > 0)]


def _document_coverage(items: Sequence[Item], doc_ids: Sequence[str]) -> Coverage:
    asked = {id for item in items for id in _documents_of(item)}.intersection(doc_ids)
    return Coverage(reached=len(asked), reachable=len(doc_ids))


def _graph_coverage(graph: KnowledgeGraph, items: Sequence[Item]) -> dict[str, Coverage]:
    """Return coverage of entities and topics by the chunks with evidence.

    Only entities mentioned in several chunks count.
    """
    places = {(piece.doc_id, piece.start) for item in items for piece in item.evidence}
    chunks = {chunk.chunk_id for place in places if place[0] in graph and (chunk := graph.chunk_at(*place))}
    several = [node for node in graph.entities() if len(graph.sources(node.entity_id, "mentions")) > 1]
    met = sum(any(id in chunks for id in graph.sources(node.entity_id, "mentions")) for node in several)
    topics = {str(topic) for node in graph.chunks() if (topic := graph.value(node.chunk_id, "category"))}
    asked = {str(topic) for id in chunks if (topic := graph.value(id, "category"))}
    return {
        "entities": Coverage(reached=met, reachable=len(several)),
        "topics": Coverage(reached=len(asked), reachable=len(topics)),
    }


def _spread(items: Sequence[Item], encoder: Encoder) -> float | None:
    """Return the mean cosine distance between two questions, over an evenly spaced sample of at most `SPREAD_ROWS`.

    `encoder` must return vectors of unit length. Returns None if the sample has fewer than two questions.
    """
    step = max(1, ceil(len(items) / SPREAD_ROWS))
    vectors = encoder.encode([item.question for item in items[::step]])
    n = len(vectors)
    if n < 2:
        return None
    total = float((vectors.sum(axis=0) ** 2).sum())
    return 1 - (total - n) / (n * (n - 1))


def _shown_settings(settings: Settings) -> dict[str, Any]:
    return {"seed": settings.seed, "encoder": settings.encoder, "synth": versions()["synth"]}


def as_json(scored: ScoreResult) -> dict[str, Any]:
    """Return a result as JSON values."""
    return {
        **asdict(scored.of),
        "grades": {grade.name: _grade(grade) for grade in scored.of.grades},
        "worst": [
            {"id": row.id, "question": row.question, "faults": [fault.as_json() for fault in row.faults]}
            for row in scored.of.worst
        ],
        "damaged": [row.reason for row in scored.damaged],
        **({"retrieval": _retrieval(scored)} if scored.scores else {}),
        **({"validity": _validity_json(scored.validity)} if scored.validity else {}),
        "settings": dict(scored.settings),
    }


def _grade(grade: Grade) -> dict[str, Any]:
    values = {name: value for name, value in asdict(grade).items() if name != "name"}
    rule = f"{message(f'rule.{grade.name}').text}: {RULES[grade.name].shown}"
    return {**values, "reason": grade.reason and grade.reason.as_json(), "rule": rule}


def _retrieval(scored: ScoreResult) -> dict[str, Any]:
    assert scored.scores is not None
    return {
        "unit": scored.unit,
        "questions": len(scored.scores.probes),
        "left_out": list(scored.left_out),
        "retrievers": {
            name: {
                "description": DESCRIPTIONS[name],
                "ndcg@10": float(scored.scores.ndcg[i].mean()),
                "mrr@10": float(scored.scores.mrr[i].mean()),
                **({"human_ndcg@10": float(scored.human.ndcg[i].mean())} if scored.human else {}),
                **({"human_mrr@10": float(scored.human.mrr[i].mean())} if scored.human else {}),
            }
            for i, name in enumerate(scored.scores.names)
        },
    }


def _validity_json(validity: Validity) -> dict[str, Any]:
    return {
        "questions": validity.questions,
        "human": validity.human,
        "human_sample": validity.sample,
        "figures": {name: asdict(figure) for name, figure in validity.figures.items()},
        "shift": validity.shift,
        "pairs": validity.pairs,
        "told_apart": validity.told_apart,
        "human_told_apart": validity.human_told_apart,
        "contradicted": [list(pair) for pair in validity.contradicted],
        "note": message("set.use").text,
    }
