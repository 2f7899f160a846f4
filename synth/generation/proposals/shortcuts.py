"""Shortcuts of questions over several passages: evidence that is in one place after all.

A search for one sub-question may well find all passages of a good question, because the second sub-question contains
the answer to the first. So no search decides. Whether one passage gives the answer is decided by the judge.
"""

from __future__ import annotations

from itertools import combinations

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.text.blocks import blocks
from synth.text.same_text import is_same_text
from synth.text.tokens import count_tokens

_ONE_CHUNK = 250
"""Tokens of a document that an ordinary chunk of a search system contains. Evidence so near together is one place."""


def shortcut(sample: Sample, corpus: Corpus) -> str:
    """Return the reason why a question over several passages has a shortcut, or "".

    There is a shortcut if the passages are parts of one table or list, if two of them have the same text, or if all
    evidence fits into an ordinary chunk.
    """
    needed = list(dict.fromkeys(piece.chunk_id for piece in sample.evidence))
    if len(needed) < 2:
        return "its evidence is in one passage"
    if _is_one_block(sample, corpus):
        return "its evidence is in one table or list"
    if _is_one_chunk(sample, corpus):
        return f"its evidence is within {_ONE_CHUNK} tokens of one document"
    texts = [corpus.chunk(name).text for name in needed if name in corpus]
    if any(is_same_text(one, other) for one, other in combinations(texts, 2)):
        return "two of its passages are the same text"
    return ""


def _is_one_chunk(sample: Sample, corpus: Corpus) -> bool:
    """Return whether all evidence is in one document, within `_ONE_CHUNK` tokens."""
    documents = {piece.doc_id for piece in sample.evidence}
    if len(documents) > 1:
        return False
    start, end = min(piece.start for piece in sample.evidence), max(piece.end for piece in sample.evidence)
    return count_tokens(corpus.document(documents.pop()).text[start:end]) <= _ONE_CHUNK


def _is_one_block(sample: Sample, corpus: Corpus) -> bool:
    """Return whether all evidence is in one table or list."""
    documents = {piece.doc_id for piece in sample.evidence}
    if len(documents) > 1:
        return False
    document = corpus.document(documents.pop())
    groups = set()
    for piece in sample.evidence:
        block = next(
            (
                one
                for one in blocks(document.text, str(document.metadata.get("format", "text")))
                if one.start <= piece.start < one.end
            ),
            None,
        )
        groups.add(block.group if block is not None and block.kind in ("table_row", "list_item") else None)
    return len(groups) == 1 and None not in groups
