"""Credits in change logs. Their names are not subjects of the corpus."""

from __future__ import annotations

import re

_CREDIT = re.compile(r"\bPR \[?#\d|\(\[?#\d+|\bby \[?@\w|/pull/\d|^\s*(?:©|copyright\b)", re.IGNORECASE)


def is_credit(text: str, start: int, end: int) -> bool:
    """Whether the line that contains `text[start:end]` credits an author or a pull request, as in a change log."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return bool(_CREDIT.search(text[first : last if last >= 0 else len(text)]))
