"""Each filter keeps what is good and refuses the fault it is there for, in English and in both Chinese scripts."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from synth.core.errors import ConfigError
from synth.core.records import ADOPTED
from synth.generation.filters.answerable import Answerable
from synth.generation.filters.copied import Copied
from synth.generation.filters.grounded import Grounded
from synth.generation.filters.judged import Judged
from synth.generation.filters.leaked_answer import LeakedAnswer
from synth.generation.filters.not_ordered import NotOrdered
from synth.generation.filters.self_contained import SelfContained
from synth.generation.filters.specific import Specific
from synth.generation.filters.well_formed import WellFormed
from synth.generation.filters.worth_asking import WorthAsking
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


FILTERS = [Answerable(), Copied(), Grounded(), LeakedAnswer(), SelfContained(), Specific(), WellFormed(), WorthAsking()]


@pytest.mark.parametrize("filter_", FILTERS, ids=lambda g: g.name)
@pytest.mark.parametrize("good", [en(), hans(), hant()], ids=["en", "zh-Hans", "zh-Hant"])
def test_a_good_sample_passes(filter_, good):
    verdict = filter_.decide(good, CORPUS)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en(answer="1812"), "0%"),
        (en(answer="the Bell Rock"), "0%"),
        (hans(answer="1812年"), "0%"),
        (hant(answer="斯蒂文森"), "0%"),
        (replace(en(), evidence=(replace(en().evidence[0], end=41),)), "do not contain the evidence text"),
        (replace(en(), evidence=(replace(en().evidence[0], text=""),)), "do not contain the evidence text"),
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
        ("How many keepers came to the Kell lighthouse last year?", "last year"),
        ("What was its first lamp?", "its"),
        ("Where was this pro-reform keeper born?", "this"),
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
        en(answer="the same year"),
        en(answer="This tower"),
        hans(answer="上述灯塔"),
        hant(answer="前者"),
    ],
)
def test_self_contained_refuses_answers_that_lean(bad):
    for named in (
        en("What happens when the Kell lighthouse goes dark?", "it is lit again by hand"),
        en("What does the Kell lighthouse need?", "its lamp"),
        hans("凯尔灯塔需要什么？", "它的灯"),
    ):
        assert SelfContained().decide(named, CORPUS).kept
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
        "What did World War I do to the Kell lighthouse?",
        "Who was one of the keepers of the Kell lighthouse?",
        "How do keepers at Kell signal to one another?",
        'What is the theme of “This Old House” and of "The Song of the Following"?',
        "Who is the former chairman of the Kell board?",
        "Which lighthouse has its lamp on a rock?",
        "If two numbers are multiplied, what is this operation called?",
        "How do I see the Kell lighthouse?",
        "What is the Kell lighthouse used for today?",
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
        ("去年凯尔灯塔由谁管理？", "去年凱爾燈塔由誰管理？"),
        ("截至2015年，该灯塔有几层？", "截至2015年，該燈塔有幾層？"),
        ("其灯光多远能看见？", "其燈光多遠能看見？"),
        ("我们什么时候能看见凯尔灯塔？", "我們什麼時候能看見凱爾燈塔？"),
        ("此灯塔有几层？", "此燈塔有幾層？"),
    ],
)
def test_self_contained_refuses_in_chinese(hans_question, hant_question):
    assert not SelfContained().decide(hans(hans_question), CORPUS).kept
    assert not SelfContained().decide(hant(hant_question), CORPUS).kept


@pytest.mark.parametrize(
    "question",
    [
        "因此人们怎样称呼凯尔灯塔？",
        "凯尔灯塔及其附属建筑由谁管理？",
        "其他灯塔由谁建造？",
        "应该怎样维护凯尔灯塔？",
        "凯尔灯塔的守塔人怎样称呼他的灯？",
        "凯尔灯塔何时开始重建其灯室？",
        "若塔身有n层，那么该塔被称为什么？",
        "“灯”这个字在凯尔是什么意思？",
        "上下文管理器是什么？",
        "日本国铁的灯塔目前有几座？",
        "土耳其的灯塔由谁建造？",
    ],
)
def test_self_contained_knows_words_that_only_look_like_pointers(question):
    verdict = SelfContained().decide(hans(question), CORPUS)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en("The Kell lighthouse was built in 1811."), "neither a question mark nor"),
        (en("In which year was the Kell lighthouse built? write"), "after the question mark"),
        (en("Who built it? When was the Kell lighthouse built?"), "2 questions"),
        (en("In which year was the **Kell** lighthouse built?"), "markup"),
        (en("In which year was the the Kell lighthouse built?"), "twice in a row"),
        (en("Why?"), "1 words"),
        (en("凯尔灯塔是哪一年建成的？"), "not in English"),
        (en("In which year was the Kell (lighthouse built?"), "do not balance"),
        (en("In which year , was the Kell lighthouse built?"), "stray punctuation"),
        (hans("In which year was the Kell lighthouse built?"), "not in Chinese"),
        (hans("凯尔灯塔建成的那一年。"), "neither a question mark nor"),
        (hans("《凯尔灯塔是哪一年建成的？"), "do not balance"),
        (hans("凱爾燈塔是哪一年建成的？"), "not in the script"),
        (hant("凯尔灯塔于哪一年建设完毕？"), "not in the script"),
        (hans("谁建？"), "2 characters"),
    ],
)
def test_well_formed_refuses(bad, reason):
    verdict = WellFormed().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


@pytest.mark.parametrize(
    "good",
    [
        en("in which year was the Kell lighthouse built ?"),
        en("In which year was the Kell lighthouse built  "),
        en("Name the year of the Kell lighthouse."),
        en("How and when was the Kell lighthouse built?"),
        en('What did the keeper mean by "Who goes there?" at Kell?'),
        hans("凯尔灯塔建成的那一年？"),
        hans("凯尔灯塔的别名为？"),
        hans("凯尔灯塔建成那年发生了啥"),
        hans("什么是灯塔？"),
        hant("說出凱爾燈塔建成的年份。"),
    ],
)
def test_well_formed_keeps_what_people_type(good):
    verdict = WellFormed().decide(good, CORPUS)
    assert verdict.kept, verdict.reason


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
    "good",
    [
        en("Which of Kell and Bell is a lighthouse, Kell or Bell?", "Kell"),
        en("Which law takes precedence, Kell law or state law?", "Kell law"),
        en("What kind of lighthouse is Kell?", "stone lighthouse"),
        hans("凯尔和贝尔，哪一座是灯塔？", "凯尔"),
        hant("是凱爾還是貝爾更高？", "貝爾"),
    ],
)
def test_leaked_answer_keeps_a_choice(good):
    verdict = LeakedAnswer().decide(good, CORPUS)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (en(answer="it"), "contains no information"),
        (en(answer="https://example.org/kell"), "address"),
        (en(answer="kell.md"), "address or a file name"),
        (en(answer=" ".join(["word"] * 70)), "70 words"),
        (hans(answer="这个"), "contains no information"),
        (hant(answer="長" * 190), "190 characters"),
        (en("What is it?"), "0 content words"),
    ],
)
def test_worth_asking_refuses(bad, reason):
    verdict = WorthAsking().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


def test_an_address_answers_a_question_that_asks_for_one():
    table = json.loads(files("synth.generation.filters").joinpath("asked_addresses.json").read_text(encoding="utf-8"))
    for question in table["fits"]:
        assert WorthAsking().decide(en(question, answer="https://example.org/kell"), CORPUS).kept, question
    for question in table["fits_not"]:
        assert "address" in WorthAsking().decide(en(question, answer="https://example.org/kell"), CORPUS).reason, (
            question
        )


def test_worth_asking_refuses_what_stands_under_a_version():
    of = corpus(log="# Kell\n\nThe Kell lamp burns oil.\n\n## 2.1.0 (2024-05-01)\n\n- The Kell lamp burns gas.\n")
    question = "What does the Kell lamp burn?"
    assert WorthAsking().decide(sample(of, question, "oil", "The Kell lamp burns oil."), of).kept
    verdict = WorthAsking().decide(sample(of, question, "gas", "The Kell lamp burns gas."), of)
    assert not verdict.kept
    assert "2.1.0" in verdict.reason


def test_worth_asking_takes_a_numbered_heading_for_no_version():
    of = corpus(log="# Kell\n\n## 2.1 Lamps\n\nThe Kell lamp burns oil.\n")
    assert WorthAsking().decide(sample(of, "What does the Kell lamp burn?", "oil", "The Kell lamp burns oil."), of).kept


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
        (en("Which enzyme catalyses photosynthesis in chloroplasts?", "lamp"), "question is 0.00"),
        (hans("叶绿体的光合作用由哪种酶催化？", "灯塔"), "question is 0.00"),
    ],
)
def test_answerable_refuses(bad, reason):
    verdict = Answerable().decide(bad, CORPUS)
    assert not verdict.kept
    assert reason in verdict.reason


@pytest.mark.parametrize(
    ("question", "answer", "language"),
    [
        ("Why was the Kell lighthouse built?", "fog", "en"),
        ("How long did the Kell lighthouse stand?", "well into the nineteenth century", "en"),
        ("In what century was the Kell lighthouse built?", "nineteenth", "en"),
        ("凯尔灯塔被称为什么？", "大灯", "zh-Hans"),
        ("凯尔灯塔有哪几个灯？", "红灯和绿灯", "zh-Hans"),
        ("凯尔灯塔何时点亮？", "清末", "zh-Hans"),
    ],
)
def test_answerable_leaves_open_what_an_answer_may_be(question, answer, language):
    verdict = Answerable().decide(en(question, answer) if language == "en" else hans(question, answer), CORPUS)
    assert verdict.kept, verdict.reason


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


@pytest.mark.parametrize("question", ["What is it?", "Quelle couleur?"])
def test_specific_refuses_what_shares_no_word_with_any_passage(question):
    of = corpus(**{f"d{i}": f"The harbour of port {i} has a pier." for i in range(30)}, kell="The lighthouse is red.")
    verdict = Specific().decide(sample(of, question, "red", "The lighthouse is red."), of)
    assert (verdict.kept, verdict.score) == (False, 31.0)


def test_a_filter_that_needs_a_model_says_so_when_asked_to_decide_alone():
    with pytest.raises(ConfigError, match="judged"):
        Judged().decide(en(), CORPUS)


def adopted(row):
    return replace(row, metadata={**row.metadata, "source": ADOPTED})


@pytest.mark.parametrize(
    "question",
    [
        "Why is it statistically impossible to repair the lamp?",
        "Is it mandatory to light the lamp?",
        "Isn't it easier to light the lamp by hand?",
        "Does it matter if the lamp is dark?",
        "My lamp is dark and I cannot light it. Why?",
    ],
)
def test_self_contained_keeps_an_it_that_points_at_nothing(question):
    assert SelfContained().decide(en(question, "its lamp"), CORPUS).kept


@pytest.mark.parametrize("question", ["Is it connected to the tower?", "Is it close to Kell?", "Is it open?"])
def test_self_contained_refuses_an_it_that_means_something(question):
    assert not SelfContained().decide(en(question, "its lamp"), CORPUS).kept


def test_people_whose_rows_are_adopted_speak_of_themselves_and_answer_at_length():
    row = en("Why do we light the lamp at Kell?", " ".join(["word"] * 70))
    assert not SelfContained().decide(row, CORPUS).kept
    assert not WorthAsking().decide(row, CORPUS).kept
    assert SelfContained().decide(adopted(row), CORPUS).kept
    assert WorthAsking().decide(adopted(row), CORPUS).kept
    assert not WorthAsking().decide(adopted(en(answer="it")), CORPUS).kept


def test_one_is_an_answer_where_a_number_is_asked_for():
    assert WorthAsking().decide(hans("凯尔灯塔有几个灯?", "一个"), CORPUS).kept
    assert not WorthAsking().decide(hans("凯尔灯塔是什么?", "一个"), CORPUS).kept


def test_code_in_a_question_is_no_stray_punctuation():
    assert WellFormed().decide(en("Why does `lamp(..., lit=False)` fail at Kell?"), CORPUS).kept
    assert WellFormed().decide(en("Why is light(...) slow at Kell?"), CORPUS).kept
    assert not WellFormed().decide(en("Why is the lamp.. slow at Kell?"), CORPUS).kept


def test_a_no_with_its_reason_is_grounded_by_its_own_words():
    row = en("May ships stop there?")
    quoted = replace(row, golden_answers=(f"No. {row.evidence[0].text}",))
    linked = replace(row, golden_answers=(row.evidence[0].text.replace("Kell", "[Kell](https://example.org/kell)", 1),))
    assert Grounded().decide(linked, CORPUS).kept
    assert Grounded().decide(quoted, CORPUS).kept


def test_one_of_several_answers_of_people_is_enough():
    row = en()
    several = replace(row, golden_answers=(*row.golden_answers, "42 elephants"))
    assert not Grounded().decide(several, CORPUS).kept
    assert Grounded().decide(adopted(several), CORPUS).kept
    assert NotOrdered().decide(adopted(several), CORPUS).kept
