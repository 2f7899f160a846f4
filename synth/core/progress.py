"""Progress of a run: bars on a terminal, plain lines elsewhere, nothing with `quiet`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO

from synth.core import interruption
from synth.core.terminal import unguarded


class Stage(Protocol):
    """A piece of work in progress. A run that is asked to end does so when it advances."""

    def advance(self, count: int = 1) -> None: ...


class Progress(Protocol):
    """Receiver of progress reports; `total` is None when the amount of work is unknown."""

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]: ...


class _Silent:
    def advance(self, count: int = 1) -> None:
        """Report nothing."""
        interruption.check()


class Silent:
    """Progress that reports nothing."""

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        yield _Silent()


class _StageLines:
    def __init__(self, name: str, total: int | None, out: TextIO) -> None:
        self.name, self.total, self.out, self.done, self.shown = name, total, out, 0, 0

    def advance(self, count: int = 1) -> None:
        interruption.check()
        self.done += count
        tenth = max(1, (self.total or 100) // 10)
        if self.done // tenth > self.shown and self.done != self.total:
            self.shown = self.done // tenth
            print(f"{self.name}: {self.done}{f' of {self.total}' if self.total else ''}", file=self.out)


class Lines:
    """About ten lines per stage, and one at its end."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        counted = _StageLines(name, total, self.out)
        yield counted
        print(f"{name}: {counted.done} done", file=self.out)


class Bars:
    """Progress bars, for a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._bars = RichProgress(
            TextColumn("{task.description:<14}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=unguarded(sys.stderr)),
            redirect_stdout=False,  # its own streams would pass on what a terminal obeys
            redirect_stderr=False,
        )

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Stage]:
        bars, task = self._bars, self._bars.add_task(name, total=total)

        class Bar:
            def advance(self, count: int = 1) -> None:
                interruption.check()
                bars.advance(task, count)

        with self._bars:
            yield Bar()


def for_terminal(*, quiet: bool = False) -> Progress:
    """Bars when stderr is a terminal, else lines; nothing with `quiet`."""
    if quiet:
        return Silent()
    return Bars() if sys.stderr.isatty() else Lines()
