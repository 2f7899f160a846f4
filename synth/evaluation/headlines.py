"""Headline metrics: the few that are shown where nobody has named any."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from synth.evaluation.messages import Message, message

MOST_SHOWN = 8
"""Rows of a table that are read at a glance. p is corrected for their number (Holm), so that with fewer of them smaller
differences are significant."""

# In the order in which a RAG system fails. First the retriever: does the evidence arrive at all, how much else comes
# with it, how far up it stands, and nDCG, the usual measure of a ranking. k is 5, about the number of passages
# that a prompt has room for, and 10 where a ranking is judged, as in BEIR and MTEB. Then the answers: the measure that
# agrees best with people, the field's measure of wording, and the two errors that cost most, wrong numbers and
# invented answers. Of one slot the first with a value is shown: by evidence where there is any, else by ids; nDCG by
# ids first, as other tools report it.
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
"""Metrics that fill slots without a value, those of special rows (patterns, SQL, tables, tool calls) first."""

HEADLINE_METRICS = frozenset(column.partition("@")[0] for slot in _SLOTS for column in slot)


def headlines(columns: Collection[str]) -> list[str]:
    """At most `MOST_SHOWN` of `columns`, all of which have values, in the order of the slots; all where none has one.

    Where a metric is not measured at the k of its slot, the nearest k stands in.
    """
    chosen = (next(_measured(slot, columns), None) for slot in (*_SLOTS, *_FURTHER))
    return list(dict.fromkeys(column for column in chosen if column))[:MOST_SHOWN] or list(columns)


def meaning(column: str) -> str:
    """The sense of a metric in a few words; "" for one without a text."""
    return explained(column).text


def explained(column: str, definition: str = "") -> Message:
    """The sense of a metric in a few words; in languages without a text for it, its `definition`."""
    name, _, k = column.partition("@")
    return message(f"metric.{name}", k=k, definition=definition)


def _measured(slot: tuple[str, ...], columns: Collection[str]) -> Iterator[str]:
    for column in slot:
        name, _, k = column.partition("@")
        depths = [int(deep) for base, _, deep in (c.partition("@") for c in columns) if base == name and deep]
        if k and depths:
            yield f"{name}@{min(depths, key=lambda deep: (abs(deep - int(k)), deep))}"
        elif column in columns:
            yield column
