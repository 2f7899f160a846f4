"""Definitions that the next sentence of their paragraph goes on with."""

from __future__ import annotations

import pytest

from synth.core.records import Draft
from synth.grammar.author import drafts
from synth.grammar.reading import Reading
from tests.corpus import document


def definition(text: str) -> Draft:
    (draft,) = (d for d in drafts(Reading(document("d.md", text))) if d.pattern == "definition" and d.worth)
    return draft


@pytest.mark.parametrize(
    ("following", "told"),
    [
        (" It lets keepers open the gates of *all* mills.", ". It lets keepers open the gates of all mills"),
        (" Besides counting boats, it also allows keepers to sell tickets.",
         ". Besides counting boats, it also allows keepers to sell tickets"),
        (" It was written in 1998 by the keepers.", ""),
        (" It offers two types of gates:", ""),
        (" It lets keepers open these gates at night.", ""),
        (" The keepers use it every day of the week.", ""),
        ("\n\nIt lets keepers open the gates of all mills.", ""),
    ],
)  # fmt: skip
def test_a_definition_has_the_next_sentence_if_that_says_what_the_thing_does(following: str, told: str) -> None:
    first = "MillGate is a framework for messages between the gates of mills."
    text = f"# MillGate\n\n{first}{following}\n"
    draft = definition(text)
    assert draft.golden_answers == (f"a framework for messages between the gates of mills{told}",)
    assert text[slice(*draft.spans[-1])] == first + (following if told else "")


@pytest.mark.parametrize(
    ("name", "is_asked"), [("MillGate", True), ("Redis", False), ("MySQL", False), ("RedisGate", True)]
)
def test_what_everyone_knows_is_not_asked_for(name: str, is_asked: bool) -> None:
    texts = (
        f"# {name}\n\n{name} is a framework for messages between the gates of mills.\n",
        f"# {name}\n\n{name} 是一个水闸之间的消息处理器。\n",
    )
    for text in texts:
        found = [d for d in drafts(Reading(document("d.md", text))) if d.pattern == "definition"]
        assert [bool(d.worth) for d in found] == [is_asked]


@pytest.mark.parametrize(
    ("following", "told"),
    [
        ("它还负责在轻量级数据库中存储元数据。", "。它还负责在轻量级数据库中存储元数据"),
        ("它还负责存储这些元数据和消息。", ""),
        ("水闸每天晚上打开两次。", ""),
        ("\n\n它还负责在轻量级数据库中存储元数据。", ""),
    ],
)
def test_in_chinese_too(following: str, told: str) -> None:
    text = f"# MillGate\n\nMillGate 是一个水闸之间的消息处理器。{following}\n"
    assert definition(text).golden_answers == (f"一个水闸之间的消息处理器{told}",)


@pytest.mark.parametrize(
    ("name", "loses"),
    [
        ("Amazon MillGate", True),
        ("Amazonas MillGate", False),
        ("[MillGate](https://millgate.example)", True),
        ("**[MillGate](https://millgate.example/docs)**", True),
        ("[MillGate](gates.md)", False),
        ("MillGate", False),
    ],
)
def test_what_others_make_comes_after_the_rest(name: str, loses: bool) -> None:
    for sentence in (" is a framework for messages between the gates of mills.", " 是一个水闸之间的消息处理器。"):
        one, usual = (definition(f"# Amazon Amazonas MillGate\n\n{told}{sentence}\n") for told in (name, "MillGate"))
        assert (one.worth < usual.worth - 0.1) == loses
