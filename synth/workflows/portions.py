"""Reading of a corpus in portions, without a chat model: only as many documents are read as the rows need.

A portion is a group of documents that are read together. The next portion is read only if rows are missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from synth.core.containment import contained
from synth.core.errors import ConfigError
from synth.core.gc_pause import no_collection
from synth.core.plugins import discover
from synth.core.progress import Progress
from synth.core.records import Chunk, Document, Draft, Scenario, pseudo_random_each, text_hash
from synth.core.store import Store
from synth.corpus.corpus import Corpus
from synth.corpus.excerpts import LONGEST_WHOLE, Excerpt, ReadInExcerpts, excerpts
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.on_demand import Lazy, Touched
from synth.corpus.sections import is_boilerplate
from synth.generation.admission import RowGoal, RunResult
from synth.generation.difficulty import GENTLE_LIMITS
from synth.generation.pipeline import A_ROW, Checks, plans, synthesize
from synth.generation.question_form import QuestionMix
from synth.generation.writer import Writer, WriterContext
from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from synth.grammar.structure.facts import Fact
from synth.workflows.assembly import question_mix
from synth.workflows.session import Run, askable, graph_of, provenance_of, read_deeply
from synth.workflows.settings import Settings

if TYPE_CHECKING:
    import numpy as np

WRITERS = "synth.generation.synthesizers"
"""Package with the writers of the packaged question types."""

FIRST = 25_000
"""Minimum number of characters of a portion. Later portions have at least an eighth of all characters read before."""

AHEAD = 4_000_000
"""Maximum number of characters in the portions that are read together at first, to keep several processes busy."""

LONG = 20_000
"""Number of characters above which a document tends to be read later.

A long document takes as long to read as many others, but may give only a limited share of the rows.
"""


_Item = TypeVar("_Item", Draft, Fact)


@dataclass(frozen=True, slots=True)
class Unit:
    """A document, or an excerpt of a long document.

    `size` is its number of characters. `until` is the number of characters of this excerpt and all earlier ones of the
    same document.
    """

    doc_id: str
    size: int
    until: int
    excerpt: Excerpt | None = None


class Portions:
    """Portions of the documents of a corpus. Their order depends only on document ids, sizes and the seed.

    `first` is the material of the first portion: its documents with their readings, drafts and facts. If the settings
    ask for transforms, it also contains their results. The documents `fresh` come first. Portions that a set of `rows`
    rows certainly needs are read together. Raises InputError if no questions can be asked about any document.
    """

    def __init__(self, run: Run, fresh: Collection[str] = (), rows: int = 0) -> None:
        import numpy as np

        self._run = run
        corpus, settings = run.corpus, run.settings
        self._drafts = Drafts(corpus, run.store)
        self._readings: Mapping[str, Reading] = {}
        self._made: list[WriterContext] = []
        with no_collection():
            units = self._units(*corpus.in_languages(partial(askable, settings=settings, knows=grammar.knows)))
            sizes = np.array([unit.size for unit in units], dtype=np.int64)
            until = np.array([unit.until for unit in units], dtype=np.int64)
            order = drawn([unit.doc_id for unit in units], until, settings.seed, fresh)
            ends = portion_ends(sizes[order])
            self._portions = [
                [units[number] for number in order[start:end]] for start, end in zip([0, *ends], ends, strict=False)
            ]
            self._until = np.cumsum(sizes[order])[[end - 1 for end in ends]].tolist()
            before = np.array(self._until[:-1], dtype=np.int64)
        self._needed = 1 + int((before <= min((rows - 1) * A_ROW, AHEAD)).sum())
        self.first = self._material(0)

    def _further(self, number: int) -> WriterContext | None:
        """Return the material of all portions up to `number`, counted from 0; None after the last portion."""
        if number > len(self._made) and number < len(self._portions):
            self._made.append(self._material(number))
        return self._made[number - 1] if number <= len(self._made) else None

    def _material(self, number: int) -> WriterContext:
        """Read portion `number`, and return the material of all portions up to it."""
        run = self._run
        if number == 1:
            self._read([unit for portion in self._portions[1 : self._needed] for unit in portion])
        portion = self._portions[number]
        added = self._read(portion)
        self._readings = {**self._readings, **self._as_read(portion, added)}
        graph = KnowledgeGraph()
        if run.parts.deep:
            graph, _ = graph_of(run, [*self._readings], run.parts.deep, passing=True)
        with run.progress.stage("drafting", len(self._readings)) as stage:
            for doc_id in self._readings:
                self._drafts(doc_id)
                stage.advance()
        return WriterContext(
            corpus=run.corpus,
            graph=graph,
            doc_ids=tuple(self._readings),
            readings=self._readings,
            drafts=self._drafts,
            facts=self._drafts.facts,
            passage_drafts=self._drafts.of_passage,
            prompt=run.corpus.prompt,
            know=Lazy(run.corpus, graph).know,
            provenance=provenance_of(run.settings),
            seed=run.settings.seed,
            further=partial(self._further, number + 1),
            unread=self._until[-1] - self._until[number],
        )

    def _units(self, doc_ids: Sequence[str], sizes: np.ndarray) -> list[Unit]:
        """Return the units to read: whole documents, and excerpts of long documents.

        Transforms need whole documents, so with transforms no document is split.
        """
        units = []
        for doc_id, size in zip(doc_ids, sizes.tolist(), strict=True):
            if size <= LONGEST_WHOLE or self._run.parts.deep:
                units.append(Unit(doc_id, size, size))
                continue
            until = 0
            document, passages = self._run.corpus.document(doc_id), self._run.corpus.chunks_of(doc_id)
            for part in excerpts(document, passages, self._run.settings.seed):
                until += part.end - part.start
                units.append(Unit(doc_id, part.end - part.start, until, part))
        return units

    def _read(self, units: Iterable[Unit]) -> set[str]:
        """Read units with the parsers, and return the names of the units that could be read."""
        units = sorted(units, key=lambda unit: (unit.doc_id, unit.excerpt.start if unit.excerpt else 0))
        whole = [unit.doc_id for unit in units if unit.excerpt is None]
        documents = [self._run.corpus.document(doc_id) for doc_id in whole]
        documents += [u.excerpt.document(self._run.corpus.document(u.doc_id)) for u in units if u.excerpt is not None]
        passages = {doc_id: self._run.corpus.chunks_of(doc_id) for doc_id in whole}
        return read_deeply(documents, passages, self._run.reading, self._run.progress)

    def _as_read(self, portion: Iterable[Unit], added: Collection[str]) -> dict[str, Reading]:
        """Return the readings of a portion by document. Readings of excerpts include the excerpts read before."""
        readings: dict[str, Reading] = {}
        for unit in portion:
            excerpt, document = unit.excerpt, self._run.corpus.document(unit.doc_id)
            if excerpt is None:
                if unit.doc_id in added:
                    readings[unit.doc_id] = Reading(document, self._run.store)
            elif excerpt.name in added:
                self._drafts.add(excerpt)
                known = readings.get(unit.doc_id) or self._readings.get(unit.doc_id)
                parts = (*known.parts, excerpt) if isinstance(known, ReadInExcerpts) else (excerpt,)
                readings[unit.doc_id] = ReadInExcerpts(document, parts, self._run.corpus.language(unit.doc_id))
        return dict(sorted(readings.items()))


class GrammarAuthor:
    """Author that writes questions by the grammar, without a chat model, from the portions read so far."""

    is_free = True
    exchanges_types = False
    gentle_limits = GENTLE_LIMITS
    trial = None

    def __init__(self, run: Run, fresh: Collection[str] = (), rows: int = 0) -> None:
        self._run = run
        self._writers = writers_of(run.settings)
        self.material = Portions(run, fresh, rows).first

    def prepare(self) -> None:
        """Do nothing: without a model, there is nothing to prepare."""

    def rows(self, goal: RowGoal, checks: Checks, progress: Progress) -> RunResult:
        """Return rows of each type, up to the requested number or as many as the documents allow."""
        return synthesize(
            replace(goal, mix=self._mix()),
            self.material,
            self._writers,
            checks,
            self._run.parts.driver,
            progress,
        )

    def scenarios(self, types: Mapping[str, int]) -> Mapping[str, Sequence[Scenario]]:
        """Return every scenario of the corpus for the requested types. The whole corpus is read."""
        while (following := self.material.further()) is not None:
            self.material = following
        return plans(self._writers, self.material, types)

    def learn(self, outcome: RunResult) -> None:
        """Do nothing: later runs need nothing from this one."""

    def on_demand(self) -> Mapping[str, Touched]:
        """Return {}: no attribute is computed on demand."""
        return {}

    def _mix(self) -> QuestionMix:
        languages = sorted({reading.language for reading in self.material.readings.values()})
        return question_mix(self._run.settings, self.material.graph, languages)


def writers_of(settings: Settings) -> tuple[Writer, ...]:
    """Return the writers of the requested question types. Raises ConfigError for a type that has no writer."""
    known: dict[str, list[Writer]] = {}
    for part in discover(WRITERS, Writer).values():  # type: ignore[type-abstract]
        known.setdefault(part.question_type, []).append(part())
    by_type = dict(sorted(known.items()))
    wanted = [kind for kind, share in settings.type_shares.items() if share > 0]
    missing = [kind for kind in wanted if kind not in by_type]
    if missing:
        raise ConfigError(
            f"without a chat model synth writes {', '.join(by_type)} questions, but not {', '.join(missing)}; "
            "name a model with --llm"
        )
    return tuple(writer for kind in wanted for writer in by_type[kind])


class Drafts:
    """Draft questions that the grammar makes from each document, made on first use.

    After an excerpt of a document is added, drafts come from its excerpts only. Passages that are boilerplate yield
    neither drafts nor facts.
    """

    def __init__(self, corpus: Corpus, store: Store) -> None:
        self._corpus, self._store = corpus, store
        self._made: dict[str, list[Draft]] = {}
        self._facts: dict[str, list[Fact]] = {}
        self._boilerplate: dict[str, bool] = {}

    def add(self, excerpt: Excerpt) -> None:
        """Add the drafts of an excerpt to those of its document.

        A draft is skipped if its question and answers are already known.
        """
        made = self._made.setdefault(excerpt.doc_id, [])
        known = {(draft.question, draft.golden_answers) for draft in made}
        with contained("the grammar", excerpt.name):
            document = self._corpus.document(excerpt.doc_id)
            for draft in grammar.drafts(Reading(excerpt.document(document), self._store), self._store):
                spans = [excerpt.origin(document.text, span) for span in draft.spans]
                if None not in spans and (draft.question, draft.golden_answers) not in known:
                    made.extend(self._told(excerpt.doc_id, [replace(draft, spans=tuple(filter(None, spans)))]))
            facts = self._facts.setdefault(excerpt.doc_id, [])
            for fact in grammar.facts(Reading(excerpt.document(document), self._store), self._store):
                spans = [excerpt.origin(document.text, span) for span in fact.spans]
                if None not in spans:
                    title = excerpt.origin(document.text, fact.title) if fact.title else None
                    placed = replace(fact, spans=tuple(filter(None, spans)), title=title)
                    facts.extend(self._told(excerpt.doc_id, [placed]))

    def __call__(self, doc_id: str) -> list[Draft]:
        if doc_id not in self._made:
            self._made[doc_id] = []
            with contained("the grammar", doc_id):
                # Use a separate reading, so that its parse is not kept in memory.
                drafts = grammar.drafts(Reading(self._document(doc_id), self._store), self._store)
                self._made[doc_id] = self._told(doc_id, drafts)
        return self._made[doc_id]

    def facts(self, doc_id: str) -> list[Fact]:
        """Return the facts stated by the structure (headings, lists, tables) of a document or its excerpts."""
        if doc_id not in self._facts:
            self._facts[doc_id] = []
            with contained("the grammar", doc_id):
                facts = grammar.facts(Reading(self._document(doc_id), self._store), self._store)
                self._facts[doc_id] = self._told(doc_id, facts)
        return self._facts[doc_id]

    def of_passage(self, passage: Chunk) -> list[Draft]:
        """Return drafts for a single passage, as if it were the document. Spans refer to the document."""
        with contained("the grammar", f"{passage.doc_id}, character {passage.start}"):
            alone = replace(self._document(passage.doc_id), text=passage.text, content_hash=text_hash(passage.text))
            made = grammar.drafts(Reading(alone, self._store), self._store)
            placed = [
                replace(one, spans=tuple((a + passage.start, b + passage.start) for a, b in one.spans)) for one in made
            ]
            return self._told(passage.doc_id, placed)
        return []

    def _told(self, doc_id: str, items: Iterable[_Item]) -> list[_Item]:
        """Return the drafts or facts of a document whose evidence is not in boilerplate."""
        return [item for item in items if not any(self._is_boilerplate(doc_id, start) for start, _ in item.spans)]

    def _is_boilerplate(self, doc_id: str, offset: int) -> bool:
        passage = self._corpus.chunk_at(doc_id, offset)
        if passage is None:
            return False
        if passage.chunk_id not in self._boilerplate:
            self._boilerplate[passage.chunk_id] = is_boilerplate(self._corpus, [passage.chunk_id])
        return self._boilerplate[passage.chunk_id]

    def _document(self, doc_id: str) -> Document:
        return self._corpus.document(doc_id)


def drawn(doc_ids: Sequence[str], sizes: np.ndarray, seed: int, fresh: Collection[str] = ()) -> list[int]:
    """Return the indices of documents in reading order: `fresh` documents first, then shuffled by the seed.

    Long documents tend to come late. For example, a document of ten times `LONG` characters is a tenth as likely as a
    short one to be among the first hundred.
    """
    import numpy as np

    places = np.array(pseudo_random_each(seed, doc_ids)) * np.maximum(1.0, sizes / LONG)
    later = np.fromiter((doc_id not in fresh for doc_id in doc_ids), dtype=bool, count=len(doc_ids))
    numbers: list[int] = np.lexsort((places, later)).tolist()
    return numbers


def portion_ends(sizes: np.ndarray) -> list[int]:
    """Return for documents of these sizes, in characters, the index after the last document of each portion."""
    import numpy as np

    read, ends, least = np.cumsum(sizes), [0], FIRST
    while ends[-1] < len(sizes):
        ends.append(min(len(sizes), int(np.searchsorted(read, least)) + 1))
        while least <= read[ends[-1] - 1]:
            least += max(FIRST, least // 8)
    return ends[1:]
