"""Evaluation of a system's responses on a testset: every metric on every row, with means and intervals."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, repeat, tee
from typing import Any

from synth.core.checks import check_known
from synth.core.containment import contained
from synth.core.errors import InputError
from synth.core.records import Passage, Response, Score
from synth.evaluation.intervals import Difference, Estimate, differences, estimates
from synth.evaluation.judging.panel import Panel
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.measuring.sacrebleu_scores import CorpusBleu
from synth.evaluation.metrics.base import CHUNK, DOCUMENT, Case, Metric
from synth.evaluation.responses.reading import Responses
from synth.evaluation.responses.shapes import FIELDS
from synth.testset.dataset import Item
from synth.testset.document_names import DocumentNames

BLOCK = 256
_SAMPLED_ROWS, _MOST_NAMED, _TEXT_SHOWN = 1000, 10, 60
_NAN = float("nan")
_CHUNK_ID = re.compile(r"c-[0-9a-f]{16}")
_FIELDS = {"contexts": {"contexts", "retrieved"}}
UNITS = (CHUNK, DOCUMENT)


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Mean of a metric with its interval. Of the `of` rows, `estimate.n` have a value and enter the mean.

    `reasons` maps each reason for a missing value to its number of rows.
    """

    estimate: Estimate
    of: int
    reasons: Mapping[str, int]


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """Scores of a system's responses on a testset.

    - `missing`: ids of the rows without a response; they count as empty responses.
    - `unknown`: ids or questions of the responses that belong to no row.
    - `unit`: kind of ids that were compared, "chunk" or "document"; "" if the responses contain no known id.
    - `metrics`: results by column; `slices`: the same by metadata field and value.
    - `not_given`: metrics left out because no response contains the field that they read, with the name of that field.
    - `values`: numbers by column, in the order of the testset; NaN means no value.
    - `clusters`: document number of each row, in the order of the testset.
    - `corpus_bleu`: BLEU of all answers together, None if BLEU is not measured.
    - `with_alternatives`: number of rows with alternatives, which are further passages that contain the evidence.
    - `by_alternative`: number of rows for which a retrieved passage counts only because it contains an alternative.
    - `notes`: lines about retrieved passages that could not be related to the testset.
    """

    rows: int
    missing: tuple[str, ...]
    unknown: tuple[str, ...]
    unit: str
    metrics: Mapping[str, Aggregate]
    slices: Mapping[str, Mapping[str, Mapping[str, Aggregate]]]
    not_given: Mapping[str, str]
    values: Mapping[str, Sequence[float]]
    clusters: Sequence[int]
    corpus_bleu: Estimate | None = None
    by_alternative: int = 0
    with_alternatives: int = 0
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Evaluation({self.rows} rows, {len(self.metrics)} columns)"


@dataclass(slots=True)
class _Tally:
    """Scores collected so far."""

    values: dict[str, array[float]] = field(default_factory=dict)
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    clusters: array[int] = field(default_factory=lambda: array("l"))
    documents: dict[str, int] = field(default_factory=dict)
    slices: dict[str, list[str]] = field(default_factory=dict)
    answered: array[int] = field(default_factory=lambda: array("b"))
    missing: list[str] = field(default_factory=list)
    by_alternative: int = 0
    with_alternatives: int = 0
    matched: set[tuple[str, str]] = field(default_factory=set)

    def add(self, scores: Sequence[Score]) -> None:
        for score in scores:
            self.values.setdefault(score.metric, array("d")).append(_NAN if score.value is None else score.value)
            if score.value is None:
                self.reasons.setdefault(score.metric, Counter())[score.reason] += 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """What an evaluation measures.

    - `metrics`: metrics without a judge; `panel`: metrics with a judge, or None.
    - `folding`: differences in script, width and numerals to ignore.
    - `unit`: kind of ids in the responses, "chunk", "document" or "auto" to detect it.
    - `by`: metadata fields to aggregate by as well; `seed`: seed of the intervals.
    """

    metrics: Sequence[Metric]
    panel: Panel | None = None
    folding: Folding = field(default_factory=Folding)
    unit: str = "auto"
    by: Sequence[str] = ()
    seed: int = 0


def evaluate(
    items: Iterable[Item],
    responses: Responses,
    measurement: Measurement,
    keep: Callable[[Item, Sequence[Score]], None] = lambda *_: None,
) -> Evaluation:
    """Measure every metric on every row, in the order of the testset.

    `items` must allow two iterations; they are never all in memory. `keep` is called with each row and its scores.
    Raises InputError if the testset has no row, no response belongs to a row, or no response contains a measured field.
    Also raises InputError if a metric needs passages and no retrieved passage matches the testset.
    """
    metrics, panel, unit = measurement.metrics, measurement.panel, measurement.unit
    if unit == "auto":
        seen = _seen(items, responses)
        unit = seen.unit
    else:
        seen = None
        check_known("unit", unit, ("auto", *UNITS))
    measurable = [metric for metric in metrics if _is_available(metric.needs, responses)]
    judged = [metric for metric in panel.metrics if _is_available(metric.needs, responses)] if panel else []
    needed = {*(metric.needs for metric in measurable), *(metric.needs for metric in judged)}
    reads_passages = bool(needed & {"retrieved", "contexts"})
    if seen and reads_passages:
        seen.check()
    tally = _Tally(slices={name: [] for name in measurement.by})
    cases: Iterator[Case] = (_case(item, responses, tally, measurement.folding, unit) for item in items)
    by_judge: Iterator[list[Score]] = repeat([])
    if panel and judged:
        cases, ahead = tee(cases)
        by_judge = panel.scores(ahead, judged)
    pooled = CorpusBleu() if any(metric.name == "bleu" for metric in measurable) else None
    for block in _blocks(cases):
        by_metric = [metric.scores(block) for metric in measurable]
        for i, case in enumerate(block):
            scores = [*(score for measured in by_metric for score in measured[i]), *next(by_judge)]
            tally.add(scores)
            tally.with_alternatives += bool(case.item.alternatives)
            tally.by_alternative += reads_passages and case.uses_alternative
            keep(case.item, scores)
            if pooled:
                with contained("metric 'bleu'", f"row {case.item.id}"):
                    pooled.add(*case.folded_answers)
    if not tally.clusters:
        raise InputError("the testset contains no readable row; evaluate another testset")
    unknown = tuple(id or question for id, question in responses.keys if not {(id, ""), ("", question)} & tally.matched)
    if not tally.matched:
        raise InputError(_no_match(unknown, responses))
    if not responses.given:
        has = ", ".join(f"'{name}'" for name in islice(responses.columns, _MOST_NAMED))
        raise InputError(f"no response has one of the fields {', '.join(FIELDS)}; the responses have {has}")
    left_out = {metric.name: metric.needs for metric in metrics if metric not in measurable}
    left_out |= {metric.title: metric.needs for metric in panel.metrics if metric not in judged} if panel else {}
    evaluation = _aggregated(tally, unknown, unit, left_out, measurement.seed)
    if seen and reads_passages:
        evaluation = replace(evaluation, notes=seen.notes)
    if pooled is None:
        return evaluation
    return replace(evaluation, corpus_bleu=pooled.estimate(tally.clusters, measurement.seed))


def compared(
    first: Evaluation, second: Evaluation, seed: int = 0, shown: Collection[str] | None = None
) -> dict[str, Difference]:
    """Return the paired differences, second minus first, of two evaluations on the same testset.

    `shown` is as in `differences`. Raises InputError if the testsets differ.
    """
    if list(first.clusters) != list(second.clusters):
        raise InputError("the two evaluations are of different testsets; evaluate both systems on the same testset")
    return differences(second.values, first.values, first.clusters, seed, shown)


def _no_match(unknown: Sequence[str], responses: Responses) -> str:
    if not unknown and responses.damaged:
        return f"no line is a response; the first problem: {responses.damaged[0].reason}"
    seen = f"; the first response is to '{unknown[0]}'" if unknown else ""
    return (
        f"no response belongs to a row of the testset{seen}; give each response the 'id' or the 'question' of its row"
    )


def _is_available(needs: str, responses: Responses) -> bool:
    return bool(_FIELDS.get(needs, {needs}) & responses.given)


def _blocks(cases: Iterable[Case]) -> Iterator[list[Case]]:
    rest = iter(cases)
    while block := list(islice(rest, BLOCK)):
        yield block


def _case(item: Item, responses: Responses, tally: _Tally, folding: Folding, unit: str) -> Case:
    response = responses.get(item.id, item.question)
    tally.answered.append(response is not None)
    if response is None:
        tally.missing.append(item.id)
        response = Response(sample_id=item.id, answer="", retrieved=(), contexts=(), tool_calls=())
    else:
        tally.matched |= {(item.id, ""), ("", item.question)}
    document = document_of(item)
    tally.clusters.append(tally.documents.setdefault(document, len(tally.documents)))
    for name, labels in tally.slices.items():
        labels.append(_label(item, name))
    return Case(item, response, folding, unit)


def document_of(item: Item) -> str:
    """Return the cluster of a row: the document of its first evidence, or the row id if it has no evidence."""
    return item.documents[0] if item.documents else item.id


def _label(item: Item, name: str) -> str:
    value = item.metadata.get(name)
    return "(none)" if value is None else value if isinstance(value, str) else repr(value)


def _aggregated(
    tally: _Tally, unknown: tuple[str, ...], unit: str, left_out: Mapping[str, str], seed: int
) -> Evaluation:
    _clear_unmeasured(tally)
    every = range(len(tally.clusters))
    slices: dict[str, dict[str, dict[str, Aggregate]]] = {}
    for name, labels in tally.slices.items():
        rows = {label: [i for i in every if labels[i] == label] for label in sorted(set(labels))}
        slices[name] = {label: _aggregates(tally, chosen, seed) for label, chosen in rows.items()}
    return Evaluation(
        rows=len(tally.clusters),
        missing=tuple(tally.missing),
        unknown=unknown,
        unit=unit,
        metrics=_aggregates(tally, None, seed),
        slices=slices,
        not_given=left_out,
        values=tally.values,
        clusters=tally.clusters,
        by_alternative=tally.by_alternative,
        with_alternatives=tally.with_alternatives,
    )


def _clear_unmeasured(tally: _Tally) -> None:
    """Remove the values that count for missing responses, in columns in which no existing response has a value."""
    for values in tally.values.values():
        if all(value != value for value, there in zip(values, tally.answered, strict=True) if there):
            for i in range(len(values)):
                values[i] = _NAN


def _aggregates(tally: _Tally, chosen: Sequence[int] | None, seed: int) -> dict[str, Aggregate]:
    """Return the aggregate of each column over the chosen rows, or over all rows if `chosen` is None."""
    columns: Mapping[str, Any] = tally.values
    clusters: Sequence[int] = tally.clusters
    if chosen is not None:
        columns = {name: [values[i] for i in chosen] for name, values in columns.items()}
        clusters = [clusters[i] for i in chosen]
    by_column = estimates(columns, clusters, seed)
    reasons = tally.reasons if chosen is None else {}
    return {
        name: Aggregate(estimate, len(clusters), dict(reasons.get(name, Counter()).most_common()))
        for name, estimate in by_column.items()
    }


@dataclass
class _Seen:
    """Matches between the passages of the first responses and the testset.

    `hits` is the number of passages that are relevant to their row, by unit ("chunk" or "document"). `known` is the
    number of passages whose id occurs in the testset. `strangers` are passages whose id and document are unknown to the
    testset. `is_covered` is true if a passage contains text of its row's evidence.
    """

    hits: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNITS, 0))
    known: dict[str, int] = field(default_factory=lambda: dict.fromkeys(UNITS, 0))
    ids: dict[str, set[str]] = field(default_factory=lambda: {unit: set() for unit in UNITS})
    retrieved: int = 0
    strangers: list[Passage] = field(default_factory=list)
    is_covered: bool = False

    @property
    def unit(self) -> str:
        """Kind of the ids: chunk, document, or "" if they match neither; chunk if nothing was retrieved."""
        counts = self.hits if any(self.hits.values()) else self.known
        return max(UNITS, key=lambda unit: counts[unit]) if any(counts.values()) or not self.retrieved else ""

    def check(self) -> None:
        """Raise InputError if passages were retrieved and none matches the testset by id, document or text."""
        if self.strangers and len(self.strangers) == self.retrieved and not self.is_covered:
            theirs, ours = self.strangers[0], [next(iter(sorted(self.ids[unit])), "") for unit in UNITS]
            raise InputError(
                f"none of the {self.retrieved} retrieved passages matches the testset: the first has "
                f"the id '{theirs.id}', the document '{theirs.doc_id}' and the text '{theirs.text[:_TEXT_SHOWN]}', "
                f"but the testset has ids such as '{ours[0]}' and documents such as '{ours[1]}'. Add the texts of the "
                "passages to the responses, or use the ids of the testset. If the ids are correct and the system found "
                "nothing, set --unit to chunk or document. To measure only answers, name the metrics with --metrics"
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """Warnings: passages that cannot be matched to the testset, or no passage that contains evidence."""
        like_ours = all(map(_CHUNK_ID.fullmatch, self.ids[CHUNK]))
        unread = [
            passage
            for passage in self.strangers
            if not passage.text and not (like_ours and _CHUNK_ID.fullmatch(passage.id))
        ]
        lines = []
        if unread:
            name = unread[0].id or unread[0].doc_id
            lines.append(
                f"{len(unread)} of {self.retrieved} retrieved passages have no text and no id that the testset "
                f"contains, so they count as not relevant; the first is '{name[:_TEXT_SHOWN]}'"
            )
        elif self.retrieved and not self.is_covered and not any(self.hits.values()):
            lines.append(
                f"none of the {self.retrieved} retrieved passages contains evidence of its row, by id or by text; "
                "check that the passages come from the documents of the testset"
            )
        return tuple(lines)


def _seen(items: Iterable[Item], responses: Responses) -> _Seen:
    """Match the ids, documents and texts of the first responses against the testset."""
    seen, pairs = _Seen(), []
    for item in islice(items, _SAMPLED_ROWS):
        for unit, ids in ids_of(item).items():
            seen.ids[unit] |= ids
        if response := responses.get(item.id, item.question):
            pairs.append((item, response))
    for item, response in pairs:
        passages = response.retrieved or response.contexts or ()
        seen.retrieved += len(passages)
        seen.strangers += [
            passage
            for passage in passages
            if (passage.doc_id or not passage.text)
            and not (
                passage.id in seen.ids[CHUNK] or passage.doc_id in seen.ids[DOCUMENT] or responses.knows(passage.doc_id)
            )
        ]
        for unit in UNITS:
            with contained("the search for the unit", f"row {item.id}"):
                case = Case(item, response, unit=unit)
                if not seen.is_covered:
                    cover = case.retrieved_cover if response.retrieved else case.contexts_cover
                    seen.is_covered = not isinstance(cover, str) and cover.covered() > 0
                named = [case.id_of(passage) for passage in passages]
                seen.hits[unit] += sum(case.relevance.get(id, 0) > 0 for id in named)
                seen.known[unit] += sum(id in seen.ids[unit] for id in named)
    return seen


def document_names(items: Iterable[Item], listed: Collection[str] = ()) -> DocumentNames:
    """Return the documents that rows name, plus the documents in `listed`.

    If `listed` contains any document, it must be the complete corpus.
    """
    documents = {doc_id for item in items for doc_id in ids_of(item)[DOCUMENT]}
    return DocumentNames({*documents, *listed}, complete=bool(listed))


def ids_of(item: Item) -> dict[str, set[str]]:
    """Return the ids of passages and of documents that a row names, by unit.

    They come from its evidence, alternatives, hard negatives and relevance.
    """
    named = [place for name in ("alternatives", "hard_negatives") for place in item.metadata.get(name, ())]
    chunks = {piece.chunk_id for piece in item.evidence} | {place["chunk_id"] for place in named}
    documents = {piece.doc_id for piece in item.evidence} | {place["doc_id"] for place in named}
    return {CHUNK: (chunks | {*item.relevance}) - {""}, DOCUMENT: (documents | {*item.relevance}) - {""}}
