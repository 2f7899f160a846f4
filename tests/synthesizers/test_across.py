"""Questions on two documents: what their structure states of two things."""

import re
from dataclasses import replace

import pytest

from synth.corpus.documents.chunking import chunk
from synth.generation.synthesizers.grammar_across import GrammarAcross
from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from tests.corpus import corpus_from, document, one_passage
from tests.synthesizers.made import material_of

DISH = (
    "# {name}的做法\n\n{name}是一道家常菜，做起来很简单，适合新手。\n\n## 必备原料\n\n{items}\n\n"
    "## 计算\n\n按照 2 人的份量：\n\n- 鸡蛋 {eggs} 个\n"
)
REPORT = (
    "# {name} 2023 Annual Report\n\nThe company sells goods, and the results of the year were good for it.\n\n"
    "## Income\n\n(in millions)\n\n| | 2023 | 2022 |\n|---|---|---|\n| Net sales | {sales} | 90 |\n| Net cost | 40 | 41 |\n"
)


def rows(texts, cut=one_passage):
    documents = {name: document(name, text, title=text.partition("\n")[0].lstrip("# ")) for name, text in texts.items()}
    material = material_of(corpus_from(list(documents.values()), cut), {})
    readings = {name: Reading(one) for name, one in documents.items()}
    material = replace(material, readings=readings, facts=lambda name: grammar.facts(readings[name]))
    writer = GrammarAcross()
    return [writer.write(scenario, material).samples[0] for scenario in writer.plan(material)], texts


def dish(name, items, eggs):
    return DISH.format(name=name, items="\n".join(f"- {item}" for item in items), eggs=eggs)


@pytest.mark.parametrize(
    ("texts", "pattern", "words", "answer"),
    [
        ({"a": dish("蛋羹", ["鸡蛋", "清水", "食盐"], 2), "b": dish("蛋汤", ["鸡蛋", "清水", "紫菜"], 4)},
         "compared", "蛋羹 蛋汤 鸡蛋", "蛋汤"),
        ({"a": REPORT.format(name="Acme Corporation", sales=120), "b": REPORT.format(name="Zeta Corporation", sales=150)},
         "compared", "Acme Zeta 2023", "Zeta Corporation"),
    ],
)  # fmt: skip
def test_what_two_documents_are_asked_together(texts, pattern, words, answer):
    found, texts = rows(texts)
    fitting = [
        row
        for row in found
        if row.metadata["pattern"] == pattern and all(word in row.question for word in words.split())
    ]
    assert fitting, [row.question for row in found]
    row = fitting[0]
    assert answer in row.golden_answers[0]
    assert {piece.doc_id for piece in row.evidence} == {"a", "b"}
    assert all(texts[piece.doc_id][piece.start : piece.end] == piece.text for piece in row.evidence)
    assert [step["document"] in texts for step in row.metadata["path"]] == [True, True]


def test_lists_are_asked_for_what_they_share_or_what_one_has_alone():
    dishes = {"a": dish("蛋羹", ["鸡蛋", "清水", "食盐"], 2), "b": dish("蛋汤", ["鸡蛋", "清水", "紫菜"], 2)}
    found, _ = rows(dishes)
    (row,) = [row for row in found if row.metadata["pattern"] in ("shared", "only")]
    shared = row.metadata["pattern"] == "shared"
    assert row.golden_answers[0] in (("鸡蛋；清水",) if shared else ("食盐", "紫菜"))


def test_things_that_differ_in_nothing_and_one_thing_in_two_documents_are_not_compared():
    same = {"a": dish("蛋羹", ["鸡蛋"], 2), "b": dish("蛋汤", ["鸡蛋"], 2)}
    assert rows(same)[0] == []
    one = {"a": dish("蛋羹", ["鸡蛋"], 2), "b": dish("水蛋羹", ["鸡蛋"], 4)}
    assert not any(re.search("更多", row.question) for row in rows(one)[0])


BOATS = (
    "# The Fleet\n\nThe boats of the river are listed on this page for every visitor of the river.\n\n## Boats\n\n"
    "| Boat | Bicycles | Captain |\n|---|---|---|\n| MV Avocet | 12 | Ann Moor |\n| MV Dunlin | 4 | Bo Lund |\n"
    "| MV Plover | 9 | Cy Hart |\n"
)
SAFETY = (
    "# Safety\n\nThe boats of the river carry what the law asks of every boat of the river.\n\n## Equipment\n\n"
    "| Boat | Life rafts |\n|---|---|\n| MV Avocet | 6 |\n| MV Dunlin | 2 |\n| MV Plover | 5 |\n"
)


def test_a_bridge_leads_over_a_name_to_what_another_document_tells():
    found, _ = rows({"a": BOATS, "b": SAFETY})
    asked = {row.question: row.golden_answers[0] for row in found if row.metadata["pattern"] == "bridge"}
    assert asked["How many life rafts does the boat with the most bicycles have?"] == "6"
    assert asked["Who is the captain of the boat with the most life rafts?"] == "Ann Moor"


PLUGIN = "- {name}\n  - Author: {author}\n  - Last updated: {date}\n  - Reason: {reason}\n\n"


def plugins(*pairs):
    parts = [
        PLUGIN.format(name=n, author=a, date=d, reason=r) + "Words about tides and boats. " * 400
        for n, a, d, r in pairs
    ]
    return {"a": "# Plugins\n\nThis page lists plugins.\n\n" + "\n\n".join(parts)}


def test_named_things_of_one_document_are_compared():
    pairs = (
        ("TideGate", "Ann", "2023/9/5", "the program has it built in now"),
        ("PumpView", "Ben", "2022/10/9", "nobody could maintain it for long"),
    )
    found, _ = rows(plugins(*pairs), chunk)
    by_label = {(row.metadata["pattern"], row.metadata["path"][0]["label"]): row for row in found}
    assert set(by_label) == {("later", "last updated")}
    assert by_label["later", "last updated"].golden_answers == ("TideGate",)


def test_names_of_two_things_are_not_joined_to_a_third():
    found, _ = rows(
        plugins(
            ("TideGate and Sluice", "Ann", "2023/9/5", "the program has it built in now"),
            ("PumpView", "Ben", "2022/10/9", "nobody could maintain it for long"),
        ),
        chunk,
    )
    assert not found
