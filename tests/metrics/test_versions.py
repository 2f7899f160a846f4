"""What each metric gives for a few cases, by its version: whoever changes the values raises the version.

Stored runs are compared by these versions, so a metric that gives other values under an old one would make two runs
look alike that are not. After a change that is meant, raise `version` in the class and write the file anew:

    python -m tests.metrics.test_versions
"""

import json
from pathlib import Path

import pytest

from synth.core.plugins import discover
from synth.core.records import Passage
from synth.evaluation.judging.judged_metric import JudgedMetric
from synth.evaluation.metrics.base import DOCUMENT, Metric
from synth.evaluation.responses.passages import tool_calls
from tests.metrics.cases import case, item, piece, place, scores
from tests.metrics.judge import judged, part

GOLDEN = Path(__file__).with_name("golden_values.json")
ELSEWHERE = {"faithfulness~classifier", "aspect", "rubric", "image_faithfulness"}
"""Metrics that need what a user brings, a model or a criterion; their values are worked by hand in other tests."""

PLANS = {"semantic_similarity": {"encoder": "hashed"}, "answer_relevancy~encoder": {"encoder": "hashed"}}
TOWER = piece("The Kell lighthouse was built in 1811 and is 30 metres high.")
SHIP = piece("Its builder, Robert Stevenson, was born in 1772.", 400, "b.md", "c-2")
CASES = {
    "right": case(
        item("in 1811", (TOWER,), question="When was the Kell lighthouse built?"),
        "The Kell lighthouse was built in 1811.",
        [place(90, 170), place(380, 420, "b.md")],
        [Passage(text=TOWER.text), Passage(text="Ships pass it at night.")],
    ),
    "half": case(
        item(("Robert Stevenson, born in 1772", "Stevenson"), (TOWER, SHIP), question="Who built it, and when was he born?"),
        "It was Stevenson; he was born in 1782.",
        [place(0, 50), place(110, 140), place(400, 460, "b.md")],
        [Passage(text=SHIP.text)],
    ),
    "by id": case(
        item("49 years", relevance={"c-1": 1, "c-2": 2}),
        "49 years",
        [Passage(id="c-2"), Passage(id="c-9"), Passage(id="c-1")],
    ),
    "by document": case(item("1811", (TOWER,)), "1833", [Passage(doc_id="b.md"), Passage(doc_id="a.md")], unit=DOCUMENT),
    "chinese": case(
        item("1811年", (piece("凱爾燈塔建於1811年，高30公尺。"),), question="凯尔灯塔建于哪一年？"),
        "凯尔灯塔于1811年建成。",
        [place(100, 112)],
        [Passage(text="凱爾燈塔建於1811年，高30公尺。")],
    ),
    "declined": case(item((), question_type="unanswerable"), "I do not know.", [place(0, 20)]),
    "silent": case(item("1811", (TOWER,)), "", []),
    "tool": case(
        item("rain", tool_calls=[{"name": "weather", "arguments": {"city": "Kell"}}], topics=["weather"]),
        "It rains.",
        calls=tool_calls([{"name": "weather", "arguments": {"city": "Kell", "unit": "C"}}], "tool_calls", "here"),
    ),
    "query": case(item(sql="SELECT name FROM lights WHERE year = 1811"), "select name from lights where 1811 = year"),
    "table": case(item(table="| a | b |\n|---|---|\n| 1 | 2 |"), "| a | b |\n|---|---|\n| 1 | 3 |"),
    "pattern": case(item("1811", answer_pattern="18[0-9]{2}"), "It was 1811."),
}  # fmt: skip


def own():
    """The metrics of synth by name, with those that ask a judge."""
    found = {**discover("synth.evaluation.metrics", Metric), **discover("synth.evaluation.metrics", JudgedMetric)}
    return {name: found[name] for name in sorted(found) if name not in ELSEWHERE}


def measured(name):
    """The version of a metric, and its values by case and column, rounded; None where there is none."""
    metric = own()[name]
    found = {}
    for title, one in CASES.items():
        if issubclass(metric, JudgedMetric):
            by_column = judged(part(name), one)
        else:
            by_column = scores(name, one, **PLANS.get(name, {}))
        found[title] = {
            column: None if score.value is None else round(score.value, 9)
            for column, score in sorted(by_column.items())
        }
    return {"version": metric.version, "values": found}


@pytest.mark.parametrize("name", own())
def test_a_metric_gives_what_it_gave_or_has_another_version(name):
    held = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert name in held, "a new metric: write the file anew (see above)"
    assert measured(name) == held[name]


def test_most_metrics_have_a_number_for_some_case():
    held = json.loads(GOLDEN.read_text(encoding="utf-8"))
    silent = [
        name
        for name, one in held.items()
        if all(number is None for columns in one["values"].values() for number in columns.values())
    ]
    assert silent == []


if __name__ == "__main__":
    lines = (f"{json.dumps(name)}: {json.dumps(measured(name), ensure_ascii=False)}" for name in own())
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
