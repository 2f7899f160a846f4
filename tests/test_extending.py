"""The templates in the README files of parts folders work in packages of their own, installed as the README says."""

import json
import re
import runpy
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.core import plugins
from synth.corpus.documents import loading
from synth.corpus.documents.file_content import FileContent
from synth.corpus.documents.readers.base import Reader
from synth.corpus.testing import check_reader, check_transform
from synth.corpus.transforms.base import Transform
from synth.corpus.transforms.entities import Entities
from synth.corpus.transforms.key_phrases import KeyPhrases
from synth.corpus.transforms.topics import Topics
from synth.testset.exporters.base import Exporter
from synth.testset.testing import check_exporter
from synth.workflows.exporting import formats

PACKAGE = Path(__file__).parents[1] / "synth"
FOLDERS = {
    "transforms": PACKAGE / "corpus" / "transforms",
    "exporters": PACKAGE / "testset" / "exporters",
    "readers": PACKAGE / "corpus" / "documents" / "readers",
}


def template(kind):
    """The module, its entry points and its test, from the README of a parts folder."""
    text = (FOLDERS[kind] / "README.md").read_text(encoding="utf-8")
    module, test = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    (project,) = re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return module, tomllib.loads(project)["project"]["entry-points"], test


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install the template of a kind as a package, and return its folder."""
    folder = tmp_path / "site"

    def forget():
        plugins.entry_points.cache_clear()
        loading.readers.cache_clear()

    def package(kind):
        module, entry_points, test = template(kind)
        ((group, points),) = entry_points.items()
        assert group == f"synth.{kind}"
        ((name, target),) = points.items()
        metadata = folder / "synth_plugin-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: synth-plugin\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {target}\n")
        (folder / f"{target.partition(':')[0]}.py").write_text(module, encoding="utf-8")
        (folder / f"test_{name}.py").write_text(test, encoding="utf-8")
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
        monkeypatch.chdir(tmp_path)
        forget()
        return folder

    yield package
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_test_of_a_template_passes(kind, install):
    (test,) = install(kind).glob("test_*.py")
    names = runpy.run_path(str(test))
    (run,) = (function for name, function in names.items() if name.startswith("test_"))
    run()


def test_a_transform_of_another_package_is_in_the_graph(tmp_path, install):
    install("transforms")
    (tmp_path / "a.md").write_text("# Pump\n\nIt is of 1931.\n", encoding="utf-8")
    assert main(["graph", "export", "a.md", "--transforms", "years", "-o", "graph.json"]) == 0
    nodes = json.loads((tmp_path / "graph.json").read_text(encoding="utf-8"))["nodes"]
    assert [node["values"] for node in nodes if node["kind"] == "chunk"] == [{"years": ["1931"]}]


def test_an_exporter_of_another_package_writes_the_set(tmp_path, install):
    install("exporters")
    (tmp_path / "a.md").write_text(
        "# Who installed the Fogbrook pump?\n\nAda Finch installed it in 1931.\n", encoding="utf-8"
    )
    assert main(["generate", "a.md", "-n", "1", "-o", "set.jsonl", "--quiet"]) == 0
    assert main(["export", "set.jsonl", "--to", "flashcards", "-o", "cards.jsonl"]) == 0
    row = json.loads((tmp_path / "set.jsonl").read_text(encoding="utf-8"))
    card = json.loads((tmp_path / "cards.jsonl").read_text(encoding="utf-8"))
    assert (card["front"], card["back"]) == (row["question"], row["golden_answers"][0])


def test_a_reader_of_another_package_reads_its_files(tmp_path, install):
    install("readers")
    (tmp_path / "pump.wiki").write_text("= Pump =\nIt is old.\n", encoding="utf-8")
    (document,) = loading.load([tmp_path / "pump.wiki"]).documents
    assert document.text == "# Pump\n\nIt is old.\n"
    assert document.metadata["kind"] == "wiki"


@pytest.mark.parametrize(("kind", "folder"), FOLDERS.items())
def test_a_parts_folder_holds_its_base_and_parts_alone(kind, folder):
    base = {
        "transforms": ("Transform", "LazyTransform"),
        "exporters": ("Exporter", "RowExporter"),
        "readers": ("Reader",),
    }[kind]
    for path in folder.iterdir():
        if path.name in ("__init__.py", "__pycache__", "base.py", "README.md"):
            continue
        assert path.suffix == ".py", f"{path} is no part"
        parts = re.findall(r"^class \w+\((\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert set(parts) & set(base), f"{path} holds no {base[0]}"


@pytest.mark.parametrize("name", formats())
def test_every_exporter_passes_its_check(name):
    check_exporter(formats()[name]())


def test_a_transform_with_requirements_passes_its_check():
    graph = check_transform(Topics(), needs=[Entities(), KeyPhrases()])
    assert any(graph.value(chunk.chunk_id, "category") for chunk in graph.chunks())


@dataclass(frozen=True)
class Undeclared(Transform):
    name = "undeclared"
    assigns = ("chunk.one",)

    def merge(self, graph, artifacts):
        for chunk in graph.chunks():
            graph.assign(chunk.chunk_id, "two", 2)


class Raising(Undeclared):
    name = "raising"

    def run(self, reading, chunks):
        raise ValueError("no luck")


class Growing(Undeclared):
    name = "growing"
    assigns = ("chunk.two",)

    def merge(self, graph, artifacts):
        GROWTH.append(1)
        for chunk in graph.chunks():
            graph.assign(chunk.chunk_id, "two", len(GROWTH))


class Idle(Undeclared):
    name = "idle"

    def merge(self, graph, artifacts):
        pass


GROWTH = []


@pytest.mark.parametrize(
    ("transform", "message"),
    [
        (Undeclared(), "assigns chunk.two; add that to `assigns`"),
        (Raising(), "no luck"),
        (Growing(), "different graph when it runs again"),
        (Idle(), "assigns nothing"),
    ],
)
def test_the_check_of_transforms_finds(transform, message):
    with pytest.raises(AssertionError, match=message):
        check_transform(transform)


class Shifting(Exporter):
    name, tool, read_by = "shifting", "none", "none"
    contents = iter([b"1", b"2", b"3"])

    def files(self, material):
        yield "", next(self.contents)


class Escaping(Exporter):
    name, tool, read_by, folder = "escaping", "none", "none", True

    def files(self, material):
        yield "../a.txt", b""


class Textual(Exporter):
    name, tool, read_by = "textual", "none", "none"

    def files(self, material):
        yield "", "text"


class Several(Exporter):
    name, tool, read_by = "several", "none", "none"

    def files(self, material):
        yield "a", b""
        yield "b", b""


@pytest.mark.parametrize(
    ("exporter", "message"),
    [
        (Shifting(), "must return the same files"),
        (Escaping(), "must be inside the folder"),
        (Textual(), "must be bytes, was str"),
        (Several(), "a format with one file"),
    ],
)
def test_the_check_of_exporters_finds(exporter, message):
    with pytest.raises(AssertionError, match=message):
        check_exporter(exporter)


class Empty(Reader):
    name, suffixes = "empty", (".x",)

    def read(self, file):
        return FileContent()


class Fragile(Reader):
    name, suffixes = "fragile", (".x",)

    def read(self, file):
        return FileContent(file.data.decode().split("end")[0] + " " + file.data.decode().split("end")[1])


@pytest.mark.parametrize(
    ("reader", "error", "message"),
    [(Empty(), AssertionError, "finds no text"), (Fragile(), IndexError, "out of range")],
)
def test_the_check_of_readers_finds(reader, error, message):
    with pytest.raises(error, match=message):
        check_reader(reader, "a.x", b"Text end more.")


def test_two_readers_of_one_suffix_are_refused(install, monkeypatch):
    from synth.core.errors import ConfigError
    from synth.corpus.documents.readers.plain import PlainTextReader

    monkeypatch.setattr(
        loading,
        "discover",
        lambda *_: {"txt": PlainTextReader, "twin": type("Twin", (PlainTextReader,), {"name": "twin"})},
    )
    loading.readers.cache_clear()
    with pytest.raises(ConfigError, match=r"both read \.txt files"):
        loading.readers()
