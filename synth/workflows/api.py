"""The commands of synth as Python functions, with the same behaviour as on the command line.

`with_paths` wraps every function. It converts sources, paths and sets, and checks them before anything is read.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from types import MappingProxyType
from typing import Any

from synth.annotation.agreement import Agreement
from synth.annotation.sampling import Selection
from synth.core.addresses import is_address
from synth.core.checks import check_number, wrong
from synth.core.errors import ConfigError, SynthError
from synth.corpus.documents.chunking import ChunkSettings
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.loading import sources_of
from synth.corpus.documents.shard import Shard
from synth.evaluation.reference_rag.system import System
from synth.generation.planning import Plan
from synth.testset.dataset import Dataset, Item
from synth.workflows.adopting import Adoption, AdoptionSettings, adopt
from synth.workflows.annotating import (
    Accepted,
    Imported,
    ReviewSettings,
    SheetsExported,
    accept,
    agreement_on,
    export_sheets,
    import_sheets,
    review,
)
from synth.workflows.call_files import CallFiles
from synth.workflows.comparing import Compared, compare
from synth.workflows.estimating import CostEstimate, estimate
from synth.workflows.evaluating import EvaluationSettings, evaluate
from synth.workflows.evaluation_result import Evaluated
from synth.workflows.exporting import Exported, export, formats
from synth.workflows.filter_checking import FilterCheck, check_filters
from synth.workflows.generating import Generated, brief, generate, plan
from synth.workflows.judge_checking import Checked, judge_check
from synth.workflows.judges import Judging
from synth.workflows.parameter_names import in_python
from synth.workflows.rejudging import Rejudged, rejudge
from synth.workflows.running import Ran, run
from synth.workflows.session import Built, build_graph
from synth.workflows.set_scoring import ScoreResult, score
from synth.workflows.settings import ModelSettings, Settings
from synth.workflows.sharding import Merged, ShardRead, merge, read_shard
from synth.workflows.sweeping import Grid, Swept, sweep
from synth.workflows.update_job import Updated
from synth.workflows.updating import update
from synth.workflows.verifying import Failure, Verified, verify
from synth.workflows.viewing import view

__all__ = [
    "Accepted",
    "Adoption",
    "AdoptionSettings",
    "Agreement",
    "Built",
    "Checked",
    "ChunkSettings",
    "Compared",
    "CorpusSettings",
    "CostEstimate",
    "Dataset",
    "Evaluated",
    "EvaluationSettings",
    "Exported",
    "Failure",
    "FilterCheck",
    "Generated",
    "Grid",
    "Imported",
    "Item",
    "Judging",
    "Merged",
    "ModelSettings",
    "Plan",
    "Ran",
    "Rejudged",
    "ReviewSettings",
    "ScoreResult",
    "Selection",
    "Settings",
    "Shard",
    "ShardRead",
    "SheetsExported",
    "Swept",
    "System",
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


_SETS = ("testset", "other", "human", "labels")
"""Parameters that are a set: a path, an address or a Dataset."""

_TAKE_DATASETS = ("evaluate", "run", "score", "sweep")
"""Functions that take the rows of a Dataset from memory instead of its file."""

_WRITTEN = ("output", "page", "picture", "apply", "store")
"""Parameters that name a file to write."""

_ADDRESSES = (("generate", "output"), ("merge", "into"), ("merge", "workspaces"))
"""Functions and parameters for which the function itself resolves addresses."""

_KINDS = MappingProxyType(
    {
        kind.__name__: kind
        for kind in (str, Settings, EvaluationSettings, ReviewSettings, AdoptionSettings, Judging, Shard, System, Grid)
    }
)
"""Types of parameters that take a single value, by the name of the type."""

_WITH_DECISIONS = ("accept", "agreement_on", "export_sheets", "import_sheets", "review", "view")
"""Functions that read or write people's decisions beside the set."""


def with_paths(verb: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that also accepts a text, a `Path` or an address for each path, and a `Dataset` for each set.

    For a parameter with several values, a single value is enough. A value that does not fit its parameter raises
    ConfigError or InputError before anything is read. A missing or unknown argument raises ConfigError. Each line in
    `warnings` of the result is issued as a Python warning.
    """
    signature = inspect.signature(verb)

    @wraps(verb)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError as error:
            taken = ", ".join(f"{one.name}: {one.annotation}" for one in signature.parameters.values())
            raise ConfigError(f"{verb.__name__}: {error}; it takes {taken}") from None
        _check_decisions(verb.__name__, given.arguments)
        with CallFiles() as files:
            for name, value in given.arguments.items():
                annotation = str(signature.parameters[name].annotation)
                given.arguments[name] = _converted(files, verb.__name__, name, annotation, value)
            with _in_python(verb):
                result = _with_parameters(verb(*given.args, **given.kwargs), verb)
        for line in getattr(result, "warnings", ()):
            warnings.warn(in_python(line, verb), stacklevel=2)
        return files.with_addresses(result)

    return called


@contextmanager
def _in_python(verb: Callable[..., Any]) -> Iterator[None]:
    """Rewrite error messages of a function so that they name Python parameters instead of command-line options."""
    try:
        yield
    except SynthError as error:
        error.args = (in_python(str(error), verb), *error.args[1:])
        raise


_MESSAGES = ("shortage", "stopped", "untrusted")
"""Fields of results that contain error messages."""


def _with_parameters(result: Any, verb: Callable[..., Any]) -> Any:
    """Return a result whose messages name Python parameters instead of command-line options."""
    changed = {}
    for name in (*_MESSAGES, "outcome", "trial"):
        value = getattr(result, name, None)
        new = in_python(value, verb) if isinstance(value, str) else value and _with_parameters(value, verb)
        if new is not value and new != value:
            changed[name] = new
    return replace(result, **changed) if changed else result


def _check_decisions(verb: str, given: Mapping[str, Any]) -> None:
    """Raise ConfigError if decisions would be stored beside a dataset that has no permanent file."""
    testset = given.get("testset")
    if verb not in _WITH_DECISIONS or not isinstance(testset, Dataset):
        return
    if testset.file and not testset.is_temporary:
        return
    if not (given.get("store") or getattr(given.get("chosen"), "store", None)):
        raise ConfigError(
            "decisions of people are stored beside the file of a set, but this dataset is in no permanent file; "
            "save it and pass the file, or pass a file for the decisions as store"
        )


def _converted(files: CallFiles, verb: str, name: str, annotation: str, value: Any) -> Any:
    if name == "sources":
        return sources_of(value)
    if annotation.startswith("Callable["):
        return value
    if "Sequence[" in annotation:
        return _several(files, verb, name, annotation, value)
    if annotation.partition(" | ")[0] == "int" and value is not None:
        check_number(name, value, is_whole=True)
    kind = _KINDS.get(annotation.removesuffix(" | None"))
    if kind and not isinstance(value, kind) and not (value is None and "None" in annotation):
        raise wrong(name, "a text" if kind is str else f"of type {kind.__name__}", value)
    if "Path" not in annotation or (value is None and "None" in annotation):
        return value
    if "Iterable" in annotation and not is_address(value):
        return value
    if isinstance(value, Dataset) and name in _SETS:
        return value if verb in _TAKE_DATASETS else files.of_dataset(value)
    _check_path(name, value)
    if (verb, name) in _ADDRESSES:
        return value
    if name == "runs" and is_address(value):
        raise wrong(name, "a folder on this machine", value)
    return files.written(value) if name in _WRITTEN else files.read(value)


def _check_path(name: str, value: Any) -> None:
    if not isinstance(value, str | Path) or not str(value).strip():
        raise wrong(name, "a path or a Dataset" if name in _SETS else "a path", value)


def _several(files: CallFiles, verb: str, name: str, annotation: str, value: Any) -> tuple[Any, ...]:
    """Return the values of a parameter that takes several paths or names. A single text or path counts as one value."""
    if isinstance(value, str | Path):
        value = (value,)
    if not isinstance(value, Iterable) or isinstance(value, bytes | Mapping):
        raise wrong(name, "a list of paths" if "Path" in annotation else "a list of names", value)
    values = tuple(value)
    for one in values:
        if "Path" in annotation:
            _check_path(f"each of {name}", one)
        elif not isinstance(one, str):
            raise wrong(f"each of {name}", "a text", one)
    if "Path" in annotation and (verb, name) not in _ADDRESSES:
        return tuple(map(files.read, values))
    return values


for _name in __all__:
    if inspect.isfunction(globals()[_name]):
        globals()[_name] = with_paths(globals()[_name])
