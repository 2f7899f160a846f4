"""Content hashes and outlines of the documents of a corpus, as stored in manifests.

An outline consists of a fingerprint of each paragraph (see `fingerprints`).
"""

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
    """Content hashes (`documents`) and outlines (`outlines`) by document id.

    `hash` is a hash of the ids and contents of all documents.
    """

    hash: str
    documents: Mapping[str, str]
    outlines: Mapping[str, str]

    @classmethod
    def of(cls, found: Iterable[Outline]) -> Outlines:
        """Collect the outlines of documents."""
        hashes, by_id = {}, {}
        for doc_id, content_hash, outline in found:
            hashes[doc_id], by_id[doc_id] = content_hash, outline
        return cls(digest(sorted(hashes.items())), hashes, by_id)


class OutlinesWriter:
    """Writer of content hashes and outlines to two files. Documents must come in order of their ids."""

    def __init__(self, documents: IO[bytes], outlines: IO[bytes]) -> None:
        self._documents, self._outlines = MemberWriter(documents), MemberWriter(outlines)
        self._hash, self._before = hashlib.sha256(), "[["

    def add(self, doc_id: str, content_hash: str, outline: str) -> None:
        """Write the entries of one document."""
        self._documents.add(doc_id, content_hash)
        self._outlines.add(doc_id, outline)
        pair = f"{self._before}[{encode_basestring(doc_id)},{encode_basestring(content_hash)}]"
        self._hash.update(pair.encode("utf-8", "surrogatepass"))
        self._before = ","

    def end(self) -> str:
        """Finish the files and return the hash of all documents, equal to `Outlines.hash`."""
        self._documents.end()
        self._outlines.end()
        self._hash.update(b"]]" if self._before == "," else b"[[]]")
        return self._hash.hexdigest()
