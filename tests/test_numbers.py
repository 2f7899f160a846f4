"""Numbers that people set: what is none, below 0 or out of range is refused with one plain line, however it is set."""

import argparse
import contextlib
import inspect
from dataclasses import fields
from math import inf, nan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synth
from synth.cli.main import build_parser, main
from synth.core.errors import ConfigError
from synth.core.plugins import discover
from synth.generation.difficulty import DifficultyBands
from synth.generation.filters.base import Filter, SetFilter
from synth.workflows.assembly import _filters, set_filters
from synth.workflows.parameter_names import _SETTINGS
from synth.workflows.settings import Settings, read_settings

NO_NUMBERS = st.sampled_from([nan, inf, -inf, 1e400, 10**400, True, "5", b"5", [1], {}])
BELOW = st.one_of(st.integers(max_value=-1), st.floats(max_value=-1e-9, allow_nan=False))
SECTIONS = {"ModelSettings": "model", "CorpusSettings": "corpus", "ChunkSettings": "chunks", "DifficultyBands": "bands"}
NUMBERS = [
    (kind, declared.name, str(declared.type))
    for kind in (*_SETTINGS, DifficultyBands)
    for declared in fields(kind)
    if str(declared.type).partition(" | ")[0] in ("int", "float")
]
THRESHOLDS = [
    (name, parameter.name, parameter.default)
    for base in (Filter, SetFilter)
    for name, part in discover("synth.generation.filters", base).items()
    for parameter in inspect.signature(part).parameters.values()
    if isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool)
]


def refused(name, call):
    with pytest.raises(ConfigError) as error:
        call()
    said = str(error.value)
    assert name.replace("_", "") in said.replace("_", "").replace(" ", "").replace("-", "")
    assert "\n" not in said
    return said


@pytest.mark.parametrize(("kind", "name", "type_"), NUMBERS, ids=lambda value: getattr(value, "__name__", value))
@given(value=NO_NUMBERS | BELOW)
def test_a_field_takes_no_wrong_number(kind, name, type_, value):
    refused(name, lambda: kind(**{name: value}))


def of_type(type_):
    return [
        pytest.param(kind, declared.name, id=f"{kind.__name__}-{declared.name}")
        for kind in (*_SETTINGS, DifficultyBands)
        for declared in fields(kind)
        if str(declared.type) == type_
    ]


@pytest.mark.parametrize(("kind", "name"), of_type("tuple[int, ...]"))
@given(value=NO_NUMBERS | BELOW)
def test_a_list_of_whole_numbers_has_nothing_else(kind, name, value):
    refused(name, lambda: kind(**{name: (value,)}))
    if value != [1]:
        refused(name, lambda: kind(**{name: value}))


@pytest.mark.parametrize(("kind", "name"), of_type("Mapping[str, float]"))
@given(value=NO_NUMBERS)
def test_a_table_of_numbers_has_nothing_else(kind, name, value):
    refused(name, lambda: kind(**{name: {"simple": value}}))
    if value != {}:
        refused(name, lambda: kind(**{name: value}))


@pytest.mark.parametrize(("filter_", "name", "default"), THRESHOLDS)
@given(value=NO_NUMBERS | BELOW | st.just(1.5))
def test_a_threshold_of_a_filter_is_a_number_in_its_range(filter_, name, default, value):
    if value == 1.5 and isinstance(default, float) and default > 1:
        return

    def made():
        settings = Settings(filters={filter_: {name: value}})
        return _filters(settings, with_model=True), set_filters(settings)

    refused(f"{filter_}.{name}" if filter_ != "judged" else name, made)


@pytest.mark.parametrize(("kind", "name", "type_"), NUMBERS, ids=lambda value: getattr(value, "__name__", value))
def test_a_file_of_settings_is_refused_alike(kind, name, type_, tmp_path):
    section = SECTIONS.get(kind.__name__, "" if kind is Settings else None)
    if section is None:
        return
    file = tmp_path / "synth.toml"
    for value in ("nan", "inf", "-0.5", "-1"):
        file.write_text(f"[{section}]\n" * bool(section) + f"{name} = {value}\n", encoding="utf-8")
        said = refused(name, lambda: read_settings(file))
        assert said.startswith(f"{file}: ")
        assert said.count(f"{section}.") <= 1 or not section


def numeric_options(parser, path=()):
    """The options of all commands that take a number, each with its command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield from numeric_options(inner, (*path, name))
        elif action.type is not None:
            with contextlib.suppress(Exception):
                if isinstance(action.type("3"), int | float):
                    yield path, action


OPTIONS = list(numeric_options(build_parser()))
OF_SETTINGS = {name for kind, name, _ in NUMBERS} | {"share", "choice_seed", "per_item", "count", "min_score", "votes"}
"""Options whose number a settings record checks."""


@pytest.mark.parametrize(
    ("command", "action"),
    OPTIONS,
    ids=lambda value: getattr(value, "dest", " ".join(value) if isinstance(value, tuple) else value),
)
def test_an_option_refuses_a_wrong_number_itself_or_by_its_settings(command, action):
    for text in ("nan", "inf", "-1", "1e999", "x"):
        try:
            value = action.type(text)
        except (ValueError, argparse.ArgumentTypeError):
            continue
        assert action.dest.rpartition(".")[2] in OF_SETTINGS or action.dest == "control", (text, value)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("generate docs -o s.jsonl -n -1", "synth: n must be at least 1, was -1"),
        ("generate docs -o s.jsonl --max-cost nan --llm openai/m", "synth: model.max_cost must be a number, was nan"),
        (
            "generate docs -o s.jsonl --types simple=nan",
            "synth: types must be a table of numbers by name, was {'simple': nan}",
        ),
        (
            "rejudge s.jsonl --corpus docs -o t.jsonl --threshold copied.max_words=-6",
            "synth: filters.copied.max_words must be at least 0, was -6",
        ),
        (
            "rejudge s.jsonl --corpus docs -o t.jsonl --threshold answerable.min_fit=nan",
            "synth: filters.answerable.min_fit must be a number, was nan",
        ),
        (
            "judge-check l.jsonl --limit -3",
            "synth judge-check: --limit: must be a whole number of at least 0, was '-3'",
        ),
        ("view s.jsonl --port 99999", "synth view: --port: must be a whole number from 0 to 65535, was '99999'"),
        ("adopt s.jsonl --corpus docs -o t.jsonl --min-score nan", "synth: min_score must be a number, was nan"),
    ],
)
def test_the_command_line_says_it_in_one_line(line, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/a.md").write_text("# Pumps\n\nThe pump weighs 5 kg.\n", encoding="utf-8")
    try:
        code = main(line.split())
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("verb", [name for name in synth.__dir__() if inspect.isfunction(getattr(synth, name))])
@given(value=st.sampled_from([nan, inf, 0.5, "5", True]))
def test_a_number_of_a_verb_is_a_whole_one(verb, value):
    parameters = inspect.signature(getattr(synth, verb)).parameters
    of_settings = {"settings": synth.Settings(), "judging": synth.Judging()}
    given_ = {name: of_settings.get(name, "x") for name, one in parameters.items() if one.default is one.empty}
    for name, one in parameters.items():
        if str(one.annotation).startswith("int"):
            refused(name, lambda name=name: getattr(synth, verb)(**{**given_, name: value}))
