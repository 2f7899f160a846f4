"""Verification of a set against its corpus without a chat model. It checks evidence, filters and duplicates."""

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
    """Yield the fault of each sample in order, or "" if the sample is valid.

    A valid sample lost no markup (`lost_marks`), and its evidence is at its offsets. All filters that decide on the
    sample (`binding`) keep it. Each threshold of a filter is relaxed by its `slack`. Each item of `alternatives` can
    still replace its evidence. No earlier sample asks the same question. `filters` must not need a model. A filter that
    refused an adopted sample at its adoption does not run again.
    """
    for sample in samples:
        with contained("verifying", f"row {sample.id}") as guard:
            reason = fault(sample, corpus, filters) or _repeated(sample, set_filters)
        reason = f"the check raised an error: {guard.error}" if guard.error else reason
        for filter_ in set_filters:
            filter_.hold(sample)
        yield reason


def fault(sample: Sample, corpus: Corpus, filters: Sequence[Filter], *, ignore_errors: bool = False) -> str:
    """Return the fault of a single sample, or "". If `ignore_errors` is true, filters that raise errors are ignored."""
    lost = lost_marks(sample, corpus)
    if lost:
        return f"lost markup: {lost}"
    for piece in sample.evidence:
        misplaced = corpus.misplaced(piece)
        if misplaced:
            return f"evidence: {misplaced}"
    found = placed(sample, corpus)
    asked = (filter_ for filter_ in binding(filters, sample) if filter_.name not in refusals(sample))
    verdicts = (filter_.eased().decide(found, corpus) for filter_ in asked)
    refusal = _first_refusal(verdict for verdict in verdicts if not (ignore_errors and verdict.tag == RAISED))
    return refusal or misstated(found, corpus)


def _repeated(sample: Sample, set_filters: Sequence[SetFilter]) -> str:
    return _first_refusal(filter_.decide(sample) for filter_ in set_filters if filter_.name not in refusals(sample))


def _first_refusal(verdicts: Iterable[Verdict]) -> str:
    return next((f"{verdict.filter}: {verdict.reason}" for verdict in verdicts if not verdict.kept), "")


def refusals(sample: Sample) -> Mapping[str, str]:
    """Return the reason of each filter that refused a sample at its adoption, by filter name; {} if not adopted."""
    refused = sample.metadata.get("refused")
    return refused if sample.metadata.get("source") == ADOPTED and isinstance(refused, dict) else {}


def objections(sample: Sample, corpus: Corpus, filters: Sequence[Filter]) -> Mapping[str, str]:
    """Return the reason of each advisory filter that objects to a sample, by filter name.

    Advisory filters are all filters outside `binding`: they cannot reject the sample. Each threshold is relaxed by its
    slack. Errors of filters are ignored.
    """
    deciding = {filter_.name for filter_ in binding(filters, sample)}
    found = placed(sample, corpus)
    advising = (filter_.eased().decide(found, corpus) for filter_ in filters if filter_.name not in deciding)
    return {verdict.filter: verdict.reason for verdict in advising if not verdict.kept and verdict.tag != RAISED}


def placed(sample: Sample, corpus: Corpus) -> Sample:
    """Return the sample with the ids of the passages where its evidence starts in `corpus`.

    The ids differ if the corpus was chunked again. A piece of evidence keeps its passage id if no passage contains its
    start.
    """
    return replace(sample, evidence=tuple(_placed(piece, corpus) for piece in sample.evidence))


def _placed(piece: Evidence, corpus: Corpus) -> Evidence:
    chunk = corpus.chunk_at(piece.doc_id, piece.start)
    return replace(piece, chunk_id=chunk.chunk_id) if chunk else piece
