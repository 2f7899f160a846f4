"""Requests to end the run (Ctrl-C, SIGTERM, SIGHUP), recorded on arrival and obeyed between two steps.

An exception in a signal handler appears in whatever code is running. A callback of another library may swallow it, or a
write may end halfway. So a request waits for the next `check`. If `check` is not called within `GRACE_S` seconds,
KeyboardInterrupt is raised in the middle of the step. It is raised again every `GRACE_S` seconds until `taken` is
called.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

GRACE_S = 2.0
"""Seconds that a step may continue after a request before it is interrupted."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_REQUESTED = Event()
_HELD = 0
"""Number of open `held` blocks, which must not be interrupted."""


@contextmanager
def heeded() -> Iterator[None]:
    """Inside the block, treat SIGINT, SIGTERM and SIGHUP as requests to end the run.

    Signals that the process ignores from its start, such as SIGHUP under nohup, stay ignored. Outside the main thread,
    which alone receives signals, the block changes nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {}
    try:
        for name in (*_SIGNALS, "SIGALRM"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                before[number] = signal.signal(number, request if name in _SIGNALS else _overdue)
        yield
    finally:
        taken()
        for number, former in before.items():
            signal.signal(number, signal.SIG_DFL if former is None else former)


def request(*_: object) -> None:
    """Ask the run to end at its next step. Usable as a signal handler.

    A second request raises KeyboardInterrupt at once.
    """
    if _REQUESTED.is_set() and not _HELD:
        taken()
        raise KeyboardInterrupt
    _REQUESTED.set()
    if threading.current_thread() is threading.main_thread():
        _alarm(GRACE_S)


def check() -> None:
    """Raise KeyboardInterrupt if the run was asked to end, except inside `held`."""
    if _REQUESTED.is_set() and not _HELD:
        taken()
        raise KeyboardInterrupt


def taken() -> None:
    """Clear the request to end the run, so that the following steps are not interrupted."""
    _REQUESTED.clear()
    if threading.current_thread() is threading.main_thread():
        _alarm(0)


@contextmanager
def held() -> Iterator[None]:
    """Protect the block, which must be short, from interruption. A request waits for the end of the block."""
    global _HELD
    _HELD += 1
    try:
        yield
    finally:
        _HELD -= 1


def _overdue(_: int, __: FrameType | None) -> None:
    """Interrupt a step that has not reacted to a request. A signal handler."""
    if _REQUESTED.is_set():
        _alarm(GRACE_S)
        if not _HELD:
            raise KeyboardInterrupt


def _alarm(seconds: float) -> None:
    """Schedule SIGALRM after `seconds`, or cancel it if `seconds` is 0.

    Does nothing if the system has no SIGALRM, or if `_overdue` does not handle it.
    """
    if hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) is _overdue:
        signal.setitimer(signal.ITIMER_REAL, seconds)
