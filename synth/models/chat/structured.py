"""Structured replies: parsing of the JSON value in a model's text, and checks against its schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from synth.core.errors import ConfigError
from synth.models.chat.escapes import with_latex

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

_THOUGHT = re.compile(r"\A\s*<(think|thinking|reasoning)>.*?(</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_OPENINGS = {"object": re.compile(r"\{"), "array": re.compile(r"\[")}
_MOST_FALSE_STARTS = 500
"""Number of brackets without a JSON value after which the search ends. Each may need a scan of all text after it."""

_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters and halves of surrogate pairs."""

_LAST_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(\s*[}\]])', re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,15})?")
_ANY_OPENING = re.compile(r"[\[{]")
_KEYWORDS = frozenset(
    "type properties required additionalProperties items enum title description "
    "minItems maxItems minLength maxLength minimum maximum".split()
)


class BadReply(Exception):
    """Error for a reply that does not match its schema. The message is written for the model."""


def without_reasoning(text: str) -> str:
    """Return `text` without the reasoning that some models write first, even if a tag of it is missing."""
    rest = _THOUGHT.sub("", text, count=1)
    if rest == text and not text.lstrip().startswith(("{", "[")):
        ends = list(_THOUGHT_END.finditer(text))
        rest = text[ends[0].end() :] if ends else text
    return rest.strip()


def is_text(value: str) -> bool:
    """Return whether a text contains no control characters, except white space, and no halves of surrogate pairs."""
    return _NO_TEXT.search(value) is None


def parse_reply(text: str, schema: Mapping[str, Any]) -> Any:
    """Return the last JSON value in `text` that matches `schema`. Prose, code fences and drafts around it are ignored.

    Single backslashes of LaTeX and commas after the last item are accepted. So are numbers and truth values in quotes,
    and a single item instead of a list.

    Raises BadReply with the problems to fix, and ConfigError when `check_schema` refuses the schema.
    """
    problem = "The reply contains no complete JSON " + ("array." if schema.get("type") == "array" else "object.")
    opening = _OPENINGS.get(str(schema.get("type")), _ANY_OPENING)
    for value in _values(without_reasoning(text), opening):
        problems = violations(value, schema)
        if not problems:
            return value
        meant = _as_meant(value, schema)
        if meant != value and not violations(meant, schema):
            return meant
        problem = "; ".join(problems[:5]) + "."
    raise BadReply(problem)


def repair_message(problem: str) -> str:
    """Return the message to a model whose reply was not valid. `problem` is the message of the BadReply."""
    return (
        f"Your reply cannot be used: {problem} Write the whole reply again as one JSON value that follows the "
        "schema, with nothing before or after it."
    )


def schema_instruction(schema: Mapping[str, Any]) -> str:
    """Return the instruction to a model whose server does not enforce the schema."""
    return "Reply with one JSON value that follows this JSON Schema, and with nothing else:\n" + json.dumps(
        schema, ensure_ascii=False
    )


def _values(text: str, opening: re.Pattern[str]) -> Iterator[Any]:
    """Yield the outermost JSON values in `text` that start with `opening`, the last value first."""
    if first := opening.search(text):
        # Quotes in the prose before the value do not begin a string.
        text = _without_last_commas(with_latex(text[first.start() :]))
    decoder = json.JSONDecoder(strict=False, parse_constant=_refuse_constant)
    values, place, false_starts = [], 0, 0
    while false_starts < _MOST_FALSE_STARTS and (match := opening.search(text, place)):
        try:
            value, place = decoder.raw_decode(text, match.start())
            values.append(value)
        except (ValueError, RecursionError):
            place = match.end()
            false_starts += 1
    yield from reversed(values)


def _without_last_commas(text: str) -> str:
    return _LAST_COMMA.sub(lambda match: match[1] or match[2], text) if "," in text else text


def _as_meant(value: Any, schema: Mapping[str, Any]) -> Any:
    """Return `value` with the types that `schema` asks for.

    A value of another type is converted if its meaning is clear, such as "3" to 3. Otherwise it is kept.
    """
    kind = schema.get("type")
    if kind == "object" and isinstance(value, Mapping):
        fields = schema.get("properties", {})
        return {name: _as_meant(inner, fields.get(name, {})) for name, inner in value.items()}
    if kind == "array" and "items" in schema and value is not None:
        items = value if isinstance(value, list) else [value]
        return [_as_meant(item, schema["items"]) for item in items]
    if isinstance(value, str):
        text = value.strip()
        if kind in ("number", "integer") and _NUMBER.fullmatch(text):
            return json.loads(text)
        if kind == "boolean" and text.lower() in ("true", "false"):
            return text.lower() == "true"
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def violations(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """Return a description of each violation of `schema` in `value`; empty if `value` is valid.

    Raises ConfigError as `check_schema` does.
    """
    from pydantic_core import SchemaValidator, ValidationError

    try:
        SchemaValidator(_core_schema(schema, "the schema")).validate_python(value, strict=True)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False, include_input=False)
        return [f"{_place(problem['loc'])}: {problem['msg']}" for problem in errors]
    return []


def check_schema(schema: Mapping[str, Any], place: str = "the schema") -> None:
    """Raise ConfigError if `schema` uses a keyword or a type that synth cannot check in replies."""
    _core_schema(schema, place)


def _core_schema(schema: Mapping[str, Any], place: str) -> CoreSchema:
    """Convert a JSON Schema to a schema of pydantic, which does the checks. `place` names it in messages."""
    from pydantic_core import core_schema as core

    if unknown := sorted(set(schema) - _KEYWORDS):
        known = ", ".join(sorted(_KEYWORDS))
        raise ConfigError(
            f"{place} uses {', '.join(unknown)}, which synth cannot check in replies; known keywords: {known}"
        )
    if schema.get("additionalProperties", True) not in (True, False):
        raise ConfigError(f"additionalProperties of {place} must be true or false")
    required = schema.get("required", ())
    properties = {name: _core_schema(inner, f"{place}.{name}") for name, inner in schema.get("properties", {}).items()}
    fields = dict.fromkeys(required, core.any_schema()) | properties
    number = partial(core.float_schema, ge=schema.get("minimum"), le=schema.get("maximum"), allow_inf_nan=False)
    types: Mapping[str, CoreSchema] = {
        "object": core.typed_dict_schema(
            {name: core.typed_dict_field(inner, required=name in required) for name, inner in fields.items()},
            extra_behavior="allow" if schema.get("additionalProperties", True) else "forbid",
        ),
        "array": core.list_schema(
            _core_schema(schema["items"], f"{place}[]") if "items" in schema else None,
            min_length=schema.get("minItems"),
            max_length=schema.get("maxItems"),
        ),
        "string": core.no_info_before_validator_function(
            _checked_text, core.str_schema(min_length=schema.get("minLength"), max_length=schema.get("maxLength"))
        ),
        "number": number(),
        "integer": number(multiple_of=1),
        "boolean": core.bool_schema(),
        "null": core.none_schema(),
    }
    declared = schema.get("type", ())
    names = (declared,) if isinstance(declared, str) else tuple(declared)
    if wrong := [name for name in names if name not in types]:
        raise ConfigError(f"{place} has the unknown type {', '.join(wrong)}; known types: {', '.join(types)}")
    if "enum" in schema:
        return core.literal_schema(schema["enum"])
    if not names:
        raise ConfigError(f"{place} has no type; known types: {', '.join(types)}")
    return types[names[0]] if len(names) == 1 else core.union_schema([(types[name], name) for name in names])


def _checked_text(value: Any) -> Any:
    from pydantic_core import PydanticCustomError

    if isinstance(value, str) and not is_text(value):
        raise PydanticCustomError("text", "String must not hold a control character or half of a surrogate pair")
    return value


def _place(path: Sequence[str | int]) -> str:
    """Return the path of a value in a reply as text, such as `answers[1].text`."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".") or "The reply"
