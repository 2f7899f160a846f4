"""Check of untrusted JSON against declared types, such as a TypedDict.

An object member or list item of a wrong type is treated as missing, and a `Malformed` warning names it. The command
line prints the warning. Members without a declared type are kept unchanged.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from synth.core.errors import Notice

_MOST_WHOLE = 2**53
_SHOWN = 5

Reader = Callable[[Any, str, list[str]], Any]
"""Function of a value, its path (such as "metadata.tags[0]") and a list of faulty paths.

It returns the value without the parts of a wrong type, and adds their paths to the list. If the whole value has a wrong
type, it returns `ABSENT`.
"""

ABSENT: Any = object()
"""Result of a reader for a value that does not fit its type."""


class Malformed(Notice):
    """Warning about parts of a file that have a wrong type and are treated as missing."""


def read_as(kind: Any, value: Any, path: str, faults: list[str]) -> Any:
    """Return `value` without the parts that do not fit `kind`, or {} if the value as a whole does not fit.

    The paths of the parts left out are added to `faults`.
    """
    kept = reader(kind)(value, path, faults)
    return {} if kept is ABSENT else kept


def warn_of(place: str, faults: Sequence[str]) -> None:
    """Issue one `Malformed` warning that lists the faulty parts of a file; no warning if `faults` is empty."""
    if faults:
        more = f" and {len(faults) - _SHOWN} more" if len(faults) > _SHOWN else ""
        named = ", ".join(faults[:_SHOWN])
        warnings.warn(f"{place}: ignored as invalid: {named}{more}", Malformed, stacklevel=2)


@cache
def reader(kind: Any) -> Reader:
    """Return the `Reader` of a declared type.

    `kind` is a TypedDict, dict[str, …], list[…], a union, str, int, float, bool, None or Any. An int is a count or an
    offset and must be at least 0. A float must be finite. List items and object members that do not fit are left out
    one by one. An object that lacks a required part does not fit.
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
    """Return the `Reader` of a union type.

    The types are tried in order. The first type without a fault wins. If every type has faults, the one with the fewest
    faults wins.
    """

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
