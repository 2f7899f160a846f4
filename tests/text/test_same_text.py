"""Two editions of a page are one text; pages on one matter are not."""

import pytest

from synth.text.same_text import is_same_text, says_the_same

MAINLAND = (
    "凯尔灯塔建于1811年，位于离岸十一海里的礁石上。值班人员通过软件发送信息，大雾天每分钟敲一次钟，晴天夜里只照看灯火。"
)
TAIWAN = (
    "凱爾燈塔建於1811年，位於離岸十一海里的礁石上。值班人員透過軟體傳送訊息，大霧天每分鐘敲一次鐘，晴天夜裡只照看燈火。"
)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (MAINLAND, TAIWAN, True),
        (MAINLAND + "看守人每年休假六周，岸站的看守人休假四周。", TAIWAN, True),
        (MAINLAND, "马罗灯塔建于1833年，位于河口的沙洲上。看守人大雾天吹号角，夜里擦拭镜片，每年休假四周。", False),
        ("The Kell lighthouse was built in 1811 on a reef.", "the KELL lighthouse was built in 1811, on a reef", True),
        ("The Kell lighthouse was built in 1811 on a reef.", "The Maro tower fell in 1833 in a storm.", False),
        ("", "", False),
    ],
)
def test_the_same_text_is_told_from_one_on_the_same_matter(one, other, same):
    assert is_same_text(one, other) is same
    assert is_same_text(other, one) is same


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Sales of the Kell works rose by 8% to 12.4 million.", "Up 8%, the works sold for 12.4 million.", True),
        (
            "Sales of the Kell works rose by 8% to 12.4 million.",
            "Costs of the Maro works fell by 8% to 3 million.",
            False,
        ),
        (
            "Keepers of rock stations have six weeks of leave.",
            "All keepers of rock stations have six weeks of leave",
            True,
        ),
        ("The April plan costs nine euros a month.", "The May plan costs seven euros a month.", False),
        ("Kell lighthouse stands far out on a reef.", "Maro lighthouse stands far out on a reef.", False),
        ("The fee is 20 euros for each visitor.", "The fee is 30 euros for each visitor.", False),
        ("净销售额增长11%，达到5748亿美元。", "2023年净销售额为5748亿美元，增长11%。", True),
        ("凯尔灯塔建于1811年，位于礁石上。", "马罗灯塔建于1833年，位于礁石上。", False),
        ("Sales rose.", "Sales rose.", False),
    ],
)
def test_sentences_that_state_the_same_fact_are_told_from_those_of_one_template(one, other, same):
    assert says_the_same(one, other) is same
    assert says_the_same(other, one) is same
