"""Sources and paths of the Python API: a text or a path is one of them, and what fits nothing is an error in words."""

import inspect
import os
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import synth
from synth.core.errors import ConfigError, InputError
from synth.core.notebook_table import Tabular
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.loading import load, sources_of
from synth.workflows.api import with_paths
from synth.workflows.session import load_sources
from synth.workflows.settings import Settings
from tests.corpus import document

TEXT = "# Oak line\n\n## When did Oak station open?\n\nOak station opened in 1909.\n\n## Notes\n\nThe Oak school was founded in 1920.\n"


@dataclass
class LangChain:
    page_content: str


@pytest.mark.parametrize("one", ["../docs", Path("docs"), "s3://bucket/docs", LangChain("text"), document("a", "b")])
def test_one_source_is_a_collection_of_one(one):
    assert sources_of(one) == (one,)
    for collection in ([one], (one,), iter([one]), {0: one}.values()):
        assert sources_of(collection) == (one,)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (5, "the sources must be a folder, a file, an address, a Document or a LangChain Document, or a list"),
        (None, "the sources must be"),
        (b"docs", "the sources must be"),
        ({"docs": 1}, "the sources must be"),
        ("", "the sources must be"),
        (["docs", 5], "source 2 of 2 must be"),
        (["docs", ""], "source 2 of 2 must be"),
        ([["docs"]], "source 1 of 1 must be"),
    ],
)
def test_what_is_no_source_is_refused_before_anything_is_read(given, message, monkeypatch):
    monkeypatch.setattr(os, "scandir", None)
    for door in (sources_of, load, lambda value: load_sources(value, Settings(), None)):
        with pytest.raises(InputError, match=message):
            door(given)


VERBS = [name for name in synth.__dir__() if inspect.isfunction(getattr(synth, name))]
WITH_SOURCES = [name for name in VERBS if "sources" in inspect.signature(getattr(synth, name)).parameters]


def test_the_verbs_with_sources_are_known():
    assert set(WITH_SOURCES) == {
        "accept", "adopt", "brief", "build_graph", "check_filters", "estimate", "export", "generate", "plan", "read_shard",
        "rejudge", "run", "score", "sweep", "update", "verify",
    }  # fmt: skip


VALUES = {"Settings": Settings(), "Shard": synth.Shard(1, 1), "str": "x"}
"""A value for each required parameter that is no path, by its annotation."""


@pytest.mark.parametrize("name", WITH_SOURCES)
def test_every_verb_takes_one_source_and_refuses_what_is_none(name, tmp_path, monkeypatch):
    """Each verb is replaced by one that gives its arguments back; the door before it is its own."""
    verb = getattr(synth, name)
    inner = verb.__wrapped__
    parameters = inspect.signature(inner).parameters
    needed = {one: what.annotation for one, what in parameters.items() if what.default is what.empty}
    given = {one: VALUES.get(annotation, tmp_path / "x") for one, annotation in needed.items()}

    def seen(*args, **kwargs):
        return inspect.signature(inner).bind(*args, **kwargs).arguments

    seen.__signature__ = inspect.signature(inner)
    called = with_paths(seen)
    assert called(**{**given, "sources": "docs"})["sources"] == ("docs",)
    assert called(**{**given, "sources": Path("docs")})["sources"] == (Path("docs"),)
    with pytest.raises(InputError, match="the sources must be"):
        verb(**{**given, "sources": 5})


PATHS = [
    (name, parameter.name)
    for name in VERBS
    for parameter in inspect.signature(getattr(synth, name)).parameters.values()
    if parameter.annotation.startswith("str | Path")
    and not {"Sequence", "Iterable"} & {*re.split(r"\W", parameter.annotation)}
]


@pytest.mark.parametrize(("name", "parameter"), PATHS)
def test_every_path_may_be_a_text_and_nothing_else(name, parameter):
    verb = getattr(synth, name)
    given = {one.name: "x" for one in inspect.signature(verb).parameters.values() if one.default is one.empty}
    for value in (5, b"x", "", ["x"]):
        with pytest.raises(ConfigError, match=f"^{parameter} must be a path(, was| or a Dataset, was)"):
            verb(**{**given, parameter: value})


@pytest.mark.parametrize("name", VERBS)
def test_a_missing_or_unknown_argument_is_named_with_what_is_taken(name):
    verb = getattr(synth, name)
    parameters = inspect.signature(verb).parameters
    needed = [one for one in parameters.values() if one.default is one.empty]
    for one in needed:
        given = {other.name: "x" for other in needed if other is not one}
        with pytest.raises(ConfigError, match=rf"^{name}: .*'{one.name}'; it takes .*{one.name}: ") as error:
            verb(**given)
        assert one.annotation in str(error.value)
    with pytest.raises(ConfigError, match=f"^{name}: "):
        verb(**{one.name: "x" for one in needed}, no_such=1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: synth.import_sheets("t.jsonl", [{"id": 1}]), "each of files must be a path, was {'id': 1}"),
        (lambda: synth.compare(["a", 5]), "each of runs must be a path, was 5"),
        (lambda: synth.compare(["a"], metrics=[5]), "each of metrics must be a text, was 5"),
        (lambda: synth.export_sheets("t.jsonl", "t.csv", "me"), "chosen must be of type ReviewSettings, was 'me'"),
        (lambda: synth.generate("docs", settings={"n": 3}), "settings must be of type Settings, was {'n': 3}"),
        (lambda: synth.import_sheets("t.jsonl", "t.csv", annotator=5), "annotator must be a text, was 5"),
    ],
)
def test_a_value_of_a_wrong_type_is_named_with_what_is_taken(call, message):
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
        call()


ACCEPTED = {
    "testset": "str | Path | Dataset",
    "human": "str | Path | Dataset",
    "labels": "str | Path | Dataset",
    "other": "str | Path | Dataset",
    "sources": "str | Path | Sequence[Any]",
    "runs": "str | Path",
    "output": "str | Path",
    "store": "str | Path",
    "progress": "Progress | bool",
}


@pytest.mark.parametrize("name", VERBS)
def test_types_and_docstrings_say_what_is_taken(name):
    verb = getattr(synth, name)
    for one in inspect.signature(verb).parameters.values():
        if one.name in ACCEPTED:
            assert one.annotation.startswith(ACCEPTED[one.name]), one
        if one.name in ("testset", "sources", "output", "progress"):
            assert f"`{one.name}`" in verb.__doc__


@pytest.mark.parametrize("name", VERBS)
def test_every_result_is_a_table_and_has_a_name_in_the_package(name):
    result = str(inspect.signature(getattr(synth, name)).return_annotation)
    if result not in ("None", "str", "Mapping[str, type[Exporter]]"):
        assert issubclass(getattr(synth, result), Tabular)


def test_a_set_is_made_of_one_folder_named_as_a_text(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamps.md").write_text(TEXT, encoding="utf-8")
    (tmp_path / "outside.md").write_text("# Elm line\n\nElm station opened in 1911.\n", encoding="utf-8")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    settings = replace(Settings(n=1), workspace=str(tmp_path / "ws"))
    made = synth.generate("../docs", "set.jsonl", settings)
    assert list(made.manifest["corpus"]["documents"]) == ["lamps.md"]
    assert synth.verify("set.jsonl", "../docs", settings).failures == ()
    assert synth.update("set.jsonl", Path("../docs"), "new.jsonl", settings).unchanged
    assert synth.score("set.jsonl", "../docs", settings).of is not None


@pytest.mark.parametrize("name", ["include", "exclude"])
def test_a_pattern_alone_is_no_list_of_letters(name):
    with pytest.raises(ConfigError, match=f"{name} must be a list"):
        CorpusSettings(**{name: "*.md"})


@pytest.mark.parametrize("name", ["transforms", "by_model"])
def test_a_name_alone_is_no_list_of_letters(name):
    with pytest.raises(ConfigError, match=f"{name} must be a list"):
        Settings(**{name: "topics"})
