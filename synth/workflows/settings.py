"""Settings of a run, frozen, from Python, a TOML file or the command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import InitVar, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from synth.core.addresses import is_address
from synth.core.checks import (
    check_known,
    check_list,
    check_number,
    check_numbers,
    check_table,
    paths_as_text,
)
from synth.core.declared_parts import warn_of
from synth.core.errors import ConfigError
from synth.core.fields import Fields, read_toml
from synth.core.set_settings import OF_SET, from_set, is_accepted, is_of_set
from synth.core.user_cache import user_cache
from synth.corpus.documents.chunking import ChunkSettings
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.generation.difficulty import LEVELS, TAGS, DifficultyBands
from synth.text.question_style import LENGTHS, STYLES, UNMODELLED_STYLES

LANGUAGES = ("auto", "en", "zh")
BY_MODEL = ("entities", "summaries")
OF_CORPUS = ("near_duplicates", "references")
"""Transforms whose results every corpus has."""

FROM_TOPICS = "topics"
"""Name of the personas that are made from the topics of the documents."""

TRANSFORMS = ("entities", "key_phrases", "near_duplicates", "references", "topics")


_OF_A_MODEL = ("control", "by_model")
"""Settings that only a run with a chat model has."""

NAMES_OF_MODELS = ("name", "base_url", "judge", "judge_url")
"""Settings of the models that tell one from another."""

_OPTIONS: Mapping[str, str] = {"model.name": "--llm"}
"""Options that are not called as their setting is."""

NOT_RECORDED = (
    "workspace", "workers", "ray", "model.key_file", "model.key_env", "model.judge_key_env", "model.encoder_key_env",
    "model.concurrency", "model.timeout_s", "model.requests_per_minute", "model.tokens_per_minute", "model.prices",
    "model.max_cost", "model.max_calls", "model.max_tokens", "model.resume", "model.batch",
)  # fmt: skip
"""Settings that change no row. No manifest of synth has them, so one that does is not to be followed."""

_LONGEST_OPTION = 300

_CLUSTER = re.compile(r"|local|auto|[\w.\-\[\]:]+:\d+", re.ASCII)

MOST_SHARE = 1_000_000
"""Largest share; only ratios of shares matter, and larger numbers overflow."""


AUTHOR_PARTS = ("evolution", "graph")
"""Parts of a chat author that `ModelSettings.without` may name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Chat model that writes and judges; none when `name` is empty.

    - `name`: PROVIDER/MODEL, gguf:FILE, local, or the name of a model at `base_url` (OpenAI's when empty).
    - `key_env`: the environment variable with the key, by default the provider's; `key_file`: a file with it.
    - `judge`, `judge_url`: another model to judge, and its endpoint; by default the author's.
    - `judge_key_env`: the variable with the judge's key; by default the author's at the author's endpoint, else the
      provider's.
    - `encoder_url`, `encoder_key_env`: those of an encoder "endpoint:MODEL".
    - `requests_per_minute`, `tokens_per_minute`: limits; 0 for none.
    - `max_cost`, `max_calls`, `max_tokens`: limits of the whole run; 0 for none.
    - `prices`: a file of prices; by default list prices.
    - `resume`: send requests again that earlier runs gave up.
    - `batch`: use the endpoint's batch API.
    - `patience`: give a question type up after this number of tries without a row; 0 for never.
    - `trust`: use the model without a trial.
    - `without`: parts of the author to leave out, to measure what they give. Without "evolution", every question stays
      as it was first written. Without "graph", passages are joined by a rare word that they share.
    """

    name: str = ""
    base_url: str = ""
    judge: str = ""
    judge_url: str = ""
    judge_key_env: str = ""
    encoder_url: str = ""
    encoder_key_env: str = ""
    key_env: str = ""
    key_file: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    concurrency: int = 8
    timeout_s: float = 120.0
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    prices: str = ""
    max_cost: float = 0.0
    max_calls: int = 0
    max_tokens: int = 0
    resume: bool = False
    batch: bool = False
    patience: int = 20
    trust: bool = False
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        paths_as_text(self, "key_file", "prices")
        check_numbers(self, "model.", concurrency=1)
        if not self.timeout_s:
            raise ConfigError("model.timeout_s must be a number of seconds above 0, was 0")
        for part in self.without:
            check_known("model.without", part, AUTHOR_PARTS)
        for header in self.headers.items():
            if not all(char.isprintable() or char == "\t" for char in "".join(map(str, header))):
                raise ConfigError("a header must be one line without control characters")


TYPES: Mapping[str, Mapping[str, float]] = {
    "chat": {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.2, "conditional": 0.2},
    "grammar": {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.2, "conditional": 0.2},
}
"""Shares by question type where the settings name none, by author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a run. The manifest of a set decides only those declared with `from_set`.

    - `n`: rows wanted.
    - `types`: shares by question type; {} for those of the author (`type_shares`).
    - `nearest`: replace types that the corpus cannot give by the nearest possible shares.
    - `difficulty`: shares of easy, medium and hard, separated by `bands`.
    - `limits`: largest share of rows with a tag, from 0 to 1.
    - `control`: share of scenarios that test a judging chat model.
    - `styles`, `lengths`: shares by style and by length.
    - `personas`: "topics", or a file.
    - `like`: a log of questions whose mix to follow.
    - `against`: a set whose questions are not asked again.
    - `brief`: tells a chat model what the documents are and what to ask, a text or a file. It replaces the model's own
      brief, or adds to it after a "+".
    - `language`: limits the run to documents in it.
    - `encoder`: the encoder of similarities.
    - `transforms`: those of the graph, in order.
    - `by_model`: transforms that the chat model makes: "entities", a call for each passage, and "summaries", a call
      for each document with questions.
    - `seed`: another seed gives another set.
    - `workspace`: a folder, or an address of one.
    - `workers`: processes that read documents without a chat model.
    - `ray`: the address of a Ray cluster that reads them instead; "local" for one of this machine.
    - `prompts`: a folder of your own prompts, which replace packaged ones.
    - `filters`: for a filter, `false` to leave it out, or a table of its thresholds.
    - `model`: the chat model; `llm="openai/MODEL"` is short for `model=ModelSettings(name="openai/MODEL")`.
    """

    n: int = from_set(50)
    types: Mapping[str, float] = field(default_factory=dict, metadata=OF_SET)
    nearest: bool = from_set(False)
    difficulty: Mapping[str, float] = field(default_factory=dict, metadata=OF_SET)
    limits: Mapping[str, float] = field(default_factory=dict, metadata=OF_SET)
    control: float = from_set(0.0)
    styles: Mapping[str, float] = field(default_factory=dict, metadata=OF_SET)
    lengths: Mapping[str, float] = field(default_factory=dict, metadata=OF_SET)
    personas: str = from_set("", lambda value: value in ("", FROM_TOPICS))
    like: str = ""
    against: str = ""
    brief: str = ""
    language: str = from_set("auto")
    seed: int = from_set(0)
    encoder: str = "auto"
    transforms: tuple[str, ...] = from_set(TRANSFORMS, lambda names: {*names} <= {*TRANSFORMS})
    by_model: tuple[str, ...] = from_set(())
    workspace: str = ""
    workers: int = 1
    ray: str = ""
    prompts: str = ""
    corpus: CorpusSettings = field(default_factory=CorpusSettings, metadata=OF_SET)
    chunks: ChunkSettings = field(default_factory=ChunkSettings, metadata=OF_SET)
    model: ModelSettings = field(default_factory=ModelSettings)
    bands: DifficultyBands = field(default_factory=DifficultyBands, metadata=OF_SET)
    filters: Mapping[str, Any] = field(default_factory=dict, metadata=OF_SET)
    llm: InitVar[str] = ""

    def __post_init__(self, llm: str) -> None:
        if llm:
            object.__setattr__(self, "model", replace(self.model, name=llm))
        paths_as_text(self, "personas", "like", "against", "brief", "workspace", "prompts", "encoder")
        check_numbers(self, n=1, workers=1)
        for name in ("types", "styles", "lengths", "difficulty", "limits"):
            check_table(name, getattr(self, name))
        check_list("transforms", self.transforms)
        check_list("by_model", self.by_model)
        if not _CLUSTER.fullmatch(self.ray):
            raise ConfigError(f"a cluster of Ray is HOST:PORT, auto or local, was '{self.ray}'")
        if self.ray and self.workers > 1:
            raise ConfigError("documents are read by workers or by ray; name one of the two")
        check_known("language", self.language, LANGUAGES)
        for setting, shares, known in (
            ("styles", self.styles, STYLES),
            ("lengths", self.lengths, LENGTHS),
            ("difficulty", self.difficulty, LEVELS),
        ):
            for name, share in shares.items():
                if name not in known or not 0 <= share <= MOST_SHARE:
                    raise ConfigError(f"{setting} must be shares from 0 on of {', '.join(known)}; was {name}={share}")
            if shares and not sum(shares.values()):
                raise ConfigError(f"{setting} must have a share above 0, was {dict(shares)}")
        wanting = sorted({*self.styles} - {*UNMODELLED_STYLES})
        if wanting and not self.model.name:
            raise ConfigError(
                f"questions in the style {' and '.join(wanting)} are written by a chat model; "
                f"name one with `--llm` (`llm` in Python), or choose from the styles that need none: "
                f"{', '.join(UNMODELLED_STYLES)}"
            )
        for tag, share in self.limits.items():
            if tag not in TAGS or not 0 <= share <= 1:
                raise ConfigError(f"limits must be shares from 0 to 1 of {', '.join(TAGS)}; was {tag}={share}")
        if not 0 <= self.control <= 0.5:
            raise ConfigError(f"control must be a share from 0 to 0.5 (5% is 0.05), was {self.control}")
        if self.control and not self.model.name:
            raise ConfigError("control items test a judging chat model; name one with `--llm` (`llm` in Python)")
        for name in self.by_model:
            if name not in BY_MODEL:
                raise ConfigError(f"by_model must be some of {', '.join(BY_MODEL)}, was '{name}'")
            if not self.model.name:
                raise ConfigError(f"by_model = '{name}' needs a chat model; name one with `--llm` (`llm` in Python)")
        if not all(0 <= share <= MOST_SHARE for share in self.types.values()):
            raise ConfigError(f"types must be shares from 0 to {MOST_SHARE:,}, was {dict(self.types)}")
        if self.types and not sum(self.types.values()):
            raise ConfigError(f"types must name at least one type with a share above 0, was {dict(self.types)}")
        for name, table in self.filters.items():
            _check_thresholds(f"filters.{name}", table)

    @property
    def author(self) -> str:
        """The author: "chat" when a model is named, else "grammar"."""
        return "chat" if self.model.name else "grammar"

    @property
    def type_shares(self) -> Mapping[str, float]:
        """Shares by question type: `types`, else those that are usual for the author."""
        return self.types or TYPES[self.author]

    @property
    def exchanges(self) -> bool:
        """True if types make up for one another where the corpus cannot give those asked for."""
        return self.nearest or not self.types

    @property
    def workspace_path(self) -> Path:
        """Folder of the store: `workspace`, else the user's cache folder. Raises ConfigError for an address."""
        if is_address(self.workspace):
            raise ConfigError(
                "this command keeps its workspace in a folder of this machine; name that as workspace, no address"
            )
        if self.workspace:
            return Path(self.workspace)
        return user_cache()


def _check_thresholds(name: str, table: Any) -> None:
    """Raise ConfigError for a number below 0 or no finite one among the thresholds of a filter."""
    for threshold, value in table.items() if isinstance(table, Mapping) else ():
        if isinstance(value, int | float) and not isinstance(value, bool):
            check_number(f"{name}.{threshold}", value)


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file. Raises ConfigError naming the file and the wrong key."""
    settings: Settings = _build(Settings, read_toml(path, "settings"))
    return settings


def restored(table: Mapping[str, Any], model: ModelSettings | None = None) -> Settings:
    """The settings that a set may decide, from the table of its manifest; the others have their defaults.

    `model` is the user's. Without one, what only a chat model can do is left out. A value that no settings can have is
    as good as absent, with a warning.
    """
    model, faults = model or ModelSettings(), list[str]()
    settings = _chosen(Settings(model=model), Fields(table, "settings", error=ConfigError), faults)
    warn_of("manifest", [f"settings.{fault}" for fault in faults])
    return settings  # type: ignore[no-any-return]


def _chosen(default: Any, table: Fields, faults: list[str]) -> Any:
    """A settings record with the values of the fields that a set may decide, where the table has valid ones."""
    types, chosen = get_type_hints(type(default)), default
    for declared in fields(default):
        name = declared.name
        if table.values.get(name) is None or not is_of_set(declared):
            continue
        if name in _OF_A_MODEL and not default.model.name:
            continue
        try:
            if is_dataclass(types[name]):
                value = _chosen(getattr(default, name), table.inner(name), faults)
            else:
                value = _typed(table, name, types[name])
            if is_accepted(declared, value):
                chosen = replace(chosen, **{name: value})
        except ConfigError:
            faults.append(table.path_of(name))
    return chosen


def owned(of_set: Any, user: Any) -> Any:
    """`of_set` with the values of `user` in every field that a set may not decide."""
    values = {}
    for declared in fields(of_set):
        mine, own = getattr(of_set, declared.name), getattr(user, declared.name)
        if not is_of_set(declared):
            values[declared.name] = own
        elif is_dataclass(mine):
            values[declared.name] = owned(mine, own)
    return replace(of_set, **values)


def recorded_model(table: Mapping[str, Any]) -> ModelSettings:
    """The names of the models in the table of a manifest, as labels of stored replies; nothing is sent to them."""
    model = table.get("model")
    labels = {name: model.get(name) for name in NAMES_OF_MODELS} if isinstance(model, Mapping) else {}
    texts: dict[str, Any] = {name: label for name, label in labels.items() if isinstance(label, str)}
    return ModelSettings(**texts)


def withheld(table: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Settings that a manifest has, a set may not decide, and a run with `settings` has otherwise, by dotted name."""
    return dict(_withheld(Settings, table, settings, ""))


def _withheld(kind: Any, table: Any, own: Any, path: str) -> Iterator[tuple[str, Any]]:
    types = get_type_hints(kind)
    for declared in fields(kind):
        name = declared.name
        # The text of the brief is taken from the manifest; where it was typed has no meaning elsewhere.
        if not isinstance(table, Mapping) or name not in table or name == "brief":
            continue
        value, used = table[name], getattr(own, name)
        if is_dataclass(types[name]):
            yield from _withheld(types[name], value, used, f"{path}{name}.")
            continue
        if isinstance(value, list):
            value = tuple(item for item in value if isinstance(item, str))
        used = tuple(sorted(used)) if name == "headers" else used
        if type(value) is not type(used) or value == used or value in ("", ()):
            continue
        if not is_accepted(declared, value):
            yield f"{path}{name}", value


def typed_options(values: Mapping[str, Any]) -> str:
    """Options of the command line for settings by dotted name, quoted for a shell.

    Keys and the like, which no manifest of synth has, are never advised; nor are headers, which it has without their
    values, what has no option, long texts, and those with control characters.
    """
    parts = []
    for name, value in values.items():
        option = _OPTIONS.get(name, "--" + name.rpartition(".")[2].replace("_", "-"))
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        if (
            name in (*NOT_RECORDED, "model.headers", "model.without")
            or not text.isprintable()
            or len(text) > _LONGEST_OPTION
        ):
            continue
        parts.append(option if value is True else f"{option} {shlex.quote(text)}")
    return " ".join(parts)


def changed(settings: Any, values: Mapping[str, Any]) -> Any:
    """`settings` with the values given under dotted names such as "model.name"; None changes nothing."""
    direct = {name: value for name, value in values.items() if "." not in name and value is not None}
    for section in {name.partition(".")[0] for name in values if "." in name}:
        inner = {name.partition(".")[2]: value for name, value in values.items() if name.startswith(section + ".")}
        direct[section] = changed(getattr(settings, section), inner)
    return replace(settings, **direct) if direct else settings


def _build(kind: Any, table: Fields) -> Any:
    """A settings dataclass from a TOML table; raises ConfigError for an unknown key or a value of the wrong type."""
    types = get_type_hints(kind)
    table.only([f.name for f in fields(kind)])
    values = {
        name: _build(types[name], table.inner(name)) if is_dataclass(types[name]) else _typed(table, name, types[name])
        for name in table.values
    }
    try:
        return kind(**values)
    except ConfigError as error:
        section = f"{table.path}." if table.path else ""
        raise ConfigError(f"{table.place}: {section}{str(error).removeprefix(section)}") from error


def _typed(table: Fields, name: str, type_: Any) -> Any:
    if get_origin(type_) in (Union, UnionType):
        type_ = next(part for part in get_args(type_) if part is not type(None))
    origin = get_origin(type_)
    if origin is tuple:
        return table.texts(name)
    return table.inner(name).values if origin is not None else table.value(name, type_)
