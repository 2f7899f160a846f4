"""History of runs with a chat model: rows by kind of task, and tokens by purpose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from synth.core.records import digest
from synth.core.store import Store
from synth.generation.proposals.tasks import Learned

KIND = "run_history"
_PRIOR = 2
"""Weight of the default values, in calls. A measured value has the number of its calls as weight."""

_WRITTEN: Mapping[str, float] = {
    "proposals/brief": 130.0,
    "proposals/propose": 660.0,
    "proposals/across": 320.0,
    "proposals/evolve": 300.0,
    "proposals/unanswerable": 120.0,
    "trial": 660.0,
    "filters/closed": 160.0,
    "filters/open": 250.0,
    "filters/answer": 60.0,
}
_WRITTEN_OTHERWISE = 100.0


@dataclass(frozen=True, slots=True)
class RunHistory:
    """Sums over earlier runs with the same models.

    `learned` counts tasks and their rows by kind, `purposes` the calls and tokens per purpose. `calls` is the number of
    calls, `repeated` the number of retried calls, and `runs` the number of runs.
    """

    learned: Learned = field(default_factory=Learned)
    purposes: Mapping[str, Counter[str]] = field(default_factory=dict)
    calls: int = 0
    repeated: int = 0
    runs: int = 0

    @property
    def calls_a_request(self) -> float:
        """Mean number of calls per request, including repairs and retries."""
        return (self.calls + _PRIOR) / (self.calls - self.repeated + _PRIOR)

    def written(self, purpose: str) -> float:
        """Return the expected number of tokens in a reply for a purpose."""
        seen = self.purposes.get(purpose, Counter())
        general = _WRITTEN.get(purpose, _WRITTEN_OTHERWISE)
        return (seen["completion_tokens"] + _PRIOR * general) / (seen["calls"] + _PRIOR)


def keep(store: Store, models: str, tasks: Mapping[str, tuple[int, int]], model: Mapping[str, Any]) -> None:
    """Store the counts of a run.

    `models` names its models. `tasks` is `RunResult.tasks`, and `model` the account of calls and tokens. A run without
    calls is not stored.
    """
    if not model.get("calls"):
        return
    counts = {
        "models": models,
        "tasks": {kind: count for kind, (count, _) in tasks.items()},
        "rows": {kind: rows for kind, (_, rows) in tasks.items()},
        "calls": model["calls"],
        "repeated": sum(model["retries"].values()),
        "purposes": {purpose: _spent(spent) for purpose, spent in model["by_purpose"].items()},
    }
    value = json.dumps(counts, sort_keys=True).encode()
    store.put(KIND, digest(value.hex()), value)


def read(store: Store, models: str) -> RunHistory:
    """Return the history of runs with these models."""
    runs = [run for run in map(json.loads, store.values(KIND)) if run["models"] == models]
    learned = Learned(_sum(run["tasks"] for run in runs), _sum(run["rows"] for run in runs))
    names = sorted({purpose for run in runs for purpose in run["purposes"]})
    purposes = {name: _sum(run["purposes"].get(name, {}) for run in runs) for name in names}
    calls, repeated = (sum(run[name] for run in runs) for name in ("calls", "repeated"))
    return RunHistory(learned, purposes, calls, repeated, len(runs))


def _sum(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum(map(Counter, counts), Counter())


def _spent(counts: Mapping[str, int]) -> Mapping[str, int]:
    """Return the calls and tokens for a purpose, including cached replies."""
    return {
        "calls": counts["calls"] + counts["cached"],
        "completion_tokens": counts["completion_tokens"] + counts["cached_completion_tokens"],
    }
