"""Headline metrics: the few that are shown where nobody has named any."""

from __future__ import annotations

from collections.abc import Collection, Iterator

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

_MEANINGS = {
    "evidence_recall": "share of the evidence that the first {k} passages have",
    "evidence_precision": "share of the first {k} passages that is evidence",
    "evidence_mrr": "1 over the rank of the first passage with evidence",
    "evidence_hit_rate": "share of questions with evidence among the first {k} passages",
    "evidence_ndcg": "evidence ranked first, compared with a perfect ranking",
    "recall": "share of the relevant passages among the first {k}",
    "precision": "share of the first {k} passages that is relevant",
    "mrr": "1 over the rank of the first relevant passage",
    "ndcg": "relevant passages ranked first; 1 is a perfect ranking",
    "hit_rate": "share of questions with a relevant passage among the first {k}",
    "correctness": "share of the golden answer that the answer has",
    "token_f1": "words that answer and golden answer share (F1)",
    "exact_match": "share of answers equal to a golden answer",
    "numbers_right": "share of the golden answer's numbers that are right",
    "abstention": "share of unanswerable questions left unanswered",
    "pattern_match": "share of answers that fit the row's pattern",
    "sql_equivalence": "share of queries that return what the golden query returns",
    "table_cell_f1": "cells that answer and golden table share (F1)",
    "tool_call_f1": "calls right in name and arguments (F1)",
}


def headlines(columns: Collection[str]) -> list[str]:
    """At most `MOST_SHOWN` of `columns`, all of which have values, in the order of the slots; all where none has one.

    Where a metric is not measured at the k of its slot, the nearest k stands in.
    """
    chosen = (next(_measured(slot, columns), None) for slot in (*_SLOTS, *_FURTHER))
    return list(dict.fromkeys(column for column in chosen if column))[:MOST_SHOWN] or list(columns)


def meaning(column: str) -> str:
    """The sense of a metric in a few words; "" for one without a text."""
    name, _, k = column.partition("@")
    return _MEANINGS.get(name, "").format(k=k)


def _measured(slot: tuple[str, ...], columns: Collection[str]) -> Iterator[str]:
    for column in slot:
        name, _, k = column.partition("@")
        depths = [int(deep) for base, _, deep in (c.partition("@") for c in columns) if base == name and deep]
        if k and depths:
            yield f"{name}@{min(depths, key=lambda deep: (abs(deep - int(k)), deep))}"
        elif column in columns:
            yield column
