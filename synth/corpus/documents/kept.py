"""Loaded documents kept on disk, so that unchanged files are not read again."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from synth.core.gc_pause import no_collection
from synth.core.jsonl import write_atomic
from synth.core.records import Skipped, digest
from synth.core.source_digest import source_digest
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.file_discovery import find
from synth.corpus.documents.loading import load, readers, sources_of
from synth.corpus.documents.shard import Shard
from synth.corpus.documents.stored import FILE, StoredDocuments, written_to

_SETTLED = 2 * 10**9
"""Nanoseconds after which a new write changes a file's time stamp on every file system."""

_CORPORA, _UNUSED = 3, 3600.0
"""Number of latest corpora that are always kept, and seconds for which the others are kept after their last use."""


@dataclass(frozen=True, slots=True)
class KeptDocuments:
    """Documents on disk, and the files and lines that were not loaded."""

    documents: StoredDocuments
    skipped: tuple[Skipped, ...]


def load_kept(
    sources: Sequence[Any], home: Path, settings: CorpusSettings, shard: Shard | None = None
) -> KeptDocuments:
    """Load documents as `load` does, and keep them in the folder `home`.

    If every file has the same size and time stamp as in an earlier run, the kept documents are opened and no file is
    read.
    """
    sources = sources_of(sources)
    with no_collection():
        state = "" if settings.loader else _state(sources, settings, shard)
    memo = home / f"{state}.json" if state else None
    if memo is not None and (known := _known(memo, home)) is not None and not (settings.strict and known.skipped):
        return known
    spool = home / f"loading-{uuid4().hex[:8]}"
    with ExitStack() as undo:
        undo.callback(shutil.rmtree, spool, ignore_errors=True)
        with written_to(home):
            home.mkdir(parents=True, exist_ok=True, mode=0o700)  # it contains the texts of documents
        skipped = load(sources, settings, shard=shard, spool=spool).skipped
        undo.pop_all()
    with written_to(home):
        documents = StoredDocuments.open(spool).moved(home)
        if memo is not None:
            facts = {"documents": documents.folder.name, "skipped": [asdict(one) for one in skipped]}
            write_atomic(memo, json.dumps(facts))
        _clear(home, documents.folder)
    return KeptDocuments(documents, skipped)


def _state(sources: Sequence[Any], settings: CorpusSettings, shard: Shard | None) -> str:
    """Return a hash of all file names, sizes and time stamps, the settings and the readers' code.

    Return "" for documents passed as objects and for files written moments ago, because a change could go unnoticed.
    """
    latest = time.time_ns() - _SETTLED
    files: list[str] = []
    for source in sources:
        if not isinstance(source, str | Path) or not os.path.lexists(source):
            return ""
        for file in find(Path(source), settings.include, settings.exclude)[0]:
            try:
                status = os.stat(file.path)
            except OSError:
                return ""
            if status.st_mtime_ns > latest:
                return ""
            files.append(f"{file.source}\0{status.st_size}\0{status.st_mtime_ns}\0")
    code = [source_digest("synth.corpus.documents.loading")]
    code += sorted({source_digest(type(reader).__module__) for reader in readers().values()})
    names = [str(source) for source in sources]
    state = hashlib.sha256("".join(files).encode("utf-8", "surrogatepass")).hexdigest()
    ways = [list(settings.include), list(settings.exclude), settings.max_bytes, settings.ocr]
    return digest("files", code, names, *ways, str(shard), state)


def _known(memo: Path, home: Path) -> KeptDocuments | None:
    try:
        facts = json.loads(memo.read_text(encoding="utf-8"))
        documents = StoredDocuments.open(home / facts["documents"])
    except (OSError, ValueError, KeyError):
        return None
    os.utime(documents.folder)
    return KeptDocuments(documents, tuple(Skipped(**one) for one in facts["skipped"]))


def _clear(home: Path, used: Path) -> None:
    """Remove corpora that were not used recently, and records of files whose documents are gone."""
    corpora = {path.parent: path.parent.stat().st_mtime for path in home.glob(f"*/{FILE}")}
    late = sorted(corpora, key=corpora.__getitem__, reverse=True)[:_CORPORA]
    for folder, last in corpora.items():
        if folder not in (used, *late) and last < time.time() - _UNUSED:
            shutil.rmtree(folder, ignore_errors=True)
    for memo in home.glob("*.json"):
        if not (home / json.loads(memo.read_text(encoding="utf-8"))["documents"]).exists():
            memo.unlink(missing_ok=True)
