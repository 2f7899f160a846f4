"""From files, folders and LangChain documents to Documents, with a reason for all that was not loaded."""

from __future__ import annotations

import dataclasses
import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from synth.core.containment import contained
from synth.core.errors import ConfigError, InputError
from synth.core.records import Document, Skipped, digest, text_hash
from synth.corpus.documents import reasons
from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.file_discovery import SourceFile, find, readable
from synth.corpus.documents.readers import KINDS, OLD_OFFICE
from synth.corpus.documents.reasons import Unloadable
from synth.text.normalise import LONE_SURROGATE

_UNPACKED = 5
_FORMATS = ("markdown", "text", "passage")
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded, in order, and what was not."""

    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...]


def load(
    sources: Sequence[str | Path | Document | Any],
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_bytes: int = 20_000_000,
    strict: bool = False,
) -> Loaded:
    """Load folders, files, and LangChain `Document`s.

    `doc_id` is the path inside the source folder; where two sources have the same one, the name of
    the source folder is put before it. `include` and `exclude` are patterns over that path (see
    `globs.matches`); hidden files in a folder are never loaded. A file over `max_bytes`, or one that
    unpacks to five times as much, is skipped. Raises InputError where a source does not exist, a
    folder gives no document, nothing is loaded, or, with `strict`, anything is skipped; ConfigError
    where `max_bytes` is below 1.
    """
    if max_bytes < 1:
        raise ConfigError(f"max_bytes must be at least 1, not {max_bytes}")
    given: list[tuple[str, Document]] = []
    skipped: list[Skipped] = []
    seen: set[str] = set()
    for source in sources:
        if isinstance(source, str | Path):
            documents, missed = _from_path(Path(source), include, exclude, max_bytes, seen)
        else:
            documents, missed = _from_object(source)
        given.extend(documents)
        skipped.extend(missed)
    if strict and skipped:
        raise InputError(f"{len(skipped)} could not be loaded, and --strict asks for all: {one_line(skipped)}")
    if not given:
        raise InputError(f"nothing was loaded from {_names(sources)}: {one_line(skipped)}")
    return Loaded(tuple(_with_unique_ids(given)), tuple(skipped))


def one_line(skipped: Iterable[Skipped]) -> str:
    """What was skipped, for people: file, reason and detail, on one line."""
    lines = [f"{s.source}: {s.reason}" + (f" ({s.detail})" if s.detail else "") for s in skipped]
    more = f"; and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
    return "; ".join(lines[:_SHOWN]) + more if lines else "no file there is of a kind we read"


def _names(sources: Sequence[Any]) -> str:
    named = [readable(str(source)) for source in sources if isinstance(source, str | Path)]
    return ", ".join(named) or f"{len(sources)} documents"


def _from_path(
    root: Path, include: Sequence[str], exclude: Sequence[str], max_bytes: int, seen: set[str]
) -> tuple[list[tuple[str, Document]], list[Skipped]]:
    if not os.path.lexists(root):
        raise InputError(f"{readable(str(root))} does not exist; name a file or a folder that does")
    found, skipped = find(root, include, exclude)
    documents: list[tuple[str, Document]] = []
    again = False
    for file in found:
        real = os.path.realpath(file.path)
        if real in seen:
            again = True
            continue
        seen.add(real)
        try:
            with contained("the reader", file.source, named=False) as guard:
                made, missed = _load_file(file, max_bytes)
        except Unloadable as error:
            skipped.append(Skipped(source=file.source, reason=error.reason, detail=error.detail))
            continue
        if guard.error:
            skipped.append(Skipped(source=file.source, reason=reasons.FAILED, detail=guard.error))
            continue
        documents.extend((file.origin, document) for document in made)
        skipped.extend(missed)
    if os.path.isdir(root) and not documents and not again:
        raise InputError(f"the folder {readable(str(root))} holds no file that can be loaded: {one_line(skipped)}")
    return documents, sorted(skipped, key=lambda skip: skip.source)


def _load_file(file: SourceFile, max_bytes: int) -> tuple[list[Document], list[Skipped]]:
    suffix = PurePosixPath(file.name).suffix.casefold()
    if suffix not in KINDS:
        new = OLD_OFFICE.get(suffix)
        raise Unloadable(reasons.UNKNOWN_KIND, f"save it as {new}" if new else f"suffix {suffix!r}")
    data = _bytes(file.path, max_bytes)
    if not data.strip():
        raise Unloadable(reasons.EMPTY)
    kind, reader = KINDS[suffix]
    reading = reader(File(file.name, data, max_bytes * _UNPACKED))
    if reading.passages:
        return _passages(file, kind, reading), _bad_lines(file, reading.bad_lines)
    if not reading.text.strip():
        raise Unloadable(reasons.EMPTY if suffix in (".txt", ".md", ".csv", ".tsv") else reasons.NO_TEXT)
    title = reading.title or _title_of(file.name, file.origin)
    metadata = {"format": reading.format, "kind": kind, **reading.metadata}
    made = _document(file.name, file.source, title, reading.text, metadata)
    return [made], _bad_lines(file, reading.bad_lines)


def _bytes(path: str, max_bytes: int) -> bytes:
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise Unloadable(reasons.UNKNOWN_KIND, "not a regular file")
        if status.st_size > max_bytes:
            raise Unloadable(reasons.TOO_LARGE, f"{status.st_size:,} bytes, at most {max_bytes:,} are read")
        with open(path, "rb") as stream:
            return stream.read(max_bytes)
    except OSError as error:
        raise Unloadable(reasons.UNREADABLE, error.strerror or str(error)) from error


def _document(doc_id: str, source: str, title: str, text: str, metadata: dict[str, Any]) -> Document:
    text = LONE_SURROGATE.sub("\ufffd", text)
    title = " ".join(LONE_SURROGATE.sub("\ufffd", title).split())
    doc_id = LONE_SURROGATE.sub("\ufffd", doc_id)
    return Document(
        doc_id=doc_id, source=source, title=title, text=text, content_hash=text_hash(text), metadata=metadata
    )


def _passages(file: SourceFile, kind: str, reading: FileContent) -> list[Document]:
    metadata = {"format": reading.format, "kind": kind, **reading.metadata}
    fallback = _title_of(file.name, file.origin)
    return [
        _document(f"{file.name}#{passage.passage_id}", file.source, passage.title or fallback, passage.text, metadata)
        for passage in reading.passages
    ]


def _bad_lines(file: SourceFile, lines: Iterable[BadLine]) -> list[Skipped]:
    return [Skipped(source=f"{file.source}:{bad.line}", reason=bad.reason, detail=bad.detail) for bad in lines]


def _title_of(name: str, origin: str) -> str:
    """A title from a file's name; a name of digits alone takes that of the folder it lies in."""
    path = PurePosixPath(name)
    stem = path.stem
    if re.fullmatch(r"[\d\W_]*", stem):
        stem = path.parent.name or origin or stem
    return " ".join(re.sub(r"[_\s]+|(?<=\w)-(?=\w)", " ", stem).split())


def _from_object(source: Any) -> tuple[list[tuple[str, Document]], list[Skipped]]:
    if isinstance(source, Document):
        wanted = source.metadata.get("format")
        if wanted in _FORMATS:
            return [("", source)], []
        return [("", dataclasses.replace(source, metadata={**source.metadata, "format": "text"}))], []
    text = getattr(source, "page_content", None)
    if not isinstance(text, str):
        raise InputError(f"a source must be a path, a Document or a LangChain Document, not {type(source).__name__}")
    metadata = dict(getattr(source, "metadata", None) or {})
    place = readable(str(metadata.get("source") or "")).replace("\\", "/")
    own_id = getattr(source, "id", None)
    doc_id = str(own_id or place or f"document-{digest(text)[:12]}")
    if place and "page" in metadata and not own_id:
        doc_id = f"{place}#{metadata['page']}"
    if not text.strip():
        return [], [Skipped(source=doc_id, reason=reasons.EMPTY, detail="its page_content is empty")]
    format = metadata.get("format")
    if format not in _FORMATS:
        format = "markdown" if place.casefold().endswith((".md", ".markdown")) else "text"
    title = str(metadata.get("title") or "") or _title_of(place or doc_id, "")
    made = _document(
        unicodedata.normalize("NFC", doc_id), place or doc_id, title, text, {"format": format, "kind": "langchain"}
    )
    return [("", made)], []


def _with_unique_ids(given: list[tuple[str, Document]]) -> Iterable[Document]:
    """Documents of two folders whose ids clash get their folder's name before the id; then a number follows it."""
    origins: dict[str, set[str]] = {}
    for origin, made in given:
        origins.setdefault(made.doc_id, set()).add(origin)
    named = [
        dataclasses.replace(made, doc_id=f"{origin}/{made.doc_id}")
        if origin and len(origins[made.doc_id]) > 1
        else made
        for origin, made in given
    ]
    counts = Counter(made.doc_id for made in named)
    taken: set[str] = set()
    for made in named:
        doc_id, number = made.doc_id, 1
        while doc_id in taken or (number > 1 and doc_id in counts):
            number += 1
            doc_id = f"{made.doc_id}~{number}"
        taken.add(doc_id)
        yield made if doc_id == made.doc_id else dataclasses.replace(made, doc_id=doc_id)
