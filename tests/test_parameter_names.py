"""Messages of the Python API name its parameters, and no option of the command line."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import synth
from synth.core.errors import ConfigError, ModelError
from synth.generation.admission import RunResult
from synth.workflows import api
from synth.workflows.parameter_names import in_python, parameter
from tests.test_docstrings import docstrings

PACKAGE = Path(synth.__file__).parent
VERBS = [verb for name in synth.__dir__() if inspect.isfunction(verb := getattr(synth, name))]
ARGUMENTS = ("readers/converted.py", "grammar/reference_forms.py", "workflows/viewing.py")
"""Modules whose options are arguments of other programs, or examples of text."""


def options_in(text):
    """The command-line options in a text, without dashes."""
    return [option for option in re.findall(r"`[^`]*`|(?<![\w`-])(?:--|-(?=[on]\b))([a-z][a-z-]*)", text) if option]


def texts(path):
    """The texts of a module without its docstrings, each with the name of the function around it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = {id(node.value) for node, *_ in docstrings(tree)}
    inside = {
        id(part): function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for part in ast.walk(function)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value, inside.get(id(node), "")


MODULES = [
    path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.relative_to(PACKAGE).parts[0] != "cli" and not path.as_posix().endswith(ARGUMENTS)
]


def test_every_option_in_a_message_has_a_parameter():
    unknown = [
        (path.name, option)
        for path in MODULES
        for text, _ in texts(path)
        if " " in text
        for option in options_in(text)
        if not option.endswith("-") and all(parameter(option, verb) == "" for verb in VERBS)
    ]
    assert unknown == []


def test_settings_say_what_is_wrong_without_an_option():
    for path in MODULES:
        assert not [text for text, function in texts(path) if function == "__post_init__" and options_in(text)], path


def test_what_a_result_holds_names_no_option():
    for path in (*PACKAGE.rglob("messages.toml"), *PACKAGE.rglob("words/*.json")):
        assert options_in(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize(
    ("verb", "text", "said"),
    [
        ("evaluate", "name it with --metrics or -o", "name it with `metrics` of EvaluationSettings or `output`"),
        ("compare", "see --metrics", "see `metrics`"),
        ("update", "add --retire-most", "add `retire_most=True`"),
        (
            "generate",
            "name one with --llm, --resume goes on",
            "name one with `llm` of Settings, `resume=True` of ModelSettings goes on",
        ),
        ("generate", "could exceed --max-cost 5", "could exceed `max_cost` of ModelSettings 5"),
        ("export", "`synth doctor --repair` keeps it; a-b --to-c", "`synth doctor --repair` keeps it; a-b --to-c"),
        ("generate", "a table - of well-known --x", "a table - of well-known --x"),
    ],
)
def test_a_message_names_the_parameter_of_its_verb(verb, text, said):
    assert in_python(text, getattr(synth, verb)) == said


def test_why_a_run_stopped_and_why_it_failed_name_parameters():
    def stopped():
        return synth.Generated(RunResult((), (), {}, {}, stopped="spent: --max-calls 3"), (), {}, "out", "rejected")

    def failed():
        raise ModelError("no reply; check --base-url")

    result = api.with_paths(stopped)()
    assert result.outcome.stopped == "spent: `max_calls` of ModelSettings 3"
    assert result.notebook_table().note == "0 of 0 rows made: spent: `max_calls` of ModelSettings 3"
    with pytest.raises(ModelError, match="check `base_url` of ModelSettings"):
        api.with_paths(failed)()
    with pytest.raises(ConfigError, match="`llm` in Python"):
        synth.Settings(control=0.1)
