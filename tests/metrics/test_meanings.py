"""Answers are read as people mean them: amounts in words, yes and no, names in short, and whole lists."""

import pytest

from synth.evaluation.measuring.amounts_in_words import amount_names, values_of
from synth.evaluation.measuring.answer_agreement import correctness
from synth.evaluation.measuring.answer_numerals import Bound, bound_at, plain_numerals
from synth.evaluation.measuring.yes_no import asks_yes_or_no, says_yes

PAIRS = [
    ('How long does it take?', '90 minutes', 'an hour and a half', True),
    ('How long does it take?', '2.5 hours', 'two and a half hours', True),
    ('How long does it take?', '2.5 hours', 'two hours', False),
    ('How long?', '30 minutes', 'half an hour', True),
    ('How long?', '45 minutes', 'three quarters of an hour', True),
    ('How long?', 'six months', 'half a year', True),
    ('How long?', '14 days', 'a fortnight', True),
    ('How long?', '7 days', 'a week', True),
    ('How long?', '12 months', 'one year', True),
    ('How many eggs?', '24', 'two dozen', True),
    ('How many eggs?', '6', 'half a dozen', True),
    ('How many eggs?', '12', 'two dozen', False),
    ('How many?', '2', 'a couple of them', True),
    ('What share voted yes?', '75%', 'three quarters', True),
    ('What share voted yes?', '33%', 'one third', True),
    ('What share voted yes?', 'two thirds', '66.7%', True),
    ('What share voted yes?', 'two thirds', '67%', True),
    ('What share?', 'two thirds', '60%', False),
    ('What share?', '1/4', '25 percent', True),
    ('What share?', 'one in five', '20%', True),
    ('What share?', '50%', 'half', True),
    ('What share?', 'half of the members', '50%', True),
    ('How long is it?', '26.2 miles', '42.195 km', True),
    ('How far?', '100 km', '62 miles', True),
    ('How far?', '100 km', '100 miles', False),
    ('How hot?', '100 °C', '212 °F', True),
    ('How hot?', '20°C', '20°F', False),
    ('How heavy?', '5 kg', '11 lb', True),
    ('How tall?', '5 ft 10 in', '178 cm', True),
    ('How tall?', '1.8 m', '180 cm', True),
    ('When?', '10:15', 'quarter past ten', True),
    ('What time?', '9:50', 'ten to ten', True),
    ('What time does it open?', '9:30 am', 'half past nine in the morning', True),
    ('What time does it open?', '7 pm', 'seven in the evening', True),
    ('What time?', '19:00', "7 o'clock in the evening", True),
    ('What time?', '7:45 pm', 'quarter to eight in the evening', True),
    ('What time?', '7:45', 'quarter past seven', False),
    ('What time?', '16:30', '4.30 p.m.', True),
    ('What time?', '0730', '7:30', True),
    ('In which century?', '13th century', 'the 1200s', True),
    ('In which century?', '19th century', 'the nineteenth century', True),
    ('In which century?', '19th century', 'the eighteenth century', False),
    ('Which floor?', '21st', 'the twenty-first floor', True),
    ('How much?', '$0.50', '50 cents', True),
    ('How much?', '£1.20', '120p', True),
    ('How many are allowed?', 'up to 5', 'a maximum of 5', True),
    ('How many?', 'at least 3', '3 or more', True),
    ('How many?', 'more than 3', 'at least 3', False),
    ('Age?', '18 or over', 'over 18', False),
    ('Age?', 'under 18', 'below 18', True),
    ('Is it open on Sunday?', 'No', 'It is closed on Sundays.', True),
    ('Is it open on Sunday?', 'Yes', 'Yes, from 9 to 5', True),
    ('Is smoking allowed?', 'No', 'Smoking is prohibited.', True),
    ('Is smoking allowed?', 'No', 'Smoking is allowed.', False),
    ('Can I bring a dog?', 'Yes', 'Dogs may be brought.', True),
    ('Can I bring a dog?', 'Yes, on a leash only', 'Yes', False),
    ('Do I need a visa?', 'No, not for stays under 90 days', 'Yes', False),
    ('Do I need a visa?', 'Yes', 'You need a visa.', True),
    ('Do I need a visa?', 'Yes', 'You do not need a visa.', False),
    ('Who wrote it?', 'J. R. R. Tolkien', 'John Ronald Reuel Tolkien', True),
    ('Who wrote it?', 'John Fitzgerald Kennedy', 'JFK', True),
    ('Who wrote it?', 'JFK', 'Jacqueline Kennedy', False),
    ('Who?', 'J. K. Rowling', 'Joanne Rowling', True),
    ('Which agency?', 'NASA', 'National Aeronautics and Space Administration', True),
    ('Which union?', 'EU', 'the European Union', True),
    ('Which union?', 'European Union', 'African Union', False),
    ('Which university?', 'UCLA', 'University of California, Los Angeles', True),
    ('Which university?', 'University of California', 'University of Southern California', False),
    ('Which?', 'Boston University', 'Boston College', False),
    ('Who?', 'Martin Luther King Jr.', 'Martin Luther King Sr.', False),
    ('Which countries border it?', 'France, Spain, Portugal', 'Spain, France and Portugal', True),
    ('Which countries border it?', 'France, Spain, Portugal', 'France and Spain', False),
    ('Which colours?', 'red and white', 'red, white and blue', False),
    ('Which colours are on the flag?', 'red, white and blue', 'The flag is red, white and blue.', True),
    ('Where is it?', 'Springfield, Illinois, USA', 'Springfield, Illinois', True),
    ('When exactly, on which date?', '5 May 1999', 'May 1999', False),
    ('What date?', '5 May 1999', '1999-05-05', True),
    ('Which gas?', 'carbon dioxide', 'CO2', True),
    ('Which metal?', 'Fe', 'iron', True),
    ('Which gas?', 'oxygen', 'O3', False),
    ('多久?', '90分钟', '一个半小时', True),
    ('多久?', '半小时', '30分钟', True),
    ('多久?', '两年半', '30个月', True),
    ('多久?', '半年', '6个月', True),
    ('多久?', '一刻钟', '15分钟', True),
    ('多久?', '两个半小时', '150分钟', True),
    ('多久?', '两个半小时', '120分钟', False),
    ('占多少?', '三成', '30%', True),
    ('占多少?', '七成五', '75%', True),
    ('占多少?', '四分之三', '75%', True),
    ('占多少?', '三分之一', '33.3%', True),
    ('占多少?', '一半', '50%', True),
    ('占多少?', '千分之三', '0.3%', True),
    ('打几折?', '九折', '10% off', True),
    ('打几折?', '七五折', '75%', True),
    ('打几折?', '七折', '优惠30%', True),
    ('哪一年?', '民国三十八年', '1949年', True),
    ('哪一年?', '民国100年', '2010年', False),
    ('哪一年?', '昭和20年', '1945年', True),
    ('多重?', '2斤', '1公斤', True),
    ('多重?', '两斤半', '1.25公斤', True),
    ('多远?', '10里', '5公里', True),
    ('多重?', '半斤', '250克', True),
    ('多少钱?', '三块五', '3.5元', True),
    ('多少钱?', '5毛', '0.5元', True),
    ('多少钱?', '人民币100元', '100元', True),
    ('多少钱?', '100美元', '100元', False),
    ('多少錢?', '港幣500元', 'HK$500', True),
    ('几点?', '下午三点半', '15:30', True),
    ('几点?', '早上八点', '8:00', True),
    ('几点?', '晚上八点', '8:00 am', False),
    ('几点?', '差五分九点', '8:55', True),
    ('几点?', '午夜十二点', '0:00', True),
    ('几点?', '中午12点', '12:00', True),
    ('幾點?', '下午兩點', '14:00', True),
    ('温度?', '零下5度', '-5℃', True),
    ('温度?', '摄氏25度', '25°C', True),
    ('几个?', '三个', '3', True),
    ('几张?', '两张', '2张', True),
    ('几张?', '两张', '三张', False),
    ('可以吗?', '可以', '能', True),
    ('可以吗?', '不行', '不可以', True),
    ('可以带宠物吗?', '不可以', '禁止携带宠物', True),
    ('可以带宠物吗?', '可以', '允许携带宠物', True),
    ('需要预约吗?', '需要', '不用预约', False),
    ('需要预约吗?', '不需要', '无需预约', True),
    ('会员免费吗?', '是', '会员免费', True),
    ('周末开放吗?', '开放', '周末不开放', False),
    ('要付押金吗?', '要', '需支付押金', True),
    ('哪所大学?', '上海交通大学', '上海大学', False),
    ('哪所大学?', '复旦大学', '同济大学', False),
    ('哪個大學?', '國立政治大學', '政大', True),
    ('哪个组织?', '世界卫生组织', '世卫组织', True),
    ('哪个机构?', '国家发展和改革委员会', '发改委', True),
    ('哪所大学?', '北京大学', '北京师范大学', False),
    ('哪所大学?', '北京大学', '东北大学', False),
    ('至少多少?', '至少3人', '3人以上', True),
    ('最多?', '不超过5人', '5人以内', True),
    ('几岁?', '年满18岁', '18岁以上', True),
    ('几岁?', '未满18岁', '年满18岁', False),
    ('有哪些?', '苹果、香蕉、橙子', '苹果、香蕉', False),
    ('有哪些?', '苹果、香蕉', '苹果、香蕉和梨', False),
    ('有哪些?', '苹果、香蕉、橙子', '橙子、苹果和香蕉', True),
    ('Who won?', 'Spain beat England', 'England beat Spain', False),
    ('Who sued whom?', 'Apple sued Samsung', 'Samsung sued Apple', False),
    ('谁打败了谁?', '巴西击败德国', '德国击败巴西', False),
    ('Who acquired whom?', 'Google acquired YouTube', 'YouTube was acquired by Google', True),
]  # fmt: skip


def language_of(text):
    traditional = any(char in text for char in "幾錢學國幣個")
    return "zh-Hant" if traditional else "zh-Hans" if any(char >= "\u3400" for char in text) else "en"


@pytest.mark.parametrize(("question", "golden", "answer", "wanted"), PAIRS)
def test_an_answer_agrees_where_people_say_so(question, golden, answer, wanted):
    score = correctness(answer, golden, question, [golden], language_of(question + golden + answer))
    assert (score >= 0.5) == wanted


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("an hour and a half", "1.5 hour"),
        ("two and a half years", "2.5 years"),
        ("a quarter of a litre", "0.25 litre"),
        ("two thirds of them", "2÷3 of them"),
        ("third place", "third place"),
        ("the second half of the year", "the second half of the year"),
        ("dozens of people", "dozens of people"),
        ("the twenty-first floor", "the 21st floor"),
        ("five to ten people", "five to ten people"),
        ("三门县", "三门县"),
        ("一个半小时", "1.5小时"),
        ("半导体", "半导体"),
        ("九成五", "95%"),
        ("成立于三成", "成立于30%"),
        ("民國四十五年", "1956年"),
        ("新台幣12億元", "12亿元新台币"),
        ("三块五", "3.5元"),
    ],
)
def test_amounts_in_words_are_written_in_digits(text, plain):
    assert plain_numerals(text, "zh") == plain


def test_times_in_words_are_read_in_texts_about_times_alone():
    assert plain_numerals("a quarter to midnight", clock=True) == "11h45m pmclock"
    assert plain_numerals("half past seven in the evening", clock=True) == "7h30m pmclock"
    assert plain_numerals("晚上十点三刻") == "10h45m pmclock"
    assert plain_numerals("三点", clock=True) == "3h00m"
    assert plain_numerals("三点") == "三点"


def test_a_catty_is_that_of_the_language():
    assert plain_numerals("10斤", "zh-Hans") == "5公斤"
    assert plain_numerals("10斤", "zh-Hant") == "6公斤"


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Is it open?", True),
        ("If I am late, can I still enter?", True),
        ("Is it red or blue?", False),
        ("What is it?", False),
        ("可以吗?", True),
        ("他是不是老师?", True),
        ("这是什么?", False),
    ],
)
def test_questions_for_yes_or_no_are_known(question, wanted):
    assert asks_yes_or_no(question) == wanted


@pytest.mark.parametrize(
    ("question", "answer", "wanted"),
    [
        ("Is smoking allowed?", "Smoking is not allowed.", False),
        ("Is smoking allowed?", "Smoking is prohibited.", False),
        ("Is smoking prohibited?", "Smoking is prohibited here.", True),
        ("Is smoking allowed?", "Smoking is not forbidden.", True),
        ("Is smoking allowed?", "Ask the staff.", None),
        ("需要预约吗?", "无需预约", False),
        ("需要预约吗?", "要先预约", True),
    ],
)
def test_what_an_answer_says_to_a_question_for_yes_or_no(question, answer, wanted):
    assert says_yes(answer, question) is wanted


def test_bounds_are_strict_where_the_figure_is_out_of_them():
    assert bound_at("more than 50", 10, 12) == Bound(1, strict=True)
    assert bound_at("at least 50", 9, 11) == Bound(1, strict=False)
    assert bound_at("within 50", 7, 9).strict is None
    assert Bound(1, strict=True).contradicts(Bound(1, strict=False))
    assert not Bound(1, strict=True).contradicts(Bound())


def test_every_list_of_values_has_its_source():
    names = amount_names()
    for table in (
        *(names["english"][name] for name in ("fractions", "ordinals", "cents")),
        *(names["chinese"][name] for name in ("eras", "currencies", "dollars", "customary", "temperatures")),
    ):
        assert table["source"]
        assert values_of(table)
