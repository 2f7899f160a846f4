"""Languages, scripts, normal forms and words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text.language import detect, detect_table, is_chinese, is_han, script
from synth.text.normalise import collapse_space, normalise, to_simplified, to_traditional
from synth.text.tokens import TokenIndex, content_words, count_tokens, numbers, words


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The pump moves forty litres of water a minute.", "en"),
        ("Install the package", "en"),
        ("这台水泵每分钟抽水四十升。", "zh-Hans"),
        ("這台水泵每分鐘抽水四十升。", "zh-Hant"),
        ("使用 pip install fastapi 安装 FastAPI 框架", "zh-Hans"),
        ("請使用 `docker compose up --build` 來啟動這個服務", "zh-Hant"),
        ("La pompe déplace quarante litres d'eau par minute et elle est dans la cave.", "other"),
        ("Die Pumpe ist nicht alt und das Wasser ist kalt.", "other"),
        ("この水ポンプは毎分四十リットルの水を汲みます。", "other"),
        ("이 펌프는 물을 옮깁니다", "other"),
        ("Этот насос качает воду", "other"),
        ("La bomba no es vieja y el agua de la ciudad está en la casa.", "other"),
        ("A bomba não é velha e a água da cidade está na casa de Maria, que não a quer.", "other"),
        ("Il museo di Roma è nella via del Corso e non è aperto per il pubblico.", "other"),
        ("Teams in the region include Los Angeles Rovers; Los Angeles United; La Mesa Town; and El Monte City.", "en"),
        ("Maria de la Torre y Vega (1395 - 1458, Naples) was a bishop of Venn and a son of Juan de la Torre.", "en"),
        ("Four-time Venn winner Lady Marl performed the harbour anthem, and Old Quay winner Ada Kerr signed.", "en"),
        ("The Marsh Birds (늪의 새) is a film about birds that live in a marsh near the sea.", "en"),
        ("玛丽亚·德拉托雷（María de la Torre）是塞维利亚的主教，生于那不勒斯。", "zh-Hans"),
        ("瑪麗亞·德拉托雷（María de la Torre）是塞維利亞的主教，生於那不勒斯。", "zh-Hant"),
        ("12345 --- 678", "other"),
        ("", "other"),
    ],
)
def test_detect(text: str, language: str) -> None:
    assert detect(text) == language


def test_scripts() -> None:
    assert script("中文") == "zh-Hans"
    assert script("臺灣的電腦") == "zh-Hant"
    assert is_chinese("zh-Hant")
    assert not is_chinese("en")
    assert is_han("水")
    assert not is_han("，")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The  Pump", "the pump"),
        ("Ｔ－１００", "t 100"),
        ("資料庫，系統", "资料库 系统"),
        ("Hello, world!", "hello world"),
        ("1,000 litres", "1000 litres"),
        ("水 泵", "水泵"),
        ("“quoted” text…", "quoted text"),
    ],
)
def test_normalise_folds(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@pytest.mark.parametrize(
    ("one", "other"), [("3.14", "314"), ("-5 degrees", "5 degrees"), ("50%", "50"), ("1,5", "15"), ("水泵", "水管")]
)
def test_normalise_keeps_apart(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text(max_size=60))
def test_normalise_twice_is_once(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@given(st.text(st.sampled_from("國语說a 1，灣")))
def test_simplifying_keeps_places(text: str) -> None:
    assert len(to_simplified(text)) == len(text)


def test_scripts_convert() -> None:
    assert to_simplified("資料庫連線") == "资料库连线"
    assert to_traditional("头发") == "頭髮"
    assert collapse_space(" a \n b\t") == "a b"


def test_words() -> None:
    assert words("Use response_model=User, v3.14 & the T-100's C++!") == [
        "use", "response_model", "user", "v3.14", "the", "t-100", "c++",
    ]  # fmt: skip
    assert words("水泵每分鐘抽水") == words("水泵每分钟抽水")
    assert words("安裝資料庫") == ["安装", "资料库"]
    assert content_words("What is the name of the old pump?") == ["old", "pump"]
    assert content_words("这个水泵是什么？") == ["水泵"]
    assert numbers("1,000 and ３.５ in 二十三 parts") == {"1000", "3.5", "二十三"}


@pytest.mark.parametrize(("text", "count"), [("", 0), ("abcd", 1), ("abcde", 2), ("水泵", 2), ("水 a", 2), ("𠀀", 1)])
def test_count_tokens(text: str, count: int) -> None:
    assert count_tokens(text) == count


@given(st.text(st.sampled_from("ab 水，𠀀é"), max_size=40), st.data())
def test_the_index_counts_every_slice(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert TokenIndex(text).count(start, end) == count_tokens(text[start:end])
    assert count_tokens(text) <= count_tokens(text[:start]) + count_tokens(text[start:]) <= count_tokens(text) + 1


@pytest.mark.parametrize(
    ("headers", "cells", "language"),
    [
        ("| Office | Desks | Opened |", "| Paris | 40 | 2011 |\n| London | 75 | 2014 |", "en"),
        ("| Ticket | Price (euro) | Valid for |", "| Day ticket | 12 | 1 day |", "en"),
        ("| Oficina | Escritorios | Fecha |", "| Madrid | 12 | 2011 |", "other"),
        ("| Date | Type | Ville |", "| 2011 | A | Paris |", "other"),
        ("| 型号 | 功率(瓦) | 版本 |", "| ABX-2000 PRO MAX EDITION | 12 | RELEASE CANDIDATE ONE |", "zh-Hans"),
        ("| 型號 | 功率(瓦) | 價格 |", "| ABX-2000 PRO MAX EDITION | 12 | 300 |", "zh-Hant"),
        ("| 1 | 2 |", "| 3 | 4 |", "other"),
    ],
)
def test_the_headers_and_cells_of_a_table_tell_its_language(headers, cells, language):
    assert detect_table(headers, cells) == language
