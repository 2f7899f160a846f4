"""The corpus on disk: it says what the graph of the same documents says, and files are read once."""

import os
import time
from functools import partial

import pytest

from synth.core.errors import InputError
from synth.core.records import NEAR_DUPLICATE
from synth.core.store import STORE, Store
from synth.corpus.corpus_builder import corpus_of
from synth.corpus.documents import loading
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.kept import load_kept
from synth.corpus.graph_builder import build
from synth.corpus.sheets import SheetMaker
from synth.corpus.transforms.near_duplicates import NearDuplicates
from synth.corpus.transforms.references import References
from synth.retrieval.bm25 import LexicalIndex

SMALL = ChunkSettings(size=30)
PARAGRAPH = "The lamp of the lighthouse at {} was lit by the keeper on 4 May 1860, and burned for {} years.\n"
DOCS = {
    "b/kell.md": "# Kell\n\n" + PARAGRAPH.format("Kell", 40) + "\n## Pier\n\nSee [the mill](../mill.md#wheel), or fog.txt.\n",
    "mill.md": "# Mill\n\nSee [Kell](b/kell.md).\n\n## Wheel\n\nThe wheel turned once a minute until the mill burned.\n",
    "a.md": "# Another\n\n" + PARAGRAPH.format("Kell", 40),
    "fog.txt": "Fog is told of nowhere else.\n",
    "zh.md": "# 凯尔\n\n凯尔灯塔建于1811年，由罗伯特·史蒂文森设计。灯塔高三十米。\n",
}  # fmt: skip
WAYS = CorpusSettings(max_bytes=10**6)


@pytest.fixture
def folder(tmp_path):
    for name, text in DOCS.items():
        path = tmp_path / "docs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (time.time() - 100,) * 2)
    return tmp_path / "docs"


def maker(fails=""):
    def cut(document):
        if document.doc_id == fails:
            raise IndexError(fails)
        return chunk(document, SMALL)

    return SheetMaker(cut, "small" + fails)


def opened(documents, place, fails=""):
    with Store(place / STORE) as store:
        return corpus_of(documents, maker(fails), store, lambda: None)


def test_it_says_what_the_graph_says(folder, tmp_path):
    documents = load_kept([folder], tmp_path / "home", WAYS).documents
    held, loaded = opened(documents, tmp_path), loading.load([folder]).documents
    passages = [piece for document in loaded for piece in chunk(document, SMALL)]
    graph, _ = build(loaded, passages, (NearDuplicates(), References()))
    assert held.stats() == {name: graph.stats()[name] for name in ("nodes", "edges", "languages")}
    assert {NEAR_DUPLICATE, "refers_to"} <= held.stats()["edges"].keys()
    assert list(held.documents()) == list(graph.documents())
    assert list(held.chunks()) == list(graph.chunks())
    assert held.sizes == {document.doc_id: len(document.text) for document in loaded}
    for document in graph.documents():
        doc_id = document.doc_id
        assert doc_id in held
        assert held.chunks_of(doc_id) == graph.chunks_of(doc_id)
        assert held.language(doc_id) == graph.value(doc_id, "language")
        for start in range(-1, len(document.text) + 2):
            assert held.chunk_at(doc_id, start) == graph.chunk_at(doc_id, start)
    for piece in passages:
        assert held.chunk(piece.chunk_id) == piece
        assert held.near_duplicates(piece.chunk_id) == graph.neighbours(piece.chunk_id, NEAR_DUPLICATE)
        assert held.links(piece.chunk_id) == graph.targets(piece.chunk_id, "refers_to")
    assert not any(name in held for name in ("", "c-", "c-0000000000000000", "c-zzzzzzzzzzzzzzzz", "kell.md"))
    index = LexicalIndex([one.chunk_id for one in passages], [one.text for one in passages])
    assert (
        held.index.scores("keeper of the lamp at Kell").tolist() == index.scores("keeper of the lamp at Kell").tolist()
    )
    assert held.index.top("wheel of the mill", 3) == index.top("wheel of the mill", 3)


def test_a_corpus_is_built_once_and_a_sheet_is_made_once(folder, tmp_path, monkeypatch):
    first = opened(load_kept([folder], tmp_path / "home", WAYS).documents, tmp_path)
    made = []
    monkeypatch.setattr(SheetMaker, "_made", lambda self, document, store: made.append(document.doc_id))
    again = opened(load_kept([folder], tmp_path / "home", WAYS).documents, tmp_path)
    assert again.folder == first.folder
    assert not made


def test_files_that_did_not_change_are_not_read_again(folder, tmp_path, monkeypatch):
    read = partial(load_kept, [folder], tmp_path / "home", WAYS)
    first = read()
    monkeypatch.setattr("synth.corpus.documents.kept.load", None)
    assert list(read().documents) == list(first.documents)
    monkeypatch.undo()
    (folder / "fog.txt").write_text("Fog was told of elsewhere.\n")
    assert read().documents.by_id()["fog.txt"].text == "Fog was told of elsewhere.\n"
    (folder / "fog.txt").write_text("Fog was told of elsewhere!\n")
    changed = read().documents
    assert changed.by_id()["fog.txt"].text == "Fog was told of elsewhere!\n", "a file of this moment may change again"
    assert changed.folder != first.documents.folder


def test_what_failed_is_tried_again(folder, tmp_path):
    documents = load_kept([folder], tmp_path / "home", WAYS).documents
    failed = opened(documents, tmp_path, fails="mill.md")
    assert not failed.chunks_of("mill.md")
    assert failed.chunks_of("fog.txt")
    assert "mill.md" not in failed.in_languages(lambda counts: counts)[0]
    assert not failed.folder.exists()


def test_a_damaged_file_is_written_anew(folder, tmp_path):
    first = load_kept([folder], tmp_path / "home", WAYS).documents
    damaged = first.folder / "documents.bin"
    damaged.write_bytes(damaged.read_bytes()[:-9])
    assert [document.doc_id for document in load_kept([folder], tmp_path / "home", WAYS).documents] == sorted(DOCS)
    assert not list((tmp_path / "home").glob("loading-*"))


def test_a_folder_that_cannot_be_written_is_named(folder, tmp_path):
    (tmp_path / "home").write_text("a file")
    with pytest.raises(InputError, match="home cannot be used: File exists"):
        load_kept([folder], tmp_path / "home", WAYS)
