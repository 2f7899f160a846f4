"""Conditions as a sentence states them: what must hold, which way round, and what depends on it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified

_ENGLISH = re.compile(
    r"\b(?P<only>if and only if|only (?:if|when|while|after|before|with|in|on|at|for|by|to|during|from|"
    r"within|under|as))\b"
    r"|\b(?P<not>unless|except(?: when| if| for| in| that| during| on)?|without|until)\b"
    r"|\b(?P<must>as long as|so long as|provided(?: that)?|providing(?: that)?|on condition that)\b"
    r"|\b(?P<plain>if|when|whenever|once|while|in case(?: of)?|in the event (?:of|that)|in cases? where)\b",
    re.IGNORECASE,
)
_ENGLISH_ONLY = re.compile(
    r"\bonly (?P<clause>(?:\S+ ){1,6}?)(?=(?:may|can|must|is|are|was|were|has|have|will|should|need|get)\b)",
    re.IGNORECASE,
)
_ENGLISH_ELSE = re.compile(r"[,;.]?\s*(?:\bor else\b|\botherwise\b),?\s*", re.IGNORECASE)
_ENGLISH_NOT = re.compile(r"\b(?:not|no|never|cannot|nobody|nothing|none|nor)\b|n't\b", re.IGNORECASE)
_ENGLISH_STOP = re.compile(r"[,;:]|\bthen\b|$")
_ASKING = re.compile(
    r"^(?:when|while) (?:is|was|were|are|did|does|do|will|can|should|must|may|has|had|have)\b", re.IGNORECASE
)

_CHINESE = re.compile(
    r"(?P<only>只有|仅当|只有当|仅在|只在|只能在|仅限|只限|除非不)"
    r"|(?P<not>除非|除了|除(?=[^,。;]{1,16}外)|直到|没有(?=[^,。;]{1,16}(?:就|则|,不|便))|(?<!能)不(?=[^,。;]{1,8}就))"
    r"|(?P<must>前提是|条件是)"
    r"|(?P<plain>如果|若是|若(?!干)|假如|假使|倘若|要是|一旦|只要|每当|凡是|万一"
    r"|(?<![应相恰适正充担])当(?=[^,。;]{1,60}时)|在(?=[^,。;]{1,60}(?:时[候,]|时$|情况下|条件下)))"
)
_CHINESE_TIME = re.compile(
    r"(?:^|(?<=[,;]))(?P<clause>[^,;。]{2,24}?)(?:的时候|的话|的情况下|(?<![同小当及临])时)(?=,)"
)
_CHINESE_ELSE = re.compile(r"[,;。]?否则,?")
_CHINESE_NOT = re.compile(r"不(?![同仅断久过少])|没|未(?!来)|无(?!论)|非(?!常)")
_CHINESE_STOP = re.compile(
    r"[,;。:]|(?:的时候|的话|之外|以外|的情况下|情况下|条件下|(?<![小同])时(?![钟间候区刻])|外)(?=[,]|[^,。;]{2})|(?:就|则|才)(?!是)|$"
)
_CHINESE_CHOICE = re.compile(r"([\u3400-\u9fff])不\1|是否|能否|可否|有没有|没有[吗么]")


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition and what depends on it.

    `clause` says what must hold, without its conjunction; with `negative`, it must not. `exclusive` tells
    of "only", "unless", 除非 and the like, which also say what holds otherwise. `rest` is the sentence less
    the clause.
    """

    clause: str
    negative: bool
    exclusive: bool
    rest: str
    start: int
    end: int


def conditions(sentence: str, language: str) -> list[Condition]:
    """The conditions that a sentence, or a question, states."""
    if is_chinese(language):
        return _chinese(_folded(sentence))
    return _english(sentence.rstrip("?. "))


def negated(text: str, language: str) -> bool:
    """Whether a text is negated: an odd number of negations. A-not-A questions (是不是, 能不能) are not."""
    if is_chinese(language):
        return len(_CHINESE_NOT.findall(_CHINESE_CHOICE.sub("", _folded(text)))) % 2 == 1
    return len(_ENGLISH_NOT.findall(text)) % 2 == 1


def _folded(text: str) -> str:
    """Simplified and half-width, one character for one."""
    folded = to_simplified(text)
    return "".join(one if len(one := fold_width(char)) == 1 else char for char in folded).replace("?", " ")


def _english(text: str) -> list[Condition]:
    found: list[Condition] = []
    for match in _ENGLISH.finditer(text):
        if match.start() == 0 and _ASKING.match(text):
            continue
        end = _clause_end(text, match.end())
        clause = text[match.end() : end].strip()
        kind = match.lastgroup or "plain"
        if clause and not any(match.start() < other.end for other in found):
            found.append(_made(text, match.start(), end, clause, kind, "en"))
    if not found and (only := _ENGLISH_ONLY.search(text)):
        found = [_made(text, only.start(), only.end(), only["clause"].strip(), "only", "en")]
    return found or _otherwise(text, _ENGLISH_ELSE, "en")


def _clause_end(text: str, start: int) -> int:
    stop = _ENGLISH_STOP.search(text, start)
    return stop.start() if stop else len(text)


def _chinese(text: str) -> list[Condition]:
    text = text.rstrip(" 。")
    found: list[Condition] = []
    for match in _CHINESE.finditer(text):
        stop = _CHINESE_STOP.search(text, match.end() + 1)
        end = stop.start() if stop else len(text)
        clause = text[match.end() : end].strip(" ,")
        kind = match.lastgroup or "plain"
        if clause and not any(match.start() < other.end for other in found):
            found.append(_made(text, match.start(), end, clause, kind, "zh-Hans"))
    if not found and (time := _CHINESE_TIME.search(text)):
        found = [_made(text, time.start(), time.end(), time["clause"], "plain", "zh-Hans")]
    return found or _otherwise(text, _CHINESE_ELSE, "zh-Hans")


def _otherwise(text: str, pattern: re.Pattern[str], language: str) -> list[Condition]:
    match = pattern.search(text)
    if not match or not text[: match.start()].strip() or not text[match.end() :].strip():
        return []
    clause = text[: match.start()].strip(" ,;.")
    negative = not negated(clause, language)
    return [Condition(clause, negative, True, text[match.end() :].strip(), 0, match.start())]


def _made(text: str, start: int, end: int, clause: str, kind: str, language: str) -> Condition:
    negative = (kind == "not") != negated(clause, language)
    rest = (text[:start] + " " + text[end:]).strip(" ,;")
    return Condition(clause, negative, kind != "plain", rest, start, end)
