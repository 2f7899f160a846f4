"""The gates that ask a judge: one that is honest, and ones that fail, talk nonsense or agree with everything."""

import json
import re
from dataclasses import replace

import pytest

from synth.difficulty import Gauge
from synth.filters.agreement import agreed, agreement
from synth.filters.closed_book import ClosedBook
from synth.filters.condition_matters import ConditionMatters
from synth.filters.leave_one_out import LeaveOneOut
from synth.filters.not_found import NotFound
from synth.filters.round_trip import RoundTrip
from synth.llm.base import Fault
from synth.llm.driver import Driver, Job
from synth.llm.retries import Retries
from synth.llm.scripted import ScriptedModel
from synth.pipeline import gated
from tests.corpus import corpus
from tests.filters.rows import read, row, then, unanswerable

KELL = "The Kell lighthouse was built by Robert Stevenson."
BORN = "Robert Stevenson was born in Glasgow in 1772."
FOG = "If fog comes, the keeper sounds the horn every minute."
雾 = "如果起雾，守塔人每分钟鸣一次雾笛。"
霧 = "如果起霧，守塔人每分鐘鳴一次霧笛。"
ANN, BEN = "凯尔灯塔由罗伯特·史蒂文森建造。", "罗伯特·史蒂文森1772年出生于格拉斯哥。"
OF = corpus(
    kell=KELL,
    born=BORN,
    fog=FOG,
    雾=雾,
    霧=霧,
    凯尔=ANN,
    出生=BEN,
    lit="The Kell lighthouse was lit in 1811. It went dark in 1860.",
)

BRIDGE = row(OF, "multi_context", "When was the engineer who built the Kell lighthouse born?", "1772", [KELL, BORN],
             [read("Robert Stevenson", 0), read("1772", 1, of=(0,))])  # fmt: skip
桥 = row(OF, "multi_context", "建造凯尔灯塔的人是哪一年出生的？", "1772年", [ANN, BEN],
        [read("罗伯特·史蒂文森", 0), read("1772年", 1, of=(0,))], "zh-Hans")  # fmt: skip
SETS = row(OF, "conditional", "How often does the keeper sound the horn if fog comes?", "every minute", [FOG])
ASKS = row(OF, "conditional", "When does the keeper sound the horn every minute?", "if fog comes", [FOG])
如果 = row(OF, "conditional", "如果起雾，守塔人多久鸣一次雾笛？", "每分钟", [雾], language="zh-Hans")
時 = row(OF, "conditional", "如果起霧，守塔人多久鳴一次霧笛？", "每分鐘", [霧], language="zh-Hant")
YEARS = row(OF, "reasoning", "How many years after it was lit did the Kell lighthouse go dark?", "49 years",
            ["The Kell lighthouse was lit in 1811.", "It went dark in 1860."],
            [read("1811"), read("1860", 1), then("years_between", "49 years", 0, 1)])  # fmt: skip
NOBODY = unanswerable("How high is the Kell lighthouse?")
GATES = [RoundTrip(), LeaveOneOut(), ConditionMatters(), NotFound()]
ROWS = [BRIDGE, 桥, SETS, ASKS, 如果, 時, YEARS, NOBODY]


def judged(gate, sample, script, of=OF):
    """The verdict of a gate whose judge follows a script, and what the judge was asked."""
    model = ScriptedModel(script)
    driver = Driver({"judge": model}, retries=Retries.with_limits(server=0))
    (outcome,) = driver.run([Job(key="one", steps=gate.run(sample, of))])
    return outcome.value, [request.messages[-1].content for request in model.calls]


def said(request, found, answer="", values=()):
    """A reply, with the (what, value) pairs that the judge reads where it is asked for them."""
    told = {"found": found, "answer": answer}
    if '"values"' in request.messages[0].content:
        told["values"] = [{"of": of, "value": value} for of, value in values]
    return json.dumps(told, ensure_ascii=False)


def honest(request):
    """A judge that finds what the text before it says, and minds the condition."""
    asked = request.messages[-1].content
    question = re.split("Question: |问题：|問題：", asked)[-1]
    told = asked[: len(asked) - len(question)]
    for condition, answer, text, reversed_by in (
        ("Stevenson was born", "in 1772", "built by Robert", None),
        ("1772年出生", "1772", "由罗伯特", None),
        ("If fog comes", "every minute" if "How often" in question else "if fog comes", "", "not true"),
        ("如果起雾", "每分钟", "", "情况不是"),
        ("如果起霧", "每分鐘", "", "情況不是"),
        ("1811", "49", "1860" if "How many years" in question else "no such text", None),
    ):
        if condition in told and text in told and not (reversed_by and reversed_by in question):
            return said(request, True, answer)
    return said(request, False)


@pytest.mark.parametrize("sample", ROWS, ids=lambda s: s.question)
def test_an_honest_judge_keeps_them(sample):
    for gate in GATES:
        verdict, _ = judged(gate, sample, honest)
        assert verdict.kept, f"{gate.name}: {verdict.reason}"


@pytest.mark.parametrize(
    "script", [lambda _: Fault("server", "down"), lambda _: "All of this is true, I think."], ids=["fails", "nonsense"]
)
@pytest.mark.parametrize("sample", ROWS, ids=lambda s: s.question)
def test_a_judge_that_cannot_judge_admits_nothing(sample, script):
    assert not all(judged(gate, sample, script)[0].kept for gate in GATES)
    special = {"multi_context": LeaveOneOut(), "conditional": ConditionMatters(), "unanswerable": NotFound()}
    gate = special.get(sample.question_type, RoundTrip())
    assert "could not be judged" in judged(gate, sample, script)[0].reason


@pytest.mark.parametrize("sample", [BRIDGE, 桥, SETS, ASKS, 如果, 時, NOBODY], ids=lambda s: s.question)
def test_a_judge_that_always_gives_the_golden_answer_admits_nothing(sample):
    golden = (*sample.golden_answers, "35 metres")[0]
    assert not all(judged(gate, sample, lambda request: said(request, True, golden))[0].kept for gate in GATES)


@pytest.mark.parametrize("sample", [BRIDGE, SETS, YEARS], ids=lambda s: s.question_type)
def test_a_judge_that_always_finds_something_or_nothing_admits_nothing(sample):
    for reply in ((True, "a banana"), (False,)):
        assert not all(
            judged(gate, sample, lambda request, reply=reply: said(request, *reply))[0].kept for gate in GATES
        )


def test_each_passage_is_left_out_once():
    verdict, asked = judged(LeaveOneOut(), BRIDGE, honest)
    assert verdict.kept
    assert [(KELL in text, BORN in text) for text in asked] == [(False, True), (True, False)]


def test_a_judge_that_answers_without_a_passage_refuses_the_question():
    verdict, _ = judged(
        LeaveOneOut(), BRIDGE, lambda request: said(request, "Glasgow" in request.messages[-1].content, "1772")
    )
    assert not verdict.kept
    assert "without the passage of 'kell'" in verdict.reason


def test_what_the_first_judge_keeps_is_judged_by_the_others_at_once():
    def ends(answer):
        model = ScriptedModel(lambda request: said(request, True, answer))
        steps = gated(BRIDGE, OF, [RoundTrip(), LeaveOneOut(), ClosedBook()], Gauge(OF))
        (outcome,) = Driver({"judge": model}).run([Job(key="one", steps=steps)])
        return outcome.value.filter, [request.purpose.removeprefix("filters/") for request in model.calls]

    assert ends("1811") == ("round_trip", ["round_trip"])
    assert ends("1772") == ("leave_one_out", ["round_trip", "leave_one_out", "leave_one_out", "closed_book"])


HIGHER = {
    "en": ("Which is higher, the tower of the Kell mill or the tower of the Maro mill?", "the tower of the Kell mill",
           "the tower of the Maro mill", "The tower of the Kell mill is 30 metres high.",
           "The tower of the Maro mill is 20 metres high."),
    "zh-Hans": ("凯尔灯塔和马罗灯塔，哪一座更高？", "凯尔灯塔", "马罗灯塔", "凯尔灯塔高30米。", "马罗灯塔高20米。"),
    "zh-Hant": ("凱爾燈塔和馬羅燈塔，哪一座更高？", "凱爾燈塔", "馬羅燈塔", "凱爾燈塔高30公尺。", "馬羅燈塔高20公尺。"),
}  # fmt: skip


def higher(language):
    """A question for the higher of two things, each in a passage of its own, and these passages."""
    question, right, wrong, first, second = HIGHER[language]
    of = corpus(first=first, second=second)
    steps = [read("30", 0, says=right), read("20", 1, says=wrong), then("greatest", right, 0, 1)]
    return row(of, "multi_context", question, right, [first, second], steps, language), of, right, wrong


@pytest.mark.parametrize("language", HIGHER)
def test_the_other_one_of_two_is_no_agreement(language):
    sample, _, right, wrong = higher(language)
    assert agreed(right, sample) == 1.0
    assert agreed(wrong, sample) == 0.0
    assert agreed("a banana", sample) == 0.0


@pytest.mark.parametrize("language", HIGHER)
def test_what_follows_from_the_values_that_a_judge_reads_is_not_left_to_it(language):
    sample, of, right, wrong = higher(language)

    def verdict(answer, *values):
        return judged(RoundTrip(), sample, lambda request: said(request, True, answer, values), of)[0]

    assert verdict(wrong, (right, "30"), (wrong, "20")).kept
    assert "reads '30', '20'" in verdict(wrong, (right, "30"), (wrong, "20")).reason
    assert verdict(right).kept
    for values in (
        [],
        [(right, "30")],
        [(right, "20"), (wrong, "30")],
        [(right, "30"), (wrong, "25")],
        [(right, "30"), (wrong, "20"), (wrong, "10")],
    ):
        assert not verdict(wrong, *values).kept


def test_a_judge_that_reads_the_dates_need_not_reckon_well():
    def verdict(found, *values):
        return judged(RoundTrip(), YEARS, lambda request: said(request, found, "39 years", values))[0]

    assert verdict(True, ("lit", "1811"), ("dark", "1860")).kept
    assert not verdict(False, ("lit", "1811"), ("dark", "1860")).kept
    assert not verdict(True, ("lit", "1811"), ("dark", "1850")).kept


def test_an_answer_to_which_the_steps_do_not_lead_is_not_confirmed_by_their_values():
    wrong = replace(YEARS, golden_answers=("56 years",))
    values = (("lit", "1811"), ("dark", "1860"))
    assert not judged(RoundTrip(), wrong, lambda request: said(request, True, "49 years", values))[0].kept


@pytest.mark.parametrize("language", HIGHER)
def test_the_right_one_of_two_without_the_values_of_both_is_a_guess(language):
    sample, of, right, wrong = higher(language)

    def kept(*values):
        return judged(LeaveOneOut(), sample, lambda request: said(request, True, right, values), of)[0].kept

    assert kept((right, "30"))
    assert kept((right, "30"), (wrong, "25"))
    assert not kept((right, "30"), (wrong, "20"))
    assert not kept((right, f"> {wrong}"))
    assert not kept()


def test_a_difference_that_one_passage_gives_outright_is_no_guess():
    first, second = (
        "The Kell mill is 30 metres high, 10 metres more than the Maro mill.",
        "The Maro mill is 20 metres high.",
    )
    of = corpus(first=first, second=second)
    steps = [read("30 metres", 0), read("20 metres", 1), then("difference", "10 metres", 0, 1)]
    question = "By how many metres is the Kell mill higher than the Maro mill?"
    sample = row(of, "multi_context", question, "10 metres", [first, second], steps)

    def kept(*values):
        return judged(LeaveOneOut(), sample, lambda request: said(request, True, "10 metres", values), of)[0].kept

    assert kept(("the Kell mill", "30 metres"), ("the Maro mill", "40 metres"))
    assert not kept(("how much higher the Kell mill is", "10 metres"))


def test_the_judge_is_shown_the_condition_turned_round():
    verdict, asked = judged(ConditionMatters(), SETS, honest)
    assert "if it is not true that fog comes" in asked[0]
    assert verdict.kept
    verdict, asked = judged(ConditionMatters(), ASKS, honest)
    assert "fog" not in asked[0].partition("uestion:")[0]
    assert verdict.kept


def test_the_judge_sees_every_piece_of_evidence_in_a_round_trip():
    _, asked = judged(RoundTrip(), BRIDGE, honest)
    assert KELL in asked[0]
    assert BORN in asked[0]


@pytest.mark.parametrize(
    ("answer", "golden", "language", "agree"),
    [
        ("49", "49 years", "en", True),
        ("forty-nine years", "49 years", "en", True),
        ("50 years", "49 years", "en", False),
        ("四十九年", "49年", "zh-Hans", True),
        ("No, it stays shut.", "No", "en", True),
        ("不是", "是", "zh-Hant", False),
        ("5 May 1811", "May 5, 1811", "en", True),
        ("the south gate", "the north gate", "en", False),
        ("the gate in the north", "the north gate", "en", True),
        ("Kell Lighthouse", "the Kell Lighthouse", "en", True),
        ("雲水大壩", "霧溪大壩", "zh-Hant", False),
        ("云水大坝", "雾溪大坝", "zh-Hans", False),
        ("雾溪的大坝", "雾溪大坝", "zh-Hans", True),
        ("The mill does not report error CH-203.", "error CH-203", "en", False),
        ("澄湖不会报告错误CH-203。", "错误CH-203", "zh-Hans", False),
        ("澄湖不會報告錯誤CH-203。", "錯誤CH-203", "zh-Hant", False),
        ("error CH-203, which is not shown", "error CH-203", "en", True),
        ("不开放", "闭馆不开放", "zh-Hans", True),
    ],
)
def test_computed_answers_agree_as_amounts(answer, golden, language, agree):
    assert (agreement(answer, golden, language) >= 0.5) is agree
