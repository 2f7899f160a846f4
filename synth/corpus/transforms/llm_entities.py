"""What each chunk names, as a chat model reads it; every name is found again in the text or dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.corpus.analysis.mentions.merging import MentionsArtifact, merge_entities
from synth.corpus.analysis.mentions.names import NameMention, is_name, without_overlaps
from synth.corpus.transforms.base import Transform
from synth.models import prompts
from synth.models.chat.base import Completion, Request, RequestFailed
from synth.text.prompt_injection import without_orders

if TYPE_CHECKING:
    from synth.core.records import Chunk
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading
    from synth.models.chat.base import Steps

_PROMPT = "transforms/entities"


@dataclass(frozen=True)
class LlmEntities(Transform):
    """Entities named by a chat model, one request a chunk, all chunks of a document at once.

    `model` is the identity of the model, under which the artifacts are kept; `folder` holds prompts
    that go before the packaged ones. When a request fails, the document fails with its reason.

    It is not lazy: the edges between chunks are made from the entities of them all, so a passage that
    nobody has read yet could not be reached. Who names it has chosen to pay a call a passage.
    """

    name = "llm_entities"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.entities",)
    model: str
    folder: Path | None = None

    def parameters(self) -> dict[str, Any]:
        read = [prompts.load(_PROMPT, language, self.folder).digest for language in ("en", "zh")]
        return {"model": self.model, "prompts": read}

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> Steps[MentionsArtifact]:
        prompt = prompts.load(_PROMPT, reading.language, self.folder)
        requests = [Request.of(prompt, {"passage": without_orders(chunk.text)}, purpose=self.name) for chunk in chunks]
        replies: Sequence[Completion | RequestFailed] = (yield requests) if requests else ()
        mentions = []
        for number, (chunk, reply) in enumerate(zip(chunks, replies, strict=True)):
            if isinstance(reply, RequestFailed):
                raise reply
            found = without_overlaps(_located(chunk, reply.data["entities"]))
            mentions += [(number, one.start, one.end, one.surface, one.kind) for one in found]
        return {"mentions": mentions, "aliases": []}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, MentionsArtifact]) -> None:
        merge_entities(graph, artifacts)


def _located(chunk: Chunk, named: Sequence[Mapping[str, str]]) -> Iterator[NameMention]:
    """Every place of the chunk where a named thing stands as a word of its own."""
    for entity in named:
        surface = entity["text"].strip()
        if not (entity["kind"] == "code" or is_name(surface)):
            continue
        ascii_edges = (
            "(?<![A-Za-z0-9_])" if surface[:1].isascii() else "",
            "(?![A-Za-z0-9_])" if surface[-1:].isascii() else "",
        )
        for match in re.finditer(re.escape(surface).join(ascii_edges), chunk.text):
            yield NameMention(chunk.start + match.start(), chunk.start + match.end(), surface, entity["kind"])
