"""The brief of a corpus: its owner, readers and purpose, and the names that distinguish its documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from synth.core.records import Document
from synth.corpus.corpus import Corpus
from synth.corpus.sections import characters, harmless, lines_of, shown_name
from synth.generation.proposals.turns import turns
from synth.generation.writer import priority
from synth.models.chat.base import Request, Steps
from synth.models.prompts import Prompt
from synth.text.normalise import collapse_space
from synth.text.prompt_injection import gives_orders

PROMPT = "proposals/brief"
ADDS = "+"
"""Prefix of a user's text that should be added to the brief. Text without the prefix replaces the brief."""

_OUTLINE = 3000  # maximum characters of names, titles and headings
_HEADINGS = 4  # maximum headings per document
_DOCUMENTS = 150
_SAMPLES = 16
_SAMPLE = 160  # characters
_LEAST_SAMPLE = 60
_LOOKED_AT = 6 * _SAMPLES  # sections


def briefed(corpus: Corpus, prompt: Prompt, wishes: str) -> Steps[str]:
    """Return the brief of a corpus, written by one request about the documents that rows may be about.

    If `wishes` start with "+", they are added after the brief. Any other wishes replace the brief, and no request is
    sent. Text that instructs a language model is left out of the request and of the brief.
    """
    if wishes and not wishes.startswith(ADDS):
        return wishes.strip()
    added = wishes.removeprefix(ADDS).strip()
    doc_ids = sorted(filter(corpus.is_asked, corpus.sizes), key=lambda doc_id: priority(0, "brief", doc_id))
    values = {
        "documents": _outlines(corpus, doc_ids),
        "samples": "\n\n".join(islice(_samples(corpus, doc_ids), _SAMPLES)) or "-",
        "wishes": added or "-",
    }
    completion = yield Request.of(prompt, values, purpose=PROMPT)
    reply = collapse_space(completion.data["brief"])
    return "\n".join(filter(None, ("" if gives_orders(reply) else reply, added)))


def _outlines(corpus: Corpus, doc_ids: Sequence[str]) -> str:
    """Return names, titles and first headings of documents.

    With many documents, headings are dropped before names.
    """
    most = [corpus.document(doc_id) for doc_id in doc_ids[:_DOCUMENTS]]
    for headings in range(_HEADINGS, 0, -1):
        lines = [_outline(corpus, document, headings) for document in most]
        if sum(map(characters, lines)) <= _OUTLINE:
            return _clipped(lines, _OUTLINE)
    return _clipped((_outline(corpus, document, 0) for document in most), _OUTLINE)


def _outline(corpus: Corpus, document: Document, most: int) -> str:
    headings = dict.fromkeys(heading for chunk in corpus.chunks_of(document.doc_id) for heading in chunk.headings[:2])
    return f"{shown_name(document.doc_id)}: {' > '.join(harmless((document.title, *list(headings)[:most])))}"


def _samples(corpus: Corpus, doc_ids: Sequence[str]) -> Iterable[str]:
    """Yield starts of passages from all over the corpus, each after its heading."""
    for section in islice(turns(corpus, doc_ids, 0, draw="brief"), _LOOKED_AT):
        lines = [line for line in lines_of(corpus, section) if line.kind == "paragraph"]
        text = " ".join(line.text for line in lines)
        if characters(text) >= _LEAST_SAMPLE:
            heading = harmless(lines[0].headings[-1:])
            yield ": ".join([*heading, text[:_SAMPLE]])


def _clipped(lines: Iterable[str], most: int) -> str:
    chosen: list[str] = []
    size = 0
    for line in lines:
        size += characters(line)
        if size > most and chosen:
            break
        chosen.append(line[:most])
    return "\n".join(sorted(chosen))
