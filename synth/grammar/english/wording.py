"""Putting a question together: inversion, inflection, capitals and spaces."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Clause, Constituent
from synth.grammar.english.lexicon import DROPPED_ADVERBS, SOFTENERS, word_set
from synth.grammar.english.page import Page
from synth.grammar.english.phrases import Unsure, lean
from synth.text.inflection import IRREGULAR_PAST, third_person

if TYPE_CHECKING:
    from spacy.tokens import Token

_FUNCTION = word_set("DET SCONJ ADP CCONJ PRON AUX ADV PART")
_SINGULAR = {
    "are": "is",
    "were": "was",
    "have": "has",
    "'re": "is",
    "'ve": "has",
    "’re": "is",
    "’ve": "has",
    "do": "does",
}
_PLAIN = {
    "ca": "can", "wo": "will", "'ll": "will", "’ll": "will", "'re": "are", "’re": "are", "'ve": "have", "’ve": "have",
    "n't": "not", "n’t": "not", "sha": "shall", "'m": "am",
}  # fmt: skip


def plain_word(token: Token) -> str:
    """A function word with its contraction undone. Raises Unsure for one that can mean two things."""
    word = token.lower_
    if word in ("'s", "’s") and token.dep_ in ("aux", "auxpass", "ROOT"):
        return "has" if token.lemma_ == "have" else "is"
    if word in ("'d", "’d"):
        raise Unsure
    return _PLAIN.get(word, word)


def inverted(clause: Clause) -> tuple[list[str | Token], list[str | Token]]:
    """The auxiliary that goes before the subject, and the rest of the verb group, in a question.

    Raises Unsure when the parse gives no clear tense.
    """
    verb = clause.verb
    if verb.text[0].isupper() and verb.i > 0:
        raise Unsure
    adverbs: list[str | Token] = [token for part in clause.adverbs for token in kept_adverb(part)]
    no: list[str | Token] = ["not"] if clause.negation is not None else []
    if clause.auxiliaries:
        first, *others = clause.auxiliaries
        if first.tag_ not in ("MD", "VBZ", "VBP", "VBD") or any(token.lower_ == "to" for token in clause.auxiliaries):
            raise Unsure
        rest = [*no, *(plain_word(token) for token in others), *adverbs, verb.text]
        return [plain_word(first)], rest
    if clause.copular:
        if verb.tag_ not in ("VBZ", "VBP", "VBD"):
            raise Unsure
        return [plain_word(verb)], [*no, *adverbs]
    if no or verb.tag_ not in ("VBZ", "VBP", "VBD"):
        raise Unsure
    return [{"VBZ": "does", "VBP": "do", "VBD": "did"}[verb.tag_]], [*adverbs, lemma_of(verb)]


def lemma_of(verb: Token) -> str:
    """The base form of a verb. Raises Unsure when the parser's is not one."""
    lemma = {"instal": "install", "enrol": "enroll", "fulfil": "fulfill"}.get(verb.lemma_.lower(), verb.lemma_.lower())
    word = verb.lower_
    if not lemma.isalpha() or (lemma[:1] != word[:1] and lemma not in ("go", "be")):
        raise Unsure
    if verb.tag_ == "VBD" and lemma == word and IRREGULAR_PAST.get(lemma) != word:
        raise Unsure
    return str(lemma)


def finite(clause: Clause) -> list[str | Token]:
    """The verb group after "who" or "what": the finite verb in the singular.

    Raises Unsure when there is no clear finite verb.
    """
    verb = clause.verb
    adverbs: list[str | Token] = [token for part in clause.adverbs for token in kept_adverb(part)]
    no: list[str | Token] = ["not"] if clause.negation is not None else []
    if clause.auxiliaries:
        first, *others = [plain_word(token) for token in clause.auxiliaries]
        if clause.auxiliaries[0].tag_ not in ("MD", "VBZ", "VBP", "VBD"):
            raise Unsure
        return [_SINGULAR.get(first, first), *no, *others, *adverbs, verb.text]
    if clause.copular:
        word = plain_word(verb)
        return [_SINGULAR.get(word, word), *no, *adverbs]
    if no or verb.tag_ not in ("VBZ", "VBP", "VBD"):
        raise Unsure
    return [*adverbs, third_person(lemma_of(verb)) if verb.tag_ == "VBP" else verb.text.lower()]


def kept_adverb(part: Constituent) -> list[Token]:
    """The words of an adverb before the verb, none when it only ties the sentence to the one before."""
    doc = part.head.doc
    if part.dep == "prep" and doc[part.start - 1].text == "," and doc[part.end].text == ",":
        return []
    words = lean(part.tokens)
    if part.dep not in ("advmod", "npadvmod") or len(words) > 2:
        raise Unsure
    return [] if part.head.lower_ in DROPPED_ADVERBS else words


def compose(items: Sequence[str | Token], page: Page, code: frozenset[int]) -> str:
    """The question made of `items`: spaces as in the text, a capital first, a question mark last.

    `code` are the tokens that were inline code, which keep their case.
    """
    text = re.sub(r"\s+([,.;:?])", r"\1", phrase(items, page, code))
    return text[:1].upper() + text[1:] + "?" if text else ""


def phrase(items: Sequence[str | Token], page: Page, code: frozenset[int]) -> str:
    """`items` as they read inside a sentence, with names given in full and softening words left out."""
    text = ""
    before: Token | None = None
    for item in items:
        if isinstance(item, str):
            text += (" " if text else "") + item
            before = None
            continue
        if item.dep_ == "advmod" and item.lower_ in SOFTENERS and item.i not in code:
            continue
        word = item.text
        if page.meant and page.understood(item):
            word = page.meant
        elif bare_name(item, page):
            word = page.full[word]
        elif (
            item.i == 0
            and item.i not in code
            and word[:1].isupper()
            and (item.pos_ in _FUNCTION or item.tag_ == "VBG" or page.common(item))
        ):
            word = word[0].lower() + word[1:]
        glued = before is not None and before.i + 1 == item.i and not before.whitespace_
        text += word if glued or not text else " " + word
        before = item
    text = re.sub(r"\ban? [\w-]+ (?:named|called) (?=[A-Z])", "", text)
    return re.sub(r"\s+([,.;:?])(?!\w)", r"\1", re.sub(r"\s+", " ", text)).strip(" ,.;:")


def bare_name(token: Token, page: Page) -> bool:
    """True if `token` is a last name alone, whose full name the document gives."""
    if token.text not in page.full or token.ent_type_ not in ("PERSON", "") or token.pos_ != "PROPN":
        return False
    near = [token.doc[i] for i in (token.i - 1, token.i + 1) if 0 <= i < len(token.doc)]
    alone = not any(t.pos_ == "PROPN" for t in near) and token.dep_ != "compound"
    return alone and not any(c.dep_ in ("det", "compound") for c in token.children)
