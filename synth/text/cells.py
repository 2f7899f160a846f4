"""Escaping of spreadsheet cells, so that spreadsheet programs do not run their text as a formula."""

from __future__ import annotations

_MARK = "'"
# Characters that start a formula, or white space that may precede a formula (OWASP, "CSV Injection").
_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(text: str) -> str:
    """Return `text`, with an apostrophe in front if a spreadsheet would compute it as a formula.

    A formula that already has apostrophes in front gets one more, so that `unguarded` is the exact inverse.
    """
    return _MARK + text if text.lstrip(_MARK).startswith(_STARTS) else text


def unguarded(cell: str) -> str:
    """Return the text of a cell that `guarded` wrote."""
    return cell[1:] if cell.startswith(_MARK) and cell.lstrip(_MARK).startswith(_STARTS) else cell
