"""Functions that change "you" into "I", and put auxiliary verbs before the subject, as questions need it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.grammar.english.headings import YOURS
from synth.text.inflection import IRREGULAR_PAST

if TYPE_CHECKING:
    from spacy.tokens import Span, Token


_SPACE = re.compile(r"\s+")
_CONTRACTED = {
    "ca": "can", "wo": "will", "'ll": "will", "’ll": "will", "'re": "are", "’re": "are", "'ve": "have", "’ve": "have",
    "n't": "not", "n’t": "not", "sha": "shall", "'m": "am",
}  # fmt: skip


class Unsure(Exception):
    """Raised when a verb cannot be put into a question without the risk of changing its meaning."""


def plain_word(token: Token) -> str:
    """Return a word without contraction: "'ll" becomes "will". Raise Unsure for "'d", which may be "had" or "would"."""
    word = token.lower_
    if word in ("'s", "’s") and token.dep_ in ("aux", "auxpass", "ROOT"):
        return "has" if token.lemma_ == "have" else "is"
    if word in ("'d", "’d"):
        raise Unsure
    return _CONTRACTED.get(word, word)


def _base(verb: Token) -> str:
    """Return the base form of a verb. Raise Unsure if the parser's lemma is probably wrong."""
    lemma = {"instal": "install", "enrol": "enroll", "fulfil": "fulfill"}.get(verb.lemma_.lower(), verb.lemma_.lower())
    word = verb.lower_
    if not lemma.isalpha() or (lemma[:1] != word[:1] and lemma not in ("go", "be")):
        raise Unsure
    if verb.tag_ == "VBD" and lemma == word and IRREGULAR_PAST.get(lemma) != word:
        raise Unsure
    return str(lemma)


def inverted(root: Token) -> tuple[str, str]:
    """Return the verbs before and after a question's subject: ("does", "close"). Raise Unsure for unclear tense."""
    auxiliaries = [t for t in root.children if t.dep_ in ("aux", "auxpass")]
    negated = " not" if any(t.dep_ == "neg" for t in root.children) else ""
    if auxiliaries:
        first, *others = auxiliaries
        rest = " ".join([*(plain_word(t) for t in others), root.text])
        return _for_me(plain_word(first), root), f"{negated} {rest}".strip()
    if root.lemma_ == "be":
        return _for_me(plain_word(root), root), negated.strip()
    if root.tag_ not in ("VBZ", "VBP", "VBD"):
        raise Unsure
    return {"VBZ": "does", "VBP": "do", "VBD": "did"}[root.tag_], f"{negated} {_base(root)}".strip()


def _for_me(word: str, root: Token) -> str:
    addressed = any(t.dep_ in ("nsubj", "nsubjpass") and t.lower_ == "you" for t in root.children)
    return {"are": "am", "were": "was"}.get(word, word) if addressed else word


def as_reader(span: Span) -> str:
    """Return the text of a span in the first person: "you" becomes "I" or "me", "your" becomes "my"."""
    said = ""
    for token in span:
        word, lower = token.text, token.lower_
        if lower == "you":
            is_subject = token.dep_ in ("nsubj", "nsubjpass") or (
                token.i + 1 < len(token.doc) and token.doc[token.i + 1].pos_ in ("AUX", "VERB")
            )
            word = "I" if is_subject else "me"
        elif lower in YOURS:
            word = YOURS[lower]
        elif lower in ("n't", "n’t") and said.endswith("am"):
            word = " not"
        elif token.i and token.doc[token.i - 1].lower_ == "you":
            word = {"are": "am", "were": "was", "'re": "'m", "’re": "’m"}.get(lower, word)
        elif token.i == 0 and word in ("A", "An", "The", "All", "Each", "Every", "No", "Any", "Some"):
            word = lower
        elif token.i == 0 and word[1:].islower() and token.pos_ not in ("PROPN",) and word != "I":
            word = word.lower()
        said += word + token.whitespace_
    return _SPACE.sub(" ", said).strip()


def as_reader_text(text: str) -> str:
    """Return a text in the first person, like `as_reader`, but without a parse."""
    text = re.sub(r"\byou(?: are|['’]re)\b", "I am", text)
    text = re.sub(r"\byourself\b", "myself", re.sub(r"\byour\b", "my", text))
    text = re.sub(r"\byou\b(?= to\b|$)", "me", text)
    text = re.sub(r"\byou\b", "I", text)
    return re.sub(r"\b(for|to|with|of|from|by|on|at) I\b", r"\1 me", text).strip()
