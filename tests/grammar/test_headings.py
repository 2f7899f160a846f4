"""Headings and names in English: how a document writes a word decides, and no other document does."""

from __future__ import annotations

from synth.grammar.english.headings import small_stems
from synth.grammar.reading import Reading
from tests.corpus import document

TEXTS = ["Water runs over the mill wheel all day long.", "A keeper lights the lamp of the tower at dusk."]


def test_the_words_of_a_document_are_its_own_whatever_was_read_before() -> None:
    expected = [small_stems(Reading(document("d.md", text))) for text in TEXTS]
    assert expected[0] != expected[1]
    for number in range(100):
        # The reading before is gone by now, and a new one may lie where it was in memory.
        assert small_stems(Reading(document("d.md", TEXTS[number % 2]))) == expected[number % 2]
