"""Form of questions: reader, style and length, by shares or by the example of a log."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from random import Random

from synth.core.records import Sample, Scenario, empty_mapping
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.generation.personas import Persona, nearest
from synth.generation.query_log import LogProfile, QuestionTraits
from synth.generation.row_topics import category
from synth.generation.writer import priority
from synth.grammar.typing_errors import typing_errors
from synth.text.language import LANGUAGES
from synth.text.question_style import length_band

PLAIN, TYPOS = "plain", "typos"
_NUMBER = re.compile(r"\d[\w.,:%-]*")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """Form of one question: style, length ("" for any), and the reader who asks, if any."""

    style: str
    length: str
    persona: Persona | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMix:
    """Mix of forms that questions should have.

    `styles` and `lengths` are shares by name; without them, style and length are those of the questions of `profile`,
    or the style is that of the nearest persona. `profile` is the log of questions whose mix is followed.
    """

    styles: Mapping[str, float] = field(default_factory=empty_mapping)
    lengths: Mapping[str, float] = field(default_factory=empty_mapping)
    personas: tuple[Persona, ...] = ()
    profile: LogProfile | None = None
    seed: int = 0

    def worded(self, sample: Sample, scenario: Scenario, corpus: Corpus, graph: KnowledgeGraph) -> tuple[Sample, ...]:
        """The sample with typing errors where they are wished, then as it was written, for use when the first fails.

        A question without a chat model is plain in any other style.
        """
        reader = self._reader(sample, corpus, graph)
        named = replace(sample, metadata={**sample.metadata, "persona": reader.name}) if reader else sample
        shares = dict(self.styles) or self._profiled("style")
        style = reader.style if reader and not shares else self._share(shares, "style", scenario.scenario_id, PLAIN)
        mistyped = self._mistyped(named, style, scenario.scenario_id, graph)
        return (mistyped, named) if mistyped else (named,)

    def form(self, scenario_id: str, chunk_id: str, corpus: Corpus, graph: KnowledgeGraph) -> QuestionForm:
        """The form of the questions that a chat model is asked to write about a passage."""
        reader = self._nearest(chunk_id, corpus, graph)
        style = self._share(dict(self.styles) or self._profiled("style"), "style", scenario_id, PLAIN)
        if not self.styles and self.profile is None and reader is not None:
            style = reader.style or PLAIN
        lengths = dict(self.lengths) or self._profiled("length")
        return QuestionForm(style, self._share(lengths, "length", scenario_id, ""), reader)

    def with_typos(self, sample: Sample, scenario_id: str, graph: KnowledgeGraph) -> Sample:
        """The sample of a chat model, with typing errors when its style is "typos" and a word may be mistyped."""
        style = self._share(dict(self.styles) or self._profiled("style"), "style", scenario_id, PLAIN)
        return self._mistyped(sample, style, scenario_id, graph) or sample

    def _mistyped(self, sample: Sample, style: str, scenario_id: str, graph: KnowledgeGraph) -> Sample | None:
        if style != TYPOS or sample.language not in LANGUAGES:
            return None
        rng = Random(f"{self.seed}:{scenario_id}:{sample.question}")
        question = typing_errors(sample.question, sample.language, rng, _kept(sample, graph))
        if question is None:
            return None
        return replace(sample, question=question, metadata={**sample.metadata, "style": style})

    def _profiled(self, attribute: str) -> Mapping[str, float]:
        return self.profile.mix(attribute) if self.profile else {}

    def _share(self, shares: Mapping[str, float], what: str, scenario_id: str, otherwise: str) -> str:
        """A name drawn by shares, the same for a scenario whatever else is in the set."""
        place = priority(self.seed, what, scenario_id) * sum(shares.values())
        for name, share in sorted(shares.items()):
            place -= share
            if place < 0:
                return name
        return otherwise

    def excess(self, sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
        """The share that `sample` would exceed as one more row after `rows` rows, or ""."""
        for cell, share in self._cells(sample):
            if taken.get(cell, 0) >= share * (rows + 1):
                return f"questions like it ({', '.join(map(str, cell))}) have their share of the set"
        return ""

    def cells(self, sample: Sample) -> list[Hashable]:
        """The cells that a row counts in, for `excess`."""
        return [cell for cell, _ in self._cells(sample)]

    def repeats(self, sample: Sample) -> bool:
        """Whether the example log has the question."""
        return self.profile is not None and self.profile.repeats(sample.question)

    def _cells(self, sample: Sample) -> list[tuple[tuple[str, ...], float]]:
        cells: list[tuple[tuple[str, ...], float]] = []
        if self.lengths:
            band = length_band(sample.question, sample.language)
            cells.append((("length", band), self.lengths.get(band, 0.0) / sum(self.lengths.values())))
        if self.profile is not None:
            cell = QuestionTraits.of(sample.question, sample.language)
            cells.append(((cell.style, cell.length, cell.kind), self.profile.share(cell)))
        return cells

    def _reader(self, sample: Sample, corpus: Corpus, graph: KnowledgeGraph) -> Persona | None:
        return self._nearest(sample.evidence[-1].chunk_id, corpus, graph) if sample.evidence else None

    def _nearest(self, chunk_id: str, corpus: Corpus, graph: KnowledgeGraph) -> Persona | None:
        """The persona that would rather ask about a passage than the others, if there is one."""
        if not self.personas:
            return None
        return nearest(self.personas, corpus.chunk(chunk_id).text, category(chunk_id, corpus, graph))


def _kept(sample: Sample, graph: KnowledgeGraph) -> list[str]:
    """Parts of a question that restyling must keep: names that the graph knows, and numbers."""
    chunks = dict.fromkeys(piece.chunk_id for piece in sample.evidence)
    names = [form for chunk_id in chunks for entity in graph.entities_of(chunk_id) for form in entity.surface_forms]
    return [*(name for name in names if name in sample.question), *_NUMBER.findall(sample.question)]
