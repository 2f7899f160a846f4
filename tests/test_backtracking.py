"""No regular expression takes time exponential in the length of a text: one such line would hold a run for ever."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.backtracking import exponential


@pytest.mark.parametrize("pattern", [r"(?:[a-z]+ ?)*x", r"(\w+)+$", r"(?:a|b+){3,30}\.", r"(?=(?:[^ .]+(?:\.\w)? ?)+)"])
def test_an_expression_that_repeats_what_can_be_divided_is_found(pattern):
    assert exponential(pattern)


@pytest.mark.parametrize("pattern", [r"[a-z]+(?: [a-z]+)*x", r"(?:\d+,)+", r"(?:ab?)*", r"(?:a{2})+", r"(?:\w+\s)?"])
def test_others_are_not(pattern):
    assert not exponential(pattern)


def test_the_package_has_none():
    run = subprocess.run(
        [sys.executable, "-m", "tests.backtracking"], cwd=Path(__file__).parents[1], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr
    assert int(run.stderr.split()[-2]) > 500
