"""Quantities as values, in the three writings."""

import re
import string
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text import numerals, quantities_chinese, quantities_english
from synth.text.normalise import to_simplified, to_traditional
from synth.text.numerals import read_chinese, read_english
from synth.text.quantities import (
    Quantity,
    find_quantities,
    read_quantity,
    same,
)
from synth.text.units import UNITS
from tests.text.test_dates import LANGUAGES, bounded, steps


def of(value, unit="", **more):
    dimension = UNITS[unit].dimension if unit else "count"
    return Quantity(value=Decimal(str(value)), unit=unit, dimension=dimension, **more)


ENGLISH = [
    ("It is [42 metres] tall.", of(42, "m")),
    ("It is [42 m] tall.", of(42, "m")),
    ("A [30-metre] tower.", of(30, "m")),
    ("After [14 nautical miles] it turns.", of(14, "nmi")),
    ("The server has [8GB] of memory.", of(8, "GB")),
    ("[1.5 million people] live there.", of(1500000, "person")),
    ("The inn has [forty-two rooms].", of(42, noun="rooms")),
    ("They built [3,500 ships].", of(3500, noun="ships")),
    ("It has [a hundred ships].", of(100, noun="ships")),
    ("It has [3 large rooms].", of(3, noun="large rooms")),
    ("About [42%]".replace("About ", "Some text: "), of(42, "percent")),
    ("[42 per cent] agreed.", of(42, "percent")),
    ("It cost [$1.2 billion].", of(1200000000, "usd")),
    ("It cost [£30].", of(30, "gbp")),
    ("It cost [₩50,000].", of(50000, "krw")),
    ("It cost [50,000 South Korean won].", of(50000, "krw")),
    ("It weighs [5 lb].", of(5, "pound")),
    ("It took [5 pounds].", of(5, noun="pounds")),
    ("It waits [0.5 seconds].", of("0.5", "s")),
    ("Files of [256 KB] are kept.", of(256, "kB")),
    ("It runs at [30 km/h].", of(30, "km/h")),
    ("It holds [at least 300 people].", of(300, "person", bound="at least")),
    ("It holds [300 people or more].", of(300, "person", bound="at least")),
    ("It is [about 300 m] long.", of(300, "m", approximate=True)),
    ("It serves [over 30 countries].", of(30, noun="countries", bound="more than")),
    ("A [12-year-old] boy.", of(12, "age")),
    ("It lasted [20 years].", of(20, "year")),
    ("It is [30 degrees Celsius] inside.", of(30, "celsius")),
]
SIMPLIFIED = [
    ("塔高[42米]。", of(42, "m")),
    ("塔高[三百米]。", of(300, "m")),
    ("有[1.5万人]居住。", of(15000, "person")),
    ("有[两百零五人]。", of(205, "person")),
    ("占[百分之四十二]。", of(42, "percent")),
    ("占[42％]。", of(42, "percent")),
    ("面积[12平方公里]。", of(12, "km2")),
    ("内存[8GB]。", of(8, "GB")),
    ("等待[30秒]。", of(30, "s")),
    ("航行[两小时]。", of(2, "hour")),
    ("长[一点五公里]。", of("1.5", "km")),
    ("楼高[三层]。", of(3, noun="层", measure="层")),
    ("拥有[五十艘船]。", of(50, noun="船", measure="艘")),
    ("投资[人民币30亿元]。", of(3000000000, "cny")),
    ("共有[2亿3000万人]。", of(230000000, "person")),
    ("[至少三百人]到场。", of(300, "person", bound="at least")),
    ("[300人以上]到场。", of(300, "person", bound="at least")),
    ("深[300米左右]。", of(300, "m", approximate=True)),
    ("有[十多个国家]。", of(10, noun="国家", measure="个", bound="more than")),
    ("经过[二十年]。", of(20, "year")),
    ("用了[三个月]。", of(3, "month")),
    ("长[５００公里]。", of(500, "km")),
    ("时速[100公里/小时]。", of(100, "km/h")),
    ("重[五千克]。", of(5, "kg")),
    ("他[廿八岁]。", of(28, "age")),
]
TRADITIONAL = [
    ("塔高[一點五公里]。", of("1.5", "km")),
    ("有[兩百零五人]。", of(205, "person")),
    ("有[三萬五千人]居住。", of(35000, "person")),
    ("投資[30億美元]。", of(3000000000, "usd")),
    ("投資[30億元]。", of(3000000000, "yuan")),
    ("航行[兩小時]。", of(2, "hour")),
    ("擁有[五十艘船]。", of(50, noun="船", measure="艘")),
    ("深[約300公尺]。", of(300, "m", approximate=True)),
    ("用了[三個月]。", of(3, "month")),
    ("[不到三年]完工。", of(3, "year", bound="less than")),
]
TABLE = [
    (language, *row)
    for language, rows in zip(LANGUAGES, (ENGLISH, SIMPLIFIED, TRADITIONAL), strict=True)
    for row in rows
]


@pytest.mark.parametrize(("language", "marked", "value"), TABLE)
def test_a_quantity_is_found_where_it_stands_with_its_value(language, marked, value):
    start, end = marked.index("["), marked.index("]") - 1
    text = marked.replace("[", "").replace("]", "")
    assert [(found.start, found.end, found.value) for found in find_quantities(text, language)] == [(start, end, value)]
    assert read_quantity(text[start:end], language) == value


LOOK_ALIKES = {
    "en": [
        "The T-100 runs Python 3.11 on Windows 11 users.",
        "HTTP 404 and RFC 2616",
        "See chapter 3 and table 12 rows.",
        "port 8000, v1.2.3, x=5",
        "the third room",
        "On 4 July 1776",
        "In 1786 ships sailed.",
        "It is 5 ft 11 in tall.",
        "2 hours and 30 minutes",
        "between 10 and 20 metres",
        "10-20 m, 10 to 20 people",
        "300 metres to 400 metres",
        "$30 per month and 5 GB per user",
        "every 5 seconds",
        "two thirds of the votes",
        "three of the rooms",
        "one day he left",
        "-30 °C",
        "two and a half years",
        "the '80s",
        "the short 1979 television series",
        "the top 10 cities",
        "Of the 12 of them, 7 won the crowd.",
    ],
    "zh-Hans": [
        "第三个国家", "数百人", "几十个", "两三百米", "七八个人", "三至五米", "10-20米", "两小时三十分钟", "每人30元", "每秒30米",
        "康熙二十三年", "1998年5月3日", "98年", "一年", "一个人", "统一三国", "五台山", "三门峡", "十分重要", "三分之一", "1米8",
        "三个半小时", "T-100型", "Python 3.11", "版本3", "三年级", "508年", "70公斤级", "9分9秒", "零下30℃", "五周年", "又名三台海子", "由四周汇聚", "九年，命权南院事。", "约 0.004 到 0.02 美元", "只输入两个码时",
    ],
    "zh-Hant": ["第三個國家", "數百人", "幾十個", "兩三百公尺", "每人30元", "三個半小時", "民國38年", "10至20公尺"],
}  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [(lang, text) for lang, texts in LOOK_ALIKES.items() for text in texts])
def test_what_is_no_sure_quantity_is_left_alone(language, text):
    assert find_quantities(text, language) == ()


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "3,500", of(3500)),
        ("en", "forty-two", of(42)),
        ("en", "8 GB.", of(8, "GB")),
        ("en", "one day", of(1, "day")),
        ("zh-Hans", "二十年", of(20, "year")),
        ("zh-Hant", "20年", of(20, "year")),
        ("zh-Hans", "三千五百", of(3500)),
        ("zh-Hans", "一个月", of(1, "month")),
        ("en", "a lot", None),
        ("en", "HTTP 404", None),
        ("zh-Hans", "几十个", None),
        ("en", "", None),
        ("other", "8 GB", None),
    ],
)
def test_an_answer_is_read_whole(language, text, value):
    assert read_quantity(text, language) == value


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        (of("1.5", "km"), of(1500, "m"), True),
        (of(8, "GB"), of(8000, "MB"), True),
        (of(1, "KiB"), of(1, "kB"), False),
        (of(2, "year"), of(24, "month"), True),
        (of(42), of(42, noun="rooms"), True),
        (of(42, noun="room"), of(42, noun="rooms"), True),
        (of(42, noun="ships"), of(42, noun="rooms"), False),
        (of(42, noun="國家", measure="個"), of(42, noun="国家", measure="个"), True),
        (of(300, "m"), of(300, "m", approximate=True), True),
        (of(300, "m"), of(300, "m", bound="more than"), False),
        (of(30, "usd"), of(30, "gbp"), False),
        (of(30, "day"), of(1, "month"), False),
    ],
)
def test_the_same_amount(a, b, alike):
    assert same(a, b) is same(b, a) is alike


_VALUES = st.decimals(min_value=0, max_value=10**11, places=2) | st.integers(2, 10**12).map(Decimal)
_WRITTEN = [unit for unit in UNITS if unit not in ("yuan", "li", "jin", "mu", "ton", "krw", "decade")]


def written(value, unit, language):
    """An amount of a unit as it is written in a language, in digits."""
    names = UNITS[unit]
    if language == "en":
        return f"{value:f} {(names.words[1:] or names.words or names.symbols or names.chinese)[0]}"
    name = (names.chinese or names.symbols or names.words)[0]
    return f"{value:f}{to_traditional(name) if language == 'zh-Hant' else name}"


@given(_VALUES, st.sampled_from(_WRITTEN), st.booleans(), st.sampled_from(LANGUAGES))
def test_a_written_quantity_is_read(value, unit, about, language):
    hedge = "" if not about else "about " if language == "en" else "约"
    read = read_quantity(hedge + written(value, unit, language), language)
    assert read is not None
    assert same(read, of(value, unit, approximate=about))
    assert read.approximate == about
    assert read.unit == unit


@pytest.mark.parametrize(
    ("written", "value"),
    [("十", "10"), ("廿三", "23"), ("一百五", "150"), ("三万五", "35000"), ("二〇〇三", "2003"), ("零点五万", "5000"), ("1.5万", "15000")]
    + [(vague, None) for vague in ("百万", "七八", "几十", "一百零", "三点五十", "", "半", "万", "一" * 99)],
)  # fmt: skip
def test_how_chinese_numerals_are_read(written, value):
    assert read_chinese(written) == (None if value is None else Decimal(value))


@pytest.mark.parametrize(
    ("written", "value"),
    [("three hundred and five", "305"), ("twelve hundred", "1200"), ("2.5 million", "2500000"), ("one million two hundred thousand", "1200000")]
    + [(vague, None) for vague in ("nineteen eighty-four", "one two", "dozens", "one hundred and", "", "third")],
)  # fmt: skip
def test_how_english_numbers_are_read(written, value):
    assert read_english(written) == (None if value is None else Decimal(value))


@given(
    st.text(alphabet=string.digits + " ,.-%$米年个人万亿十百千点两約约第m kKBstwo hundred" + "–％", max_size=60),
    st.sampled_from(LANGUAGES),
)
def test_any_text_is_read_without_an_error(text, language):
    read_quantity(text, language)
    reached = 0
    for found in find_quantities(text, language):
        assert reached <= found.start < found.end <= len(text)
        reached = found.end


@given(st.sampled_from(["en", "zh-Hans", "zh-Hant"]), st.data())
def test_places_stay_exact_when_texts_are_joined(language, data):
    rows = [row[1] for row in TABLE if row[0] == language]
    marked = "\n".join(data.draw(st.lists(st.sampled_from(rows), max_size=5)))
    text = re.sub(r"[\[\]]", "", marked)
    edges = [mark.start() - shift for shift, mark in enumerate(re.finditer(r"[\[\]]", marked))]
    assert [(found.start, found.end) for found in find_quantities(text, language)] == list(
        zip(edges[::2], edges[1::2], strict=True)
    )


def test_both_scripts_give_the_same_values():
    for language, marked, value in TABLE:
        if language == "zh-Hant" and value.unit != "yuan":
            (found,) = find_quantities(to_simplified(re.sub(r"[\[\]]", "", marked)), "zh-Hans")
            assert same(found.value, value)


@pytest.mark.parametrize("module", [quantities_english, quantities_chinese, numerals])
def test_no_pattern_repeats_without_bound(module):
    assert max(bounded(module).values()) < 500


@pytest.mark.parametrize("unit", ["1", "1,", "3 m ", "一", "三米", "two ", "五十艘船", "$1 "])
@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_steps_grow_no_faster_than_the_text(unit, language):
    text = unit * (20_000 // len(unit))
    whole, half = (steps(find_quantities, part, language) for part in (text, text[: len(text) // 2]))
    assert whole <= 2.2 * half + 500


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("unit", ["1", "1,", "九"])
def test_a_long_run_of_digits_ends(unit, language):
    assert find_quantities(unit * 100_000, language) == ()
