"""Headline metrics: the few metrics that tables show if the user names none."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from synth.evaluation.messages import Message, message
from synth.evaluation.metrics.base import CHUNK

MOST_SHOWN = 8
"""Maximum number of headline metrics, few enough to read a table at a glance.

p values are corrected for the number of metrics shown (Holm). With fewer metrics, smaller differences are significant.
"""

# The slots follow the order in which a RAG system fails. The retriever comes first: recall, precision and rank of the
# evidence, and nDCG, the usual measure of a ranking. k is 5, about the number of passages that fit a prompt, and 10 for
# rankings, as in BEIR and MTEB. Then the answers: the measure that agrees best with people, the usual measure of
# wording, and the two most costly errors, wrong numbers and invented answers. A slot shows its first metric with a
# value: metrics by evidence come before metrics by id, except for nDCG, which other tools report by id.
_SLOTS = (
    ("evidence_recall@5", "recall@5"),
    ("evidence_precision@5", "precision@5"),
    ("evidence_mrr@10", "mrr@10"),
    ("ndcg@10", "hit_rate@10", "evidence_ndcg@10"),
    ("correctness",),
    ("token_f1", "exact_match"),
    ("numbers_right",),
    ("abstention",),
)

_FURTHER = (
    ("pattern_match",),
    ("sql_equivalence",),
    ("table_cell_f1",),
    ("tool_call_f1",),
    ("exact_match",),
    ("evidence_hit_rate@5", "hit_rate@5"),
)
"""Metrics used if metrics in `_SLOTS` have no value. Those for patterns, SQL, tables and tool calls come first."""

HEADLINE_METRICS = frozenset(column.partition("@")[0] for slot in _SLOTS for column in slot)


def headlines(columns: Collection[str]) -> list[str]:
    """Return at most `MOST_SHOWN` headline metrics of `columns`. All `columns` must have values.

    Each headline is chosen from a list of alternative metrics: the first one measured, at the wanted k or the nearest
    k. If no list has a measured metric, all columns are returned.
    """
    chosen = (next(_measured(slot, columns), None) for slot in (*_SLOTS, *_FURTHER))
    return list(dict.fromkeys(column for column in chosen if column))[:MOST_SHOWN] or list(columns)


def meaning(column: str, unit: str = CHUNK) -> str:
    """Return the meaning of a metric in a few words, or "" if the metric has no text.

    `unit` is what metrics by id count: "chunk" or "document".
    """
    return explained(column, unit=unit).text


def explained(column: str, definition: str = "", unit: str = CHUNK) -> Message:
    """Return the meaning of a metric in a few words. In a language without a text, it is the `definition`.

    `unit` is as in `meaning`.
    """
    name, _, k = column.partition("@")
    item, items = (message(f"{group}.{unit or CHUNK}") for group in ("item", "items"))
    return message(f"metric.{name}", k=k, definition=definition, item=item, items=items)


def _measured(slot: tuple[str, ...], columns: Collection[str]) -> Iterator[str]:
    for column in slot:
        name, _, k = column.partition("@")
        depths = [int(deep) for base, _, deep in (c.partition("@") for c in columns) if base == name and deep]
        if k and depths:
            yield f"{name}@{min(depths, key=lambda deep: (abs(deep - int(k)), deep))}"
        elif column in columns:
            yield column
