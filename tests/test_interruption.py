"""A request to end comes up between steps, and not inside somebody else's code."""

import signal
import sqlite3

import pytest

from synth.cli.main import main
from synth.core import installation, interruption
from synth.core.progress import Lines, Silent


def ended_within_a_callback():
    """The answer of a database whose function is interrupted by SIGTERM."""
    db = sqlite3.connect(":memory:")
    db.create_function("ended", 0, lambda: signal.raise_signal(signal.SIGTERM) or 7)
    return db.execute("SELECT ended()").fetchone()


@pytest.mark.parametrize("progress", [Silent(), Lines()])
def test_a_run_ends_at_its_next_step(monkeypatch, capsys, progress):
    done = []

    def requirements():
        with progress.stage("parts", 3) as stage:
            done.append(ended_within_a_callback())
            stage.advance()
            done.append("more")

    monkeypatch.setattr(installation, "requirements", requirements)
    assert main(["doctor"]) == 130
    assert done == [(7,)]
    assert "interrupted" in capsys.readouterr().err


def test_a_second_request_ends_at_once():
    interruption.request()
    with pytest.raises(KeyboardInterrupt):
        interruption.request()
    interruption.check()
