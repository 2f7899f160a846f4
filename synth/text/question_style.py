"""Style, length and kind of a question, from its wording."""

from __future__ import annotations

import itertools
import re

from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified
from synth.text.typos import has_slip, mended

STYLES = ("plain", "keywords", "conversational", "formal", "typos")
UNMODELLED_STYLES = ("plain", "typos")
"""Styles that need no chat model.

For the other styles, rules could only put one fixed phrase around each question.
"""

LENGTHS = ("short", "medium", "long")
KINDS = (
    "who", "when", "where", "which", "what", "how_many", "how_to", "how", "why", "yes_no", "condition", "comparison",
    "other",
)  # fmt: skip

# Near the terciles of human questions: words in XQuAD (English), characters in CMRC 2018 (Chinese).
SHORT_WORDS, MEDIUM_WORDS = 8, 12
SHORT_CHARACTERS, MEDIUM_CHARACTERS = 12, 17
_QUERY = 12  # maximum units of a Chinese search query without a question mark

_HAN = "\u3400-\u9fff"
_UNIT = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+(?:[.'’_-][^\W{_HAN}]+)*")
_MARK = re.compile(r"[?？]\s*+[”\"'」』）)]*+\s*+(?:(?:thanks|thank you|谢谢|多谢)\W*)?$", re.IGNORECASE)

_ENGLISH_CASUAL = re.compile(
    r"^(?:hi|hey|hello|ok(?:ay)?|so|um|well|sorry|btw|yo|guys)\b[\s,!.:]|^(?:quick|random|silly|dumb) question\b|"
    r"^(?:just|i'm|i was|been) (?:curious|wondering)\b|^i wonder\b|\b(?:do|does|did|would) (?:you|any(?:one|body)) "
    r"(?:happen to )?know\b|^any(?:one|body)? (?:idea|clue|know)\b|"
    r"\b(?:can|could) (?:you|some(?:one|body)|any(?:one|body)) (?:please )?(?:tell|help|remind)\b|"
    r"^(?:tell|remind) me\b|, (?:do you know|any ideas?|by any chance|right)\?|"
    r"\b(?:thanks|thx|pls|plz|gonna|wanna|kinda)\b|\bi(?:'ve| have|'m| am) (?:trying|looking|been)\b",
    re.IGNORECASE,
)
_REQUESTS = (
    "state|specify|indicate|clarify|explain|describe|provide|advise|elaborate|confirm|identify|outline|list|answer"
)
_ENGLISH_FORMAL = re.compile(
    r"^(?:could|would|might|may|can) (?:you|one|i|it) (?:please |kindly |be (?:able|so kind as) to |ask you to |ask )*"
    rf"(?:{_REQUESTS})\b|^(?:kindly|please) (?:{_REQUESTS})\b|^may i (?:ask|enquire|inquire)\b|"
    r"^i (?:should|would) (?:like|be grateful)\b|^in what manner\b",
    re.IGNORECASE,
)
_CHINESE_CASUAL = re.compile(
    r"^(?:你好|您好|嗨|哈喽|大家好|求助|求问|弱弱|问个|问下|想问|想请教|想知道|好奇|话说|麻烦问)|请问一下|有人知道|有谁知道|"
    r"(?:你|大家)知道.*吗|知不知道|谁能告诉|[呀啊哦嘛啦哈]$|来着$|呢$|谢谢|多谢|啥|咋"
)
_CHINESE_FORMAL = re.compile(
    r"^(?:能否|可否|烦请|敬请|恳请|请(?!问|求|教|愿|假))|^请问.*(?:何[年时处人地为种科]|为何|如何|是否|有何|[^什]么?之)|^何为|"
    r"^试(?:述|说明|问)|请您|敬问|烦告"
)
_ARTICLES = frozenset(("a", "an", "the"))
_ASKS_CHINESE = re.compile(
    r"什么|甚么|哪|谁|多少|几[个位名年]|何|怎|吗|呢|是否|多[长大高远久重深宽快厚]|[是有能会可]不|没有"
)


def style_of(question: str, language: str) -> str:
    """Return the style of a question in `language` ("en", "zh-Hans", "zh-Hant"), one of `STYLES`.

    "conversational" has a greeting or filler, "formal" a polite phrase. "typos" has a known typing error, or starts in
    lower case and has no question mark. "keywords" has no question mark and is no full sentence. Any other question,
    and any question in another language, is "plain".
    """
    text = fold_width(question).strip()
    if is_chinese(language):
        return _chinese(to_simplified(text), has_mark=bool(_MARK.search(text)))
    return _english(text, has_mark=bool(_MARK.search(text))) if language == "en" else "plain"


def _english(text: str, *, has_mark: bool) -> str:
    if _ENGLISH_FORMAL.search(text):
        return "formal"
    if _ENGLISH_CASUAL.search(text):
        return "conversational"
    if has_slip(text, "en"):
        return "typos"
    if has_mark:
        return "plain"
    words = text.split()
    # An article inside a name, as in "University of the Year", does not count as an article of the sentence.
    articles = sum(a.lower() in _ARTICLES and not b[:1].isupper() for a, b in itertools.pairwise(words))
    if not articles or len(words) < 5:
        return "keywords"
    return "typos" if text[:1].islower() else "plain"


def _chinese(text: str, *, has_mark: bool) -> str:
    bare = re.sub(r"[?!.。\s]+$", "", text)
    if _CHINESE_FORMAL.search(bare):
        return "formal"
    if _CHINESE_CASUAL.search(bare):
        return "conversational"
    if has_slip(text, "zh-Hans"):
        return "typos"
    spaced = re.search(rf"[{_HAN}”》」)]\s+[{_HAN}“《「(]", bare)
    if not has_mark and (spaced or not _ASKS_CHINESE.search(bare) or len(_UNIT.findall(bare)) <= _QUERY):
        return "keywords"
    return "plain"


def size(question: str, language: str) -> int:
    """Return the length of a question in words.

    The length of a Chinese question is in characters. A Latin word or a number in it counts as one character.
    """
    return len(_UNIT.findall(question)) if is_chinese(language) else len(question.split())


def length_band(question: str, language: str) -> str:
    """Return "short" (at most 8 words or 12 Chinese characters), "medium" (at most 12 or 17) or "long"."""
    short, medium = (SHORT_CHARACTERS, MEDIUM_CHARACTERS) if is_chinese(language) else (SHORT_WORDS, MEDIUM_WORDS)
    counted = size(question, language)
    return "short" if counted <= short else "medium" if counted <= medium else "long"


_AMOUNTS = "many|much|long|old|far|tall|high|deep|wide|large|big|fast|often|heavy"
_TIMES = "year|date|day|month|decade|century|time|era|period"
_PLACES = "country|city|place|town|location|state"
_MORE = "earlier|later|older|younger|larger|smaller|longer|shorter|taller|higher|lower|more|less|first"
_CLAUSES = (
    ("condition", r"^(?:if|when|unless|suppose|without) .*,? (?:what|which|who|how|will|can|does|do|is|are)\b"),
    ("condition", r"\bwhat (?:happens|will happen|would happen|happened) (?:if|when|unless)\b|\bwhat if\b"),
    (
        "condition",
        r"\bunder (?:what|which) (?:condition|circumstance)|^(?:what|which|how|who|where) .*\b(?:if|unless)\b",
    ),
    ("comparison", rf"\b(?:{_MORE})\b.*\bor\b|\bdifference between\b|\bcompared? (?:to|with)\b|\bvs\b"),
)
# Patterns of the text from the first question word on.
_WORDS = (
    ("when", rf"when\b|(?:what|which) (?:{_TIMES})\b"),
    ("how_many", rf"how (?:{_AMOUNTS})\b|what (?:\w+ )?(?:percentage|number|share|proportion|amount)\b"),
    ("why", r"why\b|how come\b|(?:what|which) (?:reason\b|(?:is|was) the reason\b)"),
    ("how_to", r"how to\b|how (?:can|do|should|could|would|might) (?:you|i|we|one)\b"),
    ("how_to", r"what way (?:can|do|should|could|would|might) (?:you|i|we|one)\b|what is (?:the )?recommended\b"),
    ("how_to", r"what (?:to do|should (?:you|i|one) do)\b"),
    ("who", r"who"),
    ("where", rf"where\b|(?:what|which) (?:{_PLACES})\b"),
    ("how", r"how\b|what way\b"),
    ("which", r"which\b"),
    ("what", r"what"),
)
_WORDLESS = (
    ("yes_no", r"^(?:is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have|had)\b|\bwhether\b"),
    ("when", r"\b(?:date|year)$"),
    ("where", r"\blocation$"),
    ("how_many", r"\b(?:number|percentage)\b"),
)
_FIRST_WORD = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)
_CHINESE_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("condition", r"(?:如果|假如|若|要是|倘若|一旦|除非|只要|只有).*(?:什么|怎|哪|谁|如何|多少|吗|是否|会|能)"),
        ("condition", r"什么(?:情况|条件)下"),
        ("comparison", r"还是|哪[一个]*(?:更|较)|(?:更|较)[早晚大小长短高低多少]|区别|差别|不同"),
        ("when", r"什么时候|何时|哪一?年|何年|哪一?[天日月]|哪个?(?:世纪|年代|朝代|时期)|什么时间"),
        ("why", r"(?<![称叫作名改视])为什么|为何|因何|什么原因|因什么|怎么会|为啥|原因$"),
        ("how_many", r"多少|(?<!好)几[^\W年月何乎]|多[长大高远久重深宽快厚](?!的)"),
        ("how_many", r"百分之几|数量$"),
        ("who", r"谁|何人|哪[一]?[位名]|什么人"),
        ("where", r"哪里|哪儿|何处|何地|什么地方|哪个?(?:国家|城市|地区|省|市|县|国)(?!人)"),
        ("where", r"(?:位置|地点|出生地|分布地区)$"),
        ("how_to", r"(?:如何|怎么|怎样)(?!样|回事|了)|怎么办|方法$"),
        ("how", r"怎么?样|怎样|如何"),
        ("which", r"哪"),
        ("what", r"什么|甚么|何为|啥|何种|有何"),
        ("yes_no", r"吗|是否|是不是|能不能|有没有|会不会|可不可以|能否"),
        ("when", r"(?:时间|年份|日期)$"),
    )
)
_FRAME = re.compile(
    r"^(?:(?:hi|hey|hello)\b[^,:!]*[,:!]\s*|quick question:\s*|just wondering[,:]?\s*)*"
    r"(?:(?:do|does|could|can|would) (?:you|any(?:one|body)) (?:please |kindly |happen to |be able to )*"
    r"(?:know|state|specify|indicate|clarify|explain|tell me|describe)\s+)?",
    re.IGNORECASE,
)
_CHINESE_FRAME = re.compile(
    r"^(?:你好|您好)?[,，]?(?:请问一下|请问|想问一下|想请教一下|能否说明|可否说明|可否请您说明|请说明|"
    r"(?:请问)?有人知道|你知道|大家知道)[:,，：]?"
)


def kind_of(question: str, language: str) -> str:
    """Return the kind of a question, one of `KINDS`, from its question word or an equivalent phrase."""
    text = mended(fold_width(question).strip(), language)
    if not is_chinese(language):
        return _english_kind(_FRAME.sub("", re.sub(r"[?!.\s]+$", "", text)))
    whole = re.sub(r"[?!\s]+$", "", to_simplified(text))
    bare = _CHINESE_FRAME.sub("", whole)
    bare = bare.removesuffix("吗") if "知道" in whole else bare
    return next((kind for kind, pattern in _CHINESE_KINDS if pattern.search(bare)), "other")


def _english_kind(text: str) -> str:
    """Return the first kind whose pattern matches.

    Clauses are tried first, then the first question word, then phrases without a question word.
    """
    word = _FIRST_WORD.search(text)
    asked = text[word.start() :] if word else ""
    for kinds, where, matches in ((_CLAUSES, text, re.search), (_WORDS, asked, re.match), (_WORDLESS, text, re.search)):
        kind = next((kind for kind, pattern in kinds if matches(pattern, where, re.IGNORECASE)), "")
        if kind:
            return kind
    return "other"
