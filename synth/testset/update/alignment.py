"""Comparison of an old and a new corpus: which documents changed, and where evidence moved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath

from synth.core.records import Document, Evidence, Sample, unwrapped
from synth.corpus.fingerprints import fingerprint, fingerprints, outline, paragraphs
from synth.testset.stored_manifest import Manifest
from synth.text.blocks import blocks
from synth.text.locate import is_whole
from synth.text.tokens import content_words

FEWEST_WORDS = 4
"""Minimum number of content words for a search in unchanged documents. A shorter text may occur there by chance."""

_HAN = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class KnownCorpus:
    """Old corpus as recorded in the manifest: hash and outline of each document, by id.

    An outline contains a fingerprint of each paragraph. `whole` is false if the set has no manifest. In that case only
    the documents with evidence are known, without their outlines.
    """

    documents: Mapping[str, str]
    outlines: Mapping[str, str]
    whole: bool

    @classmethod
    def of(cls, manifest: Manifest, samples: Iterable[Sample]) -> KnownCorpus:
        """Return the old corpus as the manifest of a set and its rows describe it."""
        corpus = manifest.get("corpus", {})
        cited = {piece.doc_id: piece.doc_hash for sample in samples for piece in sample.evidence}
        documents = corpus.get("documents", {})
        return cls({**cited, **documents}, corpus.get("outlines", {}), bool(documents))


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """The new place of a piece of evidence. `same` tells whether the paragraphs and the heading there are unchanged."""

    document: Document
    start: int
    end: int
    same: bool


@dataclass(frozen=True)
class Alignment:
    """Comparison of an old corpus (`known`) and a new corpus (`documents`)."""

    known: KnownCorpus
    documents: Mapping[str, Document]
    _heirs: dict[str, list[Document]] = field(default_factory=dict, init=False, repr=False, compare=False)

    # Documents

    @cached_property
    def touched(self) -> tuple[str, ...]:
        """Ids of new and changed documents, without renamed ones.

        If the set has no manifest, new documents cannot be recognised and are left out.
        """
        return tuple(
            name
            for name, document in self.documents.items()
            if self.known.documents.get(name, "" if self.known.whole else document.content_hash)
            != document.content_hash
            and name not in self._new_names
        )

    @cached_property
    def changed(self) -> tuple[str, ...]:
        """Ids in `touched` that the old corpus contained."""
        return tuple(name for name in self.touched if name in self.known.documents)

    @cached_property
    def added(self) -> tuple[str, ...]:
        """Ids in `touched` that the old corpus did not contain."""
        return tuple(name for name in self.touched if name not in self.known.documents)

    @cached_property
    def removed(self) -> tuple[str, ...]:
        """Ids of old documents that were deleted and not renamed."""
        return tuple(sorted(set(self.known.documents) - set(self.documents) - set(self.renamed)))

    @cached_property
    def renamed(self) -> Mapping[str, str]:
        """Map from the old id to the new id of each document whose text is unchanged."""
        free: dict[str, list[str]] = {}
        for name, document in self.documents.items():
            if name not in self.known.documents:
                free.setdefault(document.content_hash, []).append(name)
        renamed = {}
        for name in sorted(set(self.known.documents) - set(self.documents)):
            names = free.get(self.known.documents[name], [])
            base = PurePosixPath(name).name
            if names:
                renamed[name] = min(names, key=lambda new: (PurePosixPath(new).name != base, new))
                names.remove(renamed[name])
        return renamed

    @property
    def unchanged(self) -> bool:
        """Whether neither the documents nor their names changed."""
        return not (self.touched or self.removed or self.renamed)

    @property
    def unrelated(self) -> bool:
        """Whether the old and the new corpus share no name, document or paragraph."""
        if any(name in self.documents for name in self.known.documents) or self.renamed:
            return False
        return bool(self.known.documents) and not any(
            self.paragraphs_known & fingerprints(outline(document.text)) for document in self.documents.values()
        )

    @cached_property
    def _new_names(self) -> frozenset[str]:
        return frozenset(self.renamed.values())

    # Text

    @cached_property
    def paragraphs_known(self) -> frozenset[str]:
        """Fingerprints of all paragraphs of the old corpus."""
        return frozenset().union(*map(fingerprints, self.known.outlines.values()))

    @cached_property
    def new_text(self) -> Mapping[str, Sequence[tuple[int, int]]]:
        """Spans of the paragraphs that the old corpus did not contain, by document id.

        If the outline of the old version is unknown, all paragraphs of a changed document count as new.
        """
        new_text = {}
        for name in self.touched:
            text = self.documents[name].text
            spans = [span for span in paragraphs(text) if fingerprint(text[slice(*span)]) not in self.paragraphs_known]
            if spans:
                new_text[name] = spans
        return new_text

    def is_new(self, doc_id: str, start: int, end: int) -> bool:
        """Return whether characters `start:end` of a document overlap new text."""
        return any(a < end and start < b for a, b in self.new_text.get(doc_id, ()))

    # Evidence

    def place(self, piece: Evidence) -> EvidencePlace | None:
        """Return the new place of the evidence text, or None if the text is gone. White space may differ.

        The search covers the document itself and changed documents. `place_elsewhere` covers the other documents.
        """
        home = self.documents.get(piece.doc_id)
        if home is not None and home.content_hash == piece.doc_hash:
            return EvidencePlace(home, piece.start, piece.end, True)
        twin = self.documents.get(self.renamed.get(piece.doc_id, ""))
        if twin is not None and twin.content_hash == piece.doc_hash:
            return EvidencePlace(twin, piece.start, piece.end, True)
        return self._best_place(piece, self.heirs(piece.doc_id))

    def place_elsewhere(self, piece: Evidence) -> EvidencePlace | None:
        """Return the place of the evidence text in an unchanged document, or None."""
        if len(content_words(piece.text)) < FEWEST_WORDS:
            return None
        heirs = {document.doc_id for document in self.heirs(piece.doc_id)}
        rest = (document for name, document in self.documents.items() if name not in heirs)
        return self._best_place(piece, rest)

    def heirs(self, doc_id: str) -> list[Document]:
        """Return the documents to which text of a document may have moved.

        The document itself comes first, if it still exists. The documents in `touched` follow, the most similar first.
        """
        if doc_id not in self._heirs:
            old = fingerprints(self.known.outlines.get(doc_id, ""))
            alike = {name: len(old & fingerprints(outline(self.documents[name].text))) for name in self.touched if old}
            names = sorted(
                {*self.touched, *([doc_id] if doc_id in self.documents else [])},
                key=lambda name: (name != doc_id, -alike.get(name, 0), name),
            )
            self._heirs[doc_id] = [self.documents[name] for name in names]
        return self._heirs[doc_id]

    def _best_place(self, piece: Evidence, documents: Iterable[Document]) -> EvidencePlace | None:
        best: tuple[tuple[bool, int, int], EvidencePlace] | None = None
        for order, document in enumerate(documents):
            for start, end in _occurrences(piece.text, document.text):
                place = EvidencePlace(document, start, end, self._unchanged_around(piece.doc_id, document, start, end))
                rank = (not place.same, order, abs(start - piece.start))
                if best is None or rank < best[0]:
                    best = rank, place
        return best[1] if best else None

    def _unchanged_around(self, doc_id: str, document: Document, start: int, end: int) -> bool:
        """Return whether the old document contained the paragraphs and the heading of this place."""
        old = fingerprints(self.known.outlines.get(doc_id, ""))
        text = document.text
        around = [span for span in paragraphs(text) if span[0] < end and start < span[1]]
        above = [
            (block.start, block.end)
            for block in blocks(text, str(document.metadata.get("format", "text")))
            if block.kind == "heading" and block.end <= start
        ]
        return all(fingerprint(text[slice(*span)]) in old for span in [*around, *above[-1:]])


def _occurrences(quote: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield spans where a quotation occurs as whole words and numbers. White space may differ."""
    exact = False
    at = text.find(quote)
    while at >= 0:
        if is_whole(text, at, at + len(quote)):
            exact = True
            yield at, at + len(quote)
        at = text.find(quote, at + 1)
    if not exact:
        for match in re.finditer(_any_space(quote), text):
            if is_whole(text, *match.span()) and unwrapped(match.group()) == unwrapped(quote):
                yield match.span()


def _any_space(quote: str) -> str:
    """Return a regular expression that matches `quote` with other white space between its words.

    It also matches line breaks between Chinese characters.
    """
    words = []
    for word in unwrapped(quote).split(" "):
        parts = [re.escape(char) for char in word]
        for n in range(len(parts) - 1, 0, -1):
            if _HAN.match(word[n - 1]) and _HAN.match(word[n]):
                parts.insert(n, r"(?:[^\S\n]*\n\s*)?")
        words.append("".join(parts))
    return r"\s+".join(words)
