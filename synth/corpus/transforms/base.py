"""Base classes of transforms: from documents to artifacts, and from artifacts to the knowledge graph."""

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
    """A part with a name and a version, the hash of its code and its parameters.

    `requires` and `assigns` name attributes of nodes ("chunk.entities"). Those in GIVEN are always there.
    """

    name: ClassVar[str]
    requires: ClassVar[tuple[str, ...]] = ()
    assigns: ClassVar[tuple[str, ...]]

    def parameters(self) -> dict[str, Any]:
        """The parameters that artifacts depend on, as JSON values; by default the fields of a dataclass."""
        return {f.name: getattr(self, f.name) for f in fields(self)} if is_dataclass(self) else {}

    @cached_property
    def version(self) -> str:
        """Hash of the code and the parameters."""
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
    """One kind of knowledge: `run` reads it in one document, `merge` adds it to the graph.

    A transform that needs nothing but the graph has no `run`.
    """

    requires: ClassVar[tuple[str, ...]] = ("chunk.text",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> Any | Steps[Any]:
        """The artifact of one document, a JSON value; or the steps that ask a chat model for it.

        `chunks` are those of the document, in order. The artifact refers to chunks by their index in `chunks` and to
        text by offsets in the document, so that it depends on the content alone.
        """
        raise ConfigError(f"transform {self.name!r} works on the graph as a whole and reads no single document")

    @abstractmethod
    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        """Add the artifacts, by document id, to the graph; there are none for a transform without `run`."""

    @property
    def reads_documents(self) -> bool:
        """Whether the transform has a `run`."""
        return type(self).run is not Transform.run

    def key(self, document: Document, chunks: Sequence[Chunk]) -> str:
        """Cache key of the artifact of a document: hash of everything it is made from."""
        return self._key(document, [(chunk.start, chunk.end) for chunk in chunks])


class LazyTransform(VersionedPart, ABC, Generic[N]):
    """Knowledge of one node, which `read` asks a chat model for when somebody first wants it.

    `node` is the kind of node; `assigns` has the one attribute ("document.summary") that is read. Nothing is added to
    the graph, so that the graph does not depend on what was read before.
    """

    node: ClassVar[Literal["chunk", "document"]]

    @abstractmethod
    def read(self, reading: Reading, node: N) -> Steps[Any]:
        """The artifact of a node of the document `reading`, a JSON object; it depends on the content alone.

        An artifact may count parts of replies that were not used, by reason, under "dropped".
        """

    def value(self, artifact: Any, document: Document) -> Any:
        """The value of the attribute; by default the artifact itself."""
        return artifact

    def key(self, document: Document, node: N) -> str:
        """Cache key of the artifact of a node: hash of everything it is made from."""
        return self._key(document, (node.start, node.end) if isinstance(node, Chunk) else None)

    @property
    def attribute(self) -> str:
        """The attribute without its kind of node: "summary" of "document.summary"."""
        return self.assigns[0].partition(".")[2]


def check_order(transforms: Sequence[VersionedPart], known: Sequence[type[VersionedPart]] = ()) -> None:
    """Check that earlier transforms assign what each transform requires.

    `known` are further transforms that the message may recommend. Raises ConfigError.
    """
    assigned = set(GIVEN)
    for position, transform in enumerate(transforms):
        for attribute in transform.requires:
            if attribute not in assigned:
                later: list[type[VersionedPart]] = [type(t) for t in transforms[position + 1 :]]
                assigning = [part for part in (*later, *known) if attribute in part.assigns]
                advice = f"Put {assigning[0].name!r} before it." if assigning else "Put one that does before it."
                raise ConfigError(
                    f"Transform {transform.name!r} requires {attribute}, which no earlier transform assigns. {advice}"
                )
        assigned.update(transform.assigns)
