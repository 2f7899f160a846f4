"""Filter that drops answers that differ from the result of their calculation."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter
from synth.text.normalise import fold_width

_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_SYMBOLS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-", "（": "(", "）": ")"})
_ABOUT = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|some)\b|约|約|大概|左右|将近|將近|接近", re.IGNORECASE
)
_LONGEST = 120
_UNITS = (7, 10, 12, 24, 30, 31, 52, 60, 100, 365, 366, 1000, 1024, 1440, 3600, 10_000, 86_400, 1_000_000, 100_000_000)
"""Ratios of units: days of a week, minutes of an hour, 万, 亿 and the like."""


@dataclass(frozen=True)
class Reckoned(Filter):
    """Drop a sample whose answer lacks the result of its calculation (`reckoning`, such as "1833 - 1811").

    The answer may round the result, or give it in another unit. A sample passes if its calculation cannot be read, or
    if its answer contains no number besides those of the calculation.
    """

    name: ClassVar[str] = "reckoned"
    order: ClassVar[int] = 14
    proves: ClassVar[bool] = True

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        reckoning = str(sample.metadata.get("reckoning") or "")
        result = value(reckoning)
        if result is None:
            return self.passed("the answer is not calculated")
        read = set(_NUMBER.findall(fold_width(reckoning)))
        numbers = [number for answer in sample.golden_answers for number in _NUMBER.findall(fold_width(answer))]
        new_numbers = [number for number in numbers if number not in read]
        about = any(map(_ABOUT.search, sample.golden_answers))
        if new_numbers and not any(_is(result, text, about=about) for text in numbers):
            return self.verdict(
                False, f"{reckoning} gives {float(result):g}, but the answer is '{sample.golden_answers[0][:60]}'"
            )
        return self.verdict(True, f"{reckoning} gives {float(result):g}")


def value(reckoning: str) -> Fraction | None:
    """Return the exact result of a calculation with numbers, + - * / and brackets; None for any other text."""
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", fold_width(reckoning).translate(_SYMBOLS)).partition("=")[0]
    if len(text) > _LONGEST:
        return None
    try:
        parsed = ast.parse(text.strip(), mode="eval").body
        return _value(parsed) if isinstance(parsed, ast.BinOp) else None
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> Fraction:
    """Return the value of a node. Raise ValueError if the node is not a number or a calculation with numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return Fraction(str(node.value))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / right
    raise ValueError


def _is(result: Fraction, text: str, *, about: bool = False) -> bool:
    """Return whether a written number equals the result to its own precision.

    Sign, unit and percentage may differ. With `about`, zeros at the end are rounded digits: 26,000 for 26,220.
    """
    digits = text.replace(",", "")
    written = Fraction(digits)
    places = len(text.partition(".")[2])
    allowed = Fraction(1, 10**places)
    zeros = 0 if places else len(digits) - len(digits.rstrip("0"))
    if about and len(digits) - zeros >= 2:
        allowed = max(allowed, Fraction(10**zeros, 2))
    forms = (result, 1 - result, *(form for unit in _UNITS for form in (result * unit, result / unit)))
    return any(abs(abs(form) - written) < allowed for form in (*forms, 100 * (1 - result)))
