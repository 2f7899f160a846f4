"""Entities of each chunk, named by a chat model. Names that the text does not contain are dropped."""

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
    """Names in passages, found by a chat model with one request per passage.

    `model` identifies the model in cache keys. Prompts in `folder` replace the packaged prompts. All requests of a
    document are sent together; if one fails, the document fails with its reason. The transform is not lazy, because
    edges between chunks need the entities of all chunks.
    """

    name = "llm_entities"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.entities",)
    model: str
    folder: Path | None = None

    def parameters(self) -> dict[str, Any]:
        versions = [prompts.load(_PROMPT, language, self.folder).digest for language in ("en", "zh")]
        return {"model": self.model, "prompts": versions}

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> Steps[MentionsArtifact]:
        prompt = prompts.load(_PROMPT, reading.language, self.folder)
        requests = [Request.of(prompt, {"passage": without_orders(chunk.text)}, purpose=self.name) for chunk in chunks]
        replies: Sequence[Completion | RequestFailed] = (yield requests) if requests else ()
        mentions = []
        for index, (chunk, reply) in enumerate(zip(chunks, replies, strict=True)):
            if isinstance(reply, RequestFailed):
                raise reply
            names = without_overlaps(_mentions(chunk, reply.data["entities"]))
            mentions += [(index, name.start, name.end, name.surface, name.kind) for name in names]
        return {"mentions": mentions, "aliases": []}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, MentionsArtifact]) -> None:
        merge_entities(graph, artifacts)


def _mentions(chunk: Chunk, entities: Sequence[Mapping[str, str]]) -> Iterator[NameMention]:
    """Yield every place in the chunk where a name occurs as a whole word."""
    for entity in entities:
        surface = entity["text"].strip()
        if not (entity["kind"] == "code" or is_name(surface)):
            continue
        ascii_edges = (
            "(?<![A-Za-z0-9_])" if surface[:1].isascii() else "",
            "(?![A-Za-z0-9_])" if surface[-1:].isascii() else "",
        )
        for match in re.finditer(re.escape(surface).join(ascii_edges), chunk.text):
            yield NameMention(chunk.start + match.start(), chunk.start + match.end(), surface, entity["kind"])
