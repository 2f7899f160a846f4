"""A conditional question turns on a condition of the text that matters; what ignores it is refused."""

import pytest

from synth.generation.filters.conditioned import Conditioned
from synth.generation.filters.conditions import conditions, negated
from tests.corpus import corpus
from tests.filters.rows import row

TEXTS = {
    "kell": "The Kell lighthouse was built in 1811. If fog comes, the keeper sounds the horn every minute. "
    "The harbour of Dunmore stays open unless the barometer falls below 980. "
    "Visitors may climb the Kell tower only when the flag is raised.",
    "凯尔": "凯尔灯塔建于1811年。如果起雾，守塔人每分钟鸣一次雾笛。除非气压低于980，否则邓莫尔港保持开放。只有升起旗帜时，游客才能登上凯尔灯塔。",
    "凱爾": "凱爾燈塔建於1811年。如果起霧，守塔人每分鐘鳴一次霧笛。除非氣壓低於980，否則鄧莫爾港保持開放。只有升起旗幟時，遊客才能登上凱爾燈塔。",
    "rope": "The ropes of the harbour are made of hemp. They are tarred every autumn in the shed by the quay.",
}
FOG = (
    "If fog comes, the keeper sounds the horn every minute.",
    "如果起雾，守塔人每分钟鸣一次雾笛。",
    "如果起霧，守塔人每分鐘鳴一次霧笛。",
)
OPEN = (
    "The harbour of Dunmore stays open unless the barometer falls below 980.",
    "除非气压低于980，否则邓莫尔港保持开放。",
    "除非氣壓低於980，否則鄧莫爾港保持開放。",
)
CLIMB = (
    "Visitors may climb the Kell tower only when the flag is raised.",
    "只有升起旗帜时，游客才能登上凯尔灯塔。",
    "只有升起旗幟時，遊客才能登上凱爾燈塔。",
)
OF = corpus(**TEXTS)


def conditional(question, answer, quotes, of=OF):
    for quote, language in zip(quotes, ("en", "zh-Hans", "zh-Hant"), strict=True):
        if any(quote in document.text for document in of.graph.documents()) and language == _language(question):
            return row(of, "conditional", question, answer, [quote], language=language)
    raise AssertionError(question)


def _language(question):
    from synth.text.language import detect

    return detect(question)


@pytest.mark.parametrize(
    ("question", "answer", "quotes"),
    [
        ("How often does the keeper sound the horn if fog comes?", "every minute", FOG),
        ("What does the keeper do when fog comes?", "sounds the horn every minute", FOG),
        ("如果起雾，守塔人多久鸣一次雾笛？", "每分钟", FOG),
        ("如果起霧，守塔人多久鳴一次霧笛？", "每分鐘", FOG),
        ("When does the keeper sound the horn every minute?", "if fog comes", FOG),
        ("在什么情况下守塔人每分钟鸣一次雾笛？", "起雾", FOG),
        ("Does the harbour of Dunmore stay open if the barometer falls below 980?", "No", OPEN),
        ("Does the harbour of Dunmore stay open if the barometer does not fall below 980?", "Yes", OPEN),
        ("如果气压低于980，邓莫尔港是否保持开放？", "否", OPEN),
        ("如果氣壓不低於980，鄧莫爾港是否保持開放？", "是", OPEN),
        ("May visitors climb the Kell tower when the flag is raised?", "Yes", CLIMB),
        ("May visitors climb the Kell tower when the flag is not raised?", "No", CLIMB),
        ("没有升起旗帜时，游客能登上凯尔灯塔吗？", "不能", CLIMB),
        ("升起旗幟時，遊客能登上凱爾燈塔嗎？", "能", CLIMB),
        ("When may visitors climb the Kell tower?", "when the flag is raised", CLIMB),
        ("游客什么时候才能登上凯尔灯塔？", "升起旗帜时", CLIMB),
    ],
)
def test_a_question_that_turns_on_a_condition_passes(question, answer, quotes):
    verdict = Conditioned().decide(conditional(question, answer, quotes), OF)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("question", "answer", "quotes", "reason"),
    [
        ("How often does the keeper sound the horn in Kell?", "every minute", FOG, "neither sets nor asks"),
        ("守塔人多久鸣一次雾笛？", "每分钟", FOG, "neither sets nor asks"),
        ("守塔人多久鳴一次霧笛？", "每分鐘", FOG, "neither sets nor asks"),
        ("How often does the keeper sound the horn unless fog comes?", "every minute", FOG, "round"),
        ("How often does the keeper sound the horn if no fog comes?", "every minute", FOG, "round"),
        ("除非起雾，守塔人多久鸣一次雾笛？", "每分钟", FOG, "round"),
        ("Does the keeper sound the horn if no fog comes?", "No", FOG, "does not say what holds"),
        ("Does the harbour of Dunmore stay open if the barometer falls below 980?", "Yes", OPEN, "other answer"),
        ("如果氣壓低於980，鄧莫爾港是否保持開放？", "是", OPEN, "other answer"),
        ("May visitors climb the Kell tower when the flag is not raised?", "Yes", CLIMB, "other answer"),
        ("升起旗帜时，游客能登上凯尔灯塔吗？", "不能", CLIMB, "other answer"),
        ("When does the harbour of Dunmore stay open?", "when the barometer falls below 980", OPEN, "round"),
    ],
)
def test_a_condition_that_is_not_set_or_the_wrong_way_round(question, answer, quotes, reason):
    verdict = Conditioned().decide(conditional(question, answer, quotes), OF)
    assert not verdict.kept
    assert reason in verdict.reason


@pytest.mark.parametrize(
    ("question", "answer", "quotes"),
    [
        ("If fog comes, in which year was the Kell lighthouse built?", "1811",
         ["The Kell lighthouse was built in 1811.", FOG[0]]),
        ("如果起雾，凯尔灯塔建于哪一年？", "1811年", ["凯尔灯塔建于1811年。", FOG[1]]),
        ("如果起霧，凱爾燈塔建於哪一年？", "1811年", ["凱爾燈塔建於1811年。", FOG[2]]),
    ],
)  # fmt: skip
def test_an_answer_that_ignores_the_condition(question, answer, quotes):
    verdict = Conditioned().decide(row(OF, "conditional", question, answer, quotes, language=_language(question)), OF)
    assert not verdict.kept
    assert "does not depend on the condition" in verdict.reason


@pytest.mark.parametrize(
    ("question", "answer", "quotes", "tale"),
    [
        (
            "How often does the keeper sound the horn if fog comes?",
            "every minute",
            FOG,
            "At Kell the keeper sounds the horn every minute, day and night.",
        ),
        ("如果起雾，守塔人多久鸣一次雾笛？", "每分钟", FOG, "守塔人每分钟都鸣一次雾笛。"),
        ("如果起霧，守塔人多久鳴一次霧笛？", "每分鐘", FOG, "守塔人每分鐘都鳴一次霧笛。"),
        (
            "Does the harbour of Dunmore stay open if the barometer falls below 980?",
            "No",
            OPEN,
            "The harbour of Dunmore stays open.",
        ),
        (
            "When does the keeper sound the horn every minute?",
            "if fog comes",
            FOG,
            "The keeper sounds the horn every minute.",
        ),
    ],
)
def test_a_condition_without_which_the_corpus_says_the_same(question, answer, quotes, tale):
    of = corpus(**TEXTS, tale=tale)
    verdict = Conditioned().decide(conditional(question, answer, quotes, of), of)
    assert not verdict.kept
    assert "without the condition" in verdict.reason


def test_evidence_without_a_condition():
    plain = row(
        OF,
        "conditional",
        "If fog comes, when was the Kell lighthouse built?",
        "1811",
        ["The Kell lighthouse was built in 1811."],
    )
    assert "states no condition" in Conditioned().decide(plain, OF).reason


def test_a_condition_that_a_list_hangs_on():
    text = "If fog comes:\n\n* the keeper sounds the horn every minute;\n* all boats stay in the harbour.\n"
    of = corpus(kell=text)
    good = row(of, "conditional", "How often is the horn sounded if fog comes?", "every minute",
               ["If fog comes:", "the keeper sounds the horn every minute;"])  # fmt: skip
    verdict = Conditioned().decide(good, of)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("sentence", "language", "clause", "negative", "exclusive"),
    [
        ("If fog comes, the horn sounds.", "en", "fog comes", False, False),
        ("The horn sounds if no fog comes.", "en", "no fog comes", True, False),
        ("Unless fog comes, the horn is silent.", "en", "fog comes", True, True),
        ("The horn sounds only in fog.", "en", "fog", False, True),
        ("Only keepers may enter the tower.", "en", "keepers", False, True),
        ("Without oil, the lamp goes dark.", "en", "oil", True, True),
        ("The door is kept shut, otherwise the lamp goes out.", "en", "The door is kept shut", True, True),
        ("The tower is open as long as the flag is up.", "en", "the flag is up", False, True),
        ("只要有油，灯就亮着。", "zh-Hans", "有油", False, False),
        ("除非起霧，霧笛不響。", "zh-Hant", "起雾", True, True),
        ("起雾时，守塔人鸣笛。", "zh-Hans", "起雾", False, False),
        ("在起霧的情況下，守塔人鳴笛。", "zh-Hant", "起雾", False, False),
        ("必须关门，否则灯会熄灭。", "zh-Hans", "必须关门", True, True),
        ("如果不加油，灯会熄灭。", "zh-Hans", "不加油", True, False),
    ],
)
def test_conditions_are_read(sentence, language, clause, negative, exclusive):
    (found, *_) = conditions(sentence, language)
    assert (found.clause, found.negative, found.exclusive) == (clause, negative, exclusive)


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("When was the Kell lighthouse built?", "en"),
        ("The lamp burns oil.", "en"),
        ("灯里烧的是油。", "zh-Hans"),
        ("同時也有許多船隻。", "zh-Hant"),
        ("若干年后灯塔熄灭。", "zh-Hans"),
        ("这相当于三海里。", "zh-Hans"),
    ],
)
def test_what_is_no_condition(sentence, language):
    assert conditions(sentence, language) == []


def test_negation_is_counted():
    assert negated("no fog", "en")
    assert not negated("not without hope, not at all", "en")
    assert negated("不开放", "zh-Hans")
    assert not negated("能不能开放", "zh-Hans")
    assert not negated("無論如何，是否開放", "zh-Hant")


def test_an_hour_is_no_end_of_a_condition():
    (found,) = conditions("如果一小时降雨量超过50毫米，澄湖会报告红色告警。", "zh-Hans")
    assert found.clause == "一小时降雨量超过50毫米"
