"""A sample of the hostile fields that scripts/bench_hostile_sets.py sets, watched as there."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "options",
    [
        ["--most", "25", "--seed", "47"],
        ["--materials", "sheet,responses,label studio,argilla", "--values", "address,file,up", "--every", "9", "--most", "25"],
    ],
    ids=["any", "sheets and responses"],
)  # fmt: skip
def test_no_field_of_a_stranger_decides_what_is_opened_asked_or_run(options):
    bench = ROOT / "scripts" / "bench_hostile_sets.py"
    done = subprocess.run(
        [sys.executable, bench, "--workers", "1", *options], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 cases with a fault" in done.stdout
