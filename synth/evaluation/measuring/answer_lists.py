"""Lists in answers, alternatives that an answer offers, and entities that swapped places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

from synth.evaluation.measuring.answer_amounts import answer_amounts
from synth.evaluation.measuring.answer_dates import answer_dates
from synth.evaluation.measuring.answer_names import chinese_names, name_spans
from synth.evaluation.measuring.word_coverage import content
from synth.text.language import HAN
from synth.text.stems import stem
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_ITEM_WORDS = 6
_MOST_ITEMS = 6
_MOST_ADDED = 2
"""Maximum number of words in a list answer, as a multiple of the golden list's words. A longer answer is prose."""

_SEVERAL = re.compile(
    r"\b(?:which|what|name|list|the|how many)\s(?:[\w-]+\s){0,3}?"
    r"((?!\w*(?:ss|us|is)\b)\w{2,}s|people|children|men|women|are|were)\b",
    re.IGNORECASE,
)
_OF_NAMES = frozenset("the a an of and".split())
_SINGULAR = frozenset("is was has does this us yes its his as".split())
"""Words that end in s but are not plurals."""

_ENGLISH_LIST = re.compile(r",(?!\s?\d)\s*(?:and\s|&\s|as well as\s)?|;\s*(?:and\s)?|\s(?:and|&|as well as)\s")
_CHINESE_LIST = re.compile(rf"[、;]|(?<=[{HAN}A-Za-z\d])(?:以及|及其|和|与|及|跟)(?=[{HAN}A-Za-z\d])")
_BREAK = re.compile(r"[，。:：()!?\n]|,(?!\d)")
_JOINED = re.compile(r"(?:[\s,、;&/和与及或]|\band\b|\bor\b|以及|\bthe\b)*")
_OR = re.compile(r"\b(?:or|alternatively|versus)\b|或者?是?|还是|抑或")
_MOST_OFFERED = 400
"""Maximum length of the text on one side of an "or", in characters."""

_BY = re.compile(r"\bby\b|[被由受]")
_MAX_ENTITIES, _MIN_SHARED = 20, 0.8


@lru_cache(maxsize=2048)
def items(text: str, question: str = "") -> tuple[str, ...]:
    """Return the items of a list: short parts joined by commas and "and", or by 、 and ;. Other texts return ().

    Commas alone join items only if the question asks for several things, because "Springfield, Illinois" is one place.
    """
    if re.search(f"[{HAN}]", text):
        if "、" not in text and ";" not in text and len(text) > 24:
            return ()
        parts = [part for clause in _BREAK.split(text) for part in _chinese_items(clause)]
    else:
        plain = text.strip(" .")
        joined = re.search(r"\s(?:and|&)\s|;", plain)
        if not (joined or (plain.count(",") > 1 and _asks_for_several(question))):
            return ()
        parts = _ENGLISH_LIST.split(plain)
        if any(len(part.split()) > _ITEM_WORDS for part in parts):
            return ()
    parts = [part for part in parts if part.strip(" .")]
    return tuple(parts) if len(parts) > 1 else ()


def _asks_for_several(question: str) -> bool:
    return any(match[1].casefold() not in _SINGULAR for match in _SEVERAL.finditer(question))


def adds_items(golden: str, answer: str, question: str) -> bool:
    """Return whether a list answer adds items to all the golden items. Items in the question are not additions."""
    wanted, given = items(golden, question), items(answer, question)
    if not 0 < len(wanted) <= _MOST_ITEMS or len(given) <= len(wanted):
        return False
    asked = _plain_words(question)
    listed, told = _plain_words(golden), _plain_words(answer) - asked
    if len(told) > _MOST_ADDED * len(listed):
        return False
    known = "".join(content(golden))
    new = [part for part in given if _is_thing(part) and not any(word in known for word in content(part))]
    new = [part for part in new if not _plain_words(part) & (listed | asked)]
    return bool(new) and len(given) - len(new) >= len(wanted)


def _is_thing(part: str) -> bool:
    """Return whether a part of a list names something: it contains words, but no function words except articles."""
    words = {word.casefold() for word in content(part)} - _OF_NAMES
    return bool(words) and not words & (ENGLISH_STOP | CHINESE_STOP)


def _plain_words(text: str) -> set[str]:
    return {stem(word) for word in content(text) if word not in ENGLISH_STOP and word not in CHINESE_STOP}


def _chinese_items(clause: str) -> list[str]:
    parts = _CHINESE_LIST.split(clause)
    listed = "、" in clause or (len(parts) > 1 and all(len(part.strip()) > 1 for part in parts))
    return parts if listed else []


def offered(text: str) -> Iterator[tuple[str, str]]:
    """Yield the two sides of each "or" in a text, at most a few words of each side."""
    in_chinese = re.search(f"[{HAN}]", text) is not None
    breaks = [0, *(found.end() for found in _BREAK.finditer(text)), len(text) + 1]
    for match in _OR.finditer(text):
        after = bisect_right(breaks, match.start())
        left = text[max(breaks[after - 1], match.start() - _MOST_OFFERED) : match.start()]
        right = text[match.end() : min(breaks[after] - 1, match.end() + _MOST_OFFERED)]
        if in_chinese:
            yield left[-8:], right[:8]
        else:
            yield " ".join(left.split()[-2:]), " ".join(right.split()[:2])


def swapped(golden: str, answer: str) -> bool:
    """Return whether an answer repeats the golden answer with two of its names, dates or numbers swapped.

    Items of a list may be in any order. A statement and its passive are not compared.
    """
    spans = _entities(golden)
    if len(spans) < 2 or bool(_BY.search(golden)) != bool(_BY.search(answer)):
        return False
    answer_words = content(answer)
    fit = _shared(content(golden), answer_words)
    for (first, last), (begin, end) in combinations(spans, 2):
        former, latter = golden[first:last], golden[begin:end]
        if (
            former == latter
            or former not in answer
            or latter not in answer
            or answer.find(latter) > answer.rfind(former)
        ):
            continue
        if _in_a_list(golden, last, begin, spans):
            continue
        turned = content(golden[:first] + latter + golden[last:begin] + former + golden[end:])
        if (same := _shared(turned, answer_words)) > fit and same >= _MIN_SHARED * len(turned):
            return True
    return False


def _in_a_list(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> bool:
    """Return whether only commas, "and" and other entities are between two positions."""
    between = list(text[start:end])
    for first, last in spans:
        if start <= first and last <= end:
            between[first - start : last - start] = " " * (last - first)
    return "、" in between or bool(_JOINED.fullmatch("".join(between)))


def _shared(words: tuple[str, ...], other: tuple[str, ...]) -> int:
    from rapidfuzz.distance import LCSseq

    return LCSseq.similarity(words, other)


def _entities(text: str) -> list[tuple[int, int]]:
    """Return the spans of the names, dates and numbers of a text, in order, without overlaps."""
    dates = [(date.start, date.end) for date in answer_dates(text)]
    figures = dates + [(amount.start, amount.end) for amount in answer_amounts(text)]
    kept: list[tuple[int, int]] = []
    for span in (*figures, *name_spans(text), *chinese_names(text)):
        if all(span[0] >= end or start >= span[1] for start, end in kept):
            kept.append(span)
    return sorted(kept)[:_MAX_ENTITIES]
