"""Sheets are made without a parse, once for each document, and outlast a change of the parsers."""

from dataclasses import astuple
from functools import partial
from pathlib import Path

import pytest

from synth import grammar
from synth.core import source_digest
from synth.core.records import digest
from synth.core.source_digest import source_digest as digest_of
from synth.core.store import STORE, Store
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.sheets import KIND, SheetMaker
from synth.grammar.author import drafts_key
from synth.grammar.reading import Reading
from tests.corpus import document

TEXT = "# Kell\n\nThe lamp was lit. It burned oil.\n\n## 灯塔\n\n凯尔灯塔建于1811年。灯光很远也能看见。\n" * 3


def test_sheets_do_not_depend_on_the_parsers(monkeypatch):
    read = source_digest._read

    def changed(name):
        source, imports = read(name)
        return (source + "\n# changed\n" if name == "synth.grammar.parsing" else source), imports

    sheets, parsers = digest_of("synth.corpus.sheets"), digest_of("synth.grammar.parsing")
    digest_of.cache_clear()
    monkeypatch.setattr(source_digest, "_read", changed)
    assert digest_of("synth.corpus.sheets") == sheets
    assert digest_of("synth.grammar.parsing") != parsers
    digest_of.cache_clear()


def maker(settings):
    return SheetMaker(partial(chunk, settings=settings), digest(astuple(settings)))


@pytest.mark.parametrize("settings", [ChunkSettings(), ChunkSettings(size=12), ChunkSettings("fixed", 20, 5)])
def test_passages_are_cut_once_and_come_back_the_same(tmp_path, monkeypatch, settings):
    page = document("a.md", TEXT)
    with Store(tmp_path / STORE) as store:
        ((_, made),) = maker(settings).sheets([page], store)
        assert made.passages(page) == chunk(page, settings)
        monkeypatch.setattr(SheetMaker, "_made", None)
        ((_, kept),) = maker(settings).sheets([page], store)
        assert kept.passages(page) == made.passages(page)


def test_another_text_name_or_setting_is_cut_anew(tmp_path):
    with Store(tmp_path / STORE) as store:
        cut = (
            (document("a.md", TEXT), ChunkSettings()),
            (document("b.md", TEXT), ChunkSettings()),
            (document("a.md", TEXT + "x"), ChunkSettings()),
            (document("a.md", TEXT, "text"), ChunkSettings()),
            (document("a.md", TEXT), ChunkSettings(size=399)),
        )
        for count, (page, settings) in enumerate(cut, 1):
            [*maker(settings).sheets([page], store)]
            assert store.count(KIND) == count


def test_the_grammar_has_no_table_of_its_own_beside_those_of_its_packs():
    # It would be a part of every sheet, since these come from a module of the package.
    assert not [*Path(grammar.__path__[0]).glob("*.json")]


def test_drafts_are_written_anew_when_what_all_packs_share_changes(monkeypatch):
    read, text = source_digest._read, document("d.md", "# Gates\n\nMills have gates.\n")
    key = drafts_key(Reading(text))

    def changed(name):
        source, imports = read(name)
        return (source + "\n# changed\n" if name == "synth.grammar.headed_questions" else source), imports

    monkeypatch.setattr(source_digest, "_read", changed)
    _forget()
    assert drafts_key(Reading(text)) != key
    monkeypatch.undo()
    _forget()
    assert drafts_key(Reading(text)) == key


def _forget():
    digest_of.cache_clear()
