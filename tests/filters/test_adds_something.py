"""A child that differs from its parents passes; one that repeats or pads one of them does not."""

from dataclasses import replace

import pytest

from synth.generation.filters.adds_something import AddsSomething
from tests.corpus import corpus
from tests.filters.rows import read, row, then

KELL = "The Kell lighthouse was built by Robert Stevenson in 1811."
BORN = "Robert Stevenson was born in Glasgow in 1772."
凯尔 = "凯尔灯塔由罗伯特·史蒂文森于1811年建造。"
出生 = "罗伯特·史蒂文森1772年出生于格拉斯哥。"
凱爾 = "凱爾燈塔由羅伯特·史蒂文生於1811年建造。"
OF = corpus(kell=KELL, born=BORN, 凯尔=凯尔, 出生=出生, 凱爾=凱爾)


def simple(question, answer, quote):
    return row(OF, "simple", question, answer, [quote])


def evolved(child, *parents):
    made = {
        "operator": "any",
        "parents": [
            {"question": p.question, "golden_answers": list(p.golden_answers),
             "evidence": [[e.doc_id, e.start, e.end] for e in p.evidence]}
            for p in parents
        ],
    }  # fmt: skip
    return replace(child, evolutions=("any",), lineage=(made,))


BORN_WHEN = simple("When was Robert Stevenson born?", "1772", BORN)
BUILT_WHEN = simple("When was the Kell lighthouse built?", "1811", KELL)
BRIDGE = row(
    OF, "multi_context", "When was the engineer who built the Kell lighthouse born?", "1772", [KELL, BORN],
    [read("Robert Stevenson", 0, says="the engineer who built the Kell lighthouse"), read("1772", 1, of=(0,))],
)  # fmt: skip
YEARS = row(
    OF, "reasoning", "How old was Robert Stevenson when the Kell lighthouse was built?", "39 years", [BORN, KELL],
    [read("1772"), read("1811", 1), then("years_between", "39 years", 0, 1)],
)  # fmt: skip


@pytest.mark.parametrize(
    "child",
    [
        evolved(BRIDGE, BORN_WHEN),
        evolved(YEARS, BORN_WHEN, BUILT_WHEN),
        evolved(simple("Where was Robert Stevenson born?", "Glasgow", BORN), BORN_WHEN),
        evolved(simple("凯尔灯塔由谁建造？", "罗伯特·史蒂文森", 凯尔), simple("凯尔灯塔建于哪一年？", "1811年", 凯尔)),
        BORN_WHEN,
    ],
)
def test_a_child_of_its_own_passes(child):
    verdict = AddsSomething().decide(child, OF)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("child", "parent", "reason"),
    [
        (BORN_WHEN, BORN_WHEN, "repeats"),
        (replace(BORN_WHEN, question="When was Robert Stevenson born ?"), BORN_WHEN, "repeats"),
        (
            simple("凱爾燈塔由誰建造？", "羅伯特·史蒂文生", 凱爾),
            simple("凯尔灯塔由谁建造？", "罗伯特·史蒂文森", 凯尔),
            "repeats",
        ),
        (replace(BORN_WHEN, question="Where was the builder of Kell born?"), BORN_WHEN, "those of the parent"),
        (
            replace(BORN_WHEN, question="In which year did Stevenson go to sea?", golden_answers=("in 1772",)),
            BORN_WHEN,
            "those of the parent",
        ),
        (
            simple("谁在1811年点亮凯尔灯塔？", "1811年", 凯尔),
            simple("凯尔灯塔建于哪一年？", "1811年", 凯尔),
            "those of the parent",
        ),
        (
            simple("誰在1811年點亮凱爾燈塔？", "1811年", 凱爾),
            simple("凱爾燈塔建於哪一年？", "1811年", 凱爾),
            "those of the parent",
        ),
        (replace(BRIDGE, steps=(read("1772", 1),)), BORN_WHEN, "used by no step"),
        (
            replace(BRIDGE, question="When exactly was Robert Stevenson, a famous Scotsman, born?"),
            BORN_WHEN,
            "used by no step",
        ),
        (replace(BRIDGE, question="When was this Robert Stevenson born, and where not?"), BORN_WHEN, "no content word"),
    ],
)
def test_a_child_that_adds_nothing_is_refused(child, parent, reason):
    verdict = AddsSomething().decide(evolved(child, BUILT_WHEN, parent), OF)
    assert not verdict.kept
    assert reason in verdict.reason


def test_every_ancestor_is_looked_at():
    grown = replace(
        evolved(BORN_WHEN, BUILT_WHEN),
        lineage=(*evolved(BRIDGE, BORN_WHEN).lineage, *evolved(BRIDGE, BUILT_WHEN).lineage),
    )
    assert "repeats" in AddsSomething().decide(grown, OF).reason
