"""Samples on a small corpus, to be exported."""

from tests.corpus import corpus, sample

EN = "The pump at Fogbrook delivers 40 litres a second. It was installed in 1931 by Ada Finch.\n\nIts valve is brass."
HANS = "雾溪泵站每秒输水四十升。它由陈雨于1931年安装。\n\n阀门为黄铜制。"
HANT = "霧溪泵站每秒輸水四十升。它由陳雨於1931年安裝。\n\n閥門為黃銅製。"


def small():
    """A corpus of three documents and a sample in each of its languages, the last of them on two documents."""
    held = corpus(**{"pump.md": EN, "泵站.md": HANS, "泵站繁.md": HANT})
    english = sample(held, "When was the pump at Fogbrook installed?", "1931", "It was installed in 1931 by Ada Finch.")
    simplified = sample(held, "雾溪泵站每秒输水多少升？", "四十升", "雾溪泵站每秒输水四十升。")
    traditional = sample(held, "霧溪泵站的閥門是什麼做的？", "黃銅", "閥門為黃銅製。")
    return held, [english, simplified, traditional]
