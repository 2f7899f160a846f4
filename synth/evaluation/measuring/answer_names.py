"""Names in answers: "Frank T. Crowe" is Frank Crowe, "Frank Smith" is not; 约翰·诺曼 is not 约什·诺曼."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from importlib.resources import files
from typing import Any

from synth.evaluation.measuring.answer_dates import answer_dates
from synth.text.language import HAN
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_SPAN = re.compile(
    r"(?<![\w'’.-])[A-Z][\w'’-]*\.?(?:[ -](?:(?:de|da|del|della|di|du|dos|la|le|van|von|der|den|bin|ibn|al|el)[ -])*"
    r"[A-Z][\w'’-]*\.?)*"
)
LINKS = r"(?:of|and|for|the|in|on|de|du|des|la|le|&)"
"""Pattern of words inside a name that do not count for its initials."""


def _linked_name(gap: str) -> re.Pattern[str]:
    link = rf"{gap}{LINKS}(?=[ -])(?:[ -]{LINKS}(?=[ -]))*"
    return re.compile(rf"(?<![\w'’-])[A-Z][\w'’]*\.?(?:{link}|{gap}[A-Z][\w'’]*\.?)+")


LINKED_NAME = _linked_name(r"(?:[ -]|(?<=\.))")
"""Pattern of a name of several words, such as "Massachusetts Institute of Technology" or "Lyndon B. Johnson"."""

LISTED_NAME = _linked_name(r"(?:,?[ -]|(?<=\.))")
"""Pattern of such a name that may contain commas: "University of California, Los Angeles"."""

_PART = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_TITLES = frozenset(
    "mr mrs ms dr prof professor sir dame lord lady king queen prince princess emperor empress pope saint st president "
    "general gen captain capt colonel col major lieutenant judge justice senator governor bishop archbishop cardinal "
    "duke duchess count countess baron earl jr sr chancellor minister secretary coach director actor actress singer "
    "author american british english french german".split()
)
_FUNCTION_WORDS = ENGLISH_STOP | frozenset(
    "since after before during while until although though because despite among between however according".split()
)
_DOT = re.compile("[・•‧∙]")
_FOREIGN = re.compile(rf"(?<![{HAN}A-Za-z.])[{HAN}A-Za-z.]++(?>(?:·[{HAN}A-Za-z.]++)+)")
_GENERATIONS = frozenset(("jr", "sr"))
_PUBLIC = re.compile("^(?:国立|市立|省立|县立|私立)")
_NAMED = ("nr", "ns", "nt", "nz")
_TOKEN = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")
_MAX_EXTRA_TOKENS, _MIN_SLIP_LENGTH, _MOST_TOKENS = 2, 6, 1000


def renamed(golden: str, answer: str) -> bool:
    """Return whether an answer contains a golden name only with one part replaced."""
    golden_names, names_in_answer = names(golden), names(answer)
    for name in golden_names:
        if len(name) > 1 and _renamed(
            name, [other for other in names_in_answer if other == name or other not in golden_names]
        ):
            return True
    golden, answer = _DOT.sub("·", golden), _DOT.sub("·", answer)
    return any(_joined_otherwise(name.split("·"), answer) for name in _FOREIGN.findall(golden))


@lru_cache(maxsize=2048)
def names(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the capitalised names of a text as lower-case parts, without function words.

    Titles are left out, unless only one other part would remain ("Lady Gaga").
    """
    return tuple(filter(None, (_parts(match[0]) for match in _SPAN.finditer(text))))


def _parts(name: str) -> tuple[str, ...]:
    parts = [part for part in _PART.findall(_POSSESSIVE.sub("", name).casefold()) if part not in _FUNCTION_WORDS]
    plain = [part for part in parts if part not in _TITLES - _GENERATIONS]
    return tuple(plain if len(plain) > 1 else parts)


def _renamed(name: Sequence[str], candidates: Sequence[Sequence[str]]) -> bool:
    """Return whether every candidate that shares most parts with `name` replaces the remaining parts."""
    shared = [sum(any(_same(part, mine) for mine in other) for part in name) for other in candidates]
    most = max(shared, default=0)
    return most > 0 and all(
        _replaced(name, other) for other, parts in zip(candidates, shared, strict=True) if parts == most
    )


def _replaced(name: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether `other` differs from `name` in its initials, or has a new part (not a title) in place of one."""
    if _other_initials(name, other) or {*name} ^ {*other} >= _GENERATIONS:
        return True
    rest, new = list(name), []
    for part in other:
        known = part if part in rest else next((mine for mine in rest if _same(mine, part)), None)
        if known is not None:
            rest.remove(known)
        elif part not in _TITLES:
            new.append(part)
    return bool(rest and new) and len(name) <= len(other) + (len(rest) > 1)


def _other_initials(name: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether both names have middle initials, and neither list of initials starts with the other."""
    mine, theirs = ([part for part in parts[1:-1] if len(part) == 1] for parts in (name, other))
    short, long = sorted((mine, theirs), key=len)
    return bool(short) and long[: len(short)] != short


def another_institution(golden: str, answer: str) -> bool:
    """Return whether an answer names an institution only in a form with an extra word inside the name.

    Pennsylvania State University is not the University of Pennsylvania, and 台湾师范大学 is not 台湾大学.
    """
    heads = _institutions()
    for match in LINKED_NAME.finditer(golden):
        name = _parts(match[0])
        if heads["en"] & {*name} and match[0] not in answer:
            longer = [other for other in _linked(answer) if {*name} <= {*other}]
            if longer and all(_has_inside(name, other) for other in longer):
                return True
    plain = golden.strip(" 。.")
    for head in heads["zh"]:
        stem = plain.removesuffix(head)
        if stem != plain and len(stem) > 1 and plain not in answer:
            core = _PUBLIC.sub("", stem)
            if core not in answer or re.search(rf"{re.escape(core)}(?:{head}|[^{HAN}])", answer):
                return False
            return re.search(rf"{re.escape(core)}[{HAN}]{{1,6}}{head}", answer) is not None
    return False


def _linked(text: str) -> list[tuple[str, ...]]:
    """Return the parts of the names of a text, including names joined by "of"."""
    return [_parts(match[0]) for match in LINKED_NAME.finditer(text)]


def _has_inside(name: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether a longer name contains a new part between the parts of the shorter name."""
    places = [place for place, part in enumerate(other) if part in name]
    return any(part not in name for part in other[places[0] : places[-1]])


@lru_cache(maxsize=1)
def _institutions() -> dict[str, Any]:
    table = json.loads(files(__package__).joinpath("answer_abbreviations.json").read_text(encoding="utf-8"))
    return {"en": {*table["institutions"]["en"].split()}, "zh": table["institutions"]["zh"].split("|")}


def _same(part: str, other: str) -> bool:
    """Return whether two parts are equal, or one is an initial, a short form or a typo of the other."""
    short, long = sorted((part, other), key=len)
    begins = long.startswith(short) and (len(short) == 1 or (len(short) > 2 and len(long) > len(short) + 2))
    return short == long or begins or slip(part, other)


def slip(word: str, other: str) -> bool:
    """Return whether two words differ by one typo. They need at least six letters and the same first letter."""
    if (
        word[0] != other[0]
        or any(map(str.isdigit, word))
        or min(len(word), len(other)) < _MIN_SLIP_LENGTH
        or abs(len(word) - len(other)) > 1
    ):
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(word, other, score_cutoff=1) == 1


def _joined_otherwise(parts: Sequence[str], answer: str) -> bool:
    """Return whether an answer joins a part of a dotted name, such as 约翰·诺曼, with a part that the name lacks."""
    if all(part in answer for part in parts):
        return False
    for part in parts:
        for match in re.finditer(rf"·{re.escape(part)}|{re.escape(part)}·", answer):
            before, after = answer[: match.start()], answer[match.end() :]
            fits = before.endswith(tuple(parts)) if match[0][0] == "·" else after.startswith(tuple(parts))
            if not fits:
                return True
    return False


def renamed_in_place(golden: str, answer: str) -> bool:
    """Return whether an answer repeats the golden answer with one of its names replaced by another name."""
    golden, answer = _without_dates(golden), _without_dates(answer)
    absent = [
        (start, end) for start, end in (*name_spans(golden), *chinese_names(golden)) if golden[start:end] not in answer
    ]
    if not absent:
        return False
    mine, theirs = list(_TOKEN.finditer(golden)), list(_TOKEN.finditer(answer))
    if len(theirs) > _MOST_TOKENS:
        return False
    known = {token[0].casefold() for token in mine}
    matcher = SequenceMatcher(None, [token[0] for token in mine], [token[0] for token in theirs], False)
    least, share = (2, 0.5) if re.search(f"[{HAN}]", golden) else (4, 0.6)
    if sum(block.size for block in matcher.get_matching_blocks()) < max(least, share * len(mine)):
        return False
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind != "replace" or d - c > b - a + _MAX_EXTRA_TOKENS:
            continue
        new = [token[0] for token in theirs[c:d] if _is_name(token[0]) and token[0].casefold() not in known]
        places = [(token.start(), token.end()) for token in mine[a:b] if _is_name(token[0])]
        if new and any(start < last and first < end for first, last in places for start, end in absent):
            return True
    return False


@lru_cache(maxsize=2048)
def _without_dates(text: str) -> str:
    """Return `text` with dates replaced by spaces, because months are not names."""
    rest = list(text)
    for date in answer_dates(text):
        rest[date.start : date.end] = " " * (date.end - date.start)
    return "".join(rest)


def _is_name(token: str) -> bool:
    """Return whether a token may be part of a name: capitalised or Chinese, and no function word."""
    return (
        (token[0].isupper() or token >= "\u3400")
        and token.casefold() not in _FUNCTION_WORDS
        and token not in CHINESE_STOP
    )


def name_spans(text: str) -> list[tuple[int, int]]:
    """Return the spans of capitalised names in a text, without function words before them."""
    spans = []
    for match in _SPAN.finditer(text):
        words = list(_PART.finditer(text, *match.span()))
        first = next((word.start() for word in words if word[0].casefold() not in _FUNCTION_WORDS), None)
        if first is not None:
            spans.append((first, match.end()))
    return spans


def chinese_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of names in a Chinese text, which must be in simplified script."""
    if not re.search(f"[{HAN}]", text):
        return
    place = 0
    for word, tag in _jieba().tag(text):
        start, place = place, place + len(word)
        if tag.startswith(_NAMED) and re.search(f"[{HAN}]", word):
            yield start, place


@lru_cache(maxsize=1)
def _jieba() -> Any:
    import rjieba

    return rjieba
