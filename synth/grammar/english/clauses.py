"""The clauses of a parsed sentence, cut into their parts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import word_set
from synth.grammar.english.phrases import agrees

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.text.prose import Sentence

SUBJECTS = ("nsubj", "nsubjpass")
_DOUBTFUL = ("dep", "parataxis", "meta", "csubj", "csubjpass", "intj", "preconj", "appos", "nmod", "case", "quantmod")
_LIGHT = ("punct", "cc", "mark")
_FACTUAL = word_set("because although though while since whereas before after")
_REMINDERS = ("notice", "note", "remember", "keep")


@dataclass(frozen=True, slots=True)
class Constituent:
    """A constituent of a clause: tokens `start` to `end` of the parse, headed by `head`."""

    head: Token
    start: int
    end: int

    @property
    def dep(self) -> str:
        return str(self.head.dep_)

    @property
    def tokens(self) -> list[Token]:
        return [self.head.doc[i] for i in range(self.start, self.end)]


@dataclass(frozen=True, slots=True)
class Clause:
    """A finite clause.

    It takes tokens from `start` on. `subject` is None in an imperative. `auxiliaries` stand before
    the verb, in order, `adverbs` between them and the verb; `openers` before the subject, `after`
    after the verb. `end` is the token where the clause was cut, because another verb is co-ordinated
    with this one, else its last token plus one; `cut` says that it was.
    """

    sentence: Sentence
    doc: Doc
    verb: Token
    subject: Constituent | None
    auxiliaries: tuple[Token, ...]
    negation: Token | None
    adverbs: tuple[Constituent, ...]
    openers: tuple[Constituent, ...]
    after: tuple[Constituent, ...]
    start: int
    end: int
    cut: bool

    @property
    def main(self) -> bool:
        """True if this is the main clause, not one co-ordinated with it or relative to a noun."""
        return bool(self.verb.head == self.verb)

    @property
    def copular(self) -> bool:
        return bool(self.verb.lemma_ == "be")

    def part(self, *deps: str) -> Constituent | None:
        """The first part after the verb with one of `deps`."""
        return next((part for part in self.after if part.dep in deps), None)


def clauses(sentence: Sentence, doc: Doc) -> list[Clause]:
    """The finite clauses of `doc` that stand on their own, the main one first.

    Empty when the parse does not read as one sound sentence.
    """
    roots = [token for token in doc if token.head == token]
    if len(roots) != 1 or roots[0].pos_ not in ("VERB", "AUX"):
        return []
    root = roots[0]
    main = _clause(sentence, root)
    if main is None:
        return []
    result: list[Clause | None] = [main]
    joined = [verb for verb in root.conjuncts if verb.pos_ in ("VERB", "AUX") and verb.i > root.i]
    result.extend(_coordinate(sentence, verb, main) for verb in joined)
    result.extend(_circumstance(sentence, child) for child in root.children if child.dep_ == "advcl")
    if main.subject is None and root.lemma_.lower() in _REMINDERS:
        result.extend(_clause(sentence, child) for child in root.children if child.dep_ == "ccomp" and child.i > root.i)
    result.extend(_relative(sentence, token) for token in doc if token.dep_ == "relcl")
    return [clause for clause in result if clause is not None]


def _coordinate(sentence: Sentence, verb: Token, main: Clause) -> Clause | None:
    """The clause of a verb co-ordinated with the main one, which may share its subject."""
    if any(child.dep_ in SUBJECTS for child in verb.children):
        return _clause(sentence, verb)
    if (
        not main.main
        or verb.head != main.verb
        or verb.tag_ not in ("VBD", "VBZ")
        or main.verb.tag_ != verb.tag_
        or main.auxiliaries
        or main.negation
    ):
        return None
    clause = _clause(sentence, verb)
    return None if clause is None else replace(clause, subject=main.subject)


def _circumstance(sentence: Sentence, verb: Token) -> Clause | None:
    """A subordinate clause that states a fact of its own: "because X did so", "although X is so"."""
    marks = {child.lower_ for child in verb.children if child.dep_ in ("mark", "advmod") and child.i < verb.i}
    if not marks & _FACTUAL or verb.tag_ not in ("VBD", "VBZ", "VBN", "VBP"):
        return None
    clause = _clause(sentence, verb)
    if clause is None or clause.subject is None:
        return None
    return replace(clause, openers=tuple(p for p in clause.openers if p.head.lower_ not in _FACTUAL))


def _relative(sentence: Sentence, verb: Token) -> Clause | None:
    """The clause "X did so" inside "X, who did so, ..."."""
    noun = verb.head
    first = verb.left_edge
    if (
        noun.pos_ != "PROPN"
        or first.i == 0
        or verb.doc[first.i - 1].text != ","
        or first.lower_ not in ("who", "which")
    ):
        return None
    if first.dep_ not in SUBJECTS or first.head != verb or (noun.dep_ in ("conj", "pobj") and noun.head.i < noun.i - 3):
        return None
    clause = _clause(sentence, verb)
    start = noun.left_edge.i
    return None if clause is None else replace(clause, subject=Constituent(noun, start, first.i - 1))


def _clause(sentence: Sentence, verb: Token) -> Clause | None:
    """The clause headed by `verb`, or None when some word has no sure place in it."""
    doc = verb.doc
    begin = 0 if verb.head == verb else verb.left_edge.i
    end, cut = _end(verb)
    subject: Constituent | None = None
    auxiliaries: list[Token] = []
    adverbs: list[Constituent] = []
    openers: list[Constituent] = []
    after: list[Constituent] = []
    negation: Token | None = None
    for child in verb.children:
        if child.i >= end or child.dep_ in _LIGHT:
            continue
        if child.dep_ in _DOUBTFUL:
            return None
        part = _part(child, end)
        if part is None:
            return None
        if child.dep_ in SUBJECTS or child.dep_ == "expl":
            if subject is not None or child.i > verb.i:
                return None
            subject = part
        elif child.dep_ in ("aux", "auxpass"):
            if child.i > verb.i or part.end - part.start != 1:
                return None
            auxiliaries.append(child)
        elif child.dep_ == "neg":
            if child.i and doc[child.i - 1].text == "(":
                return None
            negation = child
        elif child.i > verb.i:
            after.append(part)
        elif subject is None and not auxiliaries:
            openers.append(part)
        else:
            adverbs.append(part)
    clause = Clause(
        sentence=sentence,
        doc=doc,
        verb=verb,
        subject=subject,
        auxiliaries=tuple(auxiliaries),
        negation=negation,
        adverbs=tuple(adverbs),
        openers=tuple(openers),
        after=tuple(after),
        start=begin,
        end=end,
        cut=cut,
    )
    return clause if _covers(clause) and _agreeing(clause) else None


def _agreeing(clause: Clause) -> bool:
    if clause.subject is None or clause.subject.dep not in SUBJECTS:
        return True
    return agrees(clause.subject.head, clause.auxiliaries[0] if clause.auxiliaries else clause.verb)


def _end(verb: Token) -> tuple[int, bool]:
    """End of the clause: the conjunction of a co-ordinated verb, or the end of the sentence."""
    doc = verb.doc
    conjuncts = [child for child in verb.children if child.dep_ == "conj" and child.i > verb.i]
    if not conjuncts:
        return (len(doc) if verb.head == verb else verb.right_edge.i + 1), False
    first = min(conjuncts[0].left_edge.i, conjuncts[0].i)
    ccs = [child.i for child in verb.children if child.dep_ in ("cc", "punct") and verb.i < child.i < conjuncts[0].i]
    stop = min([first, *[i for i in ccs if doc[i].dep_ == "cc" or i == first - 1 or i == min(ccs)]])
    return max(stop, verb.i + 1), True


def _part(head: Token, end: int) -> Constituent | None:
    start, stop = head.left_edge.i, min(head.right_edge.i + 1, end)
    inside = {token.i for token in head.subtree if token.i < end}
    if inside != set(range(start, stop)):
        return None
    return Constituent(head, start, stop)


def _covers(clause: Clause) -> bool:
    """True if every word before the end belongs to a part, so that nothing is lost unseen."""
    seen = {clause.verb.i} | {token.i for token in clause.auxiliaries}
    if clause.negation is not None:
        seen.add(clause.negation.i)
    for part in (*clause.adverbs, *clause.openers, *clause.after, *([clause.subject] if clause.subject else [])):
        seen.update(range(part.start, part.end))
    return all(
        token.i in seen or token.is_punct or token.dep_ in _LIGHT for token in clause.doc[clause.start : clause.end]
    )
