"""Progress of a run: bars on a terminal, plain lines elsewhere, nothing if the run is quiet."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TextIO

from synth.core import interruption
from synth.core.checks import wrong
from synth.core.terminal import printable, unguarded

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID


_NAME_WIDTH, _BAR_WIDTH = 18, 32
"""Widths of a stage's name and of a bar, in columns. With a count up to 1000000/1000000, a line fits 80 columns."""


SECONDS_BETWEEN_LINES = 10
"""Minimum number of seconds between two lines of a stage."""


class Stage(Protocol):
    """Stage of work in progress.

    `advance` reports finished units of work. It raises KeyboardInterrupt if the run was asked to end.
    """

    def advance(self, count: int = 1) -> None: ...


class Progress(Protocol):
    """Receiver of progress reports. `total` is None if the amount of work is unknown."""

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]: ...

    def say(self, text: str) -> None:
        """Show a line of text."""
        ...


class _Silent:
    def advance(self, count: int = 1) -> None:
        """Report nothing."""
        interruption.check()


class Silent:
    """Progress display that shows nothing."""

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        yield _Silent()

    def say(self, text: str) -> None:
        """Show nothing."""


def progress_of(given: Progress | bool | None) -> Progress:
    """Convert the `progress` argument of the Python API to a progress display.

    True gives bars or lines on stderr. None and False give no output. A `Progress` object is returned unchanged. Raises
    ConfigError for an object without the methods `stage` and `say`.
    """
    if given is None or given is False:
        return Silent()
    if given is True:
        return for_terminal()
    if not (hasattr(given, "stage") and hasattr(given, "say")):
        raise wrong(
            "progress", "True for lines or bars on stderr, None, or an object with the methods stage and say", given
        )
    return given


class _StageLines:
    def __init__(self, name: str, total: int | None, out: TextIO, clock: Callable[[], float], is_inner: bool) -> None:
        self.name, self.total, self.out, self.done, self.is_inner = name, total, out, 0, is_inner
        self.clock, self.last = clock, clock()
        self.next = self._step()

    def advance(self, count: int = 1) -> None:
        interruption.check()
        self.done += count
        over = self.total is not None and self.done >= self.total
        if self.is_inner or over or self.done < self.next or self.clock() - self.last < SECONDS_BETWEEN_LINES:
            return
        print(f"{self.name}: {self.done}{f' of {self.total}' if self.total else ''}", file=self.out)
        self.next, self.last = self.done + self._step(), self.clock()

    def _step(self) -> int:
        """Return the number of units of work until the next line is printed: a tenth of the total.

        If the total is unknown, the next line is printed when the work done has doubled, and after 10 units at the
        earliest.
        """
        return max(10, self.done) if self.total is None else max(1, ceil(self.total / 10))


class Lines:
    """Progress display that prints a line at the end of each stage, and after each tenth of a long stage.

    A stage inside another stage gets one line when the outer stage ends. If the inner stage ran several times, the line
    shows the sum of its runs.
    """

    def __init__(self, out: TextIO | None = None, clock: Callable[[], float] = monotonic) -> None:
        self.out, self._clock = out or sys.stderr, clock
        self._open = 0
        self._inner = Counter[str]()

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        counted = _StageLines(name, total, self.out, self._clock, is_inner=self._open > 0)
        self._open += 1
        try:
            yield counted
        finally:
            self._open -= 1
        if self._open:
            self._inner[name] += counted.done
            return
        for inner, done in self._inner.items():
            print(f"{inner}: {done} done", file=self.out)
        self._inner.clear()
        print(f"{name}: {counted.done} done", file=self.out)

    def say(self, text: str) -> None:
        print(text, file=self.out)


class Bars:
    """Progress display with bars, for a terminal. The last state of each finished stage stays on the screen.

    A stage that runs again inside another one replaces its earlier bar.
    """

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._bars = RichProgress(
            TextColumn(f"{{task.description:<{_NAME_WIDTH}}}"),
            BarColumn(_BAR_WIDTH),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=unguarded(sys.stderr)),
            redirect_stdout=False,  # the streams of rich would let control characters through
            redirect_stderr=False,
        )
        self._open = 0
        self._over: dict[str, TaskID] = {}

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        bars = self._bars
        if name in self._over:
            bars.remove_task(self._over.pop(name))
        task = bars.add_task(name, total=total)
        self._open += 1
        bars.start()
        try:
            yield _Bar(bars, task, total)
        finally:
            self._open -= 1
            bars.stop_task(task)
            self._over[name] = task
            if not self._open:
                bars.stop()
                for over in bars.task_ids:  # already drawn for the last time; the next stage must not redraw them
                    bars.remove_task(over)
                self._over.clear()

    def say(self, text: str) -> None:
        self._bars.console.print(printable(text), markup=False, highlight=False)


class _Bar:
    """One bar of the display. The total is raised if more work is done than expected, so that no bar shows 48 of 45."""

    def __init__(self, bars: RichProgress, task: TaskID, total: int | None) -> None:
        self.bars, self.task, self.total, self.done = bars, task, total, 0

    def advance(self, count: int = 1) -> None:
        interruption.check()
        self.done += count
        total = None if self.total is None else max(self.total, self.done)
        self.bars.update(self.task, completed=self.done, total=total)


def for_terminal(*, quiet: bool = False) -> Progress:
    """Return bars if stderr is a terminal, else lines, or a silent display if `quiet` is set."""
    if quiet:
        return Silent()
    return Bars() if sys.stderr.isatty() else Lines()
