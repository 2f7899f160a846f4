"""Detection of evidence that lost markup when its document was read: superscripts, strikethrough, table headers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from synth.core.records import Document, Evidence, Sample
from synth.corpus.corpus import Corpus
from synth.text.blocks import Block, blocks, cells_of, tables
from synth.text.locate import fold
from synth.text.markup import plain
from synth.text.normalise import holds

_MARKS = re.compile(r"~~|</?(?:del|s|strike|su[bp])\b[^<>]*>|[\^~$]", re.IGNORECASE)
"""Markdown and HTML marks of strikethrough, superscript and subscript."""

_WORD = re.compile(r"[\u3400-\u9fff]|[^\s\u3400-\u9fff]+")
_WIDE = r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
_BETWEEN_WIDE = re.compile(rf"(?<={_WIDE}) (?={_WIDE})")
_SHIFTED = re.compile(r"[²³¹\u2070-\u209c]|[\w)][\^_]\(?[\w+−-]")

_ALIKE = 0.5
"""Minimum share (0 to 1) of the evidence words in a block to take the block for the evidence's current version."""

_MOST_SHOWN = 60


def lost_marks(sample: Sample, corpus: Corpus) -> str:
    """Return a description of the first mark that the evidence or an answer lost, or "" if no loss is known.

    The check compares superscripts, subscripts, words missing from the document, and table cells under other headers.
    Layout and other markup may differ.
    """
    pieces = [(piece, corpus.document(piece.doc_id)) for piece in sample.evidence if piece.doc_id in corpus]
    moved = [(piece, document) for piece, document in pieces if document.text[piece.start : piece.end] != piece.text]
    if not moved:
        return next(_in_answers(sample, pieces), "")
    return next(_in_cells(pieces), "") or next((loss for place in moved for loss in _in_words(*place)), "")


def _in_words(piece: Evidence, document: Document) -> Iterator[str]:
    """Yield a message for each word of the evidence that is now a superscript or subscript, or is missing.

    The evidence is compared with its most similar block. If that block has other words in some place, the text was
    edited, and nothing counts as lost.
    """
    format = str(document.metadata.get("format", "text"))
    evidence = _WORD.findall(plain(piece.text, markdown=format == "markdown").text)
    best, passage = max(
        ((_likeness(evidence, words), words) for words in _passages(document.text, format)), default=(0.0, ())
    )
    if best < _ALIKE:
        return
    losses = []
    for change, a, b, c, d in SequenceMatcher(None, evidence, passage, autojunk=False).get_opcodes():
        had, has = _joined(evidence[a:b]), _joined(passage[c:d])
        if change == "replace" and fold(had) == fold(has):
            if _SHIFTED.search(has) and not _SHIFTED.search(had):
                losses.append(f"'{had}' is {_shown(has)} in '{piece.doc_id}': a superscript or subscript was lost")
        elif change == "replace":
            return
        elif change == "delete" and fold(had):
            losses.append(
                f"'{piece.doc_id}' no longer contains {_shown(had)}: it was struck through, hidden or deleted"
            )
    yield from losses


def _joined(words: Sequence[str]) -> str:
    """Return words as text, without spaces between Chinese characters."""
    return _BETWEEN_WIDE.sub("", " ".join(words))


@lru_cache(maxsize=16)
def _passages(text: str, format: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each paragraph, list item and heading."""
    kinds = ("paragraph", "list_item", "heading")
    spoken = (block for block in blocks(text, format) if block.kind in kinds)
    return tuple(
        tuple(_WORD.findall(plain(text, block.start, block.end, markdown=format == "markdown").text))
        for block in spoken
    )


def _likeness(evidence: Sequence[str], passage: Sequence[str]) -> float:
    """Return the share of the evidence words that occur in a passage."""
    known = set(passage)
    return sum(word in known for word in evidence) / len(evidence) if evidence else 0.0


def _in_cells(pieces: Sequence[tuple[Evidence, Document]]) -> Iterator[str]:
    """Yield a message for each table cell of the evidence that has another text under the same column header now."""
    for doc_id in dict.fromkeys(document.doc_id for _, document in pieces):
        document = next(document for _, document in pieces if document.doc_id == doc_id)
        lines = [line for piece, other in pieces if other is document for line in piece.text.split("\n")]
        head, *rows = [_texts(line) for line in lines if line.startswith("|") and set(line) - set("|-: ")] or [[]]
        for row in rows:
            for name, value in zip(head, row, strict=False):
                today = _cell(document, name, row)
                if today is not None and fold(today) != fold(value):
                    label = f"'{name}' of '{row[0]}'"
                    yield f"{label} is {_shown(today)} in '{doc_id}' but {_shown(value)} in the evidence"


def _texts(line: str) -> list[str]:
    return [cell.text for cell in cells_of(line, Block("table_row", 0, len(line), ()))]


def _cell(document: Document, name: str, row: Sequence[str]) -> str | None:
    """Return the current text of the cell with this column name and row name, or None if the cell does not exist."""
    for table in tables(document.text, str(document.metadata.get("format", "text"))):
        names = [cell.text for cell in table.rows[0]]
        for cells in table.rows[1:]:
            if name in names and len(cells) > names.index(name) and fold(cells[0].text) == fold(row[0]):
                return cells[names.index(name)].text
    return None


def _in_answers(sample: Sample, pieces: Sequence[tuple[Evidence, Document]]) -> Iterator[str]:
    """Yield a message for each answer that occurs in the evidence only after its marks are removed."""
    raw = [piece.text for piece, document in pieces if document.metadata.get("format") == "markdown"]
    read = " ".join(plain(text).text for text in raw)
    bare = " ".join(_MARKS.sub("", text) for text in raw)
    for answer in sample.golden_answers:
        if holds(bare, answer) and not holds(read, answer):
            yield f"the answer {_shown(answer)} lacks a mark that the evidence has: {_shown(read)}"


def _shown(text: str) -> str:
    return f"'{text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + '…'}'"
