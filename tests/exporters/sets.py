"""Samples on a small corpus, to be exported."""

from synth.core.jsonl import sample_to_row, write_rows
from tests.corpus import corpus, sample

EN = "The pump at Fogbrook delivers 40 litres a second. It was installed in 1931 by Ada Finch.\n\nIts valve is brass."
HANS = "雾溪泵站每秒输水四十升。它由陈雨于1931年安装。\n\n阀门为黄铜制。"
HANT = "霧溪泵站每秒輸水四十升。它由陳雨於1931年安裝。\n\n閥門為黃銅製。"


def small():
    """A corpus of three documents and a sample in each of its languages, the last of them on two documents."""
    held = corpus(**{"pump.md": EN, "泵站.md": HANS, "泵站繁.md": HANT})
    english = sample(held, "When was the pump at Fogbrook installed?", "1931", "It was installed in 1931 by Ada Finch.")
    simplified = sample(held, "雾溪泵站每秒输水多少升？", "四十升", "雾溪泵站每秒输水四十升。")
    traditional = sample(held, "霧溪泵站的閥門是什麼做的？", "黃銅", "閥門為黃銅製。")
    return held, [english, simplified, traditional]


def set_folder(tmp_path, monkeypatch):
    """The present folder, with the documents in docs/ and their rows in set.jsonl."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "docs").mkdir()
    for name, text in (("pump.md", EN), ("泵站.md", HANS), ("泵站繁.md", HANT)):
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    write_rows(tmp_path / "set.jsonl", map(sample_to_row, small()[1]))
    return tmp_path
