"""Waits and rate limits in the headers of a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from synth.models.chat.base import RateLimits

_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_LONGEST_S = 120.0


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait, given as a number or as a date by the server's clock; None without."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
            return seconds if 0 <= seconds < float("inf") else None
        except ValueError:
            continue
    try:
        until, now = parsedate_to_datetime(headers["retry-after"]), parsedate_to_datetime(headers["date"])
        return max(0.0, (until - now).total_seconds())
    except (KeyError, ValueError, TypeError):
        return None


def rate_limits(headers: Mapping[str, str]) -> RateLimits:
    """Whether the requests or tokens of this minute are used up, and seconds until their reset.

    A reset more than two minutes away belongs to a longer limit, such as one per day, for which waiting is no help;
    it is ignored here, and the endpoint will refuse requests.
    """
    waits = [
        _seconds(headers.get(f"x-ratelimit-reset-{what}", ""))
        for what in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{what}", "").strip() == "0"
    ]
    wait = max((seconds for seconds in waits if seconds <= _LONGEST_S), default=0.0)
    return RateLimits(exhausted=wait > 0, reset_s=wait)


def _seconds(text: str) -> float:
    """A duration such as "1m6.5s" or "250ms", or a bare number of seconds; 0 for anything else."""
    parts = _DURATION.findall(text)
    if parts:
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0
