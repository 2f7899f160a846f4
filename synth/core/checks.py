"""Checks of values that users set, with uniform error messages."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import fields
from sys import float_info
from typing import Any, TypeGuard

from synth.core.errors import ConfigError, SynthError

_MOST_WHOLE = 2**63


def wrong(name: str, rule: str, value: object, error: type[SynthError] = ConfigError) -> SynthError:
    """Return the error for a bad value: "`name` must be `rule`, was `value`". A long value is shortened."""
    shown = repr(value)
    return error(f"{name} must be {rule}, was {shown if len(shown) <= 60 else shown[:57] + '...'}")


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a finite number that a float can represent. True and False are not numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


def check_least(name: str, value: float, least: float) -> None:
    """Raise ConfigError if `value` is less than `least`."""
    if not value >= least:
        raise wrong(name, f"at least {least}", value)


def check_numbers(settings: Any, section: str = "", **least: int) -> None:
    """Raise ConfigError if a number in a settings record is not finite or is too small.

    The minimum of a field is its value in `least`, or else 0. A field declared as int must be a whole number. An
    optional field may be None. `section` precedes the name of the field in messages.
    """
    for declared in fields(settings):
        kind, _, optional = str(declared.type).partition(" | ")
        value = getattr(settings, declared.name)
        if kind in ("int", "float") and not (value is None and optional == "None"):
            check_number(section + declared.name, value, is_whole=kind == "int", least=least.get(declared.name, 0))


def check_number(name: str, value: Any, *, is_whole: bool = False, least: float = 0) -> None:
    """Raise ConfigError unless `value` is a finite number of at least `least`.

    With `is_whole`, `value` must also be an int.
    """
    if not is_number(value) or (is_whole and not (isinstance(value, int) and abs(value) < _MOST_WHOLE)):
        raise wrong(name, "a whole number" if is_whole else "a number", value)
    check_least(name, value, least)


def check_all_whole(name: str, values: Any, least: int = 1) -> None:
    """Raise ConfigError if `values` is not a list of whole numbers of at least `least`."""
    check_list(name, values)
    for value in values:
        check_number(name, value, is_whole=True, least=least)


def check_table(name: str, values: Any) -> None:
    """Raise ConfigError if `values` is not a mapping from names to finite numbers."""
    if not isinstance(values, Mapping):
        raise wrong(name, "a table of numbers by name", values)
    if bad := {key: value for key, value in values.items() if not is_number(value)}:
        raise wrong(name, "a table of numbers by name", bad)


def check_range(name: str, value: float, low: float = 0, high: float = 1) -> None:
    """Raise ConfigError if `value` is below `low` or above `high`."""
    if not low <= value <= high:
        raise wrong(name, f"from {low} to {high}", value)


def check_share(name: str, value: float) -> None:
    """Raise ConfigError unless `value` is a share: above 0 and at most 1."""
    if not 0 < value <= 1:
        raise wrong(name, "above 0 and at most 1", value)


def check_list(name: str, value: Any) -> None:
    """Raise ConfigError if `value` is not a list or tuple.

    A string is refused too, because Python would iterate over its letters.
    """
    if not isinstance(value, list | tuple):
        raise wrong(name, "a list", value)


def check_lists(settings: Any, *names: str) -> None:
    """Apply `check_list` to the named fields of a settings record."""
    for name in names:
        check_list(name, getattr(settings, name))


def paths_as_text(settings: Any, *names: str) -> None:
    """Convert path objects in the named fields of a frozen settings record to strings, in place."""
    for name in names:
        value = getattr(settings, name)
        if isinstance(value, os.PathLike):
            object.__setattr__(settings, name, os.fspath(value))


def check_known(name: str, value: Any, known: Collection[str]) -> None:
    """Raise ConfigError if `value` is not one of `known`."""
    if value not in known:
        raise wrong(name, f"one of {', '.join(known)}", value)
