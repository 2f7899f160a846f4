"""Lines of a change log that credit who made a change: what they name, the corpus does not speak of."""

from __future__ import annotations

import re

_CREDIT = re.compile(r"\bPR \[?#\d|\(\[?#\d+|\bby \[?@\w|/pull/\d|^\s*(?:©|copyright\b)", re.IGNORECASE)


def is_credit(text: str, start: int, end: int) -> bool:
    """Whether the line of a text that holds start:end is an entry of a change log that says whose it is."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return bool(_CREDIT.search(text[first : last if last >= 0 else len(text)]))
