"""The verb estimate: what a run with a chat model will ask, read, write and cost, before it is begun.

The tasks are those that the run would begin with, chosen in the same way; their requests are made by the run's own
author and judge, and counted instead of sent. How many rows a task gives is what earlier runs with the same models
gave, and where there were none, what is generally so; a trial of a few rows, made first, is such a run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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
from synth.generation.proposals.paths import RULE, Paths
from synth.generation.proposals.paths import Path as GraphPath
from synth.generation.proposals.task import ACROSS, EVOLVE, PROPOSE, PROVE, Candidate, Task
from synth.generation.proposals.tasks import JOINED, PARENTS, PROVED, Learned, Tasks
from synth.generation.proposals.trial import KIND, kept_trial, prompts_of, trial_key
from synth.generation.writer import WriterContext, priority
from synth.models.chat.base import Completion, Request, Steps, advanced, begun
from synth.models.chat.budget import prompt_tokens
from synth.models.chat.prices import Price
from synth.workflows import endpoints
from synth.workflows.assembly import check_personas
from synth.workflows.generating import generate
from synth.workflows.proposing import brief_steps, candidates_of, judge_of, language_of, material_of, trials
from synth.workflows.session import Run, asked_graph, difficulty_of, opened_corpus
from synth.workflows.settings import Settings

T = TypeVar("T")

SAMPLES = 12
"""Tasks of a kind whose requests are counted; the others are taken to be like them."""

_STEPS, _ITEMS = 6, 12
_BRIEF = "x" * 600
"""Stands for a brief that is not made yet."""

_CANDIDATES = {PROPOSE: 3.3, ACROSS: 1.8, EVOLVE: 3.6}  # in a reply, on each passage, and over several together
_FEWER = 1.4  # in any other reply
_READ_FOR_PATHS = 1.5  # tasks that read for each task on paths
_TAKEN, _FILLED = 0.85, 0.75  # share of what is proved that becomes rows, and of a request to prove that is filled
_PATHS = 2  # in a request, which may have more
_PRIOR_ROWS = 2  # rows that the general figures count for, beside those of earlier runs


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCost:
    """Calls, tokens and cost of the requests of one purpose; `cost` is None where the price is not known."""

    purpose: str
    role: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRun:
    """The rows made first, of how many that were `wanted`; the `calls` that were sent for them, and the answers
    that were `kept` from before; why it `stopped` before its time, "" where it did not."""

    rows: int
    wanted: int
    calls: int
    kept: int
    stopped: str


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CostEstimate(Tabular):
    """Estimate of a run: costs by stage, tasks by kind, and the source of the prices.

    - `seen`: the tasks of earlier runs that the estimate rests on, with those of a `trial`.
    - `untrusted`: why a run would stop, since its judge failed an earlier trial; "" if it would not.
    """

    stages: tuple[StageCost, ...]
    tasks: Mapping[str, int]
    prices: Mapping[str, Price | None]
    seen: int
    trial: SampleRun | None = None
    untrusted: str = ""

    def total(self, figure: str) -> int:
        """The sum of "calls", "prompt_tokens" or "completion_tokens"."""
        return sum(getattr(stage, figure) for stage in self.stages)

    def notebook_table(self) -> NotebookTable:
        rows = [
            [stage.purpose, stage.role, stage.calls, stage.prompt_tokens, stage.completion_tokens, stage.cost]
            for stage in self.stages
        ]
        head = ["stage", "role", "calls", "tokens read", "tokens written", "cost"]
        return NotebookTable(head, rows, f"cost: {'not known' if self.cost is None else f'{self.cost:.2f}'}")

    @property
    def cost(self) -> float | None:
        """Money for all of it; None where a price is not known."""
        costs = [stage.cost for stage in self.stages]
        return None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)


def estimate(
    sources: str | Path | Sequence[Any], settings: Settings, progress: Progress | bool | None = None, *, trial: int = 0
) -> CostEstimate:
    """Estimate the requests of `generate` with these settings. Only the rows of a `trial` are sent.

    `trial` is a number of rows to make and throw away, so that the estimate rests on them. Their replies are stored,
    so a later run does not pay for them again. The limits of the settings apply. Raises ConfigError if no chat model
    is named or `trial` is less than 0, else as `generate` does.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.
    """
    if not settings.model.name:
        raise ConfigError("without a chat model a run costs nothing; name one with --llm to estimate what it takes")
    check_least("the rows to try first", trial, 0)
    check_personas(settings)
    progress = progress_of(progress)
    sample_run = _trial(sources, replace(settings, n=trial), progress) if trial else None
    eager = [name for name in settings.by_model if name == "entities"]
    silent = replace(settings, by_model=tuple(name for name in settings.by_model if name not in eager))
    with opened_corpus(sources, silent, progress) as (_, run):
        store, parts, corpus = run.store, run.parts, run.corpus
        corpus.brief = _BRIEF
        material, _ = material_of(run, asked_graph(run))
        counted = RequestTally(run_history.read(store, endpoints.who(parts.models)))
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
    """Make a set of the settings' `n` rows that nobody keeps."""
    with TemporaryDirectory() as place:
        result = generate(sources, Path(place) / "trial.jsonl", settings, progress)
    model = result.manifest["model"]
    return SampleRun(
        rows=len(result.outcome.samples),
        wanted=settings.n,
        calls=model["calls"],
        kept=model["cached"],
        stopped=result.outcome.stopped,
    )


def _count_preparation(run: Run, material: WriterContext, counted: RequestTally) -> str:
    """Count the requests for a brief and for a trial, where they would be made.

    Returns why the judge is not trusted, if it failed a trial that is kept, else "". Raises ConfigError when the
    settings leave the judge out.
    """
    judge_of(run.parts)
    language = language_of(material)
    counted.add(requests_of(brief_steps(run.settings, material)), 1.0)
    if run.settings.model.trust:
        return ""
    trial = kept_trial(run.store, trial_key(endpoints.who(run.parts.models), prompts_of(material, language), language))
    if trial is None:
        # What the author is asked in the trial is asked by the first tasks too, and paid once.
        first = next(trials(run.settings, material, language))
        counted.add((request for request in requests_of(first) if request.purpose != KIND), 1.0)
        return ""
    try:
        trial.check()
    except UntrustedModel as error:
        return str(error)
    return ""


def _tasks(run: Run, material: WriterContext, counted: RequestTally) -> Mapping[str, int]:
    """Count the requests of the tasks that the run needs, were each to give what tasks of its kind give."""
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
    # Paths are found between passages that are read for their sake.
    counts[PROPOSE] = counts.get(PROPOSE, 0) + _READ_FOR_PATHS * counts[ACROSS]
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
    """The tasks of a kind that a run for so many rows takes: `count`, or rather as many for a row as earlier runs."""
    seen = learned.tasks[kind] / (_FILLED * PROVED if kind == PROVE else 1)
    return rows * (seen + _PRIOR_ROWS * count / rows) / (_TAKEN * learned.rows[PROVE] + _PRIOR_ROWS)


def _proofs(candidates: Sequence[Candidate], most: int) -> list[Task]:
    """Tasks that prove candidates of all kinds of tasks in turn."""
    mixed = sorted(candidates, key=lambda candidate: priority(0, candidate.sample.id))
    size = round(_FILLED * PROVED)
    groups = [mixed[start : start + size] for start in range(0, len(mixed), size)]
    return [
        Task(PROVE, tuple(one.section for one in group), (group[0].sample.question_type,), candidates=tuple(group))
        for group in groups[:most]
    ]


def _later(kind: str, pairs: Sequence[tuple[Section, ...]], number: int, developed: Mapping[str, int]) -> Task:
    """A task on what reading brings: stand-ins for paths and for questions to develop, on sections that are read."""
    several = [section for shift in range(len(pairs)) for section in pairs[(number + shift) % len(pairs)]]
    if kind == ACROSS:
        ends = [tuple(several[n : n + 2]) for n in range(0, 2 * _PATHS, 2)]
        paths = tuple(GraphPath(RULE, end, (), _BRIEF[:80], 0.0) for end in ends if end)
        return Task(ACROSS, tuple(dict.fromkeys(several[: 2 * _PATHS])), ("multi_context",), paths)
    types = tuple(name for name in MOVES if developed.get(name))
    homes = [several[min(place // 2, len(several) - 1)] for place in range(PARENTS)]
    parents = tuple(
        Sample(
            question=f"{number} {place} {_BRIEF[:80]}?",
            golden_answers=(_BRIEF[:30],),
            evidence=(),
            question_type="simple",
            language=section.language,
        )
        for place, section in enumerate(homes)
    )
    return Task(EVOLVE, tuple(homes), types, parents=parents, into=(types,) * len(parents))


def requests_of(steps: Steps[Any]) -> list[Request]:
    """The requests that some steps make, answered with something of the right form."""
    return _answered(steps)[0]


def _answered(
    steps: Steps[T], task: Task | None = None, material: WriterContext | None = None
) -> tuple[list[Request], T | None]:
    """The requests that some steps make, answered with something of the right form, and what they come to, or None: for
    a `task` on `material` by its author, with candidates."""
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
    """A reply that is valid by the schema of a request: candidates on the sentences shown, a judge that keeps all."""
    properties = (request.schema or {}).get("properties", {})
    if "candidates" in properties:
        notes: dict[str, Any] = {"notes": []} if "notes" in properties else {}
        return {**notes, "candidates": _candidates(task, material) if task and material else []}
    if "verdicts" in properties:
        return {"verdicts": [_kept(item, properties) for item in range(_ITEMS)]}
    return dict.fromkeys(properties, _BRIEF[:80])


def _kept(item: int, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Verdict of a judge that keeps an item."""
    values = {"boolean": True, "integer": 4, "string": ""}
    verdict = {name: values[schema["type"]] for name, schema in properties["verdicts"]["items"]["properties"].items()}
    return {**verdict, "item": item, **({"found": False} if "found" in verdict else {})}


def _candidates(task: Task, material: WriterContext) -> list[dict[str, Any]]:
    """Candidates about as long, and as many, as a model proposes."""
    shown = shown_of(task, material)
    many = _CANDIDATES.get(task.kind, _FEWER)
    count = int(many) + (priority(0, "candidates", task.task_id) < many % 1)
    places: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(shown.lines):
        if line.kind != HEADING:
            places[shown.sections_of([number])[0].section_id].append(number)
    cited = [*places.values()]
    if task.kind == ACROSS:
        asked = [(0, (number, cited[-1][0])) for number in cited[0][:count]]
    else:
        each = count if task.kind == PROPOSE else ceil(count / max(1, len(cited)))
        asked = [(item, (number, numbers[-1])) for item, numbers in enumerate(cited) for number in numbers[:each]]
    candidates = []
    for item, (number, last) in asked:
        more = {
            "condition": "",
            "otherwise": _BRIEF[:20],
            "reckoning": "",
            "hops": [
                {"question": f"{shown.lines[place].text[:90]}?", "answer": _BRIEF[:20], "sentences": [place]}
                for place in ((number, last) if task.kind == ACROSS else ())
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
    """Calls and tokens by purpose, in parts of calls."""

    def __init__(self, known: run_history.RunHistory) -> None:
        self.yields = known
        self._counts: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def add(self, requests: Iterable[Request], times: float) -> None:
        """Count some requests so many times."""
        for request in requests:
            calls = times * self.yields.calls_a_request
            count = self._counts[request.purpose, request.role]
            count[0] += calls
            count[1] += calls * prompt_tokens(request)
            count[2] += calls * self.yields.written(request.purpose)

    def stages(self, prices: Mapping[str, Price | None]) -> tuple[StageCost, ...]:
        """Sums by purpose, in whole calls and tokens."""
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
