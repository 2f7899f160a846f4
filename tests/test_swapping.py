"""Files that belong together are all new or all old, wherever the process that replaces them dies."""

import json
import os
from contextlib import suppress
from pathlib import Path

import pytest

from synth.core.errors import InputError
from synth.core.jsonl import atomic_file, write_atomic
from synth.core.swapping import settle, swap, together

NAMES = ("rejected.jsonl", "manifest.json", "set.jsonl")


class Killed(BaseException):
    """The process is gone: nothing runs afterwards."""


@pytest.fixture
def folder(tmp_path):
    for name in (*NAMES, "partial.jsonl"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    return tmp_path


def replaced(folder):
    with swap() as files:
        files.remove(folder / "partial.jsonl")
        for name in NAMES:
            files.write(folder / name, "new")


def texts(folder):
    return {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if not path.name.startswith(".")}


OLD = dict.fromkeys((*NAMES, "partial.jsonl"), "old")
NEW = dict.fromkeys(NAMES, "new")


def test_a_kill_at_any_step_leaves_all_old_or_all_new(folder, monkeypatch):
    ended = []
    for call in range(14):
        for name in OLD:
            (folder / name).write_text("old", encoding="utf-8")
        count = iter(range(100))

        def dying(function, *, before, count=count, call=call):
            def step(*given, **named):
                number = next(count)
                if before and number >= call:
                    raise Killed
                result = function(*given, **named)
                if number >= call:
                    raise Killed
                return result

            return step

        for before in (True, False):
            with monkeypatch.context() as patch, suppress(Killed):
                for name in ("link", "replace", "unlink", "fsync"):
                    patch.setattr(os, name, dying(getattr(os, name), before=before))
                replaced(folder)
            settle(folder / "set.jsonl")
            assert texts(folder) in (OLD, NEW)
            ended.append(texts(folder) == NEW)
            assert not list(folder.glob(".*.swap"))
    assert {True, False} == set(ended)


def test_what_cannot_be_written_replaces_nothing_and_leaves_nothing(folder):
    (folder / "set.jsonl").unlink()
    (folder / "set.jsonl").mkdir()
    with pytest.raises(InputError, match="cannot write"):
        replaced(folder)
    (folder / "set.jsonl").rmdir()
    (folder / "set.jsonl").write_text("old", encoding="utf-8")
    assert texts(folder) == OLD
    assert len(list(folder.iterdir())) == len(OLD)


@pytest.mark.parametrize(
    "journal",
    [
        [["\ud800", ""]],
        [["new.txt", "\ud800.part"]],
        [["../outside", ".outside.1.part"]],
        [["/tmp/outside", ".outside.1.part"]],
        [["set.jsonl", "../.outside.1.part"]],
        [["..", ""]],
        [["link/outside", ".outside.1.part"]],
        [["set.jsonl"]],
        [["set.jsonl", 5]],
        {"set.jsonl": ".part"},
        "no list",
    ],
)
def test_a_journal_of_a_stranger_moves_nothing_out_of_its_folder(tmp_path, journal):
    home = tmp_path / "home"
    home.mkdir()
    (home / "link").symlink_to(tmp_path)
    for place in (tmp_path, home):
        (place / ".outside.1.part").write_text("theirs", encoding="utf-8")
    (tmp_path / "outside").write_text("mine", encoding="utf-8")
    (home / ".set.jsonl.swap").write_text(json.dumps(journal), encoding="utf-8")
    with pytest.raises(InputError, match="is not a journal written by synth"):
        settle(home / "set.jsonl")
    assert (tmp_path / "outside").read_text(encoding="utf-8") == "mine"


def test_the_journal_of_another_process_is_finished_first(folder):
    (folder / ".x.1.part").write_text("theirs", encoding="utf-8")
    (folder / ".set.jsonl.swap").write_text(json.dumps([["theirs.jsonl", ".x.1.part"]]), encoding="utf-8")
    replaced(folder)
    assert texts(folder) == {**NEW, "theirs.jsonl": "theirs"}


def test_a_link_is_followed(folder):
    (folder / "elsewhere").mkdir()
    target = folder / "elsewhere" / "real.jsonl"
    target.write_text("old", encoding="utf-8")
    (folder / "linked.jsonl").symlink_to(target)
    with swap() as files:
        files.write(folder / "manifest.json", "new")
        files.write(folder / "linked.jsonl", "new")
    assert (folder / "linked.jsonl").is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert [path.name for path in Path(folder / "elsewhere").iterdir()] == ["real.jsonl"]


def scores_and_page(folder, page):
    with together(folder / "scores.json"):
        write_atomic(folder / "scores.json", "new")
        with atomic_file(folder / "rows.jsonl") as rows:
            rows.write("new")
        write_atomic(page, "new")


@pytest.mark.parametrize("place", ["page.html", "pages/page.html", "../page.html"])
def test_files_of_several_writers_are_swapped_together(tmp_path, place):
    folder = tmp_path / "home"
    folder.mkdir()
    page = folder / place
    page.parent.mkdir(exist_ok=True)
    names = ("scores.json", "rows.jsonl", place)
    for name in names:
        (folder / name).write_text("old", encoding="utf-8")
    with suppress(ZeroDivisionError), together():
        scores_and_page(folder, page)
        assert [(folder / name).read_text(encoding="utf-8") for name in names] == ["old"] * 3
        _ = 1 / 0
    assert [(folder / name).read_text(encoding="utf-8") for name in names] == ["old"] * 3
    scores_and_page(folder, page)
    assert [(folder / name).read_text(encoding="utf-8") for name in names] == ["new"] * 3
    assert not list(tmp_path.rglob(".*"))


def test_the_main_file_of_a_group_names_the_others(tmp_path, monkeypatch):
    for name in ("scores.json", "rows.jsonl", "page.html"):
        (tmp_path / name).write_text("old", encoding="utf-8")
    with monkeypatch.context() as patch, suppress(Killed):
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(Killed))
        scores_and_page(tmp_path, tmp_path / "page.html")
    assert (tmp_path / "rows.jsonl").read_text(encoding="utf-8") == "old"
    settle(tmp_path / "scores.json")
    assert (tmp_path / "rows.jsonl").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == "new"
