"""Loaders of LangChain as sources: their documents are named, checked and fingerprinted as files are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from synth.core.errors import ConfigError, InputError, MissingExtra
from synth.core.records import text_hash
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.langchain_loaders import name_inside
from synth.corpus.documents.loading import load


class Pages:
    """A loader that gives each file of a folder as two pages."""

    def __init__(self, source: str) -> None:
        self.source = source

    def lazy_load(self) -> Iterator[Any]:
        for path in sorted(Path(self.source).iterdir()):
            for page, text in enumerate(path.read_text().split("\f")):
                yield SimpleNamespace(page_content=text, metadata={"source": str(path), "page": page}, id=None)


class Failing(Pages):
    def lazy_load(self) -> Iterator[Any]:
        raise OSError("no such wiki")


class Needing(Pages):
    def lazy_load(self) -> Iterator[Any]:
        raise ImportError("no module wikilib; pip install wikilib")


class Eager:
    def __init__(self, source: str) -> None:
        self.source = source

    def load(self) -> list[Any]:
        return [SimpleNamespace(page_content=f"From {self.source}.", metadata={})]


def test_documents_are_named_by_their_place_in_the_source(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The pump is old.\fThe valve is new.")
    (tmp_path / "b.txt").write_text("  ")
    loaded = load([tmp_path], CorpusSettings(loader=f"{__name__}:Pages"))
    assert [(one.doc_id, one.text) for one in loaded.documents] == [
        ("a.txt#0", "The pump is old."),
        ("a.txt#1", "The valve is new."),
    ]
    assert [one.content_hash for one in loaded.documents] == [text_hash(one.text) for one in loaded.documents]
    assert [(one.source, one.reason) for one in loaded.skipped] == [("b.txt#0", "empty")]
    assert [
        one.reason for one in load([tmp_path], CorpusSettings(loader=f"{__name__}:Pages", max_bytes=16)).skipped
    ] == [
        "too large",
        "empty",
    ]


def test_a_loader_without_lazy_load_and_an_address() -> None:
    (document,) = load(["https://wiki.example/pump"], CorpusSettings(loader=f"{__name__}:Eager")).documents
    assert (document.doc_id, document.text) == ("https://wiki.example/pump", "From https://wiki.example/pump.")


def test_a_loader_of_langchain_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The pump is old.")
    (document,) = load([tmp_path / "a.txt"], CorpusSettings(loader="TextLoader")).documents
    assert (document.doc_id, document.text) == ("a.txt", "The pump is old.")


@pytest.mark.parametrize(
    ("loader", "error", "said"),
    [
        ("TextLoadr", ConfigError, "has no class 'TextLoadr' but has TextLoader"),
        ("no.such.module:Loader", ConfigError, "cannot be imported: No module named 'no'"),
        (f"{__name__}:Nothing", ConfigError, "has no class 'Nothing'"),
        (f"{__name__}:Failing", InputError, "failed on docs: OSError: no such wiki"),
        (f"{__name__}:Needing", MissingExtra, "needs a library that is not installed: no module wikilib"),
    ],
)
def test_what_is_wrong_with_a_loader_is_said(loader: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        load(["docs"], CorpusSettings(loader=loader))


@pytest.mark.parametrize(
    ("place", "source", "name"),
    [
        ("/a/b/c.txt", "/a", "b/c.txt"),
        ("/a/c.txt", "/a/c.txt", "c.txt"),
        ("/x/c.txt", "/a", "/x/c.txt"),
        ("https://x/y", "/a", "https://x/y"),
        ("", "/a", ""),
    ],
)
def test_names_inside_a_source(place: str, source: str, name: str) -> None:
    assert name_inside(place, source) == name
