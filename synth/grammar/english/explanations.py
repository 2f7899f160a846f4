"""The construction that asks why."""

from __future__ import annotations

from collections.abc import Iterator

from synth.grammar.english.clauses import Constituent
from synth.grammar.english.phrases import lean
from synth.grammar.english.proposals import (
    Proposal,
    Stated,
    propose,
    rest,
    subject_words,
)
from synth.grammar.english.wording import inverted


def reason(fact: Stated) -> Iterator[Proposal]:
    """ "Why was the mission delayed?" """
    clause = fact.clause
    for part in (*clause.openers, *clause.after):
        tokens = part.tokens
        first = tokens[0].lower_
        because = first == "because" and tokens[1].lower_ != "of"
        if part.dep != "advcl" or not (because or (first in ("as", "since") and _explains(part))):
            continue
        answer = lean(tokens[1:])
        goes_on = part in clause.after and any(not token.is_punct for token in clause.doc[part.end :])
        if goes_on or len(answer) < len(tokens) - 1:
            continue  # what the reason was cut from may be half of it
        if answer[0].lower_ == "it" and clause.subject is not None and clause.subject.head.tag_ in ("NNS", "NNPS"):
            continue
        words, (front, group) = subject_words(fact), inverted(clause)
        yield from propose(fact, "reason", 0.8, ["why", *front, *words, *group, *rest(fact, part)], answer)


def _explains(part: Constituent) -> bool:
    """True if "as" or "since" opens a finite present clause, and so gives a reason, not a time."""
    subject = any(c.dep_ in ("nsubj", "nsubjpass") and c.i < part.head.i for c in part.head.children)
    finite_ = [
        t
        for t in (part.head, *part.head.children)
        if t.tag_ in ("VBZ", "VBP") and t.dep_ in ("aux", "auxpass", "advcl")
    ]
    return subject and bool(finite_) and part.tokens[0].dep_ == "mark" and part.tokens[1].lower_ != "you"


CONSTRUCTIONS = (reason,)
