"""Base classes of transforms. A transform computes an artifact of each document and adds it to the knowledge graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from synth.core.errors import ConfigError
from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.grammar.installed_parsers import parser_versions

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading
    from synth.models.chat.base import Steps

N = TypeVar("N", Chunk, Document)

GIVEN = ("document.text", "document.language", "chunk.text")
"""Attributes that every graph has before the first transform runs."""


class VersionedPart:
    """Base class of parts with a name and a version. The version changes with the code and the parameters.

    `requires` and `assigns` list the node attributes that a part needs and sets, such as "chunk.entities". Attributes
    in GIVEN are always available.
    """

    name: ClassVar[str]
    requires: ClassVar[tuple[str, ...]] = ()
    assigns: ClassVar[tuple[str, ...]]

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that affect artifacts, as JSON values; by default the fields of a dataclass."""
        return {f.name: getattr(self, f.name) for f in fields(self)} if is_dataclass(self) else {}

    @cached_property
    def version(self) -> str:
        """Hash of the source code and the parameters."""
        return digest(type(self).__qualname__, source_digest(type(self).__module__), self.parameters())

    def _key(self, document: Document, *content: Any) -> str:
        return digest(
            self.name,
            self.version,
            parser_versions(),
            document.content_hash,
            document.title,
            document.metadata.get("format"),
            *content,
        )


class Transform(VersionedPart, ABC):
    """Transform for one kind of knowledge. `run` extracts it from one document, and `merge` adds it to the graph.

    A transform that needs only the graph does not define `run`.
    """

    requires: ClassVar[tuple[str, ...]] = ("chunk.text",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> Any | Steps[Any]:
        """Return the artifact of one document, a JSON value.

        For an artifact that needs a chat model, return a generator that yields model requests and returns the artifact.
        `chunks` are the chunks of the document in order. The artifact must refer to chunks by their index in `chunks`
        and to text by its offsets, so that it depends on the content alone.
        """
        raise ConfigError(f"transform {self.name!r} has no `run` and cannot read a document; define `run` in its class")

    @abstractmethod
    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        """Add the artifacts, by document id, to the graph. There are none for a transform without `run`."""

    @property
    def reads_documents(self) -> bool:
        """Whether the transform defines `run`."""
        return type(self).run is not Transform.run

    def key(self, document: Document, chunks: Sequence[Chunk]) -> str:
        """Return the cache key of a document's artifact: a hash of everything that the artifact depends on."""
        return self._key(document, [(chunk.start, chunk.end) for chunk in chunks])


class LazyTransform(VersionedPart, ABC, Generic[N]):
    """Transform that asks a chat model for one attribute of a node, when the attribute is first needed.

    `node` is the kind of node. `assigns` names the one attribute that `read` computes, such as "document.summary". The
    value is not stored in the graph, so the graph does not depend on earlier requests.
    """

    node: ClassVar[Literal["chunk", "document"]]

    @abstractmethod
    def read(self, reading: Reading, node: N) -> Steps[Any]:
        """Ask a chat model and return the artifact of a node, a JSON object that depends on the content alone.

        `reading` is the parsed document that contains the node. The artifact may count rejected parts of replies, by
        reason, under "dropped".
        """

    def value(self, artifact: Any, document: Document) -> Any:
        """Return the value of the attribute; by default the artifact itself."""
        return artifact

    def key(self, document: Document, node: N) -> str:
        """Return the cache key of a node's artifact: a hash of everything that the artifact depends on."""
        return self._key(document, (node.start, node.end) if isinstance(node, Chunk) else None)

    @property
    def attribute(self) -> str:
        """Name of the attribute without the kind of node: "summary" for "document.summary"."""
        return self.assigns[0].partition(".")[2]


def check_order(transforms: Sequence[VersionedPart], known: Sequence[type[VersionedPart]] = ()) -> None:
    """Raise ConfigError unless each required attribute is assigned by an earlier transform.

    `known` are other transforms that the error message may recommend.
    """
    assigned = set(GIVEN)
    for position, transform in enumerate(transforms):
        for attribute in transform.requires:
            if attribute not in assigned:
                later: list[type[VersionedPart]] = [type(t) for t in transforms[position + 1 :]]
                assigning = [part for part in (*later, *known) if attribute in part.assigns]
                advice = (
                    f"Put {assigning[0].name!r} before it." if assigning else "Put a transform that assigns it first."
                )
                raise ConfigError(
                    f"Transform {transform.name!r} requires {attribute}, which no earlier transform assigns. {advice}"
                )
        assigned.update(transform.assigns)
