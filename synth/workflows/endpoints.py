"""Chat models and encoders at the endpoints of the settings, and the driver that sends their requests."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from synth.core.errors import ConfigError, Notice
from synth.core.store import Store
from synth.models.chat.api_keys import Key
from synth.models.chat.base import ChatModel, RawReply
from synth.models.chat.batch import BatchModel
from synth.models.chat.budget import Budget, Limits
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.embedded import SLOTS, TIMEOUT_S, EmbeddedModel
from synth.models.chat.exchange import Sending
from synth.models.chat.leases import FileLeases
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.prices import Price, price_of
from synth.models.chat.providers import Endpoint, endpoint_of, named_provider
from synth.models.chat.usage import Accounts
from synth.models.chat.weights import FILE, Weights, weights_named
from synth.models.encoders.endpoint import EndpointEncoder
from synth.workflows.settings import ModelSettings

ENDPOINT = "endpoint:"
"""Prefix of encoder names that name a model at an endpoint."""

ASKING = "asking.lock"
"""Name of the file beside the store that reserves running requests, so that no other process sends them too."""

_BATCH_PLACES = 10_000
_BATCH_S = 3 * 86_400.0


def models(settings: ModelSettings, store: Store | None = None) -> dict[str, OpenAIModel]:
    """Return the chat models for the roles "author" and "judge".

    Raises ConfigError for an unusable name, address or file.
    """
    here = _author_place(settings)
    author = _model(here, _author_key(settings, here), settings.headers, store)
    there = _place(settings, settings.judge or settings.name, settings.judge_url)
    if there == here and not settings.judge_key_env:
        return {"author": author, "judge": author}
    key = _key(settings, there, settings.judge_url, settings.judge_key_env)
    # Send the author's headers to the author's endpoint only.
    headers = settings.headers if _address(there) == _address(here) else {}
    return {"author": author, "judge": _model(there, key, headers, store)}


def identities(recorded: ModelSettings) -> dict[str, str]:
    """Return the identities of the author and the judge in a manifest. No file is opened and no key is read.

    If a model is a file, the identities are "", because only the content of the file would give its identity.
    """
    judge = recorded.judge or recorded.name
    if FILE in (recorded.name[: len(FILE)], judge[: len(FILE)]):
        return {"author": "", "judge": ""}
    places = {"author": _author_place(recorded), "judge": _place(recorded, judge, recorded.judge_url)}
    return {role: _model(place, None, {}, None).identity for role, place in places.items()}


def _author_place(settings: ModelSettings) -> Endpoint | Weights:
    if not settings.base_url and (weights := weights_named(settings.name)):
        return weights
    return endpoint_of(settings.name, settings.base_url)


def _place(settings: ModelSettings, name: str, url: str) -> Endpoint | Weights:
    """Return the endpoint or the weights of a model other than the author.

    The given `url` comes first, then the author's `base_url` in the settings, then the provider or file in the name. If
    none of them is given, the author's endpoint is used. `base_url` does not serve gguf:FILE, because no server offers
    such a name.
    """
    url = url or ("" if name.startswith(FILE) else settings.base_url)
    if url:
        return endpoint_of(name, url)
    if weights := weights_named(name):
        return weights
    if named_provider(name) or weights_named(settings.name):
        return endpoint_of(name)
    return replace(endpoint_of(settings.name), model=name)


def _address(place: Endpoint | Weights) -> str:
    """Return the address of an endpoint, or "" for model weights, which need no key and no headers."""
    return place.base_url if isinstance(place, Endpoint) else ""


def _author_key(settings: ModelSettings, place: Endpoint | Weights) -> Key | None:
    if settings.key_file:
        return Key.from_file(Path(settings.key_file))
    name = settings.key_env or (place.key_env if isinstance(place, Endpoint) else "")
    return Key.from_environment(name) if name else None


def _key(settings: ModelSettings, place: Endpoint | Weights, url: str, own: str) -> Key | None:
    """Return the key of a model other than the author, or None.

    `own` names an environment variable with the key. If it is empty, a model at the author's endpoint gets the author's
    key. A model of another provider gets that provider's key, and a model at an address of its own (`url`) gets none.
    """
    if own:
        return Key.from_environment(own)
    here = _author_place(settings)
    if _address(place) == _address(here):
        return _author_key(settings, here)
    return Key.from_environment(place.key_env) if isinstance(place, Endpoint) and place.key_env and not url else None


def _model(place: Endpoint | Weights, key: Key | None, headers: Mapping[str, str], store: Store | None) -> OpenAIModel:
    if isinstance(place, Weights):
        return EmbeddedModel(place, cache=store)
    return OpenAIModel(
        place.model,
        base_url=place.base_url,
        key=key,
        key_env=place.key_env,
        needs_key=place.needs_key,
        headers=headers,
        cache=store,
    )


class NoCost(Notice):
    """Warning that a limit of the cost has no effect, because all models are free."""


def driver(
    settings: ModelSettings,
    asked: Mapping[str, OpenAIModel],
    store: Store,
    window: int | None = None,
    *,
    tolerant: bool = False,
) -> Driver:
    """Return the driver of a run, with its budget. `tolerant` is as in `Sending`.

    Raises ConfigError for a cost limit if a price is unknown.
    """
    limits = Limits(cost=settings.max_cost, calls=settings.max_calls, tokens=settings.max_tokens)
    priced = prices(settings, asked) if asked else {}
    free = [name for name, price in priced.items() if price and not (price.input or price.output)]
    if limits.cost and free and len(free) == len(priced):
        warnings.warn(
            f"the cost limit has no effect, because the price of {', '.join(free)} is 0; limit the calls with "
            "--max-calls, or name a file of prices with --prices",
            NoCost,
            stacklevel=2,
        )
    budget = Budget(limits, priced)
    if settings.batch:
        batched: dict[int, ChatModel] = {id(model): BatchModel(model, store) for model in asked.values()}
        return Driver(
            {role: batched[id(model)] for role, model in asked.items()},
            store,
            Sending(
                slots=Slots(_BATCH_PLACES), timeout_s=_BATCH_S, budget=budget, resume=settings.resume, tolerant=tolerant
            ),
        )
    # A model inside the process handles few requests at a time, and slowly.
    embedded = any(isinstance(model, EmbeddedModel) for model in asked.values())
    slots = Slots(
        min(settings.concurrency, SLOTS) if embedded else settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
    )
    sending = Sending(
        slots=slots,
        timeout_s=max(settings.timeout_s, TIMEOUT_S) if embedded else settings.timeout_s,
        budget=budget,
        resume=settings.resume,
        leases=FileLeases(store.path.with_name(ASKING)),
        tolerant=tolerant,
    )
    return Driver(asked, store, sending, window=window)


def prices(settings: ModelSettings, asked: Mapping[str, OpenAIModel]) -> dict[str, Price | None]:
    """Return the price of each model by its identity, or None if the price is unknown."""
    own = Path(settings.prices) if settings.prices else None
    return {model.identity: price_of(model.model, model.base_url, own) for model in asked.values()}


def who(asked: Mapping[str, OpenAIModel]) -> str:
    """Return the identities of the models of a run as one text, which is part of the key of stored results."""
    return " | ".join(asked[role].identity for role in sorted(asked))


def reach(asked: Mapping[str, OpenAIModel]) -> None:
    """Check all endpoints that were not used before. Raises ModelError if an endpoint does not work."""

    async def check() -> None:
        for model in {id(model): model for model in asked.values()}.values():
            await model.check()

    if asked:
        asyncio.run(check())


def encoder(spec: str, settings: ModelSettings, accounts: Accounts) -> EndpointEncoder:
    """Return the encoder "endpoint:MODEL". Its tokens are counted under the purpose "embeddings"."""

    def spent(tokens: int) -> None:
        accounts.call("embeddings")
        accounts.reply("embeddings", RawReply(text="", prompt_tokens=tokens))

    place = _place(settings, spec.removeprefix(ENDPOINT), settings.encoder_url)
    if isinstance(place, Weights):
        raise ConfigError(
            f"the encoder {spec} names a chat model that runs inside synth; it needs the name of an encoder that an "
            "endpoint serves, as in endpoint:MODEL"
        )
    key = _key(settings, place, settings.encoder_url, settings.encoder_key_env)
    if place.needs_key and key is None:
        raise ConfigError(
            f"the encoder {spec} needs an API key: set {place.key_env}, or name another environment variable with "
            "--encoder-key-env"
        )
    return EndpointEncoder(
        place.model,
        base_url=place.base_url,
        key=key,
        spent=spent,
    )
