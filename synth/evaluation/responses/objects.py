"""Objects of other libraries as mappings and lists, without importing the libraries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

_DUMPS = ("model_dump", "to_dict", "toDict", "dict", "_asdict")
"""Methods that return an object as a mapping, of pydantic, Haystack, DSPy, older pydantic and named tuples."""


def as_data(value: Any) -> Any:
    """Convert objects of other libraries to mappings, lists, strings and numbers.

    Supported are mappings, sequences, objects with a method in `_DUMPS`, dataclasses, and numbers and arrays of numpy.
    Any other value is returned unchanged.
    """
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_data(inner) for key, inner in value.items()}
    for name in _DUMPS:
        if callable(dump := getattr(value, name, None)) and isinstance(dumped := dump(), Mapping):
            return as_data(dumped)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return [as_data(inner) for inner in value]
    if callable(listed := getattr(value, "tolist", None)):
        return as_data(listed())
    return value


def shown(value: Any, most: int = 200) -> str:
    """Return a value as JSON for a message, cut to `most` characters."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= most else f"{text[: most - 1]}…"
