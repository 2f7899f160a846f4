"""What earlier runs with a chat model gave and took: rows by kind of task, tokens by purpose."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from synth.core.records import digest
from synth.core.store import Store
from synth.generation.proposals.tasks import Learned

KIND = "yields"
_PRIOR = 2
"""Calls that what is generally so counts for, beside those that were seen."""

_WRITTEN: Mapping[str, float] = {
    "proposals/brief": 130.0,
    "proposals/propose": 330.0,
    "proposals/across": 260.0,
    "proposals/evolve": 180.0,
    "proposals/unanswerable": 120.0,
    "trial": 330.0,
    "filters/closed": 160.0,
    "filters/open": 250.0,
    "filters/answer": 60.0,
}
_WRITTEN_ELSE = 100.0


@dataclass(frozen=True, slots=True)
class Yields:
    """What the runs with some models gave: the `learned` of their tasks, and counts of calls and tokens by purpose.

    `calls` were made, `again` of them because another had failed; `runs` is how many runs there were.
    """

    learned: Learned = field(default_factory=Learned)
    purposes: Mapping[str, Counter[str]] = field(default_factory=dict)
    calls: int = 0
    again: int = 0
    runs: int = 0

    @property
    def calls_a_request(self) -> float:
        """Calls that a request takes, with those that mend a reply or try again."""
        return (self.calls + _PRIOR) / (self.calls - self.again + _PRIOR)

    def written(self, purpose: str) -> float:
        """Tokens that a reply for a purpose has."""
        seen = self.purposes.get(purpose, Counter())
        general = _WRITTEN.get(purpose, _WRITTEN_ELSE)
        return (seen["completion_tokens"] + _PRIOR * general) / (seen["calls"] + _PRIOR)


def keep(store: Store, who: str, tasks: Mapping[str, tuple[int, int]], model: Mapping[str, Any]) -> None:
    """Keep what a run gave; `who` names the models, `tasks` are those of the outcome, `model` the accounts.

    A run that asked nothing tells nothing.
    """
    if not model.get("calls"):
        return
    seen = {
        "who": who,
        "tasks": {kind: count for kind, (count, _) in tasks.items()},
        "rows": {kind: rows for kind, (_, rows) in tasks.items()},
        "calls": model["calls"],
        "again": sum(model["retries"].values()),
        "purposes": {purpose: _spent(counts) for purpose, counts in model["by_purpose"].items()},
    }
    value = json.dumps(seen, sort_keys=True).encode()
    store.put(KIND, digest(value.hex()), value)


def read(store: Store, who: str) -> Yields:
    """What earlier runs with these models gave."""
    runs = [run for run in map(json.loads, store.values(KIND)) if run["who"] == who]
    learned = Learned(_sum(run["tasks"] for run in runs), _sum(run["rows"] for run in runs))
    names = sorted({purpose for run in runs for purpose in run["purposes"]})
    purposes = {name: _sum(run["purposes"].get(name, {}) for run in runs) for name in names}
    calls, again = (sum(run[name] for run in runs) for name in ("calls", "again"))
    return Yields(learned, purposes, calls, again, len(runs))


def _sum(counts: Iterable[Mapping[str, int]]) -> Counter[str]:
    return sum((Counter(one) for one in counts), Counter())


def _spent(counts: Mapping[str, int]) -> Mapping[str, int]:
    """What calls for a purpose took, those that were answered by kept replies as if they had been made."""
    return {
        "calls": counts["calls"] + counts["cached"],
        "completion_tokens": counts["completion_tokens"] + counts["cached_completion_tokens"],
    }
