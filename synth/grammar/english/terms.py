"""The terms of a fact: words of a sentence with their place in the document, and whether they read alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import FIRST_PERSON, PLACEHOLDERS, POSSESSIVES, PRONOUNS, TYPE_NOUNS, word_set
from synth.grammar.english.phrases import Unsure, contiguous, is_name, is_person, lean, unresolved, vague
from synth.grammar.english.proposals import Stated, names_person
from synth.grammar.english.wording import bare_name, phrase
from synth.records import Term

if TYPE_CHECKING:
    from spacy.tokens import Token

_NEEDED = word_set("necessary needed required relevant appropriate corresponding respective")
_POINTERS = word_set(
    "this these those such above below following previous preceding former latter same here there then other others "
    "another otherwise both either neither latter aforementioned respective respectively else etc one ones so thus"
)
_OPENED = ("relcl", "ccomp")
_UNCERTAIN = word_set("no nobody nothing none few little hardly not nor n't neither any anything anyone")
_SMALL_POINTERS = re.compile(
    r"\bthe (?:first|second|third|last|next|other|rest|two|three|four|five|six)$|\bthe next\b|"
    r"\b(?:and so on|and more|and others|for example|as well|see|in order|of course)\b|\b(?:instead|rather) |"
    r"\b(?:Figure|Table|Chapter|Section) \d|[;:…]| – |—",
    re.I,
)
_PLACES = word_set("GPE LOC FAC")
_PROFESSION = re.compile(
    r"(?:[aeioug]ist|ician|ographer|ologist|maker|player|singer|writer|footballer|banjoist|dancer|swimmer)$"
)
_PRODUCT = re.compile(r"[a-z][A-Z]{2}|\d|[A-Z][a-z]+[A-Z][a-z]+DB")
_PLACE_HEADS = word_set(
    "airport bay bridge canal castle cathedral channel church city country county desert district empire forest "
    "harbour harbor hospital island kingdom lake library mountain museum ocean palace park peninsula planet port "
    "province region river road rock school sea state station street temple territory tower town tunnel university "
    "valley village volcano lighthouse reef"
)
_BODIES = word_set(
    "band army association authority band bank board bureau church college commission committee company corporation "
    "council court department foundation government group house institute institution league ministry museum "
    "network office orchestra parliament party police school senate society team tribunal union university agency"
)
_QUOTED = re.compile(r'(?<![^\s(])"[^\s"](?:[^"]*[^\s"])?"(?!\w)')
_PERSONAL = word_set("his her he she him")
_WORKS = word_set(
    "act album book code film gazette magazine newspaper novel opera play poem series show song treaty serial sequel "
    "episode single movie musical"
)


def place(stated: Stated, tokens: Sequence[Token]) -> tuple[int, int]:
    """Where `tokens` stand in the document. Raises Unsure when there is a gap in them."""
    run = contiguous(list(tokens))
    if run is None:
        raise Unsure
    first, last = tokens[0], tokens[-1]
    return stated.clause.sentence.body.origin(first.idx, last.idx + len(last.text))


def noun(stated: Stated, tokens: Sequence[Token], head: Token) -> Term:
    """A subject or an object. Raises Unsure when it does not read alone or is not one run of words."""
    start, end = place(stated, tokens)
    return Term(
        text=said(stated, tokens),
        start=start,
        end=end,
        head=base_form(stated, head),
        kind=kind_of(stated, tokens, head),
    )


def qualifier(stated: Stated, tokens: Sequence[Token], kind: str, head: Token | None = None) -> Term:
    """A qualifier of a kind, in the words of the sentence."""
    start, end = place(stated, tokens)
    core = head if head is not None else tokens[0]
    return Term(text=said(stated, tokens), start=start, end=end, head=base_form(stated, core), kind=kind)


def said(stated: Stated, tokens: Sequence[Token]) -> str:
    """`tokens` as inside a sentence: names in full, and otherwise word for word."""
    first, last = tokens[0], tokens[-1]
    page = stated.page
    if any(page.understood(token) or bare_name(token, page) for token in tokens):
        return inside(stated, list(tokens))
    text = first.doc.text[first.idx : last.idx + len(last.text)]
    if first.i == 0 and first.i not in stated.code:
        opening = inside(stated, [first])
        text = opening + text[len(opening) :] if opening.lower() == text[: len(opening)].lower() else text
    return text


def inside(stated: Stated, items: Sequence[str | Token]) -> str:
    """`items` as they read inside a sentence: "four ships", though "Four ships" stood first."""
    text = phrase(items, stated.page, stated.code)
    first = next((one for one in items if not isinstance(one, str) and one.i == 0), None)
    if first is None or first.i in stated.code or not first.text.isalpha() or first.text.isupper():
        return text
    if (
        first.dep_ in ("amod", "compound", "nmod", "nummod")
        and first.head.text[:1].isupper()
        and first.head.pos_ == "PROPN"
    ):
        return re.sub(rf"\b{first.lower_}(?= )", str(first.text), text, count=1)
    if first.lower_ in ("a", "an") and first.head.pos_ == "PROPN" and first.head.text[:1].isupper():
        return re.sub(rf"\b{first.lower_}(?= )", str(first.text), text, count=1)  # a title: "A Race for Life"
    if first.pos_ == "NUM":
        return re.sub(rf"\b{first.text}\b", first.text.lower(), text, count=1)
    return text


def base_form(stated: Stated, head: Token) -> str:
    """The base form of a noun; names and code stay as they are."""
    if stated.page.understood(head) and stated.page.meant:
        return stated.page.meant.split()[-1]
    if head.i in stated.code or head.pos_ in ("PROPN", "NUM") or not head.text.isalpha():
        return str(head.text)
    return str(head.lemma_.lower())


def kind_of(stated: Stated, tokens: Sequence[Token], head: Token) -> str:
    """The kind of an entity that a noun phrase names, "" when it names none."""
    page, code = stated.page, stated.code
    if page.understood(head):
        return "person" if head.lower_ in ("he", "she") else "name"
    if head.i in code:
        return "code"
    if not is_name(head, code) or head.text.isdigit() or head.pos_ not in ("PROPN", "NOUN", "X"):
        return ""
    if any(token.dep_ == "conj" and token.head == head for token in tokens):
        return ""
    word = head.lemma_.lower()
    for known, kind in ((_BODIES, "organisation"), (_PLACE_HEADS, "place"), (_WORKS, "work")):
        if word in known and head.text[0].isupper():
            return kind
    if word in TYPE_NOUNS:
        return "name"
    if word in ("hall", "house", "park", "square", "street"):
        return "name"
    if names_person(head, page, code) and not _PRODUCT.search(head.text):
        return "person"
    titled = [t for t in tokens if t.i < head.i and t.pos_ == "NOUN" and is_person(t)]
    if titled and head.ent_type_ == "PERSON":
        return "person"
    if head.pos_ != "PROPN":
        return ""
    if head.ent_type_ in ("DATE", "TIME"):
        return ""
    if page.addressed:
        return "name"
    if head.ent_type_ in _PLACES:
        return "place"
    if head.ent_type_ == "ORG" and not (head.text.isupper() or sum(t.pos_ == "PROPN" for t in tokens) > 1):
        return "name"
    return {"ORG": "organisation", "WORK_OF_ART": "work", "LAW": "work"}.get(head.ent_type_, "name")


def kind_defined(definition: Token, kind: str) -> str:
    """The kind of a name that is said to be such a thing as `definition`; `kind` where that tells nothing."""
    word = definition.lemma_.lower()
    if kind in ("", "code"):
        return kind
    if word in _WORKS:
        return "work"
    if word in _PLACE_HEADS:
        return "place"
    if word in _BODIES:
        return "organisation"
    human = is_person(definition) or bool(_PROFESSION.search(word))
    return "person" if definition.pos_ == "NOUN" and human else kind


def alone(stated: Stated, tokens: Sequence[Token], *, owner: Token | None = None, clausal: bool = False) -> None:
    """Raises Unsure when `tokens` point to something that they do not name.

    `owner` may be meant by "its" and "their" in them, when number allows, and in a clause (`clausal`) by "it".
    """
    text = " ".join(token.text for token in tokens if token.i not in stated.code)
    if not tokens or _SMALL_POINTERS.search(text) or tokens[0].doc.text[tokens[0].idx :].startswith("("):
        raise Unsure
    for token in tokens:
        if token.i not in stated.code and not stated.page.understood(token):
            _check(token, tokens, owner, clausal=clausal)
    if any(t.i in stated.code and (t.text.endswith("=") or placeholder(t)) for t in tokens):
        raise Unsure
    written = tokens[0].doc.text[tokens[0].idx : tokens[-1].idx + len(tokens[-1].text)]
    if '"' in _QUOTED.sub("", written) or text.count("(") != text.count(")"):
        raise Unsure


def _check(token: Token, tokens: Sequence[Token], owner: Token | None, *, clausal: bool) -> None:
    word = token.lower_
    if word in FIRST_PERSON or word in _UNCERTAIN:
        raise Unsure
    if word in _POINTERS and not _harmless(token):
        raise Unsure
    if word in _NEEDED and token.dep_ == "amod" and any(c.lower_ == "the" for c in token.head.children):
        raise Unsure  # "the necessary Act": for what, the text around says
    if word in POSSESSIVES or word in ("it", "they", "them", "he", "she", "him", "itself", "themselves"):
        meant = owner is not None and fits(token, owner, tokens) and (clausal or word in POSSESSIVES)
        if not meant and not ((clausal or word in POSSESSIVES) and _fits_inside(token, tokens)):
            raise Unsure
    elif word in PRONOUNS:
        if word not in ("who", "which", "whose", "whom", "what") or token.i <= tokens[0].i:
            raise Unsure
    elif word == "that" and token.dep_ in ("det", "pobj", "dobj", "nsubj") and token.head.dep_ not in _OPENED:
        raise Unsure


def _harmless(token: Token) -> bool:
    """Whether a pointing word is none here: "such as", "each other", "both A and B", "one of the ..."."""
    following = token.doc[token.i + 1 : token.i + 2].text.lower()
    before = token.doc[token.i - 1].lower_ if token.i else ""
    if token.lower_ == "such":
        return following == "as"
    if token.lower_ == "other":
        return before == "each" or following == "than"
    if token.lower_ in ("both", "either"):
        return any(t.lower_ in ("and", "or") for t in token.doc[token.i + 1 : token.i + 8])
    if token.lower_ == "one":
        return token.pos_ == "NUM" and following not in ("", ".", ",", "is", "was")
    return token.lower_ == "same" and following in ("time", "way")


def fits(token: Token, owner: Token, tokens: Iterable[Token]) -> bool:
    """Whether a pronoun inside a phrase means `owner`, the subject, and can mean nothing else in the phrase."""
    word = token.lower_
    plural = owner.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in owner.children)
    person = owner.ent_type_ == "PERSON" or owner.lower_ in ("he", "she") or is_person(owner)
    person = person or (word in _PERSONAL and owner.pos_ == "PROPN" and owner.ent_type_ in ("", "PERSON"))
    if word in ("his", "her", "he", "she", "him"):
        right = person and not plural
    elif word in ("its", "it", "itself"):
        right = not plural and not person
    else:
        right = plural
    tags = ("NNS", "NNPS") if plural else ("NN", "NNP")
    before = [t for t in tokens if t.i < token.i and t.tag_ in tags and t.dep_ not in ("compound", "poss")]
    if person and not plural:
        before = [t for t in before if is_person(t)]
    return right and not before


def _fits_inside(token: Token, tokens: Iterable[Token]) -> bool:
    """Whether "its", "it", "their" or "they" has its one noun earlier in the same phrase."""
    tags = {"its": ("NN", "NNP"), "it": ("NN", "NNP"), "their": ("NNS", "NNPS"), "they": ("NNS", "NNPS")}
    mine = tags.get(token.lower_, ())
    return sum(t.i < token.i and t.tag_ in mine and t.dep_ not in ("compound", "poss") for t in tokens) == 1


def essential(part_tokens: Iterable[Token]) -> list[Token]:
    """The words of a noun phrase without asides. Raises Unsure when nothing telling is left."""
    words = lean(part_tokens)
    if not words or words[-1].tag_ in ("IN", "TO", "CC", "DT", "WDT", "WP"):
        raise Unsure
    return words


def introduced(stated: Stated, tokens: Sequence[Token]) -> bool:
    """Whether no definite noun among `tokens` needs what was said before."""
    return not unresolved(tokens, stated.code)


def empty(head: Token, tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase says too little: "things", "the reason"."""
    return vague(head) and not any(
        t.dep_ in ("prep", "relcl", "acl", "compound", "amod") and t.head == head for t in tokens
    )


def placeholder(token: Token) -> bool:
    """Whether a piece of inline code is a name made up for an example."""
    return any(piece in PLACEHOLDERS for piece in re.split(r"[^a-z]+", token.lower_))


def whole(stated: Stated, words: list[Token]) -> None:
    """Raises Unsure when a phrase was cut before a word that belongs to it: "a path" of "a path `/users`"."""
    before = words[0].doc[max(0, words[0].i - 1) : words[0].i]
    if len(before) and before[0].pos_ == "PROPN":
        raise Unsure
    following = words[-1].doc[words[-1].i + 1 : words[-1].i + 2]
    if len(following) and not following[0].is_punct:
        token = following[0]
        if token.i in stated.code or token.pos_ in ("NUM", "PROPN", "NOUN"):
            raise Unsure
