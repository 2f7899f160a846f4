"""Sets at Langfuse, LangSmith and Phoenix: sent by their clients, again without a second copy, refused in a line.

LangSmith's own client speaks to a stand-in of the service on loopback. Those of the others are not in the test
environment, so here they are recorded; `scripts/check_exports.py` sends by them.
"""

import sys
from types import ModuleType, SimpleNamespace

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError
from synth.testset.dataset import Dataset
from synth.testset.exporters.base import ExportInput
from synth.workflows.exporting import formats
from tests.exporters.sets import set_folder
from tests.services import Services


@pytest.fixture
def services(tmp_path, monkeypatch):
    """The services, with their variables in the environment, in the folder of a set of three rows."""
    set_folder(tmp_path, monkeypatch)
    server = Services()
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    yield server
    server.close()


def push(to, *options):
    return main(["export", "set.jsonl", "--to", to, "--push", "ferry", "--quiet", *options])


def test_langsmith_has_the_rows_once(services, capsys):
    for _ in range(2):
        assert push("langsmith") == 0
        assert "3 rows for LangSmith in dataset ferry (" in capsys.readouterr().out
    rows = Dataset.load("set.jsonl")
    assert [row["inputs"] for row in services.items["ferry"].values()] == [{"question": row.question} for row in rows]
    assert [row["metadata"]["id"] for row in services.items["ferry"].values()] == [row.id for row in rows]


def test_what_a_service_refuses_is_one_line_without_the_key(services, capsys, monkeypatch):
    services.refuses = True
    monkeypatch.setenv("LANGSMITH_API_KEY", "sk-of-a-test")
    assert push("langsmith") == 2
    err = capsys.readouterr().err
    assert err.startswith("synth: LangSmith refused the set: ")
    assert len(err.splitlines()) == 1
    assert "sk-of-a-test" not in err


class Recorded:
    """A client that records its calls."""

    def __init__(self, **_):
        self.datasets = self

    def create_dataset(self, *, name, **columns):
        Recorded.calls.append((name, columns))
        return SimpleNamespace(name=name, id="d-1")

    def create_dataset_item(self, **item):
        Recorded.calls.append(item)


@pytest.fixture
def recorded(services, monkeypatch):
    Recorded.calls = []
    for name, attribute in (("langfuse", "Langfuse"), ("phoenix", ""), ("phoenix.client", "Client")):
        module = ModuleType(name)
        setattr(module, attribute or "path", Recorded)
        monkeypatch.setitem(sys.modules, name, module)
    return Recorded


def test_langfuse_gets_an_item_for_each_row(recorded, capsys):
    assert push("langfuse") == 0
    assert "in dataset ferry (d-1) of Langfuse" in capsys.readouterr().out
    _, *items = recorded.calls
    assert [item["id"] for item in items] == [f"ferry-{row.id}" for row in Dataset.load("set.jsonl")]
    assert {item["dataset_name"] for item in items} == {"ferry"}


def test_phoenix_gets_three_lists(recorded, capsys):
    assert push("phoenix") == 0
    ((name, columns),) = recorded.calls
    assert name == "ferry"
    assert {key: len(values) for key, values in columns.items()} == {"inputs": 3, "outputs": 3, "metadata": 3}


@pytest.mark.parametrize(("to", "variable"), [("langfuse", "LANGFUSE_SECRET_KEY"), ("langsmith", "LANGSMITH_API_KEY")])
def test_a_key_that_is_missing_is_named(services, capsys, monkeypatch, to, variable):
    monkeypatch.delenv(variable)
    assert push(to) == 2
    assert f"needs {variable} in the environment" in capsys.readouterr().err
    assert services.paths == []


def test_a_format_that_goes_nowhere_says_so(services, capsys):
    for name, kind in formats().items():
        if not kind.push_to and kind.corpus != "needed":
            assert push(name) == 2
            assert f"the format {name} cannot be uploaded to a service" in capsys.readouterr().err


def test_a_call_that_uploads_a_format_without_a_service_is_a_config_error():
    kinds = [kind for kind in formats().values() if not kind.push_to]
    assert kinds
    for kind in kinds:
        with pytest.raises(ConfigError, match=rf"{kind.name} cannot be uploaded .* to 'ferry'; omit --push"):
            kind().push(ExportInput("ferry", ()), "ferry")
