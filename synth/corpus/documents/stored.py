"""Documents stored in a file, for corpora that are too large for memory."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import overload

from synth.core.errors import InputError
from synth.core.records import Document, digest

FILE, PLACES = "documents.bin", "documents.json"


@contextmanager
def written_to(folder: Path) -> Iterator[None]:
    """Raise InputError if a disk error occurs inside the block."""
    try:
        yield
    except OSError as error:
        said = error.strerror or error
        raise InputError(
            f"the folder {folder} cannot be used: {said}; make room, or name another folder with --workspace"
        ) from error


class DocumentWriter:
    """Writer that stores documents, one after another, in a file of `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file = open(os.open(folder / FILE, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb")  # noqa: SIM115
        self._ends = array("q", [0])
        self._contents = hashlib.sha256()

    def append(self, document: Document) -> None:
        """Store a document."""
        fields = (document.doc_id, document.source, document.title, document.text, document.content_hash)
        metadata = dict(document.metadata)
        row = json.dumps([*fields, metadata], ensure_ascii=False, separators=(",", ":"))
        self._contents.update(digest(document.source, document.title, document.content_hash, metadata).encode())
        self._ends.append(self._ends[-1] + self._file.write(row.encode("utf-8", "surrogatepass")))

    def written(self, ids: Sequence[str]) -> StoredDocuments:
        """Close the file and return the stored documents under the given ids."""
        self._file.close()
        key = digest(self._contents.hexdigest(), list(ids))
        (self._folder / PLACES).write_text(json.dumps([key, list(ids), self._ends.tolist()]), encoding="utf-8")
        return StoredDocuments.open(self._folder)


class StoredDocuments(Sequence[Document]):
    """Documents stored in a file of a folder; each document is read when it is accessed.

    `ids` are the document ids in order, `key` is a hash of all documents.
    """

    @classmethod
    def open(cls, folder: Path) -> StoredDocuments:
        """Open the documents in a folder. Raise OSError or ValueError if the files are missing or damaged."""
        key, ids, ends = json.loads((folder / PLACES).read_text(encoding="utf-8"))
        if (folder / FILE).stat().st_size != ends[-1]:
            raise ValueError(f"{folder / FILE} is damaged")
        return cls(folder, key, ids, array("q", ends))

    def moved(self, home: Path) -> StoredDocuments:
        """Move the files into a folder of `home` named after their hash, and open the documents there.

        If the folder already exists with valid content, the files are deleted instead.
        """
        target = home / self.key[:16]
        self._file.close()
        with suppress(OSError, ValueError):
            there = StoredDocuments.open(target)
            shutil.rmtree(self.folder)
            return there
        shutil.rmtree(target, ignore_errors=True)
        self.folder.rename(target)
        return StoredDocuments.open(target)

    def __init__(self, folder: Path, key: str, ids: Sequence[str], ends: Sequence[int]) -> None:
        self.folder, self.key, self.ids, self.ends = folder, key, ids, ends
        self._file = open(folder / FILE, "rb")  # noqa: SIM115

    @overload
    def __getitem__(self, number: int) -> Document: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Document]: ...

    def __getitem__(self, number: int | slice) -> Document | Sequence[Document]:
        if isinstance(number, slice):
            return [self[n] for n in range(len(self))[number]]
        number = range(len(self))[number]
        start, end = int(self.ends[number]), int(self.ends[number + 1])
        self._file.seek(start)
        row = json.loads(self._file.read(end - start).decode("utf-8", "surrogatepass"))
        _, source, title, text, content_hash, metadata = row
        return Document(
            doc_id=self.ids[number], source=source, title=title, text=text, content_hash=content_hash, metadata=metadata
        )

    def __iter__(self) -> Iterator[Document]:
        return (self[number] for number in range(len(self)))

    def __len__(self) -> int:
        return len(self.ids)

    def by_id(self) -> Mapping[str, Document]:
        """Return a mapping from id to document, in order of the ids."""
        return _ById(self)

    def __del__(self) -> None:
        self._file.close()


class _ById(Mapping[str, Document]):
    def __init__(self, documents: StoredDocuments) -> None:
        self._documents = documents
        self._numbers = {documents.ids[n]: n for n in sorted(range(len(documents)), key=documents.ids.__getitem__)}

    def __getitem__(self, doc_id: str) -> Document:
        return self._documents[self._numbers[doc_id]]

    def __contains__(self, doc_id: object) -> bool:
        return doc_id in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)
