"""Which settings the manifest of a set may decide. A set is data, whoever made it.

A field of a settings record is the user's alone unless it is declared with `from_set`, or with the metadata `OF_SET`,
so a new field is refused until somebody declares it. A field that is declared decides rows, and names no address, key,
file, folder, model or plug-in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, field
from types import MappingProxyType
from typing import Any

_ACCEPTS = "a set may decide"


def _metadata(accepts: Callable[[Any], bool]) -> Mapping[str, Callable[[Any], bool]]:
    return MappingProxyType({_ACCEPTS: accepts})


OF_SET = _metadata(lambda _: True)
"""Metadata of a field that a set may decide."""


def from_set(default: Any, accepts: Callable[[Any], bool] | None = None) -> Any:
    """Declare a field of a settings dataclass that a set may decide, with its default; only values it `accepts`."""
    return field(default=default, metadata=_metadata(accepts) if accepts else OF_SET)


def is_of_set(declared: Field[Any]) -> bool:
    """Return whether a set may decide a field."""
    return _ACCEPTS in declared.metadata


def is_accepted(declared: Field[Any], value: object) -> bool:
    """Return whether a set may give this value to a field."""
    return is_of_set(declared) and bool(declared.metadata[_ACCEPTS](value))
