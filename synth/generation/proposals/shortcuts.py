"""Shortcuts of questions over several passages: one clue that alone leads to all of the evidence.

The audit follows FORT (arXiv 2606.12087): each clue is searched on its own, and a question is none over several
passages when a single clue brings up the evidence of all of them.
"""

from __future__ import annotations

from itertools import combinations

from synth.core.records import SUB_QUESTIONS, Sample
from synth.corpus.corpus import Corpus
from synth.text.blocks import blocks
from synth.text.same_text import is_same_text


def shortcut(sample: Sample, corpus: Corpus) -> str:
    """Reason why a question over several passages has a shortcut, or "".

    There is one when a sub-question alone brings up every passage of the evidence among as many results as there are
    passages, when the passages are parts of one table or list, or when two of them are the same text.
    """
    needed = list(dict.fromkeys(piece.chunk_id for piece in sample.evidence))
    if len(needed) < 2:
        return "its evidence stands in one passage"
    if _is_one_block(sample, corpus):
        return "its evidence stands in one table or list"
    texts = [corpus.chunk(name).text for name in needed if name in corpus]
    if any(is_same_text(one, other) for one, other in combinations(texts, 2)):
        return "two of its passages are the same text"
    for part in sample.metadata.get(SUB_QUESTIONS, ()):
        found = {name for name, _ in corpus.index.top(part["question"], len(needed))}
        if found >= set(needed):
            return f"the sub-question '{part['question'][:80]}' alone finds all of its passages"
    return ""


def _is_one_block(sample: Sample, corpus: Corpus) -> bool:
    """Test whether all evidence stands in one table or list."""
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
