"""Facts of clauses that the strict reading leaves: the gentle reading, which is trusted less."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from synth.grammar.english.clauses import Clause, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.loose_clauses import loose_clauses
from synth.grammar.english.phrases import Unsure
from synth.grammar.english.proposals import Stated
from synth.grammar.english.relations import Core, core
from synth.grammar.english.telling import Told
from synth.grammar.english.topics import Meant

_ODD = re.compile(r"https?://|www\.|[<>{}|\\^~]|\[[^\]]*\]|\.\.\.|…|--\s|\*\*|[\U0001F300-\U0001FAFF]")
_RELATIVE_TIME = word_set("today currently nowadays recently now soon yet still already ever since ago later earlier")
_LEANING = re.compile(
    r"\b(?:by|using) (?:\w+ing )?(?:it|so|that|this|them)\b(?! \w)|\btogether with\b|"
    r"\([^()]*\b(?:if|unless|only|except|when|not)\b",
    re.I,
)
_IN_THE_PAST = word_set("soon later earlier")
ONE_SIDED = word_set(
    "occur happen start begin end last live arrive move open close result appear remain work play die burn crash fail "
    "operate exist emerge evolve develop expand continue increase decrease decline serve belong depend consist "
    "participate migrate settle originate travel range differ vary refer respond return retire lead lie stand belong"
)


@dataclass(frozen=True, slots=True)
class Gentle:
    """A core read gently, with the sentence as told for it: its page knows what the subject means."""

    core: Core
    told: Told


def gentle_cores(one: Told, done: frozenset[int], meant: Iterable[Meant], code: frozenset[int]) -> Iterator[Gentle]:
    """The cores of the clauses of a sentence but for those of the verbs `done`; `meant` says what its subjects mean."""
    known = {found.token: found for found in meant}
    for clause in loose_clauses(one.sentence, one.doc, done):
        told, clause = understood(one, clause, known)
        if doubtful(clause):
            continue
        try:
            yield Gentle(core(Stated(clause, told.page, code), gentle=True), told)
        except Unsure:
            continue


def understood(one: Told, clause: Clause, known: dict[int, Meant]) -> tuple[Told, Clause]:
    """The sentence and the clause with what its subject, or the owner of its subject, means."""
    subject = clause.subject
    assert subject is not None
    found = known.get(subject.head.i) or known.get(subject.start)
    if found is None or one.page.meant is not None:
        return one, clause
    if not found.possessive:
        clause = replace(clause, subject=Part(subject.head, subject.head.i, subject.head.i + 1))
    proof = (found.proof.start, found.proof.end)
    page = replace(one.page, meant=found.name, meant_at=found.token)
    return replace(one, page=page, spans=(proof, one.spans[-1])), clause


def _misread(clause: Clause, *, dated: bool = False) -> bool:
    """Whether the subject, or a word after the verb, shows that the parser took a piece for the whole."""
    subject, doc, verb = clause.subject, clause.doc, clause.verb
    assert subject is not None
    if subject.start and doc[subject.start - 1].text in ("-", "–", "/"):
        return True
    indefinite = doc[subject.start].lower_ in ("a", "an")
    if (
        indefinite
        and not dated
        and not any(t.ent_type_ in ("DATE", "TIME") for part in clause.after for t in part.tokens)
        and _past(clause)
    ):
        return True
    if not any(
        part.dep in ("dobj", "attr", "acomp", "prep", "agent", "oprd") for part in clause.after
    ) and doc.text.endswith(":"):
        return True
    if _participle(clause) or any(part.tokens[-1].text in ("-", "–") for part in clause.after):
        return True
    following = doc[verb.i + 1 : verb.i + 3]
    if (
        following
        and following[0].lower_ in ("back", "forth", "away", "off", "out", "up", "down")
        and following[0].dep_ == "advmod"
    ):
        return True
    return any(
        a.pos_ == "ADV" and b.lower_ == "of" and b.dep_ == "prep" and b.head == verb
        for a, b in zip(following, doc[verb.i + 2 : verb.i + 4], strict=False)
    )


def _participle(clause: Clause) -> bool:
    """Whether the verb may go on with a participle: "is a film directed by X and shot in Algeria"."""
    verb, subject = clause.verb, clause.subject
    loose = verb.tag_ == "VBD" and verb.lower_.endswith("ed") and not clause.auxiliaries
    loose = loose and subject is not None and subject.head.pos_ == "NOUN" and verb.lemma_ not in ONE_SIDED
    if loose and clause.after[:1] and clause.after[0].dep in ("prep", "agent"):
        return True
    after_passive = verb.dep_ == "conj" and any(c.dep_ == "auxpass" for c in verb.head.children)
    if after_passive and verb.tag_ == "VBD" and not clause.auxiliaries and clause.part("dobj") is None:
        return verb.lemma_ not in ONE_SIDED
    if verb.dep_ != "conj" or verb.tag_ != "VBD" or clause.auxiliaries or any(c.dep_ == "dobj" for c in verb.children):
        return False
    return any(t.tag_ == "VBN" and t.dep_ == "acl" and t.head.dep_ == "attr" for t in verb.doc[verb.head.i : verb.i])


def _past(clause: Clause) -> bool:
    return clause.verb.tag_ == "VBD" or any(a.tag_ == "VBD" for a in clause.auxiliaries)


def doubtful(clause: Clause, *, dated: bool = False) -> bool:
    """Whether a clause is told of "today", or holds what is no prose; a `dated` one is known to have a time."""
    tokens = clause.doc[clause.start : clause.end]
    if _misread(clause, dated=dated):
        return True
    relative = _RELATIVE_TIME - _IN_THE_PAST if _past(clause) else _RELATIVE_TIME
    if any(t.lower_ in relative and t.dep_ == "advmod" for t in tokens):
        return True
    text = clause.doc[clause.start : clause.end + 2].text
    if _LEANING.search(tokens.text):
        return True
    return _ODD.search(tokens.text) is not None or (tokens.text.count('"') % 2 == 1 and text.count('"') % 2 == 1)
