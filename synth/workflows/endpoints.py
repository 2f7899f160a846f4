"""Models and encoders at the endpoints of the settings, and the driver that sends their requests."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from synth.core.store import Store
from synth.models.chat.api_keys import Key
from synth.models.chat.base import ChatModel, RawReply
from synth.models.chat.batch import BatchModel
from synth.models.chat.budget import Budget, Limits
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.prices import Price, price_of
from synth.models.chat.usage import Accounts
from synth.models.encoders.endpoint import EndpointEncoder
from synth.workflows.settings import ModelSettings

ENDPOINT = "endpoint:"
"""Prefix of the name of an encoder at an endpoint."""

_BATCH_PLACES = 10_000
_BATCH_S = 3 * 86_400.0


def models(settings: ModelSettings, store: Store | None = None) -> dict[str, OpenAIModel]:
    """The author and the judge. Raises ConfigError for an invalid address or a missing key."""
    key = _key(settings)
    author = OpenAIModel(settings.name, base_url=settings.base_url, key=key, headers=settings.headers, cache=store)
    name, url = settings.judge or settings.name, settings.judge_url or settings.base_url
    if (name, url) == (settings.name, settings.base_url) and not settings.judge_key_env:
        return {"author": author, "judge": author}
    elsewhere = url != settings.base_url
    # The author's key and headers are sent to the author's endpoint only.
    judge_key = Key.from_environment(settings.judge_key_env) if settings.judge_key_env else None if elsewhere else key
    headers = {} if elsewhere else settings.headers
    return {"author": author, "judge": OpenAIModel(name, base_url=url, key=judge_key, headers=headers, cache=store)}


def driver(
    settings: ModelSettings, asked: Mapping[str, OpenAIModel], store: Store, window: int | None = None
) -> Driver:
    """The driver of a run with its budget. Raises ConfigError for a limit of cost without a known price."""
    limits = Limits(cost=settings.max_cost, calls=settings.max_calls, tokens=settings.max_tokens)
    budget = Budget(limits, prices(settings, asked) if asked else {})
    if settings.batch:
        batched: dict[int, ChatModel] = {id(model): BatchModel(model, store) for model in asked.values()}
        return Driver(
            {role: batched[id(model)] for role, model in asked.items()},
            store,
            concurrency=_BATCH_PLACES,
            timeout_s=_BATCH_S,
            budget=budget,
            resume=settings.resume,
        )
    slots = Slots(
        settings.concurrency,
        requests_per_minute=settings.requests_per_minute,
        tokens_per_minute=settings.tokens_per_minute,
    )
    return Driver(
        asked,
        store,
        concurrency=settings.concurrency,
        timeout_s=settings.timeout_s,
        slots=slots,
        budget=budget,
        resume=settings.resume,
        window=window,
    )


def prices(settings: ModelSettings, asked: Mapping[str, OpenAIModel]) -> dict[str, Price | None]:
    """The price of each model by its identity; None where unknown."""
    own = Path(settings.prices) if settings.prices else None
    return {model.identity: price_of(model.model, model.base_url, own) for model in asked.values()}


def who(asked: Mapping[str, OpenAIModel]) -> str:
    """The identities of the models of a run, as a key for stored results."""
    return " | ".join(asked[role].identity for role in sorted(asked))


def reach(asked: Mapping[str, OpenAIModel]) -> None:
    """Check endpoints that were not used yet. Raises ModelError for one that does not work."""

    async def check() -> None:
        for model in {id(model): model for model in asked.values()}.values():
            await model.check()

    if asked:
        asyncio.run(check())


def encoder(spec: str, settings: ModelSettings, accounts: Accounts) -> EndpointEncoder:
    """The encoder "endpoint:MODEL"; its tokens are counted as those of the purpose "embeddings"."""

    def spent(tokens: int) -> None:
        accounts.call("embeddings")
        accounts.reply("embeddings", RawReply(text="", prompt_tokens=tokens))

    url, own = settings.encoder_url or settings.base_url, settings.encoder_key_env
    # Without a key of its own the encoder has the author's, but only at the author's endpoint.
    key = Key.from_environment(own) if own else _key(settings) if url == settings.base_url else None
    return EndpointEncoder(spec.removeprefix(ENDPOINT), base_url=url, key=key, spent=spent)


def _key(settings: ModelSettings) -> Key | None:
    return Key.from_file(Path(settings.key_file)) if settings.key_file else Key.from_environment(settings.key_env)
