"""A request from outside to end the run (Ctrl-C, SIGTERM, SIGHUP): noted when it comes, obeyed between two steps.

An exception raised by a signal handler comes up in whatever code is running, such as another library's callback, which
may swallow it, or half of a write. So a request waits for the next `check`, and only where none comes within `GRACE_S`
seconds is it raised in the midst of a step, again and again until somebody has `taken` it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType

GRACE_S = 2.0
"""Seconds that a step may take after a request before it is broken off."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_REQUESTED = Event()
_HELD = 0
"""Number of blocks under way that must not be broken off."""


@contextmanager
def heeded() -> Iterator[None]:
    """Have the signals that end a run make a request of it inside the block.

    Those that the process was started to ignore, such as SIGHUP under nohup, stay ignored. Outside of the main thread,
    which alone has signals, nothing changes.
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
    """Have the run end at its next step; a second request ends it at once. A signal handler."""
    if _REQUESTED.is_set() and not _HELD:
        taken()
        raise KeyboardInterrupt
    _REQUESTED.set()
    if threading.current_thread() is threading.main_thread():
        _alarm(GRACE_S)


def check() -> None:
    """Raise KeyboardInterrupt if the run is to end."""
    if _REQUESTED.is_set() and not _HELD:
        taken()
        raise KeyboardInterrupt


def taken() -> None:
    """Note that the request, if any, is obeyed: what follows is not broken off."""
    _REQUESTED.clear()
    if threading.current_thread() is threading.main_thread():
        _alarm(0)


@contextmanager
def held() -> Iterator[None]:
    """Let nothing break off the block, which must be short: a request that comes meanwhile waits for its end."""
    global _HELD
    _HELD += 1
    try:
        yield
    finally:
        _HELD -= 1


def _overdue(_: int, __: FrameType | None) -> None:
    """Break off a step that has taken no notice of a request. A signal handler."""
    if _REQUESTED.is_set():
        _alarm(GRACE_S)
        if not _HELD:
            raise KeyboardInterrupt


def _alarm(seconds: float) -> None:
    """Have SIGALRM come after some seconds, 0 for not at all, where the system has it and `_overdue` listens."""
    if hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) is _overdue:
        signal.setitimer(signal.ITIMER_REAL, seconds)
