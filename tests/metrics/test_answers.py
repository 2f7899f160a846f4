"""Metrics of answers: tables worked by hand, every trap that a definition can fall into, and properties."""

import re
import string
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize.destructive import NLTKWordTokenizer

from synth.evaluation.measuring.answer_normalisation import number_values
from synth.evaluation.measuring.cmrc import segments, treebank
from tests.metrics.cases import case, item, of_answer, scores, value

ALL = ("script", "width", "numerals")


@pytest.mark.parametrize(
    ("answer", "golden", "same"),
    [
        ("北京。", "北京", True),
        ("２０２１年", "2021年", True),
        ("臺灣", "台湾", True),
        ("臺灣", "台灣", True),
        ("3.14", "314", False),
        ("a", "the", False),
        ("the", "The", True),
        ("The Hoover Dam", "hoover dam.", True),
        ("U.S.", "US", True),
        ("well-known", "wellknown", True),
        ("O’Brien", "O'Brien", True),
        ("3,500", "3500", True),
        ("3-4", "34", False),
        ("12:30", "1230", False),
        ("-5", "5", False),
        ("1939—1945", "19391945", False),
        ("Café", "cafe", False),
        ("北京大学", "北京 大学", True),
        ("北京大学", "北京", False),
        ("", "Paris", False),
        ("C", "C++", False),
        ("1.50", "1.5", False),
    ],
)
def test_exact_match(answer, golden, same):
    assert of_answer("exact_match", answer, golden) == same
    assert of_answer("exact_match", golden, answer or " ") == same


@pytest.mark.parametrize(
    ("answer", "golden", "fold", "same"),
    [
        ("臺灣", "台湾", ("width",), False),
        ("２０２１年", "2021年", ("script",), False),
        ("三千五百米", "3500米", ("script", "width"), False),
        ("三千五百米", "3500米", ALL, True),
        ("兩億三千萬", "2亿3000万", ALL, True),
        ("二〇二一年", "2021年", ALL, True),
        ("forty-two", "42", ALL, True),
        ("1.5 million people", "1,500,000 people", ALL, True),
        ("统一", "统1", ALL, False),
        ("几十", "10", ALL, False),
    ],
)
def test_what_is_folded_is_an_option(answer, golden, fold, same):
    assert of_answer("exact_match", answer, golden, fold) == same


@pytest.mark.parametrize(
    ("metric", "answer", "golden", "wanted"),
    [
        ("token_f1", "the red old house", "red house", 0.8),
        ("token_precision", "the red old house", "red house", 2 / 3),
        ("token_recall", "red", "red house", 0.5),
        ("token_f1", "red red", "red house", 0.5),
        ("token_f1", "北京大學", "北京大学", 1.0),
        ("token_f1", "在北京", "北京", 0.8),
        ("token_f1", "北京", "南京", 0.5),
        ("word_f1", "北京", "南京", 0.0),
        ("word_f1", "他在北京工作", "北京", 0.4),
        ("token_f1", "", "red", 0.0),
        ("sub_em", "It stands in London.", "on", 0.0),
        ("sub_em", "It stands on a hill in London.", "London", 1.0),
        ("sub_em", "It was opened in 1936 by him", "opened 1936", 0.0),
        ("sub_em", "它位于臺灣北部", "台湾", 1.0),
        ("sub_em", "about 314 of them", "3.14", 0.0),
        ("sub_em", "vitamin A", "A", 1.0),
        ("sub_em", "vitamin C", "A", 0.0),
        ("sub_em", "the end", "the", 1.0),
        ("sub_em", "他住在北京市", "京", 1.0),
        ("edit_similarity", "kitten", "sitting", 1 - 3 / 7),
        ("edit_similarity", "北京。", "北京", 1.0),
        ("bleu", "Paris", "Paris", 1.0),
        ("bleu", "北京", "北京", 1.0),
        ("bleu", "水库建成", "水庫建成", 1.0),
        ("bleu", "", "Paris", 0.0),
        ("rouge_l", "水库于2021年建成", "水庫於2021年建成", 1.0),
        ("rouge_1", "the cat sat", "the cat", 0.8),
        ("rouge_2", "the cat sat", "the cat", 2 / 3),
        ("chrf", "臺北", "台北", 1.0),
        ("numbers_right", "It has three thousand five hundred rooms", "3,500", 1.0),
        ("numbers_right", "有三千五百个房间", "3500个", 1.0),
        ("numbers_right", "有兩億人", "2亿", 1.0),
        ("numbers_right", "It has 314 rooms", "3.14", 0.0),
        ("numbers_right", "From 1936 to 1940", "1936, 1941", 0.5),
        ("numbers_right", "on 2021-03-04", "March 4, 2021", 1.0),
        ("numbers_right", "on 2021-04-03", "March 4, 2021", 0.0),
        ("squad_em", "3.14", "314", 1.0),
        ("squad_em", "the  Cat!", "cat", 1.0),
        ("squad_f1", "a cat sat", "the cat", 2 / 3),
        ("squad_f1", "在北京", "北京", 0.0),
        ("cmrc_em", "《北京》", "北京", 1.0),
        ("cmrc_em", "臺灣", "台湾", 0.0),
        ("cmrc_f1", "在北京。", "北京", 0.8),
        ("cmrc_f1", "京北", "北京", 0.5),
        ("cmrc_f1", "使用python 3编写", "python 3", 2 * 2 / (2 + 6)),
    ],
)
def test_worked_by_hand(metric, answer, golden, wanted):
    language = "zh-Hans" if re.search("[一-鿿]", answer + golden) else "en"
    assert of_answer(metric, answer, golden, language=language) == pytest.approx(wanted)


def test_the_best_of_several_golden_answers_counts():
    for metric in ("exact_match", "token_f1", "rouge_l", "chrf", "squad_f1", "cmrc_f1", "numbers_right"):
        assert of_answer(metric, "in 1936", ["the year 1940", "in 1936", "long ago"]) == 1.0
    assert of_answer("bleu", "in 1936", ["the year 1940", "in 1936"]) == 1.0


def test_match_by_pattern():
    row = item("x", answer_pattern=[r"^19[34]\d$", r"thirties"])
    assert value("pattern_match", case(row, "1936")) == 1.0
    assert value("pattern_match", case(row, "１９３６")) == 1.0
    assert value("pattern_match", case(row, "In the Thirties")) == 1.0
    assert value("pattern_match", case(row, "1836")) == 0.0


@pytest.mark.parametrize(
    ("pattern", "answer", "wanted"),
    [
        ("臺灣", "臺灣", 1.0),
        ("台湾", "臺灣", 1.0),
        ("２０２１", "２０２１", 1.0),
        ("(", "x", "not a valid RE2 expression"),
        (["x", "("], "x", "not a valid RE2 expression"),
        (["", "x"], "foo", "an empty pattern"),
        (" ", "a b", "an empty pattern"),
        (5, "5", "a string or a list of strings"),
        ({"a": 1}, "a", "a string or a list of strings"),
        ([None], "None", "a string or a list of strings"),
    ],
)
def test_a_pattern_matches_the_answer_as_given_or_folded_and_a_broken_one_has_no_value(pattern, answer, wanted):
    score = scores("pattern_match", case(item("y", answer_pattern=pattern), answer))["pattern_match"]
    assert wanted == score.value if isinstance(wanted, float) else wanted in score.reason
    assert (score.value is None) == isinstance(wanted, str)


@pytest.mark.parametrize(
    ("answer", "abstains"),
    [
        ("", 1.0),
        ("I don't know.", 1.0),
        ("The documents do not mention it.", 1.0),
        ("無法回答", 1.0),
        ("文中没有提到", 1.0),
        ("It was opened in 1936.", 0.0),
        ("它于1936年建成", 0.0),
    ],
)
def test_abstention_is_for_rows_that_cannot_be_answered(answer, abstains):
    assert value("abstention", case(item(question_type="unanswerable"), answer)) == abstains
    assert value("abstention", case(item("x", question_type="simple"), answer)) is None


def test_without_golden_answer_or_number_there_is_no_value():
    assert scores("token_f1", case(item(), "x"))["token_f1"].reason == "the row has no golden answer"
    assert (
        scores("numbers_right", case(item("Paris"), "5"))["numbers_right"].reason == "the golden answer has no number"
    )


def test_an_unanswerable_row_wants_the_empty_answer_in_squad():
    assert value("squad_em", case(item(), "")) == 1.0
    assert value("squad_f1", case(item(), "Paris")) == 0.0


def test_semantic_similarity_by_encoder():
    row = item(["a red house", "its colour is red"])
    near = value("semantic_similarity", case(row, "a red house"), encoder="hashed")
    far = value("semantic_similarity", case(row, "seven ships"), encoder="hashed")
    assert near == pytest.approx(1.0, abs=1e-5)
    assert 0 <= far < 0.3
    assert value("semantic_similarity", case(row, ""), encoder="hashed") == 0.0


def as_squad_has_it(text):
    """Lower case, no punctuation, no articles, single spaces: written straight from the definition."""
    kept = "".join(char for char in text.lower() if char not in string.punctuation)
    return [word for word in re.split(r"\s+", kept) if word and word not in ("a", "an", "the")]


english = st.lists(
    st.sampled_from("The the a An cat Cat, sat. on 3.14 U.S. well-known 'quoted' it's".split()), max_size=7
)


@given(english, english.filter(lambda words: as_squad_has_it(" ".join(words))))
def test_squad_is_squad(answer, golden):
    answer, golden = " ".join(answer), " ".join(golden)
    said, wanted = as_squad_has_it(answer), as_squad_has_it(golden)
    common = sum((Counter(said) & Counter(wanted)).values())
    f1 = 2 * common / (len(said) + len(wanted)) if common else 0.0
    assert of_answer("squad_em", answer, golden) == (said == wanted)
    assert of_answer("squad_f1", answer, golden) == pytest.approx(f1)


@given(st.text(alphabet="ab'\"`.,:;?!()[]{}<>*-— 12$%&@#s«»“”‘’ntlreve", max_size=20))
def test_latin_words_in_chinese_are_cut_as_nltk_cuts_them(text):
    assert treebank(text) == NLTKWordTokenizer().tokenize(text)


@pytest.mark.parametrize(
    "text", ["i cannot", "gonna", "gotta go", "wanna be", "they'll", "don't", "'tis", "more'n", "d'ye"]
)
def test_contractions_are_cut_as_nltk_cuts_them(text):
    assert treebank(text) == NLTKWordTokenizer().tokenize(text)


def test_segments_of_mixed_text():
    assert segments("使用Python 3.11，速度提高25%！") == tuple("使 用 python 3.11 速 度 提 高 25 %".split())


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3,500 and 3.5", {"3500", "3.5"}),
        ("about -5 degrees", {"-5"}),
        ("pages 3-4", {"3", "4"}),
        ("三千五百米", {"3500"}),
        ("第三个", {"3"}),
        ("统一了一些", set()),
        ("two hundred and five", {"205"}),
        ("1.5亿", {"150000000"}),
    ],
)
def test_numbers_are_read_by_value(text, numbers):
    assert {format(one.normalize(), "f") for one in number_values(text)} == numbers


ANSWERS = (
    "exact_match",
    "token_f1",
    "token_precision",
    "token_recall",
    "word_f1",
    "sub_em",
    "rouge_1",
    "rouge_2",
    "rouge_l",
    "bleu",
    "chrf",
    "edit_similarity",
    "squad_em",
    "squad_f1",
    "cmrc_em",
    "cmrc_f1",
)
texts = st.lists(st.sampled_from("the red 北京 臺灣 3.14 house ２０２１年 , 。 It's C++ 水库".split()), max_size=8).map(
    " ".join
)


@given(texts, texts.filter(as_squad_has_it), st.sampled_from(ANSWERS))
def test_every_metric_is_between_0_and_1_and_more_golden_answers_never_lower_it(answer, golden, metric):
    found = of_answer(metric, answer, golden)
    assert 0 <= found <= 1
    assert of_answer(metric, answer, [golden, "red house"]) >= found - (1 if metric == "bleu" else 0)


@given(
    texts.filter(lambda text: re.search(r"\w", text)), st.sampled_from([name for name in ANSWERS if name != "rouge_2"])
)
def test_a_golden_answer_given_word_for_word_is_right(text, metric):
    if metric.startswith("rouge") and not re.search("[a-z0-9一-鿿]", text.lower()):
        return
    assert of_answer(metric, text, text) == pytest.approx(1.0)


@given(
    st.lists(st.sampled_from("red house north 北 京 水 7".split()), min_size=1, max_size=7).flatmap(
        lambda words: st.tuples(st.just(words), st.permutations(words))
    )
)
def test_bags_do_not_care_for_order(both):
    words, mixed = both
    assert of_answer("token_f1", " ".join(mixed), " ".join(words)) == pytest.approx(1.0)
    assert of_answer("rouge_1", " ".join(mixed), " ".join(words)) == pytest.approx(1.0)
