"""Whether one sentence of the corpus gives an answer that was to be worked out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from synth.core.records import Sample
from synth.generation.derivation import CHOOSING, equal, says_yes
from synth.generation.filters.base import Corpus
from synth.generation.filters.coverage import asked_words
from synth.generation.filters.passages import MatchedPassage, MatchedSentence
from synth.text.normalise import holds, to_simplified
from synth.text.quantities import find_quantities, read_quantity

_COMPARES = re.compile(
    r"\b(?:than|before|after|earlier|later|first|last|preced\w+|exceed\w*|outnumber\w*|surpass\w*|more|less|most|least"
    r"|older|younger|(?:old|young|tall|high|long|larg|small|big|great|deep|wid|fast|slow|heav|earl|lat)i?est)\b"
    r"|比|早于|晚于|先于|后于|高于|低于|多于|少于|大于|小于|超过|不及|之前|之后|以前|以后|最先|最早|最晚|更[早晚高低大小长短多少]",
    re.IGNORECASE,
)
_AGREES = re.compile(r"\b(?:both|same|each|all|likewise|also|neither|different)\b|都|均|同|一样|也|不同", re.IGNORECASE)


def stated_outright(sample: Sample, corpus: Corpus, passages: Iterable[MatchedPassage], threshold: float) -> str:
    """The first sentence of `passages` that answers on its own, or "".

    It speaks of at least `threshold` of the weight of the question's words (those that the corpus has), with
    the title and the headings it stands under, and gives the answer. An answer that the question offers to
    choose from must be compared in it with the others; a yes or no must be about them all.
    """
    words = corpus.passages.rarity.known(asked_words(sample.question))
    for passage in passages:
        for line in passage.lines:
            share = corpus.passages.rarity.share(words, line.told, passage.about)
            if share >= threshold and _gives(sample, line):
                return line.text
    return ""


def _gives(sample: Sample, line: MatchedSentence) -> bool:
    last = sample.steps[-1] if sample.steps else None
    if last and last.operation in CHOOSING:
        options = [sample.steps[n].says for n in last.of]
        return bool(_COMPARES.search(to_simplified(line.text))) and all(_named(option, line) for option in options)
    if says_yes(sample.golden_answers[0]) is not None:
        return bool((_AGREES.search(to_simplified(line.text))) or _COMPARES.search(to_simplified(line.text)))
    return any(gives(line.text, answer, sample.language) for answer in sample.golden_answers)


def _named(option: str, line: MatchedSentence) -> bool:
    words = asked_words(option)
    return bool(words) and sum(line.told.has(word) for word in words) >= 0.6 * len(words)


def gives(text: str, answer: str, language: str) -> bool:
    """Whether a text says an answer, be it as another way to write the same amount."""
    if holds(text, answer):
        return True
    if read_quantity(answer, language) is None:
        return False
    return any(equal(text[one.start : one.end], answer, language) for one in find_quantities(text, language))


def nearest(sample: Sample, corpus: Corpus, count: int, queries: Sequence[str] = ()) -> list[MatchedPassage]:
    """The passages of the evidence, and the `count` best by BM25 for the question and each other query."""
    passages = corpus.passages
    found = {piece.chunk_id: passages.passage(piece.chunk_id) for piece in sample.evidence}
    for query in (sample.question, *queries):
        for passage in passages.near(query, count):
            found.setdefault(passage.chunk_id, passage)
    return list(found.values())
