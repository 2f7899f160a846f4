"""The tables of metrics in the documentation are those of the docstrings.

After a docstring or a metric has changed, write the tables again:

    python -m tests.metrics.test_table
"""

import re
from pathlib import Path

import pytest

from synth.core.plugins import discover
from synth.evaluation.metrics.base import SUBSTITUTE_MARK, Metric, definition_of
from synth.workflows.judges import judged_metrics

DOCS = Path(__file__).parents[2] / "docs"
READS = ("retrieved", "contexts", "answer", "tool_calls")


def table(head, metrics):
    """A table of metrics by name: those of rankings first, substitutes last."""

    def place(item):
        name, part = item
        return SUBSTITUTE_MARK in name, READS.index(part.needs), name

    def row(name, part):
        star = "" if getattr(part, "default", True) else "*"
        definition = definition_of(part).rstrip(".").replace("|", "\\|")
        return f"| `{name}`{star} | {part.needs} | {definition} |"

    rows = [row(*item) for item in sorted(metrics.items(), key=place)]
    return "\n".join([f"| {head} | reads | definition |", "| --- | --- | --- |", *rows]) + "\n"


TABLES = {
    "evaluate.md": table("metric", discover("synth.evaluation.metrics", Metric)),
    "judges.md": table("judged metric", judged_metrics()),
}


def placed(page, rows):
    """The text of a page with its table of metrics in place."""
    head = re.escape(rows.partition(" | reads")[0])
    return re.sub(rf"^{head} \|.*\n(?:\|.*\n)*", lambda _: rows, page, count=1, flags=re.MULTILINE)


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_that_of_the_docstrings(name):
    page = (DOCS / name).read_text(encoding="utf-8")
    assert TABLES[name] in page, "write the tables again (see above)"
    assert placed(page, TABLES[name]) == page


if __name__ == "__main__":
    for name, rows in TABLES.items():
        page = (DOCS / name).read_text(encoding="utf-8")
        (DOCS / name).write_text(placed(page, rows), encoding="utf-8")
