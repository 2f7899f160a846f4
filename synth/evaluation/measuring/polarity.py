"""Polarity of answers: clauses that state, and clauses that deny or refuse, in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.measuring.refusals import abstains
from synth.text.sentences import split_sentences
from synth.text.tokens import words

_NOT = re.compile(
    r"\b(?:not|never|cannot|nobody|neither|nor|rather than|instead of|false that|incorrect|wrong|untrue)\b|n['’]t\b"
    r"|\bno\b(?!\.)|\b(?:denies|denied|rejects|rejected) that\b",
    re.IGNORECASE,
)
_CHINESE_NOT = frozenset(
    "不 不是 不会 不能 不能够 不可 不可以 不可能 不要 不应 不应该 不该 不必 不得 不准 不许 不曾 不再 不在 不属于 "
    "不存在 不包括 不以 并不 并不是 从不 决不 没 没有 没能 未 未曾 未能 从未 尚未 并未 并非 绝非 而非 非 无法 无从 "
    "毫无 错误".split()
)
_MAY_DENY = re.compile("[不没未非无]|错误")
_HARMLESS = re.compile(
    r"\bnot-|\bnot (?:only|just|merely|simply|until|surprisingly|to (?:be confused|mention))\b"
    r"|\bno (?:later|earlier|less|more|fewer|longer) than\b|\bno (?:doubt|one other|other than)\b|\bnone other\b"
    r"|\bnothing (?:but|other)\b|\b(?:if|whether|or) not\b|\bwithout (?:a )?doubt\b"
    r"|不[少多低高大小]于|不(?:超过|足|到|止|晚于|早于|迟于)|不得不|不能不|不可不|不可或缺|是不是|能不能|会不会|有没有|没有[吗么]",
    re.IGNORECASE,
)
_DENIAL_ALONE = re.compile(
    r"\s*(?:(?:it|that|this) (?:is|was)(?: not|n['’]t)\b|[并这]?不是|并非)[^\w\d]*", re.IGNORECASE
)
"""Pattern of a clause that denies the following clause."""

_INSTEAD = re.compile(r"\b(?:but|only|until|it is|it was|rather)\b|而是|而|[。.]\s*\w", re.IGNORECASE)

_QUOTED = re.compile(r"[\"“「『《][^\"”」』》]{1,80}[\"”」』》]")
_CLAUSES = re.compile(
    r"(?:[;:\n，；：。()（）\u2014]|\s\u2013\s|,(?!\s?\d))+"
    r"|(?=\b(?:but|although|though|whereas|because|so that|which|who|while|rather than|instead of)\b)"
    r"|(?=而是|而不是|而非|但是|然而)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AnswerClause:
    """A clause of a text with its final punctuation. `denied` means that it denies its content or refuses to answer."""

    text: str
    denied: bool


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[AnswerClause, ...]:
    """Return the clauses of a text, in order."""
    found: list[AnswerClause] = []
    whole = _QUOTED.sub(lambda match: "x" * len(match[0]), text)
    quotations = _QUOTED.finditer(text)
    last = next(quotations, None)
    for start, end in split_sentences(text):
        refuses, place = abstains(text[start:end]), start
        while last and last.end() <= end:
            last = next(quotations, None)
        # A quotation that ends in a later sentence is none in this one.
        plain = whole if last is None or last.start() >= end else whole[: last.start()] + text[last.start() :]
        for mark in (*_CLAUSES.finditer(plain, start, end), None):
            stop = mark.end() if mark else end
            if mark and _DENIAL_ALONE.fullmatch(plain[place:stop]):
                continue
            if text[place:stop].strip():
                found.append(AnswerClause(text[place:stop], refuses or negated(plain[place:stop])))
            place = stop
    return tuple(found)


def stated(text: str, *, denied: bool = False) -> str:
    """Return the clauses that state something or, with `denied`, the clauses that deny.

    Line breaks replace the other clauses.
    """
    found = clauses(text)
    if all(clause.denied == denied for clause in found):
        return text if found else ""
    return "".join(f"{clause.text} " if clause.denied == denied else "\n" for clause in found)


def denies_outright(text: str) -> bool:
    """Return whether a text starts with "It is not" or 不是 and states nothing else instead."""
    start = _DENIAL_ALONE.match(text)
    return bool(start) and not _INSTEAD.search(text)


def may_deny(text: str) -> bool:
    """Return whether a text contains a word that may negate. Otherwise none of its clauses is negated."""
    return bool(_NOT.search(text) or _MAY_DENY.search(text))


def negated(clause: str) -> bool:
    """Return whether a clause denies its content: it contains an odd number of negations."""
    plain = _HARMLESS.sub(" ", _QUOTED.sub(" ", clause))
    count = len(_NOT.findall(plain))
    if _MAY_DENY.search(plain):
        count += sum(word in _CHINESE_NOT for word in words(plain))
    return count % 2 == 1
