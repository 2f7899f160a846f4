"""Names in short and in full: LBJ and Lyndon B. Johnson, "the WHO", 北大 and 北京大学, CO2 and carbon dioxide."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from synth.evaluation.measuring.answer_names import LINKS, LISTED_NAME
from synth.text.language import HAN
from synth.text.tokens import words

_SHORT = re.compile(r"(?<![\w.])(?:[A-Z]\.?){2,7}(?![\w])")
_PART = re.compile(r"[^\W\d_][\w'’]*")
_SHORT_HAN = (2, 4)
_LONGEST_NAME = 8
_MOST_WORDS = 40
"""Maximum number of capitalised words of a name; more in a row are no name."""

_LONGEST_GOLDEN = 16
"""Maximum number of characters of a golden answer that may be a Chinese name."""

_MIN_KEPT = 2
_LINKING = frozenset("和与及暨")
_HAN_TEXT = re.compile(f"[{HAN}]+")


def alike_names(golden: str, answer: str) -> str:
    """Return the answer with names written as in the golden answer, where one is short for the other."""
    for name, other in (*_initials(golden, answer), *_chinese(golden, answer)):
        if name in answer:
            continue
        answer = name.join(re.split(rf"(?<![A-Za-z0-9]){re.escape(other)}(?![A-Za-z0-9])", answer))
    return answer


def alike_substances(texts: Sequence[str], question: str) -> list[str]:
    """Return the texts with names of substances as formulas.

    Texts are unchanged if none contains a formula or if the question contains the name of a substance.
    """
    by_name, formulas = _substances()
    if by_name.search(question) or not any(formulas.search(text) for text in texts):
        return list(texts)
    return [by_name.sub(lambda match: _formula_of(match[0]), text) for text in texts]


def _initials(golden: str, answer: str) -> Iterator[tuple[str, str]]:
    """Yield names of the golden answer, each with the name in the answer that is its short or long form."""
    short_here, short_there = _SHORT.findall(golden), _SHORT.findall(answer)
    for mine, theirs, turned in ((short_here, answer, False), (short_there, golden, True)):
        for short in mine:
            letters = short.replace(".", "").casefold()
            if any(_spells(run, letters) for run in _runs(answer if turned else golden)):
                continue
            for run in _runs(theirs):
                if _spells(run, letters) and short not in theirs:
                    yield (run, short) if turned else (short, run)
                    break
    for name in _runs(golden):
        for other in _runs(answer):
            if name != other and _with_initials(_parts(name), _parts(other)):
                yield name, other


@lru_cache(maxsize=2048)
def _runs(text: str) -> tuple[str, ...]:
    """Return the capitalised names of a text, and shorter forms that lack the first or the last words of a name."""
    runs = []
    for match in LISTED_NAME.finditer(text):
        starts = [part.start() for part in _PART.finditer(match[0]) if part[0][0].isupper()]
        if len(starts) > _MOST_WORDS:
            continue
        runs += [match[0][start:] for start in starts[:-1]]
        runs += [match[0][:end] for end in starts[2:] if match[0][:end].strip(" ,")]
    return tuple(dict.fromkeys(run.strip(" ,") for run in runs))


def _parts(name: str) -> list[str]:
    """Return the parts of a name that count for its initials, in lower case."""
    return [part[0].casefold() for part in _PART.finditer(name) if not re.fullmatch(LINKS, part[0], re.IGNORECASE)]


def _spells(name: str, letters: str) -> bool:
    every = [part[0].casefold() for part in _PART.finditer(name)]
    return letters in ("".join(part[0] for part in _parts(name)), "".join(part[0] for part in every))


def _with_initials(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether two names of persons differ only in parts that one name shortens to initials or leaves out."""
    short, long = sorted((mine, theirs), key=len)
    if len(short) < 2 or short[-1] != long[-1] or len(short[-1]) < 2:
        return False
    if len(short) < len(long) and any(len(part) > 1 for part in long[len(short) - 1 : -1]):
        return False
    pairs = [(a, b) for a, b in zip(short[:-1], long[:-1], strict=False) if a != b]
    return bool(pairs) and all(a[0] == b[0] and 1 in (len(a), len(b)) for a, b in pairs)


def _chinese(golden: str, answer: str) -> Iterator[tuple[str, str]]:
    """Yield a golden answer that is a Chinese name, with the name in the answer that is its short or long form.

    A short name consists of the first or last characters of the words of the full name.
    """
    name = "".join(_HAN_TEXT.findall(golden))
    if not _SHORT_HAN[0] <= len(name) <= _LONGEST_GOLDEN or name in answer:
        return
    full = name[-1] in _table()["heads"]["characters"]
    others = [short for short in _short_names(answer) if full and _abbreviates(short, name)]
    if len(name) <= _SHORT_HAN[1]:
        others += [full for full in _han_names(answer) if _abbreviates(name, full)]
    if others:
        yield name, others[0]


def _short_names(text: str) -> list[str]:
    """Return the words of a few Chinese characters, and whole runs of Chinese text of that length."""
    least, most = _SHORT_HAN
    alone = [run[0] for run in _HAN_TEXT.finditer(text) if least <= len(run[0]) <= most]
    return list(
        dict.fromkeys(
            [*alone, *(word for word in _words(text) if least <= len(word) <= most and _HAN_TEXT.fullmatch(word))]
        )
    )


@lru_cache(maxsize=2048)
def _han_names(text: str) -> tuple[str, ...]:
    """Return the runs of Chinese words that may be a name, the longest first."""
    names = []
    for run in _HAN_TEXT.finditer(text):
        cut = _words(run[0])
        names += [
            "".join(cut[start:end])
            for start in range(len(cut))
            for end in range(start + 1, min(len(cut), start + _LONGEST_NAME) + 1)
            if cut[end - 1][-1] in _table()["heads"]["characters"]
        ]
    return tuple(sorted(dict.fromkeys(names), key=len, reverse=True))


def _abbreviates(short: str, name: str) -> bool:
    """Return whether a short name consists of first or last characters, or whole words, of a full name in order.

    It may leave out the first words (国立, 中国) and the last word, as 世卫 and 发改委 do. It needs at least two words.
    """
    if len(name) < len(short) + _MIN_KEPT:
        return False
    cut = [piece for piece in _pieces(name) if piece not in _LINKING]
    return any(_taken(short, cut[start:], 0) for start in range(len(cut) - 1))


def _taken(short: str, cut: Sequence[str], used: int) -> bool:
    """Return whether a short name consists of one part of each word in `cut`; the last word may be left out.

    A part is the first or last character, or the whole word. `short` is the rest of the short name, after the parts of
    `used` earlier words.
    """
    if not short:
        return len(cut) <= 1 and used > 1
    if not cut:
        return False
    options = {cut[0][0], cut[0][-1], cut[0]}
    return any(short.startswith(part) and _taken(short[len(part) :], cut[1:], used + 1) for part in options)


def _pieces(name: str) -> list[str]:
    """Return the words of a Chinese name, with longer words split into pieces of two characters."""
    return [word[at : at + 2] for word in _words(name) for at in range(0, len(word), 2)]


@lru_cache(maxsize=2048)
def _words(text: str) -> tuple[str, ...]:
    return tuple(words(text))


@cache
def _substances() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return patterns of substance names and of formulas.

    The symbol of an element matches only as the whole text, because "In" is also a word.
    """
    names = [name for row in _table()["substances"]["rows"].values() for name in row.split("|")]
    rows = _table()["substances"]["rows"]
    compounds = "|".join(re.escape(name) for name in rows if sum(map(str.isupper, name)) > 1 or not name.isalpha())
    elements = "|".join(name for name in rows if name.isalpha())
    english = "|".join(sorted((re.escape(name) for name in names if name.isascii()), key=len, reverse=True))
    chinese = "|".join(sorted((re.escape(name) for name in names if not name.isascii()), key=len, reverse=True))
    return (
        re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE),
        re.compile(rf"(?<![A-Za-z0-9])(?:{compounds})(?![A-Za-z0-9])|\A(?:{elements})\Z"),
    )


def _formula_of(name: str) -> str:
    plain = name.casefold()
    return next(str(formula) for formula, row in _table()["substances"]["rows"].items() if plain in row.split("|"))


@cache
def _table() -> Any:
    return json.loads(files(__package__).joinpath("answer_abbreviations.json").read_text(encoding="utf-8"))
