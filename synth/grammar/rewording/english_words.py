"""The words of an English question that can be said with others, as its parse has them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import word_set
from synth.grammar.rewording import english_lexicon as lexicon
from synth.grammar.rewording import english_verb_lexicon as verbs
from synth.grammar.rewording.english_forms import conjugated, plural

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_KIND = word_set("what which who whom whose how many much")
_GRADED = word_set("most more least less very so how too as")
_MAIN_OF_WHAT_KIND = word_set("school education key election election colour color care")
_NOT_OF_A_NUMBER = word_set("percentage proportion many number much share")


_JOINTS = frozenset("-/_.'’")


@dataclass(frozen=True, slots=True)
class Substitution:
    """Other words for some of a question's; each of `parts` is a range of characters and what comes there."""

    old: str
    new: str
    parts: tuple[tuple[int, int, str], ...]


def substitutions(doc: Doc) -> Iterator[Substitution]:
    """All that can be said otherwise, in order; several for one word, the better first."""
    asked = _asked(doc)
    for token in doc:
        if not token.text.islower() or token.i in asked or _joined(doc, token):
            continue
        if token.tag_.startswith("VB"):
            yield from _verb(doc, token)
        elif token.tag_ in ("NN", "NNS"):
            yield from _noun(token)
        elif token.tag_ in ("JJ", "JJS"):
            yield from _adjective(token)
        elif token.tag_ == "RB":
            yield from _adverb(token)
    yield from _phrases(doc)


def _joined(doc: Doc, token: Token) -> bool:
    """Whether a word is part of a larger one, as in "language-specific"."""
    before, after = doc.text[: token.idx][-1:], doc.text[token.idx + len(token) :][:1]
    return before in _JOINTS or after in _JOINTS


def _asked(doc: Doc) -> frozenset[int]:
    """The words that say what kind of answer is wanted: up to the auxiliary, with the noun they belong to."""
    found: set[int] = set()
    for token in doc[:8]:
        if token.lower_ in _KIND:
            found.add(token.i)
            if token.head.tag_ in ("NN", "NNS") and token.head.i > token.i:
                found.update(range(token.i, token.head.i + 1))
    return frozenset(found)


def _whole(token: Token, new: str) -> Substitution:
    return Substitution(token.text, new, ((token.idx, token.idx + len(token), new),))


def _noun(token: Token) -> Iterator[Substitution]:
    alone = token.dep_ != "compound" and all(child.dep_ not in ("compound", "nummod") for child in token.children)
    after = token.nbor() if token.i + 1 < len(token.doc) else None
    if not alone or (after is not None and (after.text.startswith(("-", "'", "’")) or after.tag_.startswith("NN"))):
        return
    for said in lexicon.NOUNS.get(token.lemma_.lower(), ()):
        yield _whole(token, plural(said) if token.tag_ == "NNS" else said)


def _adjective(token: Token) -> Iterator[Substitution]:
    if token.dep_ != "amod" or token.head.i < token.i or (token.i and token.nbor(-1).lower_ in _GRADED):
        return
    if token.lower_ in ("primary", "main", "prior") and token.head.lower_ in _MAIN_OF_WHAT_KIND:
        return
    for said in lexicon.ADJECTIVES.get(token.lower_, ()):
        yield _whole(token, said)


def _adverb(token: Token) -> Iterator[Substitution]:
    if token.i and token.nbor(-1).lower_ in _GRADED:
        return
    for said in lexicon.ADVERBS.get(token.lower_, ()):
        if " " not in said or token.i == len(token.doc) - 2:
            yield _whole(token, said)


def _phrases(doc: Doc) -> Iterator[Substitution]:
    low = doc.text
    for phrase, saids in lexicon.PHRASES.items():
        at = low.find(f" {phrase} ")
        if at >= 0:
            for said in saids:
                yield Substitution(phrase, said, ((at + 1, at + 1 + len(phrase), said),))


def _verb(doc: Doc, token: Token) -> Iterator[Substitution]:
    children = list(token.children)
    deps = {child.dep_ for child in children}
    if token.i + 1 < len(doc) and f"{token.lemma_} {token.nbor().lower_}" in verbs.WITH_PARTICLE:
        yield from _with_particle(token)
        return
    if deps & {"prt", "neg", "acomp"} or token.dep_ in ("aux", "auxpass", "amod", "compound"):
        return
    lemma, has_object = token.lemma_.lower(), bool(deps & {"dobj", "nsubjpass"}) or _is_passive(token)
    infinitive = any(c.dep_ == "xcomp" and any(g.lower_ == "to" for g in c.children) for c in children)
    named = "oprd" in deps
    prepositions = [
        child
        for child in children
        if child.dep_ == "prep" and child.i > token.i and all(below.dep_ != "pcomp" for below in child.children)
    ]
    with_prepositions = [(p, f"{lemma} {p.lower_}") for p in prepositions]
    parted = lemma in verbs.PARTED or not has_object
    known = [(p, key) for p, key in with_prepositions if parted and key in verbs.WITH_PREPOSITION]
    if named:
        yield from _inflected(token, verbs.WITH_COMPLEMENT.get(lemma, ()))
    elif infinitive:
        table = verbs.WITH_OBJECT_AND_INFINITIVE if has_object else verbs.WITH_INFINITIVE
        yield from _inflected(token, table.get(lemma, ()))
    elif known:
        yield from _with_preposition(token, *known[0])
    elif has_object and not any(child.dep_ == "prep" and child.lower_ in ("as", "into") for child in prepositions):
        objects = [child for child in children if child.dep_ in ("dobj", "nsubjpass")]
        objects += [token.head] if token.dep_ == "acl" else []
        plain = not any(one.dep_ == "dobj" and one.pos_ == "PRON" and one.i > token.i for one in objects)
        # Bodies and laws have names, and are not "made".
        plain = plain and not (lemma == "create" and any(one.tag_.startswith("NNP") for one in objects))
        # "What should you use" asks for advice, in which nobody says "employ".
        if plain and not (lemma == "use" and token.tag_ not in ("VBZ", "VBD")):
            yield from _inflected(token, verbs.WITH_OBJECT.get(lemma, ()))
    elif not deps & {"ccomp", "xcomp", "dobj", "dative"}:
        saids = verbs.WITHOUT_OBJECT.get(lemma, ())
        yield from _inflected(token, saids[1:] if _many_die(doc, lemma) else saids)


def _many_die(doc: Doc, lemma: str) -> bool:
    """Whether many die, who do not pass away."""
    return lemma == "die" and any(token.lower_ in _NOT_OF_A_NUMBER for token in doc[:4])


def _is_passive(token: Token) -> bool:
    return token.tag_ == "VBN" and all(child.lower_ not in ("have", "has", "had") for child in token.children)


def _form(token: Token) -> str:
    """The tag of a verb; after "did" it is the base form, whatever the parse has."""
    after_did = any(before.lower_ in ("do", "does", "did") for before in token.doc[: token.i])
    return "VB" if after_did and token.tag_ in ("VBD", "VBP") and token.lower_ == token.lemma_ else str(token.tag_)


def _with_particle(token: Token) -> Iterator[Substitution]:
    after = token.nbor()
    key = f"{token.lemma_} {after.lower_}"
    for said in verbs.WITH_PARTICLE[key]:
        made = conjugated(said, _form(token))
        yield Substitution(f"{token.text} {after.text}", made, ((token.idx, after.idx + len(after), made),))


def _inflected(token: Token, saids: tuple[str, ...]) -> Iterator[Substitution]:
    for said in saids:
        if said.startswith("~") and _is_passive(token):
            continue
        yield _whole(token, conjugated(said.removeprefix("~"), _form(token)))


def _with_preposition(token: Token, preposition: Token, key: str) -> Iterator[Substitution]:
    """A verb and its preposition, which may stand apart: "convert the mill into" as "turn the mill into"."""
    for said in verbs.WITH_PREPOSITION[key]:
        verb, _, last = said.rpartition(" ")
        new_verb, new_preposition = (verb, last) if verb else (said, "")
        made = conjugated(new_verb, _form(token))
        start, end = preposition.idx, preposition.idx + len(preposition)
        gap = (start, end, new_preposition) if new_preposition else (start - 1, end, "")
        old, new = f"{token.text} {preposition.text}", f"{made} {new_preposition}".strip()
        yield Substitution(old, new, ((token.idx, token.idx + len(token), made), gap))
