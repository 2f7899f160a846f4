"""Dates as values, in the three writings."""

import re
import string
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text import dates_chinese, dates_english
from synth.text.calendar_names import MONTHS
from synth.text.dates import Date, Period, find_dates, read_date
from synth.text.normalise import to_simplified

LANGUAGES = ("en", "zh-Hans", "zh-Hant")


def day(year, month=None, day=None):
    return Date(year=year, month=month, day=day)


def span(first, last):
    return Period(
        first=first if isinstance(first, Date) else day(first), last=day(last) if isinstance(last, int) else last
    )


ENGLISH = [
    ("The tower was finished in [1786].", day(1786)),
    ("Signed on [4 July 1776] in the hall.", day(1776, 7, 4)),
    ("On [July 4, 1776] they met.", day(1776, 7, 4)),
    ("The [4th of July 1776] was hot.", day(1776, 7, 4)),
    ("In [July 1776] it rained.", day(1776, 7)),
    ("Released [Sept. 1998] at last.", day(1998, 9)),
    ("It fell in [44 BC].", day(-44)),
    ("Built in [AD 79] by masons.", day(79)),
    ("Measured on [2007-08-03].", day(2007, 8, 3)),
    ("It stood [from 1870 to 1939].", span(1870, 1939)),
    ("It stood [between 1870 and 1939].", span(1870, 1939)),
    ("The keeper ([1786–1850]) lived here.", span(1786, 1850)),
    ("The [1870-71] season was short.", span(1870, 1871)),
    ("[264–146 BC] were years of war.", span(-264, -146)),
    ("Open [from 4 July 1776 to 3 May 1778].", span(day(1776, 7, 4), day(1778, 5, 3))),
    ("The club ([1998–present]) meets here.", span(1998, None)),
    ("Jazz of the [1920s].", span(1920, 1929)),
    ("Ships of the [19th century].", span(1801, 1900)),
    ("Coins of the [fifth century BC].", span(-500, -401)),
    ("In [March 1044 BC] the moon was dark.", day(-1044, 3)),
    ("On [March 15, 44 BC] he fell.", day(-44, 3, 15)),
    ("On [March 15, 1044 BC] he fell.", day(-1044, 3, 15)),
    ("Tombs of the [1250s BC].", span(-1259, -1250)),
    ("It flourished [from 1800 to 1700 BC].", span(-1800, -1700)),
    ("It flourished [between 1800 and 1700 BC].", span(-1800, -1700)),
    ("Copied in 1800 and [1700 BC].", day(-1700)),
    ("Copied in 1800, 1750 and [1700 BC].", day(-1700)),
    ("Tiberius ruled [AD 14–37].", span(14, 37)),
    ("He ruled [from AD 14 to 37].", span(14, 37)),
    ("He ruled [between AD 14 and 37].", span(14, 37)),
    ("He ruled [AD 117–38].", span(117, 138)),
    ("It ran [from 1990 to 15 May 1995].", span(1990, day(1995, 5, 15))),
    ("It ran [between 2001 and 12 March 2005].", span(2001, day(2005, 3, 12))),
    ("[Nineteenth-century] painters met.", span(1801, 1900)),
    ("In [mid-1998] it closed.".replace("[mid-", "mid-["), day(1998)),
    ("The summer of [1969] was dry.", day(1969)),
]
SIMPLIFIED = [
    ("他生于[1998年]。", day(1998)),
    ("会议在[1998年5月3日]开始。", day(1998, 5, 3)),
    ("他[一九九八年]毕业。", day(1998)),
    ("他于[二〇〇三年五月]到任。", day(2003, 5)),
    ("秦在[公元前221年]统一。", day(-221)),
    ("[公元79年]火山爆发。", day(79)),
    ("康熙二十三年（[1684年]）设府。", day(1684)),
    ("康熙二十三年（[1684]）设府。", day(1684)),
    ("升平五年（[361年]）去世。", day(361)),
    ("流行于[1990年代]。", span(1990, 1999)),
    ("流行于[二十世纪九十年代]。", span(1990, 1999)),
    ("这是[19世纪]的船。", span(1801, 1900)),
    ("[1998年至2003年]任职。", span(1998, 2003)),
    ("[1998-2003年]任职。", span(1998, 2003)),
    ("画家（[1870－1939]）住在这里。", span(1870, 1939)),
    ("[1998年5月3日至5日]放假。", span(day(1998, 5, 3), day(1998, 5, 5))),
    ("[公元前206年至公元8年]为西汉。", span(-206, 8)),
    ("民国三十八年（[1949年]）迁移。", day(1949)),
    ("[１９９８年５月]开馆。", day(1998, 5)),
    ("[1644年]四月城破。", day(1644)),
]
TRADITIONAL = [
    ("[民國38年]遷臺。", day(1949)),
    ("[西元79年]火山爆發。", day(79)),
    ("會議於[1998年5月3日]開始。", day(1998, 5, 3)),
    ("這是[十九世紀]的船。", span(1801, 1900)),
    ("[昭和20年8月15日]停戰。", day(1945, 8, 15)),
    ("秦於[西元前221年]統一。", day(-221)),
    ("他在[1998年至2003年]間任職。", span(1998, 2003)),
]
TABLE = [
    (language, *row)
    for language, rows in zip(LANGUAGES, (ENGLISH, SIMPLIFIED, TRADITIONAL), strict=True)
    for row in rows
]


@pytest.mark.parametrize(("language", "marked", "value"), TABLE)
def test_a_date_is_found_where_it_stands_with_its_value(language, marked, value):
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    found = [found for found in find_dates(text, language) if found.start == start]
    assert [(found.end, found.value) for found in found] == [(end, value)]
    assert read_date(text[start:end], language) == value


LOOK_ALIKES = {
    "en": [
        "It had 1786 ships.",
        "In 1786 ships sailed out.",
        "It has 1,786 rooms.",
        "Use port 8000 or 1786.",
        "Version 1.1998 and T-1998.",
        "The 2007-08 season.",
        "It took 31 June 1998.",
        "A total of 1500 was raised.",
        "in 2048 bytes",
        "The 1900s were long.",
        "On 4 July they met.",
        "3–5 May 1998",
        "RFC 1918 and x=1998",
        "The film of Twentieth Century Fox.",
        "The log of 1044-03-15 BC.",
    ],
    "zh-Hans": ["过了二十年。", "有近2000年的历史。", "流行于90年代。", "3000年前", "1998年2月30日", "二年级", "十八、十九世纪", "5月3日", "2007-08赛季", "1900年代"],
    "zh-Hant": ["過了二十年。", "有近2000年的歷史。", "流行於90年代。", "5月3日", "兩個世紀"],
}  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [(lang, text) for lang, texts in LOOK_ALIKES.items() for text in texts])
def test_what_is_no_sure_date_is_left_alone(language, text):
    assert find_dates(text, language) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "c. 1786"),
        ("en", "late 1920s"),
        ("zh-Hans", "约1850年"),
        ("zh-Hans", "1850年左右"),
        ("zh-Hant", "約1850年"),
    ],
)
def test_about_is_told(language, text):
    (found,) = find_dates(text, language)
    assert (found.start, found.end, found.approximate) == (0, len(text), True)


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "In the year 1786.", day(1786)),
        ("en", "1786", day(1786)),
        ("en", "44 B.C.", day(-44)),
        ("en", "44 B.C.E.", day(-44)),
        ("en", "70 A.D.", day(70)),
        ("en", "70 C.E..", day(70)),
        ("en", "the first century B.C.", span(-100, -1)),
        ("en", "some time around 1786", day(1786)),
        ("en", "~1786", day(1786)),
        ("en", "in about the year 1786.", day(1786)),
        ("zh-Hans", "1786年（乾隆五十一年）", day(1786)),
        ("zh-Hans", "1949年（民国三十八年）", day(1949)),
        ("zh-Hans", "1949年（民国三十九年）", None),
        ("zh-Hans", "1786年（乾隆朝）", None),
        ("zh-Hans", "于1998年时", day(1998)),
        ("zh-Hant", "1998", day(1998)),
        ("zh-Hans", "康熙二十三年（1684年）", day(1684)),
        ("en", "before 1786", None),
        ("en", "1786 ships", None),
        ("en", "", None),
        ("zh-Hans", "年", None),
        ("other", "1786 году", None),
    ],
)
def test_an_answer_is_read_whole(language, text, value):
    assert read_date(text, language) == value


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (day(1786), day(1811), True),
        (day(1811, 2, 1), day(1786), False),
        (day(1786), day(1786, 5), None),
        (day(1786), day(1786), None),
        (day(1786, 5), day(1786, 6, 1), True),
        (day(1786, 5, 3), day(1786, 5, 3), False),
        (day(-221), day(-206), True),
    ],
)
def test_before_only_where_the_precision_decides(a, b, answer):
    assert a.before(b) is answer


@st.composite
def some_dates(draw):
    year = draw(st.integers(-999, 2100).filter(bool))
    month = draw(st.none() | st.integers(1, 12)) if year >= 1000 else None
    return day(year, month, draw(st.none() | st.integers(1, 28)) if month else None)


def written(date, language):
    """A date in digits and names of months, as it is written in a language."""
    if language == "en":
        year = f"{-date.year} BC" if date.year < 0 else f"AD {date.year}" if date.year < 1000 else date.year
        return " ".join(str(part) for part in (date.day, date.month and MONTHS[date.month - 1], year) if part)
    era = "公元前" if date.year < 0 else "公元" if date.year < 1000 else ""
    rest = "".join(f"{number}{name}" for number, name in ((date.month, "月"), (date.day, "日")) if number)
    return f"{era}{abs(date.year)}年{rest}"


@given(some_dates(), st.sampled_from(LANGUAGES))
def test_a_written_date_is_read(value, language):
    assert read_date(written(value, language), language) == value


@given(
    st.text(alphabet=string.digits + " -/年月日至约世纪前公元一二〇十(),.BCADMay民國" + "‐–—", max_size=60),
    st.sampled_from(LANGUAGES),
)
def test_any_text_is_read_without_an_error_and_every_span_reads_alone(text, language):
    read_date(text, language)
    reached = 0
    for found in find_dates(text, language):
        assert reached <= found.start < found.end <= len(text)
        reached = found.end


@given(
    st.lists(st.sampled_from([row[1] for row in TABLE if row[0] == "zh-Hans"] + ["无。", "共有三艘船。"]), max_size=6)
)
def test_places_stay_exact_when_texts_are_joined(parts):
    marked = "".join(parts)
    text = re.sub(r"[\[\]]", "", marked)
    places = [mark.start() - shift for shift, mark in enumerate(re.finditer(r"[\[\]]", marked))]
    wanted = list(zip(places[::2], places[1::2], strict=True))
    assert set(wanted) <= {(found.start, found.end) for found in find_dates(text, "zh-Hans")}


def test_both_scripts_give_the_same_dates():
    for language, marked, _ in TABLE:
        if language == "zh-Hant":
            assert find_dates(marked, "zh-Hant") == find_dates(to_simplified(marked), "zh-Hans")


def steps(function, *arguments):
    """Lines of Python that a call runs."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count


def bounded(module):
    """The longest that a pattern of a module can match, for each."""
    patterns = [value for value in vars(module).values() if isinstance(value, re.Pattern)]
    return {pattern.pattern: re._parser.parse(pattern.pattern, pattern.flags).getwidth()[1] for pattern in patterns}


@pytest.mark.parametrize("module", [dates_english, dates_chinese])
def test_no_pattern_repeats_without_bound(module):
    assert max(bounded(module).values()) < 400


@pytest.mark.parametrize("unit", ["1", "1,", "1998年", "一", "1998-", "in 1998 ", "十九世纪", "（1998"])
@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_steps_grow_no_faster_than_the_text(unit, language):
    text = unit * (100_000 // len(unit))
    whole, half = (steps(find_dates, part, language) for part in (text, text[: len(text) // 2]))
    assert whole <= 2.2 * half + 500


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2012 年", Date(year=2012)),
        ("1943 年 1 月 7 日", Date(year=1943, month=1, day=7)),
        ("２００８ 年 ２ 月 ２８ 日", Date(year=2008, month=2, day=28)),
        ("约 1550 年", Date(year=1550)),
        ("1998年夏", Date(year=1998)),
        ("1999年9月底", Date(year=1999, month=9)),
        ("咸丰二年（1852年）10月", Date(year=1852, month=10)),
        ("明治29年（1896年）4月17日", Date(year=1896, month=4, day=17)),
        ("1623-25年间", Period(first=Date(year=1623), last=Date(year=1625))),
        ("自1981年起至2012年6月", Period(first=Date(year=1981), last=Date(year=2012, month=6))),
        ("从1998年到2003年", Period(first=Date(year=1998), last=Date(year=2003))),
        ("从2016年5月起", Period(first=Date(year=2016, month=5), last=None)),
        ("從1976年開始", Period(first=Date(year=1976), last=None)),
        ("1962年至今", Period(first=Date(year=1962), last=None)),
        (
            "1793年4月2日到1795年5月31日之间",
            Period(first=Date(year=1793, month=4, day=2), last=Date(year=1795, month=5, day=31)),
        ),
        ("1990 年代", Period(first=Date(year=1990), last=Date(year=1999))),
        ("2004年夏季奥运会", None),
        ("直到1958年", None),
    ],
)
def test_chinese_dates_as_they_are_written(text, value):
    assert read_date(text, "zh-Hans") == value
