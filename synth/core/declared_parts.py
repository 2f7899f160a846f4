"""Values of JSON that others wrote, read by the types that the code declares for their parts.

A part of another type is as good as absent, and a warning names it: `Malformed`, which the command line prints. Parts
that no type declares stay as they are, and nothing reads them.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

_MOST_WHOLE = 2**53
_SHOWN = 5

Reader = Callable[[Any, str, list[str]], Any]
"""Takes a value, its path and a list; returns the value without the parts that do not fit, or `ABSENT`.

The paths of these parts are added to the list."""

ABSENT: Any = object()


class Malformed(UserWarning):
    """A part of a file has another type than synth writes, and is taken as absent."""


def read_as(kind: Any, value: Any, path: str, faults: list[str]) -> Any:
    """A value without the parts that do not fit `kind`, whose paths are added to `faults`; {} if it fits not at all."""
    kept = reader(kind)(value, path, faults)
    return {} if kept is ABSENT else kept


def warn_of(place: str, faults: Sequence[str]) -> None:
    """Warn, in one line, of parts of a file that are of a wrong type, if there are any."""
    if faults:
        more = f" and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        named = ", ".join(faults[:_SHOWN])
        warnings.warn(f"{place}: of a wrong type or value, so taken as absent: {named}{more}", Malformed, stacklevel=2)


@cache
def reader(kind: Any) -> Reader:
    """The reader of a declared type: a TypedDict, dict[str, …], list[…], a union, str, int, float, bool, None or Any.

    An int is a count or an offset, so a whole number from 0 on; a float is finite. Items of lists and members of
    objects that do not fit are left out alone; an object without a required part does not fit.
    """
    origin = get_origin(kind)
    if kind is Any:
        return lambda value, path, faults: value
    if is_typeddict(kind):
        return _table(get_type_hints(kind), kind.__required_keys__)
    if origin is dict:
        return _members(get_args(kind)[1])
    if origin is list:
        return _items(get_args(kind)[0])
    if origin is UnionType:
        return _first([reader(choice) for choice in get_args(kind)])
    return _leaf(_LEAVES[kind])


def _is_whole(value: Any) -> bool:
    return type(value) is int and 0 <= value < _MOST_WHOLE


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _MOST_WHOLE and isfinite(value)


_LEAVES: Mapping[Any, Callable[[Any], bool]] = {
    str: lambda value: type(value) is str,
    int: _is_whole,
    float: _is_number,
    bool: lambda value: type(value) is bool,
    NoneType: lambda value: value is None,
}


def _leaf(fits: Callable[[Any], bool]) -> Reader:
    def read(value: Any, path: str, faults: list[str]) -> Any:
        if fits(value):
            return value
        faults.append(path)
        return ABSENT

    return read


def _first(readers: Sequence[Reader]) -> Reader:
    """The reader of a union: that of the type which the value fits as a whole, else the one with the fewest faults."""

    def read(value: Any, path: str, faults: list[str]) -> Any:
        tries = []
        for one in readers:
            found: list[str] = []
            kept = one(value, path, found)
            if not found:
                return kept
            tries.append((kept is ABSENT, len(found), kept, found))
        *_, kept, found = min(tries, key=lambda tried: tried[:2])
        faults.extend(found)
        return kept

    return read


def _table(types: Mapping[str, Any], required: frozenset[str]) -> Reader:
    readers = {name: reader(kind) for name, kind in types.items()}

    def read(value: Any, path: str, faults: list[str]) -> Any:
        if not isinstance(value, dict):
            faults.append(path)
            return ABSENT
        kept = {}
        for name, inner in value.items():
            one = readers.get(name)
            part = inner if one is None else one(inner, f"{path}.{name}" if path else name, faults)
            if part is not ABSENT:
                kept[name] = part
        if required - kept.keys():
            faults.append(path)
            return ABSENT
        return kept

    return read


def _members(kind: Any) -> Reader:
    inner, fits = reader(kind), _LEAVES.get(kind)

    def read(value: Any, path: str, faults: list[str]) -> Any:
        if not isinstance(value, dict):
            faults.append(path)
            return ABSENT
        if fits and all(map(fits, value.values())):
            return value
        parts = ((name, inner(part, f"{path}.{name}", faults)) for name, part in value.items())
        return {name: part for name, part in parts if part is not ABSENT}

    return read


def _items(kind: Any) -> Reader:
    inner, fits = reader(kind), _LEAVES.get(kind)

    def read(value: Any, path: str, faults: list[str]) -> Any:
        if not isinstance(value, list):
            faults.append(path)
            return ABSENT
        if fits and all(map(fits, value)):
            return value
        parts = (inner(part, f"{path}[{at}]", faults) for at, part in enumerate(value))
        return [part for part in parts if part is not ABSENT]

    return read
