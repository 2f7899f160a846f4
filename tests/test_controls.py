"""Planted items catch a judge that agrees with everything, and no other."""

import json

import pytest

from synth.controls import NO_EVIDENCE, WRONG_ANSWER, Control, spoilt, trusted, try_judge
from synth.filters.closed_book import ClosedBook
from synth.filters.round_trip import RoundTrip
from synth.llm.base import Fault
from synth.llm.driver import Driver, Job
from synth.llm.retries import Retries
from synth.llm.scripted import ScriptedModel
from tests.corpus import corpus, sample

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
GOLDEN = {row.question: row.golden_answers[0] for row in ROWS}


def run(steps, script):
    driver = Driver({"judge": ScriptedModel(script)}, retries=Retries.with_limits(server=0))
    (outcome,) = driver.run([Job(key="one", steps=steps)])
    return outcome.value


def said(found, answer=""):
    return json.dumps({"found": found, "answer": answer}, ensure_ascii=False)


def parts(request):
    text = request.messages[-1].content
    question = next(one for one in GOLDEN if one in text)
    return text.replace(question, ""), question


def honest(request):
    told, question = parts(request)
    year = GOLDEN[question].strip("年")
    return said(True, year) if year in told else said(False)


def agreeing(request):
    return said(True, GOLDEN[parts(request)[1]])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.question)
def test_an_item_is_made_wrong_in_one_way_and_the_same_way_every_time(row):
    fault, wrong = spoilt(row, OF)
    assert (fault, wrong) == spoilt(row, OF)
    assert wrong.question == row.question
    if fault == WRONG_ANSWER:
        assert wrong.golden_answers != row.golden_answers
        assert wrong.evidence == row.evidence
    else:
        assert fault == NO_EVIDENCE
        assert wrong.golden_answers == row.golden_answers
        assert wrong.evidence[0].doc_id != row.evidence[0].doc_id
        assert wrong.evidence[0].doc_id[0] == row.evidence[0].doc_id[0], "the same language"


@pytest.mark.parametrize("script", [honest, lambda _: Fault("server", "down"), lambda _: "Quite so."])
def test_a_judge_that_is_honest_or_cannot_judge_admits_no_control_item(script):
    controls = [one for row in ROWS for one in run(try_judge(row, OF, [RoundTrip()]), script)]
    assert len(controls) == len(ROWS)
    assert not any(one.admitted for one in controls)
    assert trusted(controls)


def test_a_judge_that_agrees_with_everything_is_caught():
    controls = [one for row in ROWS for one in run(try_judge(row, OF, [RoundTrip()]), agreeing)]
    assert {one.fault for one in controls if one.admitted} == {NO_EVIDENCE}
    assert not trusted(controls)


def test_an_honest_judge_may_slip_now_and_then():
    slips = [Control("q?", NO_EVIDENCE, n == 0, "") for n in range(5)]
    assert trusted(slips)
    assert not trusted(slips[:4])
    assert trusted([])


@pytest.mark.parametrize("row", ROWS[::4], ids=lambda row: row.language)
def test_what_a_model_knows_without_the_text_is_tagged(row):
    gate = ClosedBook(attempts=3)
    known = run(gate.run(row, OF), agreeing)
    assert (known.kept, known.tag, known.score) == (True, "closed_book", 1.0)
    unknown = run(gate.run(row, OF), lambda _: said(False))
    assert (unknown.kept, unknown.tag, unknown.score) == (True, "", 0.0)
    guess = run(gate.run(row, OF), lambda request: agreeing(request) if request.seed == 1 else said(True, "1066"))
    assert (guess.kept, guess.tag) == (True, "")
    assert not run(gate.run(row, OF), lambda _: "I think I know this one.").kept


@pytest.mark.parametrize("row", ROWS[::4], ids=lambda row: row.language)
@pytest.mark.parametrize(("agree", "kept"), [(1, False), (2, True), (3, True)])
def test_more_than_half_of_the_votes_decide(row, agree, kept):
    def script(request):
        return agreeing(request) if request.seed < agree else said(False)

    assert run(RoundTrip(votes=3).run(row, OF), script).kept is kept


def test_votes_that_cannot_be_read_do_not_count_for_it():
    def script(request):
        return agreeing(request) if request.seed == 0 else Fault("server", "down")

    verdict = run(RoundTrip(votes=3).run(ROWS[0], OF), script)
    assert not verdict.kept
    assert "could not be judged" in verdict.reason
