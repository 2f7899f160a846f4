"""First steps of a run with a chat model, the brief of the corpus and the trial of the models, and its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from synth.core.errors import ConfigError, InputError, ModelError
from synth.core.progress import Progress
from synth.core.records import Sample, Scenario
from synth.core.small_file import small_text
from synth.core.store import Store
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.library import Library
from synth.corpus.notes import Notes, keep_notes
from synth.corpus.sections import is_worth_asking
from synth.generation.admission import RunResult
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.base import Corpus, SetFilter
from synth.generation.filters.judged import Judged
from synth.generation.pipeline import quotas
from synth.generation.proposals.archive import evolved_shares
from synth.generation.proposals.author import MOST_CANDIDATES, PROPOSE_PROMPT, Author
from synth.generation.proposals.brief import PROMPT, briefed
from synth.generation.proposals.paths import Paths
from synth.generation.proposals.run import Wanted, collect_rows, forgotten
from synth.generation.proposals.tasks import Tasks, turns
from synth.generation.proposals.trial import (
    LOOKED_AT,
    TASKS,
    Trial,
    keep_trial,
    kept_trial,
    prompts_of,
    trial_key,
    tried,
)
from synth.generation.question_form import QuestionMix
from synth.generation.quotas import Balance
from synth.generation.writer import WriterContext
from synth.models.chat.base import Steps
from synth.models.chat.driver import Job
from synth.testset.stored_manifest import Manifest
from synth.text.prompt_injection import gives_orders
from synth.workflows.assembly import Assembly, question_mix
from synth.workflows.endpoints import who
from synth.workflows.settings import Settings

TRIALS = 3
"""Most trials of a model, each on other sections, where requests fail or there are few statements."""

T = TypeVar("T")


_LONGEST_BRIEF = 20_000


@dataclass(frozen=True, slots=True)
class Prepared:
    """The corpus with its brief, and the trial of the models; None for models that the settings say to trust.

    `keep` stores the notes on what is read.
    """

    corpus: Corpus
    trial: Trial | None
    keep: Callable[[Notes], None] = forgotten


def language_of(graph: KnowledgeGraph, doc_ids: Sequence[str]) -> str:
    """The language of most of some documents, by their characters."""
    sizes: Counter[str] = Counter()
    known = graph.sizes if isinstance(graph, Library) else {}
    for doc_id in doc_ids:
        sizes[str(graph.value(doc_id, "language"))] += known.get(doc_id) or len(graph.document(doc_id).text)
    return min(sizes, key=lambda name: (-sizes[name], name), default="other")


def brief_of(settings: Settings, material: WriterContext, parts: Assembly, progress: Progress) -> str:
    """The brief of the documents of a run, by one request, or what the settings say instead.

    Raises InputError when the file that they name cannot be read, ModelError when the model gives none.
    """
    language = language_of(material.graph, list(material.readings))
    steps = briefed(material.graph, material.prompt(PROMPT, language), wishes_in(settings.brief))
    with progress.stage("brief", 1) as stage:
        brief = _done(steps, parts, "brief")
        stage.advance()
    return brief


def brief_of_set(manifest: Manifest) -> str:
    """The brief that a set was made with, from its manifest; "" when it has none.

    It is the text of whoever made the set: never the name of a file, of at most `_LONGEST_BRIEF` characters, and
    without lines that give orders to language models.
    """
    text = manifest.get("brief", "")[:_LONGEST_BRIEF]
    return "\n".join(line for line in text.splitlines() if not gives_orders(line)).strip()


def wishes_in(text: str) -> str:
    """A brief as the settings have it: a text, or the path of a file with one, either after a "+"."""
    sign, name = ("+", text[1:]) if text.startswith("+") else ("", text)
    path = Path(name)
    if "\n" in name or len(name) > 255 or not path.suffix or not path.is_file():
        return text
    try:
        return sign + small_text(path).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the brief {path} cannot be read as UTF-8 text: {error}") from error


def prepared(
    settings: Settings, material: WriterContext, corpus: Corpus, parts: Assembly, store: Store, progress: Progress
) -> Prepared:
    """The corpus with its brief, and the trial of the models, which is made once and kept.

    Raises UntrustedModel when the judge fails, ConfigError when the settings leave it out.
    """
    judge_of(parts)
    if settings.model.trust:
        return Prepared(corpus, None, partial(keep_notes, store))
    language = language_of(material.graph, list(material.readings))
    key = trial_key(who(parts.models), prompts_of(material, language), language)
    trial = kept_trial(store, key)
    if trial is None:
        with progress.stage("trial of the model", 1) as stage:
            trial = Trial(language)
            for steps in trials(settings, material, corpus, language):
                trial = trial.and_then(_done(steps, parts, "trial"))
                if trial.is_enough or trial.judge_passed:
                    break
            stage.advance()
        if not trial.failed:
            keep_trial(store, key, trial)
    trial.check()
    return Prepared(corpus, trial, partial(keep_notes, store))


def trials(settings: Settings, material: WriterContext, corpus: Corpus, language: str) -> Iterator[Steps[Trial]]:
    """Trials of the models in a language, each on other sections, where there are as many.

    The author is asked what the run will ask first, of the types that the settings name.
    """
    graph, doc_ids = material.graph, list(material.readings)
    order = turns(graph, doc_ids, material.seed)
    chosen = [*islice((section for section in order if section.language == language), TRIALS * LOOKED_AT)]
    wanted = [kind for kind, rows in quotas(settings.type_shares, settings.n).items() if rows]
    by_graph = "graph" not in settings.model.without
    paths = Paths(KnowledgeGraph(), corpus, by_graph=by_graph)
    tasks = Tasks(graph=graph, paths=paths, doc_ids=doc_ids, seed=material.seed)
    first = (task for task in tasks.readings(wanted) if task.sections[0].language == language)
    mix = _mix(settings, material)
    for turn in range(TRIALS):
        start = turn * len(chosen) // TRIALS
        asked = [*islice(first, TASKS)]
        yield tried(asked, [*chosen[start:], *chosen[:start]], language, material, corpus, mix)


def _mix(settings: Settings, material: WriterContext) -> QuestionMix:
    """The mix of the forms of questions in the languages of the documents."""
    graph = material.graph
    languages = sorted({str(graph.value(doc_id, "language")) for doc_id in material.readings})
    return question_mix(settings, graph, languages)


def judge_of(parts: Assembly) -> Judged:
    """The filter that judges candidates. Raises ConfigError when the settings leave it out."""
    judge = next((filter_ for filter_ in parts.filters if isinstance(filter_, Judged)), None)
    if judge is None:
        raise ConfigError(
            "with a chat model the filter 'judged' decides, which the settings leave out; take it back in, or leave "
            "out --llm"
        )
    return judge


def _done(steps: Steps[T], parts: Assembly, name: str) -> T:
    (outcome,) = parts.driver.run(iter([Job(key=name, steps=steps)]))
    if outcome.failure is not None:
        raise ModelError(f"the {name} could not be made: {outcome.failure}")
    value: T = outcome.value  # type: ignore[assignment]
    return value


@dataclass(frozen=True, slots=True)
class ChatAuthor:
    """A set written by a chat model."""

    settings: Settings
    material: WriterContext
    prepared: Prepared
    parts: Assembly
    progress: Progress
    difficulty: DifficultyMeasure
    existing: Sequence[Sample] = ()
    fresh: Collection[str] = field(default=())

    def rows(self, wanted: Mapping[str, int], balance: Balance, set_filters: Sequence[SetFilter]) -> RunResult:
        """Rows of each type, as many as wanted or as the documents give."""
        settings, author = self.settings, self.author()
        asked = author.mix.profile.questions if author.mix.profile else ()
        return collect_rows(
            author,
            list(self.material.readings),
            set_filters,
            self.parts.driver,
            Wanted(
                wanted,
                balance,
                settings.control,
                self.existing,
                self.fresh,
                settings.model.patience,
                # Types that nobody asked for by name make up for one another. Where levels are asked for too, rounds of
                # their own share out types and levels together.
                substitute_types=(settings.nearest or not settings.types) and not balance.cells,
                evolved={} if "evolution" in settings.model.without else evolved_shares(asked, author.corpus),
                by_graph="graph" not in settings.model.without,
            ),
            self.progress,
            self.prepared.keep,
        )

    def author(self) -> Author:
        """The author of candidates, with the judge that decides on them."""
        corpus = self.prepared.corpus
        return Author(
            material=self.material,
            corpus=corpus,
            filters=[filter_ for filter_ in self.parts.filters if not filter_.needs_model],
            judge=judge_of(self.parts),
            difficulty=self.difficulty,
            mix=_mix(self.settings, self.material),
        )


def places_to_ask(material: WriterContext, asked: Iterable[str]) -> dict[str, list[Scenario]]:
    """The sections that hold enough to be asked about, as scenarios of each type: as many as the author may propose."""
    graph = material.graph
    order = turns(graph, list(material.readings), material.seed)
    found = [section for section in order if is_worth_asking(graph, section)]
    return {
        kind: [
            Scenario(
                scenario_id=section.section_id,
                synthesizer="chat",
                question_type=kind,
                chunk_ids=section.chunk_ids,
                language=section.language,
                slot=slot,
            )
            for section in found
            for slot in range(MOST_CANDIDATES[PROPOSE_PROMPT])
        ]
        for kind in asked
    }
