"""A request from outside to end the run, noted when it comes and obeyed between two steps.

An exception raised by a signal handler comes up in whatever code is running, such as another library's callback, which
may swallow it.
"""

from __future__ import annotations

from threading import Event

_REQUESTED = Event()


def request(*_: object) -> None:
    """Have the run end at its next step; a second request ends it at once. A signal handler."""
    if _REQUESTED.is_set():
        _REQUESTED.clear()
        raise KeyboardInterrupt
    _REQUESTED.set()


def check() -> None:
    """Raise KeyboardInterrupt if the run is to end."""
    if _REQUESTED.is_set():
        _REQUESTED.clear()
        raise KeyboardInterrupt
