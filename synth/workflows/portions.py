"""Portions of a corpus that is read without a chat model: only as many documents are read as the rows need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

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
"""Module with the writers of the packaged question types."""

FIRST = 25_000
"""Least characters of a portion; of a later one, an eighth of what is read before it."""

AHEAD = 4_000_000
"""Most characters that are read together ahead of their portions, so that several processes have enough to do."""

LONG = 20_000
"""Characters from which a document is drawn less often: it takes as long to read as many others, and its rows may be
only so many."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A document or an excerpt of one, its characters, and those of the document's excerpts up to it."""

    doc_id: str
    size: int
    until: int
    excerpt: Excerpt | None = None


class Portions:
    """Portions of the documents of a corpus, in an order that depends on ids and sizes of documents and the seed alone.

    `first` is the material of the first portion; where the settings ask for transforms, its graph has their results on
    the documents that are read. The documents `fresh` come before all others; portions that a set of so many `rows`
    needs in any case are read together. Raises InputError when no document can have questions.
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
        """The material with portion `number`, from 1, and those before it; None when there is no such portion."""
        if number > len(self._made) and number < len(self._portions):
            self._made.append(self._material(number))
        return self._made[number - 1] if number <= len(self._made) else None

    def _material(self, number: int) -> WriterContext:
        """Read a portion; return the material with it and those before it."""
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
        """What is read at a time: documents, and excerpts of long ones.

        Transforms need whole documents.
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
        """Read units with the parsers; return the names of those that could be read."""
        units = sorted(units, key=lambda unit: (unit.doc_id, unit.excerpt.start if unit.excerpt else 0))
        whole = [unit.doc_id for unit in units if unit.excerpt is None]
        documents = [self._run.corpus.document(doc_id) for doc_id in whole]
        documents += [u.excerpt.document(self._run.corpus.document(u.doc_id)) for u in units if u.excerpt is not None]
        passages = {doc_id: self._run.corpus.chunks_of(doc_id) for doc_id in whole}
        return read_deeply(documents, passages, self._run.reading, self._run.progress)

    def _as_read(self, portion: Iterable[Unit], added: Collection[str]) -> dict[str, Reading]:
        """The readings of a portion by document: those of whole ones, and those with further excerpts."""
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
    """The author without a model: writers on what the grammar read, portion by portion. It asks and costs nothing."""

    is_free = True
    exchanges_types = False
    gentle_limits = GENTLE_LIMITS
    trial = None

    def __init__(self, run: Run, fresh: Collection[str] = (), rows: int = 0) -> None:
        self._run = run
        self._writers = writers_of(run.settings)
        self.material = Portions(run, fresh, rows).first

    def prepare(self) -> None:
        """Nothing is asked, so nothing is tried."""

    def rows(self, goal: RowGoal, checks: Checks, progress: Progress) -> RunResult:
        """Rows of each type, as many as wanted or as the documents give."""
        return synthesize(
            replace(goal, mix=self._mix()),
            self.material,
            self._writers,
            checks,
            self._run.parts.driver,
            progress,
        )

    def scenarios(self, types: Mapping[str, int]) -> Mapping[str, Sequence[Scenario]]:
        """Every scenario of the corpus for the wanted types. All of it is read."""
        while (following := self.material.further()) is not None:
            self.material = following
        return plans(self._writers, self.material, types)

    def learn(self, outcome: RunResult) -> None:
        """Nothing is kept for later runs."""

    def on_demand(self) -> Mapping[str, Touched]:
        """No attribute is read on demand."""
        return {}

    def _mix(self) -> QuestionMix:
        languages = sorted({reading.language for reading in self.material.readings.values()})
        return question_mix(self._run.settings, self.material.graph, languages)


def writers_of(settings: Settings) -> tuple[Writer, ...]:
    """The writers of the wanted question types. Raises ConfigError for a type without one."""
    known: dict[str, list[Writer]] = {}
    for part in discover(WRITERS, Writer).values():  # type: ignore[type-abstract]
        known.setdefault(part.question_type, []).append(part())
    by_type = dict(sorted(known.items()))
    wanted = [kind for kind, share in settings.type_shares.items() if share > 0]
    missing = [kind for kind in wanted if kind not in by_type]
    if missing:
        raise ConfigError(
            f"without a chat model synth writes {' and '.join(by_type)} questions, not {' and '.join(missing)}; "
            "name a model with --llm"
        )
    return tuple(writer for kind in wanted for writer in by_type[kind])


class Drafts:
    """The grammar's drafts by document, made when they are first asked for.

    A document of which an excerpt was added has those of its excerpts alone.
    """

    def __init__(self, corpus: Corpus, store: Store) -> None:
        self._corpus, self._store = corpus, store
        self._made: dict[str, list[Draft]] = {}
        self._facts: dict[str, list[Fact]] = {}

    def add(self, excerpt: Excerpt) -> None:
        """Add the drafts of an excerpt to those of its document; a question that is there with its answers is left."""
        made = self._made.setdefault(excerpt.doc_id, [])
        known = {(draft.question, draft.golden_answers) for draft in made}
        with contained("the grammar", excerpt.name):
            document = self._corpus.document(excerpt.doc_id)
            for draft in grammar.drafts(Reading(excerpt.document(document), self._store), self._store):
                spans = [excerpt.origin(document.text, span) for span in draft.spans]
                if None not in spans and (draft.question, draft.golden_answers) not in known:
                    made.append(replace(draft, spans=tuple(filter(None, spans))))
            facts = self._facts.setdefault(excerpt.doc_id, [])
            for fact in grammar.facts(Reading(excerpt.document(document), self._store), self._store):
                spans = [excerpt.origin(document.text, span) for span in fact.spans]
                if None not in spans:
                    title = excerpt.origin(document.text, fact.title) if fact.title else None
                    facts.append(replace(fact, spans=tuple(filter(None, spans)), title=title))

    def __call__(self, doc_id: str) -> list[Draft]:
        if doc_id not in self._made:
            self._made[doc_id] = []
            with contained("the grammar", doc_id):
                # A reading of its own, so that its parse is not kept in memory.
                self._made[doc_id] = grammar.drafts(Reading(self._document(doc_id), self._store), self._store)
        return self._made[doc_id]

    def facts(self, doc_id: str) -> list[Fact]:
        """What the structure of a document, or of its excerpts, states."""
        if doc_id not in self._facts:
            self._facts[doc_id] = []
            with contained("the grammar", doc_id):
                self._facts[doc_id] = grammar.facts(Reading(self._document(doc_id), self._store), self._store)
        return self._facts[doc_id]

    def of_passage(self, passage: Chunk) -> list[Draft]:
        """The drafts on a passage alone, as if it were the document, with the spans of the document."""
        with contained("the grammar", f"{passage.doc_id}, character {passage.start}"):
            alone = replace(self._document(passage.doc_id), text=passage.text, content_hash=text_hash(passage.text))
            made = grammar.drafts(Reading(alone, self._store), self._store)
            return [
                replace(one, spans=tuple((a + passage.start, b + passage.start) for a, b in one.spans)) for one in made
            ]
        return []

    def _document(self, doc_id: str) -> Document:
        return self._corpus.document(doc_id)


def drawn(doc_ids: Sequence[str], sizes: np.ndarray, seed: int, fresh: Collection[str] = ()) -> list[int]:
    """Numbers of the documents of these `sizes`, shuffled by the seed, those in `fresh` ahead and long ones late.

    One of ten times `LONG` characters is a tenth as likely as a short one to be among the first hundred of many.
    """
    import numpy as np

    places = np.array(pseudo_random_each(seed, doc_ids)) * np.maximum(1.0, sizes / LONG)
    later = np.fromiter((doc_id not in fresh for doc_id in doc_ids), dtype=bool, count=len(doc_ids))
    numbers: list[int] = np.lexsort((places, later)).tolist()
    return numbers


def portion_ends(sizes: np.ndarray) -> list[int]:
    """The ends of portions of documents of these sizes, in characters; the last portion ends with the documents."""
    import numpy as np

    read, ends, least = np.cumsum(sizes), [0], FIRST
    while ends[-1] < len(sizes):
        ends.append(min(len(sizes), int(np.searchsorted(read, least)) + 1))
        while least <= read[ends[-1] - 1]:
            least += max(FIRST, least // 8)
    return ends[1:]
