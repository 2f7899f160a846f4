"""Search for new text that contradicts a row: it repeats the statement of the evidence with another answer."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import StemmedText, asked_words
from synth.corpus.matched_passages import MatchedPassage
from synth.generation.alternatives import CANDIDATES
from synth.generation.matching.agreement import states_answer
from synth.retrieval.bm25 import LexicalIndex
from synth.testset.update.alignment import Alignment
from synth.testset.update.restatement import SAME_STATEMENT, Restatement, may_restate, tokens
from synth.text.language import is_chinese
from synth.text.locate import locate
from synth.text.question_identity import ComparedQuestion
from synth.text.stems import stem
from synth.text.tokens import content_words, numbers

SPOKEN_OF, SPOKEN_OF_CHINESE, NAMELESS = 0.6, 0.5, 0.9
"""Minimum share (0 to 1) of the question words that a text must contain to be about the same subject.

Words are weighted by rarity. SPOKEN_OF applies if names in the question identify the subject, and the text must also
contain all these names. SPOKEN_OF_CHINESE replaces it for Chinese, where nouns count as names. NAMELESS applies to
questions without such names. The values were tuned on paraphrases written for the tests. They were checked on the sets
of corpora/ and of a technical documentation.
"""

TELLING = 0.25
"""Minimum weight of the names in a question to identify its subject, as a share of the weight of all its words.

In the documentation of a product, the name of the product weighs less than this.
"""

RETOLD = 0.85
"""Minimum share (0 to 1) of the evidence words that a text must contain to be about the same subject.

Words are weighted by rarity. This minimum applies if neither the evidence nor its headings contain a word of the
question.
"""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A document whose new text contradicts a row, and a sentence that describes the contradiction."""

    doc_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Subject:
    """Requirements for a text to be about the same subject as a piece of evidence.

    A text must contain all `names` and `numbers` of the question. It must also contain the share `least` (0 to 1) of
    `words`, weighted by rarity.
    """

    words: tuple[str, ...]
    names: frozenset[str]
    numbers: frozenset[str]
    least: float

    @classmethod
    def of(cls, sample: Sample, number: int, corpus: Corpus) -> Subject:
        """Return the subject of the piece of evidence at index `number`."""
        piece, text = sample.evidence[number], corpus.texts(sample)[number]
        chunk = corpus.chunk_at(piece.doc_id, piece.start)
        title = corpus.document(piece.doc_id).title
        stemmed, about = StemmedText.of(text), StemmedText.of(" ".join([title, *(chunk.headings if chunk else ())]))
        asked = tuple(word for word in asked_words(sample.question) if stemmed.has(word) or about.has(word))
        if not asked:
            return cls(tuple(dict.fromkeys(map(stem, content_words(text)))), frozenset(), numbers(text), RETOLD)
        nouns = ComparedQuestion.of(sample.question, sample.language, [text]).nouns()
        names = frozenset({stem(name) for name in nouns} & set(asked))
        spoken = SPOKEN_OF_CHINESE if is_chinese(sample.language) else SPOKEN_OF
        telling = corpus.passages.rarity.share(asked, StemmedText(names, "")) >= TELLING
        given = frozenset(numbers(sample.question) & numbers(f"{text} {about.text}"))
        return cls(asked, names, given, spoken if telling else NAMELESS)

    def is_of(self, text: str, about: StemmedText, corpus: Corpus) -> bool:
        """Return whether a text under the title and headings `about` is about this subject."""
        stemmed = StemmedText.of(text)
        if not all(stemmed.has(name) or _lends(about, name, stemmed) for name in self.names):
            return False
        if not self.numbers <= numbers(f"{text} {about.text}"):
            return False
        return corpus.passages.rarity.share(self.words, stemmed, about) >= self.least


def find_contradiction(
    sample: Sample, corpus: Corpus, fresh: LexicalIndex, alignment: Alignment
) -> Contradiction | None:
    """Return the first contradiction of a sample in new text, or None.

    The search examines the passages of `fresh` that BM25 ranks highest. A sentence contradicts a sample if it is new,
    restates a piece of evidence with another answer, and is about the same `Subject`. A question, such as a heading in
    question form, states nothing.
    """
    for index, text in enumerate(corpus.texts(sample)):
        values = tuple(value for value in sample.golden_answers if states_answer(text, value, sample.language))
        if not values:
            continue
        subject, words = Subject.of(sample, index, corpus), Counter(tokens(text))
        for passage in _near(sample, text, corpus, fresh):
            for line in passage.lines:
                if line.text.rstrip().endswith(("?", "？")) or not may_restate(words, Counter(tokens(line.text))):
                    continue
                conflict = _conflict(sample, Restatement.of(text, line.text), values)
                if not conflict or not subject.is_of(line.text, passage.about, corpus):
                    continue
                if _is_new(line.text, passage, corpus, alignment):
                    return Contradiction(passage.doc_id, f"'{passage.doc_id}' says {conflict}")
    return None


def _near(sample: Sample, text: str, corpus: Corpus, fresh: LexicalIndex) -> list[MatchedPassage]:
    passages: dict[str, MatchedPassage] = {}
    for query in (sample.question, text):
        for passage in corpus.passages.near(query, CANDIDATES, fresh):
            passages.setdefault(passage.chunk_id, passage)
    return list(passages.values())


def _conflict(sample: Sample, restatement: Restatement, values: tuple[str, ...]) -> str:
    """Return a phrase with the value in the new text and the value in the evidence, or "" if there is no conflict."""
    if restatement.likeness < SAME_STATEMENT:
        return ""
    # A question word or a word such as "not" changed as well, so the text makes another statement.
    if restatement.misfit(sample.question, values, sample.language):
        return ""
    for value in values:
        other = restatement.counterpart(value)
        if other is not None and other != value:
            return f"'{other}' where the evidence says '{value}'"
    return ""


def _is_new(text: str, passage: MatchedPassage, corpus: Corpus, alignment: Alignment) -> bool:
    chunk = corpus.chunk(passage.chunk_id)
    document = corpus.document(passage.doc_id)
    markdown = document.metadata.get("format") == "markdown"
    span = locate(text, document.text, chunk.start, chunk.end, markdown=markdown)
    return span is not None and alignment.is_new(passage.doc_id, *span)


def _lends(about: StemmedText, name: str, text: StemmedText) -> bool:
    """Return whether the headings `about` may supply a name that `text` lacks.

    A heading "Body" does not name the subject of a text about "BodyNext".
    """
    if not about.has(name):
        return False
    written = {word for word in content_words(about.text) if stem(word) == name}
    return not any(re.search(rf"(?<![a-z0-9_]){re.escape(word)}[a-z0-9_]", text.text) for word in written)
