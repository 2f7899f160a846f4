"""Names in answers: "Frank T. Crowe" is Frank Crowe, "Frank Smith" is not; 约翰·诺曼 is not 约什·诺曼."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from synth.evaluation.measuring.answer_normalisation import HAN
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_SPAN = re.compile(
    r"(?<![\w'’.-])[A-Z][\w'’-]*\.?(?:[ -](?:(?:de|da|del|della|di|du|dos|la|le|van|von|der|den|bin|ibn|al|el)[ -])*"
    r"[A-Z][\w'’-]*\.?)*"
)
_ARTICLE = re.compile(r"(?:The|An?|In|On|At|By|From) ")
_PART = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_TITLES = frozenset(
    "mr mrs ms dr prof professor sir dame lord lady king queen prince princess emperor empress pope saint st president "
    "general gen captain capt colonel col major lieutenant judge justice senator governor bishop archbishop cardinal "
    "duke duchess count countess baron earl jr sr chancellor minister secretary coach director actor actress singer "
    "author american british english french german".split()
)
_DOT = re.compile("[・•‧∙]")
_FOREIGN = re.compile(rf"[{HAN}A-Za-z.]+(?:·[{HAN}A-Za-z.]+)+")
_NAMED = ("nr", "ns", "nt", "nz")
_NAME_LENGTH = (2, 4)


def renamed(golden: str, answer: str) -> bool:
    """Return whether an answer has another part in the place of a part of a golden name, and nowhere the name itself."""
    if any(len(name) > 1 and _renamed(name, names(answer)) for name in names(golden)):
        return True
    golden, answer = _DOT.sub("·", golden), _DOT.sub("·", answer)
    return any(_joined_otherwise(name.split("·"), answer) for name in _FOREIGN.findall(golden))


@lru_cache(maxsize=2048)
def names(text: str) -> tuple[tuple[str, ...], ...]:
    """The capitalised names of a text by their parts in lower case, without titles and function words."""
    spans = (_PART.findall(_POSSESSIVE.sub("", match[0]).casefold()) for match in _SPAN.finditer(text))
    kept = (tuple(part for part in parts if part not in _TITLES and part not in ENGLISH_STOP) for parts in spans)
    return tuple(filter(None, kept))


def _renamed(name: Sequence[str], given: Sequence[Sequence[str]]) -> bool:
    """Return whether the names that have most of `name` all have something else in the place of the rest."""
    shared = [sum(any(_same(part, mine) for mine in other) for part in name) for other in given]
    most = max(shared, default=0)
    return most > 0 and all(_replaced(name, other) for other, parts in zip(given, shared, strict=True) if parts == most)


def _same(part: str, other: str) -> bool:
    """Return whether two parts are the same: equal, an initial or a short form, or a slip of the pen apart."""
    short, long = sorted((part, other), key=len)
    if short == long or (long.startswith(short) and (len(short) == 1 or len(long) > len(short) + 2)):
        return True
    return slip(part, other)


def slip(word: str, other: str) -> bool:
    """Return whether two words differ by one slip of the pen: from six letters on, the first of them the same."""
    from rapidfuzz.distance import OSA

    return min(len(word), len(other)) > 5 and word[0] == other[0] and OSA.distance(word, other, score_cutoff=1) == 1


def _replaced(name: Sequence[str], other: Sequence[str]) -> bool:
    known = [mine if mine in name else next((part for part in name if _same(part, mine)), mine) for mine in other]
    return any(kind == "replace" for kind, *_ in SequenceMatcher(None, name, known, False).get_opcodes())


def _joined_otherwise(parts: Sequence[str], answer: str) -> bool:
    """Return whether a dotted name stands in an answer with another part before or after the dot."""
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
    """Return whether a Chinese answer has other characters in the place of a golden name, word by word the same around."""
    absent = [(start, end) for start, end in chinese_names(golden) if golden[start:end] not in answer]
    if not absent:
        return False
    for kind, a, b, c, d in SequenceMatcher(None, golden, answer, False).get_opcodes():
        other = answer[c:d]
        if kind == "replace" and d - c <= _NAME_LENGTH[1] + 2 and not set(other) <= CHINESE_STOP and re.search(f"[{HAN}]", other):
            if any(a < end and start < b for start, end in absent):
                return True
    return False


def name_spans(text: str) -> list[tuple[int, int]]:
    """The places of capitalised names in a text, without articles before them."""
    return [(match.start() + len(lead[0]) if (lead := _ARTICLE.match(match[0])) else match.start(), match.end()) for match in _SPAN.finditer(text)]


def chinese_names(text: str) -> Iterator[tuple[int, int]]:
    """The places of names in a Chinese text, simplified."""
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
