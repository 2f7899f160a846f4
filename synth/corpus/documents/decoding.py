"""Decoding of files: detection of the encoding of a text."""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import lru_cache

from synth.corpus.documents.reasons import BINARY, UNDECODABLE, Unloadable

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CANDIDATES = ("gb18030", "big5hkscs", "cp950", "cp1252", "utf-16-le", "utf-16-be")
_DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,30})""", re.I)
_TRUSTED = re.compile(r"gb|big5|utf|iso-?8859|windows-\d|cp\d|latin|koi8|shift|sjis|euc", re.I)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_CONTROL_BYTE = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_UTF8_CHAR = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_TYPOGRAPHY = frozenset("‘’“”–—…•°±§©®™£€«»½¼¾×·¡¿ªº´")
_CHINESE_MARKS = frozenset("，。、；：？！“”‘’（）《》「」『』【】—…·　～％０１２３４５６７８９")
_MAGIC = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"%PDF-", b"\x7fELF", b"\x1f\x8b", b"\xd0\xcf\x11\xe0")
_SAMPLE = 60_000
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


def decode(data: bytes, *, markup: bool = False) -> tuple[str, str]:
    """Text of `data` and the name of its encoding; a byte order mark is dropped.

    UTF-8, UTF-16 and UTF-32 are recognised by their byte order marks. Without one, UTF-8, UTF-16 in both byte orders,
    GB18030 (with GBK and GB2312), Big5 and Windows-1252 (with Latin-1) are tried, and the decoding that is most like
    Chinese or Latin text wins. With `markup`, a charset declared in HTML or XML comes before these trials. Raises
    Unloadable with BINARY or UNDECODABLE.
    """
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], name)
    if data.startswith(_MAGIC):
        raise Unloadable(BINARY, "its first bytes are those of another kind of file")
    text = _try(data, "utf-8")
    if text is not None and "\0" not in text:
        if _is_binary(text):
            raise Unloadable(BINARY, "control characters")
        return text, "utf-8"
    declared = _declared(data) if markup else None
    return declared or _by_trial(data)


def _marked(data: bytes, name: str) -> tuple[str, str]:
    text = _try(data, name)
    if text is None:
        raise Unloadable(
            UNDECODABLE, f"its byte order mark is that of {name}, and its bytes are not; save it again as UTF-8"
        )
    if _is_binary(text):
        raise Unloadable(BINARY, "control characters")
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


def _by_trial(data: bytes) -> tuple[str, str]:
    if _is_broken_utf8(data):
        raise Unloadable(UNDECODABLE, "UTF-8 with damaged characters in it; save it again as UTF-8")
    best = (0.0, "", "")
    for name in _CANDIDATES:
        if name.startswith("utf-16") and len(data) % 2:
            continue
        text = _try(data, name)
        if text is None:
            continue
        score = _latin_score(text) if name == "cp1252" else _chinese_score(text, bare=name.startswith("utf-16"))
        if score > best[0]:
            best = (score, text, name)
    if best[0] >= _PLAUSIBLE:
        return best[1], best[2]
    if b"\0" in data or len(_CONTROL_BYTE.findall(data[:_SAMPLE])) > 0.05 * len(data[:_SAMPLE]):
        raise Unloadable(BINARY, "bytes that are no text")
    raise Unloadable(UNDECODABLE, "not UTF-8, UTF-16, GB18030, Big5 or Latin-1; save it as UTF-8")


def _is_broken_utf8(data: bytes) -> bool:
    """Whether most bytes above ASCII, but not all, form UTF-8 characters."""
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
    """First-level characters of GB 2312 and Big5, from the codecs."""
    simplified = bytes(b for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF) for b in (row, cell))
    rows = range(0xA4, 0xC7)
    cells = (*range(0x40, 0x7F), *range(0xA1, 0xFF))
    traditional = bytes(b for row in rows for cell in cells for b in (row, cell))
    return frozenset(simplified.decode("gb2312", "ignore")) | frozenset(traditional.decode("big5", "ignore"))


def _chinese_score(text: str, *, bare: bool) -> float:
    """Score of the characters above ASCII as Chinese text: 1 for prose, below 0.3 for chance.

    With `bare`, text of ASCII alone also proves the encoding (UTF-16 in the right byte order).
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


def _latin_score(text: str) -> float:
    """Score from 0 to 1 of the characters above ASCII as accents and typography of Latin text."""
    sample = text[:_SAMPLE]
    if _is_binary(sample):
        return 0.0
    good = wide = 0
    for index, char in enumerate(sample):
        if char <= "\x7f":
            continue
        wide += 1
        around = sample[max(0, index - 1) : index] + sample[index + 1 : index + 2]
        beside_letter = any(near.isascii() and near.isalpha() for near in around)
        good += char in _TYPOGRAPHY or (char.isalpha() and beside_letter) or char == "\xa0"
    dense = wide / max(1, len(sample))
    return good / wide * (1.0 if dense < 0.25 else 0.3) if wide else 0.0
