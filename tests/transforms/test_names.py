import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.corpus.analysis.mentions.code import is_code_name
from synth.corpus.analysis.mentions.names import NameMention, is_name, key, long_form, trimmed, without_overlaps
from synth.text.normalise import to_traditional


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Harbour Board", "the Harbour Board"),
        ("Harbour Board", "HARBOUR BOARD"),
        ("Harbour Board", "Harbour Board's"),
        ("Harbour Board", "Harbour Board’s"),
        ("Northwind Traders", "Northwind Traders, Inc."),
        ("Northwind Traders", "Northwind Traders Ltd"),
        ("华远科技", "华远科技有限公司"),
        ("華遠科技", "华远科技股份有限公司"),
        ("港務局", "港务局"),
        ("ＡＰＩ", "api"),
        ("Ｔ－１００", "T-100"),
        ("response_model", "Response Model"),
        ("read_items()", "read_items"),
        ("让·雅克·卢梭", "让‧雅克‧卢梭"),
        ("JSON", "json"),
    ],
)
def test_spellings_of_one_name(one, other):
    assert key(one) == key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2018 Annual Report", "2019 Annual Report"),
        ("2018年年度报告", "2019年年度报告"),
        ("T-100", "T-200"),
        ("T-100", "T-1000"),
        ("Python 3.1", "Python 31"),
        ("IT", "it"),
        ("US", "us"),
        ("WHO", "who"),
        ("REST", "rest"),
        ("C", "C#"),
        ("C", "C++"),
        (".NET", "net"),
        ("第3届会议", "第4届会议"),
    ],
)
def test_names_that_stay_apart(one, other):
    assert key(one) != key(other)


@pytest.mark.parametrize(
    "surface",
    [
        "Lisbon",
        "FastAPI",
        "API",
        "IT",
        "港务局",
        "港務局",
        "World War II",
        "T-100",
        "OAuth2",
        "Gtk♯",
        "Act of Union",
        "第3届会议",
    ],
)
def test_what_may_be_a_name(surface):
    assert is_name(surface)


NO_NAMES = [
    "a",
    "X",
    "42",
    "3.14",
    "2019",
    "2019年5月",
    "十二",
    "III",
    "it",
    "they",
    "them",
    "他们",
    "這",
    "Monday",
    "Note",
    "WARNING",
    "注意",
    "NOT",
    "https://a.example/x",
    "guide.md",
    "www.example.org",
    "<br>",
    "{x}",
    "a@b.example",
    "Mr",
    "**",
    "《》",
]


@pytest.mark.parametrize(
    "surface",
    [
        *NO_NAMES,
        "",
        "May 2019",
        "5 March",
        "| a",
        "of the",
        "The board met. then it left",
        "港务局开会。大家来了",
        "one two three four five six seven eight nine",
    ],
)
def test_what_is_no_name(surface):
    assert not is_name(surface)


@pytest.mark.parametrize(
    "code", ["response_model", "HTTPException", "BackgroundTasks", "fastapi.Query", "--reload", "read_all()"]
)
def test_code_that_names_something(code):
    assert is_code_name(code)


@pytest.mark.parametrize(
    "code",
    ["q", "x", "str", "None", "True", "str | None", "= None", "0.1.2", "/docs", "main.py", "'a'", "item_id", "{}"],
)
def test_code_that_does_not(code):
    assert not is_code_name(code)


@pytest.mark.parametrize(
    ("short", "before", "long"),
    [
        ("API", "an Application Programming Interface", "Application Programming Interface"),
        ("DNA", "the deoxyribonucleic acid", "deoxyribonucleic acid"),
        ("NSF", "by the National Science Foundation", "National Science Foundation"),
        ("HTTP", "the Hypertext Transfer Protocol", "Hypertext Transfer Protocol"),
        ("UTM", "a Universal Testing Machine", "Universal Testing Machine"),
        ("XYZ", "the harbour board of the town", None),
        ("API", "", None),
    ],
)
def test_what_an_acronym_stands_for(short, before, long):
    place = long_form(short, before)
    assert (None if place is None else before[place:]) == long


def test_trimming():
    for text, kept in [
        (" the Board's ", "Board"),
        ("“港务局”，", "港务局"),
        ("U.S.", "U.S."),
        ("Bank (UK)", "Bank (UK)"),
        ("x.", "x"),
    ]:
        start, end = trimmed(text, 0, len(text))
        assert text[start:end] == kept


def test_of_overlapping_names_the_longest_stays():
    long, short, apart = (
        NameMention(0, 10, "a", "name"),
        NameMention(4, 8, "b", "person"),
        NameMention(10, 12, "c", "name"),
    )
    same = NameMention(0, 10, "a", "place")
    assert without_overlaps([short, apart, long, same]) == [same, apart]


@given(st.text(alphabet="港務局图書馆API api-1２", min_size=1, max_size=12))
def test_a_key_is_the_key_of_its_own_spelling_in_the_other_script(text):
    assert key(text.replace("務", "务").replace("書", "书").replace("图", "圖")) == key(text)


def test_a_traditional_text_has_the_keys_of_the_simplified_one():
    for name in ("中华图书馆", "台湾大学", "程序员协会", "发展银行"):
        traditional = "".join(to_traditional(char) for char in name)
        assert key(traditional) == key(name)
