"""Closed lists by which a claim about a sentence is checked; Chinese ones are in simplified script."""

from __future__ import annotations

import re

WORD = re.compile(r"[A-Za-z0-9_]+(?:[.'’-][A-Za-z0-9_]+)*|[^\sA-Za-z0-9_]")
DETERMINERS = frozenset("a an the".split())
# English words that may stand between subject, relation and object without changing what is said.
BENIGN = frozenset(
    "a an the is are was were be been being has have had to in on at by of from with as for also and but".split()
)
NEGATIONS = frozenset("not never no cannot neither nor hardly rarely seldom n't".split())
MODALS = {
    "can": "can", "could": "can", "may": "may", "might": "may", "must": "must", "shall": "must", "should": "should",
    "ought": "should",
}  # fmt: skip
UNREAL = frozenset("would will".split())
APPROXIMATE = frozenset("about around nearly almost over approximately roughly under least most than".split())
# What may follow an object that was not cut short.
FOLLOWING = frozenset(
    "in on at by from during since until before after which where because while but using via whereas so".split()
)

# A reading that leaves these out misleads, whatever it keeps.
HEDGES = re.compile(
    r"\b(?:if|unless|whether|when(?:ever)?|perhaps|possibly|probably|maybe|likely|supposedly|reportedly|allegedly|"
    r"according\s+to|said|says?|claim(?:s|ed)?|believ(?:e|es|ed)|argu(?:e|es|ed)|suggest(?:s|ed)?|thought|think|thinks|"
    r"rumou?red|appears?|seems?|seemed|expected|planned|intended|except|other\s+than|instead\s+of|rather\s+than|"
    r"imagine|suppose|let's)\b|"
    r"如果|假如|倘若|要是|若是|除非|只要|即使|无论|可能|也许|或许|大概|似乎|好像|据说|据传|相传|传说|据.{1,12}?(?:称|报道|记载)|认为|声称|"
    r"宣称|主张|相信|猜测|估计|预计|预期|计划|打算|希望|假设|例如当|除了|当(?![地时代年今局前选中])[^，。；]{1,24}?时",
    re.IGNORECASE,
)
LIMITS = re.compile(
    r"\b(?:only|just|merely|mostly|mainly|partly|sometimes|usually|often|generally|typically|almost|nearly)\b|"
    r"仅|只(?!身)|部分|大多|通常|往往|有时|几乎|主要",
    re.IGNORECASE,
)
PRONOUN = re.compile(r"(?:It|He|She|They)\b(?!['’])|(?:它|他|她)们?(?![的们])")
LEANING = re.compile(
    r"(?:i|you|he|she|it|we|they|me|him|them|us|one|there|here|this|that|these|those|such|its|his|her|their|our|my|"
    r"your|another|others?|some|many|most|each|both|several|few|no|none|someone|something|anyone|everything|who|which|"
    r"what)\b|the\s+(?:former|latter|same|above|following|other|first|second|last|next|previous)\b|"
    r"[它他她我你您这那该此其本某各](?!人类|质|草)|上述|以下|前者|后者|有些|一些|许多",
)
# A noun that names one thing only where the text has told which.
BARE = re.compile(
    r"the\s+[a-z][a-z-]*$|(?:公司|学校|作者|城市|政府|该校|全校|全书|影片|电影|小说|专辑|歌曲|游戏|乐队|球队|比赛|节目|部队|车站|大楼)$"
)
# The four kinds of words that end a clause's subject matter or join it to another.
TAIL = re.compile(r"[,;:()—–，；：（）]|\b(?:and|but)\b")
CHINESE_TAIL = re.compile(r"[,;:，；：（）()]")

# "is a bridge over" with the river as its object: what it is, is the whole of it.
COMPLEMENT = re.compile(r"\s*(?P<verb>is|are|was|were)\s+(?=(?:an?|the)\s)")

CHINESE_BENIGN = re.compile(
    r"(?:也|亦|还|已经|已|曾经|曾|则|便|就|并且|并|且|而|被|是|了|同样|一共|共|正式|时|一[个种座间所家位名条部本项款门支类])*"
)
CHINESE_LINK = re.compile(r"[于在为成到自从至有]|以及")
CHINESE_PREPOSITION = re.compile(r"(?:由于|于|在|自|从|以|用|因|因为|为了|为|通过|按|据)$")
CHINESE_NEGATION = re.compile(r"没有|[不没未无非](?![仅断同久过少论未来线常])")
CHINESE_MODALS = re.compile(r"可以|能够|应该|应当|必须")
CHINESE_MODAL = {"可以": "can", "能够": "can", "应该": "should", "应当": "should", "必须": "must"}

_MONTHS = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|"
    "nov(?:ember)?|dec(?:ember)?"
)
KINDS = {
    "time": re.compile(
        rf"\d|\b(?:{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|century|daily|weekly|monthly|yearly|annually|"
        r"every|day|night|morning|evening|week|month|year|years|hours?|minutes?|seconds?|today|now|spring|summer|autumn|"
        r"winter|noon|midnight|weekdays?|weekends?|during|before|after|until|since)\b|"
        r"[年月日时号纪代初末早晨晚夜周期间季]|期间|今|每天",
        re.IGNORECASE,
    ),
    "place": re.compile(
        r"\b(?:in|at|on|near|from|to|inside|outside|within|under|over|across|along)\b|[A-Z\u3400-\u9fff]"
    ),
    "quantity": re.compile(
        r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|dozen|half|"
        r"twice|once)\b|[一二三四五六七八九十百千万亿两数几半]",
        re.IGNORECASE,
    ),
    "condition": re.compile(
        r"\b(?:if|when|whenever|unless|once|while|without|provided|only|in\s+case|as\s+long\s+as)\b|如果|若|当|只要|除非|时|下|情况",
        re.IGNORECASE,
    ),
    "reason": re.compile(r"\b(?:because|due|since|as|owing|for|thanks)\b|因|由于", re.IGNORECASE),
    "purpose": re.compile(r"\b(?:to|for|so)\b|为|以便|用于|用来|来", re.IGNORECASE),
    "manner": re.compile(r"\b(?:by|with|using|via|through|as|like|\w+ly)\b|[以用按]|通过|根据|方式|地$", re.IGNORECASE),
}
