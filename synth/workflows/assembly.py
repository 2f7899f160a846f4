"""Assembly of the parts that the settings name: filters, transforms, models, encoders, metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache, partial
from inspect import signature
from math import ceil
from pathlib import Path
from typing import Any, cast

from synth.core.checks import check_number, check_range, is_number
from synth.core.errors import ConfigError
from synth.core.plugins import discover, pick
from synth.core.records import UNANSWERABLE, Document
from synth.core.store import Store
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.transforms.base import LazyTransform, Transform, VersionedPart
from synth.evaluation.metrics.base import AtK, Metric
from synth.generation.filters.base import Filter, SetFilter
from synth.generation.personas import Persona, personas_from_topics, read_personas
from synth.generation.query_log import LogProfile, read_log
from synth.generation.question_form import QuestionMix
from synth.models.chat.cached_only import KeptReplies
from synth.models.chat.driver import Driver
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.usage import Accounts
from synth.models.encoders.base import CachedEncoder, Encoder, default_encoder, encoder_named
from synth.models.prompts import Prompt, load
from synth.retrieval.base import MOST_PASSAGES
from synth.testset.stored_manifest import Manifest
from synth.text.language import detect
from synth.workflows import endpoints
from synth.workflows.settings import FROM_TOPICS, OF_CORPUS, TRANSFORMS, ModelSettings, Settings

_FIND_TOPICS = ("entities", "key_phrases", FROM_TOPICS)
MOST_PERSONAS = 12
"""Maximum number of personas made from topics."""
_LLM = "llm_"


@dataclass(frozen=True, slots=True)
class Assembly:
    """The objects that a run works with: filters, transforms, driver of chat models, encoder.

    `encoder` is a function that opens the encoder. `models` maps the roles "author" and "judge" to chat models; it is
    empty if the run asks no model.
    """

    filters: tuple[Filter, ...]
    transforms: tuple[Transform | LazyTransform[Any], ...]
    driver: Driver
    encoder: Callable[[], Encoder]
    models: Mapping[str, OpenAIModel]

    @property
    def deep(self) -> tuple[Transform, ...]:
        """Transforms to run on the documents read; empty if every corpus already contains all their results."""
        eager = tuple(part for part in self.transforms if isinstance(part, Transform))
        return eager if any(part.name not in OF_CORPUS for part in eager) else ()


def assemble(settings: Settings, store: Store, *, asks: bool = True, whole: bool = False) -> Assembly:
    """Return the objects that the settings name. Raises ConfigError for an unknown name.

    If `asks` is false, no chat model is opened: its name only labels stored replies, and may come from a manifest. If
    `whole` is true, the run builds the whole graph and uses all default transforms.
    """
    has_model = bool(settings.model.name)
    models = endpoints.models(settings.model, store) if has_model and asks else {}
    driver = endpoints.driver(settings.model, models, store)
    of_user = settings if asks else replace(settings, model=replace(settings.model, name=""))
    return Assembly(
        filters=_filters(settings, with_model=has_model),
        transforms=_transforms(settings, models, store, driver, whole=whole),
        driver=driver,
        encoder=partial(_encoder, of_user, store, driver),
        models=models,
    )


def kept_replies(recorded: ModelSettings, store: Store) -> Driver:
    """Return a driver that answers requests from stored replies only, for the models named in a manifest."""
    identities = endpoints.identities(recorded) if recorded.name else {}
    return Driver({role: KeptReplies(identity) for role, identity in identities.items()}, store)


def question_mix(settings: Settings, graph: KnowledgeGraph, languages: Sequence[str]) -> QuestionMix:
    """Return the mix of question forms for a graph whose documents are in `languages`.

    Raises InputError if the file of personas or the log of questions cannot be read.
    """
    personas: tuple[Persona, ...] = ()
    if settings.personas == FROM_TOPICS:
        each = ceil(MOST_PERSONAS / max(1, len(languages)))
        personas = tuple(persona for language in languages for persona in personas_from_topics(graph, language, each))
    elif settings.personas:
        personas = read_personas(Path(settings.personas))
    return QuestionMix(
        styles=settings.styles,
        lengths=settings.lengths,
        personas=personas,
        profile=LogProfile(read_log(Path(settings.like)).questions, languages[0]) if settings.like else None,
        seed=settings.seed,
    )


def prompt_loader(settings: Settings) -> Callable[[str, str], Prompt]:
    """Return a function that loads a prompt by name and language. The user's own prompts take precedence.

    Each file is read once.
    """
    return lru_cache(partial(load, folder=Path(settings.prompts) if settings.prompts else None))


def open_encoder_for(
    settings: Settings, documents: Sequence[Document], store: Store, driver: Driver | None = None
) -> Encoder:
    """Return the encoder of the settings, or else the default for the documents' languages. Vectors are stored."""
    if settings.encoder != "auto":
        return _encoder(settings, store, driver)
    languages = sorted({detect(document.text) for document in documents})
    return CachedEncoder(default_encoder(languages), store)


def check_personas(settings: Settings) -> None:
    """Raise ConfigError if personas are made from topics but no transform of the run finds topics."""
    names = _transform_names(settings, whole=False)
    if settings.personas == FROM_TOPICS and FROM_TOPICS not in names:
        enough = ",".join(dict.fromkeys((*_FIND_TOPICS, *names)))
        raise ConfigError(
            f"personas = '{FROM_TOPICS}' needs the transform '{FROM_TOPICS}', but the transforms of this run are "
            f"{', '.join(names) or 'none'}; add --transforms {enough}, or name a file of personas"
        )


def _filters(settings: Settings, *, with_model: bool) -> tuple[Filter, ...]:
    known = discover("synth.generation.filters", Filter)  # type: ignore[type-abstract]
    _check_filter_names(settings, known)
    chosen = [
        _with_thresholds(part, settings.filters.get(name), name)
        for name, part in known.items()
        if settings.filters.get(name) is not False and (with_model or not part.needs_model)
    ]
    return tuple(sorted(chosen, key=lambda filter_: (filter_.order, filter_.name)))


def set_filters(settings: Settings, encoder: Callable[[], Encoder] | None = None) -> tuple[SetFilter, ...]:
    """Return new instances of the filters that compare a row with all rows admitted before it.

    `encoder` opens the encoder on first use, to compare meanings. If it is None, the filters compare words.
    """
    known = discover("synth.generation.filters", SetFilter)  # type: ignore[type-abstract]
    chosen: list[SetFilter] = [
        _with_thresholds(part, settings.filters.get(name), name)
        for name, part in known.items()
        if settings.filters.get(name) is not False
    ]
    for filter_ in chosen:
        if encoder is not None:
            filter_.use_encoder(encoder)
    return tuple(chosen)


def filters_of_set(manifest: Manifest, *, left_out: bool = True) -> dict[str, Any]:
    """Return the `filters` setting of a set, without filters and thresholds that this version of synth lacks.

    Only numeric thresholds are taken from the manifest, because a text could make the filter of a plug-in open a file
    or an address. If `left_out` is true, the filters that were switched off for the set are switched off again. Filters
    that protect the users of a set are never taken from its manifest.
    """
    home = "synth.generation.filters"
    parts: dict[str, Any] = {**discover(home, Filter), **discover(home, SetFilter)}
    known = {name: part for name, part in parts.items() if not getattr(part, "protects", False)}
    setting = manifest.get("settings", {}).get("filters")
    setting = setting if isinstance(setting, dict) else {}
    tables = {**setting, **{str(item["name"]): item for item in manifest.get("filters", ()) if "name" in item}}
    chosen: dict[str, Any] = {name: False for name in known if left_out and setting.get(name) is False}
    for name, table in tables.items():
        if name in known and isinstance(table, Mapping):
            takes = signature(known[name]).parameters
            numbers = {key: value for key, value in table.items() if key in takes and isinstance(value, int | float)}
            chosen[name] = numbers or True
    return chosen


def _check_filter_names(settings: Settings, known: Mapping[str, Any]) -> None:
    both = {**known, **discover("synth.generation.filters", SetFilter)}
    for name in settings.filters:
        pick(dict(sorted(both.items())), name, "filter")


def _with_thresholds(part: type[Any], table: Any, name: str) -> Any:
    if table is None or table is True:
        return part()
    if not isinstance(table, Mapping):
        raise ConfigError(f"filters.{name} must be true, false or a table of thresholds, was {table!r}")
    for threshold, value in table.items():
        default = pick(dict(signature(part).parameters), threshold, f"threshold of filters.{name}").default
        if is_number(default):
            place, is_whole = f"filters.{name}.{threshold}", isinstance(default, int)
            check_number(place, value, is_whole=is_whole)
            if not is_whole and default <= 1:
                check_range(place, value)
    try:
        return part(**table)
    except TypeError as error:
        raise ConfigError(f"filters.{name}: {str(error).partition(') ')[2] or error}") from error


def _transforms(
    settings: Settings, models: Mapping[str, OpenAIModel], store: Store, driver: Driver, *, whole: bool
) -> tuple[Transform | LazyTransform[Any], ...]:
    every: dict[str, Any] = {**discover("synth.corpus.transforms", VersionedPart)}
    eager = {name: part for name, part in every.items() if issubclass(part, Transform)}
    # The language transform always runs first. Transforms by a model have a separate setting.
    named = {name: part for name, part in eager.items() if name != "language" and not name.startswith(_LLM)}
    chosen = {
        name: _transform(pick(named, name, "transform"), settings, store, driver)
        for name in _transform_names(settings, whole=whole)
    }
    folder = Path(settings.prompts) if settings.prompts else None
    by_model = {name: every[_LLM + name](model=models["author"].identity, folder=folder) for name in settings.by_model}
    lazy = [part for part in by_model.values() if isinstance(part, LazyTransform)]
    eagerly = {name: part for name, part in by_model.items() if isinstance(part, Transform)}
    return (*{**chosen, **eagerly}.values(), *lazy)


def _transform_names(settings: Settings, *, whole: bool) -> tuple[str, ...]:
    """Return the names of the transforms to run.

    The default transforms are reduced to those of every corpus (`OF_CORPUS`) if nothing needs names, phrases or topics,
    or if a chat model finds them.
    """
    if settings.transforms != TRANSFORMS:
        return settings.transforms
    needs = (settings.type_shares.get(UNANSWERABLE), settings.personas, settings.styles, settings.like, whole)
    return OF_CORPUS if settings.model.name or not any(needs) else settings.transforms


def _transform(part: type[Transform], settings: Settings, store: Store, driver: Driver) -> Transform:
    if part.name == "similarity":
        return cast(Any, part)(encoder=_encoder(settings, store, driver))  # type: ignore[no-any-return]
    return part()


def _encoder(settings: Settings, store: Store, driver: Driver | None) -> Encoder:
    """Return the encoder that the settings name, or else the packaged one for both languages.

    Raises MissingPartError if it is not installed.
    """
    spec = settings.encoder
    if spec.startswith(endpoints.ENDPOINT):
        return CachedEncoder(endpoints.encoder(spec, settings.model, driver.accounts if driver else Accounts()), store)
    return CachedEncoder(default_encoder(["en", "zh-Hans"]) if spec == "auto" else encoder_named(spec), store)


def metrics_named(
    names: Sequence[str], ks: Sequence[int] = (), *, database: str = "", encoder: str = "", classifier: str = ""
) -> tuple[Metric, ...]:
    """Return the metrics with names such as "ndcg", "ndcg@10" or "token_f1". Without names, return the defaults.

    `ks` are the values of k for metrics named without k. `database` is a SQLite file in which SQL answers run.
    `encoder` names the encoder that compares meanings. `classifier` names the cross-encoder that checks statements.
    Raises ConfigError for an unknown name or an invalid k.
    """
    known = discover("synth.evaluation.metrics", Metric)  # type: ignore[type-abstract]
    for rank in ks:
        check_range("k", rank, 1, MOST_PASSAGES)
    if database and not Path(database).is_file():
        raise ConfigError(f"the database {database} is not a file; name a SQLite file")
    wanted: dict[str, set[int]] = {}
    for name in names or [name for name, part in known.items() if part.default]:
        metric, at, k = name.partition("@")
        part = pick(known, metric, "metric")
        if at and not (issubclass(part, AtK) and k.isdecimal() and len(k) < 9 and 0 < int(k) <= MOST_PASSAGES):
            raise ConfigError(
                f"'{name}' must be a metric, or a metric at k such as ndcg@10, with k from 1 to {MOST_PASSAGES}"
            )
        wanted.setdefault(metric, set()).update([int(k)] if at else ks)
    given = {"database": database, "encoder": encoder, "classifier": classifier}
    return tuple(_metric(known[name], tuple(sorted(at)), given) for name, at in wanted.items())


def _metric(part: type[Metric], ks: tuple[int, ...], given: Mapping[str, str]) -> Metric:
    takes = {parameter.name for parameter in fields(part)}
    values: dict[str, Any] = {name: value for name, value in given.items() if value and name in takes}
    return part(**({"ks": ks} if ks and "ks" in takes else {}), **values)
