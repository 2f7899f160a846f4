"""Immutable settings of a run, from Python, a TOML file or the command line."""

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
from synth.core.plugins import pick
from synth.core.records import UNANSWERABLE
from synth.core.set_settings import OF_SET, from_set, is_accepted, is_of_set
from synth.core.user_cache import user_cache
from synth.corpus.documents.chunking import ChunkSettings
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.generation.difficulty import LEVELS, TAGS, DifficultyBands
from synth.text.question_style import LENGTHS, STYLES, UNMODELLED_STYLES

QUESTION_TYPES = ("simple", "reasoning", "conditional", "multi_context", UNANSWERABLE)
LANGUAGES = ("auto", "en", "zh")
BY_MODEL = ("entities", "summaries")
OF_CORPUS = ("near_duplicates", "references")
"""Transforms whose results every corpus contains."""

FROM_TOPICS = "topics"
"""Value of `personas` for personas made from the topics of the documents."""

TRANSFORMS = ("entities", "key_phrases", "near_duplicates", "references", "topics")
"""Default transforms."""


_OF_A_MODEL = ("control", "by_model")
"""Settings that are valid only with a chat model."""

NAMES_OF_MODELS = ("name", "base_url", "judge", "judge_url")
"""Settings that name the models."""

_OPTIONS: Mapping[str, str] = {"model.name": "--llm"}
"""Options whose name differs from their setting."""

NOT_RECORDED = (
    "workspace", "workers", "ray", "model.key_file", "model.key_env", "model.judge_key_env", "model.encoder_key_env",
    "model.concurrency", "model.timeout_s", "model.requests_per_minute", "model.tokens_per_minute", "model.prices",
    "model.max_cost", "model.max_calls", "model.max_tokens", "model.resume", "model.batch",
)  # fmt: skip
"""Settings that do not affect rows. synth never records them, and ignores them in a manifest."""

_LONGEST_OPTION = 300

_CLUSTER = re.compile(r"|local|auto|[\w.\-\[\]:]+:\d+", re.ASCII)

MOST_SHARE = 1_000_000
"""Maximum value of a share. Only ratios of shares matter, and larger numbers overflow."""


AUTHOR_PARTS = ("evolution", "graph")
"""Parts of writing with a chat model that `ModelSettings.without` can switch off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Chat model that writes and judges. If `name` is empty, no chat model is used.

    - `name`: PROVIDER/MODEL, gguf:FILE, local, or the name of a model at `base_url` (by default OpenAI's address).
    - `key_env`: the environment variable with the key, by default the provider's. `key_file`: a file with the key.
    - `judge`, `judge_url`: another model that judges, and its endpoint; by default the author's.
    - `judge_key_env`: the variable with the judge's key. By default, a judge at the author's endpoint uses the author's
      key, and any other judge its provider's.
    - `encoder_url`, `encoder_key_env`: endpoint and key variable of an encoder "endpoint:MODEL".
    - `requests_per_minute`, `tokens_per_minute`: limits; 0 for no limit.
    - `max_cost`, `max_calls`, `max_tokens`: limits of the whole run; 0 for no limit.
    - `prices`: a file of prices; by default list prices.
    - `resume`: repeat requests that failed in earlier runs.
    - `batch`: use the endpoint's batch API.
    - `patience`: give up a question type after this number of consecutive tries without a row; 0 for never.
    - `trust`: use the model without a trial.
    - `without`: parts of writing to switch off, to measure their effect. Without "evolution", every question stays as
      first written. Without "graph", two passages are joined only if they share a rare word.
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
            raise ConfigError("model.timeout_s must be more than 0 seconds, was 0")
        for part in self.without:
            check_known("model.without", part, AUTHOR_PARTS)
        for header in self.headers.items():
            if not all(char.isprintable() or char == "\t" for char in "".join(map(str, header))):
                raise ConfigError("the name and value of a header must be one line without control characters")


TYPES: Mapping[str, float] = {"simple": 0.4, "reasoning": 0.2, "multi_context": 0.2, "conditional": 0.2}
"""Default shares by question type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings of a run. The manifest of a set, which may be untrusted, decides only fields declared `from_set`.

    - `n`: number of rows requested.
    - `types`: shares by question type; {} for the defaults (`type_shares`).
    - `nearest`: if the corpus does not allow the shares of types, use the nearest possible ones.
    - `difficulty`: shares of easy, medium and hard, separated by `bands`.
    - `limits`: maximum share of rows with a tag, from 0 to 1.
    - `control`: number of faulty items that test a judging chat model, as a share of the candidates.
    - `styles`, `lengths`: shares by style and by length.
    - `personas`: "topics" to make them from the topics of the documents, or a file.
    - `like`: a log of questions whose mix to imitate.
    - `against`: a set whose questions are not repeated, nor those that people rejected or reworded in it.
    - `brief`: a text or a file that tells a chat model what the documents are and what to ask. It replaces the brief
      that the model writes. A brief that starts with "+" is added to it instead.
    - `language`: use only documents in this language.
    - `encoder`: the encoder of similarities.
    - `transforms`: the transforms of the graph, in order.
    - `by_model`: transforms by the chat model: "entities" needs a call for each passage, "summaries" a call for each
      document with questions.
    - `seed`: another seed gives another set.
    - `workspace`: a folder or an address.
    - `workers`: number of processes that read documents without a chat model.
    - `ray`: the address of a Ray cluster that reads documents instead of processes; "local" starts a cluster on this
      machine.
    - `prompts`: a folder of your own prompts, which replace packaged ones.
    - `filters`: for each filter, `false` to leave it out, or a table of its thresholds.
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
            raise ConfigError(f"ray must be HOST:PORT, auto or local, was '{self.ray}'")
        if self.ray and self.workers > 1:
            raise ConfigError("documents are read either by workers or by ray; set only one of the two")
        check_known("language", self.language, LANGUAGES)
        for setting, shares, known in (
            ("styles", self.styles, STYLES),
            ("lengths", self.lengths, LENGTHS),
            ("difficulty", self.difficulty, LEVELS),
        ):
            for name, share in shares.items():
                if name not in known or not 0 <= share <= MOST_SHARE:
                    raise ConfigError(
                        f"{setting} must be non-negative shares of {', '.join(known)}; was {name}={share}"
                    )
            if shares and not sum(shares.values()):
                raise ConfigError(f"{setting} must contain a share above 0, was {dict(shares)}")
        wanting = sorted({*self.styles} - {*UNMODELLED_STYLES})
        if wanting and not self.model.name:
            raise ConfigError(
                f"only a chat model can write questions in the style {' or '.join(wanting)}; "
                f"name one with `--llm` (`llm` in Python), or use styles that need no model: "
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
                raise ConfigError(f"by_model must be one or more of {', '.join(BY_MODEL)}, was '{name}'")
            if not self.model.name:
                raise ConfigError(f"by_model = '{name}' needs a chat model; name one with `--llm` (`llm` in Python)")
        for kind in self.types:
            pick(dict.fromkeys(QUESTION_TYPES, kind), kind, "question type")
        if not all(0 <= share <= MOST_SHARE for share in self.types.values()):
            raise ConfigError(f"types must be shares from 0 to {MOST_SHARE:,}, was {dict(self.types)}")
        if self.types and not sum(self.types.values()):
            raise ConfigError(f"types must contain at least one share above 0, was {dict(self.types)}")
        for name, table in self.filters.items():
            _check_thresholds(f"filters.{name}", table)

    @property
    def author(self) -> str:
        """The author: "chat" if a model is named, else "grammar"."""
        return "chat" if self.model.name else "grammar"

    @property
    def type_shares(self) -> Mapping[str, float]:
        """Shares by question type: `types`, or else the defaults."""
        return self.types or TYPES

    @property
    def exchanges(self) -> bool:
        """Whether types may replace one another if the corpus does not allow the requested shares."""
        return self.nearest or not self.types

    @property
    def workspace_path(self) -> Path:
        """Folder of the store: `workspace`, or else the user's cache folder. Raises ConfigError for an address."""
        if is_address(self.workspace):
            raise ConfigError(
                "this command needs a workspace on this machine; name a folder as workspace, not an address"
            )
        if self.workspace:
            return Path(self.workspace)
        return user_cache()


def names_of_options() -> frozenset[str]:
    """Return the settings that an option of the same name can set.

    Settings of a section have dotted names, such as `model.name`. Only a settings file can set `filters`.
    """
    sections = {name for name, kind in get_type_hints(Settings).items() if is_dataclass(kind)}
    return frozenset(declared.name for declared in fields(Settings)) - sections - {"filters"}


def _check_thresholds(name: str, table: Any) -> None:
    """Raise ConfigError if a threshold of a filter is a negative or infinite number."""
    for threshold, value in table.items() if isinstance(table, Mapping) else ():
        if isinstance(value, int | float) and not isinstance(value, bool):
            check_number(f"{name}.{threshold}", value)


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file. Raises ConfigError with the file and the wrong key."""
    settings: Settings = _build(Settings, read_toml(path, "settings"))
    return settings


def restored(table: Mapping[str, Any], model: ModelSettings | None = None) -> Settings:
    """Return the settings of a manifest that a set may decide (`from_set`). Other settings keep their defaults.

    `model` is the user's chat model. If it is None, settings that need a chat model are left out. An invalid value is
    treated as missing, with a warning.
    """
    model, faults = model or ModelSettings(), list[str]()
    settings = _chosen(Settings(model=model), Fields(table, "settings", error=ConfigError), faults)
    warn_of("manifest", [f"settings.{fault}" for fault in faults])
    return settings  # type: ignore[no-any-return]


def _chosen(default: Any, table: Fields, faults: list[str]) -> Any:
    """Return `default` with the valid values of `table`, in those fields that a set may decide."""
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
    """Return the settings of a set, but with the user's values in every field that a set may not decide."""
    values = {}
    for declared in fields(of_set):
        mine, own = getattr(of_set, declared.name), getattr(user, declared.name)
        if not is_of_set(declared):
            values[declared.name] = own
        elif is_dataclass(mine):
            values[declared.name] = owned(mine, own)
    return replace(of_set, **values)


def recorded_model(table: Mapping[str, Any]) -> ModelSettings:
    """Return the model names in the settings of a manifest. They only label stored replies; nothing is sent to them."""
    model = table.get("model")
    labels = {name: model.get(name) for name in NAMES_OF_MODELS} if isinstance(model, Mapping) else {}
    texts: dict[str, Any] = {name: label for name, label in labels.items() if isinstance(label, str)}
    return ModelSettings(**texts)


def withheld(table: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """Return the settings in a manifest that are not used, because a set may not decide them, by dotted name.

    Settings equal to those in `settings` are left out.
    """
    return dict(_withheld(Settings, table, settings, ""))


def _withheld(kind: Any, table: Any, own: Any, path: str) -> Iterator[tuple[str, Any]]:
    types = get_type_hints(kind)
    for declared in fields(kind):
        name = declared.name
        # The text of the brief comes from the manifest; the file it was read from means nothing elsewhere.
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
    """Return the command-line options for settings by dotted name ("model.name"), quoted for a shell.

    Some settings are left out: keys and others that synth never records, headers (recorded without values), and
    settings without an option. Long texts, and texts with control characters, are left out too.
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
    """Return `settings` with values given under dotted names such as "model.name". A value of None changes nothing."""
    direct = {name: value for name, value in values.items() if "." not in name and value is not None}
    for section in {name.partition(".")[0] for name in values if "." in name}:
        inner = {name.partition(".")[2]: value for name, value in values.items() if name.startswith(section + ".")}
        direct[section] = changed(getattr(settings, section), inner)
    return replace(settings, **direct) if direct else settings


def _build(kind: Any, table: Fields) -> Any:
    """Return a settings dataclass from a TOML table. Raises ConfigError for an unknown key or a wrong type."""
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
