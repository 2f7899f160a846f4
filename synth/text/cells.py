"""Texts in the cells of a spreadsheet, which takes some of them for formulas."""

from __future__ import annotations

_MARK = "'"
# What a spreadsheet starts a formula with, and what it skips before one (OWASP, "CSV Injection").
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(text: str) -> str:
    """`text` as a cell that no spreadsheet computes: an apostrophe goes before what looks like a formula.

    It also goes before apostrophes that stand before a formula already, so that `unguarded` gives `text` back.
    """
    return _MARK + text if text.lstrip(_MARK).startswith(_STARTS) else text


def unguarded(cell: str) -> str:
    """The text that `guarded` made a cell of."""
    return cell[1:] if cell.startswith(_MARK) and cell.lstrip(_MARK).startswith(_STARTS) else cell
