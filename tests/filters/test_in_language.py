"""A question in another language or script than its documents is refused; what is not plain passes."""

import pytest

from synth.core.records import Sample
from synth.generation.filters.in_language import InLanguage
from tests.corpus import corpus

OF = corpus(a="Nothing of it is looked at.")


def kept(question, language):
    sample = Sample(
        question=question, golden_answers=("x",), evidence=(), question_type="simple", language=language
    )  # fmt: skip
    return InLanguage().decide(sample, OF).kept


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who built the Kell lighthouse?", "en"),
        ("What does the sign 入口 mean?", "en"),
        ("Where is the Café Zürich?", "en"),
        ("42?", "en"),
        ("凯尔灯塔建于哪一年？", "zh-Hans"),
        ("怎样使用 Kubernetes 的 ConfigMap？", "zh-Hans"),
        ("“麵”字在文中怎样写？", "zh-Hans"),
        ("凱爾燈塔建於哪一年？", "zh-Hant"),
        ("山上有人？", "zh-Hant"),
        ("Wer baute den Leuchtturm?", "de"),
        ("誰が灯台を建てましたか。", "other"),
    ],
)
def test_these_pass(question, language):
    assert kept(question, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("凯尔灯塔建于哪一年？", "en"),
        ("Кто построил маяк?", "en"),
        ("Who built the Kell lighthouse?", "zh-Hans"),
        ("Who built the Kell lighthouse?", "zh-Hant"),
        ("凱爾燈塔建於哪一年？", "zh-Hans"),
        ("凯尔灯塔的灯光有多远？", "zh-Hant"),
    ],
)
def test_these_are_refused(question, language):
    assert not kept(question, language)
