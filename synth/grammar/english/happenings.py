"""What happened at a date: clauses of the past with a time, of which a doubtful circumstance may be left out.

What happened in some manner, on some ground or with some help did happen, so that a clause of the past stays
true without them, unless it is denied, reported or only possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Clause, Part
from synth.grammar.english.frames import factual, relative_to, shared_with
from synth.grammar.english.gentle import ONE_SIDED, Gentle, doubtful, understood
from synth.grammar.english.happening_times import (
    YEAR,
    has_year,
    inner_date,
    led_by_year,
    shared_time,
    tells_time,
    tells_year,
    timed,
)
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.objects import object_words
from synth.grammar.english.phrases import Unsure, agrees, parenthesised
from synth.grammar.english.proposals import Stated
from synth.grammar.english.qualifiers import DROPPED, KEPT, Role, is_time, role
from synth.grammar.english.relations import Core, relation_of
from synth.grammar.english.subjects import asserted_subject
from synth.grammar.english.telling import Told
from synth.grammar.english.topics import Meant

if TYPE_CHECKING:
    from spacy.tokens import Token

    from synth.text.prose import Sentence

_LIGHT = ("punct", "cc", "mark", "preconj")
_FORBIDDEN = ("neg", "expl", "dep", "csubj", "csubjpass", "intj", "nmod", "case", "quantmod", "dative")
_AUXILIARIES = word_set("was were had has have did")
_COMPLEMENTS = ("dobj", "attr", "acomp", "oprd")
_REFUSED_VERBS = word_set(
    "do seem appear tend think believe feel hope expect consider imagine mean say claim argue suggest try attempt let "
    "want like need look compare estimate plan intend schedule allege report assume predict doubt fail"
)
_LIMITS = word_set(
    "if unless only except not no never rather instead according without nor neither hardly nearly almost possibly "
    "probably perhaps apparently allegedly reportedly supposedly presumably likely purportedly"
)
_LOOSE_HEADS = word_set(
    "in at on by during after before following through throughout under despite because due owing thanks while "
    "amid upon near since until"
)
_ADVERBS = word_set(
    "also then eventually later subsequently soon formally officially finally thus therefore however ultimately "
    "originally initially moreover furthermore additionally too meanwhile consequently afterwards instead"
)
_FICTION = re.compile(
    r"\b(?:novel|film|story|stories|episode|series|serial|legend|myth|fiction|plot|game|play|terms|theory|hypothesis|"
    r"scenario|opinion|view)\b",
    re.I,
)
_MAKING = word_set("be become name call elect appoint declare crown rename")
_ALONE = word_set(
    "die marry retire resign graduate emigrate close launch premiere debut capitulate surrender dissolve merge sink "
    "erupt explode abdicate drown vanish disappear survive form"
)
_MADE_WHAT = word_set("elected appointed named called given awarded granted nominated considered declared used known")
_RANKED = re.compile(r"^(?:first|last|only|second|third|most|largest|greatest)$|[a-z]{3,}est$")


def happening_cores(one: Told, done: frozenset[int], meant: Iterable[Meant], code: frozenset[int]) -> Iterator[Gentle]:
    """The cores of the dated clauses of the past in a sentence, but for those of the verbs `done`."""
    if not YEAR.search(one.sentence.text):
        return
    known = {found.token: found for found in meant}
    for verb in one.doc:
        if verb.i in done or verb.pos_ not in ("VERB", "AUX") or verb.dep_ in ("aux", "auxpass"):
            continue
        try:
            clause = _clause(one.sentence, verb)
            told, clause = understood(one, clause, known)
            if not doubtful(clause, dated=True):
                yield Gentle(_core(Stated(clause, told.page, code)), told)
        except Unsure:
            continue


def _clause(sentence: Sentence, verb: Token) -> Clause:
    """The clause of a verb that surely tells what happened, each of its parts whole."""
    doc = verb.doc
    if verb.lemma_.lower() in _REFUSED_VERBS or verb.i in parenthesised(doc) or _quoted(verb) or not factual(verb):
        raise Unsure
    end, cut = _end(verb)
    subject: Part | None = None
    auxiliaries: list[Token] = []
    sides: dict[str, list[Part]] = {"openers": [], "adverbs": [], "after": []}
    for child in verb.children:
        if child.i >= end or child.dep_ in _LIGHT:
            continue
        if child.dep_ in _FORBIDDEN:
            raise Unsure
        if child.dep_ in ("aux", "auxpass"):
            auxiliaries.append(child)
            continue
        part = _whole(child, end)
        if child.dep_ in SUBJECTS:
            if child.i > verb.i or (subject is not None and subject.end != part.start):
                raise Unsure
            subject = part if subject is None else Part(child, subject.start, part.end)  # "the monk", "Otto"
            continue
        early = subject is None and not auxiliaries
        sides["after" if child.i > verb.i else "openers" if early else "adverbs"].append(part)
    if verb.dep_ == "relcl":
        subject = relative_to(verb, subject)
    elif subject is None:
        subject, shared = shared_with(verb)
        auxiliaries = auxiliaries or shared
        if subject is None:
            subject, sides["openers"] = _behind_the_date(sides["openers"])
    if subject is None or any(token.lower_ not in _AUXILIARIES for token in auxiliaries[:1]):
        raise Unsure
    first = auxiliaries[0] if auxiliaries else verb
    past = first.tag_ == "VBD" or first.lower_ in ("was", "were", "had")
    if not past or (verb.tag_ == "VBG") or not agrees(subject.head, first) or verb.text[0].isupper():
        raise Unsure
    if any(token.tag_ == "MD" or token.lower_ in ("being", "get", "got") for token in auxiliaries):
        raise Unsure
    low = min([verb.i, *(a.i for a in auxiliaries)])
    high = max([verb.i + 1, *(p.end for p in sides["after"] if p.dep in (*_COMPLEMENTS, "agent"))])
    return Clause(
        sentence=sentence, doc=doc, verb=verb, subject=subject, auxiliaries=tuple(auxiliaries), negation=None,
        adverbs=tuple(sides["adverbs"]), openers=tuple(sides["openers"]), after=tuple(sides["after"]),
        start=low, end=high, cut=cut,
    )  # fmt: skip


def _behind_the_date(openers: list[Part]) -> tuple[Part | None, list[Part]]:
    """The subject that the parser joined to the date before it: "On 6 May 1901, Arn and Veld signed"."""
    for n, part in enumerate(openers):
        thing = next((c for c in part.head.children if c.dep_ == "pobj" and is_time(c)), None)
        name = next((c for c in thing.children if c.dep_ == "conj"), None) if thing is not None else None
        if thing is None or name is None or name.pos_ != "PROPN" or is_time(name) or name.right_edge.i + 1 != part.end:
            continue
        if part.head.doc[name.left_edge.i - 1].text == "," and not any(c.dep_ == "cc" for c in thing.children):
            date = Part(part.head, part.start, name.left_edge.i - 1)
            return Part(name, name.left_edge.i, part.end), [*openers[:n], date, *openers[n + 1 :]]
    return None, openers


def _quoted(verb: Token) -> bool:
    before = verb.doc[: verb.i].text
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def _end(verb: Token) -> tuple[int, bool]:
    """Where the clause stops: before what is co-ordinated with its verb, or at a semicolon."""
    doc = verb.doc
    last = len(doc) if verb.head == verb else verb.right_edge.i + 1
    semicolon = next((t.i for t in doc[verb.i : last] if t.text in (";", ":", "—", "–", "--")), last)
    joined = [child for child in verb.children if child.dep_ == "conj" and child.i > verb.i]
    if joined and joined[0].pos_ not in ("VERB", "AUX") and joined[0].i < semicolon:
        raise Unsure
    if not joined or joined[0].i > semicolon:
        return semicolon, False
    first = min(joined[0].left_edge.i, joined[0].i)
    while (doc[first - 1].dep_ in ("punct", "cc", "preconj") or doc[first - 1].lower_ == "yet") and first - 1 > verb.i:
        first -= 1
    return max(first, verb.i + 1), True


def _whole(head: Token, end: int) -> Part:
    start, stop = head.left_edge.i, min(head.right_edge.i + 1, end)
    if {token.i for token in head.subtree if token.i < end} != set(range(start, stop)):
        raise Unsure
    return Part(head, start, stop)


def _core(stated: Stated) -> Core:
    clause = stated.clause
    parts, nested = timed(clause)
    clause = replace(clause, after=tuple(parts))
    lead = led_by_year(clause)
    if lead is not None and clause.subject is not None:
        nested = lead
        name = clause.subject
        left = tuple(p for p in clause.openers if p.head != lead.tokens[0])
        clause = replace(clause, subject=Part(name.head, name.start + 1, name.end), openers=left)
    elif nested is None and clause.subject is not None:
        inner = inner_date(clause.subject)
        if inner is not None and inner.lower_ == "in":
            nested = Role("time", tuple(inner.subtree), next(c for c in inner.children if c.dep_ == "pobj"))
            clause = replace(clause, subject=Part(clause.subject.head, clause.subject.start, inner.i))
    stated = replace(stated, clause=clause)
    subject = asserted_subject(stated, gentle=True)
    openers = _gone(stated, clause.openers)
    adverbs = [found for part in clause.adverbs if (found := _inner(stated, part)) is not None]
    link, thing, preposition, others = _object(stated, parts)
    roles: list[Role] = [*openers, *_later(stated, others, needed=thing is None)]
    times = [found for found in (*roles, *adverbs) if found.kind == "time" and has_year(found)]
    if nested is not None:
        times.append(nested)
        roles.append(nested)
    if not times:
        shared = shared_time(stated)
        if shared is None:
            raise Unsure
        times.append(shared)
        roles.append(shared)
    if len(times) != 1 or any(one.kind == "condition" for one in roles):
        raise Unsure
    words = object_words(stated, thing, link, owned=True) if thing is not None else []
    if not words and not clause.passive and clause.verb.lemma_.lower() not in ONE_SIDED | _ALONE:
        raise Unsure  # "he wrote in 1901": nobody knows what
    if not words and clause.passive and clause.verb.lower_ in _MADE_WHAT:
        raise Unsure
    when = times[0]
    dated = (
        not words
        and clause.verb.lower_ in ("born", "died")
        and when.tokens[0].pos_ == "ADP"
        and when.start > clause.verb.i
    )
    if dated and len(when.tokens) > 1:
        roles.remove(when)
        words, preposition, link = list(when.tokens[1:]), when.tokens[0], "preposition"
    particle = next((p.head for p in parts if p.dep == "prt"), None)
    return Core(
        stated=stated,
        subject=tuple(subject),
        relation=relation_of(clause, particle, preposition),
        object=tuple(words),
        object_head=when.head if dated else thing.head if isinstance(thing, Part) else thing,
        preposition=preposition,
        link=link,
        roles=tuple(roles),
        adverbs=tuple(adverbs),
        particle=particle,
        negated=False,
        modal="",
        dated=dated,
    )


def _limited(tokens: Iterable[Token]) -> bool:
    return any(token.lower_ in _LIMITS or token.dep_ == "neg" for token in tokens)


def _gone(stated: Stated, parts: Iterable[Part]) -> list[Role]:
    """The roles of what stands before the subject; what has none is left out when nothing hangs on it."""
    found: list[Role] = []
    for part in parts:
        words = part.tokens
        if part.dep not in ("prep", "advcl", "advmod", "npadvmod", "nsubj") or words[0].i == stated.clause.verb.i:
            raise Unsure
        try:
            known = role(stated, part, opens=True)
            if known.kind == "time" and not has_year(known) and len(known.tokens) > 3:
                known = Role(DROPPED, (), part.head)
            found.append(known)
            continue
        except Unsure:
            pass
        if _limited(words) or _FICTION.search(words[0].doc[part.start : part.end].text):
            raise Unsure
        if part.dep == "advmod" and len(words) == 1 and part.head.lower_ not in _ADVERBS:
            raise Unsure
        if words[0].lower_ in ("if", "as") or (words[0].lower_ == "in" and any(t.text == '"' for t in words)):
            raise Unsure
    return found


def _inner(stated: Stated, part: Part) -> Role | None:
    """The role of what stands between subject and verb: adverbs, and what commas set off."""
    doc = part.head.doc
    if part.dep in ("prep", "advcl", "npadvmod") or len(part.tokens) > 1:
        if {t.i for t in part.tokens} <= parenthesised(doc):
            return None
        apart = doc[part.start - 1].text == "," and doc[part.end : part.end + 1].text == ","
        if not apart or _limited(part.tokens):
            raise Unsure
        known = _known_role(stated, part)
        return known if known is not None and known.kind == "time" else None
    if part.head.lower_ in ("first", "jointly"):
        return Role(KEPT, (part.head,), part.head)
    known = role(stated, part)
    return None if known.kind == "manner" else known


def _known_role(stated: Stated, part: Part) -> Role | None:
    try:
        return role(stated, part)
    except Unsure:
        return None


def _object(stated: Stated, parts: list[Part]) -> tuple[str, Part | Token | None, Token | None, list[Part]]:
    """How the object hangs on the verb, the object, its preposition, and the other parts after the verb."""
    clause = stated.clause
    after = [part for part in parts if part.dep != "prt"]
    complements = [part for part in after if part.dep in _COMPLEMENTS]
    if len(complements) > 1 or any(part.dep in ("ccomp", "pcomp", "xcomp") for part in after):
        raise Unsure
    if complements:
        found = complements[0]
        if found.dep in ("attr", "acomp", "oprd") and (
            found.dep == "acomp" or clause.verb.lemma_.lower() not in _MAKING
        ):
            raise Unsure
        link = "direct" if found.dep == "dobj" else "complement"
        return link, _without_aside(found), None, [part for part in after if part is not found]
    if clause.copular:
        raise Unsure
    agent = next((part for part in after if part.dep == "agent"), None)
    chosen = agent or _leading(stated, after)
    if chosen is None:
        return "", None, None, after
    thing = next((c for c in chosen.head.children if c.dep_ == "pobj"), None)
    if thing is None or any(c.dep_ == "conj" and c.pos_ == "ADP" for c in chosen.head.children):
        raise Unsure
    inner = Part(thing, thing.left_edge.i, min(thing.right_edge.i + 1, chosen.end))
    return "agent" if agent else "preposition", inner, chosen.head, [part for part in after if part is not chosen]


def _without_aside(part: Part) -> Part:
    """A noun up to the name or the clause that a comma sets off behind it."""
    doc = part.head.doc
    for child in part.head.children:
        first = child.left_edge.i
        if child.dep_ not in ("appos", "relcl", "acl") or not part.head.i < first < part.end:
            continue
        if any(_RANKED.search(t.lower_) for t in doc[part.start : part.head.i]):
            continue  # "the first settlement, Arn, on the coast"
        if doc[first - 1].text == "," and not any(
            t.dep_ in ("conj", "cc") for t in (*child.children, *part.head.children)
        ):
            return Part(part.head, part.start, first - 1)
    return part


def _leading(stated: Stated, after: list[Part]) -> Part | None:
    """The first prepositional part, when it stands at the verb and tells no time."""
    for part in after:
        if part.dep != "prep":
            continue
        if part.head.doc[part.start - 1].text == "," or tells_time(part):
            continue
        if part.head.lower_ in ("because", "due", "according", "after", "before", "during", "following", "since"):
            return None
        return part
    return None


def _later(stated: Stated, parts: list[Part], *, needed: bool) -> list[Role]:
    """The roles of the parts after the verb; what has no sure role is left out when the rest stays true without it."""
    found: list[Role] = []
    skip: Part | None = None
    for part, following in zip(parts, [*parts, None][1:], strict=True):
        if part is skip:
            continue
        if following is not None and part.head.lower_ == "from" and following.head.lower_ in ("to", "until", "through"):
            whole, last = role(stated, part), role(stated, following)
            if whole.kind != "time" or last.kind != "time":
                raise Unsure
            found.append(Role("time", (*whole.tokens, *last.tokens), last.head))
            skip = following
            continue
        known = _kept(stated, part)
        if known is not None:
            found.append(known)
    return found


def _kept(stated: Stated, part: Part) -> Role | None:
    words, doc = part.tokens, part.head.doc
    if words[0].lower_ == "for" and tells_year(part):
        raise Unsure
    if tells_time(part) and any(t.dep_ == "conj" for t in words) and words[0].lower_ != "between":
        raise Unsure
    apart = doc[part.start - 1].text == ","
    known = _known_role(stated, part)
    if known is not None:
        return None if known.kind in (DROPPED, "manner", "purpose") and apart else known
    if _limited(words) or part.dep in ("npadvmod", "parataxis", "appos", "oprd"):
        raise Unsure
    if part.dep == "advmod":
        if part.head.lower_ in _ADVERBS or (apart and len(words) > 1):
            return None
        raise Unsure
    if part.dep == "advcl":
        if words[0].lower_ in ("if", "unless", "until", "than") or (
            part.head.tag_ == "VB" and not apart and stated.clause.part("dobj") is None
        ):
            raise Unsure
        return None
    if part.dep == "prep" and (apart or words[0].lower_ in _LOOSE_HEADS):
        return None
    raise Unsure
