"""Loading of documents from files, folders and LangChain documents. Each file that is not loaded gets a reason."""

from __future__ import annotations

import dataclasses
import errno
import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

from synth.core.addresses import RemoteFile, RemotePath, is_address, reason
from synth.core.checks import check_least, check_range
from synth.core.containment import contained
from synth.core.errors import ConfigError, InputError, MissingExtra
from synth.core.plugins import discover
from synth.core.records import Document, Skipped, digest, text_hash
from synth.core.terminal import counted
from synth.corpus.documents import reasons
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.file_content import File
from synth.corpus.documents.file_discovery import SourceFile, find, find_at, readable
from synth.corpus.documents.langchain_loaders import loaded_by, name_inside
from synth.corpus.documents.reader_process import ReaderProcess
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import Limit, Unloadable
from synth.corpus.documents.shard import Shard
from synth.corpus.documents.stored import DocumentWriter, written_to
from synth.text.normalise import LONE_SURROGATE

_UNPACKED = 5  # limit for unpacked files, as a multiple of `max_bytes`
_MOST_SECONDS = 86_400
_MOST_LINES = 400_000
"""Maximum lines of a Markdown text, without blank lines. All its blocks are in memory, at about 2 kB each."""

_FORMATS = ("markdown", "text", "passage")
_MOST_SHOWN = 20  # maximum skipped files in a message
_LONGEST_TITLE = 500
_LONGEST_VALUE = 60
_SOURCES = "a folder, a file, an address, a Document or a LangChain Document"
_OLD_OFFICE = {".ppt": ".pptx", ".xls": ".xlsx"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Documents in order, and the files and lines that were not loaded."""

    documents: Sequence[Document]
    skipped: tuple[Skipped, ...]


@cache
def readers() -> Mapping[str, Reader]:
    """Return the reader for each suffix, including readers of other packages.

    Raise ConfigError if two readers share a name or a suffix.
    """
    by_suffix: dict[str, Reader] = {}
    for part in discover("synth.corpus.documents.readers", Reader).values():  # type: ignore[type-abstract]
        reader = part()
        for suffix in reader.suffixes:
            other = by_suffix.setdefault(suffix, reader)
            if other is not reader:
                raise ConfigError(f"readers {other.name!r} and {reader.name!r} both read {suffix} files; remove one")
    return by_suffix


Sources: TypeAlias = str | Path | Sequence[Any]
"""Documents as a caller names them: a folder, file or address, or a list of these and of Document objects."""


def sources_of(given: Any) -> tuple[Any, ...]:
    """Return the sources that a caller named, in order; a single source becomes a tuple of one.

    A string or path is always one source. Raise InputError for anything other than folders, files, addresses, Documents
    and LangChain Documents.
    """
    if _is_source(given):
        return (given,)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | bytearray | memoryview | Mapping):
        raise InputError(f"the sources must be {_SOURCES}, or a list of them, was {_described(given)}")
    sources = tuple(given)
    for number, source in enumerate(sources, start=1):
        if not _is_source(source):
            raise InputError(f"source {number} of {len(sources)} must be {_SOURCES}, was {_described(source)}")
    return sources


def _is_source(value: Any) -> bool:
    if isinstance(value, str):
        return bool(value.strip())
    return isinstance(value, Path | Document) or isinstance(getattr(value, "page_content", None), str)


def _described(value: object) -> str:
    return f"{type(value).__name__} {str(value)[:_LONGEST_VALUE]!r}"


def load(
    sources: str | Path | Iterable[str | Path | Document | Any],
    settings: CorpusSettings | None = None,
    *,
    shard: Shard | None = None,
    spool: Path | None = None,
) -> Loaded:
    """Load the documents of folders, files, addresses and LangChain `Document` objects.

    A `doc_id` is the path inside the source folder. The folder name is put before it if two sources contain the same
    path. A source may be an address of an object store (see `core.addresses`). If the settings name a `loader`, it
    reads each path and address in place of synth's readers (see `langchain_loaders`). `include` and `exclude` are
    patterns for paths (see `globs.matches`). Hidden files in a folder are never loaded. With a `shard`, only its
    documents are loaded.

    A file is skipped if it exceeds `max_bytes` or unpacks to more than five times `max_bytes`. It is also skipped if
    its parser needs more than `max_seconds` of processor time or 1 GB of memory (see `reader_process`). Documents are
    stored in the folder `spool`, or in memory if it is None.

    Raise InputError if a source does not exist, a folder yields no document or nothing is loaded. A shard may be empty.
    With `strict`, also raise InputError if a file or line is skipped. Raise ConfigError if `max_bytes` or `max_seconds`
    is out of range or the loader is unknown. Raise MissingExtra if a needed library is not installed.
    """
    sources, settings = sources_of(sources), settings or CorpusSettings()
    check_least("max_bytes", settings.max_bytes, 1)
    check_range("max_seconds", settings.max_seconds, 1, _MOST_SECONDS)
    loaded = _Collected(spool)
    skipped: list[Skipped] = []
    with ReaderProcess(settings.max_seconds) as process:
        from_path = _PathLoader(settings, shard, process, loaded)
        for source in sources:
            if isinstance(source, str | Path) and not settings.loader:
                skipped.extend(from_path.load(source))
                continue
            if isinstance(source, str | Path):
                documents, not_loaded = _loaded(settings.loader, str(source), settings.max_bytes)
            else:
                documents, not_loaded = _from_object(source)
            loaded.extend("", (one for one in documents if shard is None or shard.has(one.doc_id)))
            skipped.extend(not_loaded)
    unread = [item for item in skipped if item.reason != reasons.RESERVATION]
    if settings.strict and unread:
        raise InputError(f"--strict is set, but files or lines could not be loaded ({len(unread)}): {one_line(unread)}")
    if not loaded and shard is None:
        raise InputError(f"nothing was loaded from {_names(sources)}: {one_line(skipped)}")
    return Loaded(loaded.documents(), tuple(skipped))


def one_line(skipped: Iterable[Skipped]) -> str:
    """Return the skipped files on one line, each with name, reason and detail."""
    lines = [f"{s.source}: {s.reason}" + (f" ({s.detail})" if s.detail else "") for s in skipped]
    more = f"; and {len(lines) - _MOST_SHOWN} more" if len(lines) > _MOST_SHOWN else ""
    return "; ".join(lines[:_MOST_SHOWN]) + more if lines else "no file there has a kind that synth reads"


def _names(sources: Sequence[Any]) -> str:
    named = [readable(str(source)) for source in sources if isinstance(source, str | Path)]
    return ", ".join(named) or f"{counted(len(sources), 'document')}"


class _PathLoader:
    """Loader of folders and files; it loads each file once and adds its documents to `loaded`."""

    def __init__(
        self, settings: CorpusSettings, shard: Shard | None, process: ReaderProcess, loaded: _Collected
    ) -> None:
        self._settings, self._shard, self._process, self._loaded = settings, shard, process, loaded
        self._seen: set[str] = set()

    def load(self, source: str | Path) -> list[Skipped]:
        """Load a folder or a file and return what was skipped."""
        files, skipped, read = _found(source, self._settings.include, self._settings.exclude, self._shard)
        before, repeated = len(self._loaded), False
        for file in files:
            real = file.source if file.remote else os.path.realpath(file.path)
            if real in self._seen:
                repeated = True
                continue
            self._seen.add(real)
            try:
                with contained("the reader", file.source, recorded=False) as guard:
                    content, bad_lines = _load_file(file, self._settings, self._process, read)
            except Unloadable as error:
                skipped.append(Skipped(source=file.source, reason=error.reason, detail=error.detail))
                continue
            if guard.error:
                skipped.append(Skipped(source=file.source, reason=reasons.FAILED, detail=guard.error))
                continue
            if self._shard and _has_passages(file):
                content = [document for document in content if self._shard.has(document.doc_id)]
            self._loaded.extend(file.origin, content)
            skipped.extend(bad_lines)
        is_empty = len(self._loaded) == before and not repeated
        if self._shard is None and os.path.isdir(source) and is_empty:
            folder = readable(str(source))
            raise InputError(f"the folder {folder} contains no file that can be loaded: {one_line(skipped)}")
        return sorted(skipped, key=lambda skip: skip.source)


_Read: TypeAlias = Callable[[SourceFile, int], bytes]
"""Function that returns the bytes of a file, up to a maximum number. It may raise Unloadable."""


def _found(
    source: str | Path, include: Sequence[str], exclude: Sequence[str], shard: Shard | None
) -> tuple[list[SourceFile], list[Skipped], _Read]:
    """Return the files of a source, the skipped files, and the function that reads a file.

    With a `shard`, only files that may contain its documents are returned.
    """
    place = RemotePath(str(source)) if is_address(source) else None
    if place:
        files, skipped = find_at(place, include, exclude), list[Skipped]()
        if not files:
            raise InputError(f"{place.address} contains no file; name a file, or a folder with files")
    else:
        root = Path(source)
        if not os.path.lexists(root):
            raise InputError(f"{readable(str(root))} does not exist; name an existing file or folder")
        files, skipped = find(root, include, exclude)
    if shard:
        files = [file for file in files if _has_passages(file) or shard.has(file.name)]
    return files, skipped, _Fetched(place, files) if place else _bytes


def _has_passages(file: SourceFile) -> bool:
    """Whether the file may contain several documents, which can belong to different shards."""
    reader = _reader(file)
    return reader is not None and reader.has_passages


def _reader(file: SourceFile) -> Reader | None:
    return readers().get(PurePosixPath(file.name).suffix.casefold())


def _load_file(
    file: SourceFile, settings: CorpusSettings, process: ReaderProcess, read: _Read
) -> tuple[list[Document], list[Skipped]]:
    suffix = PurePosixPath(file.name).suffix.casefold()
    reader = _reader(file)
    if reader is None:
        new = _OLD_OFFICE.get(suffix)
        raise Unloadable(reasons.UNKNOWN_KIND, f"save it as {new}" if new else f"suffix {suffix!r}")
    data = read(file, settings.max_bytes)
    if not data.strip():
        raise Unloadable(reasons.EMPTY)
    given = File(file.name, data, settings.max_bytes * _UNPACKED, settings.ocr and reader.has_scans)
    try:
        content = process.read(reader, given) if reader.isolated else reader.read(given)
    except MissingExtra as error:
        raise MissingExtra(f"{error} (or leave such files out: --exclude '*{suffix}')") from error
    if content.format == "markdown":
        Limit(_MOST_LINES, "lines").add(content.text.count("\n") - content.text.count("\n\n"))
    bad_lines = [
        Skipped(source=f"{file.source}:{bad.line}", reason=bad.reason, detail=bad.detail) for bad in content.bad_lines
    ]
    if content.metadata.get("guessed"):
        told = f"decoded as {content.metadata['encoding']}; save it as UTF-8 if letters are wrong"
        bad_lines.append(Skipped(source=file.source, reason=reasons.RESERVATION, detail=told))
    metadata = {"format": content.format, "kind": reader.name, **content.metadata}
    fallback = _title_of(file.name, file.origin)
    if content.passages:
        documents = [
            _document(
                f"{file.name}#{passage.passage_id}", file.source, passage.title or fallback, passage.text, metadata
            )
            for passage in content.passages
        ]
        return documents, bad_lines
    if not content.text.strip():
        raise Unloadable(reasons.EMPTY if suffix in (".txt", ".md", ".csv", ".tsv") else reasons.NO_TEXT)
    return [_document(file.name, file.source, content.title or fallback, content.text, metadata)], bad_lines


def _bytes(file: SourceFile, max_bytes: int) -> bytes:
    try:
        # A file found by the walk may have become a link since. The policy on links applies to what is opened.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0) if file.real else 0
        with open(file.real or file.path, "rb", opener=lambda path, _: os.open(path, flags)) as stream:
            status = os.fstat(stream.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Unloadable(reasons.UNKNOWN_KIND, "not a regular file")
            if file.real and os.path.realpath(file.real) != file.real:
                raise Unloadable(reasons.LINK_OUTSIDE, "a folder above it became a link while the corpus was read")
            _check_size(status.st_size, max_bytes)
            return stream.read(max_bytes)
    except OSError as error:
        if error.errno == errno.ELOOP and file.real:
            raise Unloadable(reasons.LINK_OUTSIDE, "it became a link while the corpus was read") from error
        raise Unloadable(reasons.UNREADABLE, error.strerror or str(error)) from error


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise Unloadable(reasons.TOO_LARGE, f"{size:,} bytes, at most {max_bytes:,} are read; raise max_bytes")


class _Fetched:
    """Function that returns the bytes of a file of an object store. Call it in the order of `files`.

    It fetches the next files in advance.
    """

    def __init__(self, place: RemotePath, files: Sequence[SourceFile]) -> None:
        self._place, self._files = place, files
        self._contents: Iterator[tuple[RemoteFile, bytes | Exception]] | None = None

    def __call__(self, file: SourceFile, max_bytes: int) -> bytes:
        assert file.remote is not None
        _check_size(file.remote.size, max_bytes)
        if self._contents is None:
            wanted = [f.remote for f in self._files if f.remote and f.remote.size <= max_bytes and _reader(f)]
            self._contents = zip(wanted, self._place.contents(wanted), strict=True)
        content = next(content for remote, content in self._contents if remote == file.remote)
        if isinstance(content, Exception):
            raise Unloadable(reasons.UNREADABLE, reason(content))
        return content


def _document(doc_id: str, source: str, title: str, text: str, metadata: dict[str, Any]) -> Document:
    text = LONE_SURROGATE.sub("\ufffd", text)
    title = " ".join(LONE_SURROGATE.sub("\ufffd", title).split())
    doc_id = LONE_SURROGATE.sub("\ufffd", doc_id)
    if len(title) > _LONGEST_TITLE:
        title = _title_of(doc_id, "")
    return Document(
        doc_id=doc_id, source=source, title=title, text=text, content_hash=text_hash(text), metadata=metadata
    )


def _title_of(name: str, origin: str) -> str:
    """Return a title from the name of a file, or from its folder if the name consists of digits."""
    path = PurePosixPath(name)
    stem = path.stem
    if re.fullmatch(r"[\d\W_]*", stem):
        stem = path.parent.name or origin or stem
    return " ".join(re.sub(r"[_\s]+|(?<=\w)-(?=\w)", " ", stem).split())


def _loaded(loader: str, source: str, max_bytes: int) -> tuple[list[Document], list[Skipped]]:
    """Return the documents that a loader returns for a source. A document is named by its path inside the source."""
    documents: list[Document] = []
    skipped: list[Skipped] = []
    for given in loaded_by(loader, source):
        text, metadata = str(given.page_content or ""), dict(given.metadata or {})
        metadata["source"] = name_inside(str(metadata.get("source") or ""), source) or source
        if len(text) > max_bytes:
            skipped.append(
                Skipped(
                    source=metadata["source"],
                    reason=reasons.TOO_LARGE,
                    detail=f"{len(text):,} characters, more than max_bytes",
                )
            )
            continue
        found, not_loaded = _from_langchain(text, metadata, getattr(given, "id", None))
        documents += found
        skipped += not_loaded
    return documents, skipped


def _from_object(source: Any) -> tuple[list[Document], list[Skipped]]:
    if isinstance(source, Document):
        if source.metadata.get("format") not in _FORMATS:
            source = dataclasses.replace(source, metadata={**source.metadata, "format": "text"})
        return [source], []
    text = getattr(source, "page_content", None)
    if not isinstance(text, str):
        raise InputError(f"a source must be a path, a Document or a LangChain Document, not {type(source).__name__}")
    return _from_langchain(text, dict(getattr(source, "metadata", None) or {}), getattr(source, "id", None))


def _from_langchain(text: str, metadata: dict[str, Any], own_id: Any) -> tuple[list[Document], list[Skipped]]:
    place = readable(str(metadata.get("source") or "")).replace("\\", "/")
    doc_id = str(own_id or place or f"document-{digest(text)[:12]}")
    if place and "page" in metadata and not own_id:
        doc_id = f"{place}#{metadata['page']}"
    if not text.strip():
        return [], [Skipped(source=doc_id, reason=reasons.EMPTY, detail="its page_content is empty")]
    format = metadata.get("format")
    if format not in _FORMATS:
        format = "markdown" if place.casefold().endswith((".md", ".markdown")) else "text"
    title = str(metadata.get("title") or "") or _title_of(place or doc_id, "")
    doc_id, source = unicodedata.normalize("NFC", doc_id), place or doc_id
    return [_document(doc_id, source, title, text, {"format": format, "kind": "langchain"})], []


class _Collected:
    """Loaded documents, in memory or in a file of a folder."""

    def __init__(self, spool: Path | None) -> None:
        self._spool = spool
        self._names: list[tuple[str, str]] = []
        self._held: list[Document] = []
        self._writer: DocumentWriter | None = None
        if spool:
            with written_to(spool):
                self._writer = DocumentWriter(spool)

    def extend(self, origin: str, documents: Iterable[Document]) -> None:
        added = list(documents)
        self._names.extend((origin, document.doc_id) for document in added)
        if self._spool and self._writer:
            with written_to(self._spool):
                for document in added:
                    self._writer.append(document)
        else:
            self._held += added

    def __len__(self) -> int:
        return len(self._names)

    def documents(self) -> Sequence[Document]:
        """Return the documents, with unique ids."""
        ids = _unique_ids(self._names)
        if self._writer:
            return self._writer.written(ids)
        return tuple(
            document if document.doc_id == doc_id else dataclasses.replace(document, doc_id=doc_id)
            for document, doc_id in zip(self._held, ids, strict=True)
        )


def _unique_ids(names: Sequence[tuple[str, str]]) -> list[str]:
    """Return unique document ids, from pairs of folder name and id.

    An id that occurs in several folders is prefixed with the folder name. Remaining duplicates get a number at the end.
    """
    origins: dict[str, set[str]] = {}
    for origin, doc_id in names:
        origins.setdefault(doc_id, set()).add(origin)
    own = [f"{origin}/{doc_id}" if origin and len(origins[doc_id]) > 1 else doc_id for origin, doc_id in names]
    counts = Counter(own)
    taken: set[str] = set()
    ids = []
    for first in own:
        doc_id, number = first, 1
        while doc_id in taken or (number > 1 and doc_id in counts):
            number += 1
            doc_id = f"{first}~{number}"
        taken.add(doc_id)
        ids.append(doc_id)
    return ids
