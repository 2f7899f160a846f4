"""The sentences of a document that tell something, each with what the page makes of its pronoun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from synth.core import interruption
from synth.grammar.english.admission import admitted
from synth.grammar.english.antecedents import antecedent, subject_pronoun
from synth.grammar.english.page import Page

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.grammar.reading import Reading
    from synth.text.prose import Sentence

MAX_SPANS = 3


@dataclass(frozen=True, slots=True)
class EnglishStatement:
    """A sentence that states something by itself.

    `page` knows what its pronoun means; `spans` are the characters of the document that prove it: the
    sentence last, before it those in which what the pronoun stands for is named.
    """

    sentence: Sentence
    doc: Doc
    page: Page
    spans: tuple[tuple[int, int], ...]


def statements(reading: Reading, page: Page) -> Iterator[EnglishStatement]:
    """The sentences of an English document, whose page is `page`, that are sound prose, in order."""
    before: tuple[Sentence, Doc, str | None] | None = None
    spans: tuple[tuple[int, int], ...] = ()
    for sentence, doc in zip(reading.sentences, reading.parsed, strict=True):
        interruption.check()
        at = subject_pronoun(sentence, doc)
        meant = antecedent(*before, doc[at], page) if before and at is not None else None
        spans = (*(spans if meant else ()), (sentence.start, sentence.end))
        before = (sentence, doc, meant if len(spans) < MAX_SPANS else None)
        following = reading.document.text[sentence.end : sentence.end + 200]
        known = replace(page, meant=meant, meant_at=at if meant and at is not None else -1)
        if admitted(sentence, doc, following, meant=meant is not None and at == 0):
            yield EnglishStatement(sentence, doc, known, spans)
