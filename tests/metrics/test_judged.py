"""Judged metrics: what they ask, what they make of it, and that no failure takes a value away silently."""

import pytest

from synth.core.records import Passage, ToolCall
from synth.evaluation.judging.judged_metric import Judge
from synth.evaluation.metrics.criteria import Aspect, Rubric
from synth.models.chat.base import RawReply
from synth.models.prompts import load
from tests.metrics.cases import case, item, piece
from tests.metrics.judge import judge, judged, part, reply, scripted

RIGHT = "The Tarn mill was built in 1790."
WRONG = "The Tarn mill was built in 1850."
OTHER = "The Tarn mill burnt down."
CONTEXTS = (Passage(text="Tarn is a village. " + RIGHT), Passage(text="Ferries leave every hour."))


def made(
    answer=RIGHT, golden=RIGHT, contexts=CONTEXTS, calls=None, question="When was the Tarn mill built?", **metadata
):
    row = item(golden, [piece(RIGHT)], question=question, **metadata)
    return case(row, answer, contexts=contexts, calls=calls)


def value(name, one, column=None, **more):
    return judged(name, one, **more)[column or (name if isinstance(name, str) else name.title)].value


CHINESE = "塔恩磨坊建于1790年。"
CHINESE_CONTEXTS = (Passage(text="塔恩是一个村子。" + CHINESE), Passage(text="渡船每小时一班。"))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("faithfulness", 0.5),
        ("faithfulness_gold", 0.5),
        ("factual_correctness", 2 / 3),
        ("context_precision", 1.0),
        ("context_precision_claims", 0.5),
        ("context_recall", 1.0),
        ("context_relevance", 0.5),
        ("context_utilization_ranked", 1.0),
        ("context_utilization_claims", 1.0),
        ("hallucination", 0.5),
        ("self_knowledge", 0.0),
        ("misalignment", 0.0),
    ],
)
def test_an_answer_half_of_which_is_made_up(name, wanted):
    assert value(name, made(f"{RIGHT} {WRONG}")) == pytest.approx(wanted)
    second = CHINESE.replace("1790", "1850")
    one = made(CHINESE + second, CHINESE, CHINESE_CONTEXTS, question="塔恩磨坊建于哪一年？")
    if name != "faithfulness_gold":
        assert value(name, one) == pytest.approx(wanted)


def test_the_sentence_that_decides_is_told():
    score = judged("faithfulness", made(f"{RIGHT} {WRONG} {OTHER}"))["faithfulness"]
    assert score.value == pytest.approx(1 / 3)
    assert [(row["verdict"], row["sentence"]) for row in score.detail] == [
        ("supported", RIGHT),
        ("contradicted", RIGHT),
        ("absent", ""),
    ]


def test_noise_is_told_apart_by_where_it_comes_from():
    noisy = (Passage(text=f"{RIGHT} The Tarn mill has red walls."), Passage(text="The Orr bridge has green arches."))
    one = made(f"{RIGHT} The Tarn mill has red walls. The Orr bridge has green arches.", contexts=noisy)
    assert value("noise_sensitivity", one, "noise_sensitivity_relevant") == pytest.approx(1 / 3)
    assert value("noise_sensitivity", one, "noise_sensitivity_irrelevant") == pytest.approx(1 / 3)


def test_weights_and_beta_are_parameters():
    one = made(f"{RIGHT} {OTHER}")
    whole = part("answer_correctness", claims_weight=1.0)
    assert value(whole, one) == pytest.approx(2 / 3)
    assert value(part("answer_correctness", claims_weight=1.0, beta=2.0), one) == pytest.approx(5 / 6)
    assert judged(whole, one)["answer_correctness"].detail["precision"] == 0.5
    mixed = value("answer_correctness", one)
    assert mixed == pytest.approx(0.75 * 2 / 3 + 0.25 * judge().similar(one.answer, [RIGHT])[0])
    assert value(part("factual_correctness", form="triples"), made()) == 1.0


def test_relevancy_asks_back_and_knows_evasions():
    assert value("answer_relevancy", made()) > 0.5
    assert value("answer_relevancy", made("I do not know.")) == 0.0
    assert value("answer_relevancy", made("不知道。", question="塔恩磨坊建于哪一年？")) == 0.0


def test_summary_topics_and_goals():
    summary = made(RIGHT)
    text = "\n\n".join(one.text for one in CONTEXTS)
    assert value("summary_score", summary) == pytest.approx(0.75 / 3 + 0.25 * (1 - len(RIGHT) / len(text)))
    kept = made("The mill is old.", topics=["mill", "ferry"])
    assert value("topic_adherence", kept) == pytest.approx(2 / 3)
    assert value("topic_adherence", kept, "topic_recall") == 0.5
    assert value("topic_adherence", made("Nice weather.", topics=["mill"]), "topic_precision") == 0.0
    assert value("agent_goal_accuracy", made(calls=(ToolCall(name="book", arguments={"n": 2}),), goal="booked")) == 1.0
    assert value("agent_goal_accuracy", made(calls=())) == 0.0


def test_criteria_of_the_users_own():
    short = Aspect("short", criterion="The answer is short.")
    clear = Rubric("clear", levels=("a", "b", "c", "d", "e"), contexts=True, golden=True)
    assert (value(short, made()), value(short, made(RIGHT * 3))) == (1.0, 0.0)
    assert (value(clear, made()), value(clear, made(RIGHT * 3))) == (1.0, 0.25)
    assert judged(clear, made())["clear"].detail["scores"] == [5]
    model = scripted()
    judged(clear, made(), model)
    shown = model.calls[0].messages[-1].content
    assert "5: e" in shown
    assert CONTEXTS[1].text in shown


@pytest.mark.parametrize(
    ("name", "one", "reason"),
    [
        ("faithfulness", made(""), "the answer is empty"),
        ("faithfulness", made("..."), "found no claim"),
        ("faithfulness", made(contexts=(Passage(id="c-1"),)), "contexts have no texts"),
        ("context_precision", made(contexts=()), "no context"),
        ("context_recall", made(golden=()), "no golden answer"),
        ("factual_correctness", made(golden=()), "no golden answer"),
        ("context_utilization_claims", made(contexts=CONTEXTS[1:]), "so the answer could use none"),
        ("misalignment", made(contexts=CONTEXTS[1:]), "no context was used"),
        ("topic_adherence", made(), "needs 'topics', a list of strings"),
        ("summary_score", made(""), "the answer is empty"),
    ],
)
def test_what_cannot_be_judged_has_a_reason(name, one, reason):
    score = judged(name, one)[part(name).columns[0]]
    assert score.value is None
    assert reason in score.reason


def test_no_support_is_zero_and_an_empty_answer_is_wrong():
    assert value("faithfulness", made(contexts=())) == 0.0
    assert value("context_recall", made(contexts=())) == 0.0
    assert value("factual_correctness", made("")) == 0.0
    assert value("answer_correctness", made("")) == 0.0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: {"verdicts": data["verdicts"][:1]}, "do not give one verdict for each of the 2 claims"),
        (
            lambda data: {"verdicts": [data["verdicts"][0]] * 2},
            "do not give one verdict for each of the 2 claims",
        ),
        (lambda data: RawReply(text="x", finish_reason="content_filter"), "the judge failed: refused"),
        (lambda data: "no JSON", "the judge failed: unparsable"),
    ],
)
def test_a_judge_that_fails_gives_none(change, reason):
    def answer(request):
        data = reply(request.prompt, request.messages[1].content)
        return change(data) if "verdicts" in data else data

    score = judged("faithfulness", made(f"{RIGHT} {WRONG}"), scripted(answer))["faithfulness"]
    assert score.value is None
    assert reason in score.reason


def test_a_verdict_without_a_sentence_does_not_stand():
    def answer(request):
        data = reply(request.prompt, request.messages[-1].content)
        for row in data.get("verdicts", ()):
            row["sentence"] = 99
        return data

    assert value("faithfulness", made(), model=scripted(answer)) == 0.0


def test_votes_turn_the_claims_and_the_majority_decides():
    def hasty(request):
        """A judge who supports whatever stands first."""
        data = reply(request.prompt, request.messages[-1].content)
        for row in data.get("verdicts", ())[:1]:
            row.update(sentence=1, verdict="supported")
        return data

    one = made(f"{OTHER} {WRONG}")
    assert value("faithfulness", one, model=scripted(hasty)) == 0.5
    model = scripted(hasty)
    assert value("faithfulness", one, model=model, asks=judge(votes=3)) == 0.5
    cast = [call for call in model.calls if "verdicts" in call.prompt]
    assert len(cast) == 3
    assert [call.temperature for call in cast] == [0.0, 0.0, 0.5]
    assert cast[0].messages != cast[1].messages
    assert value("faithfulness", made(f"{RIGHT} {WRONG}"), asks=judge(votes=3)) == 0.5
    assert value("faithfulness", one, model=scripted(hasty), asks=judge(turned=True)) == 0.5


def test_half_of_the_ballots_must_come():
    seen = []

    def answer(request):
        seen.append(request)
        if "verdicts" in request.prompt and request.seed == 1:
            return RawReply(text="", finish_reason="content_filter")
        return reply(request.prompt, request.messages[-1].content)

    assert value("faithfulness", made(), model=scripted(answer), asks=judge(votes=3)) == 1.0
    assert {call.seed for call in seen if "verdicts" in call.prompt} == {0, 1, 2}


def test_many_claims_are_asked_in_parts():
    names = "oats rye wheat barley maize millet spelt rice hemp flax".split()
    claims = [f"The Tarn mill ground {name} every day." for name in names]
    model = scripted()
    score = judged("faithfulness", made(" ".join(claims), contexts=(Passage(text=" ".join(claims[::2])),)), model)
    assert score["faithfulness"].value == 0.5
    assert sum("verdicts" in call.prompt for call in model.calls) == 2


def test_a_metric_that_raises_gives_reasons():
    broken = Judge(load, lambda text, others: 1 / 0)
    score = judged("answer_correctness", made(f"{RIGHT} {OTHER}"), asks=broken)["answer_correctness"]
    assert score.value is None
    assert score.reason.startswith("failed: ZeroDivisionError")
