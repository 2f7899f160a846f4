"""What a model said, made tidy: a question on one line, an answer without its full stop."""

from __future__ import annotations

from synth.text.language import is_chinese
from synth.text.normalise import collapse_space


def finished(question: str, language: str) -> str:
    """The question on one line, with the question mark of its language."""
    question = collapse_space(question)
    if is_chinese(language) and question.endswith("?"):
        question = question[:-1] + "？"
    return question


def bare(answer: str) -> str:
    """The answer without the full stop that models end everything with."""
    answer = collapse_space(answer)
    return answer[:-1] if answer.endswith(("。", ".")) and not answer.endswith("..") and len(answer) > 1 else answer
