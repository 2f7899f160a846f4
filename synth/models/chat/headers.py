"""Waits and rate limits in the headers of a response."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

_UNITS = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PART = re.compile(r"(\d+(?:\.\d+)?)(ms|d|h|m|s)")
_DURATION = re.compile(rf"(?:{_PART.pattern})+")
_LONGEST_RESET_S = 120.0


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the server asks the client to wait, or None if no header contains a valid wait.

    A header contains a number of seconds or milliseconds, or a date, which is compared with the server's own `date`.
    `headers` must ignore the case of names.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        until, now = parsedate_to_datetime(headers["retry-after"]), parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None


def pause_of(headers: Mapping[str, str]) -> float:
    """Return the seconds until the endpoint allows more requests, by its rate-limit headers.

    The result is 0 if neither requests nor tokens are used up, or if no reset time is given. A reset more than two
    minutes away belongs to a limit per day or the like, and is ignored here. Requests that the endpoint then refuses
    are retried as throttled.
    """
    waits = [
        _seconds(headers.get(f"x-ratelimit-reset-{kind}", ""))
        for kind in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{kind}", "").strip() == "0"
    ]
    return max((seconds for seconds in waits if seconds <= _LONGEST_RESET_S), default=0.0)


def _seconds(text: str) -> float:
    """Return the seconds in a duration such as "1m6.5s" or "250ms", or in a bare number; 0 for anything else."""
    if _DURATION.fullmatch(text.strip()):
        return sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0
