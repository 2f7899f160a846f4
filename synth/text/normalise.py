"""Normal forms for comparing texts: width, case, script, white space and punctuation."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[^\w\s.%°+-]|(?<!\d)\.|\.(?!\d)|(?<![\w])[-+](?!\d)|(?<=\w)-(?=\w)", re.UNICODE)
_EXPONENT = re.compile("(?<=[0-9)])(?=[⁰¹²³⁴-⁹⁺⁻])")
_FRACTION = re.compile("(?<=[0-9])(?=[¼-¾⅐-⅞])")
_IN_WORD = re.compile(r"[^\W\u3400-\u9fff]")
_GOES_ON = re.compile(r"[^\W\u3400-\u9fff]|\.\d")
_EASTERN = re.compile("[\u2e80-\U0010ffff]")
_HAN_GAP = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")


_LOOK_ALIKE = str.maketrans(
    "АВСЕНІЈКМОРЅТХУаеосрхуіјѕԁԛԝһɡΑΒΕΖΗΙΚΜΝΟΡΤΥΧοανρτικ", "ABCEHIJKMOPSTXYaeocpxyijsdqwhgABEZHIKMNOPTYXoavptik"
)
_FOREIGN_LATIN = re.compile(r"[a-zA-Z][\u0370-\u052f\u0261]|[\u0370-\u052f\u0261][a-zA-Z]")
_MIXED = re.compile(r"(?=[^\u0370-\u052f\u0261]*[\u0370-\u052f\u0261])(?=[^a-zA-Z]*[a-zA-Z])")
_WORD = re.compile(r"\w+")
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
"""Invisible characters outside the Unicode category Cf (format)."""


LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
"""Regular expression for half of a surrogate pair, which UTF-8 cannot encode."""


@lru_cache(maxsize=1)
def _to_simplified_table() -> dict[int, str]:
    """Return a translation table from traditional to simplified characters, from zhconv's dictionary."""
    from zhconv import convert

    table = {}
    for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000), *range(0xF900, 0xFB00)):
        char = chr(code)
        simple = convert(char, "zh-hans")
        if len(simple) == 1 and simple != char:
            table[code] = simple
    return table


@lru_cache(maxsize=1)
def traditional_only() -> frozenset[str]:
    """Return the characters that occur only in traditional script."""
    return frozenset(map(chr, _to_simplified_table()))


@lru_cache(maxsize=1)
def simplified_only() -> frozenset[str]:
    """Return the characters that occur only in simplified script."""
    from zhconv import convert

    simplified = set(_to_simplified_table().values()) - traditional_only()
    return frozenset(char for char in simplified if convert(char, "zh-hant") != char)


def to_simplified(text: str) -> str:
    """Return `text` with every traditional character simplified. Offsets are unchanged."""
    return text.translate(_to_simplified_table()) if _EASTERN.search(text) else text


def to_traditional(text: str) -> str:
    """Return `text` in traditional script, converted phrase by phrase. Its length may change."""
    from zhconv import convert

    return str(convert(text, "zh-hant"))


_TAIWAN = {
    "文檔": "文件", "檔案名": "檔名", "對象": "物件", "代碼": "程式碼", "設置": "設定", "默認": "預設", "項目": "專案",
    "信息": "資訊", "數據": "資料", "列表": "清單", "回復": "回覆", "字符": "字元", "鏈接": "連結", "用戶": "使用者",
}  # fmt: skip
"""Taiwanese computing terms, by the mainland terms that script conversion does not replace."""


def to_taiwan(text: str, written: str = "") -> str:
    """Return `text` as people in Taiwan write it: traditional script, Taiwanese terms and quotation marks.

    A term that also occurs in `written`, another text by the same author, is not replaced.
    """
    from zhconv import convert

    converted = str(convert(text, "zh-tw"))
    for word, usual in _TAIWAN.items():
        converted = converted if word in written else converted.replace(word, usual)
    return converted


def fold_width(text: str) -> str:
    """Return `text` in NFKC form: full-width letters, digits and punctuation become half-width.

    Exponents and fractions stay separate from the digits before them: 10⁶ becomes 10^6, not 106, and 2½ becomes 2 1⁄2.
    """
    if not text.isascii():
        text = _FRACTION.sub(" ", _EXPONENT.sub("^", text).replace("^⁻", "^-"))
    return unicodedata.normalize("NFKC", text)


def folded_letters(text: str) -> str:
    """Return `text` as a reader sees it: NFKC form, no invisible characters, look-alike letters made Latin.

    Look-alike letters change only in words that mix Latin with Cyrillic or Greek letters, so that Russian and Greek
    stay. The length of the text may change.
    """
    if text.isascii():
        return text
    folded = "".join(char for char in fold_width(text) if unicodedata.category(char) != "Cf" and char not in _UNSEEN)
    if not _FOREIGN_LATIN.search(folded):
        return folded
    return _WORD.sub(lambda word: word[0].translate(_LOOK_ALIKE) if _MIXED.match(word[0]) else word[0], folded)


def collapse_space(text: str) -> str:
    """Return `text` with each run of white space replaced by one space, and without white space at the ends."""
    return _SPACE.sub(" ", text).strip()


@lru_cache(maxsize=4096)
def normalise(text: str) -> str:
    """Return the normal form of an answer or question. Texts with the same normal form count as equal.

    Width, case, script, white space and punctuation are normalised. Digits, decimal points, signs and percent signs are
    kept, so that 3.14 and 314 stay different.
    """
    folded = to_simplified(fold_width(text)).casefold().replace("_", " ")
    folded = re.sub(r"(?<=\d),(?=\d{3}\b)", "", folded)
    folded = collapse_space(_PUNCTUATION.sub(" ", folded))
    return _HAN_GAP.sub("", folded)


def holds(text: str, phrase: str) -> bool:
    """Return whether the normalised `text` contains the normalised `phrase` as whole words and numbers.

    The result is False if the normalised phrase is empty.
    """
    haystack, needle = normalise(text), normalise(phrase)
    if not needle:
        return False
    start = haystack.find(needle)
    while start >= 0:
        if _edges(haystack, start, start + len(needle)):
            return True
        start = haystack.find(needle, start + 1)
    return False


def _edges(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` starts and ends at word boundaries. Chinese words have no boundaries."""
    if text[start] < "\u3400" and _IN_WORD.match(text[start - 1 : start]):
        return False
    return not (text[end - 1] < "\u3400" and _GOES_ON.match(text, end))
