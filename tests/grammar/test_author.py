"""What the author makes of the drafts of a language pack."""

from __future__ import annotations

import pytest

from synth.grammar.author import drafts
from synth.grammar.reading import Reading
from synth.grammar.registry import pack_of
from tests.corpus import document

CODE = "\n\n```\nopen gate\n```\n"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The Treaty of Almere was signed in 1721.", "en"),
        ("北辰大学有12个学院。", "zh-Hans"),
        ("MillGate is a framework for messages between the gates of mills.", "en"),
        ("从 1.9.0 版本开始，DockKit 增加了会话共享功能。", "zh-Hans"),
    ],
)
def test_facts_that_sentences_tell_amid_code_are_not_asked_for(text: str, language: str) -> None:
    (alone,) = drafts(Reading(document("d.md", text)))
    (amid,) = drafts(Reading(document("d.md", text + CODE)))
    pack = pack_of(language)
    assert pack is not None
    assert alone.worth > 0
    assert amid.worth == (0 if alone.pattern in pack.facts else alone.worth)
    assert (amid.worth == 0) == (alone.pattern in ("when", "count"))
