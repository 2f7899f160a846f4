"""The command estimate: number, tokens and cost of the requests of a run with a chat model, before the run starts.

A run consists of tasks, such as reading a passage or checking candidates. The estimate selects the tasks with which the
run would start, makes their requests and counts them without sending them. The number of rows per task comes from
earlier runs with the same models, or else from general figures. A trial of a few rows, made first, counts as an earlier
run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from synth.core.checks import check_least
from synth.core.errors import ConfigError, UntrustedModel
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, progress_of
from synth.core.records import Sample
from synth.corpus.documents.loading import Sources
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.sections import HEADING, Section
from synth.generation import run_history
from synth.generation.pipeline import quotas
from synth.generation.proposals.archive import EVOLVED_SHARES, MOVES
from synth.generation.proposals.author import shown_of
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.paths import RULE
from synth.generation.proposals.paths import Path as GraphPath
from synth.generation.proposals.task import ACROSS, EVOLVE, JOIN, PROPOSE, PROVE, Candidate, Task
from synth.generation.proposals.tasks import JOINED, ON_ONE_MATTER, PARENTS, PROVED, Learned, Tasks
from synth.generation.proposals.trial import KIND, kept_trial, prompts_of, trial_key
from synth.generation.writer import WriterContext, priority
from synth.models.chat.base import Completion, Request, Steps, advanced, begun
from synth.models.chat.budget import prompt_tokens
from synth.models.chat.prices import Price
from synth.workflows import endpoints
from synth.workflows.assembly import check_personas
from synth.workflows.generating import generate
from synth.workflows.proposing import (
    brief_steps,
    candidates_of,
    history_key,
    judge_of,
    language_of,
    material_of,
    trials,
)
from synth.workflows.session import Run, asked_graph, difficulty_of, opened_corpus
from synth.workflows.settings import Settings

T = TypeVar("T")

SAMPLES = 12
"""Number of tasks of each kind whose requests are counted. The other tasks are assumed to be similar."""

_STEPS, _ITEMS = 6, 12
PLACEHOLDER_BRIEF = "x" * 600
"""Placeholder for the description of the documents, which does not exist yet."""

_CANDIDATES = {PROPOSE: 3.3, ACROSS: 1.8, EVOLVE: 3.6}  # candidates: per passage for PROPOSE, per reply for the others
_FEWER = 1.4  # candidates in any other reply
_READ_FOR_PATHS = 2.0  # tasks of kind JOIN for each task on paths
_READ_MORE = 1.5  # reading tasks of a run for each one planned at its start
_TAKEN, _FILLED = 0.85, 0.75  # share of checked candidates that become rows; share of a checking request that is filled
_PATHS = 2  # paths per request, which may contain more
_PRIOR_ROWS = 2  # the general figures weigh as much as this number of rows of earlier runs


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCost:
    """Calls, tokens and cost of the requests of one purpose. `cost` is None if the price is unknown."""

    purpose: str
    role: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRun:
    """Result of a trial run.

    `rows` is the number of rows made, `wanted` the number requested, and `calls` the number of requests sent. `kept` is
    the number of replies that were stored before the trial. `replies` is the number of stored replies after the trial,
    by purpose. `stopped` is the reason why the trial stopped early, or "".
    """

    rows: int
    wanted: int
    calls: int
    kept: int
    stopped: str
    replies: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CostEstimate(Tabular):
    """Estimate of a run: costs by stage, tasks by kind, and prices by model.

    - `seen`: number of tasks in earlier runs (the trial included) on which the estimate is based.
    - `untrusted`: the reason why a run would stop because its judge failed an earlier trial; "" if it would not stop.
    """

    stages: tuple[StageCost, ...]
    tasks: Mapping[str, int]
    prices: Mapping[str, Price | None]
    seen: int
    trial: SampleRun | None = None
    untrusted: str = ""

    def total(self, figure: str) -> int:
        """Return the sum of "calls", "prompt_tokens" or "completion_tokens"."""
        return sum(getattr(stage, figure) for stage in self.stages)

    def notebook_table(self) -> NotebookTable:
        rows = [
            [stage.purpose, stage.role, stage.calls, stage.prompt_tokens, stage.completion_tokens, stage.cost]
            for stage in self.stages
        ]
        head = ["stage", "role", "calls", "tokens read", "tokens written", "cost"]
        return NotebookTable(head, rows, f"cost: {'unknown' if self.cost is None else f'{self.cost:.2f}'}")

    @property
    def unpaid(self) -> tuple[int, float | None]:
        """Calls that are left for the run after the trial, and their cost, or None if a price is unknown.

        The run is assumed to use all replies of the trial.
        """
        paid = self.trial.replies if self.trial else {}
        left = {stage: max(0, stage.calls - paid.get(stage.purpose, 0)) for stage in self.stages}
        costs = [stage.cost and stage.cost * calls / max(1, stage.calls) for stage, calls in left.items()]
        return sum(left.values()), None if None in costs else sum(cost or 0.0 for cost in costs)

    @property
    def cost(self) -> float | None:
        """Total cost, or None if a price is unknown."""
        costs = [stage.cost for stage in self.stages]
        return None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)


def estimate(
    sources: str | Path | Sequence[Any], settings: Settings, progress: Progress | bool | None = None, *, trial: int = 0
) -> CostEstimate:
    """Estimate the requests of `generate` with these settings. Without a `trial`, nothing is sent.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.
    - `trial`: number of rows to make first and discard, for a better estimate. The limits of the settings apply. The
      replies are stored, so that a later run does not pay for them again.

    Raises ConfigError if no chat model is named or `trial` is negative, and the errors of `generate`.
    """
    if not settings.model.name:
        raise ConfigError("a run without a chat model costs nothing; name a chat model with --llm to estimate its cost")
    check_least("the rows to try first", trial, 0)
    check_personas(settings)
    progress = progress_of(progress)
    sample_run = _trial(sources, replace(settings, n=trial), progress) if trial else None
    eager = [name for name in settings.by_model if name == "entities"]
    silent = replace(settings, by_model=tuple(name for name in settings.by_model if name not in eager))
    with opened_corpus(sources, silent, progress) as (_, run):
        store, parts, corpus = run.store, run.parts, run.corpus
        corpus.brief = PLACEHOLDER_BRIEF
        material, _ = material_of(run, asked_graph(run))
        counted = RequestTally(run_history.read(store, history_key(run)))
        untrusted = _count_preparation(run, material, counted)
        kinds = _tasks(run, material, counted)
        for chunk in corpus.chunks() if eager else ():
            prompt = material.prompt("transforms/entities", corpus.language(chunk.doc_id))
            counted.add([Request.of(prompt, {"passage": chunk.text}, purpose="llm_entities")], 1.0)
        prices = endpoints.prices(settings.model, parts.models)
        by_role = {role: prices[model.identity] for role, model in parts.models.items()}
        seen = counted.yields.learned.tasks.total()
    return CostEstimate(
        stages=counted.stages(by_role), tasks=kinds, prices=prices, seen=seen, trial=sample_run, untrusted=untrusted
    )


def _trial(sources: Sources, settings: Settings, progress: Progress) -> SampleRun:
    """Make a set of `settings.n` rows and discard it."""
    with TemporaryDirectory() as place:
        result = generate(sources, Path(place) / "trial.jsonl", settings, progress)
    model = result.manifest["model"]
    return SampleRun(
        rows=len(result.outcome.samples),
        wanted=settings.n,
        calls=model["calls"],
        kept=model["cached"],
        stopped=result.outcome.stopped,
        replies={name: spent["calls"] + spent["cached"] for name, spent in model["by_purpose"].items()},
    )


def _count_preparation(run: Run, material: WriterContext, counted: RequestTally) -> str:
    """Count the requests for a brief (description of the documents) and for a trial, if a run would make them.

    Returns the reason why the judge is not trusted, or "". Raises ConfigError if the settings leave the judge out.
    """
    judge_of(run.parts)
    language = language_of(material)
    counted.add(requests_of(brief_steps(run.settings, material)), 1.0)
    if run.settings.model.trust:
        return ""
    trial = kept_trial(run.store, trial_key(endpoints.who(run.parts.models), prompts_of(material, language), language))
    if trial is None:
        # The trial asks the author the same requests as the first tasks, so they are paid only once.
        first = next(trials(run.settings, material, language))
        counted.add((request for request in requests_of(first) if request.purpose != KIND), 1.0)
        return ""
    try:
        trial.check()
    except UntrustedModel as error:
        return str(error)
    return ""


def _tasks(run: Run, material: WriterContext, counted: RequestTally) -> Mapping[str, int]:
    """Count the requests of the tasks that the run needs. Return the number of tasks by kind."""
    row_quotas = quotas(run.settings.type_shares, run.settings.n)
    author = candidates_of(run, material, difficulty_of(run.corpus, run.settings, run.parts))
    tasks = Tasks(
        corpus=run.corpus,
        paths=Paths(KnowledgeGraph(), run.corpus),
        doc_ids=material.doc_ids,
        seed=material.seed,
        learned=Learned(Counter(counted.yields.learned.tasks), Counter(counted.yields.learned.rows)),
    )
    developed = {kind: round(share * row_quotas.get(kind, 0)) for kind, share in EVOLVED_SHARES.items()}
    chosen: dict[str, list[Task]] = defaultdict(list)
    while (task := tasks.next(row_quotas, developed)) is not None:
        chosen[task.kind].append(task)
    pairs = [task.sections for task in chosen[PROPOSE]]
    joined = sum("multi_context" in task.types for task in chosen[PROPOSE]) * JOINED * tasks.learned.expected(PROVE)
    across = max(0.0, row_quotas.get("multi_context", 0) - joined)
    counts = {kind: float(len(group)) for kind, group in chosen.items()}
    for kind, rows in ((ACROSS, across), (EVOLVE, sum(developed.values()))):
        counts[kind] = ceil(rows / tasks.learned.rows_of(kind)) if pairs else 0
        chosen[kind] = [_later(kind, pairs, number, developed) for number in range(min(SAMPLES, ceil(counts[kind])))]
    # Finding paths needs further passages to be read.
    counts[PROPOSE] = counts.get(PROPOSE, 0) * _READ_MORE
    counts[JOIN] = _READ_FOR_PATHS * counts[ACROSS]
    chosen[JOIN] = [_later(JOIN, pairs, number, developed) for number in range(min(SAMPLES, ceil(counts[JOIN])))]
    rows = sum(row_quotas.values())
    counts[PROVE] = ceil(rows / _TAKEN / tasks.learned.expected(PROVE) / (_FILLED * PROVED))
    counts = {kind: _as_before(kind, count, rows, tasks.learned) for kind, count in counts.items() if count}
    chosen = {kind: group for kind, group in chosen.items() if group}
    candidates: list[Candidate] = []
    with run.progress.stage("requests", sum(min(SAMPLES, len(group)) for group in chosen.values())) as stage:
        for kind, group in chosen.items():
            shown = sorted(group, key=lambda task: priority(0, task.task_id))[:SAMPLES]
            for task in shown:
                requests, result = _answered(author.steps(task), task, material)
                counted.add(requests, counts[kind] / len(shown))
                candidates += result.candidates if result else ()
                stage.advance()
    proofs = _proofs(candidates, min(SAMPLES, ceil(counts[PROVE])))
    for task in proofs:
        counted.add(_answered(author.steps(task), task, material)[0], counts[PROVE] / len(proofs))
    return {kind: ceil(counts[kind]) for kind in sorted((*chosen, *((PROVE,) if proofs else ())))}


def _as_before(kind: str, count: float, rows: int, learned: Learned) -> float:
    """Return the number of tasks of a kind for `rows` rows.

    The number combines a general figure, `count`, with the number of tasks per row in earlier runs.
    """
    seen = learned.tasks[kind] / (_FILLED * PROVED if kind == PROVE else 1)
    return rows * (seen + _PRIOR_ROWS * count / rows) / (_TAKEN * learned.rows[PROVE] + _PRIOR_ROWS)


def _proofs(candidates: Sequence[Candidate], most: int) -> list[Task]:
    """Return at most `most` tasks that check the candidates in random groups."""
    mixed = sorted(candidates, key=lambda candidate: priority(0, candidate.sample.id))
    size = round(_FILLED * PROVED)
    groups = [mixed[start : start + size] for start in range(0, len(mixed), size)]
    return [
        Task(PROVE, tuple(one.section for one in group), (group[0].sample.question_type,), candidates=tuple(group))
        for group in groups[:most]
    ]


def _later(kind: str, pairs: Sequence[tuple[Section, ...]], number: int, developed: Mapping[str, int]) -> Task:
    """Return a placeholder task on paths or parent questions. The real ones are unknown before passages are read."""
    several = [section for shift in range(len(pairs)) for section in pairs[(number + shift) % len(pairs)]]
    if kind == JOIN:
        return Task(JOIN, tuple(several[:ON_ONE_MATTER]), ("multi_context",))
    if kind == ACROSS:
        ends = [tuple(several[n : n + 2]) for n in range(0, 2 * _PATHS, 2)]
        paths = tuple(GraphPath(RULE, end, (), PLACEHOLDER_BRIEF[:80], 0.0) for end in ends if end)
        return Task(ACROSS, tuple(dict.fromkeys(several[: 2 * _PATHS])), ("multi_context",), paths)
    types = tuple(name for name in MOVES if developed.get(name))
    homes = [several[min(place // 2, len(several) - 1)] for place in range(PARENTS)]
    parents = tuple(
        Sample(
            question=f"{number} {place} {PLACEHOLDER_BRIEF[:80]}?",
            golden_answers=(PLACEHOLDER_BRIEF[:30],),
            evidence=(),
            question_type="simple",
            language=section.language,
        )
        for place, section in enumerate(homes)
    )
    return Task(EVOLVE, tuple(homes), types, parents=parents, into=(types,) * len(parents))


def requests_of(steps: Steps[Any]) -> list[Request]:
    """Return the requests of some steps. Each request is answered with a placeholder reply of the right form."""
    return _answered(steps)[0]


def _answered(
    steps: Steps[T], task: Task | None = None, material: WriterContext | None = None
) -> tuple[list[Request], T | None]:
    """Return the requests of some steps, and their result, None if they do not finish.

    Each request is answered with a placeholder reply. For a `task` on `material`, replies contain candidates.
    """
    requests: list[Request] = []
    step = partial(begun, steps)
    for _ in range(_STEPS):
        try:
            asked = step()
        except StopIteration as end:
            return requests, end.value
        requests += asked.requests
        answers = [Completion(text="", data=_reply(request, task, material)) for request in asked.requests]
        step = partial(advanced, steps, asked, answers)
    steps.close()
    return requests, None


def _reply(request: Request, task: Task | None, material: WriterContext | None) -> Any:
    """Return a valid reply to a request: candidates that cite the sentences shown, or verdicts that keep every item."""
    properties = (request.schema or {}).get("properties", {})
    if "candidates" in properties:
        notes: dict[str, Any] = {"notes": []} if "notes" in properties else {}
        return {**notes, "candidates": _candidates(task, material) if task and material else []}
    if "verdicts" in properties:
        return {"verdicts": [_kept(item, properties) for item in range(_ITEMS)]}
    return dict.fromkeys(properties, PLACEHOLDER_BRIEF[:80])


def _kept(item: int, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return a verdict that keeps an item."""
    values = {"boolean": True, "integer": 4, "string": ""}
    verdict = {name: values[schema["type"]] for name, schema in properties["verdicts"]["items"]["properties"].items()}
    return {**verdict, "item": item, **({"found": False} if "found" in verdict else {})}


def _candidates(task: Task, material: WriterContext) -> list[dict[str, Any]]:
    """Return candidates in the number and length that a model usually proposes."""
    shown = shown_of(task, material)
    many = _CANDIDATES.get(task.kind, _FEWER)
    count = int(many) + (priority(0, "candidates", task.task_id) < many % 1)
    places: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(shown.lines):
        if line.kind != HEADING:
            places[shown.sections_of([number])[0].section_id].append(number)
    cited = [*places.values()]
    if task.kind in (ACROSS, JOIN):
        asked = [(0, (number, cited[-1][0])) for number in cited[0][:count]]
    else:
        each = count if task.kind == PROPOSE else ceil(count / max(1, len(cited)))
        asked = [(item, (number, numbers[-1])) for item, numbers in enumerate(cited) for number in numbers[:each]]
    candidates = []
    for item, (number, last) in asked:
        more = {
            "condition": "",
            "otherwise": PLACEHOLDER_BRIEF[:20],
            "reckoning": "",
            "hops": [
                {"question": f"{shown.lines[place].text[:90]}?", "answer": PLACEHOLDER_BRIEF[:20], "sentences": [place]}
                for place in ((number, last) if task.kind in (ACROSS, JOIN) else ())
            ],
            "move": "deepen",
            "item": item,
            "missing": "",
            "worth": 3,
        }
        types = [name for name in task.types if name != "multi_context"] or [*task.types]
        kind = types[number % len(types)]
        text = shown.lines[number].text
        question, answer = f"{number} {text[:90]}?", text[:30]
        candidates.append({"type": kind, "question": question, "answer": answer, "sentences": [number, last], **more})
    return candidates


class RequestTally:
    """Calls and tokens by purpose. Numbers of calls may be fractions."""

    def __init__(self, known: run_history.RunHistory) -> None:
        self.yields = known
        self._counts: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def add(self, requests: Iterable[Request], times: float) -> None:
        """Count each request `times` times."""
        for request in requests:
            calls = times * self.yields.calls_a_request
            count = self._counts[request.purpose, request.role]
            count[0] += calls
            count[1] += calls * prompt_tokens(request)
            count[2] += calls * self.yields.written(request.purpose)

    def stages(self, prices: Mapping[str, Price | None]) -> tuple[StageCost, ...]:
        """Return the sums by purpose, rounded to whole calls and tokens."""
        stage_costs = []
        for (purpose, role), (calls, read, written) in sorted(self._counts.items()):
            price = prices.get(role)
            cost = price.of(round(read), round(written)) if price else None
            stage_costs.append(
                StageCost(
                    purpose=purpose,
                    role=role,
                    calls=round(calls),
                    prompt_tokens=round(read),
                    completion_tokens=round(written),
                    cost=cost,
                )
            )
        return tuple(stage_costs)
