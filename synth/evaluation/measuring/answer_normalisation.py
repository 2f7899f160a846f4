"""Normalisation of answers for comparison: folding of differences in writing, and tokens."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from synth.core.errors import ConfigError
from synth.evaluation.measuring.amounts_in_words import written
from synth.text.language import HAN
from synth.text.normalise import fold_width, to_simplified
from synth.text.numerals import ENGLISH_WORDS, SCALES, read_chinese, read_english
from synth.text.tokens import words

ARTICLES = frozenset(("a", "an", "the"))
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_DIGIT = re.compile(r"\d")
_POINT = "\ue000"
_DECIMAL_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_BETWEEN_DIGITS = re.compile(r"(?<=\d)[^\w\s\ue000](?=\d)")
_SIGN = re.compile(r"(?<![\w)\]])[-\u2212](?=\d)")
_MINUS = "\ue001"
_PART_OF_NAME = re.compile(r"(?<=\b[a-z])(?:\+\+|#)(?!\w)")
_KEPT = {"+": "\ue002", "#": "\ue003"}
_TOKEN = re.compile(rf"[{HAN}]|[^\s{HAN}]+")
_CHINESE_NUMERAL = re.compile(
    r"(?<!\d)\d[\d,]{0,40}+(?:\.\d++)?[千百十万亿]+[\d零〇一二三四五六七八九十百千万亿两点]*|[零〇○一二两三四五六七八九十百千万亿廿卅点]+"
)
_ENGLISH_NUMERAL = re.compile(
    rf"(?<!\d)\d[\d,]{{0,40}}+(?:\.\d++)?\s(?:{'|'.join(SCALES)})\b|{ENGLISH_WORDS}", re.IGNORECASE
)
_ARABIC = re.compile(r"(?<![\w.])[-\u2212]?\d+(?:,\d{3})*(?:\.\d+)?|\d+(?:,\d{3})*(?:\.\d+)?")
COUNTED = frozenset("年月日号时分秒岁个次元块米人位名座条层种件台只辆艘本章节天周届倍度")
"""Characters that may follow a one-character numeral if it is a number.

The 三 in 三个 is a number; the 一 in 统一 is part of a word.
"""

FOLDS = ("script", "width", "numerals")


@dataclass(frozen=True, slots=True)
class Folding:
    """Differences in writing to ignore.

    `script`: 臺灣 and 台湾. `width`: ２０２１ and 2021. `numerals`: 三千五百, "3,500" and 3500, "forty-two" and 42.
    """

    script: bool = True
    width: bool = True
    numerals: bool = False

    @classmethod
    def named(cls, names: tuple[str, ...]) -> Folding:
        """Return the folding of the named differences. Raises ConfigError for an unknown name."""
        for name in names:
            if name not in FOLDS:
                raise ConfigError(f"unknown folding '{name}'; known: {', '.join(FOLDS)}")
        return cls(**{name: name in names for name in FOLDS})

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in FOLDS if getattr(self, name))

    def apply(self, text: str) -> str:
        """Return `text` without the folded differences."""
        if self.width and not text.isascii():
            text = fold_width(text)
        if self.script and not text.isascii():
            text = to_simplified(text)
        return with_digits(text) if self.numerals else text


def with_digits(text: str) -> str:
    """Return `text` with number words and Chinese numerals as digits; vague numerals are unchanged."""
    plain = to_simplified(text)

    def chinese(match: re.Match[str]) -> str:
        counts = len(match[0]) > 1 or plain[match.end() : match.end() + 1] in COUNTED
        value = read_chinese(match[0]) if counts else None
        return match[0] if value is None else written(value)

    def english(match: re.Match[str]) -> str:
        value = read_english(match[0])
        return match[0] if value is None else written(value)

    return _ENGLISH_NUMERAL.sub(english, _CHINESE_NUMERAL.sub(chinese, plain))


@lru_cache(maxsize=2048)
def number_values(text: str) -> frozenset[Decimal]:
    """Return the distinct values of the numbers in a text: 3,500, 三千五百, "1.5 million", forty-two."""
    numerals = _ARABIC.findall(with_digits(fold_width(text)))
    return frozenset(Decimal(numeral.replace(",", "").replace("\u2212", "-")) for numeral in numerals)


@lru_cache(maxsize=2048)
def tokens(text: str, folding: Folding, *, with_articles: bool = False) -> tuple[str, ...]:
    """Return the tokens of an answer: English words without articles, Chinese characters, whole numbers.

    As in SQuAD, case, punctuation and articles are ignored. Unlike in SQuAD, decimal points, signs and marks between
    digits count: 3.14 is not 314, 3-4 is not 34, C++ is not C. An answer that consists of articles or punctuation is
    kept. `with_articles` keeps all articles.
    """
    plain = _without_punctuation(folding.apply(text).casefold())
    every = plain.split() if plain.isascii() else _TOKEN.findall(plain)
    kept = every if with_articles else [token for token in every if token not in ARTICLES]
    return tuple(kept or every or text.split())


def _without_punctuation(text: str) -> str:
    if _DIGIT.search(text):
        text = _THOUSANDS.sub("", text)
        text = _SIGN.sub(_MINUS, _DECIMAL_POINT.sub(_POINT, text))
        text = _BETWEEN_DIGITS.sub(" ", text)
    if "+" in text or "#" in text:
        text = _PART_OF_NAME.sub(lambda match: "".join(_KEPT[char] for char in match[0]), text)
    plain = text.translate(_MARKS)
    return plain if plain.isascii() else plain.translate(_RESTORED)


class _Punctuation(dict[int, str]):
    """Translation table that removes ASCII punctuation, as in SQuAD, and replaces other punctuation by spaces."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        mark = unicodedata.category(char)[0] in "PS"
        self[code] = "" if mark and (code < 128 or char in "’‘") else " " if mark else char
        return self[code]


_MARKS = _Punctuation()
_RESTORED = str.maketrans({_POINT: ".", _MINUS: "-", **{kept: char for char, kept in _KEPT.items()}})


@lru_cache(maxsize=2048)
def word_tokens(text: str, folding: Folding) -> tuple[str, ...]:
    """Return the tokens of an answer with Chinese split into words by a dictionary; `tokens` for other answers."""
    plain = folding.apply(text)
    if not re.search(f"[{HAN}]", plain):
        return tokens(text, folding)
    return tuple(words(plain)) or tokens(text, folding)
