"""Names: tests of what can be a name, and keys under which two spellings are equal."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from synth.corpus.analysis.mentions.vocabulary import AMBIGUOUS, CALENDAR, FURNITURE
from synth.text.normalise import fold_width, normalise
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_LEGAL = re.compile(
    r"(?<![\s,])[\s,]++(?:inc|ltd|llc|l\.l\.c|corp|gmbh|plc|co|incorporated|s\.a|ag|limited)\.?$", re.IGNORECASE
)
_LEGAL_CHINESE = re.compile(r"(?<=[\u3400-\u9fff]{2})(?:股份有限公司|有限责任公司|有限公司|股份公司)$")
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\S)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’](?:s|S)?$|(?<=\w)['’]s(?=\s)")
_SYMBOLS = (
    (re.compile(r"(?<=[A-Za-z])[#♯]"), "sharp"),
    (re.compile(r"(?<=\w)\+\+"), "plusplus"),
    (re.compile(r"(?<!\S)\.(?=[A-Za-z])"), "dot"),
)
_EDGE = "\"'“”‘’«»()[]{}<>（）【】〔〕「」『』《》〈〉,;:!?，。；：！？、·•…—–-*_/\\|~=&% \t\n"
_MARKUP = re.compile(r"[<>{}\[\]|=\\`^~$]|://|www\.|\.(?:com|org|net|io|html?|md|png|jpg)\b|@\w+\.|\(\(|^\W+$|^#")
_MODEL = re.compile(r"[A-Z]+-?\d[\w-]*")
_ROMAN = re.compile(r"[IVXLC]+")
_DIGITS = re.compile(r"[\d\s.,:/%°+\-–—〇零一二三四五六七八九十百千万亿两第年月日号点]+")


RANK = ("person", "place", "organisation", "work", "code", "term", "name")
"""Kinds of names, most specific first."""


@dataclass(frozen=True, slots=True)
class NameMention:
    """A name in a document: its offsets, its text without markup, and its kind.

    `kind` is an element of RANK; "name" means that the kind is uncertain.
    """

    start: int
    end: int
    surface: str
    kind: str


@lru_cache(maxsize=1 << 16)
def key(surface: str) -> str:
    """Return the normalised form of a name, equal for all its spellings; "" if nothing remains.

    Case, width, script, hyphens, a leading article, a possessive and a legal form ("Inc.", "有限公司") are ignored.
    Digits count, so "T-100" and "T-200" differ. An acronym that is also a common word ("IT", "US") keeps its capitals.
    """
    text = fold_width(surface).strip()
    text = _ARTICLE.sub("", _POSSESSIVE.sub("", text))
    text = re.sub(r"\(\)$|^@", "", text)
    shorter = _LEGAL_CHINESE.sub("", _LEGAL.sub("", text))
    text = shorter if len(shorter) > 1 else text
    for pattern, word in _SYMBOLS:
        text = pattern.sub(word, text)
    folded = normalise(text)
    if text.startswith("--"):
        return "--" + folded
    if text.isupper() and text.isalpha() and text.isascii() and (folded in ENGLISH_STOP or folded in AMBIGUOUS):
        return text
    return folded


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return `start` and `end`, moved inwards past punctuation, a leading article and a possessive."""
    while start < end and text[start] in _EDGE:
        start += 1
    while end > start and (text[end - 1] in _EDGE or text[end - 1] == "."):
        if text[end - 1] == "." and re.search(r"\b(?:[A-Z]\.)+$|\b(?:Inc|Ltd|Co|Corp|Jr|Sr)\.$", text[start:end]):
            break
        if text[end - 1] in ")）" and text[start:end].count(text[end - 1]) == text[start:end].count(
            "(（"[text[end - 1] == "）"]
        ):
            break
        end -= 1
    if article := _ARTICLE.match(text[start:end]):
        start += article.end()
    if possessive := re.search(r"['’]s?$", text[start:end]):
        end = start + possessive.start()
    return start, end


def is_name(surface: str) -> bool:
    """Whether a text can be a name, judged by its characters and words alone.

    Single letters, numbers, dates, pronouns and other function words, layout words ("Note", "Figure"), addresses,
    markup and whole sentences are rejected.
    """
    folded = fold_width(surface).strip()
    words = folded.casefold().split()
    han = len(re.findall(r"[\u3400-\u9fff]", folded))
    letters = sum(char.isalpha() for char in folded)
    if (letters < 2 and not _MODEL.fullmatch(folded)) or len(words) > 8 or len(folded) > 60 or han > 25:
        return False
    if _MARKUP.search(folded) or _DIGITS.fullmatch(folded) or _ROMAN.fullmatch(folded):
        return False
    if re.search(r"[。！？；;，、!?]|\.\s[a-z]", folded) or (
        letters * 2 < len(folded.replace(" ", "")) and not _MODEL.fullmatch(folded)
    ):
        return False
    if folded.isupper() and len(words) == 1 and folded.isascii():
        return folded.casefold() not in CALENDAR and folded.casefold() not in FURNITURE and not _is_shouted(folded)
    dull = ENGLISH_STOP | CHINESE_STOP | CALENDAR | FURNITURE
    return not all(word.strip(".,:") in dull or not any(map(str.isalpha, word)) for word in words)


def _is_shouted(word: str) -> bool:
    """Whether a word in capitals is a common word written for emphasis rather than an acronym."""
    return word.casefold() in ENGLISH_STOP and word not in ("IT", "US", "WHO")


def long_form(short: str, before: str) -> int | None:
    """Return the start of the phrase that `short` abbreviates, or None if `before` does not end with such a phrase.

    The letters of `short` are matched from the end backwards; the first letter must begin a word. Source: Schwartz and
    Hearst, "A simple algorithm for identifying abbreviation definitions", 2003.
    """
    letters = [char.casefold() for char in short if char.isalnum()]
    place = len(before)
    for n, letter in enumerate(reversed(letters)):
        first = n == len(letters) - 1
        place -= 1
        while place >= 0 and not (
            before[place].casefold() == letter and (not first or place == 0 or not before[place - 1].isalnum())
        ):
            place -= 1
        if place < 0:
            return None
    words = before[place:].split()
    if not words or len(words) > min(len(letters) + 5, 2 * len(letters)) or len(before) - place <= len(short):
        return None
    return place if len(words) > 1 or len(letters) < len(words[0]) // 2 else None


def without_overlaps(names: Iterable[NameMention]) -> list[NameMention]:
    """Return the names in order of position. Of overlapping names, the longest is kept.

    If several are longest, the name of the most specific kind is kept.
    """
    ordered = sorted(names, key=lambda name: (name.start - name.end, RANK.index(name.kind), name.start))
    kept: list[NameMention] = []
    taken: set[int] = set()
    for name in ordered:
        if not taken.intersection(range(name.start, name.end)):
            kept.append(name)
            taken.update(range(name.start, name.end))
    return sorted(kept, key=lambda name: name.start)
