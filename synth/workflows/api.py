"""The verbs of synth for Python, the same as on the command line.

Sources and paths are converted here, at the door of every verb.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from synth.core.checks import wrong
from synth.corpus.documents.loading import sources_of
from synth.workflows.adopting import Adoption, AdoptionSettings, adopt
from synth.workflows.annotating import accept, agreement_on, export_sheets, import_sheets, review
from synth.workflows.comparing import Compared, compare
from synth.workflows.estimating import CostEstimate, estimate
from synth.workflows.evaluating import Evaluated, EvaluationSettings, evaluate
from synth.workflows.exporting import Exported, export, formats
from synth.workflows.filter_checking import FilterCheck, check_filters
from synth.workflows.generating import Generated, brief, generate, plan
from synth.workflows.judge_checking import Checked, judge_check
from synth.workflows.judges import Judging
from synth.workflows.rejudging import Rejudged, rejudge
from synth.workflows.running import Ran, run
from synth.workflows.session import Built, build_graph
from synth.workflows.set_scoring import ScoreResult, score
from synth.workflows.settings import Settings
from synth.workflows.sharding import Merged, ShardRead, merge, read_shard
from synth.workflows.sweeping import Grid, Swept, sweep
from synth.workflows.update_job import Updated
from synth.workflows.updating import update
from synth.workflows.verifying import Failure, Verified, verify
from synth.workflows.viewing import view

__all__ = [
    "Adoption",
    "AdoptionSettings",
    "Built",
    "Checked",
    "Compared",
    "CostEstimate",
    "Evaluated",
    "EvaluationSettings",
    "Exported",
    "Failure",
    "FilterCheck",
    "Generated",
    "Grid",
    "Judging",
    "Merged",
    "Ran",
    "Rejudged",
    "ScoreResult",
    "Settings",
    "ShardRead",
    "Swept",
    "Updated",
    "Verified",
    "accept",
    "adopt",
    "agreement_on",
    "brief",
    "build_graph",
    "check_filters",
    "compare",
    "estimate",
    "evaluate",
    "export",
    "export_sheets",
    "formats",
    "generate",
    "import_sheets",
    "judge_check",
    "merge",
    "plan",
    "read_shard",
    "rejudge",
    "review",
    "run",
    "score",
    "sweep",
    "update",
    "verify",
    "view",
]


def with_paths(verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb that takes a text or a `Path` for each path and source, and one of them where it takes several.

    What fits no parameter is a ConfigError or an InputError before anything is read.
    """
    signature = inspect.signature(verb)

    @wraps(verb)
    def called(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            given.arguments[name] = _converted(name, str(signature.parameters[name].annotation), value)
        return verb(*given.args, **given.kwargs)

    return called


def _converted(name: str, annotation: str, value: Any) -> Any:
    if name == "sources":
        return sources_of(value)
    if annotation.startswith("Sequence["):
        return _several(name, annotation, value)
    if annotation not in _PATHS or (value is None and "None" in annotation):
        return value
    if not isinstance(value, str | os.PathLike) or not str(value).strip():
        raise wrong(name, "a path", value)
    return value if annotation == "Path | str" else Path(value)


def _several(name: str, annotation: str, value: Any) -> tuple[Any, ...]:
    """The values of a parameter that takes several paths or names; a text or a path is one of them."""
    if isinstance(value, str | os.PathLike):
        value = (value,)
    if not isinstance(value, Iterable) or isinstance(value, bytes | Mapping):
        raise wrong(name, "a list of paths" if "Path" in annotation else "a list of names", value)
    return tuple(Path(one) if annotation == "Sequence[Path]" and isinstance(one, str) else one for one in value)


_PATHS = ("Path", "Path | None", "Path | str", "Path | str | None")

for _name in __all__:
    if inspect.isfunction(globals()[_name]):
        globals()[_name] = with_paths(globals()[_name])
