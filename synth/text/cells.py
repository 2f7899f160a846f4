"""Texts in spreadsheet cells, guarded against being read as formulas."""

from __future__ import annotations

_MARK = "'"
# Characters that start a formula, and white space skipped before one (OWASP, "CSV Injection").
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(text: str) -> str:
    """`text` with an apostrophe before anything that a spreadsheet would compute.

    A text that already has apostrophes before a formula gets one more, so that `unguarded` is the exact inverse.
    """
    return _MARK + text if text.lstrip(_MARK).startswith(_STARTS) else text


def unguarded(cell: str) -> str:
    """Text of a cell written by `guarded`."""
    return cell[1:] if cell.startswith(_MARK) and cell.lstrip(_MARK).startswith(_STARTS) else cell
