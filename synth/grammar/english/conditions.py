"""Sentences of the shape "If you ..., ..." and "To ..., ...": read by their words and their comma.

Parsers often lose their way in them when names and code stand around the comma, so no tree is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Clause
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.page import Page
from synth.grammar.english.phrases import Unsure, lean
from synth.grammar.english.proposals import Proposal, Stated, propose

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.text.prose import Sentence

_LINKS = word_set("so then and but also now finally afterwards next")
_SOFT = word_set("then just first simply also always normally probably either")
_DEEDS = word_set(
    "use install import create add set declare pass define call run configure enable put write return raise make "
    "override inherit mount wrap include extend"
)
_LOOKING = word_set("find see notice expect want learn read check look imagine think")
_MODALS = ("can", "could", "should", "must")
_LONGEST = 18


def guided(sentence: Sentence, doc: Doc, page: Page, code: frozenset[int]) -> Iterator[Proposal]:
    """ "If you declare bytes, X reads the file." -> "What happens if you declare bytes?" and the like."""
    first = 0
    while first < len(doc) - 1 and (doc[first].lower_ in _LINKS or doc[first].text == ","):
        first += 1
    opener = doc[first].lower_
    comma = _comma(doc, first)
    if opener not in ("if", "when", "to") or comma is None:
        return
    start, stop = comma + 1, len(doc)
    while start < stop - 2 and doc[start].lower_ in _SOFT:
        start += 1
    while doc[stop - 1].is_punct:
        stop -= 1
    if any(token.tag_ == "VBD" for token in doc[first:comma]):
        return
    found = _main(doc, start, stop, code, aim=opener == "to")
    if found is None:
        return
    asked, begin = found
    fact = Stated(_frame(sentence, doc, comma), page, code)
    try:
        items: list[str | Token] = [asked, *lean(doc[first:comma])]
        yield from propose(fact, "condition", 0.82, items, lean(doc[begin:stop]))
    except Unsure:
        return


def _comma(doc: Doc, first: int) -> int | None:
    """The comma that ends the opening clause, if it is the only one before a main clause."""
    for token in doc[first + 3 : first + _LONGEST]:
        if token.text == ",":
            following = doc[token.i + 1 : token.i + 2].text.lower()
            return None if following in ("and", "or", "but", "like", "such", "which", "that", "etc") else token.i
        if token.text in "():;":
            return None
    return None


def _main(doc: Doc, start: int, stop: int, code: frozenset[int], *, aim: bool) -> tuple[str, int] | None:
    """How to ask for what doc[start:stop] says, and where the answer begins."""
    if stop - start < 2:
        return None
    head, second = doc[start], doc[start + 1]
    if head.lower_ == "you" and second.lower_ in _MODALS:
        return _after(doc, start + 2, f"what {second.lower_} you do")
    if head.lower_ == "you" and second.lower_ in ("need", "have") and doc[start + 2].lower_ == "to":
        return _after(doc, start + 3, f"what do you {second.lower_} to do")
    if head.text in _DEEDS and start not in code and second.text not in ",.":
        return "what should you do", start
    if head.lower_ == "you" and second.lower_ in ("would", "might", "may"):
        return None
    if aim or (head.pos_ not in ("DET", "PROPN", "NOUN", "PRON", "ADJ", "X") and start not in code):
        return None
    finite = next((t for t in doc[start : min(start + 12, stop)] if t.tag_ in ("MD", "VBZ", "VBP")), None)
    if finite is None or finite.i in code or not any(t.dep_ in SUBJECTS for t in doc[start : finite.i]):
        return None
    followed = any(t.tag_ in ("VBN", "VBG") for t in doc[finite.i + 1 : finite.i + 4])
    listed = any(t.text == "," and doc[t.i + 1].lower_ in ("and", "or", "you") for t in doc[start : finite.i])
    if (finite.lemma_ == "be" and not followed) or listed:
        return None
    return "what happens", start


def _after(doc: Doc, start: int, asked: str) -> tuple[str, int] | None:
    while start < len(doc) - 2 and doc[start].lower_ in _SOFT:
        start += 1
    if doc[start].lower_ == "do" and doc[start + 1].lower_ in ("it", "that", "this", "so"):
        return None
    if doc[start].lower_ in _LOOKING:
        return None
    return (asked, start) if doc[start].tag_ in ("VB", "VBP", "NN") and doc[start].lower_ != "not" else None


def _frame(sentence: Sentence, doc: Doc, comma: int) -> Clause:
    """A clause that only carries the sentence: nothing is known of its parts."""
    root = next((token for token in doc if token.head == token), doc[comma])
    return Clause(
        sentence=sentence,
        doc=doc,
        verb=root,
        subject=None,
        auxiliaries=(),
        negation=None,
        adverbs=(),
        openers=(),
        after=(),
        start=0,
        end=len(doc),
        cut=False,
    )
