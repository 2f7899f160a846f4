"""Servers of chat models on this machine, found by asking their usual ports for the list of models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from urllib.request import ProxyHandler, build_opener

from synth.core.errors import ConfigError
from synth.models.chat.providers import PROVIDERS

ADDRESSES = {name: provider.base_url for name, provider in PROVIDERS.items() if provider.own_server}
"""Address of each program that serves models, by the name of its provider."""

_TIMEOUT_S = 2.0
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered: the provider whose port it has, its address, and the names of its models."""

    provider: str
    base_url: str
    models: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Its models as names for --llm."""
        return tuple(f"{self.provider}/{model}" for model in self.models)


def local_servers(addresses: Mapping[str, str] | None = None) -> list[LocalServer]:
    """The servers that answer `GET /models`, in the order of `addresses`, which are base URLs by provider."""
    asked = ((provider, url, _models(url)) for provider, url in (addresses or ADDRESSES).items())
    return [LocalServer(provider, url, models) for provider, url, models in asked if models is not None]


def only_model(servers: list[LocalServer]) -> tuple[str, str]:
    """Name and base URL of the one model of the one server; the base URL is "" where the name implies it.

    Raises ConfigError when there is no server, several, or one with several models or none.
    """
    names = [name for server in servers for name in server.names]
    if len(servers) == 1 and len(names) == 1:
        (server,) = servers
        return names[0], "" if server.base_url == PROVIDERS[server.provider].base_url else server.base_url
    if names:
        raise ConfigError(f"--llm auto takes the only model there is; name one of these, such as --llm {names[0]}")
    raise ConfigError(
        "--llm auto needs a server with a model: start one, or name a model, such as --llm gguf:FILE, --llm local or "
        "--llm PROVIDER/MODEL"
    )


def describe_servers(servers: list[LocalServer]) -> str:
    """The servers and their models on one line."""
    if not servers:
        return "no server answers at " + ", ".join(f"{url} ({provider})" for provider, url in ADDRESSES.items())
    return "; ".join(f"{server.base_url}: {', '.join(server.names) or 'no model'}" for server in servers)


def _models(base_url: str) -> tuple[str, ...] | None:
    """Names of the models of a server; None where no such server answers."""
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"{base_url}/models", timeout=_TIMEOUT_S) as reply:
            body = json.loads(reply.read(_MAX_BYTES))
        return tuple(str(model["id"]) for model in body["data"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
        return None
