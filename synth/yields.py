"""What earlier runs with a chat model gave: of how many tries how many rows, and how much a reply has."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from synth.filters.base import Filter
from synth.records import digest
from synth.rows import SHARE, Outcome
from synth.store import Store

KIND = "yields"
_PRIOR = 5
"""Tries that what is generally so counts for, beside those that were seen."""

_PRIOR_REPLIES = 1
"""The same for the length of replies, which differ less from one another than tries do."""

_REACHED: Mapping[str, float] = {"simple": 0.6, "reasoning": 0.6, "multi_context": 0.5, "conditional": 0.5}
_KEPT: Mapping[str, float] = {"simple": 0.85, "reasoning": 0.75, "multi_context": 0.6, "conditional": 0.65}
_ELSE = 0.5
_WRITTEN: Mapping[str, float] = {"synthesizers": 70.0, "evolutions": 120.0, "filters": 14.0, "transforms": 250.0}
_WRITTEN_ELSE = 60.0


@dataclass(frozen=True, slots=True)
class Yields:
    """Counts by question type (scenarios tried, those that reached the judges, rows) and by purpose (calls, tokens)."""

    types: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    purposes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def reached(self, kind: str) -> float:
        """The share of scenarios of a question type that a judge is asked about."""
        seen = self.types.get(kind, {})
        return _blend(seen.get("reached", 0), seen.get("scenarios", 0), _REACHED.get(kind, _ELSE))

    def kept(self, kind: str) -> float:
        """The share of those that become rows."""
        seen = self.types.get(kind, {})
        return _blend(seen.get("kept", 0), seen.get("reached", 0), _KEPT.get(kind, _ELSE))

    def written(self, purpose: str) -> float:
        """Tokens that a reply for a purpose has."""
        seen = self.purposes.get(purpose, {})
        general = _WRITTEN.get(purpose.partition("/")[0], _WRITTEN_ELSE)
        calls, tokens = seen.get("calls", 0), seen.get("completion_tokens", 0)
        return (tokens + _PRIOR_REPLIES * general) / (calls + _PRIOR_REPLIES)


def keep(store: Store, who: str, outcome: Outcome, filters: Iterable[Filter], model: Mapping[str, Any]) -> None:
    """Keep what a run gave; `who` names the models, `model` are the accounts.

    Runs that asked nothing tell nothing new.
    """
    if not model.get("calls"):
        return
    judges = {gate.name for gate in filters if gate.needs_model}
    tried: dict[str, set[str]] = defaultdict(set)
    reached: dict[str, set[str]] = defaultdict(set)
    kept = Counter(sample.question_type for sample in outcome.samples)
    for item in outcome.rejected:
        kind = item.scenario.question_type
        if item.stage == SHARE:
            # Nothing was wrong with it: that it was begun though enough was there is for the search to foresee.
            kept[kind] += 1
            continue
        tried[kind].add(item.scenario.scenario_id)
        if item.stage in judges or item.stage == "duplicate":
            reached[kind].add(item.scenario.scenario_id)
    types = {
        kind: {
            "scenarios": len(tried[kind]) + kept[kind],
            "reached": len(reached[kind]) + kept[kind],
            "kept": kept[kind],
        }
        for kind in outcome.wanted
    }
    names = ("calls", "completion_tokens")
    purposes = {
        purpose: {name: count[name] for name in names} for purpose, count in sorted(model["by_purpose"].items())
    }
    value = json.dumps({"who": who, "types": types, "purposes": purposes}, sort_keys=True).encode()
    store.put(KIND, digest(value.hex()), value)


def read(store: Store, who: str) -> Yields:
    """What all earlier runs with these models gave together."""
    types: dict[str, Counter[str]] = defaultdict(Counter)
    purposes: dict[str, Counter[str]] = defaultdict(Counter)
    for value in store.values(KIND):
        seen = json.loads(value)
        if seen["who"] != who:
            continue
        for into, table in ((types, seen["types"]), (purposes, seen["purposes"])):
            for name, counts in table.items():
                into[name].update(counts)
    return Yields(types, purposes)


def _blend(hits: int, tries: int, general: float) -> float:
    return (hits + _PRIOR * general) / (tries + _PRIOR)
