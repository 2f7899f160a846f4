"""Clean-up of questions and answers that a model wrote."""

from __future__ import annotations

from synth.text.language import is_chinese
from synth.text.normalise import collapse_space
from synth.text.sentences import ends_in_abbreviation


def tidy_question(question: str, language: str) -> str:
    """Return the question on one line.

    Question marks at the end of a Chinese or English question become a single one, "？" or "?".
    """
    question = collapse_space(question)
    body = question.rstrip("?？ ")
    if body == question or not (is_chinese(language) or language == "en"):
        return question
    return body + ("？" if is_chinese(language) else "?")


def tidy_answer(answer: str) -> str:
    """Return the answer on one line, without its final full stop unless the stop belongs to an abbreviation."""
    answer = collapse_space(answer)
    if len(answer) < 2 or not answer.endswith(("。", ".")) or answer.endswith("..") or ends_in_abbreviation(answer):
        return answer
    return answer[:-1]
