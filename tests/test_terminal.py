"""What a terminal of 80 columns shows of commands: no line is too long, and no bar is left behind."""

import re
import runpy
from pathlib import Path

import pytest
from rich.cells import cell_len

ROOT = Path(__file__).parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "record_terminal.py"))
BAR = re.compile(r"^(\S.*?) +[━╸╺]+ +(\d+)/(\d+|\?) \d:\d\d:\d\d$", re.MULTILINE)


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    return dict(SCRIPT["recordings"](ROOT / "corpora" / "en" / "lighthouses", tmp_path_factory.mktemp("terminal")))


def test_every_line_fits(recordings):
    assert {line: name for name, text in recordings.items() for line in text.splitlines() if cell_len(line) > 80} == {}


def test_bars_are_full_and_there_is_one_of_each_stage(recordings):
    for name, text in recordings.items():
        bars = BAR.findall(text)
        assert len(bars) == sum("━" in line for line in text.splitlines()), name
        assert [bar for bar in bars if bar[1] != bar[2]] == [], name
        assert len({stage for stage, *_ in bars}) == len(bars), name
    assert sum(map(len, map(BAR.findall, recordings.values()))) > 10


def test_each_command_ends_with_what_it_made(recordings):
    ends = [text.splitlines()[-1] for text in recordings.values()]
    assert ends[0] == "12 rows in testset.jsonl; refused candidates with reasons in rejected.jsonl"
    assert re.fullmatch(r"synth: \d+ calls \(\d+ stored replies\), \d+ tokens read and \d+ written", ends[1])
    assert ends[2] == "12 of 12 rows are valid (100.0%)"
    assert ends[3:6] == [
        "responses in whole.jsonl",
        "responses in small.jsonl",
        "scores in runs/0001-whole.json, scores of each row in runs/0001-whole.rows.jsonl",
    ]
    assert ends[6].endswith("the minimum is 0.9")
    assert ends[8].startswith("rows")


def test_a_message_is_broken_between_words(recordings):
    trial = list(recordings.values())[1].splitlines()[-3:-1]
    assert trial[0].startswith("synth: trial: the author cited")
    assert trial[1].startswith("  ")
    assert recordings["synth compare runs/0001-whole.json runs/0002-small.json"].startswith("change: small minus whole")
