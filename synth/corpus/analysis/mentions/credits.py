"""Credits in change logs, whose names the corpus says nothing about."""

from __future__ import annotations

import re

_CREDIT = re.compile(r"\bPR \[?#\d|\(\[?#\d+|\bby \[?@\w|/pull/\d|^\s*(?:©|copyright\b)", re.IGNORECASE)


def is_credit(text: str, start: int, end: int) -> bool:
    """Whether the line with start:end is an entry of a change log that credits its author."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return bool(_CREDIT.search(text[first : last if last >= 0 else len(text)]))
