"""Planted items catch a judge that agrees with everything, and no other."""

import json
import re
from dataclasses import replace

import pytest

from synth.generation.filters.grounded import Grounded
from synth.generation.filters.judged import Judged
from synth.generation.judge_controls import NO_EVIDENCE, WRONG_ANSWER, JudgeControl, trusted, try_judge, with_fault
from synth.generation.judge_requests import CLOSED, OPEN
from synth.models.chat.base import Fault
from synth.models.chat.driver import Driver, Job
from synth.models.chat.exchange import Sending
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import ScriptedModel
from tests.corpus import corpus, sample
from tests.prompt_labels import label_pattern

TEXTS = {
    f"s{n}": f"The {name} station opened in {1900 + n}." for n, name in enumerate(("Alder", "Birch", "Cedar", "Elm"))
}
文 = {f"z{n}": f"{name}站于{1950 + n}年启用，站里有两个站台。" for n, name in enumerate("东南西北")}
繁 = {f"t{n}": f"{name}站於{1970 + n}年啟用，站裡有兩個月臺。" for n, name in enumerate("東西中")}
OF = corpus(**TEXTS, **文, **繁)
ROWS = [
    *(sample(OF, f"When did the {t.split()[1]} station open?", t[-5:-1], t, language="en") for t in TEXTS.values()),
    *(sample(OF, f"{t[0]}站是哪一年启用的？", t[3:8], t[:10], language="zh-Hans") for t in 文.values()),
    *(sample(OF, f"{t[0]}站是哪一年啟用的？", t[3:8], t[:10], language="zh-Hant") for t in 繁.values()),
]


def run(steps, script):
    driver = Driver({"judge": ScriptedModel(script)}, sending=Sending(retries=Retries(limits={"server": 0})))
    (outcome,) = driver.run([Job(key="one", steps=steps)])
    return outcome.value


KEEPS = {
    CLOSED: {"unnamed": "", "clear": True, "natural": 4, "matters": 4, "known": ""},
    OPEN: {
        "answer": "", "proved": True, "right": True, "complete": True, "other": "", "one": True, "turned": "", "typed": True, "why": "", "grave": True
    },
}  # fmt: skip


def said(request, **more):
    return json.dumps({"verdicts": [{"item": 0, **KEEPS[request.purpose], **more}]}, ensure_ascii=False)


def honest(request):
    """A judge that reads whether the evidence has the golden answer."""
    if request.purpose == CLOSED:
        return said(request)
    item = re.split(rf"{label_pattern('item')} 0", request.messages[-1].content)[1]
    told, golden = re.split(rf"{label_pattern('golden')} 0(?:: |：)", item)
    return said(request, proved=golden.split("\n")[0].strip("年") in told)


def agreeing(request):
    return said(request)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.question)
def test_an_item_is_made_wrong_in_one_way_and_the_same_way_every_time(row):
    fault, wrong = with_fault(row, OF)
    assert (fault, wrong) == with_fault(row, OF)
    assert wrong.question == row.question
    if fault != NO_EVIDENCE:
        assert fault == "another number"
        assert wrong.golden_answers != row.golden_answers
        assert wrong.evidence == row.evidence
    else:
        assert wrong.golden_answers == row.golden_answers
        assert wrong.evidence[0].doc_id != row.evidence[0].doc_id
        assert wrong.evidence[0].doc_id[0] == row.evidence[0].doc_id[0], "the same language"


@pytest.mark.parametrize("script", [honest, lambda _: Fault("server", "down"), lambda _: "Quite so."])
def test_a_judge_that_is_honest_or_cannot_judge_admits_no_control_item(script):
    controls = [one for row in ROWS for one in run(try_judge(row, OF, [Judged()]), script)]
    assert len(controls) == len(ROWS)
    assert not any(one.admitted for one in controls)
    assert trusted(controls)


def test_a_judge_that_agrees_with_everything_is_caught():
    controls = [one for row in ROWS for one in run(try_judge(row, OF, [Judged()]), agreeing)]
    assert {one.fault for one in controls} == {NO_EVIDENCE, "another number"}
    assert all(one.admitted for one in controls)
    assert not trusted(controls)


def test_an_answer_that_cannot_be_spoilt_is_replaced():
    named = [replace(row, golden_answers=(name,)) for row, name in zip(ROWS, ("Alder", "Birch"), strict=False)]
    faults = dict(with_fault(replace(row, question=f"{n}?"), OF) for row in named for n in range(4))
    assert faults.keys() == {NO_EVIDENCE, WRONG_ANSWER}
    assert faults[WRONG_ANSWER].golden_answers[0] not in ("Alder", "Birch", "")


def test_filters_without_a_model_are_not_tried():
    (control,) = run(try_judge(ROWS[0], OF, [Grounded()]), honest)
    assert control.admitted, "the rules alone would have refused it"


def test_an_honest_judge_may_slip_now_and_then():
    slips = [JudgeControl("q?", NO_EVIDENCE, n == 0, "") for n in range(5)]
    assert trusted(slips)
    assert not trusted(slips[:4])
    assert trusted([])
