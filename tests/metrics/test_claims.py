"""Claims without a model, in both languages, and what lists have in common."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from synth.evaluation.measuring.overlap import in_common
from synth.evaluation.measuring.sacrebleu_scores import CorpusBleu
from tests.metrics.cases import case, item, value

LAMP = "When was the lamp lit, and who kept it?"
GOLDEN = "The lamp was lit in 1811. Its first keeper was Ann Ross."


def measured(answer, golden, question):
    one = case(item(golden, question=question), answer=answer)
    return tuple(value(f"claim_{name}", one) for name in ("precision", "recall", "f1"))


@pytest.mark.parametrize(
    ("answer", "golden", "question", "precision", "recall"),
    [
        ("It was lit in 1811. The keeper was Ann Ross.", GOLDEN, LAMP, 1.0, 1.0),
        ("It was lit in 1811.", GOLDEN, LAMP, 1.0, 0.5),
        ("It was lit in 1811. Whales were seen nearby in winter.", GOLDEN, LAMP, 0.5, 0.5),
        ("In 1811.", "1811", "When was the lamp lit?", 1.0, 1.0),
        ("In 1911.", "1811", "When was the lamp lit?", 0.0, 0.0),
        ("", "1811", "When was the lamp lit?", 0.0, 0.0),
        ("大坝高四十二米。它建成于1965年。", "大坝高42米，建成于1965年。", "大坝有多高，何时建成？", 1.0, 1.0),
        ("大坝高四十二米。湖中盛产银鱼和螃蟹。", "大坝高四十二米。", "大坝有多高？", 0.5, 1.0),
        ("大壩高四十二米。湖中盛產銀魚和螃蟹。", "大坝高四十二米。", "大坝有多高？", 0.5, 1.0),
    ],
)
def test_claims(answer, golden, question, precision, recall):
    found = measured(answer, golden, question)
    assert found[:2] == (precision, recall)
    assert found[2] == pytest.approx(2 * precision * recall / (precision + recall) if precision + recall else 0.0)


lists = st.lists(st.sampled_from("abcde"), max_size=12)


@given(lists, lists)
def test_in_common_is_the_intersection_of_counters(a, b):
    assert in_common(a, b) == sum((Counter(a) & Counter(b)).values())


@pytest.mark.parametrize(
    ("tokenizer", "units", "between"),
    [("13a", "the lamp, lit in 3.5 hours . x-1".split(), " "), ("zh", list("大坝建成于年，高米。"), "")],
)
def test_corpus_bleu_is_sacrebleu(tokenizer, units, between):
    rng = random.Random(0)
    start = "" if between else "坝"
    for _ in range(100):
        answers, golden = (
            [start + between.join(rng.choices(units, k=rng.randrange(5, 14))) for _ in range(4)] for _ in range(2)
        )
        mine = CorpusBleu()
        for pair in zip(answers, golden, strict=True):
            mine.add(pair[0], [pair[1]])
        wanted = BLEU(tokenize=tokenizer).corpus_score(answers, [golden]).score / 100
        found = mine.estimate([0, 1, 2, 3])
        assert found.mean == pytest.approx(wanted, abs=1e-9)
        assert found.low <= found.mean <= found.high


def test_corpus_bleu_without_golden_answers_has_no_value():
    empty = CorpusBleu()
    empty.add("an answer", [])
    assert empty.estimate([0]).mean is None
    empty.add("three small words", ["three small words"])
    assert empty.estimate([0, 1]).mean is None
