"""The verb estimate: what a run with a chat model will ask, read, write and cost, before it is begun.

The scenarios are those that the run would begin with, chosen by the same search; their requests are made by the
writers and gates of the run, and counted instead of sent. How many tries a row takes is what earlier runs with the
same models took, and where there were none, what is generally so; a trial of a few rows, made first, is such a run.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import isgenerator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from synth import endpoints, yields
from synth.config import Assembly
from synth.errors import ConfigError
from synth.filters.base import Corpus, Filter
from synth.generating import generate
from synth.llm.base import Completion, Request, advanced, begun
from synth.llm.budget import prompt_tokens
from synth.llm.prices import Price
from synth.manner import Manner
from synth.opening import corpus_of, material_of, opened, read_corpus
from synth.pipeline import Places, plans, quotas
from synth.progress import Progress, Silent
from synth.records import UNANSWERABLE, Evidence, Sample, Scenario
from synth.rows import Room, text_shares
from synth.search import Search
from synth.settings import Settings
from synth.writer import Material, Writer, Written, evidence_of, passage_at, priority

SAMPLES = 12
"""Scenarios of a writer whose requests are counted; the others are taken to be like them."""

_STEPS = 6
_WORDS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What requests of one purpose come to; `cost` is None where the price of the model is not known."""

    purpose: str
    role: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The rows made first, of how many that were `wanted`; the `calls` that were sent for them, and the answers
    that were `kept` from before; why it `stopped` before its time, "" where it did not."""

    rows: int
    wanted: int
    calls: int
    kept: int
    stopped: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """What a run comes to: by stage, the scenarios tried by question type, and where the prices are from.

    `seen` are the scenarios of earlier runs that it rests on, the `trial`'s among them.
    """

    stages: tuple[Stage, ...]
    scenarios: Mapping[str, int]
    prices: Mapping[str, Price | None]
    seen: int
    trial: Trial | None = None

    def total(self, what: str) -> int:
        """The sum of "calls", "prompt_tokens" or "completion_tokens"."""
        return sum(getattr(stage, what) for stage in self.stages)

    @property
    def cost(self) -> float | None:
        """Money for all of it; None where a price is not known."""
        costs = [stage.cost for stage in self.stages]
        return None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)


def estimate(
    sources: Sequence[Any], settings: Settings, progress: Progress | None = None, *, trial: int = 0
) -> Estimate:
    """What `generate` with these settings will ask of its models. Nothing is sent, but for the rows of a `trial`.

    So many rows are made first and thrown away; what they teach, and the replies, are kept, so that a run that asks the
    same again does not pay for it twice. The limits of the settings bound what the trial may spend.
    Raises ConfigError when no chat model is named or `trial` is less than 0, else as `generate` does.
    """
    if settings.author != "chat":
        raise ConfigError("without a chat model a run costs nothing; name one with --llm to estimate what it takes")
    if trial < 0:
        raise ConfigError(f"the rows to try first must be at least 0, were {trial}")
    progress = progress or Silent()
    tried = _trial(sources, replace(settings, n=trial), progress) if trial else None
    eager = [name for name in settings.by_model if name == "entities"]
    silent = replace(settings, by_model=tuple(name for name in settings.by_model if name not in eager))
    with opened(silent) as (store, parts):
        built = read_corpus(sources, silent, store, parts, progress)
        material, _ = material_of(built, silent, parts, store, progress)
        doc_ids = [document.doc_id for document in built.graph.documents()]
        counted = _Counted(yields.read(store, endpoints.who(parts.models), doc_ids))
        corpus = corpus_of(built.graph, silent)
        scenarios = _questions(settings, material, corpus, parts, counted, progress)
        for chunk in built.graph.chunks() if eager else ():
            prompt = material.prompt("transforms/entities", built.readings[chunk.doc_id].language)
            counted.add(1.0, _weighed([Request.of(prompt, {"passage": chunk.text}, purpose="llm_entities")], 1.0))
        prices = endpoints.prices(settings.model, parts.models)
        by_role = {role: prices[model.identity] for role, model in parts.models.items()}
    return Estimate(stages=counted.stages(by_role), scenarios=scenarios, prices=prices, seen=counted.seen, trial=tried)


def _trial(sources: Sequence[Any], settings: Settings, progress: Progress) -> Trial:
    """Make a set of the settings' `n` rows that nobody keeps."""
    with TemporaryDirectory() as place:
        made = generate(sources, Path(place) / "trial.jsonl", settings, progress)
    model = made.manifest["model"]
    return Trial(
        rows=len(made.outcome.samples),
        wanted=settings.n,
        calls=model["calls"],
        kept=model["cached"],
        stopped=made.outcome.stopped,
    )


def _questions(
    settings: Settings, material: Material, corpus: Corpus, parts: Assembly, counted: _Counted, progress: Progress
) -> Mapping[str, int]:
    """Count the requests of writers and gates; the scenarios tried by question type."""
    wanted = quotas(settings.types, settings.n)
    room = Room(text_shares(corpus), Manner())
    writers = {writer.name: writer for writer in parts.writers}
    tried = _tried(material, writers, wanted, room, counted.yields, settings.model.patience)
    judges = [gate for gate in parts.filters if gate.needs_model]
    scenarios: Counter[str] = Counter()
    with progress.stage("requests", sum(min(SAMPLES, len(found)) for found in tried.values())) as stage:
        for (kind, name), found in tried.items():
            foreseen = []
            known, new = counted.told(found)
            for scenario in sorted(new or known, key=lambda one: priority(0, one.scenario_id))[:SAMPLES]:
                foreseen += _weighed(_asked(writers[name], scenario, material), 1.0)
                foreseen += _judged(scenario, material, corpus, judges, counted.yields)
                stage.advance()
            counted.tries(kind, name, known, len(new), foreseen)
            scenarios[kind] += len(found)
    for kind in scenarios:
        counted.seen += int(counted.yields.types.get(kind, {}).get("scenarios", 0))
    return scenarios


def _tried(
    material: Material,
    writers: Mapping[str, Writer],
    wanted: Mapping[str, int],
    room: Room,
    known: yields.Yields,
    patience: int,
) -> dict[tuple[str, str], list[Scenario]]:
    """The scenarios of which the run would ask a model, by type and writer, were each kept with the known probability,
    and none a row whose document has its share of them."""
    place = Places(material.graph).of
    search = Search(plans([*writers.values()], material, wanted), wanted, place, patience=patience)
    tried: dict[tuple[str, str], list[Scenario]] = defaultdict(list)
    under_way: deque[tuple[Scenario, bool, bool]] = deque()
    while True:
        try:
            scenario = search.next()
        except StopIteration:
            return dict(tried)
        if scenario is None:
            heard, is_row, is_good = under_way.popleft()
            documents = place(heard).documents
            is_row = is_row and not room.crowded(documents)
            if is_row:
                room.seat(documents)
            search.learn(is_row, waits=is_good and not is_row)
            continue
        if not _gives(writers[scenario.synthesizer], scenario, material):
            search.drop()
            under_way.append((scenario, False, False))
            continue
        tried[scenario.question_type, scenario.synthesizer].append(scenario)
        passed, kept = known.fate(scenario)
        drawn = priority(0, "kept", scenario.scenario_id)
        under_way.append((scenario, drawn < passed * kept, drawn < passed))


def _gives(writer: Writer, scenario: Scenario, material: Material) -> bool:
    """Whether a writer has anything to ask a model of a scenario, or a sample without."""
    steps = writer.write(scenario, material)
    if isinstance(steps, Written):
        return bool(steps.samples)
    try:
        begun(steps)
    except StopIteration as end:
        return bool(end.value.samples)
    steps.close()
    return True


def _asked(writer: Writer, scenario: Scenario, material: Material) -> Iterator[Request]:
    """The requests that a writer makes for a scenario, answered with something of the right form."""
    steps = writer.write(scenario, material)
    if isgenerator(steps):
        yield from _requests(steps, _stand_in(scenario, material))


def _judged(
    scenario: Scenario, material: Material, corpus: Corpus, judges: Sequence[Filter], known: yields.Yields
) -> Iterator[_Weighed]:
    """What the judges are asked about the question of a scenario, were one written."""
    sample = _stand_in(scenario, material)
    share = known.reached(scenario)
    for gate in judges:
        steps = gate.judge(sample, corpus)
        requests = list(_requests(steps, sample)) if isgenerator(steps) else []
        yield from _weighed(requests, share)
        if requests:
            # The first judge refuses most of what is refused at all.
            share = known.reached(scenario) * known.passed(scenario)


def _requests(steps: Any, sample: Sample) -> Iterator[Request]:
    step = partial(begun, steps)
    for _ in range(_STEPS):
        try:
            asked = step()
        except StopIteration:
            return
        yield from asked.requests
        answers = [Completion(text="", data=_reply(one.schema or {}, sample)) for one in asked.requests]
        step = partial(advanced, steps, asked, answers)
    steps.close()


def _reply(schema: Mapping[str, Any], sample: Sample) -> Any:
    """A value that is valid by a schema; texts are those of the stand-in."""
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type")
    if kind == "object":
        return {name: _reply(inner, sample) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [_reply(schema.get("items", {}), sample)] * max(1, schema.get("minItems", 1))
    if kind in ("number", "integer"):
        return schema.get("minimum", 0)
    return True if kind == "boolean" else sample.question


def _stand_in(scenario: Scenario, material: Material) -> Sample:
    """A question about as long as one that would be written, on the sentences that it would rest on."""
    pieces: list[Evidence] = []
    for number, chunk_id in enumerate(scenario.chunk_ids):
        chunk = material.graph.chunk(chunk_id)
        sentences = material.readings[chunk.doc_id].sentences
        inside = [one for one in sentences if chunk.start <= one.start < chunk.end]
        focus = number == 0 and scenario.slot is not None and scenario.slot < len(sentences)
        chosen = sentences[scenario.slot] if focus else inside[0] if inside else None
        span = (chosen.start, chosen.end) if chosen else (chunk.start, chunk.end)
        if passage_at(material, chunk.doc_id, span[0]).chunk_id == chunk_id or not focus:
            pieces += evidence_of(material, chunk.doc_id, [span])
    said = " ".join(pieces[0].text.split()[:_WORDS])[:80] if pieces else "?"
    unanswerable = scenario.question_type == UNANSWERABLE
    return Sample(
        question=f"{said}?",
        golden_answers=() if unanswerable else (said[:20],),
        evidence=() if unanswerable else tuple(pieces),
        question_type=scenario.question_type,
        language=scenario.language,
    )


def _weighed(requests: Iterable[Request], share: float) -> list[_Weighed]:
    return [_Weighed(one.purpose, one.role, share, prompt_tokens(one)) for one in requests]


class _Weighed(NamedTuple):
    """A request that is made with a probability, and the tokens that it has."""

    purpose: str
    role: str
    share: float
    tokens: int


class _Counted:
    """Calls and tokens by purpose, in parts of calls."""

    def __init__(self, known: yields.Yields) -> None:
        self.yields = known
        self.seen = 0
        self._counts: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def told(self, scenarios: Iterable[Scenario]) -> tuple[list[Scenario], list[Scenario]]:
        """The scenarios of which it is known what they took, and the others."""
        known: list[Scenario] = []
        new: list[Scenario] = []
        for scenario in scenarios:
            (known if scenario.scenario_id in self.yields.outcomes else new).append(scenario)
        return known, new

    def tries(self, kind: str, writer: str, known: Sequence[Scenario], new: int, foreseen: Sequence[_Weighed]) -> None:
        """Count the requests of scenarios of a writer: what the `known` ones took, and what so many `new` ones will,
        of which, or else of the known ones, up to SAMPLES were looked at."""
        shown = min(SAMPLES, new or len(known))
        rates: Counter[str] = Counter()
        for one in foreseen:
            rates[one.purpose] += one.share / shown  # type: ignore[assignment]
        took: Counter[str] = Counter()
        for scenario in known:
            took.update(self.yields.outcomes[scenario.scenario_id][1])
        expected = self.yields.requests(kind, writer, rates)
        for purpose in sorted({*took, *expected}):
            alike = [one for one in foreseen if one.purpose == purpose]
            requests = took[purpose] + new * expected.get(purpose, 0.0)
            self.add(requests, alike or [_Weighed(purpose, _role(purpose), 1.0, 0)])

    def add(self, requests: float, alike: Sequence[_Weighed]) -> None:
        """Count a number of requests that are like some others."""
        purpose, weight = alike[0].purpose, sum(one.share for one in alike)
        tokens = sum(one.share * one.tokens for one in alike) / weight if weight else 0.0
        calls = requests * self.yields.calls_a_request
        count = self._counts[purpose, alike[0].role]
        count[0] += calls
        count[1] += calls * self.yields.read(purpose, tokens)
        count[2] += calls * self.yields.written(purpose)

    def stages(self, prices: Mapping[str, Price | None]) -> tuple[Stage, ...]:
        found = []
        for (purpose, role), numbers in sorted(self._counts.items()):
            calls, read, written = map(round, numbers)
            price = prices[role]
            cost = price.of(read, written) if price else None
            found.append(
                Stage(purpose=purpose, role=role, calls=calls, prompt_tokens=read, completion_tokens=written, cost=cost)
            )
        return tuple(found)


def _role(purpose: str) -> str:
    return "judge" if purpose.startswith("filters/") else "author"
