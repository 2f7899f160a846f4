"""Every command with rows, names and numbers that nobody would write: it ends, says why, and steers no terminal."""

import argparse
import json
import os
import pty
import sys
from contextlib import redirect_stderr
from dataclasses import replace
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.cli.main import COMMANDS, build_parser, main
from synth.core.jsonl import read_samples, sample_to_row, write_rows
from synth.core.progress import Bars
from synth.core.terminal import guarded_output, printable, printable_json
from tests.chat import behave

HOSTILE = "\x1b]0;owned\x07\x9b31m\u202e\u2066\r"
DOC = (
    "# Kell\n\n## When was the Kell lighthouse built?\n\nThe Kell lighthouse was built in 1811 by Robert Stevenson.\n\n"
    "## Who lit the Kell lamp?\n\nAnn Moor lit the Kell lamp in 1820.\n"
)


def is_obeyed(char):
    return char not in "\n\t" and category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")


@given(st.text())
def test_what_is_shown_is_on_one_line_and_json_keeps_its_meaning(text):
    assert not any(is_obeyed(char) or char in "\n\t" for char in printable(text))
    shown = printable_json(json.dumps({"a": text}, ensure_ascii=False, indent=2))
    assert not any(map(is_obeyed, shown))
    assert json.loads(shown) == {"a": text}


def test_spaces_of_chinese_stay():
    assert printable("灯塔\u3000一八一一年\xa0") == "灯塔\u3000一八一一年\xa0"


def test_progress_bars_still_move_the_cursor():
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as screen, redirect_stderr(screen), guarded_output():
        with Bars().stage("read", 2) as stage:
            stage.advance(2)
        print("\x1b[31m", file=sys.stderr, flush=True)
    told = b""
    while not told.endswith(b"\\x1b[31m\r\n"):
        told += os.read(ours, 100_000)
    os.close(ours)
    told = told.decode()
    assert "2/2" in told
    assert "\x1b[" in told


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder with everything that the commands read, each with characters that a terminal obeys."""
    place = tmp_path_factory.mktemp("hostile")
    (place / "docs").mkdir()
    (place / "docs" / f"kell{HOSTILE.strip()}.md").write_text(DOC + HOSTILE, encoding="utf-8")
    (place / "docs" / f"empty{HOSTILE.strip()}.md").write_text("", encoding="utf-8")
    at = ("--workspace", str(place / "ws"), "--quiet")
    assert main(["generate", str(place / "docs"), "-n", "1", "-o", str(place / "made.jsonl"), *at]) == 0
    (made,) = read_samples(place / "made.jsonl").samples
    *_, piece = made.evidence
    piece = replace(piece, text=piece.text + HOSTILE, end=piece.end + len(HOSTILE))
    row = replace(
        made,
        question=made.question + HOSTILE,
        golden_answers=(made.golden_answers[0] + HOSTILE,),
        evidence=(piece,),
        metadata={**made.metadata, "kind": HOSTILE + "owned", "topic": HOSTILE},
    )
    write_rows(place / "set.jsonl", [sample_to_row(row), {"id": HOSTILE}])
    write_rows(place / "sound.jsonl", [sample_to_row(row)])
    manifest = (place / "made.manifest.json").read_text(encoding="utf-8")
    for name in ("set", "sound"):
        (place / f"{name}.manifest.json").write_text(manifest, encoding="utf-8")
    response = {"id": row.id, "answer": HOSTILE, "contexts": [HOSTILE]}
    write_rows(place / "answers.jsonl", [response, {"id": HOSTILE, "answer": ""}])
    label = {"question": row.question, "answer": HOSTILE, "contexts": [HOSTILE], "label": 1}
    write_rows(place / "labels.jsonl", [label, label])
    write_rows(place / "foreign.jsonl", [{"question": HOSTILE + "When was Kell built?", "answer": "1811" + HOSTILE}])
    (place / "decisions.csv").write_text(f"row,decision\n{HOSTILE.strip()},accept\n", encoding="utf-8")
    return place


LLM = ("--llm", "m", "--trust", "--base-url")
RUNS = {
    "generate": [["docs", "-n", "1", "-o", "new.jsonl"], ["docs", "--plan"]],
    "estimate": [["docs", "-n", "1", *LLM]],
    "brief": [["docs", *LLM]],
    "verify": [["set.jsonl", "--corpus", "docs"]],
    "score": [["sound.jsonl", "--corpus", "docs"]],
    "rejudge": [["sound.jsonl", "--corpus", "docs", "-o", "again.jsonl"]],
    "show": [["set.jsonl"]],
    "update": [["made.jsonl", "--corpus", "docs", "--dry-run"], ["sound.jsonl", "--corpus", "docs", "-o", "up.jsonl"]],
    "view": [["set.jsonl", HOSTILE.strip()]],
    "log": [["set.jsonl"]],
    "diff": [["made.jsonl", "set.jsonl"]],
    "annotate": [
        ["export", "sound.jsonl", "-o", "sheet.csv", "--corpus", "docs"],
        ["import", "sound.jsonl", "decisions.csv", "--annotator", HOSTILE],
        ["agreement", "sound.jsonl"],
        ["accept", "sound.jsonl"],
        ["guideline", "sound.jsonl"],
    ],
    "evaluate": [["sound.jsonl", "answers.jsonl", "--by", "kind", "-o", "run.json"]],
    "compare": [["run.json", "run.json"]],
    "judge-check": [
        ["sound.jsonl", "--filters", "--corpus", "docs", "--plant", "1"],
        ["labels.jsonl", "--metric", "answer_correctness", "--llm", "m", "--base-url"],
    ],
    "run": [["sound.jsonl", "--corpus", "docs", "-o", "responses.jsonl"]],
    "sweep": [["sound.jsonl", "--corpus", "docs", "--sizes", "50", "--retrievers", "bm25", "--ks", "1,2"]],
    "export": [["set.jsonl", "-o", "out.csv", "--to", "csv"]],
    "adopt": [["foreign.jsonl", "--corpus", "docs", "-o", "adopted.jsonl"]],
    "graph": [["stats", "docs"], ["build", "docs", "--shard", "1/1"]],
    "merge": [["ws", "--into", "merged"], [HOSTILE.strip(), "--into", "merged"]],
    "init": [["own.toml", "--force"], [HOSTILE.strip(), "--force"]],
    "explain": [[], [HOSTILE], ["hard"]],
    "doctor": [[], ["--repair", "--workspace", HOSTILE.strip()]],
}  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_no_command_prints_what_a_terminal_obeys(prepared, monkeypatch, capsys, serve, command):
    monkeypatch.chdir(prepared)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(prepared / "ws"))
    url = serve(lambda body, number: behave(body, number).replace("railway", "\u202eowned")).url
    if command == "compare":
        main(["evaluate", *RUNS["evaluate"][0], "--quiet"])
    for arguments in RUNS[command]:
        arguments = [*arguments, url] if arguments[-1:] == ["--base-url"] else arguments
        for flags in ([], ["--json"]):
            main([command, *arguments, *flags])
            told = "".join(capsys.readouterr())
            assert told, arguments
            assert not [char for char in told if is_obeyed(char)], (arguments, told)


NUMBERS = ("-1", "99999999999", "nan")


def choices(parser):
    """The parsers of a parser's commands, by name."""
    return next((one.choices for one in parser._actions if isinstance(one, argparse._SubParsersAction)), {})


@pytest.mark.parametrize("command", COMMANDS)
def test_a_number_of_any_size_is_taken_or_refused(prepared, monkeypatch, capsys, serve, command):
    monkeypatch.chdir(prepared)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(prepared / "ws"))
    url = serve(behave).url
    for arguments in RUNS[command]:
        arguments = [*arguments, url] if arguments[-1:] == ["--base-url"] else arguments
        parser = choices(build_parser())[command]
        parser = choices(parser).get(arguments[0], parser) if arguments else parser
        for option in parser._actions:
            if getattr(option.type, "__name__", "") not in ("int", "float", "percentage", "shares", "_numbers"):
                continue
            for number in NUMBERS:
                try:
                    code = main([command, *arguments, f"{option.option_strings[-1]}={number}", "--quiet"])
                except SystemExit as ended:
                    code = ended.code
                assert code in (0, 1, 2, 5, 6, 7, 9, 10, 11), (arguments, option.option_strings, number, code)
    capsys.readouterr()
