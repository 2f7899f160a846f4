"""Few labels and many judged rows: the figures of ppi_py 0.2.3, cases worked by hand, and what is said of few labels."""

import math
import random

import pytest

from synth.core.errors import InputError, RecordError
from synth.evaluation.prediction_powered import ENOUGH, interval, power, powered, powered_mean, read_labels

NAN = math.nan


def series(n, a, b):
    return [((i * a + b) % 97) / 96 for i in range(n)]


REFERENCE = [
    (20, 100, 31, 5, 0.4, 0.6035811006599332, 0.40363539074763377, 0.8035268105722326),
    (60, 40, 17, 3, 0.7, 0.36417489360244837, 0.24481830119497588, 0.48353148600992085),
    (120, 900, 41, 11, 0.9, 0.3247033799077998, 0.24222246761399913, 0.40718429220160046),
    (30, 300, 13, 2, 0.5, 0.4666666666666667, 0.2881452937543473, 0.6451880395789861),
]


@pytest.mark.parametrize(("n", "more", "a", "b", "at", "mean", "low", "high"), REFERENCE)
def test_the_figures_are_those_of_the_reference_implementation(n, more, a, b, at, mean, low, high):
    """Its ppi_mean_pointestimate and ppi_mean_ci, with the weight it tunes, on the same numbers."""
    judged, elsewhere = series(n, a, b), series(more, a + 2, b + 7)
    people = [float(x >= at) if i % 4 else float(x < at) for i, x in enumerate(judged)]
    if n == 30:
        people = [1 - one for one in people]
    found, error, _ = powered_mean(people, judged, elsewhere)
    assert found == pytest.approx(mean, abs=1e-9)
    assert interval(found, error) == pytest.approx((low, high), abs=1e-9)


def test_worked_by_hand():
    people, judged, elsewhere = [1, 0, 1, 1, 0], [0.9, 0.2, 0.6, 0.8, 0.4], [0.5, 0.7, 0.1, 0.9]
    # Covariance 0.112; variance of the nine scores 0.085; 5 labels of 4 others: 0.112 / (2.25 * 0.085).
    weight = 0.112 / (2.25 * 0.085)
    found, error, given = powered_mean(people, judged, elsewhere)
    assert given == pytest.approx(weight, abs=1e-12)
    assert found == pytest.approx(weight * 0.55 + 0.6 - weight * 0.58, abs=1e-12)
    of_rest = weight**2 * 0.0875 / 4
    of_gap = (0.24 - 2 * weight * 0.112 + weight**2 * 0.0656) / 5
    assert error == pytest.approx(math.sqrt(of_rest + of_gap), abs=1e-12)


def test_a_judge_that_is_always_right_is_trusted_and_a_useless_one_is_not():
    rng = random.Random(0)
    people = [float(rng.random() < 0.7) for _ in range(400)]
    few = [one if i < 60 else NAN for i, one in enumerate(people)]
    perfect, useless = power(few, people), power(few, [0.5] * 400)
    assert perfect.weight > 0.8
    assert perfect.high - perfect.low < 0.7 * (perfect.labels_only[2] - perfect.labels_only[1])
    assert perfect.low < sum(people) / 400 < perfect.high
    assert useless.weight == 0
    assert useless.mean == pytest.approx(sum(people[:60]) / 60)
    assert "do not predict people's labels" in useless.note
    assert (perfect.labels, perfect.judged, perfect.note) == (60, 340, "")


def test_too_few_labels_are_said_to_be():
    judged = [0.5 + (i % 3) / 10 for i in range(100)]
    none = power([1.0] * 4 + [NAN] * 96, judged)
    assert (none.mean, none.low, none.labels) == (None, None, 4)
    assert "only 4 labels, at least 5 are needed" in none.note
    some = power([float(i % 2) for i in range(20)] + [NAN] * 80, judged)
    assert f"labels, at least {ENOUGH} are needed" in some.note
    assert some.low < some.mean < some.high
    every = power([float(i % 2) for i in range(60)], judged[:60])
    assert every.mean == 0.5
    assert "people labelled every judged row" in every.note


def test_labels_that_are_all_alike_still_leave_doubt():
    found = power([1.0] * 50 + [NAN] * 50, [1.0] * 100)
    assert (found.mean, found.high) == (1.0, 1.0)
    assert 0.85 < found.low < 0.97


def test_rows_the_judge_could_not_judge_are_told():
    found = power([1.0, 0.0] * 30 + [NAN] * 40, [NAN] * 2 + [0.5, 0.4] * 49)
    assert (found.labels, found.judged) == (58, 40)
    assert "2 labelled rows without a value of the judge" in found.note


def test_labels_are_read_and_must_fit(tmp_path):
    path = tmp_path / "labels.jsonl"
    path.write_text(
        '{"id": "q-1", "faithfulness": true, "by": "a reader"}\n{"id": "q-2", "faithfulness": 0.5}\n', "utf-8"
    )
    labels = read_labels(path)
    assert labels == {"q-1": {"faithfulness": 1.0}, "q-2": {"faithfulness": 0.5}}
    assert powered({"faithfulness": [1.0, 0.5]}, ["q-1", "q-2"], labels)["faithfulness"].labels == 2
    with pytest.raises(InputError, match="metrics that this run does not measure"):
        powered({"other": [1.0]}, ["q-1"], labels)
    with pytest.raises(InputError, match="no label belongs to a row of the testset"):
        powered({"faithfulness": [1.0]}, ["q-9"], labels)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "labels.jsonl:1: not JSON"),
        ("[" * 100_000, "labels.jsonl:1: not JSON"),
        ('{"faithfulness": 1}', "field 'id' must be a text"),
        ('{"id": "q", "faithfulness": 2}', "field 'faithfulness' must be true, false or a number from 0 to 1, was 2"),
        ('{"id": "q", "a": 1}\n{"id": "q", "a": 1}', "labels.jsonl:2: the row 'q' already has labels"),
    ],
)
def test_labels_that_are_none_are_named(tmp_path, text, says):
    path = tmp_path / "labels.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(RecordError, match=says):
        read_labels(path)
    path.write_text('{"id": "q"}', "utf-8")
    with pytest.raises(InputError, match="contains no label"):
        read_labels(path)
