"""The regular expressions of the package that could take time exponential in the length of a text, or match wrongly.

    python -m tests.backtracking

imports every module, fills the tables of the language packs, and prints where each such expression is compiled, and the
expression. It must be a process of its own, since an expression is only seen while it is compiled.
"""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import synth

PACKAGE = str(Path(synth.__file__).parent)
_REPEATS = (re._constants.MAX_REPEAT, re._constants.MIN_REPEAT)
_SINGLE = (re._constants.LITERAL, re._constants.NOT_LITERAL, re._constants.IN, re._constants.ANY)


def repeats(items: Any, operators: Any = _REPEATS) -> Iterator[tuple[int, int, Any]]:
    """Every repetition of a parsed expression: its least and largest number, and what is repeated."""
    for operator, argument in items:
        if operator in operators:
            yield argument
        for part in argument if isinstance(argument, tuple | list) else (argument,):
            branches = part if isinstance(part, list) else [part]
            for branch in branches:
                if isinstance(branch, re._parser.SubPattern):
                    yield from repeats(branch, operators)


def is_ambiguous(body: Any) -> bool:
    """True if one text may be several repetitions of `body` in several ways: `a+` or `a+ ?`, but not ` a+`."""
    items = list(body)
    while len(items) == 1 and items[0][0] is re._constants.SUBPATTERN:
        items = list(items[0][1][3])
    if len(items) == 1 and items[0][0] is re._constants.BRANCH:
        return any(map(is_ambiguous, items[0][1][1]))
    least = [re._parser.SubPattern(body.state, [item]).getwidth()[0] for item in items]
    return any(
        operator in _REPEATS and argument[1] > max(1, argument[0]) and sum(least) == least[place]
        for place, (operator, argument) in enumerate(items)
    )


def exponential(pattern: str, flags: int = 0) -> bool:
    """True if an expression repeats something ambiguous."""
    tree = re._parser.parse(pattern, flags)
    return any(most > 1 and is_ambiguous(body) for _, most, body in repeats(tree))


def repeats_a_group_possessively(pattern: str, flags: int = 0) -> bool:
    """True for `(?:ab)*+`, which Python before 3.11.5 matches wrongly (gh-106052), and not for `a*+` or `(?>(?:ab)*)`."""
    tree = re._parser.parse(pattern, flags)
    found = repeats(tree, (re._constants.POSSESSIVE_REPEAT,))
    return any(len(body) != 1 or body[0][0] not in _SINGLE for *_, body in found)


def _found() -> dict[tuple[str, int], str]:
    """The expressions that the package compiles, and the file that does it."""
    found: dict[tuple[str, int], str] = {}
    compile_ = re._compile

    def noted(pattern: Any, flags: Any) -> Any:
        file = sys._getframe(2).f_code.co_filename
        if file.startswith(PACKAGE) and isinstance(pattern, str):
            found[pattern, int(flags)] = file
        return compile_(pattern, flags)

    re._compile = noted
    for module in pkgutil.walk_packages(synth.__path__, "synth."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    tables = (
        importlib.import_module("synth.grammar.reference_forms").ReferenceForms.of,
        importlib.import_module("synth.grammar.headed_questions").HeadedForms.of,
    )
    for table in tables:
        for language in ("english", "chinese"):
            table(f"synth.grammar.{language}")
    return found


if __name__ == "__main__":
    expressions = _found()
    for (pattern, flags), file in expressions.items():
        if exponential(pattern, flags) or repeats_a_group_possessively(pattern, flags):
            print(f"{file}: {pattern}")
    print(len(expressions), "read", file=sys.stderr)
