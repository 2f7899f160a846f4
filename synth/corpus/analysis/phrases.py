"""Noun phrases of parsed sentences. English phrases exclude leading determiners and vague adjectives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from synth.corpus.analysis.mentions.names import is_name
from synth.corpus.analysis.mentions.vocabulary import GENERIC, UNITS, VAGUE
from synth.grammar.parsing import Word
from synth.text.normalise import to_simplified
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

Phrase = tuple[int, int, str]
"""Start and end in the sentence text, and the normalised form, under which all spellings of a phrase are equal."""

_ENGLISH_MOST_WORDS = 4
_CHINESE_MOST_WORDS = 4
_ENGLISH_EMPTY = frozenset(
    "way ways thing things case cases example examples number numbers part parts kind kinds sort lot lots set sets "
    "time times day days year years people person place order fact point item items use form end result results "
    "following follow detail details information bit pair couple type types name names half rest amount reason "
    "side top bottom middle beginning".split()
)
_AMOUNTS = frozenset("least less more most fewer fewest enough half every each".split())
_CHINESE_EMPTY = frozenset(
    "情况 方式 方法 问题 部分 内容 东西 事情 时间 时候 地方 结果 原因 例子 人们 大家 自己 方面 过程 作用 "
    "目的 数量 种类 期间 特点 意思 名称 以上 以下 之间 其中 今天 昨天 明天 当时 后来 现在 一般 基本 主要 "
    "更多 更多信息 其他信息 信息 顶端 应用程序 开发者 字符串 "
    "所有 任何 左右 公里 厘米 毫米 小时 分钟 第一 第二 第三 世纪 年代".split()
)
_WORD = re.compile(r"[^\W_][\w'’]*(?:-[\w'’]+)*")
_OPENING_POS = ("ADJ", "NOUN", "PROPN")
_CHINESE_LONGEST = 24  # characters
# Tags of the Chinese segmenter (LAC) that may occur within a phrase, at its end, and as a phrase of one word.
# An adjective used as a noun ("an") cannot end a phrase. A verb used as a noun ("vn") cannot be a phrase by itself.
_NOUN_TAGS = ("n", "nz", "vn", "an", "nw", "PER", "LOC", "ORG")
_LAST_TAGS = ("n", "nz", "vn", "nw", "PER", "LOC", "ORG")
_LONE_TAGS = ("n", "nz", "nw", "PER", "LOC", "ORG")


def is_empty(surface: str) -> bool:
    """Whether a phrase is a stop word or too general to name anything ("case", "情况")."""
    folded = to_simplified(surface).casefold()
    return folded in _CHINESE_EMPTY or folded in CHINESE_STOP or folded in ENGLISH_STOP or folded in _ENGLISH_EMPTY


def english_phrases(docs: Sequence[Doc]) -> Iterator[list[Phrase]]:
    """Yield the noun phrases of each sentence, one to four words long, in order."""
    for doc in docs:
        phrases = []
        for chunk in doc.noun_chunks:
            words = [*chunk]
            while words and not _opens(words[0]):
                words.pop(0)
            while words and words[-1].pos_ not in ("NOUN", "PROPN"):
                words.pop()
            if words and _is_candidate_english(words):
                start, end = words[0].idx, words[-1].idx + len(words[-1])
                folded = [*(t.lower_ for t in words[:-1]), words[-1].lemma_.lower()]
                phrases.append((start, end, re.sub(r"\s*-\s*", "-", " ".join(folded))))
        yield phrases


def _opens(token: Token) -> bool:
    folded = token.lower_
    if folded in ENGLISH_STOP or (folded in VAGUE and token.pos_ == "ADJ"):
        return False
    return token.pos_ in _OPENING_POS or token.tag_ in ("VBN", "VBG")


def _is_candidate_english(words: Sequence[Token]) -> bool:
    if not 1 <= sum(t.text != "-" for t in words) <= _ENGLISH_MOST_WORDS:
        return False
    if any(t.pos_ == "NUM" or t.lower_ in _AMOUNTS for t in words[:-1]):
        return False
    if not all(_WORD.fullmatch(t.text) or t.text == "-" for t in words) or words[-1].ent_type_ in ("DATE", "TIME"):
        return False
    surface = words[0].doc[words[0].i : words[-1].i + 1].text
    last = words[-1].lemma_.lower()
    alone = len(words) == 1
    if alone and (last in _ENGLISH_EMPTY or last in VAGUE or last in UNITS or len(last) < 3):
        return False
    return is_name(surface) and not (alone and words[0].ent_type_ in ("CARDINAL", "ORDINAL", "PERCENT"))


def chinese_phrases(sentences: Sequence[Sequence[Word]]) -> Iterator[list[Phrase]]:
    """Yield the nouns of each segmented sentence, and compounds of up to four words, in order."""
    for words in sentences:
        phrases = []
        n = 0
        while n < len(words):
            stop = _run_end(words, n)
            if stop == n:
                n += 1
                continue
            run = words[n:stop]
            if _is_candidate_chinese(run):
                start, end = run[0].start, run[-1].end  # segmented words may contain blanks
                key = "".join(w.simple for w in run).strip().casefold()
                phrases.append((start, end - (len(run[-1].text) - len(run[-1].text.rstrip())), key))
            n = stop
        yield phrases


def _run_end(words: Sequence[Word], n: int) -> int:
    stop = n
    while stop < len(words) and stop - n < _CHINESE_MOST_WORDS and _may_stand(words[stop], first=stop == n):
        if stop > n and (words[stop - 1].end != words[stop].start or words[stop].text != words[stop].text.lstrip()):
            break
        stop += 1
    while stop > n and words[stop - 1].tag not in _LAST_TAGS:
        stop -= 1
    return stop


def _may_stand(word: Word, *, first: bool) -> bool:
    simple = word.simple.strip()
    if simple in CHINESE_STOP or simple in _CHINESE_EMPTY or simple.casefold() in UNITS:
        return False
    return word.tag in _NOUN_TAGS or (first and word.tag == "a" and len(simple) > 1)


def _is_candidate_chinese(run: Sequence[Word]) -> bool:
    """Whether a run of words can name something. Lone characters, numbers and fragments cannot."""
    surface = "".join(w.text for w in run).strip()
    simple = to_simplified(surface)
    if len(run) == 1 and (run[0].tag not in _LONE_TAGS or simple in GENERIC):
        return False
    return 2 <= len(surface) <= _CHINESE_LONGEST and is_name(surface) and not re.fullmatch(r"[a-z]{1,2}", simple)
