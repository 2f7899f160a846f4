"""A cross-encoder in the place of a judge: batches, labels, folders. The model is a tiny one, made here."""

import pytest

from synth.core.records import Passage
from synth.evaluation.metrics.support import _support_class
from synth.workflows.judges import Judging, choose
from tests.metrics.cases import case, item

WORDS = "the mill tower is red blue old 塔 磨坊 红 蓝 . 。".split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A cross-encoder of a few thousand weights, with the labels of an NLI model."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    torch.manual_seed(0)
    path = tmp_path_factory.mktemp("classifier")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (path / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    labels = {0: "contradiction", 1: "entailment", 2: "neutral"}
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=64, id2label=labels, label2id={name: i for i, name in labels.items()},
    )  # fmt: skip
    BertForSequenceClassification(config).save_pretrained(path)
    BertTokenizerFast(vocab_file=str(path / "vocab.txt")).save_pretrained(path)
    return path


def test_each_sentence_against_its_best_context_whatever_the_batch(folder):
    (metric,) = choose(("faithfulness",), (), Judging(classifier=str(folder))).plain
    assert metric.name == "faithfulness~classifier"
    contexts = (Passage(text="the mill is red ."), Passage(text="the tower is old ."))
    cases = [
        case(item("x"), "The mill is red. The tower is old.", contexts=contexts),
        case(item("x"), "塔红。", contexts=contexts),
        case(item("x"), "The mill is red.", contexts=()),
        case(item("x"), "", contexts=contexts),
        case(item("x"), "The mill is red.", contexts=(Passage(id="c"),)),
    ]
    together = [scores[0] for scores in metric.scores(cases)]
    alone = [metric.scores([one])[0][0] for one in cases]
    assert [one.value for one in together] == pytest.approx([one.value for one in alone], abs=1e-5)
    assert 0 < together[0].value < 1
    assert together[0].value != together[1].value
    assert together[2].value == 0.0
    assert [one.reason for one in together[3:]] == ["the answer is empty", "the contexts have no texts"]


def test_a_model_that_is_not_there_says_how_to_get_one():
    (metric,) = choose(("faithfulness",), (), Judging(classifier="/nowhere/at/all")).plain
    score = metric.scores([case(item("x"), "The mill is red.", contexts=(Passage(text="red"),))])[0][0]
    assert score.value is None
    assert "/nowhere/at/all cannot be loaded" in score.reason


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        ({0: "entailment", 1: "not_entailment"}, 0),
        ({0: "CONTRADICTION", 1: "NEUTRAL", 2: "ENTAILMENT"}, 2),
        ({0: "hallucinated", 1: "consistent"}, 1),
        ({0: "LABEL_0", 1: "LABEL_1"}, 1),
    ],
)
def test_the_class_that_stands_for_support_is_found_by_its_name(labels, wanted):
    from types import SimpleNamespace as Held

    assert _support_class(Held(model=Held(config=Held(id2label=labels)))) == wanted
