"""Tidying of questions and answers that a model wrote."""

from __future__ import annotations

from synth.text.language import is_chinese
from synth.text.normalise import collapse_space
from synth.text.sentences import ends_in_abbreviation


def tidy_question(question: str, language: str) -> str:
    """The question on one line; a Chinese or English one that ends in question marks has one, of its script."""
    question = collapse_space(question)
    body = question.rstrip("?？ ")
    if body == question or not (is_chinese(language) or language == "en"):
        return question
    return body + ("？" if is_chinese(language) else "?")


def tidy_answer(answer: str) -> str:
    """The answer on one line, without a full stop at its end unless the stop belongs to an abbreviation."""
    answer = collapse_space(answer)
    if len(answer) < 2 or not answer.endswith(("。", ".")) or answer.endswith("..") or ends_in_abbreviation(answer):
        return answer
    return answer[:-1]
