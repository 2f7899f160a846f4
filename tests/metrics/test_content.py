"""Correctness and support: what one text says of another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.records import Passage
from synth.evaluation.measuring.support import SUPPORTED, supported
from synth.text.calendar_names import MONTHS
from synth.text.stems import stem, stemmed
from tests.metrics.cases import case, item, scores, value


def right(answer, golden, question="Which is it?"):
    return value("correctness", case(item(golden, question=question), answer)) >= 0.5


@pytest.mark.parametrize(
    ("question", "golden", "answer", "wanted"),
    [
        ("Who built the dam?", "Frank Crowe", "The dam was built by Frank T. Crowe.", True),
        ("Who built the dam?", "Frank Crowe", "It was Bob Smith.", False),
        ("Who built the dam?", "Frank Crowe", "Frank Crowe1.", True),
        ("In which grade is he?", "fourth", "He is in the 4th grade.", True),
        ("How many filters has it?", "six", "It has 6 filters.", True),
        ("How many filters has it?", "6 filters", "It has 8 filters.", False),
        ("When was it opened?", "30 September 1935", "It was opened on September 30, 1935.", True),
        ("When was it opened?", "1935", "It was opened in1935 onMay 1.", True),
        ("When was it opened?", "1935", "It was opened in 19351.", False),
        ("When was it opened?", "1935", "It was opened in 1936.", False),
        ("Where is it?", "Nevada", "It stands onNevada soil.", True),
        ("Who directed it?", "Kristofferson", "It was Kristoferson.", True),
        ("Which Pasha led Egypt?", "Husrev Pasha", "It was Ali Pasha.", False),
        ("水库在哪里？", "湖北省宜昌市", "它位於湖北省宜昌市。", True),
        ("水库在哪里？", "湖北省宜昌市", "它位于四川省。", False),
        ("有多少人？", "三千五百人", "约3,500人。", True),
        ("水庫何時建成？", "2021年", "水庫於二〇二一年建成。", True),
        ("水庫何時建成？", "2021年", "水庫於2012年建成。", False),
        ("谁作的曲？", "肖邦", "蕭邦", True),
        ("誰守太原？", "閻錫山", "闫锡山", True),
        ("谁写的？", "萧红", "萧军", False),
    ],
)
def test_correctness(question, golden, answer, wanted):
    assert right(answer, golden, question) == wanted


@pytest.mark.parametrize(
    ("golden", "answer", "wanted"),
    [
        # whole words and numbers
        ("Mali", "Somalia", False), ("legal", "illegal", False), ("1832", "11832", False), ("0.004", "0.0045", False),
        ("马里", "索马里", False), ("北京", "北京市", True), ("印度", "印度洋", False),
        # value and unit
        ("3.5 million", "3.5 billion", False), ("300万", "300亿", False), ("300万", "3,000,000", True),
        ("$8,738.00", "$8,738", True), ("0.654", "65.4%", True), ("65.4%", "0.654", True), ("65.4%", "0.645", False),
        ("1577 (in USD millions)", "$1,577 million", True), ("$5", "€5", False), ("5 km", "5 miles", False),
        ("2 hours", "120 minutes", True), ("4分钟", "4小时", False), ("百分之五十", "50%", True),
        ("3.5 million", "3,512,345", True), ("3,512,345", "3.5 million", False), ("forty-two", "42", True),
        # dates by their parts
        ("18 May 2018", "May 18th, 2018", True), ("18 May 2018", "2018-05-18", True), ("18 May 2018", "2018", True),
        ("18 May 2018", "18 June 2018", False), ("18 May 2018", "19 May 2018", False), ("the 1960s", "1964", False),
        ("18 May 2018", "It was 18 June 2018, in 2018.", False), ("2007年2月8日", "2007年3月8日", False),
        ("2007年2月8日", "二〇〇七年二月八日", True), ("44 BC", "44 AD", False), ("March", "It is March, as is told.", True),
        # names by their parts
        ("Frank Crowe", "Frank T. Crowe", True), ("Frank Crowe", "Frank Smith", False),
        ("Frank Crowe", "Bob Crowe", False), ("James Rodríguez", "James Rodriguez", True),
        ("Wilhelm Conrad Röntgen", "Wilhelm Röntgen", True), ("约什·诺曼", "约翰·诺曼", False),
        ("约什·诺曼", "約什·諾曼", True), ("曾国藩", "李国藩", False),
        # denied, refused, several
        ("Paris", "It is not Paris.", False), ("Paris", "It was not Lyon but Paris.", True), ("北京", "不是北京。", False),
        ("北京", "不是上海，而是北京。", True), ("Paris", "I do not know whether it is Paris.", False),
        ("not required", "It is required.", False), ("not required", "It isn't required.", True),
        ("1811", "1811 or 1812", False), ("Paris", "Paris, London and Rome", False), ("yes", "no", False),
        # lists and places
        ("lead, zinc and tin", "tin, zinc and lead", True), ("lead, zinc and tin", "lead", False),
        ("狮子、老虎和熊", "狮子、老虎", False), ("狮子、老虎和熊", "熊、老虎、狮子", True),
        ("Rome defeated Carthage in 146 BC.", "Carthage defeated Rome in 146 BC.", False),
        ("Rome defeated Carthage.", "Carthage was defeated by Rome.", True),
    ],
)  # fmt: skip
def test_correctness_of_facts(golden, answer, wanted):
    assert right(answer, golden) == wanted


figures = st.integers(2, 9999)
people = st.sampled_from("Crowe Stevenson Barlow Moreau Tanaka Whitfield".split())


@given(figures, figures, people, people, st.integers(0, 11), st.integers(0, 11), st.integers(1, 28), st.integers(1, 28))
def test_the_score_does_not_rise_when_a_wrong_fact_is_put_in(n, m, name, other, month, wrong_month, day, wrong_day):
    golden = f"Frank {name} sold {n} lamps on {day} {MONTHS[month]} 1811."
    whole = value("correctness", case(item(golden), golden))
    for wrong in (
        golden.replace(f"{n} lamps", f"{m} lamps"),
        golden.replace(name, other),
        golden.replace(MONTHS[month], MONTHS[wrong_month]),
        golden.replace(f"on {day} ", f"on {wrong_day} "),
        golden.replace("sold", "did not sell"),
    ):
        score = value("correctness", case(item(golden), wrong))
        assert score <= whole == pytest.approx(1.0)
        assert wrong == golden or score < 0.5


@given(figures, figures, st.sampled_from("万 亿 公里 分钟 美元".split()))
def test_a_wrong_number_in_chinese_is_no_answer(n, m, unit):
    golden = f"它有{n}{unit}。"
    assert right(golden, golden)
    assert right(golden.replace(str(n), str(m)), golden) == (n == m)
    assert not right(f"不是{n}{unit}", golden)


metals = st.lists(st.sampled_from("iron gold silver copper lead zinc".split()), min_size=3, max_size=5, unique=True)


@given(metals, st.randoms())
def test_a_list_has_all_its_items_in_any_order(golden, draw):
    turned = draw.sample(golden, len(golden))
    assert right(listed(turned), listed(golden))
    assert not right(listed(turned[:2]), listed(golden))


def listed(parts):
    return ", ".join(parts[:-1]) + " and " + parts[-1]


CONTEXTS = [
    "The Hoover Dam stands in the Black Canyon of the Colorado River.",
    "It was built between 1931 and 1936 by Six Companies.",
    "Thousands of workers came to Nevada.",
]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("The Hoover Dam was built between 1931 and 1936.", "The Hoover Dam was built between 1950 and 1957."),
        ("Six Companies built it.", "Kaiser Steel built it."),
        ("The dam stands in the Black Canyon.", "The dam stands in Utah near Salt Lake City."),
    ],
)
def test_support_ranks_what_the_contexts_say_above_what_they_do_not(better, worse):
    assert supported([better], CONTEXTS) > supported([worse], CONTEXTS) + 0.1


def test_support_in_chinese():
    contexts = ["三峽大壩位於湖北省宜昌市。", "大壩於2006年建成。"]
    assert supported(["三峡大坝于2006年建成。"], contexts) > 0.9
    assert supported(["三峡大坝于1998年动工，位于四川。"], contexts) < 0.1


SAID = (
    "The Hoover Dam was opened on 30 September 1936 by Franklin Roosevelt, who praised 21,000 workers in Nevada.",
    "三峡大坝于2006年5月20日建成，位于湖北省宜昌市，可以发电，坝高181米。",
)


@pytest.mark.parametrize(
    ("statement", "passage"),
    [
        (SAID[0], SAID[0]), (SAID[1], SAID[1]),
        ("On September 30, 1936, Roosevelt opened the Hoover Dam.", SAID[0]),
        ("三峽大壩二〇〇六年五月二十日建成。", SAID[1]),
    ],
)  # fmt: skip
def test_what_a_sentence_says_is_supported(statement, passage):
    assert supported([statement], ["Ships pass it at night.", passage]) >= SUPPORTED


FAULTS = [
    (0, "30 September", "30 May"), (0, "30 September", "29 September"), (0, "1936", "1937"), (0, "21,000", "22,000"),
    (0, "Franklin", "Theodore"), (0, "Roosevelt", "Coolidge"), (0, "Hoover", "Grand"), (0, "was opened", "was not opened"),
    (0, "Nevada", "Utah"), (0, "21,000 workers", "21 million workers"),
    (1, "2006", "2009"), (1, "5月", "7月"), (1, "20日", "21日"), (1, "181", "185"), (1, "湖北省", "四川省"),
    (1, "位于", "不位于"), (1, "181米", "181公里"),
]  # fmt: skip


@pytest.mark.parametrize(("which", "right", "wrong"), FAULTS)
def test_a_wrong_fact_is_not_supported(which, right, wrong):
    planted = SAID[which].replace(right, wrong)
    assert planted != SAID[which]
    assert supported([planted], [SAID[which]]) < SUPPORTED


def test_support_comes_from_few_sentences_and_facts_with_other_words():
    scattered = [f"{word} is a word." for word in "Hoover dam opened September Franklin Roosevelt praised".split()]
    assert supported([SAID[0]], scattered) < SUPPORTED / 10


def test_words_are_found_by_their_stems():
    said = "try tried dying wrote height companies company art part".split()
    wanted = [stem(word) for word in ("tries", "die", "write", "tall", "company")]
    assert set(stemmed(said, wanted)) == set(said) - {"art", "part"}


filler = st.lists(
    st.sampled_from(["It was opened in 1936.", "Roosevelt praised them.", "The dam is in Nevada.", "大坝位于湖北省。"]),
    max_size=4,
)


@given(st.sampled_from(FAULTS), st.lists(st.sampled_from(SAID[0].split()), min_size=3, unique=True), filler)
def test_support_never_rises_with_a_wrong_fact(fault, words_kept, passages):
    which, right, wrong = fault
    statement = " ".join(words_kept) if which == 0 else SAID[1]
    planted = statement.replace(right, wrong)
    assert supported([planted], [SAID[which], *passages]) <= supported([statement], [SAID[which], *passages]) + 1e-9


def test_support_is_undefined_without_an_answer_or_texts():
    texts = (Passage(text="Some."),)
    assert scores("support", case(item("x"), None, contexts=texts))["support"].reason == "the response has no answer"
    assert scores("support", case(item("x"), "。", contexts=texts))["support"].value in (None, 0.0)
    assert (
        scores("support", case(item("x"), "It.", contexts=(Passage(id="c"),)))["support"].reason
        == "the contexts have no texts"
    )
    assert value("support", case(item("x"), "Paris", contexts=())) == 0.0


words = st.lists(
    st.sampled_from("the Hoover dam 1936 opened 水库 建成 三峡 . Nevada".split()), min_size=1, max_size=8
).map(" ".join)


@given(words, words)
def test_both_are_between_0_and_1_and_what_says_all_has_all(one, other):
    assert 0 <= value("correctness", case(item(one), other)) <= 1
    assert 0 <= supported([one], [other]) <= 1
    if set(one.split()) - {"the", "."}:
        assert value("correctness", case(item(one), f"{one} {other}")) == pytest.approx(1.0)
    assert supported([one], [other, one]) >= supported([one], [one]) - 1e-9
