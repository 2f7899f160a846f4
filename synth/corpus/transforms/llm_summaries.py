"""Summaries of documents by a chat model. A rejected summary is replaced by central sentences of the document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.core.records import Document
from synth.corpus.analysis.central_sentences import CentralSentences
from synth.corpus.transforms.base import LazyTransform
from synth.models import prompts
from synth.models.chat.base import Request
from synth.text.language import detect, is_chinese
from synth.text.normalise import collapse_space, simplified_only, to_simplified, traditional_only
from synth.text.prose import Sentence
from synth.text.sentences import split_sentences
from synth.text.stems import stem, stems
from synth.text.tokens import content_words, count_tokens, numbers

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.models.chat.base import Steps

_PROMPT = "transforms/summary"
_MOST_SENTENCES = 3
_FEWEST_WORDS = 3  # minimum content words of a summary
_OWN_WORDS = 0.6  # share of a summary's content words that the document must contain
_NAME = re.compile(r"(?<![A-Za-z0-9_])(?=[A-Za-z0-9_.-]*[A-Z0-9_])[A-Za-z][A-Za-z0-9_.+#-]*[A-Za-z0-9_+#]")
_ABOUT_THE_TEXT = re.compile(
    r"(?:the|this)\s+(?:given\s+)?(?:passage|document|text|article|page|summary)\b|"
    r"[本该此这該這](?:文|篇|段|份?文档|份?文檔|份?文件)|文中|文章",
    re.IGNORECASE,
)
_NUMBER_PART = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True)
class LlmSummaries(LazyTransform[Document]):
    """One to three sentences about a document, written by a chat model in one request when a summary is needed.

    A summary is {"text", "spans", "abstractive"}; "spans" are the offsets of central sentences. The model sees up to
    `max_input_tokens` tokens of central sentences. A summary is rejected if it is in another language, speaks of "the
    passage" or exceeds `max_tokens` tokens. It is also rejected if it adds names, numbers or content. Central sentences
    then replace it, and "reason" explains why. A document of one sentence is its own summary. A document without prose
    has no summary (None). `model` and `folder` work as in LlmEntities.
    """

    name = "llm_summaries"
    node = "document"
    requires = ("document.text", "document.language")
    assigns = ("document.summary",)
    model: str
    folder: Path | None = None
    max_input_tokens: int = 1200
    max_tokens: int = 150

    def parameters(self) -> dict[str, Any]:
        versions = [prompts.load(_PROMPT, language, self.folder).digest for language in ("en", "zh")]
        return {
            "model": self.model,
            "prompts": versions,
            "max_input_tokens": self.max_input_tokens,
            "max_tokens": self.max_tokens,
        }

    def read(self, reading: Reading, node: Document) -> Steps[dict[str, Any]]:
        sentences = CentralSentences(reading.sentences)
        central = sentences.summary()
        if len(reading.sentences) < 2:
            return {"summary": _extractive(central, "the document has no more than one sentence")}
        prompt = prompts.load(_PROMPT, reading.language, self.folder)
        passage = _one_per_line(sentences.gist(self.max_input_tokens))
        completion = yield Request.of(prompt, {"title": node.title, "passage": passage}, purpose=self.name)
        text = collapse_space(completion.data["summary"])
        fault = self._fault(text, reading)
        if fault:
            return {"summary": _extractive(central, fault), "dropped": {_fault_kind(fault): 1}}
        return {"summary": {"text": text, "spans": central["spans"], "abstractive": True}}

    def value(self, artifact: Mapping[str, Any], document: Document) -> dict[str, Any] | None:
        """Return the summary of a document, or None if the document has no prose."""
        summary: dict[str, Any] | None = artifact["summary"]
        return summary

    def _fault(self, text: str, reading: Reading) -> str:
        """Return the reason to reject a model's summary, or "" to accept it."""
        whole = f"{reading.document.title}\n{reading.document.text}"
        if not _is_in_language(text, reading.language):
            return f"language: the summary is not written in {reading.language}"
        if any(_ABOUT_THE_TEXT.match(text, start) for start, _ in split_sentences(text)):
            return "wording: the summary describes the text instead of its content"
        count, tokens = len(split_sentences(text)), count_tokens(text)
        if count > _MOST_SENTENCES or tokens > self.max_tokens:
            return f"length: {count} sentences, {tokens} tokens; the limits are {_MOST_SENTENCES} and {self.max_tokens}"
        if unknown := _unknown_numbers(text, whole):
            return f"number: the document does not contain {', '.join(unknown)}"
        if unknown := _unknown_names(text, whole):
            return f"name: the document does not contain {', '.join(unknown)}"
        words, known = content_words(text), set(stems(whole))
        if len(words) < _FEWEST_WORDS:
            return f"length: {len(words)} content words; the minimum is {_FEWEST_WORDS}"
        share = sum(stem(word) in known for word in words) / len(words)
        if share < _OWN_WORDS:
            return f"content: {share:.0%} of its words are in the document; the minimum is {_OWN_WORDS:.0%}"
        return ""


def _fault_kind(fault: str) -> str:
    return fault.partition(":")[0]


def _extractive(central: Mapping[str, Any], reason: str) -> dict[str, Any] | None:
    return {**central, "abstractive": False, "reason": reason} if central["spans"] else None


def _one_per_line(sentences: Sequence[Sentence]) -> str:
    return "\n".join(sentence.text for sentence in sentences)


def _is_in_language(text: str, language: str) -> bool:
    detected = detect(text)
    if is_chinese(detected) and is_chinese(language):
        foreign = traditional_only() if language == "zh-Hans" else simplified_only()
        return detected == language or not foreign.intersection(text)
    return detected == language


def _unknown_numbers(text: str, whole: str) -> list[str]:
    """Return numbers that the document does not contain. A date counts as known if the document contains its parts."""
    known = numbers(whole)
    parts = {part for number in known for part in _NUMBER_PART.findall(number)} | known
    return sorted(n for n in numbers(text) if n not in known and not (set(_NUMBER_PART.findall(n)) or {n}) <= parts)


def _unknown_names(text: str, whole: str) -> list[str]:
    """Return names and identifiers in Latin letters that the document lacks, except the first word of a sentence."""
    openings = {start for start, _ in split_sentences(text)}
    known = to_simplified(whole).casefold()
    names = {m.group() for m in _NAME.finditer(text) if m.start() not in openings}
    return sorted(name for name in names if name.casefold() not in known)
