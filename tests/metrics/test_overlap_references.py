"""ROUGE, BLEU and chrF against the packages that define them, on 2,000 pairs in English and in Chinese."""

import random

import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF

from synth.evaluation.measuring.rouge import rouge_tokens
from synth.evaluation.measuring.sacrebleu_scores import bleu
from tests.metrics.cases import of_answer

WORDS = "The the dam was opened in 1936, by President Roosevelt; it's 221.4 m high (726 ft). Water & power -- 'free' U.S. cost $49 25% well-known naïve?".split()
CHARS = "水库于二〇二一年建成，总容3亿立方米。臺灣灣「北京」的是在了A1%，、"
N = 2000
AS_WRITTEN = ()


def english(rng):
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(1, 30)))


def chinese(rng):
    return "".join(rng.choice(CHARS) for _ in range(rng.randrange(1, 40))) + "水"


def changed(rng, text, units):
    """A text with some of its units left out, doubled or exchanged."""
    return units.join(
        part for part in (text.split(units) if units else text) for _ in range(rng.choice([0, 1, 1, 1, 2]))
    )


def pairs(seed, make, units):
    rng = random.Random(seed)
    for i in range(N):
        golden = make(rng)
        yield (changed(rng, golden, units) if i % 3 else make(rng)), golden


class AsOurs:
    def tokenize(self, text):
        return list(rouge_tokens(text))


@pytest.mark.parametrize(("make", "units", "tokenizer"), [(english, " ", None), (chinese, "", AsOurs())])
def test_rouge_is_rouge_score(make, units, tokenizer):
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], tokenizer=tokenizer)
    for answer, golden in pairs(1, make, units):
        wanted = scorer.score(golden, answer)
        for name in ("rouge1", "rouge2", "rougeL"):
            mine = of_answer(f"rouge_{name[-1].lower()}", answer, golden, AS_WRITTEN)
            assert mine == pytest.approx(wanted[name].fmeasure, abs=1e-9), (answer, golden)


def test_chinese_rouge_is_by_characters():
    assert rouge_tokens("水库ABC建成3.5米") == ("水", "库", "abc", "建", "成", "3", "5", "米")


@pytest.mark.parametrize(("make", "units", "tokenizer"), [(english, " ", "13a"), (chinese, "", "zh")])
def test_bleu_is_sacrebleu(make, units, tokenizer):
    scorer = BLEU(effective_order=True, tokenize=tokenizer)
    more = [golden for _, golden in pairs(2, make, units)]
    for (answer, golden), other in zip(pairs(1, make, units), more, strict=True):
        for known in ([golden], [golden, other]):
            assert bleu(answer, known) == pytest.approx(scorer.sentence_score(answer, known).score / 100, abs=1e-9)


@pytest.mark.parametrize(("make", "units"), [(english, " "), (chinese, "")])
def test_chrf_is_sacrebleu(make, units):
    scorer = CHRF()
    for answer, golden in pairs(1, make, units):
        wanted = scorer.sentence_score(answer, [golden]).score / 100
        assert of_answer("chrf", answer, golden, AS_WRITTEN) == pytest.approx(wanted, abs=1e-9)
