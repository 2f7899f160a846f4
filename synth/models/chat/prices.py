"""Prices of tokens, from the user's file or from a public list of providers' prices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from synth.core.fields import Fields, read_toml

_MILLION = 1_000_000
_KEYS = ("input", "output", "cached_input")


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Prices per million tokens: of prompts, of replies, and of prompt tokens in the endpoint's cache.

    `source` says where the prices come from.
    """

    input: float
    output: float
    cached_input: float
    source: str

    def of(self, prompt_tokens: int, completion_tokens: int, known_tokens: int = 0) -> float:
        """Return the cost of a call. `known_tokens` is the number of prompt tokens in the endpoint's cache."""
        read = (prompt_tokens - known_tokens) * self.input + known_tokens * self.cached_input
        return (read + completion_tokens * self.output) / _MILLION


def price_of(model: str, base_url: str, prices: Path | None = None) -> Price | None:
    """Return the price of a model from the file `prices`, or else from the list of the package genai-prices.

    A model on this machine costs 0, unless the file lists it. The result is None if the price is unknown. The file is
    TOML with one table per model, such as `["gpt-4o-mini"]`. A table contains `input`, `output` and, if different,
    `cached_input`, each per million tokens. Raises ConfigError for any other content.
    """
    if prices is not None and (own := _own(prices).get(model)) is not None:
        return own
    if is_local(base_url):
        return Price(input=0.0, output=0.0, cached_input=0.0, source="this machine")
    return _listed(model, base_url)


def is_local(url: str) -> bool:
    """Return whether an address is on this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _own(path: Path) -> Mapping[str, Price]:
    tables = read_toml(path, "prices")
    return {model: _price(tables.inner(model)) for model in tables.values}


def _price(table: Fields) -> Price:
    """Return the price in a table of input, output and, if different, cached_input, each per million tokens."""
    table.only(_KEYS)
    read, written = table.number("input"), table.number("output")
    cached = table.number("cached_input") if "cached_input" in table.values else read
    return Price(input=read, output=written, cached_input=cached, source="your prices")


def _listed(model: str, base_url: str) -> Price | None:
    """Return the price in the package genai-prices; None if it is not installed or does not list the model."""
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    known = _provider(base_url, model)
    try:
        read, cached, written = (
            calc_price(usage, model_ref=model, provider_api_url=known).total_price * _MILLION / 1000
            for usage in (
                Usage(input_tokens=1000),
                Usage(input_tokens=1000, cache_read_tokens=1000),
                Usage(output_tokens=1000),
            )
        )
    except LookupError:
        return None
    return Price(input=_plain(read), output=_plain(written), cached_input=_plain(cached), source="genai-prices")


def _provider(base_url: str, model: str) -> str | None:
    """Return `base_url` if the list of genai-prices contains its provider, else None.

    With None, a model is looked up by its name alone, such as a model behind a proxy.
    """
    from genai_prices import Usage, calc_price

    try:
        calc_price(Usage(input_tokens=1), model_ref=model, provider_api_url=base_url)
    except LookupError:
        return None
    return base_url


def _plain(value: Decimal) -> float:
    return round(float(value), 6)
