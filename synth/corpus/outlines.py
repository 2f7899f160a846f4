"""The documents of a corpus as manifests have them: the hashes of their contents and the outlines of their texts."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from json.encoder import encode_basestring
from typing import IO

from synth.core.records import digest
from synth.core.written_json import MemberWriter
from synth.corpus.fingerprints import Outline


@dataclass(frozen=True, slots=True)
class Outlines:
    """`hash` of the ids and contents of all documents; hash of the content of each, and outline of its text, by id."""

    hash: str
    documents: Mapping[str, str]
    outlines: Mapping[str, str]

    @classmethod
    def of(cls, found: Iterable[Outline]) -> Outlines:
        """Those of some documents."""
        hashes, by_id = {}, {}
        for doc_id, content_hash, outline in found:
            hashes[doc_id], by_id[doc_id] = content_hash, outline
        return cls(digest(sorted(hashes.items())), hashes, by_id)


class OutlinesWriter:
    """Writes the outlines of documents, which must come in the order of their ids, to two files."""

    def __init__(self, documents: IO[bytes], outlines: IO[bytes]) -> None:
        self._documents, self._outlines = MemberWriter(documents), MemberWriter(outlines)
        self._hash, self._before = hashlib.sha256(), "[["

    def add(self, doc_id: str, content_hash: str, outline: str) -> None:
        """Write a document."""
        self._documents.add(doc_id, content_hash)
        self._outlines.add(doc_id, outline)
        pair = f"{self._before}[{encode_basestring(doc_id)},{encode_basestring(content_hash)}]"
        self._hash.update(pair.encode("utf-8", "surrogatepass"))
        self._before = ","

    def end(self) -> str:
        """Write the ends of the files; return the hash of all documents, as `Outlines.of` gives it."""
        self._documents.end()
        self._outlines.end()
        self._hash.update(b"]]" if self._before == "," else b"[[]]")
        return self._hash.hexdigest()
