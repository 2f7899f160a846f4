"""Decoding of files: detection of a text's encoding."""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from synth.corpus.documents.reasons import BINARY, UNDECODABLE, Unloadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CHINESE = ("gb18030", "big5hkscs", "cp950", "utf-16-le", "utf-16-be")
_JAPANESE = ("cp932", "euc_jp")
_ALPHABETS = {
    "cp1251": "оеаинтсрвлкмдпуяыьгзбчйі",
    "koi8-r": "оеаинтсрвлкмдпуяыьгзбчйі",
    "koi8-u": "оеаинтсрвлкмдпуяыьгзбчйі",
    "iso8859-5": "оеаинтсрвлкмдпуяыьгзбчйі",
    "cp1253": "αοειντσηρπκλςυόίάέήω",
    "iso8859-7": "αοειντσηρπκλςυόίάέήω",
}
"""Encodings of alphabets other than Latin, each with the most frequent letters of its languages."""
_LATIN = ("cp1252", "cp1250", "iso8859-2", "cp1254", "mac-roman")
_WESTERN = "áéíóúñü àèéìòù àâçèéêëîïôùûœ ãáâàçéêíóôõú äöüß åäöé æøåé áðéíóúýþæö õäöü àçèéíòóúïü".split()
_LETTERS = {
    "cp1252": _WESTERN,
    "mac-roman": _WESTERN,
    "cp1254": ["çğıiöşüâî"],
    "cp1250": ["áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîşţ", "čćđšž"],
}
_LETTERS["iso8859-2"] = _LETTERS["cp1250"]
"""Non-ASCII letters by encoding. Each string has the letters of a language, or of several related languages."""
_SURE = frozenset({"cp1252", *_CHINESE})
_EVERY = (*_CHINESE, *_LATIN, *_JAPANESE, "cp949", *_ALPHABETS)

SPREADSHEETS = (*_CHINESE, "cp1252")
"""Encodings in which spreadsheet programs may save a CSV file in the languages of our annotation sheets."""

_DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,30})""", re.I)
_TRUSTED = re.compile(r"gb|big5|utf|iso-?8859|windows-\d|cp\d|latin|koi8|shift|sjis|euc", re.I)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL_BYTE = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_UTF8_CHAR = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_TYPOGRAPHY = frozenset("‘’“”–—…•°±§©®™£€«»½¼¾×·¡¿ªº´")
_CHINESE_MARKS = frozenset("，。、；：？！“”‘’（）《》「」『』【】—…·　～％０１２３４５６７８９")
_MAGIC = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"%PDF-", b"\x7fELF", b"\x1f\x8b", b"\xd0\xcf\x11\xe0")
_BEFORE_DIGITS = frozenset("£¥¢®¹²³¼½¾±¦¬¶¤¨¯¸")  # marks that never precede a letter
_KANA = re.compile(r"[\u3041-\u30ff]")
_SAMPLE = 60_000
_ANY_LANGUAGE = 0.8
_EQUAL = 1e-6
_PLAUSIBLE = 0.45

# The most frequent characters of Chinese text, simplified; the traditional forms are derived.
_FREQUENT = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道"
    "行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意"
    "无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什"
    "二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义"
    "各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金"
    "指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求"
    "据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运笔请每需文件配置安装服务器用户数据系统"
    "网络城市医院学校公司研究开发支持版本使用方法功能信息技术管理包括提供"
)
_FREQUENT_HANGUL = frozenset(
    "이다는의에가을한고하지로기도은사리어서나자인아시정대일수부있를그해과보라장전구제원주여성상만면들니비소신조동게안것"
    "공경화학생국었했습까됩되위없연세요년등와저관명물실유무방개간마스트높탑된며월"
)


class Decoded(NamedTuple):
    """A text and its encoding. `guessed` is whether several encodings were plausible."""

    text: str
    encoding: str
    guessed: bool = False


def decode(data: bytes, *, markup: bool = False) -> tuple[str, str]:
    """Return the text of `data` and the name of its encoding (see `decoded`)."""
    return decoded(data, markup=markup)[:2]


def decoded(data: bytes, *, markup: bool = False, among: tuple[str, ...] = _EVERY) -> Decoded:
    """Decode `data` and return the text with its encoding; a byte order mark is dropped.

    A byte order mark decides for UTF-8, UTF-16 or UTF-32. Otherwise UTF-8, UTF-16 in both byte orders and the legacy
    encodings `among` are tried. These cover Chinese, Japanese, Korean, Cyrillic, Greek, Turkish, and Western and
    Central European languages. The text that looks most like one of these languages wins. With `markup`, a charset
    declared in HTML or XML comes before the legacy encodings. Raise Unloadable with reason BINARY or UNDECODABLE.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return Decoded(*_marked(data[len(mark) :], name))
    if data.startswith(_MAGIC):
        raise Unloadable(BINARY, "it begins like another kind of file; correct its suffix")
    text = _try(data, "utf-8")
    if text is not None and "\0" not in text:
        if _is_binary(text):
            raise Unloadable(BINARY, "it contains control characters")
        return Decoded(text, "utf-8")
    declared = _declared(data) if markup else None
    return Decoded(*declared) if declared else _by_trial(data, among)


def _marked(data: bytes, name: str) -> tuple[str, str]:
    text = _try(data, name)
    if text is None:
        raise Unloadable(
            UNDECODABLE, f"its byte order mark announces {name}, but its bytes are invalid; save it again as UTF-8"
        )
    if _is_binary(text):
        raise Unloadable(BINARY, "it contains control characters")
    return text, name


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _is_binary(text: str) -> bool:
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) > 0.002 * len(sample) + 2 or "\0" in text


def _declared(data: bytes) -> tuple[str, str] | None:
    match = _DECLARED.search(data[:4096])
    name = match.group(1).decode("ascii").casefold() if match else ""
    if not _TRUSTED.match(name):
        return None
    name = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs", "iso-8859-1": "cp1252"}.get(name, name)
    text = _try(data, name)
    return None if text is None or _is_binary(text) else (text, name)


def _by_trial(data: bytes, among: tuple[str, ...]) -> Decoded:
    if _is_broken_utf8(data):
        raise Unloadable(UNDECODABLE, "it is UTF-8 with damaged characters; save it again as UTF-8")
    best, rival = (0.0, "", ""), 0.0
    for name in among:
        if name.startswith("utf-16") and len(data) % 2:
            continue
        text = _try(data, name)
        if text is None:
            continue
        score = _score(text[:_SAMPLE], name)
        if score > best[0] + _EQUAL:
            best = (score, text, name)
        elif name in _LATIN and score > rival and text != best[1]:
            rival = score
    if best[0] >= _PLAUSIBLE:
        is_tie = best[2] in _LATIN and rival > best[0] - _EQUAL
        return Decoded(best[1], best[2], is_tie or best[2] not in _SURE)
    if b"\0" in data or len(_CONTROL_BYTE.findall(data[:_SAMPLE])) > 0.05 * len(data[:_SAMPLE]):
        raise Unloadable(BINARY, "its bytes are not text")
    raise Unloadable(UNDECODABLE, "no known encoding fits; save it as UTF-8")


def _is_broken_utf8(data: bytes) -> bool:
    """Whether data are damaged UTF-8: most but not all non-ASCII bytes form UTF-8 characters."""
    sample = data[:_SAMPLE]
    high = sum(byte >= 0x80 for byte in sample)
    good = sum(len(char) for char in _UTF8_CHAR.findall(sample))
    return good >= 0.8 * high > 0


@lru_cache(maxsize=1)
def _frequent() -> frozenset[str]:
    from synth.text.normalise import to_traditional

    return frozenset(_FREQUENT) | frozenset(to_traditional(_FREQUENT))


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    """Return the first-level characters of GB 2312 and Big5, taken from Python's codecs."""
    simplified = bytes(b for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF) for b in (row, cell))
    rows = range(0xA4, 0xC7)
    cells = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    traditional = bytes(b for row in rows for cell in cells for b in (row, cell))
    return frozenset(simplified.decode("gb2312", "ignore")) | frozenset(traditional.decode("big5", "ignore"))


def _chinese_score(text: str, *, bare: bool) -> float:
    """Score the non-ASCII characters as Chinese text: 1 for prose, below 0.3 for random characters.

    With `bare`, readable text that is mostly ASCII also scores 1. It shows that the byte order of UTF-16 is right.
    """
    sample = text[:_SAMPLE]
    if _is_binary(sample):
        return 0.0
    wide = [char for char in sample if char > "\x7f"]
    ascii_count = len(sample) - len(wide)
    if bare and ascii_count >= 0.7 * len(sample):
        return 1.0 if all(char.isprintable() or char.isspace() for char in sample) else 0.0
    if not wide:
        return 0.0
    return sum(map(_chinese_worth, wide)) / len(wide)


def _chinese_worth(char: str) -> float:
    if char in _frequent() or char in _CHINESE_MARKS:
        return 1.0
    if char in _common():
        return 0.45
    if "\u3400" <= char <= "\u9fff":
        return -0.3
    if unicodedata.category(char) in ("Co", "Cn", "Cc", "Cs"):
        return -5.0
    return -0.5


def _latin_score(sample: str, name: str) -> float:
    """Score the non-ASCII characters, up to 1, as accented letters and punctuation of an encoding's languages.

    Letters of the best-matching language count fully. In Western text of mixed languages any accent counts a little
    less. Two signs show a wrong encoding: a capital inside a word, and a letter after a mark that never precedes a
    letter.
    """
    marks, wide, letters = 0, 0, list[str]()
    for index, char in enumerate(sample):
        if char <= "\x7f":
            continue
        wide += 1
        before, after = sample[max(0, index - 1) : index], sample[index + 1 : index + 2]
        if char.isalpha() and char not in "ªºµ":
            in_word = before.islower() or (before.isalpha() and after.islower())
            if not (char.isupper() and (in_word or not (before.isalpha() or after.isalpha()))):
                letters.append(char.lower()[0])
        else:
            marks += (char in _TYPOGRAPHY or char == "\xa0") and not (char in _BEFORE_DIGITS and after.isalpha())
    if not wide:
        return 0.0
    if name == "mac-roman" and marks + len(letters) < wide:
        return 0.0  # Text in other encodings often looks like the mathematical signs of Mac Roman.
    languages = _LETTERS[name]
    known: float = max(sum(letter in alphabet for letter in letters) for alphabet in languages)
    if name in ("cp1252", "mac-roman"):
        known = max(known, _ANY_LANGUAGE * len(letters))
    dense = wide / max(1, len(sample))
    return (marks + known) / wide * (1.0 if dense < 0.25 else 0.3)


def _japanese_score(sample: str) -> float:
    """Score the non-ASCII characters, up to 1, as Japanese text: kana count 1, common characters 0.6."""
    wide = [char for char in sample if char > "\x7f"]
    if len(_KANA.findall(sample)) < 0.2 * len(wide):
        return 0.0
    return sum(_japanese_worth(char) for char in wide) / max(1, len(wide))


def _japanese_worth(char: str) -> float:
    if _KANA.match(char) or char in _CHINESE_MARKS:
        return 1.0
    if "\u4e00" <= char <= "\u9fff":
        return 0.6 if "\x88" <= char.encode("cp932", "replace")[:1].decode("latin-1") <= "\x97" else -0.3
    return -0.5


def _korean_score(sample: str) -> float:
    """Score the non-ASCII characters, up to 1, as Korean text. Frequent syllables count more than others."""
    wide = [char for char in sample if char > "\x7f"]
    return sum(_korean_worth(char) for char in wide) / max(1, len(wide))


def _korean_worth(char: str) -> float:
    if char in _FREQUENT_HANGUL or char in _CHINESE_MARKS:
        return 1.0
    if "\uac00" <= char <= "\ud7a3":
        return 0.45 if len(char.encode("euc_kr", "ignore")) == 2 else -0.3
    return -0.5


def _alphabet_score(sample: str, frequent: str) -> float:
    """Score the non-ASCII characters, up to 1, as words of an alphabet.

    `frequent` are the most frequent letters of the alphabet. A capital after a small letter is a sign of a wrong
    encoding.
    """
    total, wide, before = 0.0, 0, " "
    for char in sample:
        if char > "\x7f":
            wide += 1
            same_script = char.isalpha() and unicodedata.name(char, "")[:5] == unicodedata.name(frequent[0])[:5]
            if same_script and before.isascii() and before.isalpha():
                total -= 0.5
            elif same_script and char.isupper():
                total += 0.7 if not before.islower() else -0.5
            elif same_script:
                total += 1.0 if char in frequent else 0.5
            else:
                total += 0.5 if char in _TYPOGRAPHY or char in "\xa0№" else -0.5
        before = char
    return total / max(1, wide)


def _score(sample: str, name: str) -> float:
    """Score a decoded sample, up to 1, as text in the languages that use the encoding."""
    if _is_binary(sample):
        return 0.0
    if name in _LATIN:
        return _latin_score(sample, name)
    if name in _JAPANESE:
        return _japanese_score(sample)
    if name == "cp949":
        return _korean_score(sample)
    if name in _ALPHABETS:
        return _alphabet_score(sample, _ALPHABETS[name])
    return _chinese_score(sample, bare=name.startswith("utf-16"))
