"""Tidying of questions and answers from a model."""

from __future__ import annotations

from synth.text.language import is_chinese
from synth.text.normalise import collapse_space


def finished(question: str, language: str) -> str:
    """The question on one line, with the question mark of its script."""
    question = collapse_space(question)
    if is_chinese(language) and question.endswith("?"):
        question = question[:-1] + "？"
    return question


def bare(answer: str) -> str:
    """The answer on one line, without a full stop at its end."""
    answer = collapse_space(answer)
    return answer[:-1] if answer.endswith(("。", ".")) and not answer.endswith("..") and len(answer) > 1 else answer
