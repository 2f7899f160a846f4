"""Structured replies: the JSON value in a model's text, parsed and checked by its schema."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from synth.core.errors import ConfigError

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_OPENINGS = {"object": re.compile(r"\{"), "array": re.compile(r"\[")}
_ANY_OPENING = re.compile(r"[\[{]")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_BOUNDS = {"minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum"}
_KEYWORDS = _BOUNDS | {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "enum",
    "title",
    "description",
}


class BadReply(Exception):
    """A reply that is not valid by its schema; the message is written for the model."""


def without_reasoning(text: str) -> str:
    """`text` without the reasoning that some models write first, also when one of its tags is missing."""
    rest = _THOUGHT.sub("", text, count=1)
    if rest == text and not text.lstrip().startswith(("{", "[")):
        ends = list(_THOUGHT_END.finditer(text))
        rest = text[ends[0].end() :] if ends else text
    return rest.strip()


def parse_reply(text: str, schema: Mapping[str, Any]) -> Any:
    """The last JSON value in `text` that is valid by `schema`; prose, fences and drafts around it are ignored.

    Raises BadReply with the problems to fix, ConfigError when `check_schema` refuses the schema.
    """
    problem = "The reply contains no complete JSON " + ("array." if schema.get("type") == "array" else "object.")
    opening = _OPENINGS.get(str(schema.get("type")), _ANY_OPENING)
    for value in _values(without_reasoning(text), opening):
        problems = list(violations(value, schema))
        if not problems:
            return value
        problem = "; ".join(problems[:5]) + "."
    raise BadReply(problem)


def repair_message(problem: str) -> str:
    """Message to a model whose reply was not valid; `problem` is that of the BadReply."""
    return (
        f"Your reply cannot be used: {problem} Write the whole reply again as one JSON value that follows the "
        "schema, with nothing before or after it."
    )


def schema_instruction(schema: Mapping[str, Any]) -> str:
    """Instruction to a model whose server does not enforce the schema."""
    return "Reply with one JSON value that follows this JSON Schema, and with nothing else:\n" + json.dumps(
        schema, ensure_ascii=False
    )


def _values(text: str, opening: re.Pattern[str]) -> Iterator[Any]:
    """Outermost JSON values in `text` that start with `opening`, the last one first."""
    decoder = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)
    values, place = [], 0
    while match := opening.search(text, place):
        try:
            value, place = decoder.raw_decode(text, match.start())
            values.append(value)
        except (ValueError, RecursionError):
            place = match.end()
    yield from reversed(values)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def violations(value: Any, schema: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """Violations of `schema` in `value`, in words; none when it is valid."""
    where = place or "The reply"
    names = _type_names(schema)
    if names and not any(_is(value, name) for name in names):
        yield f"{where} must be {_a(names)}, not {_a((_name_of(value),))}"
        return
    if "enum" in schema and not any(_same(value, choice) for choice in schema["enum"]):
        yield f"{where} must be one of {json.dumps(schema['enum'], ensure_ascii=False)}"
    if isinstance(value, str):
        yield from _string(value, schema, where)
    elif isinstance(value, dict):
        yield from _object(value, schema, place)
    elif isinstance(value, list):
        yield from _size(len(value), schema, "Items", "items", where)
        for index, item in enumerate(value):
            yield from violations(item, schema.get("items", {}), f"{place}[{index}]")
    elif isinstance(value, int | float):
        yield from _bounds(value, schema, where)


def _object(value: Mapping[str, Any], schema: Mapping[str, Any], place: str) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            yield f'{place or "The reply"} lacks "{name}"'
    for name, item in value.items():
        inner = f"{place}.{name}" if place else name
        if name in properties:
            yield from violations(item, properties[name], inner)
        elif schema.get("additionalProperties", True) is False:
            yield f'{place or "The reply"} must not have "{name}"'


def _string(value: str, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    yield from _size(len(value), schema, "Length", "characters", where)
    if any("\ud800" <= char <= "\udfff" for char in value):
        yield f"{where} holds half of a surrogate pair"


def _size(size: int, schema: Mapping[str, Any], suffix: str, unit: str, where: str) -> Iterator[str]:
    least, most = schema.get(f"min{suffix}"), schema.get(f"max{suffix}")
    if least is not None and size < least:
        yield f"{where} must have at least {least} {unit}, has {size}"
    if most is not None and size > most:
        yield f"{where} must have at most {most} {unit}, has {size}"


def _bounds(value: float, schema: Mapping[str, Any], where: str) -> Iterator[str]:
    if not math.isfinite(value):
        yield f"{where} must be a finite number"
    if value < schema.get("minimum", value):
        yield f"{where} must be at least {schema['minimum']}, is {value}"
    if value > schema.get("maximum", value):
        yield f"{where} must be at most {schema['maximum']}, is {value}"


def _type_names(schema: Mapping[str, Any]) -> tuple[str, ...]:
    declared = schema.get("type", ())
    return (declared,) if isinstance(declared, str) else tuple(declared)


def _is(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES[name])


def _same(value: Any, choice: Any) -> bool:
    return value == choice and isinstance(value, bool) == isinstance(choice, bool)


def _name_of(value: Any) -> str:
    return next(name for name in ("integer", *_TYPES) if _is(value, name))


def _a(names: tuple[str, ...]) -> str:
    return " or ".join(name if name == "null" else f"an {name}" if name[0] in "aio" else f"a {name}" for name in names)


def check_schema(schema: Mapping[str, Any], place: str = "the schema") -> None:
    """Raise ConfigError when `schema` uses a keyword or a type that replies are not checked for."""
    if unknown := sorted(set(schema) - _KEYWORDS):
        known = ", ".join(sorted(_KEYWORDS))
        raise ConfigError(
            f"{place} uses {', '.join(unknown)}, which replies are not checked for; known keywords: {known}"
        )
    if wrong := [name for name in _type_names(schema) if name not in _TYPES]:
        raise ConfigError(f"{place} has the type {', '.join(wrong)}; known types: {', '.join(_TYPES)}")
    if schema.get("additionalProperties", True) not in (True, False):
        raise ConfigError(f"additionalProperties of {place} must be true or false")
    for name, inner in schema.get("properties", {}).items():
        check_schema(inner, f"{place}.{name}")
    if "items" in schema:
        check_schema(schema["items"], f"{place}[]")
