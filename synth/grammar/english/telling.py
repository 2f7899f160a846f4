"""The sentences of a document that tell something, each with what the page makes of its pronoun."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.grammar.english.admission import admitted
from synth.grammar.english.antecedents import antecedent, pronoun
from synth.grammar.english.page import Page, page_of

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.grammar.reading import Reading
    from synth.text.prose import Sentence

MAX_SPANS = 3
_LEAST, _MOST = 4, 80
_LIMITED = re.compile(
    r"\b(?:e\.g\.|for example|for instance|let's|imagine|suppose|"
    r"in (?:our|this|that|these|those|such|some|many|most) cases?|"
    r"as an example|allegedly|it is said|rumou?red|legend|myth|fiction(?:al)?|citation)\b|"
    r"^(?:so |and |but )?(?:otherwise|if so|if not|instead|with this|with that|for this|for that|in this|in that)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that states something by itself.

    `page` knows what its pronoun means; `spans` are the characters of the document that prove it: the
    sentence last, before it those in which what the pronoun stands for is named. `admitted` says that
    the sentence as a whole is sound prose; one that is not may hold a sound clause.
    """

    sentence: Sentence
    doc: Doc
    page: Page
    spans: tuple[tuple[int, int], ...]
    admitted: bool = True


def told(reading: Reading) -> Iterator[Told]:
    """The admitted sentences of an English document, in order."""
    return (one for one in heard(reading) if one.admitted)


def heard(reading: Reading) -> Iterator[Told]:
    """All sentences of an English document, admitted or not, in order."""
    page = page_of(reading)
    before: tuple[Sentence, Doc, str | None] | None = None
    spans: tuple[tuple[int, int], ...] = ()
    for sentence, doc in zip(reading.sentences, reading.english, strict=True):
        at = pronoun(sentence, doc)
        meant = antecedent(*before, doc[at], page) if before and at is not None else None
        spans = (*(spans if meant else ()), (sentence.start, sentence.end))
        before = (sentence, doc, meant if len(spans) < MAX_SPANS else None)
        following = reading.document.text[sentence.end : sentence.end + 200]
        known = replace(page, meant=meant, meant_at=at if meant and at is not None else -1)
        sound = admitted(sentence, doc, following, meant=meant is not None and at == 0)
        yield Told(sentence, doc, known, spans, sound)


def may_hold_a_fact(one: Told) -> bool:
    """Whether a sentence, sound as a whole or not, may hold a clause that states something."""
    text = one.sentence.text
    words = sum(not token.is_punct and not token.is_space for token in one.doc)
    if not _LEAST <= words <= _MOST or not text.rstrip('"”’)').endswith((".", ":", ";")):
        return False
    if not (
        text[0].isupper()
        or text[0].isdigit()
        or text[0] in "\"“'‘`"
        or (one.sentence.code[:1] and not one.sentence.code[0][0])
    ):
        return False
    return _LIMITED.search(text) is None and "?" not in text and "!" not in text
