"""Detection of the language of a text: "en", "zh-Hans", "zh-Hant" or "other"."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from synth.text.normalise import simplified_only, traditional_only

LANGUAGES = ("en", "zh-Hans", "zh-Hant")

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Ranges of Chinese characters, for a character class in a regular expression."""

_HAN = re.compile(f"[{HAN}]")
_KANA_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
_OTHER_LETTER = re.compile(r"[\u0370-\u1fff]")
_WORD = re.compile(r"[A-Za-zÀ-ɏ']+")
_ENGLISH = frozenset(
    "the of and to in a is that for it as was with be by on not he his but at are this have from or "
    "had an they which one you were all her she there would their we him been has when who will no "
    "if out so what can do into your its than them then these some could may how must should only "
    "about other use used using more also any".split()
)
_OTHER_LATIN = frozenset(
    "de la le les des et est une dans der die das und ist nicht ein eine el los las que en por con "
    "para del il di che per non sono um uma não com och att det som på är een het van niet".split()
)
# Function words that are also part of names in English texts ("Los Angeles", "Antonio de Cardona").
_WITHIN_NAMES = frozenset("de la le les des del di du da van los las el il y".split())
SAMPLE = 20_000
"""Number of characters at the start of a text that language detection reads."""


def is_han(char: str) -> bool:
    """Return whether `char` is a Chinese character."""
    return bool(_HAN.match(char))


def is_chinese(language: str) -> bool:
    """Return whether a language tag is Chinese, in either script."""
    return language.startswith("zh")


@lru_cache(maxsize=4096)
def detect(text: str) -> str:
    """Return the language of `text`, from its characters and, for Latin script, its function words.

    A text is Chinese if at least one letter in eight is a Chinese character, whatever Latin names and code it contains.
    A Chinese text is "zh-Hant" if more of its characters occur only in traditional script than only in simplified
    script, else "zh-Hans". The result is "other" for other languages, and for a text with too few letters to decide.
    """
    sample = text[:SAMPLE]
    han = len(_HAN.findall(sample))
    latin = len(_LATIN.findall(sample))
    kana = len(_KANA_HANGUL.findall(sample))
    foreign = len(_OTHER_LETTER.findall(sample))
    if kana > 0.1 * (han + kana) and kana > 2 and kana > 0.1 * latin:
        return "other"
    if han and han >= 0.125 * (han + latin) and han > foreign:
        return script(sample)
    if latin <= foreign or not latin:
        return "other"
    return "en" if _is_english(_WORD.findall(sample)) else "other"


def detect_table(headers: str, cells: str) -> str:
    """Return the language of a table without sentences, from its headers and cells.

    Chinese headers decide, whatever codes the cells contain. A table in ASCII letters is English on two conditions. It
    contains no function word of another language, and a third of its header words are in `table_words.json`.
    """
    han, latin = (len(form.findall(headers)) for form in (_HAN, _LATIN))
    if han > latin:
        return script(f"{headers}\n{cells}"[:SAMPLE])
    language = detect(f"{headers}\n{cells}")
    words = [word.lower() for word in _WORD.findall(headers)]
    known = sum(word in _table_words() or word.removesuffix("s") in _table_words() for word in words)
    if known and 3 * known >= len(words) and f"{headers}{cells[:SAMPLE]}".isascii():
        rivals = sum(word.lower() in _OTHER_LATIN for word in _WORD.findall(f"{headers}\n{cells[:SAMPLE]}"))
        return language if rivals else "en"
    spoken = len(_WORD.findall(f"{headers}\n{cells[:SAMPLE]}"))
    return "other" if language == "en" and spoken < _FEW else language


_FEW = 40
"""Minimum number of words in a table at which function words alone can make it English."""


@lru_cache(maxsize=1)
def _table_words() -> frozenset[str]:
    table = json.loads(files(__package__).joinpath("table_words.json").read_text("utf-8"))
    return frozenset(" ".join(table["words"]).split())


def _is_english(words: Sequence[str]) -> bool:
    """Return whether the function words among `words` are mostly English. Words inside names are ignored."""
    plain = [
        word.lower()
        for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False)
        if word.lower() not in _WITHIN_NAMES
        or not (word[:1].isupper() or (before[:1].isupper() and after[:1].isupper()))
    ]
    english = sum(word in _ENGLISH for word in plain)
    rival = sum(word in _OTHER_LATIN for word in plain)
    spoken = sum(not word[:1].isupper() or word.lower() in _ENGLISH for word in words)
    if english < rival:
        return False
    return (english > 1 and english >= 0.08 * spoken) or (len(words) < 12 and rival == 0)


def script(text: str) -> str:
    """Return the Chinese script of a text, "zh-Hans" or "zh-Hant". In case of doubt, it is "zh-Hans"."""
    hans = sum(char in simplified_only() for char in text)
    hant = sum(char in traditional_only() for char in text)
    return "zh-Hant" if hant > hans else "zh-Hans"
