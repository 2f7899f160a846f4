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
        first = [t.lower_ for t in tokens[:2]]
        if (part.dep == "advcl" and first[0] == "because") or (
            part.dep == "advcl" and first[0] in ("as", "since") and _explains(part)
        ):
            answer = lean(tokens[1:])
        elif (
            (part.dep == "prep" and first == ["because", "of"])
            or first == ["due", "to"]
            or (first in (["so", "that"], ["in", "order"]) and part.dep == "advcl")
        ):
            answer = lean(tokens)
        else:
            continue
        words, (front, group) = subject_words(fact), inverted(clause)
        yield from propose(fact, "reason", 0.8, ["why", *front, *words, *group, *rest(fact, part)], answer)


def _explains(part: Constituent) -> bool:
    """Whether "as" or "since" opens a finite present clause, and so gives a reason, not a time."""
    subject = any(c.dep_ in ("nsubj", "nsubjpass") and c.i < part.head.i for c in part.head.children)
    finite_ = [
        t
        for t in (part.head, *part.head.children)
        if t.tag_ in ("VBZ", "VBP") and t.dep_ in ("aux", "auxpass", "advcl")
    ]
    return subject and bool(finite_) and part.tokens[0].dep_ == "mark" and part.tokens[1].lower_ != "you"


CONSTRUCTIONS = (reason,)
