"""The encodings that are recognised, on short texts, and what is refused."""

from __future__ import annotations

import pytest

from synth.corpus.documents.decoding import decode
from synth.corpus.documents.reasons import BINARY, UNDECODABLE, Unloadable

SIMPLIFIED = "这台水泵每分钟抽水四十升，每个月要检查一次密封圈。"
SIMPLIFIED_2 = "长江大桥于一九五七年建成通车，全长一千六百七十米"
MIXED = "安装 Python 3.12 之后，请运行 pip install 命令，再重新启动服务器。"
TRADITIONAL = "這座燈塔建於光緒年間，高三十公尺，每晚照亮整個港口。"
TRADITIONAL_2 = "臺灣的夏天常常下雨，出門記得帶雨傘與外套，路上小心。"
ENGLISH = "The café’s “special” costs €5 — and it’s the naïve visitor’s favourite."
FRENCH = "L'été, les élèves français préfèrent manger à la crêperie près de l'église."
GERMAN = "Die Größe der Straße überrascht viele Gäste, die früh am Morgen ankommen."

CHINESE_ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk")


@pytest.mark.parametrize("encoding", [*CHINESE_ENCODINGS, "gb2312"])
@pytest.mark.parametrize("text", [SIMPLIFIED, SIMPLIFIED_2, MIXED])
def test_simplified_chinese(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize("encoding", [*CHINESE_ENCODINGS, "big5", "cp950"])
@pytest.mark.parametrize("text", [TRADITIONAL, TRADITIONAL_2])
def test_traditional_chinese(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("text", [ENGLISH, FRENCH, GERMAN, "Plain words only, no accents at all.\n"])
def test_latin_script(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding))[0] == text


@pytest.mark.parametrize("text", [FRENCH, GERMAN, "Price: 20 £ or 30 ½ units, as agreed in the contract."])
def test_latin_1(text: str) -> None:
    assert decode(text.encode("latin-1"))[0] == text


def test_every_window_of_twenty_characters_is_read_right() -> None:
    for text, encodings in (
        (SIMPLIFIED + SIMPLIFIED_2, ("gb18030", "utf-16-le", "utf-16-be")),
        (TRADITIONAL + TRADITIONAL_2, ("big5", "gbk", "utf-16-le")),
    ):
        for start in range(len(text) - 20):
            part = text[start : start + 20]
            for encoding in encodings:
                assert decode(part.encode(encoding))[0] == part, (part, encoding)


def test_a_long_english_text_with_one_accent() -> None:
    text = "The word resume has no accent here. " * 200 + "But café has.\n"
    assert decode(text.encode("cp1252")) == (text, "cp1252")


def test_a_declared_charset_is_believed_only_in_markup() -> None:
    page = '<html><head><meta charset="shift_jis"></head><body>日本語のページです</body></html>'
    assert decode(page.encode("shift_jis"), markup=True)[0] == page
    xml = '<?xml version="1.0" encoding="gb2312"?><html><body>短</body></html>'
    assert decode(xml.encode("gb2312"), markup=True)[0] == xml
    wrong = '<meta charset="gb2312"><p>这一页其实是 UTF-8 编码的。</p>'
    assert decode(wrong.encode("utf-8"), markup=True)[0] == wrong
    with_bom = '<meta charset="big5"><p>有标记的一页。</p>'
    assert decode(with_bom.encode("utf-16"), markup=True)[0] == with_bom


def test_a_hostile_charset_name_is_not_used() -> None:
    page = b'<meta charset="unicode_escape"><p>caf\xe9 \\x41 latte</p>'
    assert "\\x41" in decode(page, markup=True)[0]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), BINARY),
        (bytes(range(256)) * 8, BINARY),
        (b"text\0with\0nulls\0\x01\x02", BINARY),
        (b"PK\x03\x04" + b"a" * 40, BINARY),
        ("これは日本語の文章です。ひらがなが多いです。".encode("shift_jis"), UNDECODABLE),
        ("Это русский текст, который никто не узнает.".encode("koi8-r"), UNDECODABLE),
        ("这一行本来是好的，但是有一个字节坏了。".encode()[:-1], UNDECODABLE),
        ("The “good” part".encode() + b"\xff" + " and “more” here…".encode(), UNDECODABLE),
        (b"\xff\xfea", UNDECODABLE),
    ],
)
def test_what_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Unloadable) as caught:
        decode(data)
    assert caught.value.reason == reason
