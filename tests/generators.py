"""Generators of texts, values and replies that nobody would write, and the number of examples of all properties.

    SYNTH_REPETITIONS=100 scripts/test.sh tests/test_mangled.py

With it every generator of hostile documents, replies, numbers and faults tries so many times more than in the suite, and
other examples in each run.
"""

import json
import os
from contextlib import contextmanager

import pytest
from hypothesis import settings

from synth.core import containment
from synth.grammar.reading import Unparsable

REPETITIONS = int(os.environ.get("SYNTH_REPETITIONS", "1"))

TEXTS = (
    "", " ", "\n\n", "a" * 20_000, "____", "[1]", "[0]", "'); --", "$x ${y} %s {z}", "```json", "</think>", "\u202eowned",
    "\u2028", "\ufeff", "²", "٣", "½", "①", "１８２０", "9" * 5_000, "1e400", "-0", "nan", "1/0", "31.02.2020", "2020年13月40日",
    "99:99", "-5 %", "$1,2,3.4.5", "[", "(", "，。", "灯塔", "The lamp was lit in 1820.", "Who?", "</text-00000000>",
)  # fmt: skip
VALUES = (
    None, True, -1, 0, 10**30, 1e308, float("inf"), float("nan"), "", " ", "\x1b[31m", "\ud800", "a" * 20_000, "[1]", "____",
    "'); --", [], {}, [[]], {"item": 1}, [None], "```json", "</think>",
)  # fmt: skip


def examples(count):
    """Settings of a property for `count` examples, or as many times more as are asked for."""
    return settings(max_examples=count * REPETITIONS)


@contextmanager
def nothing_contained():
    """Let no part of synth fail on one item in silence: what `contained` catches inside is raised at the end.

    Sentences that are too long to be parsed are left out and named by design, so they do not count.
    """
    errors, one_line = [], containment._one_line
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(containment, "_one_line", lambda error: errors.append(error) or one_line(error))
        yield
    for error in errors:
        if not isinstance(error, Unparsable):
            raise error


def mangled_json(text, draw):
    """JSON with values exchanged, doubled, taken out or put in another place, or with its text cut.

    `draw` is a `random.Random`.
    """
    value, places = json.loads(text), []

    def walk(node):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], dict | list):
                walk(node[key])

    walk(value)
    for _ in range(draw.randrange(3)):
        node, key = draw.choice(places)
        other, name = draw.choice(places)
        if isinstance(node, list) and draw.random() < 0.3:
            node.append(draw.choice(VALUES))
        else:
            node[key] = draw.choice((draw.choice(VALUES), json.loads(json.dumps(other[name]))))
    text = json.dumps(value, ensure_ascii=draw.random() < 0.9).encode("utf-8", "replace").decode()
    return text if draw.random() < 0.9 else text[: draw.randrange(len(text) + 1)]


def valid_reply(schema, draw, texts=TEXTS):
    """A value that is valid by the JSON Schema of a prompt, with texts, numbers and lengths as odd as it allows."""
    if "enum" in schema:
        return draw.choice(schema["enum"])
    kinds = schema["type"]
    kind = draw.choice(kinds) if isinstance(kinds, list) else kinds
    if kind == "object":
        required = schema.get("required", ())
        properties = schema.get("properties", {})
        return {
            name: valid_reply(inner, draw, texts)
            for name, inner in properties.items()
            if name in required or draw.random() < 0.5
        }
    if kind == "array":
        least = schema.get("minItems", 0)
        count = draw.randint(least, min(schema.get("maxItems", least + 4), least + 4))
        return [valid_reply(schema["items"], draw, texts) for _ in range(count)]
    if kind == "string":
        text = draw.choice(texts)
        text += "x" * (schema.get("minLength", 0) - len(text))
        return text[: schema.get("maxLength")]
    if kind in ("integer", "number"):
        least, most = schema.get("minimum", -(10**30)), schema.get("maximum", 10**30)
        odd = [n for n in (least, most, 0, 1, 2, 3, -1, 10**18) if least <= n <= most]
        return draw.choice([*odd, *([0.5] if kind == "number" and least <= 0.5 <= most else [])])
    return draw.random() < 0.5 if kind == "boolean" else None
