"""Form of questions (reader, style and length), drawn by given shares or modelled on a question log."""

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
    """Form of one question.

    `length` is "" if any length will do. `persona` is the reader who asks, or None.
    """

    style: str
    length: str
    persona: Persona | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionMix:
    """Mix of forms that the questions should have.

    `styles` and `lengths` are shares by name. If they are empty, style and length follow the questions of `profile`, or
    the style is that of the nearest persona. `profile` is the question log to follow.
    """

    styles: Mapping[str, float] = field(default_factory=empty_mapping)
    lengths: Mapping[str, float] = field(default_factory=empty_mapping)
    personas: tuple[Persona, ...] = ()
    profile: LogProfile | None = None
    seed: int = 0

    def worded(self, sample: Sample, scenario: Scenario, corpus: Corpus, graph: KnowledgeGraph) -> tuple[Sample, ...]:
        """Return the wordings of the sample to try, in order: with typing errors if wanted, then as written.

        Without a chat model, a question of any style other than "typos" stays plain.
        """
        reader = self._reader(sample, corpus, graph)
        named = replace(sample, metadata={**sample.metadata, "persona": reader.name}) if reader else sample
        shares = dict(self.styles) or self._profiled("style")
        style = reader.style if reader and not shares else self._share(shares, "style", scenario.scenario_id, PLAIN)
        mistyped = self._mistyped(named, style, scenario.scenario_id, graph)
        return (mistyped, named) if mistyped else (named,)

    def form(self, scenario_id: str, chunk_id: str, corpus: Corpus, graph: KnowledgeGraph) -> QuestionForm:
        """Return the form that a chat model should give its questions about a passage."""
        reader = self._nearest(chunk_id, corpus, graph)
        style = self._share(dict(self.styles) or self._profiled("style"), "style", scenario_id, PLAIN)
        if not self.styles and self.profile is None and reader is not None:
            style = reader.style or PLAIN
        lengths = dict(self.lengths) or self._profiled("length")
        return QuestionForm(style, self._share(lengths, "length", scenario_id, ""), reader)

    def with_typos(self, sample: Sample, scenario_id: str, graph: KnowledgeGraph) -> Sample:
        """Return a chat model's sample with typing errors if its style is "typos", else the sample itself.

        The sample is also returned unchanged if no word may be mistyped.
        """
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
        """Return a name drawn by `shares`, or else `otherwise`. The seed and the scenario determine the draw."""
        place = priority(self.seed, what, scenario_id) * sum(shares.values())
        for name, share in sorted(shares.items()):
            place -= share
            if place < 0:
                return name
        return otherwise

    def excess(self, sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
        """Return a message on the form whose share `sample` would exceed as one more row, or "" if none.

        `taken` counts the existing rows by form, and `rows` is their number.
        """
        for cell, share in self._cells(sample):
            if taken.get(cell, 0) >= share * (rows + 1):
                return f"questions of this form ({', '.join(map(str, cell))}) have reached their share of the set"
        return ""

    def cells(self, sample: Sample) -> list[Hashable]:
        """Return the forms that a row counts towards, as keys of `taken` in `excess`."""
        return [cell for cell, _ in self._cells(sample)]

    def repeats(self, sample: Sample) -> bool:
        """Return whether the question log contains the question."""
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
        """Return the persona most likely to ask about a passage, or None."""
        if not self.personas:
            return None
        return nearest(self.personas, corpus.chunk(chunk_id).text, category(chunk_id, corpus, graph))


def _kept(sample: Sample, graph: KnowledgeGraph) -> list[str]:
    """Return the parts of a question that restyling must keep: names that the graph knows, and numbers."""
    chunks = dict.fromkeys(piece.chunk_id for piece in sample.evidence)
    names = [form for chunk_id in chunks for entity in graph.entities_of(chunk_id) for form in entity.surface_forms]
    return [*(name for name in names if name in sample.question), *_NUMBER.findall(sample.question)]
