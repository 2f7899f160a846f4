"""Facts in the graph: stated by their passages, about their entities, read again only where a document changed."""

import pytest

from synth.transforms.build import build
from synth.transforms.entities import Entities
from synth.transforms.facts import Facts
from tests.transforms.made import MemoryStore, chunks, document

ENGLISH = "Robert Stevenson built the Bell Rock Lighthouse in 1811. The Bell Rock Lighthouse is 35 metres tall."
SIMPLIFIED = "湖东灯塔由港务局建造。湖东灯塔的高度为30米。"
TRADITIONAL = "湖東燈塔由港務局建造。湖東燈塔的高度為30米。"


def graph_of(*texts, cache=None):
    documents = [document(f"{n}.md", text) for n, text in enumerate(texts)]
    pieces = [chunk for one in documents for chunk in chunks(one)]
    return build(documents, pieces, [Entities(), Facts()], cache)


@pytest.mark.parametrize(
    ("text", "relation", "amount"),
    [(ENGLISH, "be", "35 metres"), (SIMPLIFIED, "高度", "30米"), (TRADITIONAL, "高度", "30米")],
)
def test_a_passage_states_its_facts(text, relation, amount):
    graph, _ = graph_of(text)
    (chunk,) = graph.chunks()
    facts = graph.facts_of(chunk.chunk_id)
    measured = [fact for fact in facts if fact.qualifier("quantity")]
    assert [(fact.relation, fact.qualifier("quantity").text) for fact in measured] == [(relation, amount)]
    for fact in facts:
        (span,) = fact.spans
        assert text[slice(*span)] in text.split("。") or text[slice(*span)][-1] in ".。"
        term = fact.subject
        assert text[term.start : term.end].removeprefix("The ") in (term.text.removeprefix("the "), term.text)


def test_a_fact_leads_to_what_it_is_about():
    graph, _ = graph_of(ENGLISH)
    by_name = {entity.name: entity.entity_id for entity in graph.entities()}
    (built,) = graph.facts_about(by_name["Robert Stevenson"])
    assert built.qualifier("time").text.endswith("1811")
    edge = graph.relationship(built.fact_id, by_name["Robert Stevenson"], "about")
    assert edge.shared == ("subject",)
    about_the_tower = graph.facts_about(by_name["Bell Rock Lighthouse"])
    assert {fact.relation for fact in about_the_tower} == {built.relation, "be"}


def test_only_the_changed_document_is_read_again():
    cache = MemoryStore()
    graph_of(ENGLISH, SIMPLIFIED, cache=cache)
    graph, counts = graph_of(ENGLISH, TRADITIONAL, cache=cache)
    assert (counts["facts"].computed, counts["facts"].reused) == (1, 1)
    fresh, _ = graph_of(ENGLISH, TRADITIONAL)
    assert graph.to_bytes() == fresh.to_bytes()
