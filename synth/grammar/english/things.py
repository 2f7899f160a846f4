"""Constructions that ask for a thing: who did it, what it did, what it is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Clause, Part
from synth.grammar.english.lexicon import (
    HUMAN_VERBS,
    NAMING,
    SPECIFIC_VERBS,
    STRANDING,
    THING_NOUNS,
    TYPE_NOUNS,
    word_set,
)
from synth.grammar.english.phrases import Unsure, is_name, is_person, lean
from synth.grammar.english.proposals import (
    Proposal,
    Stated,
    asked_for,
    is_purpose,
    later,
    moved,
    names_person,
    propose,
    rest,
    subject_words,
)
from synth.grammar.english.wording import finite, inverted, kept_adverb, lemma_of, past, third_person

if TYPE_CHECKING:
    from spacy.tokens import Token


_LIGHT_VERBS = word_set("have make take give do get put keep let play see say become need want know mean show go come")
_BROAD_VERBS = word_set("provide offer include support contain use produce feature create")
_CONTROLLING = word_set("invite tell ask allow enable inspire force want order urge permit persuade help lead cause")
_LIVING = word_set("die marry study practice practise live teach pass accept reject believe")
_TOOL_VERBS = word_set("use pass install set call import inherit override combine run enable")
_TIMES_AND_AMOUNTS = word_set("DATE TIME CARDINAL QUANTITY PERCENT MONEY")


def subject(fact: Stated) -> Iterator[Proposal]:
    """ "Who discovered oxygen in 1774?", "What is the capital of X?" """
    clause = fact.clause
    if clause.subject is None or clause.negation is not None or clause.subject.head.pos_ not in ("NOUN", "PROPN", "X"):
        return
    if clause.part("agent") is not None or clause.verb.lemma_ in ("include", "contain", "comprise", "mean", "have"):
        return
    if clause.verb.lemma_ in NAMING or clause.verb.lemma_ == "rename":
        return
    attribute = clause.part("attr", "acomp")
    if clause.copular and (attribute is None or attribute.dep == "acomp" or not _identifies(attribute)):
        return
    kept = rest(fact)
    if not kept:
        return
    asked, answer = asked_for(clause.subject, fact.page, fact.code)
    if attribute is not None and asked in (["who"], ["what"]):
        kept_who = asked == ["who"] and attribute.head.lemma_.lower() not in THING_NOUNS
        asked = ["who"] if is_person(attribute.head) or kept_who else ["what"]
    if asked == ["what"] and clause.subject.head.pos_ == "PROPN" and not clause.passive:
        asked = ["who"] if clause.verb.lemma_ in HUMAN_VERBS | _LIVING and not fact.page.addressed else asked
    if (asked == ["who"] and clause.passive and len(answer) == 1) or (answer and answer[0].like_num):
        return
    if asked == ["what"] and not clause.copular and not fact.page.addressed and _faceless(clause.subject.head):
        return
    plural = clause.copular and attribute is not None and attribute.head.tag_ in ("NNS", "NNPS")
    group = inverted(clause)[0] if plural else finite(clause)
    base = 0.74 if clause.copular or asked[0] == "who" else 0.68 if asked[0] != "what" else 0.52
    if asked == ["who"] and len(answer) == 1:
        base -= 0.06
    if clause.verb.lower_ == "used" and not any(is_purpose(p) or p.head.lower_ == "for" for p in clause.after):
        return
    helping = clause.verb.lemma_ in ("allow", "enable", "let", "help") or clause.verb.lower_ in (
        "used",
        "required",
        "needed",
    )
    if helping and asked != ["who"] and any(is_name(t, fact.code) for t in answer if t.text not in fact.page.topics):
        base = 0.72
    yield from propose(fact, "subject", base, [*asked, *group, *kept], answer)


def _faceless(head: Token) -> bool:
    """Whether nothing says what kind of thing a name names, so that neither "who" nor "what" is sure."""
    return head.pos_ == "PROPN" and head.ent_type_ in ("", "GPE", "LOC", "NORP", "PERSON")


def _identifies(attribute: Part) -> bool:
    """Whether "X is the first ..." says which one, so that its subject is the one answer."""
    head = attribute.head
    if head.pos_ not in ("NOUN", "PROPN") or not any(c.dep_ == "det" and c.lower_ == "the" for c in head.children):
        return False
    strong = any(
        (c.dep_ == "amod" and (re.search(r"est$|^(first|last|only|second|third|main|primary|largest)$", c.lower_)))
        or (c.dep_ == "amod" and any(g.lower_ == "most" for g in c.children))
        for c in head.children
    )
    return strong or any(c.dep_ == "prep" and c.lower_ == "of" for c in head.children)


def object_(fact: Stated) -> Iterator[Proposal]:
    """ "What did Lavoisier name oxygen?", "What can you use to receive files?" """
    clause = fact.clause
    direct = clause.part("dobj")
    if (
        direct is None
        or clause.passive
        or clause.negation
        or clause.subject is None
        or clause.verb.lemma_ in _LIGHT_VERBS
    ):
        return
    if any(t.lower_ == "as" and t.head == direct.head for t in direct.tokens):
        return
    if direct.tokens[0].tag_ == "PRP$" or any(
        t.ent_type_ in _TIMES_AND_AMOUNTS or t.like_num for t in (direct.head, direct.tokens[0])
    ):
        return
    named = clause.part("oprd") or any(p.head.lower_ in ("as", "after", "for") for p in clause.after)
    if (clause.verb.lemma_ in NAMING or clause.verb.lemma_ == "rename") and not named:
        return
    if direct.head.pos_ not in ("NOUN", "PROPN", "X", "ADJ") and direct.head.i not in fact.code:
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    kept = rest(fact, direct)
    if any(p.dep in ("oprd", "attr", "acomp", "ccomp", "dative", "xcomp") and not is_purpose(p) for p in clause.after):
        return
    if clause.verb.lemma_ in _CONTROLLING and clause.part("xcomp", "advcl") is not None:
        return
    addressed = clause.subject.head.lower_ == "you"
    if addressed and not (_able(clause) and any(is_purpose(p) or _when(p) for p in (*clause.after, *clause.openers))):
        return
    deed = clause.verb.lemma_ in _TOOL_VERBS
    base = (0.8 if deed else 0.6) if addressed else 0.72 if clause.verb.lemma_ in SPECIFIC_VERBS else 0.65
    if clause.verb.lemma_ in _BROAD_VERBS:
        base -= 0.08
    if not kept and clause.verb.lemma_ not in SPECIFIC_VERBS:
        base -= 0.1
    if direct.head.ent_type_ in ("GPE", "LOC") and direct.head.i not in fact.code:
        base -= 0.15
    asked, answer = asked_for(direct, fact.page, fact.code)
    if asked == ["who"] and clause.verb.lemma_ in _BROAD_VERBS:
        return
    yield from propose(fact, "object", base, [*asked, *front, *words, *group, *kept], answer)


def _able(clause: Clause) -> bool:
    return [token.lower_ for token in clause.auxiliaries] in (["can"], ["could"], ["should"], ["must"])


def _when(part: Part) -> bool:
    return part.dep == "advcl" and part.tokens[0].lower_ in ("if", "when")


def agent(fact: Stated) -> Iterator[Proposal]:
    """A passive turned round: "Who excommunicated Luther in 1521?" """
    clause = fact.clause
    by = clause.part("agent")
    if by is None or not clause.passive or clause.negation or clause.subject is None:
        return
    objects = [child for child in by.head.children if child.dep_ == "pobj"]
    if not objects:
        return
    words = subject_words(fact)
    if any(token.tag_ == "MD" for token in clause.auxiliaries):
        return
    loose = [p for p in clause.after if p.dep == "advmod"]
    asked, answer = asked_for(Part(objects[0], by.start + 1, by.end), fact.page, fact.code)
    if asked == ["what"] and not fact.page.addressed and (objects[0].ent_type_ or objects[0].pos_ == "PROPN"):
        asked = ["who"] if clause.verb.lemma_ in HUMAN_VERBS | _LIVING else asked
    yield from propose(
        fact,
        "agent",
        0.78 if asked != ["what"] else 0.6,
        [*asked, *_active(fact), *words, *rest(fact, by, *loose)],
        answer,
    )


def _active(fact: Stated) -> list[str | Token]:
    """The verb group of the active voice, third person singular."""
    clause = fact.clause
    verb = clause.verb
    group = [token.lower_ for token in clause.auxiliaries]
    adverbs: list[str | Token] = [t for part in clause.adverbs for t in kept_adverb(part)]
    if group in (["was"], ["were"]):
        return [*adverbs, past(verb)]
    if group in (["is"], ["are"]):
        return [*adverbs, third_person(lemma_of(verb))]
    if len(group) == 2 and group[1] == "be":
        return [group[0], *adverbs, lemma_of(verb)]
    if len(group) == 2 and group[1] == "been":
        return ["has" if group[0] == "have" else group[0], *adverbs, verb.text]
    raise Unsure


def naming(fact: Stated) -> Iterator[Proposal]:
    """ "What is ascorbic acid also known as?" """
    clause = fact.clause
    if not clause.passive or clause.verb.lemma_ not in NAMING or clause.negation:
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    also = ["also"] if any(part.head.lower_ == "also" for part in clause.adverbs) else []
    for part in clause.after:
        if part.dep == "oprd":
            items: list[str | Token] = ["what", *front, *words, *also, *group, *rest(fact, part)]
            yield from propose(fact, "naming", 0.78, items, lean(part.tokens))
        elif part.dep == "prep" and part.head.lower_ == "as":
            items = ["what", *front, *words, *also, *group, "as", *rest(fact, part)]
            yield from propose(fact, "naming", 0.78, items, lean(part.tokens[1:]))


def stranded(fact: Stated) -> Iterator[Proposal]:
    """ "What does bubonic plague result from?", "What is the Rhine divided into?" """
    clause = fact.clause
    for part in clause.after:
        holder = part
        preposition: Token | None = part.head if part.dep == "prep" else None
        word = clause.verb.lemma_.lower()
        if part.dep == "acomp":
            preposition = next((c for c in part.head.children if c.dep_ == "prep" and c.i > part.head.i), None)
            word = part.head.lower_
        if preposition is None or (word, preposition.lower_) not in STRANDING:
            continue
        objects = [c for c in preposition.children if c.dep_ in ("pobj", "pcomp")]
        if clause.doc[holder.start - 1].text == ",":
            continue
        if clause.subject is not None and clause.subject.head.lower_ == "you" and clause.part("dobj") is not None:
            continue
        if not objects or preposition.right_edge.i + 1 != holder.end or clause.negation:
            continue
        words, (front, group) = subject_words(fact), inverted(clause)
        before = lean([t for t in holder.tokens if t.i < preposition.i]) if part.dep == "acomp" else []
        person = objects[0].pos_ == "PROPN" and names_person(objects[0], fact.page, fact.code)
        asked = "who" if person else "what"
        answer = lean([t for t in holder.tokens if t.i > preposition.i])
        if objects[0].dep_ == "pcomp" and any(c.dep_ in ("nsubj", "mark") for c in objects[0].children):
            continue
        if word == "import" and preposition.lower_ == "from":
            asked = "where"
        items: list[str | Token] = [asked, *front, *words, *group, *later(fact, 0, end=holder.start), *before]
        if preposition.right_edge.i + 1 < len(clause.doc) and any(
            p.start == holder.end and p.dep == "prep" for p in clause.after
        ):
            continue
        items += [preposition, *later(fact, holder.end), *moved(fact)]
        yield from propose(fact, "stranded", 0.73, items, answer)


def having(fact: Stated) -> Iterator[Proposal]:
    """ "Models have a dump() method that returns a dict." -> "Which method of models returns a dict?" """
    clause = fact.clause
    direct = clause.part("dobj")
    if (
        clause.verb.lemma_ not in ("have", "provide", "offer")
        or direct is None
        or clause.subject is None
        or clause.negation
    ):
        return
    head = direct.head
    named = [t for t in direct.tokens if t.i < head.i and is_name(t, fact.code)]
    relative = next((c for c in head.children if c.dep_ == "relcl" and c.tag_ == "VBZ"), None)
    if head.lemma_.lower() not in TYPE_NOUNS or head.tag_ != "NN" or not named or relative is None:
        return
    if (
        relative.left_edge.lower_ not in ("that", "which")
        or relative.left_edge.dep_ != "nsubj"
        or len(clause.after) > 1
    ):
        return
    told = lean([t for t in direct.tokens if t.i > relative.left_edge.i])
    items: list[str | Token] = ["which", head, "of", *subject_words(fact), *told]
    yield from propose(fact, "having", 0.78, items, [t for t in direct.tokens if t.i <= head.i])


CONSTRUCTIONS = (subject, object_, agent, naming, stranded, having)
