"""Clauses inside sentences that cannot be read as a whole: a sound part with subject and verb states something too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Clause, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.phrases import agrees

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.text.prose import Sentence

_LIGHT = ("punct", "cc", "mark", "preconj")
_ASIDE = ("parataxis", "intj", "meta", "advcl", "npadvmod", "advmod", "prep", "dep", "appos")
_FACTUAL = word_set("because although though whereas while as since and")
_WORLDS = word_set(
    "if unless only except without until when whenever whether not no never rather instead according than "
    "says said claims claimed believe believed"
)
_REMINDERS = ("notice", "note", "remember", "keep")
_FINITE = ("VBD", "VBZ", "VBP")
_JOINED = ("conj", "ROOT")


def limiting(tokens: Iterable[Token]) -> bool:
    """Whether a part holds a word that limits what is said, so that it must not be left out."""
    return any(token.lower_ in _WORLDS or token.dep_ == "neg" for token in tokens)


def loose_clauses(sentence: Sentence, doc: Doc, done: frozenset[int]) -> Iterator[Clause]:
    """The finite clauses of `doc` but for those of the verbs `done`, each without asides that have no sure place."""
    for verb in doc:
        if verb.i in done or verb.pos_ not in ("VERB", "AUX") or verb.dep_ in ("aux", "auxpass"):
            continue
        made = _read(sentence, verb)
        if made is not None:
            yield made


def _read(sentence: Sentence, verb: Token) -> Clause | None:
    owner = _owner(verb)
    if owner is None:
        return None
    parts = _Parts(verb)
    if not parts.sound:
        return None
    subject, auxiliaries = parts.subject, parts.auxiliaries
    if verb.dep_ == "relcl":
        subject = owner if subject is not None and subject.end - subject.start == 1 else None
    elif subject is None:
        subject, shared = shared_subject(verb)
        auxiliaries = auxiliaries or shared
    if subject is None:
        return None
    first = auxiliaries[0] if auxiliaries else verb
    if first.tag_ not in (*_FINITE, "MD") or not agrees(subject.head, first):
        return None
    return Clause(
        sentence=sentence,
        doc=verb.doc,
        verb=verb,
        subject=subject,
        auxiliaries=tuple(auxiliaries),
        negation=parts.negation,
        adverbs=tuple(parts.adverbs),
        openers=tuple(parts.openers),
        after=tuple(parts.after),
        start=parts.start,
        end=parts.end,
        cut=parts.cut,
    )


def _owner(verb: Token) -> Part | None:
    """Whose a clause is: its own (a part at the verb), or the noun that it tells something of; None for neither."""
    here = Part(verb, verb.i, verb.i + 1)
    if verb.dep_ == "relcl":
        return _named(verb)
    top = verb
    while top.dep_ == "conj" and top.head.pos_ in ("VERB", "AUX"):
        top = top.head
    if top.head == top or top.dep_ == "parataxis":
        return here
    own = any(child.dep_ in SUBJECTS for child in verb.children)
    marks = [
        child.lower_
        for child in verb.children
        if child.dep_ == "mark" or (child.dep_ == "advmod" and child.i == verb.left_edge.i)
    ]
    if verb.dep_ == "advcl" and own and marks and marks[0] in _FACTUAL and not limiting(verb.doc[: verb.i]):
        return here if marks[0] != "as" or verb.tag_ == "VBD" else None
    if verb.dep_ == "ccomp" and own and verb.head.head == verb.head and verb.head.lemma_.lower() in _REMINDERS:
        return (
            here
            if not any(c.dep_ in SUBJECTS for c in verb.head.children) and not limiting(verb.doc[: verb.left_edge.i])
            else None
        )
    if verb.dep_ == "ccomp" and own and not marks and verb.head.head == verb.head:
        between = verb.doc[min(verb.i, verb.head.i) : max(verb.i, verb.head.i)]
        return here if any(t.text == ";" for t in between) else None
    return None


def _named(verb: Token) -> Part | None:
    """The name before ", who did so" and ", which did so"."""
    noun, first = verb.head, verb.left_edge
    if first.i < 2 or verb.doc[first.i - 1].text != "," or first.lower_ not in ("who", "which"):
        return None
    if first.dep_ not in SUBJECTS or first.head != verb or noun.pos_ not in ("PROPN", "NOUN"):
        return None
    start, end = noun.left_edge.i, first.i - 1
    if (noun.pos_ == "NOUN" and noun.dep_ not in SUBJECTS) or noun.dep_ == "appos" or _inside_another(noun):
        return None
    if noun.i != end - 1 or any(t.dep_ == "conj" for t in noun.children) or noun.dep_ == "conj":
        return None
    return Part(noun, start, end)


def _inside_another(noun: Token) -> bool:
    """Whether a name stands in a longer phrase that the clause may tell of: "the survey of the sky, which"."""
    return bool(noun.dep_ == "pobj" and noun.head.head.pos_ in ("NOUN", "PROPN", "ADJ"))


def shared_subject(verb: Token) -> tuple[Part | None, list[Token]]:
    """The subject that a co-ordinated verb shares with the one before it, and its auxiliaries."""
    top = verb
    while top.dep_ == "conj" and top.head.pos_ in ("VERB", "AUX"):
        top = top.head
        parts = _Parts(top)
        if parts.subject is None:
            continue
        if not parts.sound or parts.negation is not None or parts.openers_limit:
            return None, []
        if any(t.text in (";", ":", "—", "–") for t in verb.doc[top.i : verb.i]):
            return None, []
        if any(t.dep_ == "auxpass" for t in parts.auxiliaries):
            same = verb.tag_ == "VBN" or (verb.tag_ == "VBD" and top.tag_ == "VBN" and _passive_like(verb))
            if same and not any(child.dep_ == "dobj" for child in verb.children):
                return parts.subject, list(parts.auxiliaries)
            return (parts.subject, []) if verb.tag_ in _FINITE and not same else (None, [])
        if parts.auxiliaries and verb.tag_ == top.tag_ and verb.tag_ in ("VB", "VBN"):
            return (
                (None, [])
                if any(t.tag_ == "MD" for t in parts.auxiliaries)
                else (parts.subject, list(parts.auxiliaries))
            )
        return (parts.subject, []) if verb.tag_ in _FINITE else (None, [])
    return None, []


def _passive_like(verb: Token) -> bool:
    return any(child.dep_ == "agent" and child.i == verb.i + 1 for child in verb.children)


class _Parts:
    """The parts of a verb's own clause: `sound` is false when one that matters has no sure place."""

    def __init__(self, verb: Token) -> None:
        self.verb = verb
        self.sound = True
        self.subject: Part | None = None
        self.auxiliaries: list[Token] = []
        self.negation: Token | None = None
        self.adverbs: list[Part] = []
        self.openers: list[Part] = []
        self.after: list[Part] = []
        self.end, self.cut = _end(verb)
        self.start = verb.left_edge.i if verb.head != verb else 0
        self.left_out: set[int] = set()
        for child in verb.children:
            if child.i < self.end and child.dep_ not in _LIGHT and self.sound:
                self._place(child)
        if self.sound:
            self._check()

    @property
    def openers_limit(self) -> bool:
        return any(limiting(part.tokens) for part in self.openers) or bool(self.left_out and self._lost_limit())

    def _lost_limit(self) -> bool:
        return limiting([self.verb.doc[i] for i in sorted(self.left_out)])

    def _place(self, child: Token) -> None:
        verb, dep = self.verb, child.dep_
        part = _whole(child, self.end)
        if part is None or dep in (
            "dep",
            "parataxis",
            "meta",
            "intj",
            "appos",
            "nmod",
            "case",
            "quantmod",
            "csubj",
            "csubjpass",
        ):
            self._leave_out(child)
        elif dep in SUBJECTS:
            self.sound = self.subject is None and child.i < verb.i
            self.subject = part
        elif dep in ("aux", "auxpass"):
            self.sound = child.i < verb.i and part.end - part.start == 1
            self.auxiliaries.append(child)
        elif dep == "neg":
            self.negation = child
        elif dep in ("expl", "ccomp") and not (dep == "ccomp" and self._semicolon(child)):
            self.sound = False
        elif dep == "ccomp":
            self.left_out.update(t.i for t in child.subtree)
        elif child.i > verb.i:
            self.after.append(part)
        elif self.subject is None and not self.auxiliaries:
            self.openers.append(part)
        else:
            self.adverbs.append(part)

    def _semicolon(self, child: Token) -> bool:
        low, high = sorted((child.i, self.verb.i))
        return any(t.text == ";" for t in self.verb.doc[low:high])

    def _leave_out(self, child: Token) -> None:
        """Leaves a child out when a comma, a semicolon or the end sets it off and it limits nothing."""
        doc, first = self.verb.doc, child.left_edge.i
        tokens = [t for t in child.subtree if t.i < self.end]
        before = doc[first - 1].text if first else ","
        apart = before in (",", ";", ":", "(", "—", "–") and (
            child.i > self.verb.i or doc[child.right_edge.i + 1 : child.right_edge.i + 2].text in (",", ";")
        )
        if (
            child.dep_ not in _ASIDE
            or not apart
            or (limiting(tokens) and before != ";")
            or (child.i < self.verb.i and before != ",")
        ):
            self.sound = False
            return
        self.left_out.update(t.i for t in tokens)
        if before == ";" and first > self.verb.i:
            self.end = min(self.end, first)

    def _check(self) -> None:
        """Every word from the subject to the last part is in a part or left out on purpose."""
        parts = [*self.adverbs, *self.openers, *self.after, *([self.subject] if self.subject else [])]
        seen = {self.verb.i, *self.left_out, *(t.i for t in self.auxiliaries)}
        if self.negation is not None:
            seen.add(self.negation.i)
        for part in parts:
            seen.update(range(part.start, part.end))
        low = min([self.verb.i, *(part.start for part in parts)])
        high = max([self.verb.i + 1, *(part.end for part in parts)])
        self.sound = all(t.i in seen or t.is_punct or t.dep_ in _LIGHT or t.is_space for t in self.verb.doc[low:high])
        self.start, self.end = low, high


def _end(verb: Token) -> tuple[int, bool]:
    """Where the clause stops: before a verb that is co-ordinated with this one, or after its last word."""
    doc = verb.doc
    last = len(doc) if verb.head == verb else verb.right_edge.i + 1
    conjuncts = [child for child in verb.children if child.dep_ == "conj" and child.i > verb.i]
    if not conjuncts:
        return last, False
    first = min(conjuncts[0].left_edge.i, conjuncts[0].i)
    between = [t.i for t in verb.children if t.dep_ in ("cc", "punct", "preconj") and verb.i < t.i < first]
    while first - 1 in between:
        first -= 1
    return max(first, verb.i + 1), True


def _whole(head: Token, end: int) -> Part | None:
    start, stop = head.left_edge.i, min(head.right_edge.i + 1, end)
    if {token.i for token in head.subtree if token.i < end} != set(range(start, stop)):
        return None
    return Part(head, start, stop)
