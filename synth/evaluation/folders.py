"""Rows of a set by the top-level folder of the documents that they ask about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from synth.testset.dataset import Item

AT_TOP = "."
"""Name of the folder of documents outside every folder."""


@dataclass(frozen=True, slots=True)
class FolderRows:
    """Rows with evidence in the documents of a top-level folder.

    - `rows`: number of rows. A row with evidence in two folders counts for both.
    - `asked`: number of documents with evidence.
    - `documents`: number of documents in the folder; None without a corpus.
    """

    rows: int
    asked: int
    documents: int | None = None


def rows_by_folder(items: Iterable[Item], doc_ids: Sequence[str] | None = None) -> dict[str, FolderRows]:
    """Return the rows by top-level folder, the folder with most rows first.

    `doc_ids` are the documents of the corpus that rows may be about. Their folders are listed even without rows. The
    result is {} if there are fewer than two folders, or no row has evidence.
    """
    rows, asked = Counter[str](), set[str]()
    for item in items:
        asked.update(item.documents)
        rows.update({top_folder(doc_id) for doc_id in item.documents})
    documents, with_rows = Counter(map(top_folder, doc_ids or ())), Counter(map(top_folder, asked))
    names = sorted({*rows, *documents}, key=lambda name: (-rows[name], name))
    if len(names) < 2 or not asked:
        return {}
    return {
        name: FolderRows(rows[name], with_rows[name], None if doc_ids is None else documents[name]) for name in names
    }


def top_folder(doc_id: str) -> str:
    """Return the first folder in the path of a document, the host of a web address, or AT_TOP."""
    folder, slash, _ = (doc_id.partition("://")[2] or doc_id).lstrip("/").partition("/")
    return folder if slash else AT_TOP
