"""Conversion of superscripts and subscripts to plain text."""

from __future__ import annotations

import re
from collections.abc import Mapping

_SUPERSCRIPTS = str.maketrans("0123456789+-−=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ")
_SUBSCRIPTS = str.maketrans("0123456789+-−=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎")
_PLAIN_RAISED = re.compile(r"(?:st|nd|rd|th|[eao]|er|re|ère|ème|[ªº®™©*†‡§¶]|\W*)", re.IGNORECASE)
"""Superscripts that mean the same when written on the line: endings of ordinals, and marks."""


def superscript(text: str) -> str:
    """Return superscript `text` in plain characters: `⁶` if Unicode has the characters, else `^x` or `^(x y)`.

    Endings of ordinals ("st", "nd") and marks stay as they are.
    """
    return _shifted(text, _SUPERSCRIPTS, "^")


def subscript(text: str) -> str:
    """Return subscript `text` in plain characters: `₂` if Unicode has the characters, else "_x" or "_(x y)".

    Endings of ordinals ("st", "nd") and marks stay as they are.
    """
    return _shifted(text, _SUBSCRIPTS, "_")


def _shifted(text: str, characters: Mapping[int, int], mark: str) -> str:
    body = text.strip()
    if body in ("+", "-", "−"):
        return text.replace(body, body.translate(characters), 1)  # the charge of an ion
    if _PLAIN_RAISED.fullmatch(body) or not body:
        return text
    if body.casefold() in ("tm", "sm"):
        shifted = "™" if body.casefold() == "tm" else "℠"
    elif all(ord(character) in characters for character in body):
        shifted = body.translate(characters)
    else:
        shifted = f"{mark}{body}" if body.isalnum() else f"{mark}({body})"
    return text.replace(body, shifted, 1)
