"""Reference retrievers, from strong to deliberately weak. They show which differences a test set can detect."""

from __future__ import annotations

from functools import partial

from synth.core.records import digest
from synth.models.encoders.base import Encoder
from synth.models.encoders.hashed import HashedEncoder
from synth.retrieval.base import Passages, Scored
from synth.retrieval.bm25 import Bm25
from synth.retrieval.dense import Dense, DenseSentences
from synth.retrieval.feedback import Feedback
from synth.retrieval.fusion import Fused
from synth.retrieval.overlap import WordOverlap
from synth.text.normalise import normalise
from synth.text.sentences import split_sentences
from synth.text.stems import stems
from synth.text.tokens import content_words

_PIECE, _CHINESE_PIECE = 4, 2
NEED_ENCODER = ("hybrid", "encoder", "encoder_sentences")
"""Names of the reference retrievers that need an encoder."""

DESCRIPTIONS = {
    "hybrid": "rank fusion of BM25 over stems and the encoder's sentences",
    "bm25": "BM25 over words (k1 1.5, b 0.75)",
    "bm25_pieces": "BM25 over character n-grams: four letters, or two Chinese characters",
    "bm25_feedback": "BM25 with pseudo-relevance feedback from the first three passages",
    "encoder": "cosine of query and passage under the encoder",
    "encoder_sentences": "cosine of query and the nearest sentence",
    "hashed": "cosine of hashed words and character n-grams, no model",
    "overlap": "number of shared words",
    "bm25_long": "weakened: BM25 without saturation and length normalisation",
    "bm25_opening": "weakened: BM25 over the first sentence of a passage",
    "bm25_most": "weakened: BM25 that knows three of four words",
    "bm25_half": "weakened: BM25 that knows half of the words",
    "bm25_few": "weakened: BM25 that knows three of ten words",
    "hashed_small": "weakened: hashed into 48 dimensions",
}
"""Descriptions of the reference retrievers by name: fourteen with an encoder, eleven without."""

_KNOWN = {"bm25_most": 0.75, "bm25_half": 0.5, "bm25_few": 0.3}


def reference(passages: Passages, encoder: Encoder | None) -> dict[str, Scored]:
    """Return the reference retrievers over `passages` by name.

    Without an encoder, the retrievers named in `NEED_ENCODER` are left out.
    """
    opening = Passages(passages.ids, tuple(map(_opening, passages.texts)))
    retrievers: dict[str, Scored] = {
        "bm25": Bm25(passages),
        "bm25_pieces": Bm25(passages, words=pieces),
        "bm25_feedback": Feedback(passages),
        "hashed": Dense(passages, HashedEncoder()),
        "overlap": WordOverlap(passages),
        "bm25_long": Bm25(passages, k1=30.0, b=0.0),
        "bm25_opening": Bm25(opening),
        **{name: Bm25(passages, words=partial(some_words, share=share)) for name, share in _KNOWN.items()},
        "hashed_small": Dense(passages, HashedEncoder(48)),
    }
    if encoder is not None:
        sentences = DenseSentences(passages, encoder)
        retrievers |= {"encoder": Dense(passages, encoder), "encoder_sentences": sentences}
        retrievers["hybrid"] = Fused((Bm25(passages, words=stems), sentences))
    return {name: retrievers[name] for name in DESCRIPTIONS if name in retrievers}


def _opening(text: str) -> str:
    return next((text[start:end] for start, end in split_sentences(text)), text)


def pieces(text: str) -> list[str]:
    """Return the character n-grams of a text: four letters of a word, or two characters of Chinese."""
    grams: list[str] = []
    for word in normalise(text).split():
        size = _PIECE if word.isascii() else _CHINESE_PIECE
        grams += [word[i : i + size] for i in range(max(1, len(word) - size + 1))]
    return grams


def some_words(text: str, share: float) -> list[str]:
    """Return a `share`, from 0 to 1, of the content words of a text.

    A hash of each word decides whether the word is kept, so the decision is the same in all texts.
    """
    return [word for word in content_words(text) if int(digest(word)[:8], 16) < share * 0x1_0000_0000]
