"""Generators of answers: a chat model, or without a model the best sentence of the passages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from synth.evaluation.measuring.word_coverage import WordIndex, content, share, weights
from synth.models.chat.base import Request, Steps
from synth.models.prompts import Prompt
from synth.text.language import detect, is_chinese
from synth.text.markup import plain
from synth.text.sentences import split_sentences

ANSWER, CLOSED_BOOK, WHETHER = "rag/answer", "rag/closed_book", "rag/whether"
_LEAST_COVERED = 0.25
_RANK_PENALTY = 0.02
_NOT_SAID = {True: "资料没有说明。", False: "The documents do not say."}


class Generator(Protocol):
    """Answers questions from passages."""

    def answer(self, question: str, passages: Sequence[str]) -> Steps[str]:
        """Return the answer to the question from the passages, which are ordered best first."""
        ...


class Extractive:
    """Answers with the sentence that covers most words of the question, or refuses if none covers enough."""

    def answer(self, question: str, passages: Sequence[str]) -> Steps[str]:
        yield from ()
        words = content(question)
        by = weights(words)
        best, answer = _LEAST_COVERED, _NOT_SAID[is_chinese(detect(question))]
        for rank, passage in enumerate(passages):
            text = plain(passage, 0, len(passage), markdown=True).text
            for start, end in split_sentences(text):
                sentence = text[start:end]
                worth = share(words, by, WordIndex.of(content(sentence))) - _RANK_PENALTY * rank
                if worth > best and not sentence.rstrip().endswith(("?", "？")):
                    best, answer = worth, " ".join(sentence.split())
        return answer


class ChatAnswerer:
    """Answers with a chat model, by the prompt `rag/answer`, or `rag/closed_book` if there are no passages.

    `prompt` is called with the name of a prompt and a language.
    """

    def __init__(self, prompt: Callable[[str, str], Prompt]) -> None:
        self._prompt = prompt

    def answer(self, question: str, passages: Sequence[str]) -> Steps[str]:
        values = {"question": question}
        name = CLOSED_BOOK
        if passages:
            name = ANSWER
            values["passages"] = "\n\n".join(f"[{i}] {text}" for i, text in enumerate(passages, start=1))
        completion = yield Request.of(self._prompt(name, detect(question)), values, purpose=name)
        return str(completion.data["answer"])

    def wants(self, question: str) -> Steps[bool]:
        """Return whether the model wants to retrieve passages for a question."""
        prompt = self._prompt(WHETHER, detect(question))
        completion = yield Request.of(prompt, {"question": question}, purpose=WHETHER, role="judge")
        return bool(completion.data["retrieve"])
