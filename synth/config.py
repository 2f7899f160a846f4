"""Settings, and the one place where names become objects."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from synth.documents.chunking import ChunkSettings
from synth.embeddings.base import CachedEncoder, Encoder, default_encoder, encoder_named
from synth.errors import ConfigError
from synth.filters.base import Filter, SetFilter
from synth.llm.driver import Driver
from synth.llm.keys import Key
from synth.llm.openai import DEFAULT_BASE_URL, OpenAIModel
from synth.plugins import discover, pick
from synth.prompts import Prompt, load
from synth.records import Document
from synth.store import Store
from synth.synthesizers.base import Synthesizer
from synth.text.language import detect
from synth.transforms.base import Transform

LANGUAGES = ("auto", "en", "zh")
ENTITIES = ("parser", "model")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusSettings:
    """Which files are read. Globs are relative to each source; `max_bytes` bounds one file."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_bytes: int = 20_000_000
    strict: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Which chat model writes and judges; none when `name` is empty.

    `key_env` names the environment variable, `key_file` the file, that holds the key. The judge is
    the author's model unless `judge` names another at the same endpoint.
    """

    name: str = ""
    base_url: str = DEFAULT_BASE_URL
    judge: str = ""
    key_env: str = "OPENAI_API_KEY"
    key_file: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    concurrency: int = 8
    timeout_s: float = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All that decides what a run makes.

    `types` are shares by question type; `language` limits the run to documents in it; `filters`
    holds, by gate, `false` to leave it out or a table of its thresholds; `prompts` is a folder of
    the user's own prompts, which go before the packaged ones; `entities` says who finds names:
    "parser", or "model", which costs a call a passage; `transforms` are those of the graph, in order.
    """

    n: int = 50
    types: Mapping[str, float] = field(default_factory=lambda: {"simple": 1.0})
    language: str = "auto"
    seed: int = 0
    encoder: str = "auto"
    entities: str = "parser"
    transforms: tuple[str, ...] = ("entities",)
    workspace: str = ""
    prompts: str = ""
    corpus: CorpusSettings = field(default_factory=CorpusSettings)
    chunks: ChunkSettings = field(default_factory=ChunkSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    filters: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ConfigError(f"n must be at least 1, was {self.n}")
        if self.language not in LANGUAGES:
            raise ConfigError(f"language must be one of {', '.join(LANGUAGES)}, was '{self.language}'")
        if self.entities not in ENTITIES:
            raise ConfigError(f"entities must be one of {', '.join(ENTITIES)}, was '{self.entities}'")
        if not self.types or any(share < 0 for share in self.types.values()) or not sum(self.types.values()):
            raise ConfigError(f"types must name at least one type with a share above 0, was {dict(self.types)}")
        if self.model.concurrency < 1 or self.model.timeout_s <= 0:
            raise ConfigError("model.concurrency must be at least 1 and model.timeout_s above 0")

    @property
    def author(self) -> str:
        """Who writes: "chat" when a model is named, else "grammar"."""
        return "chat" if self.model.name else "grammar"

    @property
    def workspace_path(self) -> Path:
        """Folder of the store: the one set, else the user's cache folder."""
        import os

        if self.workspace:
            return Path(self.workspace)
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "synth"


@dataclass(frozen=True, slots=True)
class Assembly:
    """The objects that the names in the settings stand for."""

    synthesizers: Mapping[str, Synthesizer]
    filters: tuple[Filter, ...]
    set_filters: tuple[SetFilter, ...]
    transforms: tuple[Transform, ...]
    driver: Driver


def read_settings(path: Path) -> Settings:
    """Settings from a TOML file. Raises ConfigError naming the file and the key that is not right."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read the settings {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the settings {path} are not TOML: {error}") from error
    settings: Settings = _build(Settings, table, f"{path}: ")
    return settings


def changed(settings: Any, values: Mapping[str, Any]) -> Any:
    """`settings` with the values given under dotted names such as "model.name"; None changes nothing."""
    direct = {name: value for name, value in values.items() if "." not in name and value is not None}
    for section in {name.partition(".")[0] for name in values if "." in name}:
        inner = {name.partition(".")[2]: value for name, value in values.items() if name.startswith(section + ".")}
        direct[section] = changed(getattr(settings, section), inner)
    return replace(settings, **direct) if direct else settings


def assemble(settings: Settings, store: Store) -> Assembly:
    """Find and make every part that the settings name. Raises ConfigError for a name nobody has."""
    chat = settings.author == "chat"
    models = _models(settings.model) if chat else {}
    return Assembly(
        synthesizers=_synthesizers(settings),
        filters=_filters(settings, with_model=chat),
        set_filters=_set_filters(settings),
        transforms=_transforms(settings, models, store),
        driver=Driver(models, store, concurrency=settings.model.concurrency, timeout_s=settings.model.timeout_s),
    )


def prompt_loader(settings: Settings) -> Callable[[str, str], Prompt]:
    """The prompts by name and language, the user's own first; each file is read once a run."""
    return lru_cache(partial(load, folder=Path(settings.prompts) if settings.prompts else None))


def open_encoder_for(settings: Settings, documents: Sequence[Document], store: Store) -> Encoder:
    """The encoder the settings name, or the one that serves the documents' languages; its vectors are kept."""
    if settings.encoder != "auto":
        return CachedEncoder(encoder_named(settings.encoder), store)
    languages = sorted({detect(document.text) for document in documents})
    return CachedEncoder(default_encoder(languages), store)


def _synthesizers(settings: Settings) -> dict[str, Synthesizer]:
    known: dict[str, type[Synthesizer]] = {}
    for part in discover("synth.synthesizers", Synthesizer).values():  # type: ignore[type-abstract]
        if part.author == settings.author:
            known[part.question_type] = part
    return {kind: pick(known, kind, "question type")() for kind, share in settings.types.items() if share > 0}


def _filters(settings: Settings, *, with_model: bool) -> tuple[Filter, ...]:
    known = discover("synth.filters", Filter)  # type: ignore[type-abstract]
    _check_filter_names(settings, known)
    chosen = [
        _with_thresholds(part, settings.filters.get(name), name)
        for name, part in known.items()
        if settings.filters.get(name) is not False and (with_model or not part.needs_model)
    ]
    return tuple(sorted(chosen, key=lambda gate: (gate.order, gate.name)))


def _set_filters(settings: Settings) -> tuple[SetFilter, ...]:
    known = discover("synth.filters", SetFilter)  # type: ignore[type-abstract]
    return tuple(
        _with_thresholds(part, settings.filters.get(name), name)
        for name, part in known.items()
        if settings.filters.get(name) is not False
    )


def _check_filter_names(settings: Settings, known: Mapping[str, Any]) -> None:
    both = {**known, **discover("synth.filters", SetFilter)}
    for name in settings.filters:
        pick(dict(sorted(both.items())), name, "filter")


def _with_thresholds(part: type[Any], table: Any, name: str) -> Any:
    if table is None or table is True:
        return part()
    if not isinstance(table, Mapping):
        raise ConfigError(f"filters.{name} must be true, false or a table of thresholds, was {table!r}")
    try:
        return part(**table)
    except TypeError as error:
        raise ConfigError(f"filters.{name}: {str(error).partition(') ')[2] or error}") from error


def _transforms(settings: Settings, models: Mapping[str, OpenAIModel], store: Store) -> tuple[Transform, ...]:
    known = discover("synth.transforms", Transform)  # type: ignore[type-abstract]
    # Every build begins with the language; who finds the entities is a setting of its own.
    named = {name: part for name, part in known.items() if name not in ("language", "llm_entities")}
    return tuple(_transform(pick(named, name, "transform"), settings, models, store) for name in settings.transforms)


def _transform(part: type[Transform], settings: Settings, models: Mapping[str, OpenAIModel], store: Store) -> Transform:
    if part.name == "similarity":
        spec = settings.encoder
        encoder = default_encoder(["en", "zh-Hans"]) if spec == "auto" else encoder_named(spec)
        return cast(Any, part)(encoder=CachedEncoder(encoder, store))  # type: ignore[no-any-return]
    if part.name == "entities" and settings.entities == "model":
        from synth.transforms.llm_entities import LlmEntities

        if not models:
            raise ConfigError("entities = 'model' needs a chat model; name one with --llm")
        return LlmEntities(model=models["author"].identity)
    return part()


def _models(settings: ModelSettings) -> dict[str, OpenAIModel]:
    key = Key.from_file(Path(settings.key_file)) if settings.key_file else Key.from_environment(settings.key_env)
    author = OpenAIModel(settings.name, base_url=settings.base_url, key=key, headers=settings.headers)
    judge = author
    if settings.judge and settings.judge != settings.name:
        judge = OpenAIModel(settings.judge, base_url=settings.base_url, key=key, headers=settings.headers)
    return {"author": author, "judge": judge}


def _build(kind: Any, table: Mapping[str, Any], place: str) -> Any:
    """A settings dataclass from a TOML table: every key known, every value of the right type."""
    types = get_type_hints(kind)
    known = [f.name for f in fields(kind)]
    values = {}
    for name, value in table.items():
        if name not in known:
            raise ConfigError(f"{place}unknown setting '{name}'; known: {', '.join(known)}")
        wanted = types[name]
        if is_dataclass(wanted):
            if not isinstance(value, dict):
                raise ConfigError(f"{place}'{name}' must be a table, was {value!r}")
            values[name] = _build(wanted, value, f"{place}{name}.")
        else:
            values[name] = _typed(value, wanted, f"{place}'{name}'")
    try:
        return kind(**values)
    except ConfigError as error:
        raise ConfigError(f"{place}{error}") from error


def _typed(value: Any, wanted: Any, what: str) -> Any:
    origin = get_origin(wanted)
    if origin in (Union, UnionType):
        wanted = next(part for part in get_args(wanted) if part is not type(None))
        origin = get_origin(wanted)
    if origin is tuple:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ConfigError(f"{what} must be a list of texts, was {value!r}")
        return tuple(value)
    if origin is not None:
        if not isinstance(value, dict):
            raise ConfigError(f"{what} must be a table, was {value!r}")
        return value
    if wanted is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(wanted, type) and (not isinstance(value, wanted) or (wanted is int and isinstance(value, bool))):
        names = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
        raise ConfigError(f"{what} must be {names.get(wanted, wanted.__name__)}, was {value!r}")
    return value
