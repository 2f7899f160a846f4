"""Difficulty of questions, measured by retrieval on the whole corpus.

BM25 and, if wanted, an encoder rank the passages that a question needs. A row stores the ranks as `difficulty_signals`
and the level as `difficulty`. Its `tags` name reasons why the row is a weak test of retrieval. "keyword" means that the
words of the question alone find the passage. "vague" means that many other passages fit the question equally well.
"copied_wording" means that the question is worded like the passage.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from synth.core.checks import check_known, check_numbers, check_share
from synth.core.errors import ConfigError, MissingPartError
from synth.core.records import Sample
from synth.core.set_settings import from_set
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import asked_words
from synth.models.encoders.base import Encoder
from synth.retrieval.base import Passages
from synth.retrieval.dense import Dense
from synth.text.shared_wording import shared_wording

LEVELS = ("easy", "medium", "hard")
KEYWORD, VAGUE, COPIED, CLOSED_BOOK = "keyword", "vague", "copied_wording", "closed_book"
TAGS = (KEYWORD, VAGUE, COPIED, CLOSED_BOOK)
GENTLE_LIMITS = {COPIED: 0.14}
"""Maximum share (0 to 1) of the rows with a tag. The limit is lifted if rows would be missing.

14 % of the human questions of XQuAD have the tag "copied_wording".
"""

AUTO, ON, OFF = "auto", "on", "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class DifficultyBands:
    """Thresholds of the levels and tags.

    The level depends on the needed passage that is hardest to find. A question is easy if it needs a single passage,
    and BM25 ranks that passage first with at least `lead` times the score of the best other passage. Otherwise it is
    medium if the passage has rank `medium` or better, and hard if not. With an encoder, an easy question also needs an
    encoder rank of at most `dense_easy`, and a medium one of at most `dense_medium`. A question on a single passage
    with only one content word, such as an abbreviation, is never hard. Any user can ask such a question, even if many
    passages contain the word.

    A question is tagged "keyword" if one sentence contains all its words, and BM25 ranks its passage first with at
    least `keyword` times the score of the best other passage. It is tagged "vague" if at least `vague` other passages
    have at least the share `as_well` of the score of its passage. It is tagged "copied_wording" if it shares at least
    `copied` of its pairs of adjacent words with the passage.

    `encoder` is "on", "off" or "auto". "auto" uses the encoder if the passages have at most `encoder_characters`
    characters in total, or if shares of difficulty are wanted.
    """

    lead: float = from_set(1.3)
    medium: int = from_set(3)
    dense_easy: int = from_set(10)
    dense_medium: int = from_set(50)
    keyword: float = from_set(2.0)
    vague: int = from_set(5)
    as_well: float = from_set(0.9)
    copied: float = from_set(0.75)
    encoder: str = from_set(AUTO)
    encoder_characters: int = from_set(100_000)

    def __post_init__(self) -> None:
        check_numbers(self, "bands.", medium=1)
        if not 1 <= self.dense_easy <= self.dense_medium:
            raise ConfigError(
                f"bands.dense_easy must be from 1 to bands.dense_medium ({self.dense_medium}), was {self.dense_easy}"
            )
        check_known("bands.encoder", self.encoder, (AUTO, ON, OFF))
        for name in ("as_well", "copied"):
            check_share(f"bands.{name}", getattr(self, name))


@dataclass(frozen=True, slots=True)
class DifficultyMeasure:
    """Measure of the difficulty of samples on a corpus.

    `dense` is the index of the encoder, or None if no encoder is used.
    """

    corpus: Corpus
    bands: DifficultyBands = DifficultyBands()
    dense: Dense | None = None

    def measured(self, sample: Sample) -> Sample:
        """Return the sample with its signals, level and tags. A sample without evidence stays unchanged."""
        if not sample.evidence:
            return sample
        signals = self._signals(sample)
        labels: dict[str, Any] = {"difficulty": self._band(sample.question, signals), "difficulty_signals": signals}
        tags = [*self._tags(sample, signals), *(verdict.tag for verdict in sample.verdicts if verdict.tag)]
        return replace(sample, metadata={**sample.metadata, **labels, **({"tags": tags} if tags else {})})

    def _signals(self, sample: Sample) -> dict[str, Any]:
        corpus, needed = self.corpus, list(dict.fromkeys(piece.chunk_id for piece in sample.evidence))
        same = [other for name in needed for other in corpus.near_duplicates(name)]
        standing = self.corpus.index.standing(sample.question, needed, same, self.bands.as_well)
        shared = shared_wording(sample.question, [corpus.chunk(name).text for name in needed])
        signals: dict[str, Any] = {
            "bm25_rank": standing.rank,
            "lead": standing.lead,
            "rivals": standing.rivals,
            "hops": len(needed),
            "overlap": {"words": round(shared.words or 0.0, 4), "pairs": round(shared.pairs or 0.0, 4)},
        }
        if self.dense is not None:
            ranks = [self.dense.rank(sample.question, name) for name in needed]
            signals["dense_rank"] = max(rank for rank, _ in ranks)
            signals["similarity"] = min(cosine for _, cosine in ranks)
        return signals

    def _band(self, question: str, signals: Mapping[str, Any]) -> str:
        bands, rank, dense = self.bands, signals["bm25_rank"], signals.get("dense_rank", 1)
        alone = signals["hops"] == 1 and rank == 1 and signals["lead"] >= bands.lead
        if alone and dense <= bands.dense_easy:
            return "easy"
        asks_one_word = signals["hops"] == 1 and len(asked_words(question)) == 1
        return "medium" if asks_one_word or (rank <= bands.medium and dense <= bands.dense_medium) else "hard"

    def _tags(self, sample: Sample, signals: Mapping[str, Any]) -> Iterator[str]:
        if signals["rivals"] >= self.bands.vague:
            yield VAGUE
        elif signals["bm25_rank"] == 1 and signals["lead"] >= self.bands.keyword and self._in_one_place(sample):
            yield KEYWORD
        if signals["overlap"]["pairs"] >= self.bands.copied:
            yield COPIED

    def _in_one_place(self, sample: Sample) -> bool:
        """Return whether one sentence of the passages contains every word of the question."""
        passages = {piece.chunk_id for piece in sample.evidence}
        words = asked_words(sample.question)
        lines = [line for name in sorted(passages) for line in self.corpus.passages.passage(name).lines]
        return any(all(line.stemmed.has(word) for word in words) for line in lines)


def difficulty_measure(
    corpus: Corpus, bands: DifficultyBands, encoder: Callable[[], Encoder], *, asked: bool = False
) -> DifficultyMeasure:
    """Return the measure of difficulty on a corpus.

    `asked` is True if shares of difficulty are wanted. Under "auto", BM25 alone is used if no encoder is installed.
    Raise MissingPartError if the encoder is "on" and missing.
    """
    sizes = accumulate(len(passage.text) for passage in corpus.chunks())
    small = all(size <= bands.encoder_characters for size in sizes)
    if bands.encoder == OFF or (bands.encoder == AUTO and not (asked or small)):
        return DifficultyMeasure(corpus, bands)
    try:
        loaded = encoder()
    except MissingPartError:
        if bands.encoder == ON:
            raise
        return DifficultyMeasure(corpus, bands)
    chunks = list(corpus.chunks())
    passages = Passages(tuple(chunk.chunk_id for chunk in chunks), tuple(chunk.text for chunk in chunks))
    return DifficultyMeasure(corpus, bands, Dense(passages, loaded))
