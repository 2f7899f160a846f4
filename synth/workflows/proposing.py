"""The author with a chat model: the brief of the corpus, the trial of the models, and the rows that they write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

from synth.core.errors import ConfigError, InputError, ModelError
from synth.core.progress import Progress
from synth.core.records import Scenario
from synth.core.small_file import small_text
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import keep_notes
from synth.corpus.on_demand import Lazy, Touched
from synth.corpus.sections import is_worth_asking
from synth.corpus.transforms.base import LazyTransform
from synth.generation import run_history
from synth.generation.admission import RowGoal, RunResult
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.judged import Judged
from synth.generation.pipeline import Checks, quotas
from synth.generation.proposals.archive import evolved_shares
from synth.generation.proposals.author import MOST_CANDIDATES, PROPOSE_PROMPT, Author
from synth.generation.proposals.brief import PROMPT, briefed
from synth.generation.proposals.paths import Paths
from synth.generation.proposals.run import Wanted, collect_rows
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
from synth.generation.writer import WriterContext
from synth.models.chat.base import Steps
from synth.models.chat.driver import Job
from synth.testset.stored_manifest import Manifest
from synth.text.prompt_injection import gives_orders
from synth.workflows.assembly import Assembly, question_mix
from synth.workflows.endpoints import who
from synth.workflows.session import Run, askable, asked_graph, provenance_of
from synth.workflows.settings import Settings

TRIALS = 3
"""Most trials of a model, each on other sections, where requests fail or there are few statements."""

T = TypeVar("T")

_LONGEST_BRIEF = 20_000


class ChatAuthor:
    """The author with a chat model, which asks about sections of all documents in the wanted languages.

    `brief` is that of the documents, where there is one. Raises ConfigError when the settings leave the judge out.
    """

    is_free = False
    exchanges_types = True
    gentle_limits: Mapping[str, float] = {}  # the model is asked for more rows instead

    def __init__(self, run: Run, brief: str = "") -> None:
        judge_of(run.parts)
        self._run, self._brief = run, brief
        self.material, self._lazy = material_of(run)
        self.trial: Trial | None = None

    def prepare(self) -> None:
        """Have the documents described, run the transforms that the settings ask for, and put the models to a trial.

        Raises UntrustedModel when the judge fails, ModelError when the model gives no brief.
        """
        run = self._run
        run.corpus.brief = self._brief or brief_of(run, self.material)
        self.material, self._lazy = material_of(run, asked_graph(run))
        self.trial = trial_of(run, self.material)

    def rows(self, goal: RowGoal, checks: Checks, progress: Progress) -> RunResult:
        """Rows of each type, as many as wanted or as the documents give."""
        settings, author = self._run.settings, candidates_of(self._run, self.material, checks.difficulty)
        asked = author.mix.profile.questions if author.mix.profile else ()
        return collect_rows(
            author,
            checks.set_filters,
            self._run.parts.driver,
            Wanted(
                goal.rows,
                goal.balance,
                settings.control,
                goal.existing,
                goal.fresh,
                settings.model.patience,
                # Where levels are asked for too, rounds of their own share out types and levels together.
                substitute_types=goal.exchange and not goal.balance.cells,
                evolved={} if "evolution" in settings.model.without else evolved_shares(asked, author.corpus),
                by_graph="graph" not in settings.model.without,
            ),
            progress,
            partial(keep_notes, self._run.store),
        )

    def scenarios(self, types: Mapping[str, int]) -> Mapping[str, Sequence[Scenario]]:
        """The sections that hold enough to be asked about, for each type as many times as the author may propose."""
        corpus, material = self._run.corpus, self.material
        order = turns(corpus, material.doc_ids, material.seed)
        found = [section for section in order if is_worth_asking(corpus, section)]
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
            for kind in types
        }

    def learn(self, outcome: RunResult) -> None:
        """Keep the numbers of tasks and rows, on which estimates of later runs rest."""
        parts = self._run.parts
        run_history.keep(self._run.store, who(parts.models), outcome.tasks, parts.driver.accounts.summary())

    def on_demand(self) -> Mapping[str, Touched]:
        """Counts of the attributes of passages and documents that were read on demand, by transform."""
        return self._lazy.counts()


def material_of(run: Run, graph: KnowledgeGraph | None = None) -> tuple[WriterContext, Lazy]:
    """The material of a chat model, all documents in the wanted languages, and the attributes read on demand."""
    graph = graph or KnowledgeGraph()
    doc_ids, _ = run.corpus.in_languages(partial(askable, settings=run.settings, knows=lambda language: True))
    lazily = (part for part in run.parts.transforms if isinstance(part, LazyTransform))
    lazy = Lazy(run.corpus, graph, lazily, run.store)
    material = WriterContext(
        corpus=run.corpus,
        graph=graph,
        doc_ids=doc_ids,
        prompt=run.corpus.prompt,
        know=lazy.know,
        provenance=provenance_of(run.settings),
        seed=run.settings.seed,
    )
    return material, lazy


def language_of(material: WriterContext) -> str:
    """The language of most of the documents, by their characters."""
    corpus, sizes = material.corpus, Counter[str]()
    for doc_id in material.doc_ids:
        sizes[corpus.language(doc_id)] += corpus.sizes[doc_id]
    return min(sizes, key=lambda name: (-sizes[name], name), default="other")


def brief_of(run: Run, material: WriterContext) -> str:
    """The brief of the documents of a run, by one request, or what the settings say instead.

    Raises InputError when the file that they name cannot be read, ModelError when the model gives none.
    """
    with run.progress.stage("brief", 1) as stage:
        brief = _done(brief_steps(run.settings, material), run.parts, "brief")
        stage.advance()
    return brief


def brief_steps(settings: Settings, material: WriterContext) -> Steps[str]:
    """The steps to the brief of the documents."""
    prompt = material.prompt(PROMPT, language_of(material))
    return briefed(material.corpus, prompt, wishes_in(settings.brief))


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


def trial_of(run: Run, material: WriterContext) -> Trial | None:
    """The trial of the models, which is made once and kept; None for models that the settings say to trust.

    Raises UntrustedModel when the judge fails.
    """
    if run.settings.model.trust:
        return None
    language = language_of(material)
    key = trial_key(who(run.parts.models), prompts_of(material, language), language)
    trial = kept_trial(run.store, key)
    if trial is None:
        with run.progress.stage("trial of the model", 1) as stage:
            trial = Trial(language)
            for steps in trials(run.settings, material, language):
                trial = trial.and_then(_done(steps, run.parts, "trial"))
                if trial.is_enough or trial.judge_passed:
                    break
            stage.advance()
        if not trial.failed:
            keep_trial(run.store, key, trial)
    trial.check()
    return trial


def trials(settings: Settings, material: WriterContext, language: str) -> Iterator[Steps[Trial]]:
    """Trials of the models in a language, each on other sections, where there are as many.

    The author is asked what the run will ask first, of the types that the settings name.
    """
    corpus, doc_ids = material.corpus, material.doc_ids
    order = turns(corpus, doc_ids, material.seed)
    chosen = [*islice((section for section in order if section.language == language), TRIALS * LOOKED_AT)]
    wanted = [kind for kind, rows in quotas(settings.type_shares, settings.n).items() if rows]
    by_graph = "graph" not in settings.model.without
    paths = Paths(KnowledgeGraph(), corpus, by_graph=by_graph)
    tasks = Tasks(corpus=corpus, paths=paths, doc_ids=doc_ids, seed=material.seed)
    first = (task for task in tasks.readings(wanted) if task.sections[0].language == language)
    mix = _mix(settings, material)
    for turn in range(TRIALS):
        start = turn * len(chosen) // TRIALS
        asked = [*islice(first, TASKS)]
        yield tried(asked, [*chosen[start:], *chosen[:start]], language, material, corpus, mix)


def _mix(settings: Settings, material: WriterContext) -> QuestionMix:
    """The mix of the forms of questions in the languages of the documents."""
    languages = sorted({material.corpus.language(doc_id) for doc_id in material.doc_ids})
    return question_mix(settings, material.graph, languages)


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


def candidates_of(run: Run, material: WriterContext, difficulty: DifficultyMeasure) -> Author:
    """The author of candidates, with the judge that decides on them."""
    return Author(
        material=material,
        corpus=run.corpus,
        filters=[filter_ for filter_ in run.parts.filters if not filter_.needs_model],
        judge=judge_of(run.parts),
        difficulty=difficulty,
        mix=_mix(run.settings, material),
    )
