"""Passages in English, simplified and traditional Chinese, with a question for each that says it in other words."""

from synth.retrieval.base import Passages

TEXTS = {
    "en-lamp": "The lamp at Kyle Point was lit for the first time in 1811. Its keeper lived below the gallery.",
    "en-ferry": "The ferry company sells tickets on the pier. A return ticket is cheaper on weekdays.",
    "en-stone": "Granite for the breakwater came from a quarry in the hills. Horses pulled the carts.",
    "zh-tea": "茶农在清明前采摘嫩芽。采下的茶叶当天就要炒干。",
    "zh-dam": "澄湖大坝建成于1965年。大坝高四十二米，用来防洪。",
    "hant-bridge": "石橋位於舊城的東門外。橋面由花崗岩鋪成，橋上禁止車輛通行。",
}
QUESTIONS = {
    "en-lamp": "When did Kyle Point's lamp first shine?",
    "en-ferry": "Where can ferry tickets be bought?",
    "en-stone": "Where was the breakwater's granite quarried?",
    "zh-tea": "采摘茶叶嫩芽要赶在什么节气之前？",
    "zh-dam": "澄湖的大坝有多高？",
    "hant-bridge": "石橋的橋面是用什麼鋪的？",
}
PASSAGES = Passages(tuple(TEXTS), tuple(TEXTS.values()))
