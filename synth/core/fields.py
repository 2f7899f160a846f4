"""Reading of typed fields from parsed JSON and TOML objects, such as rows, configuration tables and requests."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from synth.core.checks import is_number, wrong
from synth.core.errors import ConfigError, RecordError, SynthError
from synth.core.small_file import small_text

_KINDS: Mapping[type, str] = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}
_MOST_WHOLE = 2**53
T = TypeVar("T")


class Fields:
    """Fields of a JSON object or TOML table that was read from `place`, such as "set.jsonl:12".

    `path` leads to the object within the place, such as "evidence[2]". `values` are the fields as read. Each method
    raises `error` for a field that is not valid. The message contains the place, the field, the rule and the value. The
    constructor raises `error` for a value that is not an object.
    """

    def __init__(self, value: Any, place: str, path: str = "", error: type[SynthError] = RecordError) -> None:
        self.place, self.path, self.error = place, path, error
        if not isinstance(value, Mapping):
            kind = "a table" if error is ConfigError else "an object"
            raise wrong(f"{place}: field '{path}'" if path else place, kind, value, error)
        self.values = value

    def wrong(self, name: str, rule: str, value: object) -> SynthError:
        """Return the error for a field: "field `name` must be `rule`, was `value`"."""
        return wrong(f"{self.place}: field '{self.path_of(name)}'", rule, value, self.error)

    def only(self, known: Collection[str]) -> None:
        """Raise `error` if there are fields other than `known`."""
        if unknown := [name for name in self.values if name not in known]:
            paths = ", ".join(f"'{self.path_of(name)}'" for name in unknown)
            raise self.error(f"{self.place}: unknown {paths}; known: {', '.join(known)}")

    def inner(self, name: str) -> Fields:
        """Return the fields of the object in field `name`. If the field is missing, the result has no fields."""
        return Fields(self.values.get(name, {}), self.place, self.path_of(name), self.error)

    def inners(self, name: str) -> list[Fields]:
        """Return the fields of each object in the list `name`."""
        listed = enumerate(self.items(name))
        return [Fields(value, self.place, f"{self.path_of(name)}[{at}]", self.error) for at, value in listed]

    def items(self, name: str) -> list[Any]:
        """Return the list in field `name`; its items may have any type."""
        value = self.values.get(name)
        if not isinstance(value, list):
            raise self.wrong(name, "a list", value)
        return value

    def text(self, name: str) -> str:
        """Return a text that is not blank."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(name, "a text that is not empty", value)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts that are not blank."""
        values = self.values.get(name)
        if not isinstance(values, list) or not all(isinstance(value, str) and value.strip() for value in values):
            raise self.wrong(name, "a list of texts that are not empty", values)
        return tuple(values)

    def choice(self, name: str, known: Collection[str]) -> str:
        """Return one of `known`, or "" for a field that is missing or empty."""
        value = self.values.get(name) or ""
        if value != "" and value not in known:
            raise self.wrong(name, f"one of {', '.join(known)}", value)
        return str(value)

    def value(self, name: str, kind: type[T]) -> T:
        """Return a value of the type `kind`: int, float, str or bool. For float, a whole number is accepted too."""
        value = self.values.get(name)
        if kind is float and type(value) is int and is_number(value):
            value = float(value)
        if type(value) is not kind or (kind is float and not is_number(value)):
            raise self.wrong(name, _KINDS[kind], value)
        return value

    def whole(self, name: str, least: int = 0) -> int:
        """Return a whole number of at least `least`, such as a count or an offset."""
        value = self.values.get(name)
        if type(value) is not int or not least <= value < _MOST_WHOLE:
            raise self.wrong(name, f"a whole number of at least {least}", value)
        return value

    def number(self, name: str) -> float:
        """Return a number of at least 0."""
        value = self.values.get(name)
        if not is_number(value) or not value >= 0:
            raise self.wrong(name, "a number of at least 0", value)
        return float(value)

    def share(self, name: str) -> float:
        """Return a number from 0 to 1."""
        value = self.values.get(name)
        if not is_number(value) or not 0 <= value <= 1:
            raise self.wrong(name, "a number from 0 to 1", value)
        return float(value)

    def label(self, name: str) -> float:
        """Return a label, which is true, false or a number from 0 to 1, as a number."""
        value = self.values.get(name)
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            raise self.wrong(name, "true, false or a number from 0 to 1", value)
        return float(value)

    def path_of(self, name: str) -> str:
        """Return the path of a field, such as "evidence[2].start"."""
        return f"{self.path}.{name}" if self.path else name


def parsed_toml(text: str, place: str) -> Fields:
    """Return the top table of a TOML text. Raises ConfigError that names `place` when the text is not TOML."""
    try:
        return Fields(tomllib.loads(text), place, error=ConfigError)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(f"{place} is not TOML: {error}") from error


def read_toml(path: Path, kind: str) -> Fields:
    """Return the top table of the TOML file `path`. Raises ConfigError when it cannot be read.

    `kind` says what the file is in messages, such as "prices".
    """
    try:
        text = small_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read the {kind} {path}: {getattr(error, 'strerror', None) or error}") from error
    return parsed_toml(text, str(path))
