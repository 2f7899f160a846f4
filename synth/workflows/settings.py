"""Settings of a run, frozen, from Python, a TOML file or the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from math import inf
from pathlib import Path
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from synth.core.addresses import is_address
from synth.core.checks import check_known, check_least
from synth.core.errors import ConfigError
from synth.core.fields import Fields, read_toml
from synth.corpus.documents.chunking import ChunkSettings
from synth.generation.difficulty import LEVELS, TAGS, Bands
from synth.text.question_style import BANDS, STYLES

LANGUAGES = ("auto", "en", "zh")
BY_MODEL = ("entities", "summaries")
CHEAP = ("near_duplicates", "references")
"""Default transforms of a run with a chat model: those that parse nothing."""

TRANSFORMS = ("entities", "key_phrases", "near_duplicates", "references", "shared_entities", "topics")


_CLUSTER = re.compile(r"|local|auto|[\w.\-\[\]:]+:\d+", re.ASCII)

MOST_SHARE = 1_000_000
"""Largest share; only ratios of shares matter, and larger numbers overflow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSettings:
    """Files to read. Globs are relative to each source; `max_bytes` is the largest size of a file, `max_seconds` the
    most processor time to parse one.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = 20_000_000
    max_seconds: int = 60
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Chat model that writes and judges; none when `name` is empty.

    `name` is PROVIDER/MODEL, gguf:FILE, local, or the name of a model at `base_url` (OpenAI's when empty). `key_env`
    names the environment variable of the key (the provider's when empty), `key_file` a file with it. The judge is the
    author's model at the author's endpoint, unless `judge` and `judge_url` name others; its key is in `judge_key_env`,
    else the author's at the author's endpoint, else the provider's. `encoder_url` and `encoder_key_env` are those of an
    encoder "endpoint:MODEL". A limit of 0 is no limit: requests and tokens a minute, and for the whole run cost (by
    `prices`, a file, else list prices), calls and tokens. `resume` sends requests again that earlier runs gave up;
    `batch` uses the endpoint's batch API. A question type is given up after `patience` tries in a row without a row,
    0 for never. A model is put to a trial first, unless `trust`.
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

    def __post_init__(self) -> None:
        if not 0 < self.timeout_s < inf:
            raise ConfigError(f"timeout_s must be a number of seconds above 0, was {self.timeout_s}")
        if not 0 <= self.max_cost < inf:
            raise ConfigError(f"max_cost must be a number from 0 (no limit) on, was {self.max_cost}")
        for name in ("max_calls", "max_tokens", "requests_per_minute", "tokens_per_minute"):
            check_least(name, getattr(self, name), 0)
        for header in self.headers.items():
            if not all(char.isprintable() or char == "\t" for char in "".join(map(str, header))):
                raise ConfigError("a header must be one line without control characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings that decide the result of a run.

    `types` are shares by question type; `language` limits the run to documents in it; `filters` has for a filter
    `false` to leave it out or a table of its thresholds; `prompts` is a folder of the user's own prompts, which replace
    packaged ones; `against` is a set whose questions are not asked again; `transforms` are those of the graph, in
    order; `by_model` names those that the chat model makes: "entities" in a call for each passage, "summaries" in a
    call for each document with questions.
    `workers` is the number of processes that read documents without a chat model; `ray` the address of a cluster of Ray
    that reads them instead, "local" for one of this machine alone. `workspace` is a folder or an address of one.
    `difficulty` has shares of easy, medium and hard, separated by `bands`; `limits` the largest share, from 0 to 1, of
    rows with a tag; `control` the share of scenarios that test a judging chat model. `styles` and `lengths` are shares;
    `personas` is "topics" or a file; `like` a log of questions whose mix to follow. With `nearest`, types that the
    corpus cannot give are replaced by the nearest possible distribution. `brief` tells a chat model what the documents
    are and what to ask: a text or a file, instead of the model's own brief or, after a "+", in addition to it.
    """

    n: int = 50
    types: Mapping[str, float] = field(default_factory=lambda: {"simple": 1.0})
    nearest: bool = False
    difficulty: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=dict)
    control: float = 0.0
    styles: Mapping[str, float] = field(default_factory=dict)
    lengths: Mapping[str, float] = field(default_factory=dict)
    personas: str = ""
    like: str = ""
    against: str = ""
    brief: str = ""
    language: str = "auto"
    seed: int = 0
    encoder: str = "auto"
    transforms: tuple[str, ...] = TRANSFORMS
    by_model: tuple[str, ...] = ()
    workspace: str = ""
    workers: int = 1
    ray: str = ""
    prompts: str = ""
    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    bands: Bands = field(default_factory=Bands)
    filters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_least("n", self.n, 1)
        check_least("workers", self.workers, 1)
        if not _CLUSTER.fullmatch(self.ray):
            raise ConfigError(f"a cluster of Ray is HOST:PORT, auto or local, was '{self.ray}'")
        if self.ray and self.workers > 1:
            raise ConfigError("documents are read by --workers or by --ray; name one of the two")
        check_known("language", self.language, LANGUAGES)
        for setting, shares, known in (
            ("styles", self.styles, STYLES),
            ("lengths", self.lengths, BANDS),
            ("difficulty", self.difficulty, LEVELS),
        ):
            for name, share in shares.items():
                if name not in known or not 0 <= share <= MOST_SHARE:
                    raise ConfigError(f"{setting} must be shares from 0 on of {', '.join(known)}; was {name}={share}")
            if shares and not sum(shares.values()):
                raise ConfigError(f"{setting} must have a share above 0, was {dict(shares)}")
        for tag, share in self.limits.items():
            if tag not in TAGS or not 0 <= share <= 1:
                raise ConfigError(f"limits must be shares from 0 to 1 of {', '.join(TAGS)}; was {tag}={share}")
        if not 0 <= self.control <= 0.5:
            raise ConfigError(f"control must be a share from 0 to 0.5 (5% is 0.05), was {self.control}")
        if self.control and not self.model.name:
            raise ConfigError("control items test a judging chat model; name one with --llm")
        for name in self.by_model:
            if name not in BY_MODEL:
                raise ConfigError(f"by_model must be some of {', '.join(BY_MODEL)}, was '{name}'")
            if not self.model.name:
                raise ConfigError(f"by_model = '{name}' needs a chat model; name one with --llm")
        if not all(0 <= share <= MOST_SHARE for share in self.types.values()):
            raise ConfigError(f"types must be shares from 0 to {MOST_SHARE:,}, was {dict(self.types)}")
        if not sum(self.types.values()):
            raise ConfigError(f"types must name at least one type with a share above 0, was {dict(self.types)}")
        check_least("model.patience", self.model.patience, 0)
        check_least("model.concurrency", self.model.concurrency, 1)

    @property
    def author(self) -> str:
        """The author: "chat" when a model is named, else "grammar"."""
        return "chat" if self.model.name else "grammar"

    @property
    def workspace_path(self) -> Path:
        """Folder of the store: `workspace`, else the user's cache folder. Raises ConfigError for an address."""
        if is_address(self.workspace):
            raise ConfigError(
                "this command keeps its workspace in a folder of this machine; name that with --workspace, no address"
            )
        if self.workspace:
            return Path(self.workspace)
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synth"


def read_settings(path: Path) -> Settings:
    """Read settings from a TOML file. Raises ConfigError naming the file and the wrong key."""
    settings: Settings = _build(Settings, read_toml(path, "settings"))
    return settings


def restored(table: Mapping[str, Any]) -> Settings:
    """The settings of a manifest, as far as this version knows them; settings that a manifest leaves out (headers,
    keys, the workspace) have their defaults."""
    settings: Settings = _build(Settings, Fields(_known(Settings, table), "manifest", error=ConfigError))
    return settings


def _known(kind: Any, table: Mapping[str, Any]) -> dict[str, Any]:
    types = get_type_hints(kind)
    known = {}
    for name in (f.name for f in fields(kind) if f.name in table):
        value = table[name]
        if is_dataclass(types[name]) and isinstance(value, Mapping):
            known[name] = _known(types[name], value)
        elif value is not None and name != "headers":
            known[name] = value
    return known


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
        raise ConfigError(f"{table.place}: {f'{table.path}.' if table.path else ''}{error}") from error


def _typed(table: Fields, name: str, type_: Any) -> Any:
    if get_origin(type_) in (Union, UnionType):
        type_ = next(part for part in get_args(type_) if part is not type(None))
    origin = get_origin(type_)
    if origin is tuple:
        return table.texts(name)
    return table.inner(name).values if origin is not None else table.value(name, type_)
