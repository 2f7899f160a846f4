"""Settings that the manifest of a test set may change, although the set is untrusted data.

By default, only the user sets a field of a settings record. A set may set a field that is declared with `from_set` or
with the metadata `OF_SET`. So new fields are protected by default. A declared field may affect the rows, but must not
name an address, key, file, folder, model or plugin.
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
"""Metadata of a field that a set may set to any value."""


def from_set(default: Any, accepts: Callable[[Any], bool] | None = None) -> Any:
    """Declare a field of a settings dataclass that a set may change.

    `default` is the default of the field. With `accepts`, a set may give only the values for which `accepts` returns
    True.
    """
    return field(default=default, metadata=_metadata(accepts) if accepts else OF_SET)


def is_of_set(declared: Field[Any]) -> bool:
    """Return whether a set may change a field."""
    return _ACCEPTS in declared.metadata


def is_accepted(declared: Field[Any], value: object) -> bool:
    """Return whether a set may give a field this value."""
    return is_of_set(declared) and bool(declared.metadata[_ACCEPTS](value))
