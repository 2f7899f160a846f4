"""Providers of OpenAI-compatible APIs. A model's name may begin with its provider, as in `ollama/qwen3:4b`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from synth.core.errors import ConfigError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_KEY_ENV = "OPENAI_API_KEY"

AUTO = "auto"
"""Model name for the only model of the only server on this machine (see `local_servers.only_model`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Provider of an API: its title, its address, and the environment variable of its key.

    `url_env` names the variable that contains the address of the user's resource; `base_url` is appended to that
    address. A provider with `own_server` is a program that people run themselves. It needs no key, and its name may
    precede a model's name at any address.
    """

    title: str
    base_url: str
    key_env: str = ""
    url_env: str = ""
    own_server: bool = False

    def address(self) -> str:
        """Return the base URL. Raises ConfigError when the environment variable `url_env` is needed and not set."""
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
    """Model at an address. `key_env` is the environment variable with the key, or "" if no key is needed.

    With `needs_key`, the key must be set.
    """

    model: str
    base_url: str
    key_env: str = DEFAULT_KEY_ENV
    needs_key: bool = False


def named_provider(name: str) -> bool:
    """Return whether a model's name begins with the name of a provider."""
    prefix, _, model = name.partition("/")
    return prefix in PROVIDERS and bool(model)


def endpoint_of(name: str, base_url: str = "") -> Endpoint:
    """Return the endpoint of a model named `PROVIDER/MODEL`, or of any model name at `base_url`.

    Without `base_url`, a name without a slash is a model of OpenAI. With `base_url`, the name is sent unchanged,
    because many servers have models such as `openai/gpt-oss-20b`. Only the prefix of a provider with `own_server` is
    removed. Raises ConfigError for an unknown provider without `base_url`.
    """
    prefix, slash, model = name.partition("/")
    provider = PROVIDERS.get(prefix) if model else None
    if base_url:
        own = provider is not None and provider.own_server
        return Endpoint(model, base_url, "") if own else Endpoint(name, base_url)
    if provider is not None:
        return Endpoint(model, provider.address(), provider.key_env, not provider.own_server)
    if name == AUTO:
        raise ConfigError(
            f"the model name '{AUTO}' works only as --llm {AUTO} on the command line; name a model instead"
        )
    if slash:
        raise ConfigError(
            f"'{name}' begins with an unknown provider (known: {', '.join(PROVIDERS)}); "
            "give the address of the model's server with --base-url"
        )
    return Endpoint(name, DEFAULT_BASE_URL, needs_key=True)
