"""One folder with every kind of bad file: each is named with its reason, and costs no other."""

from __future__ import annotations

import json
import logging
import os
import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from synth.core.errors import ConfigError, InputError
from synth.corpus.documents import reasons
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.loading import load, one_line
from tests.documents import files

SOUND = "The pump moves water.\n"


def _docx() -> bytes:
    return files.docx(lambda document: document.add_paragraph(SOUND))


def bomb() -> bytes:
    return files.repacked(_docx(), lambda name, data: data + b" " * 2_000_000 if name == "word/document.xml" else data)


def with_entities() -> bytes:
    head = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
    return files.repacked(
        _docx(), lambda name, data: head + data.split(b"?>", 1)[1] if name == "word/document.xml" else data
    )


BAD: dict[str, tuple[bytes, str]] = {
    "empty.txt": (b"", reasons.EMPTY),
    "blank.md": (b" \n\t\r\n\n", reasons.EMPTY),
    "blank-utf16.txt": (" \n ".encode("utf-16"), reasons.EMPTY),
    "blank.csv": (b",,\n,,\n", reasons.EMPTY),
    "blank.rst": (b"\n\n", reasons.EMPTY),
    "picture.txt": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), reasons.BINARY),
    "noise.md": (bytes(range(256)) * 4, reasons.BINARY),
    "program.json": (b"\x7fELF" + bytes(64), reasons.BINARY),
    "cut.md": ("这一行的最后一个字节没有了，真可惜。".encode()[:-1], reasons.UNDECODABLE),
    "scan.pdf": (files.pdf([[], []]), reasons.NO_TEXT),
    "bare.html": (b"<html><nav>Menu</nav><script>x()</script></html>", reasons.NO_TEXT),
    "bare.docx": (files.docx(lambda document: None), reasons.NO_TEXT),
    "bare.ipynb": (json.dumps({"cells": [], "nbformat": 4}).encode(), reasons.NO_TEXT),
    "bare.json": (b"{}", reasons.NO_TEXT),
    "broken.pdf": (b"%PDF-1.4\nnothing of the kind", reasons.DAMAGED),
    "text.pdf": (SOUND.encode(), reasons.DAMAGED),
    "half.pdf": (files.pdf([[SOUND.strip()]])[:300], reasons.DAMAGED),
    "broken.docx": (_docx()[:2000], reasons.DAMAGED),
    "text.docx": (SOUND.encode(), reasons.DAMAGED),
    "sheet.docx": (files.xlsx([["a", "b"]]), reasons.DAMAGED),
    "broken.pptx": (b"PK\x03\x04" + bytes(100), reasons.DAMAGED),
    "broken.xlsx": (files.xlsx([["a"]])[:-200], reasons.DAMAGED),
    "broken.json": (b'{"a": [1, 2', reasons.DAMAGED),
    "deep.json": (b"[" * 100_000, reasons.DAMAGED),
    "broken.jsonl": (b"one\ntwo\n", reasons.DAMAGED),
    "broken.ipynb": (b'{"cells": 3}', reasons.DAMAGED),
    "entities.docx": (with_entities(), reasons.DAMAGED),
    "old.docx": (files.ole("WordDocument"), reasons.DAMAGED),
    "locked.pdf": (files.encrypted_pdf("AES-256, secret"), reasons.ENCRYPTED),
    "locked.docx": (files.ole(), reasons.ENCRYPTED),
    "locked.xlsx": (files.zip_encrypted(files.xlsx([["a", "b"]])), reasons.ENCRYPTED),
    "large.txt": (b"word " * 60_000, reasons.TOO_LARGE),
    "bomb.docx": (bomb(), reasons.TOO_LARGE),
    "letter.ppt": (files.ole("WordDocument"), reasons.UNKNOWN_KIND),
    "thing.xyz": (b"?", reasons.UNKNOWN_KIND),
    "README": (b"no suffix", reasons.UNKNOWN_KIND),
}
GOOD_NAMES = [
    "good.md",
    "with spaces and 'quotes' \"both\".txt",
    "emoji 🎉.md",
    "中文名 文件.txt",
    "繁體檔名.md",
    "new\nline.txt",
    "back\\slash.txt",
    "%s{}$(x);&.md",
    "-rf.txt",
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "corpus"
    (root / "sub").mkdir(parents=True)
    for name, (data, _) in BAD.items():
        (root / name).write_bytes(data)
    for name in GOOD_NAMES:
        (root / "sub" / name).write_text(SOUND, encoding="utf-8")
    Path(os.fsdecode(os.fsencode(root / "sub") + b"/bad\xff\xfe name.txt")).write_text(SOUND)
    (root / ".hidden.md").write_text(SOUND)
    (root / ".git").mkdir()
    (root / ".git" / "config.txt").write_text(SOUND)
    outside = tmp_path / "outside.txt"
    outside.write_text(SOUND)
    (root / "out.txt").symlink_to(outside)
    (root / "up").symlink_to(root)
    (root / "sub" / "round").symlink_to(root / "sub" / "round")
    (root / "gone.txt").symlink_to(root / "nowhere.txt")
    (root / "again.md").symlink_to(root / "sub" / "good.md")
    os.mkfifo(root / "pipe.txt")
    return root


LINKS = {
    "out.txt": reasons.LINK_OUTSIDE,
    "up": reasons.LINK_LOOP,
    "sub/round": reasons.LINK_LOOP,
    "gone.txt": reasons.UNREADABLE,
    "again.md": reasons.DUPLICATE,
    "pipe.txt": reasons.UNKNOWN_KIND,
}


def test_each_bad_file_is_named_with_its_reason(folder: Path, capfd: Any, caplog: Any) -> None:
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING):
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ResourceWarning)
        loaded = load([folder], CorpusSettings(max_bytes=200_000))
    found = {Path(skip.source).relative_to(folder).as_posix(): skip.reason for skip in loaded.skipped}
    assert found == {name: reason for name, (_, reason) in BAD.items()} | LINKS
    assert set(found.values()) == {*reasons.REASONS} - {
        reasons.FAILED,
        reasons.HIDDEN,
        reasons.NOT_CALCULATED,
        reasons.NOT_READ,
        reasons.RESERVATION,
    }
    names = [made.doc_id.removeprefix("sub/") for made in loaded.documents]
    assert sorted(names) == sorted([*GOOD_NAMES, "bad\\xff\\xfe name.txt"])
    assert all(made.text == SOUND for made in loaded.documents)
    printed = json.dumps([[made.doc_id, made.source, made.title] for made in loaded.documents], ensure_ascii=False)
    assert printed.encode("utf-8")
    assert one_line(loaded.skipped).encode("utf-8")
    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test_a_second_run_gives_the_same(folder: Path) -> None:
    assert load([folder], CorpusSettings(max_bytes=200_000)) == load([folder], CorpusSettings(max_bytes=200_000))


def test_what_the_system_will_not_read(folder: Path, monkeypatch: Any) -> None:
    import builtins

    real = builtins.open

    def refuse(path: Any, *rest: Any, **options: Any) -> Any:
        if str(path).endswith("good.md"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **options)

    monkeypatch.setattr(builtins, "open", refuse)
    loaded = load([folder / "sub"])
    (skip,) = [skip for skip in loaded.skipped if skip.source.endswith("good.md")]
    assert (skip.reason, skip.detail) == (reasons.UNREADABLE, "Permission denied")
    assert len(loaded.documents) == len(GOOD_NAMES)


def test_a_folder_that_cannot_be_listed_costs_no_other(tmp_path: Path, monkeypatch: Any) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.md").write_text(SOUND)
    real = os.scandir

    def refuse(path: Any) -> Any:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    loaded = load([tmp_path])
    assert [made.doc_id for made in loaded.documents] == ["b/x.md"]
    assert [(Path(s.source).name, s.reason) for s in loaded.skipped] == [("a", reasons.UNREADABLE)]


def test_strict_names_them_all(folder: Path) -> None:
    with pytest.raises(InputError, match=r"large\.txt: too large") as caught:
        load([folder], CorpusSettings(max_bytes=200_000, strict=True, include=("large.txt", "sub/good.md")))
    assert "link" in str(caught.value)


def test_nothing_to_load_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        load([tmp_path / "nowhere"])
    with pytest.raises(InputError, match="contains no file"):
        load([tmp_path])
    (tmp_path / "a.txt").write_bytes(b"")
    with pytest.raises(InputError, match=r"a\.txt: empty"):
        load([tmp_path])
    with pytest.raises(InputError, match=r"a\.txt: empty"):
        load([tmp_path / "a.txt"])
    with pytest.raises(InputError):
        load([])
    with pytest.raises(InputError, match="int"):
        load([3])
    with pytest.raises(ConfigError):
        load([tmp_path], CorpusSettings(max_bytes=0))


def test_a_damaged_line_costs_that_line(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "text": "one"}',
        "{oops",
        "",
        '{"id": "b", "text": " "}',
        '{"id": "a", "text": "two"}',
        '{"id": "c"}',
        '["list"]',
        '{"id": "d", "text": "lone \\ud800 half"}',
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(lines), encoding="utf-8")
    loaded = load([tmp_path])
    assert [(d.doc_id, d.text) for d in loaded.documents] == [("p.jsonl#a", "one"), ("p.jsonl#d", "lone \ufffd half")]
    found = {skip.source.rsplit(":", 1)[1]: skip.reason for skip in loaded.skipped}
    assert found == {
        "2": reasons.DAMAGED,
        "4": reasons.EMPTY,
        "5": reasons.DAMAGED,
        "6": reasons.NO_TEXT,
        "7": reasons.NO_TEXT,
    }


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("x.pdf", files.pdf([["One line of text here.", "Another line."]])),
        ("x.docx", _docx()),
        ("x.pptx", files.pptx(lambda deck: deck.slides.add_slide(deck.slide_layouts[0]))),
        ("x.xlsx", files.xlsx([["a", "b"], [1, 2]])),
        ("x.ipynb", json.dumps({"cells": [{"cell_type": "markdown", "source": ["# A\n", "b"]}]}).encode()),
        ("x.rst", b"T\n=\n\n.. note:: a\n\n- x\n\n  .. code:: y\n\n:ref:`a <b>` |x| [1]_ `q`_\n"),
        ("x.html", b"<table><tr><td><ul><li><p>a<pre>b</pre></table><dl><dt>x<dd>y</dl>"),
        ("x.jsonl", b'{"id": 1, "text": "one"}\n{"id": 2, "text": "two"}\n'),
    ],
)
def test_bytes_changed_at_random_never_end_a_run(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text(SOUND)
    for seed in range(25):
        draw = random.Random(f"{name}:{seed}")
        broken = bytearray(data)
        for _ in range(draw.choice([1, 5, 50])):
            broken[draw.randrange(len(broken))] = draw.randrange(256)
        (tmp_path / name).write_bytes(bytes(broken[: draw.choice([len(data), len(data) // 2])]))
        loaded = load([tmp_path])
        assert {made.doc_id for made in loaded.documents} >= {"good.md"}
        assert {skip.reason for skip in loaded.skipped} <= set(reasons.REASONS)
