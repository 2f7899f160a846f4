"""Constructions for prose that guides its reader: what to use, what to do, what happens if."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.phrases import lean
from synth.grammar.english.proposals import Proposal, Stated, is_purpose, moved, propose, rest, subject_words
from synth.grammar.english.wording import inverted, plain_word

if TYPE_CHECKING:
    pass

_LINKS = word_set("so then and but also first just now finally afterwards next")


def recipe(fact: Stated) -> Iterator[Proposal]:
    """ "To receive files, install X." -> "What should you install to receive files?" """
    clause = fact.clause
    if clause.subject is not None or clause.verb.tag_ not in ("VB", "VBP") or clause.auxiliaries or clause.negation:
        return
    goal = _goal(clause.openers) or _goal(clause.after) or _occasion((*clause.openers, *clause.after))
    direct = clause.part("dobj")
    if goal is None or direct is None or any(p.dep == "advcl" and p is not goal for p in clause.after):
        return
    if any(p is not goal and p.head.lower_ not in _LINKS for p in clause.openers):
        return
    others = [p for p in clause.openers if p is not goal]
    kept = rest(fact, direct, goal, *others)
    verb = clause.verb.lemma_.lower()
    if verb in _NAVIGATION:
        return
    yield from propose(fact, "recipe", 0.82, ["what should you", verb, *kept, *lean(goal.tokens)], lean(direct.tokens))


def requirement(fact: Stated) -> Iterator[Proposal]:
    """ "You need to install X to use Y." -> "What do you need to install to use Y?" """
    clause = fact.clause
    inner = clause.part("xcomp")
    if clause.subject is None or inner is None or clause.verb.lemma_ not in ("need", "have") or clause.negation:
        return
    verb = inner.head
    objects = [c for c in verb.children if c.dep_ == "dobj"]
    marker = next((c for c in verb.children if c.tag_ == "TO"), None)
    if len(objects) != 1 or marker is None or verb.tag_ != "VB":
        return
    direct = objects[0]
    purposes = [*clause.after, *clause.openers]
    inner_purpose = [c for c in verb.children if c.dep_ == "advcl" and c.i > verb.i]
    if not _goal(tuple(purposes)) and not inner_purpose:
        return
    answer = lean(list(direct.subtree))
    tail = [t for t in inner.tokens if t.i > direct.right_edge.i]
    if tail and tail[0].text == ",":
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    items = ["what", *front, *words, *group, "to", verb, *tail, *rest(fact, inner)]
    yield from propose(fact, "requirement", 0.8, items, answer)


def _goal(parts: tuple[Part, ...]) -> Part | None:
    return next((part for part in parts if part.dep in ("advcl", "xcomp") and is_purpose(part)), None)


def _occasion(parts: tuple[Part, ...]) -> Part | None:
    """The clause "if you need ..." or "when you want ..."."""
    for part in parts:
        subjects = [t.lower_ for t in part.head.children if t.dep_ == "nsubj"]
        if part.dep == "advcl" and part.tokens[0].lower_ in ("if", "when") and subjects == ["you"]:
            return part
    return None


def method(fact: Stated) -> Iterator[Proposal]:
    """ "You can define files using X." -> "How can you define files?" """
    clause = fact.clause
    if clause.subject is None or clause.subject.head.lower_ != "you" or clause.cut or clause.negation:
        return
    if [plain_word(t) for t in clause.auxiliaries] not in (["can"], ["could"]):
        return
    doc = clause.doc
    stop = len(doc)
    while stop and doc[stop - 1].is_punct:
        stop -= 1
    for token in doc[clause.verb.i + 2 : stop - 1]:
        tool = doc[token.i + 1]
        by = token.lower_ == "by" and tool.tag_ == "VBG"
        using = token.lower_ == "using"
        with_ = (
            token.lower_ == "with"
            and token.head == clause.verb
            and (tool.i in fact.code or doc[stop - 1].i in fact.code)
            and stop - token.i < 7
        )
        inside = token.lower_ in _PLACES and token.head == clause.verb and stop - token.i < 7
        inside = inside and clause.verb.lemma_ != "import" and not any(t.lower_ == "using" for t in doc[token.i : stop])
        inside = inside and any(t.i in fact.code for t in doc[token.i : stop])
        passing = token.lower_ in _PASSING and doc[token.i - 1].text == "," and token.tag_ == "VBG"
        if not (by or using or with_ or passing or inside):
            continue
        start = token.i - 1 if doc[token.i - 1].lower_ == "by" else token.i
        middle = lean(doc[clause.verb.i : start])
        if (doc[start - 1].text == "," and not passing) or any(t.dep_ in ("relcl", "advcl", "ccomp") for t in middle):
            return
        if doc[stop - 1].lower_ in ("too", "also", "instead", "well", "it", "them"):
            return
        answer = lean(doc[start:stop])
        yield from propose(
            fact, "method", 0.82, ["where can you" if inside else "how can you", *middle, *moved(fact)], answer
        )
        return


def condition(fact: Stated) -> Iterator[Proposal]:
    """ "Python complains if you do X." -> "What happens if you do X?" """
    clause = fact.clause
    part = next((p for p in clause.after if p.dep == "advcl" and p.tokens[0].lower_ == "if"), None)
    if part is None or clause.subject is None or clause.cut or clause.openers or clause.copular:
        return
    if not any(child.dep_ in SUBJECTS for child in part.head.children):
        return
    if part is not clause.after[-1] or part.tokens[0].head != part.head or clause.subject.head.lower_ == "you":
        return
    answer = lean(clause.doc[clause.subject.start : part.start])
    if any(t.tag_ == "VBD" for t in (*clause.auxiliaries, clause.verb, *part.tokens)) or len(answer) < 3:
        return
    yield from propose(fact, "condition", 0.82, ["what happens", *lean(part.tokens)], answer)


_PLACES = word_set("in inside from at under")
_PASSING = word_set("using passing setting declaring adding creating importing")
CONSTRUCTIONS = (recipe, requirement, method, condition)
_NAVIGATION = word_set("check see read go look visit follow open join ask notice remember keep let try click")
