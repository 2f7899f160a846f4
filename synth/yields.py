"""What earlier runs with a chat model gave: of how many tries how many rows, what was asked, and how long it was."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from synth.filters.base import Filter
from synth.records import Scenario, digest
from synth.rows import REFUSED, ROW, Outcome
from synth.store import Store

KIND = "scenarios"
_PRIOR = 5
"""Tries that what is known otherwise counts for, beside those that were seen."""

_PRIOR_REPLIES = 1
"""The same for the length of requests and replies, which differ less from one another than tries do."""

_SKETCH, _SAME = 64, 0.5
"""Names of documents that a corpus is known again by, the smallest of their digests, and the share that must agree."""

_REACHED: Mapping[str, float] = {"simple": 0.6, "reasoning": 0.6, "multi_context": 0.5, "conditional": 0.5}
_PASSED: Mapping[str, float] = {"simple": 0.85, "reasoning": 0.75, "multi_context": 0.6, "conditional": 0.65}
_ELSE = 0.5
_KEPT = 0.9
_WRITTEN: Mapping[str, float] = {"synthesizers": 70.0, "evolutions": 120.0, "filters": 14.0, "transforms": 250.0}
_WRITTEN_ELSE = 60.0

Counts: TypeAlias = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Yields:
    """Counts by question type, by type and writer, and by purpose, of the runs with some models.

    Of tries there are the scenarios of which a model was asked, those that `reached` the judges, those that `passed`
    them, and those `kept` as rows; `asked` are their requests by purpose. Of purposes there are the calls and the
    tokens. `types` are those of all runs; `near`, `writers` and the rest those on the same corpus, or of all where
    there were none. `calls` were made, `again` of them because another had failed. `outcomes` are what became of single
    scenarios, and what each took.
    """

    types: Mapping[str, Counts] = field(default_factory=dict)
    near: Mapping[str, Counts] = field(default_factory=dict)
    writers: Mapping[tuple[str, str], Counts] = field(default_factory=dict)
    asked: Mapping[tuple[str, str], Counts] = field(default_factory=dict)
    purposes: Mapping[str, Counts] = field(default_factory=dict)
    calls: int = 0
    again: int = 0
    outcomes: Mapping[str, tuple[str, Counts]] = field(default_factory=dict)

    def fate(self, scenario: Scenario) -> tuple[float, float]:
        """How likely it is that a scenario passes the judges, and then becomes a row; certain where it was tried."""
        passed, kept = self.reached(scenario) * self.passed(scenario), self.kept(scenario)
        if scenario.scenario_id not in self.outcomes:
            return passed, kept
        end, _ = self.outcomes[scenario.scenario_id]
        return float(end != REFUSED), float(end == ROW)

    def reached(self, scenario: Scenario) -> float:
        """How likely it is that a judge is asked about a scenario."""
        return self._share(scenario, "reached", "scenarios", _REACHED.get(scenario.question_type, _ELSE))

    def passed(self, scenario: Scenario) -> float:
        """How likely it is that it passes the judges then."""
        return self._share(scenario, "passed", "reached", _PASSED.get(scenario.question_type, _ELSE))

    def kept(self, scenario: Scenario) -> float:
        """How likely it is that what passed becomes a row, other rows being no hindrance."""
        return self._share(scenario, "kept", "passed", _KEPT)

    def requests(self, kind: str, writer: str, foreseen: Mapping[str, float]) -> dict[str, float]:
        """Requests by purpose that a scenario of a writer takes, where so many are `foreseen`."""
        seen, tries = self.asked.get((kind, writer), {}), self.writers.get((kind, writer), {}).get("scenarios", 0)
        return {
            purpose: (seen.get(purpose, 0) + _PRIOR * foreseen.get(purpose, 0.0)) / (tries + _PRIOR)
            for purpose in sorted({*seen, *foreseen})
        }

    @property
    def calls_a_request(self) -> float:
        """Calls that a request takes, with those that mend a reply or try again."""
        return (self.calls + _PRIOR) / (self.calls - self.again + _PRIOR)

    def read(self, purpose: str, foreseen: float) -> float:
        """Tokens that a call for a purpose reads, where so many are foreseen."""
        return self._tokens(purpose, "prompt_tokens", foreseen)

    def written(self, purpose: str) -> float:
        """Tokens that a reply for a purpose has."""
        return self._tokens(purpose, "completion_tokens", _WRITTEN.get(purpose.partition("/")[0], _WRITTEN_ELSE))

    def _tokens(self, purpose: str, what: str, general: float) -> float:
        seen = self.purposes.get(purpose, {})
        return (seen.get(what, 0) + _PRIOR_REPLIES * general) / (seen.get("calls", 0) + _PRIOR_REPLIES)

    def _share(self, scenario: Scenario, hits: str, tries: str, general: float) -> float:
        """From what is generally so to what was seen of the same writer, each standing in for the next."""
        kind = scenario.question_type
        known = self.types.get(kind, {}), self.near.get(kind, {}), self.writers.get((kind, scenario.synthesizer), {})
        share = general
        for seen in known:
            share = (seen.get(hits, 0) + _PRIOR * share) / (seen.get(tries, 0) + _PRIOR)
        return share


def keep(
    store: Store,
    who: str,
    doc_ids: Iterable[str],
    outcome: Outcome,
    filters: Iterable[Filter],
    model: Mapping[str, Any],
) -> None:
    """Keep what a run gave; `who` names the models, `doc_ids` the documents, `model` are the accounts.

    Runs that asked nothing tell nothing new.
    """
    if not model.get("calls"):
        return
    judges = {gate.name for gate in filters if gate.needs_model}
    judged = {item.scenario.scenario_id for item in outcome.rejected if item.stage in judges}
    tries: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    asked: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in outcome.tries:
        if not one.asked:
            continue
        writer = one.scenario.question_type, one.scenario.synthesizer
        asked[writer].update(one.asked)
        tries[writer].update(
            scenarios=1,
            reached=one.end != REFUSED or one.scenario.scenario_id in judged,
            passed=one.end != REFUSED,
            kept=one.end == ROW,
        )
    seen = {
        "who": who,
        "corpus": _sketch(doc_ids),
        "outcomes": {one.scenario.scenario_id: [one.end, dict(one.asked)] for one in outcome.tries},
        "tries": [[*writer, dict(counts), dict(asked[writer])] for writer, counts in sorted(tries.items())],
        "calls": model["calls"],
        "again": sum(model["retries"].values()),
        "purposes": {purpose: _spent(counts) for purpose, counts in model["by_purpose"].items()},
    }
    value = json.dumps(seen, sort_keys=True).encode()
    store.put(KIND, digest(value.hex()), value)


def read(store: Store, who: str, doc_ids: Iterable[str]) -> Yields:
    """What earlier runs with these models gave, those on the corpus of these documents above all."""
    runs = [run for run in map(json.loads, store.values(KIND)) if run["who"] == who]
    sketch = _sketch(doc_ids)
    near = [run for run in runs if _alike(run["corpus"], sketch)] or runs
    purposes: dict[str, Counter[str]] = defaultdict(Counter)
    for run in near:
        for purpose, counts in run["purposes"].items():
            purposes[purpose].update(counts)
    tries, asked = _by_writer(near)
    calls, again = (sum(run[name] for run in near) for name in ("calls", "again"))
    outcomes = {name: (end, counts) for run in near for name, (end, counts) in run["outcomes"].items()}
    everywhere = _by_type(_by_writer(runs)[0])
    return Yields(everywhere, _by_type(tries), tries, asked, purposes, calls, again, outcomes)


def _spent(counts: Counts) -> Counts:
    """What calls for a purpose took, those that were answered by kept replies as if they had been made."""
    names = ("prompt_tokens", "completion_tokens")
    return {
        "calls": counts["calls"] + counts["cached"],
        **{name: counts[name] + counts[f"cached_{name}"] for name in names},
    }


def _by_writer(runs: Iterable[Mapping[str, Any]]) -> tuple[dict[tuple[str, str], Counter[str]], ...]:
    """The tries, and what was asked for them, by type and writer."""
    tries: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    asked: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for run in runs:
        for kind, writer, counts, requests in run["tries"]:
            tries[kind, writer].update(counts)
            asked[kind, writer].update(requests)
    return tries, asked


def _by_type(tries: Mapping[tuple[str, str], Counter[str]]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for (kind, _), counts in tries.items():
        found[kind].update(counts)
    return found


def _sketch(doc_ids: Iterable[str]) -> list[str]:
    """A bottom-k sketch of the names of the documents, so that a corpus is known again after an edit."""
    return sorted(digest(doc_id)[:12] for doc_id in doc_ids)[:_SKETCH]


def _alike(one: Sequence[str], other: Sequence[str]) -> bool:
    both = sorted({*one, *other})[:_SKETCH]
    return len({*one} & {*other} & {*both}) >= _SAME * len(both)
