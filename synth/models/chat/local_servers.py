"""Detection of chat model servers on this machine, by requesting the list of models at their usual ports."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException
from urllib.request import ProxyHandler, build_opener

from synth.core.errors import ConfigError
from synth.models.chat.providers import PROVIDERS

ADDRESSES = {name: provider.base_url for name, provider in PROVIDERS.items() if provider.own_server}
"""Base URL of each program that serves models on this machine, by provider name."""

_TIMEOUT_S = 2.0
_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class LocalServer:
    """Server on this machine that answered.

    `provider` is the provider whose usual port the server uses. `models` are the names of its models.
    """

    provider: str
    base_url: str
    models: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models for the option --llm."""
        return tuple(f"{self.provider}/{model}" for model in self.models)


def local_servers(addresses: Mapping[str, str] | None = None) -> list[LocalServer]:
    """Return the servers that answer `GET /models`, in the order of `addresses`.

    `addresses` maps each provider to a base URL. The default is `ADDRESSES`.
    """
    asked = ((provider, url, _models(url)) for provider, url in (addresses or ADDRESSES).items())
    return [LocalServer(provider, url, models) for provider, url, models in asked if models is not None]


def only_model(servers: list[LocalServer]) -> tuple[str, str]:
    """Return the name and base URL of the only model of the only server.

    The base URL is "" if it is the usual address of the provider that the model's name begins with. Raises ConfigError
    unless there is exactly one server and it has exactly one model.
    """
    names = [name for server in servers for name in server.names]
    if len(servers) == 1 and len(names) == 1:
        (server,) = servers
        return names[0], "" if server.base_url == PROVIDERS[server.provider].base_url else server.base_url
    if names:
        raise ConfigError(
            f"--llm auto needs exactly one server with one model; name one of the models, such as --llm {names[0]}"
        )
    raise ConfigError(
        "--llm auto needs a server with a model; start a server, or name a model: --llm gguf:FILE, --llm local or "
        "--llm PROVIDER/MODEL"
    )


def describe_servers(servers: list[LocalServer]) -> str:
    """Return one line that lists the servers and their models."""
    if not servers:
        return "no server answers at " + ", ".join(f"{url} ({provider})" for provider, url in ADDRESSES.items())
    return "; ".join(f"{server.base_url}: {', '.join(server.names) or 'no model'}" for server in servers)


def _models(base_url: str) -> tuple[str, ...] | None:
    """Return the names of a server's models, or None if no model server answers there."""
    opener = build_opener(ProxyHandler({}))
    try:
        with opener.open(f"{base_url}/models", timeout=_TIMEOUT_S) as reply:
            body = json.loads(reply.read(_MAX_BYTES))
        return tuple(str(model["id"]) for model in body["data"])
    except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError):
        return None
