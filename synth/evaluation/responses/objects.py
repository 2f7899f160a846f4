"""Objects of other libraries as mappings and lists, without importing the libraries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

_DUMPS = ("model_dump", "to_dict", "toDict", "dict", "_asdict")
"""Methods that give an object as a mapping: of pydantic, Haystack, DSPy, older pydantic, named tuples."""


def as_data(value: Any) -> Any:
    """A value with mappings, lists, texts and numbers in place of the objects of other libraries.

    Read are mappings, sequences, objects with one of the methods `_DUMPS`, dataclasses, and numbers of numpy. A value
    that is none of these stays as it is.
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
    """The beginning of a value as JSON, for a message."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= most else f"{text[: most - 1]}…"
