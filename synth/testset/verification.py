"""A set checked against its corpus, with no model: every row's place, support and form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from synth.core.containment import contained
from synth.core.records import ADOPTED, Evidence, Sample
from synth.corpus.graph import KnowledgeGraph
from synth.generation.alternatives import misstated
from synth.generation.filters.base import RAISED, Corpus, Filter, SetFilter, binding


def faults(
    samples: Iterable[Sample], corpus: Corpus, filters: Sequence[Filter], set_filters: Sequence[SetFilter]
) -> Iterator[str]:
    """For each sample, in order, why it does not hold, or "" when it does.

    A sample holds when its evidence stands where it says, every one of `filters`, eased, keeps it, what it names as
    further evidence (`also`) is such, and no earlier sample asks the same. `filters` must be such as need no model.
    Of an adopted sample no filter is asked that had refused it then: that somebody else's question is kept all the same
    was decided when it was adopted, and stands in the row.
    """
    for sample in samples:
        with contained("verifying", f"row {sample.id}") as guard:
            found = fault(sample, corpus, filters) or _repeated(sample, set_filters)
        found = f"could not be checked: {guard.error}" if guard.error else found
        for filter_ in set_filters:
            filter_.hold(sample)
        yield found


def fault(sample: Sample, corpus: Corpus, filters: Sequence[Filter], *, proven: bool = False) -> str:
    """Why a sample does not hold, other rows apart, or ""; with `proven` a filter that raises says nothing."""
    for piece in sample.evidence:
        misplaced = corpus.misplaced(piece)
        if misplaced:
            return f"evidence: {misplaced}"
    placed = replace(sample, evidence=tuple(_placed(piece, corpus.graph) for piece in sample.evidence))
    for filter_ in binding(filters, sample):
        if filter_.name in refusals(sample):
            continue
        verdict = filter_.eased().decide(placed, corpus)
        if not verdict.kept and not (proven and verdict.tag == RAISED):
            return f"{verdict.filter}: {verdict.reason}"
    return misstated(placed, corpus)


def _repeated(sample: Sample, set_filters: Sequence[SetFilter]) -> str:
    for filter_ in set_filters:
        if filter_.name in refusals(sample):
            continue
        verdict = filter_.decide(sample)
        if not verdict.kept:
            return f"{verdict.filter}: {verdict.reason}"
    return ""


def refusals(sample: Sample) -> Mapping[str, str]:
    """The filters that refused an adopted sample when it was adopted, with their reasons; none of any other sample."""
    refused = sample.metadata.get("refused")
    return refused if sample.metadata.get("source") == ADOPTED and isinstance(refused, dict) else {}


def _placed(piece: Evidence, graph: KnowledgeGraph) -> Evidence:
    """The evidence with the chunk that holds it now: the corpus may be chunked in another way."""
    chunk = graph.chunk_at(piece.doc_id, piece.start)
    return replace(piece, chunk_id=chunk.chunk_id) if chunk else piece
