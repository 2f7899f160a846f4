"""Sheets are made without a parse, and outlast a change of the parsers."""

from pathlib import Path

from synth import grammar
from synth.core import source_digest
from synth.core.source_digest import source_digest as digest_of
from synth.grammar.author import drafts_key
from synth.grammar.reading import Reading
from tests.corpus import document


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
