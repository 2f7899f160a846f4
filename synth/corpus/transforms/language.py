"""Language of each document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.corpus.transforms.base import Transform

if TYPE_CHECKING:
    from synth.core.records import Chunk
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading


@dataclass(frozen=True)
class Language(Transform):
    """Detector of the language and script of each document. Every graph build runs this transform first.

    Assigns "language" to documents, a tag such as "en" or "zh-Hans".
    """

    name = "language"
    assigns = ("document.language",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> str:
        return reading.language

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        for doc_id, language in artifacts.items():
            graph.assign(doc_id, "language", language)
