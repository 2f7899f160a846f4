"""Facts about words that only the document as a whole tells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token

    from synth.grammar.reading import Reading

_ASIDE = re.compile(r"\s*\(.*?\)")
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_LINKED_NAME = re.compile(r"\[([A-Z][a-z]+)\](?=[(\[])")


@dataclass(frozen=True, slots=True)
class Page:
    """Facts about the words of a document.

    `lower` holds those written in lower case, `capital` counts those capitalised inside a sentence, `full` gives the
    whole name for a last name, `topics` are the names that the document keeps using, `title` is its own; `addressed`
    says that the text speaks to its reader. `people` are the names that the parser takes for a person's at least as
    often as for anything else's; `longer` are the words with which a name of several words ends; `linked` are the
    capitalised words that are links of their own: such a word names something also where its sentence begins. `meant`
    is what the pronoun that is the subject of the sentence at hand, its token `meant_at`, stands for, when that is
    sure.
    """

    lower: frozenset[str]
    capital: Counter[str]
    full: dict[str, str]
    topics: frozenset[str]
    title: str
    addressed: bool
    people: frozenset[str]
    longer: frozenset[str]
    linked: frozenset[str] = frozenset()
    meant: str | None = None
    meant_at: int = -1

    def understood(self, token: Token) -> bool:
        """True if `token` is the pronoun of which it is known what it stands for."""
        return token.i == self.meant_at

    def common(self, token: Token) -> bool:
        """True if the capital of `token`, which opens its sentence, is only that of the sentence."""
        word = token.text
        start = self.title.split("(")[0].strip()
        if " " in start and token.doc.text.startswith(start):
            return False
        if any(char.isupper() for char in word[1:]) or not word.isalpha() or word in self.linked:
            return False
        following = token.doc[token.i + 1 : token.i + 2].text
        if following[:1].isdigit() or (following[:1].isupper() and following[1:].islower()):
            return False  # "Public Service Loan Forgiveness" is one name, and so is "Python 2"
        if word.lower() in self.lower:
            return not (self.capital[word] > 1 and token.pos_ == "PROPN")
        bare = (token.tag_ == "NN" or word[-1] != "s") and not any(
            child.dep_ in ("det", "compound", "prep", "amod") for child in token.children
        )
        if bare and token.dep_ not in ("compound", "amod", "nmod"):
            return False  # a name that the parser does not know looks just so
        return token.pos_ != "PROPN" and not token.ent_type_ and self.capital[word] == 0


def page_of(reading: Reading) -> Page:
    """The page of a document."""
    lower: set[str] = set()
    capital: Counter[str] = Counter()
    labels: dict[str, Counter[bool]] = {}
    longer: set[str] = set()
    you = 0
    full: dict[str, set[str]] = {}
    for sentence, doc in zip(reading.sentences, reading.parsed, strict=True):
        for match in _WORD.finditer(doc.text):
            if any(start <= match.start() < end for start, end in sentence.code):
                continue
            word = match.group()
            if word[0].islower():
                lower.add(word.split("-")[0])
            elif match.start() > 1:
                capital[word] += 1
            capital.update(part for part in word.split("-")[1:] if part[:1].isupper())
        you += any(token.lower_ in ("you", "your") for token in doc)
        longer.update(t.head.text for t in doc if t.pos_ == t.head.pos_ == "PROPN" and t.dep_ == "compound")
        for entity in doc.ents:
            labels.setdefault(entity.text, Counter())[entity.label_ == "PERSON"] += 1
            if entity.label_ == "PERSON" and 2 <= len(entity) <= 3 and all(t.pos_ == "PROPN" for t in entity):
                full.setdefault(entity[-1].text, set()).add(entity.text)
    people = frozenset(name for name, seen in labels.items() if seen[True] >= max(1, seen[False]))
    for title in (reading.document.title, *reading.document.doc_id.split("/")):
        words = _ASIDE.sub("", title.replace("_", " ")).split()
        if (
            2 <= len(words) <= 3
            and all(word.isalpha() and word[0].isupper() for word in words)
            and {
                words[-1],
                " ".join(words),
            }
            & people
        ):
            full.setdefault(words[-1], set()).add(" ".join(words))
    names = {last: next(iter(forms)) for last, forms in full.items() if len(forms) == 1 and last.isalpha()}
    often = max(5, len(reading.parsed) // 8)
    topics = frozenset(word for word, times in capital.items() if times >= often)
    return Page(
        lower=frozenset(lower),
        capital=capital,
        full=names,
        topics=topics,
        title=reading.document.title,
        addressed=you * 12 >= max(1, len(reading.parsed)),
        people=people,
        longer=frozenset(longer),
        linked=frozenset(_LINKED_NAME.findall(reading.document.text)),
    )
