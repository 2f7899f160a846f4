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
from synth.generation.proposals.author import MOST_CANDIDATES, Author
from synth.generation.proposals.brief import PROMPT, briefed
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.run import Wanted, collect_rows
from synth.generation.proposals.task import PROPOSE
from synth.generation.proposals.tasks import Tasks
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
from synth.generation.proposals.turns import turns
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
"""Maximum number of trials of a model.

A trial is repeated on other sections if requests failed or the trial had too few statements.
"""

T = TypeVar("T")

_LONGEST_BRIEF = 20_000


class ChatAuthor:
    """Author that writes questions with a chat model, about sections of all documents in the requested languages.

    `brief` is an existing brief (description) of the documents, or "". Raises ConfigError if the settings leave the
    judge out.
    """

    is_free = False
    exchanges_types = True
    gentle_limits: Mapping[str, float] = {}  # the model writes more candidates instead

    def __init__(self, run: Run, brief: str = "") -> None:
        judge_of(run.parts)
        self._run, self._brief = run, brief
        self.material, self._lazy = material_of(run)
        self.trial: Trial | None = None

    def prepare(self) -> None:
        """Get the brief of the documents, run the requested transforms, and try the models on a few sections.

        Raises UntrustedModel if the judge fails the trial, and ModelError if the model writes no brief.
        """
        run = self._run
        run.corpus.brief = self._brief or brief_of(run, self.material)
        self.material, self._lazy = material_of(run, asked_graph(run))
        self.trial = trial_of(run, self.material)

    def rows(self, goal: RowGoal, checks: Checks, progress: Progress) -> RunResult:
        """Return rows of each type, up to the requested number or as many as the documents allow."""
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
                substitute_types=goal.exchange,
                substitute_levels=settings.nearest,
                evolved={} if "evolution" in settings.model.without else evolved_shares(asked, author.corpus),
                by_graph="graph" not in settings.model.without,
            ),
            progress,
            partial(keep_notes, self._run.store),
        )

    def scenarios(self, types: Mapping[str, int]) -> Mapping[str, Sequence[Scenario]]:
        """Return the sections with enough content for questions. A section occurs once for each question it may get."""
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
                for slot in range(MOST_CANDIDATES[PROPOSE])
            ]
            for kind in types
        }

    def learn(self, outcome: RunResult) -> None:
        """Store the numbers of tasks and rows of this run, from which later runs are estimated."""
        parts = self._run.parts
        run_history.keep(self._run.store, history_key(self._run), outcome.tasks, parts.driver.accounts.summary())

    def on_demand(self) -> Mapping[str, Touched]:
        """Return counts, by transform, of attributes of passages and documents computed on demand."""
        return self._lazy.counts()


def history_key(run: Run) -> str:
    """Return the key under which the numbers of tasks and rows of runs are stored.

    The key contains the models and the shares of difficulty, because a row of a rare level takes more tasks.
    """
    shares = " ".join(f"{level}={share:g}" for level, share in sorted(run.settings.difficulty.items()) if share)
    return " | ".join(filter(None, (who(run.parts.models), shares)))


def material_of(run: Run, graph: KnowledgeGraph | None = None) -> tuple[WriterContext, Lazy]:
    """Return the material for a chat model (all documents in the requested languages) and its on-demand attributes."""
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
    """Return the language in which most characters of the documents are written."""
    corpus, sizes = material.corpus, Counter[str]()
    for doc_id in material.doc_ids:
        sizes[corpus.language(doc_id)] += corpus.sizes[doc_id]
    return min(sizes, key=lambda name: (-sizes[name], name), default="other")


def brief_of(run: Run, material: WriterContext) -> str:
    """Return the brief of the documents of a run, from the settings or else from one request to the model.

    Raises InputError if the brief file cannot be read, and ModelError if the model writes no brief.
    """
    with run.progress.stage("brief", 1) as stage:
        brief = _done(brief_steps(run.settings, material), run.parts, "brief")
        stage.advance()
    return brief


def brief_steps(settings: Settings, material: WriterContext) -> Steps[str]:
    """Return the steps that make the brief of the documents."""
    prompt = material.prompt(PROMPT, language_of(material))
    return briefed(material.corpus, prompt, wishes_in(settings.brief))


def brief_of_set(manifest: Manifest) -> str:
    """Return the brief in the manifest of a set, or "" if it has none.

    The maker of the set wrote this text, so it is restricted. It is never read as a file name, has at most
    `_LONGEST_BRIEF` characters, and loses all lines that give instructions to language models.
    """
    text = manifest.get("brief", "")[:_LONGEST_BRIEF]
    return "\n".join(line for line in text.splitlines() if not gives_orders(line)).strip()


def wishes_in(text: str) -> str:
    """Return the brief in the settings: a text, or the content of a file it names. A leading "+" is kept.

    Raises InputError if the file cannot be read.
    """
    sign, name = ("+", text[1:]) if text.startswith("+") else ("", text)
    path = Path(name)
    if "\n" in name or len(name) > 255 or not path.suffix or not path.is_file():
        return text
    try:
        return sign + small_text(path).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the brief {path} cannot be read as UTF-8 text: {error}") from error


def trial_of(run: Run, material: WriterContext) -> Trial | None:
    """Return the stored trial of the models, or make and store a trial if there is none.

    Returns None if the settings trust the models.

    Raises UntrustedModel if the judge fails the trial.
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
        if trial.is_enough:
            keep_trial(run.store, key, trial)
    trial.check()
    return trial


def trials(settings: Settings, material: WriterContext, language: str) -> Iterator[Steps[Trial]]:
    """Yield trials of the models in a language. Each uses other sections if there are enough.

    The author gets the requests with which the run will start, for the question types of the settings.
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
    """Return the mix of question forms in the languages of the documents."""
    languages = sorted({material.corpus.language(doc_id) for doc_id in material.doc_ids})
    return question_mix(settings, material.graph, languages)


def judge_of(parts: Assembly) -> Judged:
    """Return the filter `judged`, with which a chat model judges candidates.

    Raises ConfigError if the settings leave the filter out.
    """
    judge = next((filter_ for filter_ in parts.filters if isinstance(filter_, Judged)), None)
    if judge is None:
        raise ConfigError(
            "a run with a chat model needs the filter 'judged', but the settings switch it off; "
            "remove judged = false, or omit --llm"
        )
    return judge


def _done(steps: Steps[T], parts: Assembly, name: str) -> T:
    (outcome,) = parts.driver.run(iter([Job(key=name, steps=steps)]))
    if outcome.failure is not None:
        raise ModelError(f"the {name} failed: {outcome.failure}")
    value: T = outcome.value  # type: ignore[assignment]
    return value


def candidates_of(run: Run, material: WriterContext, difficulty: DifficultyMeasure) -> Author:
    """Return the part of the author that proposes candidates, together with the judge that decides on them."""
    return Author(
        material=material,
        corpus=run.corpus,
        filters=[filter_ for filter_ in run.parts.filters if not filter_.needs_model],
        judge=judge_of(run.parts),
        difficulty=difficulty,
        mix=_mix(run.settings, material),
    )
