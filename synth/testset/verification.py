"""Verification of a set against its corpus without a model: evidence, filters and duplicates of each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from synth.core.containment import contained
from synth.core.records import ADOPTED, Evidence, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.alternatives import misstated
from synth.generation.filters.base import RAISED, Filter, SetFilter, binding
from synth.testset.lost_marks import lost_marks


def faults(
    samples: Iterable[Sample], corpus: Corpus, filters: Sequence[Filter], set_filters: Sequence[SetFilter]
) -> Iterator[str]:
    """The fault of each sample, in order, or "" when it holds.

    A sample holds when it lost nothing that the documents say (`lost_marks`), its evidence is at its offsets, every one
    of `filters` that decides on it (`binding`), eased, keeps it, each place in `alternatives` can still replace its
    piece of evidence, and no earlier sample asks the same. `filters` must need no model. A filter that refused an
    adopted sample at its adoption, which the row records, is not asked again.
    """
    for sample in samples:
        with contained("verifying", f"row {sample.id}") as guard:
            reason = fault(sample, corpus, filters) or _repeated(sample, set_filters)
        reason = f"could not be checked: {guard.error}" if guard.error else reason
        for filter_ in set_filters:
            filter_.hold(sample)
        yield reason


def fault(sample: Sample, corpus: Corpus, filters: Sequence[Filter], *, ignore_errors: bool = False) -> str:
    """The fault of a sample by itself, or ""; with `ignore_errors`, a filter that raises an error is ignored."""
    lost = lost_marks(sample, corpus)
    if lost:
        return f"lost: {lost}"
    for piece in sample.evidence:
        misplaced = corpus.misplaced(piece)
        if misplaced:
            return f"evidence: {misplaced}"
    placed = replace(sample, evidence=tuple(_placed(piece, corpus) for piece in sample.evidence))
    asked = (filter_ for filter_ in binding(filters, sample) if filter_.name not in refusals(sample))
    verdicts = (filter_.eased().decide(placed, corpus) for filter_ in asked)
    refusal = _first_refusal(verdict for verdict in verdicts if not (ignore_errors and verdict.tag == RAISED))
    return refusal or misstated(placed, corpus)


def _repeated(sample: Sample, set_filters: Sequence[SetFilter]) -> str:
    return _first_refusal(filter_.decide(sample) for filter_ in set_filters if filter_.name not in refusals(sample))


def _first_refusal(verdicts: Iterable[Verdict]) -> str:
    return next((f"{verdict.filter}: {verdict.reason}" for verdict in verdicts if not verdict.kept), "")


def refusals(sample: Sample) -> Mapping[str, str]:
    """The filters that refused an adopted sample at its adoption, with their reasons; {} for other samples."""
    refused = sample.metadata.get("refused")
    return refused if sample.metadata.get("source") == ADOPTED and isinstance(refused, dict) else {}


def _placed(piece: Evidence, corpus: Corpus) -> Evidence:
    """The evidence with the chunk that holds its beginning, since the corpus may be chunked in another way."""
    chunk = corpus.chunk_at(piece.doc_id, piece.start)
    return replace(piece, chunk_id=chunk.chunk_id) if chunk else piece
