"""Parsers run in a process of their own: a file that ends it, or takes too much, is left out, and costs no other."""

import os
import re
import signal
import subprocess
import sys
import threading
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from synth.core import interruption, plugins, restricted_process
from synth.core.errors import ConfigError
from synth.corpus.documents import loading, reasons
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.reader_process import ReaderProcess
from tests.documents import files, hostile_readers

ROOT = Path(__file__).parents[2]
SOUND = "The pump moves water.\n"
OVER = {
    "greedy": (reasons.TOO_LARGE, "it took more than 1 GB of memory"),
    "swallowing": (reasons.TOO_LARGE, "it took more than 1 GB of memory"),
    "aborting": (
        reasons.TOO_LARGE,
        "its parser aborted (SIGABRT), as parsers do when they need more than 1 GB of memory",
    ),
    "dying": (reasons.FAILED, "the reader crashed (SIGSEGV)"),
    "leaving": (reasons.FAILED, "the reader crashed (exit code 3)"),
    "flooding": (reasons.TOO_LARGE, "its content is larger than the limit for one file"),
    "failing": (reasons.FAILED, "KeyError: 'a bug' (hostile_readers.py:"),
}


@pytest.fixture
def load(monkeypatch):
    """`load` with the readers of `hostile_readers` as those of another package, in a process of its own."""
    parts = [part for part in vars(hostile_readers).values() if isinstance(part, type) and "name" in vars(part)]
    points = [EntryPoint(part.name, f"{part.__module__}:{part.__name__}", "synth.readers") for part in parts]
    entry_points = plugins.entry_points
    monkeypatch.setattr(
        plugins, "entry_points", lambda group: points if group == "synth.readers" else entry_points(group)
    )
    monkeypatch.setattr(loading, "ReaderProcess", ReaderProcess)
    loading.readers.cache_clear()
    yield loading.load
    loading.readers.cache_clear()


def test_each_file_that_takes_too_much_is_named_and_the_others_are_loaded(load, tmp_path, monkeypatch):
    monkeypatch.setattr(restricted_process, "_PATIENCE", 60)  # a slow machine leaves nothing out
    for kind in OVER:
        (tmp_path / f"{kind}.{kind}").write_text(SOUND)
        (tmp_path / f"{kind}.sound.kept").write_text(SOUND)
    (tmp_path / "sound.md").write_text(SOUND)
    loaded = load([tmp_path], CorpusSettings(max_bytes=100_000))
    sound = ["sound.md", *(f"{kind}.sound.kept#{part}" for kind in OVER for part in "ab")]
    assert [document.doc_id for document in loaded.documents] == sorted(sound)
    skipped = {
        Path(skip.source).stem: (skip.reason, re.sub(r"(?<=py:)\d+\)", "", skip.detail)) for skip in loaded.skipped
    }
    assert skipped == OVER


@pytest.fixture
def begun(tmp_path):
    """A pipe that can be read once the reader of a.waiting, in the folder of the test, has begun."""
    os.mkfifo(tmp_path / "begun")
    (tmp_path / "a.waiting").write_text(str(tmp_path / "begun"))
    return tmp_path / "begun"


@pytest.mark.parametrize(("kind", "patience"), [("busy", 60), ("waiting", 1)])
def test_a_reader_that_has_no_end_is_ended_by_processor_time_or_by_the_clock(
    load, tmp_path, monkeypatch, kind, patience
):
    monkeypatch.setattr(restricted_process, "_PATIENCE", patience)
    (tmp_path / f"a.{kind}").write_text(str(tmp_path / "begun"))
    (tmp_path / "sound.md").write_text(SOUND)
    loaded = load([tmp_path], CorpusSettings(max_seconds=1))
    assert [document.doc_id for document in loaded.documents] == ["sound.md"]
    says = "it took more than 1 s; a larger max_seconds allows more"
    assert [(skip.reason, skip.detail) for skip in loaded.skipped] == [(reasons.TOO_LARGE, says)]


def test_one_process_reads_many_files_and_ends_with_them(load, tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.kept").write_text(SOUND)
    documents = load([tmp_path]).documents
    assert [document.doc_id for document in documents] == [
        f"{number}.kept#{part}" for number in range(3) for part in "ab"
    ]
    assert documents[0].text == "a \ufffd 灯"
    (process,) = {document.metadata["process"] for document in documents}
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert process != os.getpid()


def test_a_file_is_judged_by_what_it_does_in_a_new_process(load, tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.second").write_text(SOUND)
    loaded = load([tmp_path])
    assert [document.text for document in loaded.documents] == ["read"] * 3
    assert not loaded.skipped


def test_a_folder_of_texts_starts_no_process(load, tmp_path, monkeypatch):
    monkeypatch.setattr(restricted_process, "_started", lambda: pytest.fail("a process was started"))
    for suffix in ("md", "txt", "csv", "tsv", "json", "jsonl"):
        (tmp_path / f"a.{suffix}").write_text('{"text": "The pump moves water."}\n')
    assert len(load([tmp_path]).documents) == 6


def test_a_request_to_end_ends_the_process(load, begun, tmp_path, monkeypatch):
    started = []
    start = restricted_process._started
    monkeypatch.setattr(restricted_process, "_started", lambda: started.append(start()) or started[0])
    asking = threading.Thread(target=lambda: (begun.read_bytes(), interruption.request()))
    asking.start()
    with pytest.raises(KeyboardInterrupt):
        load([tmp_path])
    asking.join()
    assert started[0].returncode == -signal.SIGKILL


def test_ctrl_c_ends_a_run_without_a_word_of_the_other_process(begun, tmp_path):
    """A script whose main module cannot be imported, and that knows nothing of signals."""
    script = (
        "import signal, sys\nfrom synth.corpus.documents import loading\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # what a shell starts behind & has it ignored
        "from tests.documents.hostile_readers import Waiting\n"
        "loading.readers = lambda: {'.waiting': Waiting()}\n"
        "try: loading.load([sys.argv[1]])\n"
        "except KeyboardInterrupt: print('ended')\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    begun.read_bytes()
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does, to all that run in it
    output = run.communicate(timeout=30)[0]
    assert (output, run.returncode) == (b"ended\n", 0)
    assert run.returncode == 0


@pytest.mark.parametrize("seconds", [0, -1, 10**9, float("nan")])
def test_seconds_out_of_range_are_refused(tmp_path, seconds):
    with pytest.raises(ConfigError, match="max_seconds"):
        loading.load([tmp_path], CorpusSettings(max_seconds=seconds))


def test_modules_of_the_current_folder_are_not_those_of_a_parser(load, tmp_path, monkeypatch):
    """A corpus may hold a file docx.py, and a run may stand in its folder."""
    (tmp_path / "docx.py").write_text("raise SystemExit\n")
    (tmp_path / "a.docx").write_bytes(files.docx(lambda document: document.add_paragraph(SOUND)))
    monkeypatch.chdir(tmp_path)
    assert [document.text for document in load([tmp_path]).documents] == [SOUND]
