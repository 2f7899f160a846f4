"""Antecedents of "He", "She" and "It" as the subject that opens a sentence, when only one thing fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS
from synth.grammar.english.lexicon import TYPE_NOUNS
from synth.grammar.english.page import Page
from synth.grammar.english.phrases import Unsure, code_tokens, is_name, lean

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.text.prose import Sentence

_PEOPLE = ("he", "she")
_NEVER_IT = ("GPE", "NORP", "DATE", "CARDINAL")  # entity types that "It" in the next sentence rarely refers to
_IMPERSONAL = re.compile(
    r"(?i)^it(?:'s|’s| (?:is|was|has been|would be|may be|seems?|appears?))\b.*\b(?:that|to|whether|how|when)\b"
)
_MOST_WORDS = 5  # of a name
_LATEST_PRONOUN, _LATEST_SUBJECT = 6, 8  # words before it


def _main_subject(doc: Doc) -> Token | None:
    """The subject of the main clause: its head is the root, which is its own head."""
    return next((t for t in doc if t.dep_ in SUBJECTS and t.head.head == t.head), None)


def subject_pronoun(sentence: Sentence, doc: Doc) -> int | None:
    """Index of the pronoun that is the subject of `doc`: it stands first, or after a phrase with in, on, during, from.

    None for other subjects, and for the first sentence of a block, which has no sentence before it.
    """
    subject = _main_subject(doc)
    if subject is None or subject.lower_ not in ("he", "she", "it") or sentence.first or subject.i > _LATEST_PRONOUN:
        return None
    if subject.i and (
        doc[0].lower_ not in ("in", "on", "during", "from") or any(t.pos_ == "VERB" for t in doc[: subject.i])
    ):
        return None
    if subject.lower_ == "it" and _IMPERSONAL.search(doc[subject.i :].text):
        return None
    return int(subject.i)


def antecedent(before: Sentence, before_doc: Doc, known: str | None, pronoun: Token, page: Page) -> str | None:
    """The name for `pronoun` in the sentence right after `before`, or None when unsure.

    Only the subject of the sentence before can be meant, and nothing behind it may fit. `known` is the antecedent found
    for that subject, when it was a pronoun itself.
    """
    subject = _main_subject(before_doc)
    if subject is None or subject.i > _LATEST_SUBJECT or any(t.dep_ in ("cc", "conj") for t in subject.children):
        return None
    code = code_tokens(before, before_doc)
    if known is not None and subject.lower_ == pronoun.lower_:
        rivals = any(is_name(t, code) and t.dep_ in ("nsubj", "dobj", "agent", "attr") for t in before_doc)
        return None if rivals else known
    name = _name(subject, code)
    if name is None or any(t.lower_ in ("he", "she", "they") for t in before_doc):
        return None
    if pronoun.lower_ in _PEOPLE:
        return page.full.get(name, name) if _only_person(subject, page) else None
    return name if _only_thing(subject, code, page) else None


def _name(subject: Token, code: frozenset[int]) -> str | None:
    try:
        words = lean([t for t in subject.subtree if t.dep_ != "punct"])
    except Unsure:
        return None
    if not words or len(words) > _MOST_WORDS or words[-1].i - words[0].i + 1 != len(words):
        return None
    if not any(is_name(t, code) for t in words) or any(t.dep_ in ("relcl", "acl", "poss", "prep") for t in words):
        return None
    text = words[0].doc[words[0].i : words[-1].i + 1].text
    return text[0].lower() + text[1:] if words[0].lower_ in ("the", "a", "an") else text


def _only_person(subject: Token, page: Page) -> bool:
    """True if the subject names a person, and the sentence names no other."""
    if subject.pos_ != "PROPN" or subject.ent_type_ != "PERSON":
        return False
    people = [e for e in subject.doc.ents if e.label_ == "PERSON"]
    return len(people) == 1 and people[0].text in page.people


def _only_thing(subject: Token, code: frozenset[int], page: Page) -> bool:
    """True if the subject names one thing, and neither a later name nor a later noun that is subject or object fits."""
    if subject.i not in code and (subject.ent_type_ in ("PERSON", "NORP") or subject.tag_ not in ("NNP", "NN")):
        return False
    if subject.i not in code and subject.pos_ != "PROPN" and subject.lemma_.lower() not in TYPE_NOUNS:
        return False
    others = [
        t
        for t in subject.doc
        if t.i > subject.i
        and t.dep_ in ("dobj", "nsubj", "nsubjpass", "pobj", "conj")
        and (t.tag_ == "NNP" or (t.tag_ == "NN" and t.dep_ in ("dobj", "nsubj", "nsubjpass")))
        and t.ent_type_ not in _NEVER_IT
    ]
    return not others
