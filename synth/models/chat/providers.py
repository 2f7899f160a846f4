"""Providers of OpenAI-compatible APIs, by the first part of a model's name: `ollama/qwen3:4b`, `anthropic/MODEL`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from synth.core.errors import ConfigError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY_ENV = "OPENAI_API_KEY"

AUTO = "auto"
"""Name of the only model that a server on this machine has (`local_servers.only_model`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """An API: its title, its address, and the environment variable of its key.

    `url_env` names the variable with the address of the user's resource, which `base_url` completes. A provider with
    `own_server` is a program that people run themselves: it needs no key, and its name stands before a model at any
    address.
    """

    title: str
    base_url: str
    key_env: str = ""
    url_env: str = ""
    own_server: bool = False

    def address(self) -> str:
        """The base URL. Raises ConfigError when the variable that it needs is not set."""
        if not self.url_env:
            return self.base_url
        resource = os.environ.get(self.url_env, "").strip().rstrip("/")
        if not resource:
            raise ConfigError(
                f"{self.title} needs the address of your resource: set {self.url_env}, or give --base-url"
            )
        return resource + self.base_url


PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "openai": Provider(title="OpenAI", base_url=DEFAULT_BASE_URL, key_env=DEFAULT_KEY_ENV),
        "anthropic": Provider(title="Anthropic", base_url="https://api.anthropic.com/v1", key_env="ANTHROPIC_API_KEY"),
        "gemini": Provider(
            title="Google Gemini",
            base_url="https://generativelanguage.googleapis.com/v1beta/openai",
            key_env="GEMINI_API_KEY",
        ),
        "openrouter": Provider(
            title="OpenRouter", base_url="https://openrouter.ai/api/v1", key_env="OPENROUTER_API_KEY"
        ),
        "azure": Provider(
            title="Azure OpenAI",
            base_url="/openai/v1",
            key_env="AZURE_OPENAI_API_KEY",
            url_env="AZURE_OPENAI_ENDPOINT",
        ),
        "ollama": Provider(title="Ollama", base_url="http://127.0.0.1:11434/v1", own_server=True),
        "lmstudio": Provider(title="LM Studio", base_url="http://127.0.0.1:1234/v1", own_server=True),
        "llamacpp": Provider(title="llama.cpp server", base_url="http://127.0.0.1:8080/v1", own_server=True),
        "vllm": Provider(title="vLLM", base_url="http://127.0.0.1:8000/v1", own_server=True),
    }
)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model at an address; `key_env` is the variable of its key, "" for none; with `needs_key` it must be set."""

    model: str
    base_url: str
    key_env: str = DEFAULT_KEY_ENV
    needs_key: bool = False


def named_provider(name: str) -> bool:
    """Return whether a model's name begins with a provider's."""
    prefix, _, model = name.partition("/")
    return prefix in PROVIDERS and bool(model)


def endpoint_of(name: str, base_url: str = "") -> Endpoint:
    """The endpoint of a model named `PROVIDER/MODEL`, or of any name at `base_url`; OpenAI's for a plain name.

    An address wins over the table: there, a name is sent as it is, since `openai/gpt-oss-20b` is a model of many
    servers; only the name of a server of one's own is taken off. Raises ConfigError for a name with a slash that begins
    with no provider and has no address.
    """
    prefix, slash, model = name.partition("/")
    provider = PROVIDERS.get(prefix) if model else None
    if base_url:
        own = provider is not None and provider.own_server
        return Endpoint(model, base_url, "") if own else Endpoint(name, base_url)
    if provider is not None:
        return Endpoint(model, provider.address(), provider.key_env, not provider.own_server)
    if name == AUTO:
        raise ConfigError(f"'{AUTO}' is the only model of this machine, for --llm on the command line; name this model")
    if slash:
        raise ConfigError(
            f"'{name}' begins with no provider that synth knows ({', '.join(PROVIDERS)}); "
            "give the address of its server with --base-url"
        )
    return Endpoint(name, DEFAULT_BASE_URL, needs_key=True)
