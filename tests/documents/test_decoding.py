"""The encodings that are recognised, on short texts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.decoding import decode, decoded
from synth.corpus.documents.loading import load
from synth.corpus.documents.reasons import BINARY, RESERVATION, UNDECODABLE, Unloadable

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


LEGACY = {
    "Polish names": ("The Łęczyca gate was rebuilt by Wacław Żmuda near Świdnica.", ("cp1250", "iso8859-2")),
    "Polish": ("Most ma dwieście metrów długości, a ściany są żółte i gładkie.", ("cp1250", "iso8859-2")),
    "Czech names": ("The Mělník mill was sold by Jiří Kovář to Božena Říhová.", ("cp1250", "iso8859-2")),
    "Hungarian": ("A malom őrlőköve öt tonna, tűz pusztította el, később újjáépült.", ("cp1250", "iso8859-2")),
    "Turkish names": ("The Kırşehir mill was built by Şükrü Yıldız near Çağlayan.", ("cp1254", "iso8859-9")),
    "accents": ("The café of “Zoë Müller” is naïve – señor’s crème brûlée costs £9.", ("cp1252", "mac-roman")),
    "German": (GERMAN, ("cp1252", "mac-roman")),
    "Russian": ("Мельница построена в 1874 году, её высота 21 метр.", ("cp1251", "koi8-r", "iso8859-5")),
    "Ukrainian": ("Млин збудовано у 1874 році, його висота становить 21 метр.", ("cp1251", "koi8-u")),
    "Greek": ("Ο μύλος χτίστηκε το 1874 και έχει ύψος 21 μέτρα.", ("cp1253", "iso8859-7")),
    "Japanese": ("水車小屋は1874年に建てられ、高さは21メートルです。", ("shift_jis", "euc_jp")),
    "Korean": ("물레방아는 1874년에 세워졌고 높이는 21미터입니다.", ("euc_kr", "cp949")),
}


@pytest.mark.parametrize(("text", "encoding"), [(text, name) for text, names in LEGACY.values() for name in names])
def test_legacy_encodings_by_the_words_they_give(text: str, encoding: str) -> None:
    text = text.encode(encoding, "ignore").decode(encoding)
    found = decoded(text.encode(encoding))
    assert found.text == text
    assert found.guessed == (found.encoding != "cp1252")


def test_words_that_fit_two_encodings_are_a_guess() -> None:
    assert decoded("The señor waits at the gate.".encode("cp1252")) == ("The señor waits at the gate.", "cp1252", True)
    assert decoded("The café opens at nine.".encode("cp1252")) == ("The café opens at nine.", "cp1252", False)


def test_a_guessed_encoding_is_told_and_a_known_one_is_not(tmp_path: Path) -> None:
    written = {"a.txt": "cp1250", "b.md": "iso8859-2", "c.csv": "cp1250", "d.rst": "cp1250", "sure.txt": "utf-8"}
    for name, encoding in written.items():
        (tmp_path / name).write_bytes(LEGACY["Polish"][0].encode(encoding))
    (tmp_path / "declared.html").write_bytes(f'<meta charset="cp1250"><p>{LEGACY["Polish"][0]}</p>'.encode("cp1250"))
    loaded = load([tmp_path], CorpusSettings(strict=True))
    assert len(loaded.documents) == 6
    assert [(Path(one.source).name, one.reason, one.detail.split(";")[0]) for one in loaded.skipped] == [
        (name, RESERVATION, f"decoded as {written[name]}") for name in sorted(written) if name != "sure.txt"
    ]


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
        ("这一行本来是好的，但是有一个字节坏了。".encode()[:-1], UNDECODABLE),
        ("The “good” part".encode() + b"\xff" + " and “more” here…".encode(), UNDECODABLE),
        (b"\xff\xfea", UNDECODABLE),
    ],
)
def test_what_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Unloadable) as caught:
        decode(data)
    assert caught.value.reason == reason
