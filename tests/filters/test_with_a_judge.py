"""The judge: what it is shown, each of its reasons to refuse, and items that are judged together and stay apart."""

import re
from dataclasses import replace

import pytest

from synth.core.errors import ConfigError
from synth.generation.filters.judged import CLOSED_BOOK, Judged
from synth.generation.judge_requests import ANSWER, CLOSED, OPEN, open_request
from synth.generation.matching.agreement import answer_likeness
from synth.models.chat.base import Completion, RequestFailed
from synth.models.chat.driver import Driver, Job
from synth.models.chat.exchange import Sending
from synth.models.chat.retries import Retries
from synth.models.chat.scripted import ScriptedModel
from tests.corpus import corpus
from tests.filters.rows import row, unanswerable
from tests.prompt_labels import label_pattern
from tests.proposals.made import corpus_of

KELL = "The Kell lighthouse was built by Robert Stevenson."
BORN = "Robert Stevenson was born in Glasgow in 1772."
FOG = "If fog comes, the keeper of the Kell lighthouse sounds the horn every minute."
LIT = "The Kell lighthouse was lit in 1811."
雾 = "如果起雾，守塔人每分钟鸣一次雾笛。"
霧 = "如果起霧，守塔人每分鐘鳴一次霧笛。"
OF = corpus(
    kell=f"# Towers\n\n{KELL}",
    born=BORN,
    fog=FOG,
    雾=雾,
    霧=霧,
    lit=f"{LIT} It went dark in 1860.",
    maro="The Maro lighthouse was built by Thomas Reed.",
)
OF.brief = "A history of lighthouses."

SIMPLE = row(OF, "simple", "Who built the Kell lighthouse?", "Robert Stevenson", [KELL])
BRIDGE = row(OF, "multi_context", "When was the builder of the Kell lighthouse born?", "1772", [KELL, BORN])
SETS = row(
    OF, "conditional", "How often does the keeper at Kell sound the horn if fog comes?", "every minute", [FOG],
    metadata={"condition": "fog comes"},
)  # fmt: skip
如果 = row(
    OF,
    "conditional",
    "如果起雾，守塔人多久鸣一次雾笛？",
    "每分钟",
    [雾],
    language="zh-Hans",
    metadata={"condition": "起雾"},
)
時 = row(
    OF,
    "conditional",
    "如果起霧，守塔人多久鳴一次霧笛？",
    "每分鐘",
    [霧],
    language="zh-Hant",
    metadata={"condition": "起霧"},
)
YEARS = row(
    OF, "reasoning", "How many years after it was lit did the Kell lighthouse go dark?", "49 years",
    [LIT, "It went dark in 1860."],
)  # fmt: skip
NOBODY = unanswerable("How high is the Kell lighthouse?")
ROWS = [SIMPLE, BRIDGE, SETS, 如果, 時, YEARS, NOBODY]

KEEPS = {
    CLOSED: {"unnamed": "", "clear": True, "natural": 4, "matters": 3, "known": ""},
    OPEN: {
        "answer": "as it is", "proved": True, "right": True, "complete": True, "other": "", "one": True, "turned": "", "typed": True,
        "why": "", "grave": True,
    },
    ANSWER: {"found": False, "answer": ""},
}  # fmt: skip
DOWN = RequestFailed("server", "down")


def shown(request):
    return request.messages[-1].content


def replies(said):
    """A judge that keeps everything, but for what is `said`: by prompt, then by item; None leaves an item out."""

    def reply(request):
        about = said.get(request.purpose, {})
        if isinstance(about, RequestFailed):
            return about
        pattern = r"^\[(\d+)\]" if request.purpose == CLOSED else rf"^{label_pattern('item')} (\d+)"
        found = [
            {**KEEPS[request.purpose], **about.get(n, {}), "item": n}
            for n in map(int, re.findall(pattern, shown(request), re.MULTILINE))
            if about.get(n, 0) is not None
        ]
        return Completion(text="", data={"verdicts": [*found, *about.get("more", [])]})

    return reply


def judged(samples, said=None, filter_=None):
    """The judgements on some samples by a judge that says what is `said`, and what it was asked."""
    asked = []
    return settled((filter_ or Judged()).judge_all(samples, OF), said or {}, asked), asked


def settled(steps, said, asked=None):
    """What some steps come to, with a judge that says what is `said`; what it was `asked` is added there."""
    reply = replies(said)
    try:
        requests = next(steps)
        while True:
            (asked if asked is not None else []).extend(requests)
            requests = steps.send(tuple(map(reply, requests)))
    except StopIteration as end:
        return end.value


def verdict(sample, said=None, filter_=None):
    ((judgement,), _) = judged([sample], said, filter_)
    return judgement.verdict


@pytest.mark.parametrize("sample", ROWS, ids=lambda s: s.question)
def test_a_judge_that_finds_nothing_wrong_keeps_them(sample):
    ((judgement,), asked) = judged([sample])
    assert judgement.verdict.kept, judgement.verdict.reason
    assert (judgement.verdict.filter, judgement.verdict.score) == ("judged", 4.0)
    assert judgement.ratings == {"natural": 4, "matters": 3}
    assert all(request.role == "judge" for request in asked)


@pytest.mark.parametrize(
    ("purpose", "said", "reason"),
    [
        (CLOSED, {"clear": False}, "not clear"),
        (CLOSED, {"clear": False, "unnamed": "the keeper"}, "does not name the keeper"),
        (CLOSED, {"natural": 1}, "rates 'natural' 1 of 5"),
        (CLOSED, {"matters": 1}, "rates 'matters' 1 of 5"),
        (CLOSED, None, "omits this item"),
        (OPEN, {"proved": False, "why": "no year is given"}, "does not prove the answer: no year is given"),
        (OPEN, {"right": False, "answer": "Thomas Reed"}, "not right: the judge answers 'Thomas Reed'"),
        (OPEN, {"complete": False}, "not complete"),
        (OPEN, None, "omits this item"),
    ],
)
def test_each_field_refuses(purpose, said, reason):
    found = verdict(SIMPLE, {purpose: {0: said}})
    assert not found.kept
    assert reason in found.reason


def test_another_answer_that_is_as_good_is_a_doubt():
    ((judgement,), _) = judged([SIMPLE], {OPEN: {0: {"one": False, "other": "Thomas Reed", "grave": True}}})
    assert judgement.verdict.kept
    assert judgement.doubt == "another answer is as good: Thomas Reed"


@pytest.mark.parametrize("fault", ["proved", "complete", "one"])
def test_an_objection_that_is_not_grave_is_a_doubt(fault):
    ((judgement,), _) = judged([SIMPLE], {OPEN: {0: {fault: False, "why": "a quibble", "grave": False}}})
    assert judgement.verdict.kept
    assert judgement.doubt.endswith("a quibble")
    assert judgement.verdict.reason == f"a doubt: {judgement.doubt}"
    wrong = verdict(SIMPLE, {OPEN: {0: {fault: False, "right": False, "grave": False}}})
    assert not wrong.kept, "an answer that is not right is refused however grave the judge finds it"


@pytest.mark.parametrize(
    ("sample", "purpose"),
    [(SIMPLE, CLOSED), (SIMPLE, OPEN), (BRIDGE, ANSWER), (SETS, OPEN), (NOBODY, CLOSED), (NOBODY, ANSWER)],
    ids=lambda one: getattr(one, "question", one),
)
@pytest.mark.parametrize("said", [DOWN, {0: None}], ids=["fails", "leaves it out"])
def test_a_judge_that_cannot_judge_refuses(sample, purpose, said):
    found = verdict(sample, {purpose: said})
    assert not found.kept
    assert "could not be judged" in found.reason


def test_a_reply_that_cannot_be_read_refuses():
    driver = Driver(
        {"judge": ScriptedModel(lambda _: "All of this is true.")},
        sending=Sending(retries=Retries(limits={"server": 0})),
    )
    (outcome,) = driver.run([Job(key="one", steps=Judged().run(SIMPLE, OF))])
    assert not outcome.value.kept
    assert "could not be judged: unparsable" in outcome.value.reason


@pytest.mark.parametrize(("natural", "matters", "kept"), [(3, 4, True), (2, 5, False), (5, 3, False), (5, 4, True)])
def test_each_rating_is_held_against_its_threshold(natural, matters, kept):
    filter_ = Judged(min_natural=3, min_matters=4)
    assert verdict(SIMPLE, {CLOSED: {0: {"natural": natural, "matters": matters}}}, filter_).kept is kept


@pytest.mark.parametrize("name", ["min_natural", "min_matters"])
@pytest.mark.parametrize("least", [0, 6])
def test_a_threshold_that_is_none_is_refused(name, least):
    with pytest.raises(ConfigError, match=name):
        Judged(**{name: least})


@pytest.mark.parametrize(
    ("sample", "known", "tag"),
    [
        (SIMPLE, "Robert Stevenson", CLOSED_BOOK),
        (SIMPLE, "It was Robert Stevenson", CLOSED_BOOK),
        (SIMPLE, "Thomas Reed", ""),
        (SIMPLE, "", ""),
        (如果, "每分钟", CLOSED_BOOK),
        (NOBODY, "30 metres", ""),
    ],
)
def test_what_a_model_knows_without_the_documents_is_a_tag(sample, known, tag):
    found = verdict(sample, {CLOSED: {0: {"known": known}}})
    assert (found.kept, found.tag) == (True, tag)


def test_the_closed_judge_sees_the_brief_and_the_question_alone_and_the_open_one_what_there_is():
    _, (closed, opened) = judged([SIMPLE])
    assert OF.brief in shown(closed)
    assert SIMPLE.question in shown(closed)
    assert "Stevenson" not in shown(closed)
    assert f"Evidence, in kell, under Towers: {KELL}" in shown(opened)
    assert "Golden answer 0: Robert Stevenson" in shown(opened)
    assert "Thomas Reed" in shown(opened), "a passage that tells of another lighthouse is a rival"


def test_boilerplate_is_no_rival():
    own = "The keeper of Kell is Ann Moor."
    notice = "I, Ann Moor, keeper of Kell, certify that this is the log of the keeper of Kell."
    texts = {f"other{n}": f"The keeper of station {n} is away." for n in range(9)}
    of = corpus(own=own, notice=notice, **texts)
    of.brief = "-"
    sample = row(of, "simple", "Who is the keeper of Kell?", "Ann Moor", [own])
    assert "certify" not in shown(open_request([sample], of))
    assert shown(open_request([sample], of)).count("is away") == 2


def test_a_passage_that_repeats_the_evidence_or_another_leaves_its_place_to_one_that_does_not():
    own, alike = "The keeper of Kell is Ann Moor.", "The keeper of Kell is away in May."
    of = corpus(own=own, again=own, may=alike, june=alike, july=alike, ill="A keeper who is ill is away.")
    of.brief = "-"
    text = shown(open_request([row(of, "simple", "Who is the keeper of Kell?", "Ann Moor", [own])], of))
    assert text.count(own) == 1, "in the item"
    assert text.count(alike) == 1
    assert "is ill" in text


def test_two_sections_of_the_page_of_the_evidence_are_shown_and_a_place_elsewhere():
    rule = "Unused leave of keepers is paid out when they go."
    sections = [
        f"# Leave of keepers\n\n{rule}",
        "# Unused leave when keepers are ill\n\nUnused leave of keepers is paid out when they are ill.",
        "# Unused leave of travel\n\nUnused leave of travel lapses when keepers go.",
    ]
    elsewhere = {f"other{n}": f"# Post {n}\n\nUnused leave of cooks at post {n} is paid out in May." for n in range(5)}
    of = corpus_of({"leave": "\n\n".join(sections), **elsewhere}, size=22)
    assert len(of.chunks_of("leave")) == 3
    sample = row(of, "simple", "When is unused leave of keepers paid out?", "when they go", [rule])
    text = shown(open_request([sample], of))
    assert "are ill" in text
    assert "lapses when keepers go" in text
    assert text.count("cooks at post") == 1


def test_another_place_that_lists_the_same_is_shown():
    signals = "The station has a bell, a horn and a lamp."
    texts = {f"other{n}": f"What are the signals of station {n}? They are many." for n in range(9)}
    of = corpus(own=signals, longer="A bell, a gong, a horn, a lamp and a flag were bought.", **texts)
    of.brief = "-"
    sample = row(of, "simple", "What are the signals of the station?", "A bell, a horn and a lamp", [signals])
    assert "a gong" in shown(open_request([sample], of))
    assert "a gong" not in shown(open_request([replace(sample, golden_answers=("three",))], of))


def test_evidence_is_shown_once():
    _, (_, opened) = judged([SIMPLE])
    assert shown(opened).count(KELL) == 1


def test_each_passage_is_left_out_once():
    _, (*_, trial) = judged([BRIDGE])
    without_kell, without_born = shown(trial).split("Item 1")
    assert (KELL in without_kell, BORN in without_kell) == (False, True)
    assert (KELL in without_born, BORN in without_born) == (True, False)


def test_the_passages_of_a_sub_question_are_left_out_together():
    whole = [KELL, LIT, BORN]
    sample = row(OF, "multi_context", BRIDGE.question, "1772", whole)
    places = [[piece.doc_id, piece.start, piece.end] for piece in sample.evidence]
    hops = [
        {"question": "", "answer": "", "evidence": places[:2]},
        {"question": "", "answer": "", "evidence": places[2:]},
    ]

    def shown_parts(parts):
        _, (*_, trial) = judged([replace(sample, metadata={"sub_questions": parts})])
        return [[text for text in whole if text in item] for item in re.split(r"Item \d", shown(trial))[1:]]

    assert shown_parts(hops)[:2] == [[BORN], [KELL, LIT]]
    alone = [[LIT, BORN], [KELL, BORN], [KELL, LIT]]
    for unknown in ([], [{"evidence": places}], [{"evidence": 7}, "no object"]):
        assert shown_parts(unknown)[:3] == alone


@pytest.mark.parametrize(("item", "name"), [(0, "kell"), (1, "born")])
def test_what_is_answered_without_one_of_its_passages_is_refused(item, name):
    def said(found, answer):
        ((judgement,), _) = judged([BRIDGE], {ANSWER: {item: {"found": found, "answer": answer}}})
        return judgement

    refused = said(True, "in 1772").verdict
    assert not refused.kept
    assert f"without '{name}' the judge still answers" in refused.reason
    for kept in (said(True, "1850"), said(False, "1772")):
        assert (kept.verdict.kept, kept.question_type) == (True, "multi_context")


@pytest.mark.parametrize(
    ("golden", "answer", "kept"),
    [
        ("Kell: it has a lift, and Maro has stairs alone", "Kell, as Maro has stairs", False),
        ("No: the builder was born later", "No, he was not born yet", False),
        ("No: the builder was born later", "Yes, he had built it", True),
        ("可以：建造者那时还在世", "可以，他还在世", False),
        ("可以：建造者那时还在世", "不可以，他死了", True),
        ("For guests: a lift; for keepers: stairs", "For guests a lift", False),
        ("From 8:00 to the fog", "From 8:00", False),
        ("From 8:00 to the fog", "Until 12", True),
        ("From 8:00 to the fog", "Until the fog", False),
        ("By 88 lamps in 1811, from 150 to 238", "By 70 lamps in 1811", True),
        ("多半不能。守塔人人手不够，没人教", "多半不能；塔上都是如此", False),
        ("It has to charge it to earnings: the cost was deferred", "The asset is charged to earnings", False),
        ("Where keepers go", "To the tower of 3 lamps", False),
    ],
)
def test_what_is_found_without_a_passage_refuses_but_another_yes_or_no_or_number(golden, answer, kept):
    sample = row(OF, "multi_context", BRIDGE.question, golden, [KELL, BORN])
    found = verdict(sample, {ANSWER: {0: {"found": True, "answer": answer}}})
    assert found.kept == kept


@pytest.mark.parametrize(
    ("question", "golden", "answer", "kept"),
    [
        ("灯塔有必要都装电梯吗？", "不用装：多数客人只看灯", "没必要，大家只看灯", False),
        ("灯塔有必要都装电梯吗？", "不用装：多数客人只看灯", "可以，客人要上塔", True),
        ("燈塔能裝電梯嗎？", "可以：客人要上塔", "別裝，大家只看燈", True),
    ],
)
def test_a_decision_in_chinese_says_no_in_many_words(question, golden, answer, kept):
    language = "zh-Hant" if "燈" in question else "zh-Hans"
    sample = replace(row(OF, "multi_context", question, golden, [KELL, BORN]), language=language)
    assert verdict(sample, {ANSWER: {0: {"found": True, "answer": answer}}}).kept == kept


@pytest.mark.parametrize("sample", [SETS, 如果, 時], ids=lambda s: s.language)
def test_a_conditional_question_whose_condition_changes_nothing_is_a_simple_one(sample):
    def kind(answer):
        ((judgement,), _) = judged([sample], {OPEN: {0: {"turned": answer}}})
        assert judgement.verdict.kept
        return judgement.question_type

    assert kind(sample.golden_answers[0]) == "simple"
    assert kind("") == "conditional"
    assert kind("7 hours" if sample is SETS else "7小时") == "conditional"


def test_another_case_may_be_told_in_much_the_same_words():
    ((judgement,), _) = judged([SETS], {OPEN: {0: {"turned": "every minute or two"}}})
    assert judgement.question_type == "conditional"


@pytest.mark.parametrize(
    ("sample", "typed", "kind"),
    [
        (YEARS, False, "simple"),
        (YEARS, True, "reasoning"),
        (SETS, False, "simple"),
        (SETS, True, "conditional"),
        (SIMPLE, False, "simple"),
        (BRIDGE, True, "multi_context"),
    ],
    ids=str,
)
def test_a_question_that_takes_less_than_its_type_says_is_a_simple_one(sample, typed, kind):
    ((judgement,), _) = judged([sample], {OPEN: {0: {"typed": typed}}})
    assert (judgement.verdict.kept, judgement.question_type) == (True, kind)
    outcome = settled(Judged().check(sample, OF), {OPEN: {0: {"typed": typed}}})
    assert outcome.kept is (kind == sample.question_type), "who judges a set by itself hears of it"


def test_a_heading_that_stands_over_the_evidence_is_not_shown_as_evidence():
    with_heading = row(OF, "simple", SIMPLE.question, "Robert Stevenson", ["Towers", KELL])
    text = shown(open_request([with_heading], OF))
    assert text.count("Towers") == 1
    assert f"Evidence, in kell, under Towers: {KELL}" in text
    assert "Towers" in shown(open_request([row(OF, "simple", "What?", "Towers", ["Towers"])], OF))


@pytest.mark.parametrize("pieces", [1, 2])
def test_a_question_over_several_passages_that_one_of_them_answers_is_refused(pieces):
    refused = verdict(
        replace(BRIDGE, evidence=BRIDGE.evidence[:pieces]), {OPEN: {0: {"typed": False, "why": "kell says it all"}}}
    )
    assert not refused.kept
    assert "not of the type multi_context: kell says it all" in refused.reason


@pytest.mark.parametrize("sample", [SIMPLE, YEARS, SETS])
def test_a_question_on_one_passage_is_not_tried_on_less(sample):
    assert [request.purpose for request in judged([sample])[1]] == [CLOSED, OPEN]


def test_a_question_over_several_passages_is_tried_on_the_whole_of_each_alone():
    _, asked = judged([BRIDGE])
    assert [request.purpose for request in asked] == [CLOSED, OPEN, ANSWER]
    first, second = shown(asked[-1]).split("Item 1")
    assert (BORN in first, KELL in first) == (True, False)
    assert (BORN in second, KELL in second) == (False, True)
    refused = verdict(BRIDGE, {ANSWER: {1: {"found": True, "answer": BRIDGE.golden_answers[0]}}})
    assert not refused.kept
    assert "without 'born' the judge still answers" in refused.reason


def test_a_question_over_several_passages_is_tried_from_single_places_elsewhere():
    of = corpus(kell=KELL, born=BORN, plaque="A plaque at the Kell lighthouse says that its builder was born in 1772.")
    of.brief = "-"
    sample = row(of, "multi_context", BRIDGE.question, "1772", [KELL, BORN])
    asked = []
    settled(Judged().judge_all([sample], of), {}, asked)
    without_kell, without_born, elsewhere = re.split(r"Item [12]", shown(asked[-1]))
    assert ("A plaque" in without_kell, "A plaque" in without_born) == (False, False)
    assert "A plaque" in elsewhere
    assert not any(text in elsewhere for text in (KELL, BORN))
    said = {ANSWER: {2: {"found": True, "answer": "1772"}}}
    (judgement,) = settled(Judged().judge_all([sample], of), said, [])
    assert judgement.verdict.reason == "from 'plaque' alone the judge still answers '1772'"


def test_a_place_that_has_the_answers_of_all_sub_questions_is_tried_before_a_nearer_one():
    others = {
        f"near{n}": f"Who built the Kell lighthouse, and where was its builder born? Ask the board, page {n}."
        for n in range(4)
    }
    of = corpus(kell=KELL, born=BORN, table="Gain 373 | shares 465 | dividend 12", **others)
    of.brief = "-"
    parts = [{"question": "What is the gain?", "answer": "$373"}, {"question": "How many shares?", "answer": "465"}, {}]
    sample = row(of, "multi_context", BRIDGE.question, "0.80", [KELL, BORN])
    asked = []
    settled(Judged().judge_all([replace(sample, metadata={"sub_questions": parts})], of), {}, asked)
    assert "Gain 373" in re.split(r"Item [23]", shown(asked[-1]))[1]


def test_a_page_in_another_language_is_no_other_place():
    chinese = f"Kell 灯塔（the Kell lighthouse）的建造者生于 1772 年。{BORN}"
    texts = {"kell.md": KELL, "born.md": BORN, "born.zh.md": chinese}
    of = corpus_of(texts)
    of.brief = "-"
    sample = row(of, "multi_context", BRIDGE.question, "1772", [KELL, BORN])
    asked = []
    settled(Judged().judge_all([sample], of), {}, asked)
    assert "建造者" not in shown(asked[-1])


@pytest.mark.parametrize(
    "parts",
    [[], [{"question": "Who?"}], [{"question": "Who?", "answer": "Ann"}, {"question": "When?", "answer": "1772"}]],
)
def test_hops_that_do_not_lead_to_one_another_are_not_masked(parts):
    *_, trial = judged([replace(BRIDGE, metadata={"sub_questions": parts})])[1]
    assert "____" not in shown(trial)


def test_what_is_refused_is_tried_no_further():
    said = {OPEN: {0: {"typed": False, "right": False}}}
    assert [request.purpose for request in judged([BRIDGE], said)[1]] == [CLOSED, OPEN]


def test_an_unanswerable_question_to_which_an_answer_is_found_is_refused():
    sample = replace(NOBODY, metadata={"nearest": [OF.chunks_of("maro")[0].chunk_id, "gone"]})
    _, asked = judged([sample])
    assert [request.purpose for request in asked] == [CLOSED, ANSWER]
    text = shown(asked[1])
    assert -1 < text.find("Thomas Reed") < text.find("Robert Stevenson"), "the passages that it names come first"
    found = verdict(sample, {ANSWER: {0: {"found": True, "answer": "30 metres"}}})
    assert not found.kept
    assert "finds an answer: '30 metres'" in found.reason


def test_items_that_are_judged_together_stay_apart():
    said = {
        CLOSED: {5: {"clear": False}, 1: {"known": "Robert Stevenson"}},
        # Those with an answer, in their order: SIMPLE, BRIDGE, YEARS, SETS, another SIMPLE.
        OPEN: {
            2: {"right": False},
            3: {"turned": "every hour"},
            "more": [{**KEEPS[OPEN], "item": 9}],
        },
        # NOBODY, BRIDGE without each of its passages.
        ANSWER: {2: {"found": True, "answer": "1772"}},
    }
    samples = [NOBODY, SIMPLE, BRIDGE, YEARS, SETS, replace(SIMPLE, question="Who made the Kell lighthouse?")]
    found, asked = judged(samples, said)
    assert [one.verdict.kept for one in found] == [True, True, False, False, True, False]
    assert [one.question_type for one in found if one.verdict.kept] == ["unanswerable", "simple", "conditional"]
    assert [one.verdict.tag for one in found] == ["", CLOSED_BOOK, "", "", "", ""]
    told = [one.verdict.reason for one in found if not one.verdict.kept]
    assert [reason.partition(":")[0] for reason in told] == [
        "without 'born' the judge still answers '1772'",
        "the answer is not right",
        "the question is not clear without the documents",
    ]
    assert [request.purpose for request in asked] == [CLOSED, OPEN, ANSWER]


def test_of_what_is_said_twice_of_an_item_the_first_counts():
    again = {**KEEPS[OPEN], "item": 0, "proved": False}
    assert verdict(SIMPLE, {OPEN: {"more": [again]}}).kept
    assert not verdict(SIMPLE, {OPEN: {0: {"right": False}, "more": [{**again, "proved": True}]}}).kept


def test_nothing_to_judge_asks_nothing():
    assert judged([]) == ([], [])


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
        ("the south filter", "the north filter", "en", False),
        ("the filter in the north", "the north filter", "en", True),
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
    assert (answer_likeness(answer, golden, language) >= 0.5) is agree
