"""Kind of answer that a question asks for: a time, a year or a quantity, in English and Chinese.

The patterns and words of each kind are in `asked_kind.json`, with examples that fit and examples that do not. Names of
months, days and numbers come from `synth.text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from synth.text.calendar_names import MONTH_ABBREVIATIONS, MONTHS, WEEKDAYS
from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified
from synth.text.numerals import NUMBER_WORDS, ORDINALS

_SHARED_WORDS = {
    "number": NUMBER_WORDS,
    "ordinal": ORDINALS,
    "month": (*MONTHS, *MONTH_ABBREVIATIONS),
    "weekday": (*WEEKDAYS, *(f"{day}s" for day in WEEKDAYS)),
}


@dataclass(frozen=True, slots=True)
class AnswerKind:
    """Kind of answer, such as "a time".

    `question` matches questions that ask for it, `answer` matches texts that contain it.
    """

    name: str
    question: re.Pattern[str]
    answer: re.Pattern[str]

    def fits(self, text: str) -> bool:
        """Return whether a text contains a value of this kind."""
        return self.answer.search(_folded(text)) is not None


def asked_kind(question: str, language: str) -> AnswerKind | None:
    """Return the kind of answer that a question asks for, or None if any kind may be right."""
    kinds = _kinds("zh" if is_chinese(language) else "en")
    folded = _folded(question)
    return next((kind for kind in kinds if kind.question.search(folded)), None)


@lru_cache(maxsize=2)
def _kinds(language: str) -> tuple[AnswerKind, ...]:
    table = json.loads(files(__package__).joinpath("asked_kind.json").read_text(encoding="utf-8"))[language]
    words = {**_SHARED_WORDS, **{name: listed.split() for name, listed in table["words"].items()}}
    return tuple(_kind(row, words, "" if language == "zh" else r"\b") for row in table["kinds"])


def _kind(row: dict[str, Any], words: Mapping[str, Sequence[str]], boundary: str) -> AnswerKind:
    listed = "|".join(re.escape(word) for name in row["words"] for word in words[name])
    answer = "|".join((rf"{boundary}(?:{listed}){boundary}", *row["answer"]))
    return AnswerKind(
        row["kind"], re.compile("|".join(row["question"]), re.IGNORECASE), re.compile(answer, re.IGNORECASE)
    )


def _folded(text: str) -> str:
    return to_simplified(fold_width(text))
