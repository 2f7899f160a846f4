"""Each gate keeps what is good and refuses the fault it is there for, in English and in both Chinese scripts."""

from dataclasses import replace

import pytest

from synth.errors import ConfigError
from synth.filters.answerable import Answerable
from synth.filters.copied import Copied
from synth.filters.grounded import Grounded
from synth.filters.judged import Judged
from synth.filters.leaked_answer import LeakedAnswer
from synth.filters.self_contained import SelfContained
from synth.filters.specific import Specific
from synth.filters.well_formed import WellFormed
from synth.filters.worth_asking import WorthAsking
from tests.corpus import corpus, sample

EN = "The Kell lighthouse was built in **1811**. Its lamp is visible for 30 miles, because it stands on a high rock."
HANS = "凯尔灯塔建于**1811年**。灯塔的灯光在30海里外也能看见，因为它立在高高的礁石上。"
HANT = "凱爾燈塔建於**1811年**。燈塔的燈光在30海里外也能看見，因為它立在高高的礁石上。"
CORPUS = corpus(en=EN, hans=HANS, hant=HANT)


def en(
    question="In which year was the Kell lighthouse built?",
    answer="1811",
    quote="The Kell lighthouse was built in **1811**.",
):
    return sample(CORPUS, question, answer, quote, "en", "en")


def hans(question="凯尔灯塔是哪一年建成的？", answer="1811年", quote="凯尔灯塔建于**1811年**。"):
    return sample(CORPUS, question, answer, quote, "hans", "zh-Hans")


def hant(question="凱爾燈塔是哪一年建成的？", answer="1811年", quote="凱爾燈塔建於**1811年**。"):
    return sample(CORPUS, question, answer, quote, "hant", "zh-Hant")


GATES = [Answerable(), Copied(), Grounded(), LeakedAnswer(), SelfContained(), Specific(), WellFormed(), WorthAsking()]


@pytest.mark.parametrize("gate", GATES, ids=lambda g: g.name)
@pytest.mark.parametrize("good", [en(), hans(), hant()], ids=["en", "zh-Hans", "zh-Hant"])
def test_a_good_sample_passes(gate, good):
    verdict = gate.decide(good, CORPUS)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en(answer="1812"), "0%"),
        (en(answer="the Bell Rock"), "0%"),
        (hans(answer="1812年"), "0%"),
        (hant(answer="斯蒂文森"), "0%"),
        (replace(en(), evidence=(replace(en().evidence[0], end=41),)), "are not the evidence"),
        (replace(en(), evidence=(replace(en().evidence[0], text=""),)), "are not the evidence"),
        (replace(hans(), evidence=(replace(hans().evidence[0], doc_hash="sha256:0"),)), "has changed since"),
        (replace(hant(), evidence=(replace(hant().evidence[0], doc_id="gone.md"),)), "not in the corpus"),
    ],
)
def test_grounded_refuses(bad, reason):
    verdict = Grounded().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


@pytest.mark.parametrize("answer", ["1811", "in 1811", "１８１１"])
def test_grounded_reads_through_markup_and_width(answer):
    assert Grounded().decide(en(answer=answer), CORPUS).kept


def test_grounded_takes_either_script():
    assert Grounded().decide(hans(answer="凱爾燈塔"), CORPUS).kept


@pytest.mark.parametrize(
    ("question", "fault"),
    [
        ("When was this lighthouse built?", "this"),
        ("What does the passage say about the Kell lighthouse?", "the passage"),
        ("When was it built?", "it"),
        ("Where did he build the Kell lighthouse?", "he"),
        ("How tall is the tower mentioned above?", "above"),
        ("What do we call the Kell lighthouse?", "we"),
        ("What is the name of the company?", "the company"),
        ("How many keepers live there currently?", "currently"),
        ("How far is the lamp visible, according to the text?", "text"),
    ],
)
def test_self_contained_refuses_in_english(question, fault):
    verdict = SelfContained().decide(en(question), CORPUS)
    assert not verdict.kept
    assert fault in verdict.reason


@pytest.mark.parametrize(
    "bad",
    [
        en(answer="its lamp"),
        en(answer="the same year"),
        en(answer="This tower"),
        hans(answer="该灯塔"),
        hant(answer="這座燈塔"),
    ],
)
def test_self_contained_refuses_answers_that_lean(bad):
    clause = en("What happens when the Kell lighthouse goes dark?", "it is lit again by hand")
    assert SelfContained().decide(clause, CORPUS).kept
    verdict = SelfContained().decide(bad, CORPUS)
    assert not verdict.kept
    assert "answer" in verdict.reason


@pytest.mark.parametrize(
    "question",
    [
        "What happened to the Kell lighthouse after it was struck by lightning?",
        "How long does it take to reach the Kell lighthouse by boat?",
        "Is it possible to see the Kell lighthouse from Dunmore?",
        "Which lamps that were lit by oil did the Kell lighthouse use?",
        "Who were those who built the Kell lighthouse?",
        "What does `UploadFile` do with its contents?",
    ],
)
def test_self_contained_keeps_what_names_its_things(question):
    verdict = SelfContained().decide(en(question), CORPUS)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("hans_question", "hant_question"),
    [
        ("该灯塔是哪一年建成的？", "該燈塔是哪一年建成的？"),
        ("文中提到的灯塔建于何时？", "文中提到的燈塔建於何時？"),
        ("它的灯光多远能看见？", "它的燈光多遠能看見？"),
        ("这座灯塔有多高？", "這座燈塔有多高？"),
        ("上述灯塔由谁建造？", "上述燈塔由誰建造？"),
        ("凯尔灯塔目前由谁管理？", "凱爾燈塔目前由誰管理？"),
        ("我们什么时候能看见凯尔灯塔？", "我們什麼時候能看見凱爾燈塔？"),
        ("此灯塔有几层？", "此燈塔有幾層？"),
    ],
)
def test_self_contained_refuses_in_chinese(hans_question, hant_question):
    assert not SelfContained().decide(hans(hans_question), CORPUS).kept
    assert not SelfContained().decide(hant(hant_question), CORPUS).kept


@pytest.mark.parametrize(
    "question",
    ["因此人们怎样称呼凯尔灯塔？", "凯尔灯塔及其附属建筑由谁管理？", "其他灯塔由谁建造？", "应该怎样维护凯尔灯塔？"],
)
def test_self_contained_knows_words_that_only_look_like_pointers(question):
    verdict = SelfContained().decide(hans(question), CORPUS)
    assert verdict.kept == (question[0] != "因"), verdict.reason


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en("In which year was the Kell lighthouse built"), "0 question marks"),
        (en("Who built it? When was the Kell lighthouse built?"), "2 question marks"),
        (en("In which year was the **Kell** lighthouse built?"), "markup"),
        (en("In which year was the the Kell lighthouse built?"), "twice in a row"),
        (en("in which year was the Kell lighthouse built?"), "small letter"),
        (en("Why?"), "1 words"),
        (en("The Kell lighthouse was built in 1811?"), "no question word"),
        (en("凯尔灯塔是哪一年建成的？"), "not in English"),
        (en("In which year was the Kell (lighthouse built?"), "do not balance"),
        (en("In which year was the Kell lighthouse built ?"), "stray punctuation"),
        (hans("In which year was the Kell lighthouse built?"), "not in Chinese"),
        (hans("凯尔灯塔建成的那一年？"), "no question word"),
        (hans("《凯尔灯塔是哪一年建成的？"), "do not balance"),
        (hans("凱爾燈塔是哪一年建成的？"), "not in the script"),
        (hant("凯尔灯塔于哪一年建设完毕？"), "not in the script"),
        (hans("哪年建？"), "3 characters"),
    ],
)
def test_well_formed_refuses(bad, reason):
    verdict = WellFormed().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


@pytest.mark.parametrize(
    "bad",
    [
        en("What is the Kell lighthouse of 1811?"),
        en("What is the lamp of the Kell lighthouse called?", "Kell lighthouse lamp"),
        hans("建于1811年的凯尔灯塔建于何时？"),
        hant("建於1811年的凱爾燈塔建於何時？"),
    ],
)
def test_leaked_answer_refuses(bad):
    assert not LeakedAnswer().decide(bad, CORPUS).kept


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en(answer="it"), "says nothing"),
        (en(answer="https://example.org/kell"), "address"),
        (en(answer="kell.md"), "address or a file name"),
        (en(answer=" ".join(["word"] * 40)), "40 words"),
        (hans(answer="这个"), "says nothing"),
        (hant(answer="長" * 70), "70 characters"),
        (en("What is it?"), "0 content words"),
    ],
)
def test_worth_asking_refuses(bad, reason):
    verdict = WorthAsking().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


def test_worth_asking_refuses_what_stands_under_a_version():
    of = corpus(log="# Kell\n\nThe Kell lamp burns oil.\n\n## 2.1.0 (2024-05-01)\n\n- The Kell lamp burns gas.\n")
    question = "What does the Kell lamp burn?"
    assert WorthAsking().decide(sample(of, question, "oil", "The Kell lamp burns oil."), of).kept
    verdict = WorthAsking().decide(sample(of, question, "gas", "The Kell lamp burns gas."), of)
    assert not verdict.kept
    assert "2.1.0" in verdict.reason


def test_worth_asking_refuses_credits_and_link_lists():
    of = corpus(
        log="Fix typo in docs. PR [#12](http://x/pull/12) by [@someone](http://x).\n\nSee [Kell](http://x.example/kell/lighthouse/page)."
    )
    for quote in (
        "Fix typo in docs. PR [#12](http://x/pull/12) by [@someone](http://x).",
        "See [Kell](http://x.example/kell/lighthouse/page).",
    ):
        assert not WorthAsking().decide(sample(of, "What fixes typos in docs?", "PR", quote), of).kept


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en("How many miles away is the lamp of the Kell lighthouse visible?", "a high rock"), "a quantity"),
        (en("When was the Kell lighthouse built?", "lighthouse"), "a time"),
        (hans("凯尔灯塔的灯光在多少海里外能看见？", "礁石"), "a quantity"),
        (hant("凱爾燈塔是哪一年建成的？", "礁石"), "a year"),
        (en("Which enzyme catalyses photosynthesis in chloroplasts?", "lamp"), "0%"),
        (hans("叶绿体的光合作用由哪种酶催化？", "灯塔"), "0%"),
    ],
)
def test_answerable_refuses(bad, reason):
    verdict = Answerable().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


def test_copied_refuses_the_sentence_with_a_hole():
    told = "The keepers of the Kell lighthouse rowed to the mainland every second Friday to fetch oil and bread."
    of = corpus(en=told, zh="凯尔灯塔的守塔人每隔一个星期五划船到对岸的大陆上去取灯油和面包。")
    hole = "The keepers of the Kell lighthouse rowed to the mainland every second Friday to fetch oil and what?"
    assert not Copied().decide(sample(of, hole, "bread", told), of).kept
    assert (
        Copied()
        .decide(sample(of, "How often did the keepers at Kell fetch oil?", "every second Friday", told), of)
        .kept
    )
    chinese = "凯尔灯塔的守塔人每隔一个星期五划船到对岸的大陆上去取灯油和面包。"
    assert (
        not Copied()
        .decide(sample(of, "凯尔灯塔的守塔人每隔一个星期五划船到对岸的大陆上去取什么？", "灯油和面包", chinese), of)
        .kept
    )


def test_a_latin_word_counts_as_one_character_of_chinese():
    told = "路径操作装饰器的 response_model_exclude_unset 参数可以去掉没有设置的默认值。"
    of = corpus(zh=told)
    question = "路径操作装饰器的 response_model_exclude_unset 参数去掉什么？"
    assert Copied().decide(sample(of, question, "没有设置的默认值", told), of).kept
    assert not Copied(max_characters=8).decide(sample(of, question, "没有设置的默认值", told), of).kept


def test_specific_refuses_what_many_passages_fit_better():
    places = {f"d{i}": f"The harbour of port {i} has a lighthouse, a pier and a lighthouse keeper." for i in range(30)}
    of = corpus(**places, kell="Somewhere a lighthouse is red, says the long and winding tale of the coast.")
    vague = sample(
        of, "What does a lighthouse keeper at the pier of a port have?", "red", "Somewhere a lighthouse is red"
    )
    verdict = Specific().decide(vague, of)
    assert not verdict.kept
    assert "30 other passages" in verdict.reason


def test_a_gate_that_needs_a_model_says_so_when_asked_to_decide_alone():
    with pytest.raises(ConfigError, match="judged"):
        Judged().decide(en(), CORPUS)
