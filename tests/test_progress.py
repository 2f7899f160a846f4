"""Progress: a line after each tenth of a stage at most, and one display on a terminal."""

import io
import os
import pty
import re
import threading
from contextlib import redirect_stderr, suppress
from itertools import count

import pytest

from synth.core.progress import SECONDS_BETWEEN_LINES, Bars, Lines


@pytest.mark.parametrize("total", [1, 7, 29, 45, 1000])
def test_lines_of_a_long_stage_come_after_each_tenth_at_most(total):
    out = io.StringIO()
    with Lines(out, count(step=SECONDS_BETWEEN_LINES).__next__).stage("reading", total) as stage:
        for _ in range(total + 3):
            stage.advance()
    *lines, last = out.getvalue().splitlines()
    assert len(lines) <= 10
    done = [int(re.fullmatch(rf"reading: (\d+) of {total}", line)[1]) for line in lines]
    assert all(later - earlier >= total / 10 for earlier, later in zip([0, *done], done, strict=False))
    assert max(done, default=0) < total
    assert last == f"reading: {total + 3} done"


def test_a_stage_of_unknown_length_has_few_lines():
    out = io.StringIO()
    with Lines(out, count(step=SECONDS_BETWEEN_LINES).__next__).stage("rows", None) as stage:
        for _ in range(5000):
            stage.advance()
    assert out.getvalue().splitlines()[:3] == ["rows: 10", "rows: 20", "rows: 40"]
    assert len(out.getvalue().splitlines()) == 10


def test_a_short_stage_has_one_line():
    out = io.StringIO()
    with Lines(out, lambda: 0.0).stage("reading", 100) as stage:
        for _ in range(100):
            stage.advance()
    assert out.getvalue() == "reading: 100 done\n"


def test_a_stage_within_another_has_one_line():
    out = io.StringIO()
    lines = Lines(out)
    with lines.stage("questions", 1):
        for _ in range(2):
            with lines.stage("reading", 20) as stage:
                for _ in range(20):
                    stage.advance()
    assert out.getvalue().splitlines() == ["reading: 40 done", "questions: 0 done"]


def test_what_is_said_is_a_line():
    out = io.StringIO()
    Lines(out).say("first question: When was it built?")
    assert out.getvalue() == "first question: When was it built?\n"
    assert "a\\x1b[2J [bold]b" in shown_on_a_terminal(lambda bars: bars.say("a\x1b[2J [bold]b"))


def shown_on_a_terminal(work):
    """What a terminal receives while `work` reports to bars."""
    ours, theirs = pty.openpty()
    received = []

    def listen():
        with suppress(OSError):  # Linux's answer once the other end is closed and everything was read
            while read := os.read(ours, 65536):
                received.append(read)

    listener = threading.Thread(target=listen)
    listener.start()
    with os.fdopen(theirs, "w", encoding="utf-8") as screen, redirect_stderr(screen):
        work(Bars())
    listener.join()
    os.close(ours)
    return b"".join(received).decode()


def test_the_bar_of_a_stage_that_is_over_is_not_drawn_again():
    def work(bars):
        for name in ("reading", "graph"):
            with bars.stage(name, 2) as stage:
                stage.advance(2)

    text = shown_on_a_terminal(work)
    assert text.index("graph") > text.rindex("reading")
    assert "2/2" in text


def test_a_stage_that_comes_again_within_another_has_one_bar():
    def work(bars):
        with bars.stage("questions", 1):
            for total in (2, 3, 4):
                with bars.stage("reading", total) as stage:
                    stage.advance(total)

    text = shown_on_a_terminal(work)
    last = text[text.rindex("questions") :]
    assert "4/4" in last
    assert last.count("reading") == 1


def test_a_bar_never_shows_more_than_there_is():
    def work(bars):
        with bars.stage("scoring", 45) as stage:
            for _ in range(48):
                stage.advance()

    text = shown_on_a_terminal(work)
    assert "48/48" in text
    assert "48/45" not in text


def test_stages_within_a_stage_share_the_display():
    def work(bars):
        with bars.stage("outer", 1) as outer:
            with bars.stage("inner", 1) as inner:
                inner.advance()
            outer.advance()

    last = shown_on_a_terminal(work).splitlines()
    assert sum("inner" in line and "1/1" in line for line in last[-3:]) == 1
