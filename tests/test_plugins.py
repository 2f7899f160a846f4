"""Parts are found by name, in their folder and behind entry points."""

from importlib.metadata import EntryPoint

import pytest

from synth.core import plugins
from synth.core.errors import ConfigError
from synth.generation.filters.base import Filter, SetFilter
from synth.generation.filters.grounded import Grounded
from synth.generation.writer import Writer
from synth.workflows.portions import WRITERS
from synth.workflows.settings import QUESTION_TYPES


def offered(monkeypatch, *points):
    monkeypatch.setattr(plugins, "entry_points", lambda group: [p for p in points if p.group == group])


def test_the_filters_of_the_folder_are_found_and_their_bases_are_not():
    found = plugins.discover("synth.generation.filters", Filter)
    assert {"grounded", "self_contained", "judged"} <= set(found)
    assert list(found) == sorted(found)
    assert found["grounded"] is Grounded
    assert list(plugins.discover("synth.generation.filters", SetFilter)) == ["duplicate"]


def test_the_grammar_writes_no_type_that_nobody_knows():
    assert {part.question_type for part in plugins.discover(WRITERS, Writer).values()} <= set(QUESTION_TYPES)


class Foreign(Filter):
    name = "foreign"

    def check(self, sample, corpus):
        return self.verdict(True, "")


class Twin(Foreign):
    name = "grounded"


def test_a_part_of_another_package_is_found(monkeypatch):
    offered(monkeypatch, EntryPoint("foreign", f"{__name__}:Foreign", "synth.filters"))
    assert plugins.discover("synth.generation.filters", Filter)["foreign"] is Foreign


def test_a_part_of_the_other_base_of_a_package_is_left_to_the_search_for_that_base(monkeypatch):
    offered(monkeypatch, EntryPoint("foreign", f"{__name__}:Foreign", "synth.filters"))
    assert list(plugins.discover("synth.generation.filters", SetFilter)) == ["duplicate"]


def test_two_parts_of_one_name_are_refused(monkeypatch):
    offered(monkeypatch, EntryPoint("grounded", f"{__name__}:Twin", "synth.filters"))
    with pytest.raises(ConfigError, match="named 'grounded'"):
        plugins.discover("synth.generation.filters", Filter)


class Nameless(Filter):
    def check(self, sample, corpus):
        return self.verdict(True, "")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (f"{__name__}:Nameless", "must be a concrete subclass of Filter with a name"),
        ("synth.generation.filters.base:Filter", "must be a concrete subclass"),
        ("no_such_module:Filter", "cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_an_entry_point_that_is_no_plugin_is_named(monkeypatch, value, says):
    offered(monkeypatch, EntryPoint("mine", value, "synth.filters"))
    with pytest.raises(ConfigError, match=f"entry point 'mine = {value}' of group synth.filters {says}"):
        plugins.discover("synth.generation.filters", Filter)


def test_an_entry_point_of_another_kind_is_refused(monkeypatch):
    offered(monkeypatch, EntryPoint("x", "builtins:dict", "synth.filters"))
    with pytest.raises(ConfigError, match="must be a subclass of Filter"):
        plugins.discover("synth.generation.filters", Filter)


def test_a_missing_name_lists_the_known_ones():
    with pytest.raises(ConfigError, match="unknown filter 'c'; known: a, b"):
        plugins.pick({"a": 1, "b": 2}, "c", "filter")
