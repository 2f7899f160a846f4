"""Sheets are made without a parse, and outlast a change of the parsers."""

from synth.core import source_digest
from synth.core.source_digest import source_digest as digest_of


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
