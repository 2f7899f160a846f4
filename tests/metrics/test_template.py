"""The template of the README of the metrics, as a package of its own; the rules that `check_metric` holds."""

import importlib
import inspect
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import synth.evaluation.metrics
from synth.cli.main import main
from synth.core import plugins
from synth.core.plugins import discover
from synth.evaluation.judging.judged_metric import JudgedMetric
from synth.evaluation.metric_check import check_metric
from synth.evaluation.metrics.answer_words import ExactMatch
from synth.evaluation.metrics.base import Metric
from tests.metrics.cases import case, item

FOLDER = Path(synth.evaluation.metrics.__file__).parent
TEMPLATE, PINNED = re.findall(r"```python\n(.*?)```", (FOLDER / "README.md").read_text(encoding="utf-8"), re.DOTALL)
RIGHT = case(item("in 1811"), "In 1811.")


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """The template installed as a package with an entry point."""
    (tmp_path / "brevity_metric.py").write_text(TEMPLATE, encoding="utf-8")
    info = tmp_path / "brevity_metric-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brevity-metric\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[synth.metrics]\nbrevity = brevity_metric:Brevity\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    plugins.entry_points.cache_clear()
    yield tmp_path
    plugins.entry_points.cache_clear()


def test_the_template_measures_responses_from_another_package(plugin, capsys):
    rows, responses, scores = (plugin / name for name in ("set.jsonl", "responses.jsonl", "scores.json"))
    rows.write_text(
        '{"id": "q-1", "question": "When was it built?", "golden_answers": ["in 1811"]}\n', encoding="utf-8"
    )
    responses.write_text('{"id": "q-1", "answer": "It was built in 1811."}\n', encoding="utf-8")
    done = main(["evaluate", str(rows), str(responses), "--metrics", "brevity", "-o", str(scores), "--quiet"])
    assert done == 0
    assert "0.400" in capsys.readouterr().out
    assert json.loads(scores.read_text(encoding="utf-8"))["metrics"]["brevity"]["mean"] == pytest.approx(0.4)


def test_the_template_passes_the_check_that_stands_beside_it(plugin):
    names = {}
    exec(f"{TEMPLATE}\n{PINNED}", names)
    names["test_brevity"]()


def test_every_class_of_the_folder_is_a_metric_that_is_found_or_a_base():
    bases = (Metric, JudgedMetric)
    parts = {part for base in bases for part in discover("synth.evaluation.metrics", base).values()}
    for path in FOLDER.glob("*.py"):
        if path.stem in ("__init__", "base"):
            continue
        module = importlib.import_module(f"synth.evaluation.metrics.{path.stem}")
        own = [part for part in vars(module).values() if inspect.isclass(part) and part.__module__ == module.__name__]
        assert own
        for part in own:
            assert part in parts or (inspect.isabstract(part) and issubclass(part, bases)), f"{path.name} has {part}"


class Off(ExactMatch):
    """A metric that gives a number above 1."""

    name = "off"

    def compare(self, answer, golden, case):
        return 2.0


class Failing(Off):
    """A metric that raises an error for an empty answer."""

    def compare(self, answer, golden, case):
        return 1.0 / len(answer)


@dataclass(frozen=True)
class Nameless(Off):
    least: float = 0.0
    compare = ExactMatch.compare


@dataclass(frozen=True)
class Raised(ExactMatch):
    """A metric of version 2."""

    version = 2


@pytest.mark.parametrize(
    ("metric", "values", "reason"),
    [
        (ExactMatch(), {"exact_match": 0.5}, "exact_match is 1.0, but 0.5 is pinned; raise `version`"),
        (ExactMatch(), {"exact_match": None}, "but None is pinned"),
        (ExactMatch(), {}, "values must contain all columns of exact_match: exact_match"),
        (Raised(), {"exact_match": 1.0}, "has version 2, but the values were pinned with version 1; pin them again"),
        (Off(), {"off": 1.0}, "off is 2.0, must be from 0 to 1"),
        (Failing(), {"off": 1 / 8}, "off raises an error: failed: ZeroDivisionError"),
        (Nameless(), {"off": 1.0}, "off needs a docstring"),
    ],
)
def test_check_metric_says_what_is_wrong(metric, values, reason):
    with pytest.raises(AssertionError, match=re.escape(reason)):
        check_metric(metric, RIGHT, values, version=1)


def test_check_metric_passes_a_metric_that_gives_its_values():
    check_metric(ExactMatch(), RIGHT, {"exact_match": 1.0}, version=1)
    check_metric(ExactMatch(), replace(RIGHT, item=item()), {"exact_match": None}, version=1)
