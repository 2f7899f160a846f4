"""Documents kept in a file, for corpora that are larger than memory should be."""

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
    """Raise InputError for an error of the disk inside the block."""
    try:
        yield
    except OSError as error:
        said = error.strerror or error
        raise InputError(
            f"the folder {folder} cannot be used: {said}; make room, or name another with --workspace"
        ) from error


class DocumentWriter:
    """Writer of documents to a file of a folder, one after the other."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file = open(os.open(folder / FILE, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb")  # noqa: SIM115
        self._ends = array("q", [0])
        self._contents = hashlib.sha256()

    def append(self, document: Document) -> None:
        fields = (document.doc_id, document.source, document.title, document.text, document.content_hash)
        metadata = dict(document.metadata)
        row = json.dumps([*fields, metadata], ensure_ascii=False, separators=(",", ":"))
        self._contents.update(digest(document.source, document.title, document.content_hash, metadata).encode())
        self._ends.append(self._ends[-1] + self._file.write(row.encode("utf-8", "surrogatepass")))

    def written(self, ids: Sequence[str]) -> StoredDocuments:
        """The documents that were written, under these ids."""
        self._file.close()
        key = digest(self._contents.hexdigest(), list(ids))
        (self._folder / PLACES).write_text(json.dumps([key, list(ids), self._ends.tolist()]), encoding="utf-8")
        return StoredDocuments.open(self._folder)


class StoredDocuments(Sequence[Document]):
    """Documents in a file of a folder, each read when it is asked for; `ids` are theirs in order, `key` their hash."""

    @classmethod
    def open(cls, folder: Path) -> StoredDocuments:
        """The documents in a folder. Raises OSError or ValueError when there are none."""
        key, ids, ends = json.loads((folder / PLACES).read_text(encoding="utf-8"))
        if (folder / FILE).stat().st_size != ends[-1]:
            raise ValueError(f"{folder / FILE} is damaged")
        return cls(folder, key, ids, array("q", ends))

    def moved(self, home: Path) -> StoredDocuments:
        """The same documents in a folder of `home` that is named by their hash."""
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
        """The documents by id, in order of the ids."""
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
