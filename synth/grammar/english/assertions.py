"""What an English document states, as facts: who did what, what is what, when, where, why, on which condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from synth.grammar.english.appositions import definitions, lives
from synth.grammar.english.besides import beside
from synth.grammar.english.clauses import Clause, Part, clauses
from synth.grammar.english.entries import entries
from synth.grammar.english.gentle import gentle_cores
from synth.grammar.english.happenings import happening_cores
from synth.grammar.english.nominals import of_nouns
from synth.grammar.english.phrases import Unsure, code_tokens, is_name
from synth.grammar.english.proposals import Stated
from synth.grammar.english.qualifiers import KEPT
from synth.grammar.english.quantities import amounts
from synth.grammar.english.relations import Core, core
from synth.grammar.english.renderings import wordings
from synth.grammar.english.telling import Told, heard, may_hold_a_fact
from synth.grammar.english.terms import introduced, kind_defined, noun, place, qualifier
from synth.grammar.english.topics import Chain, Meant, Topic, topic_of
from synth.grammar.english.works import of_the_topic
from synth.grammar.reading import Reading
from synth.records import Fact, Term

MIN_TRUST = 0.5
_LEAST_GENTLE, _FLOOR, _MOST_GENTLE = 0.55, 0.6, 0.8
_VERSION = re.compile(r"\[?v?\d+(?:\.\d+)+\b", re.IGNORECASE)
_EMOJI = re.compile("[\U0001f300-\U0001faff]")
_CREDIT = re.compile(r"\bPR \[?#\d|\(\[?#\d+|\bby \[?@\w|/pull/\d|^\s*(?:©|copyright\b)", re.IGNORECASE)


def assertions(reading: Reading) -> list[Fact]:
    """The facts of one English document, in order of place; nothing doubtful, so far from all of them.

    A fact stands alone: its subject is named, in full where the document gives the full name, and what
    a pronoun stands for is proved by a span of its own.
    """
    found: dict[str, Fact] = {}
    topic = topic_of(reading)
    chain = Chain(reading, topic)
    for one in heard(reading):
        if one.page.addressed:  # there the parser takes products for people, and so "full names" are none
            one = replace(one, page=replace(one.page, full={}))
        if _aside(one, reading.document.text):
            continue
        done: set[int] = set()
        if one.admitted:
            for fact in _of_sentence(one, reading.document.doc_id, done):
                found.setdefault(fact.fact_id, fact)
        meant = list(chain.meant(one.sentence, one.doc))
        if may_hold_a_fact(one):
            for fact in _gently(one, reading.document.doc_id, frozenset(done), meant):
                found.setdefault(fact.fact_id, fact)
            for fact in beside(one, reading.document.doc_id, code_tokens(one.sentence, one.doc)):
                found.setdefault(fact.fact_id, fact)
            for fact in _defined(one, reading.document.doc_id):
                found.setdefault(fact.fact_id, fact)
            for fact in of_nouns(one, reading.document.doc_id):
                found.setdefault(fact.fact_id, fact)
    for fact in _beside(reading, topic):
        if not any(_same(fact, other) for other in found.values()):
            found.setdefault(fact.fact_id, fact)
    return sorted(found.values(), key=lambda fact: (fact.spans[-1], fact.subject.start))


def _beside(reading: Reading, topic: Topic | None) -> Iterator[Fact]:
    """The facts that stand in no clause: in participles and parentheses about the topic, in tables and in lists."""
    document = reading.document
    if topic is not None:
        yield from of_the_topic(topic, document.doc_id)
    yield from entries(document.text, str(document.metadata.get("format", "text")), document.doc_id)


def _same(a: Fact, b: Fact) -> bool:
    """Whether two facts say the same of the same place, perhaps with the subject named differently."""
    if a.relation != b.relation or a.spans[-1] != b.spans[-1]:
        return False
    return a.object == b.object or (a.object is not None and b.object is not None and a.object.start == b.object.start)


def _aside(one: Told, text: str) -> bool:
    """Whether a sentence states nothing of the subject: an entry of a change log, or a story told with emoji.

    A version heads an entry, or its line credits who made the change.
    """
    if _EMOJI.search(text, one.sentence.start, one.sentence.end):
        return True
    start, end = text.rfind("\n", 0, one.sentence.start) + 1, text.find("\n", one.sentence.end)
    line = text[start : end if end >= 0 else len(text)]
    return bool(_CREDIT.search(line)) or any(_VERSION.match(heading) for heading in one.sentence.headings)


def _of_sentence(one: Told, doc_id: str, done: set[int]) -> Iterator[Fact]:
    code = code_tokens(one.sentence, one.doc)
    for clause in clauses(one.sentence, one.doc):
        stated = Stated(clause, one.page, code)
        if clause.main:
            yield from definitions(stated, one.spans[-1:], doc_id)
            yield from lives(stated, one.spans[-1:], doc_id)
        try:
            fact = _fact(core(stated), one, doc_id)
        except Unsure:
            continue
        if fact.trust >= MIN_TRUST:
            done.add(clause.verb.i)
            yield fact


def _defined(one: Told, doc_id: str) -> Iterator[Fact]:
    """What the appositions and the years in parentheses say in a sentence that the strict reading did not look at."""
    here = Part(one.doc[0], 0, 1)
    whole = Clause(
        sentence=one.sentence, doc=one.doc, verb=one.doc[:].root, subject=here, auxiliaries=(), negation=None,
        adverbs=(), openers=(), after=(), start=0, end=len(one.doc), cut=False,
    )  # fmt: skip
    stated = Stated(whole, one.page, code_tokens(one.sentence, one.doc))
    for fact in (*definitions(stated, one.spans[-1:], doc_id, gentle=True), *lives(stated, one.spans[-1:], doc_id)):
        yield replace(fact, trust=0.7)


def _gently(one: Told, doc_id: str, done: frozenset[int], meant: list[Meant]) -> Iterator[Fact]:
    """The facts of the clauses that the strict reading left, each trusted less."""
    code, read_so = code_tokens(one.sentence, one.doc), set(done)
    for readings in (happening_cores, gentle_cores):
        for read in readings(one, frozenset(read_so), meant, code):
            try:
                fact = _fact(read.core, read.told, doc_id, gentle=True)
            except Unsure:
                continue
            if fact.trust < _LEAST_GENTLE:
                continue
            read_so.add(read.core.stated.clause.verb.i)
            yield replace(fact, trust=round(min(_MOST_GENTLE, max(_FLOOR, fact.trust - 0.1)), 3))


def _fact(core: Core, one: Told, doc_id: str, *, gentle: bool = False) -> Fact:
    stated = core.stated
    subject = _subject(core)
    thing = noun(stated, core.object, core.object_head) if core.object and core.object_head is not None else None
    qualifiers = [qualifier(stated, role.tokens, role.kind, role.head) for role in core.qualifiers]
    qualifiers += amounts(core)
    if thing is None and all(q.kind == "manner" for q in qualifiers) and (stated.clause.cut or not qualifiers):
        raise Unsure
    telling = any(q.kind in ("condition", "purpose", "manner", "reason") for q in qualifiers)
    if _addressed(core) and not telling and not (gentle and thing is not None and thing.kind in ("code", "name")):
        raise Unsure
    if not core.subject and not any(q.kind in ("condition", "purpose") for q in qualifiers):
        raise Unsure
    if (
        core.relation.startswith(("be born", "die", "be elected", "be appointed", "marry", "be buried", "be crowned"))
        and subject.kind
    ):
        subject = replace(subject, kind="person")
    if core.link == "complement" and core.object_head is not None and not core.negated:
        subject = replace(subject, kind=kind_defined(core.object_head, subject.kind))
    wording = wordings(core)
    if "statement" not in wording:
        raise Unsure
    meant = stated.page.meant is not None and any(stated.page.understood(t) for t in core.subject)
    spans = one.spans if meant else one.spans[-1:]
    return Fact(
        doc_id=doc_id,
        spans=spans,
        subject=subject,
        relation=core.relation,
        object=thing,
        qualifiers=tuple(sorted(qualifiers, key=lambda term: (term.start, term.end, term.kind))),
        negated=core.negated,
        modal=core.modal,
        wording=wording,
        trust=_trust(core),
    )


def _addressed(core: Core) -> bool:
    """Whether the reader is told what to do: what for, how, or when makes it worth telling."""
    return not core.subject or (len(core.subject) == 1 and core.subject[0].lower_ == "you")


def _subject(core: Core) -> Term:
    """The subject; that of an imperative is "you", which stands where its verb does."""
    clause = core.stated.clause
    if core.subject and clause.subject is not None:
        return noun(core.stated, core.subject, clause.subject.head)
    start, end = place(core.stated, [clause.verb])
    return Term(text="you", start=start, end=end, head="you")


def _trust(core: Core) -> float:
    """How sure the reading is: less for clauses that are not main, pronouns, lists, and what is not named."""
    stated, clause = core.stated, core.stated.clause
    value = 0.95
    value -= 0.04 * any(one.kind == KEPT for one in core.roles)
    value -= 0.06 * (clause.cut or not clause.main)
    value -= 0.05 * any(stated.page.understood(t) for t in core.subject)
    value -= 0.05 * (clause.sentence.kind == "list_item")
    value -= 0.15 * (bool(core.object) and not introduced(stated, core.object))
    value -= 0.1 * (bool(core.subject) and not introduced(stated, core.subject))
    named = any(is_name(t, stated.code) for t in (*core.subject, *core.object))
    value -= 0.12 * (not named)
    value -= 0.005 * max(0, len(clause.doc) - 28)
    value -= 0.1 * (core.link == "" and not core.qualifiers)
    return round(max(0.0, value), 3)
