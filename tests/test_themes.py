"""Themes: communities of the passages that were read, each with a name and a gist."""

from synth.core.records import Entity, Relationship
from synth.corpus.notes import GIST, MENTIONS
from synth.corpus.themes import IN_THEME, THEME, add_themes, theme_of, themes_of
from tests.corpus import graph_of
from tests.proposals.made import corpus_of, prose

NAMES = {"0.md": "Kell", "1.md": "Kell", "2.md": "Kell", "3.md": "Leave", "4.md": "Leave", "5.md": "Tide"}


def read_graph(names=NAMES):
    """A graph of passages, each with a gist and an entity that it names."""
    graph = graph_of(corpus_of({doc_id: prose(n) for n, doc_id in enumerate(names)}))
    for doc_id, name in names.items():
        (chunk,) = graph.chunks_of(doc_id)
        if name not in graph:
            graph.add_entity(Entity(entity_id=name, name=name, kind="thing"))
        graph.assign(chunk.chunk_id, GIST, f"On {name} in {doc_id}.")
        graph.relate(Relationship(source_id=chunk.chunk_id, target_id=name, kind=MENTIONS))
    return graph


def themes(graph):
    return {entity.name: entity.entity_id for entity in graph.entities() if entity.kind == THEME}


def test_passages_that_name_the_same_thing_are_a_theme_and_one_alone_is_none():
    graph = read_graph()
    assert add_themes(graph) == 2
    assert set(themes(graph)) == {"Kell", "Leave"}
    found = {doc_id: theme_of(graph, graph.chunks_of(doc_id)[0].chunk_id) for doc_id in NAMES}
    assert found == {**NAMES, "5.md": ""}


def test_a_theme_is_not_named_after_a_function_word():
    graph = read_graph()
    for doc_id in ("0.md", "1.md", "2.md", "5.md"):
        (chunk,) = graph.chunks_of(doc_id)
        if "And" not in graph:
            graph.add_entity(Entity(entity_id="And", name="And", kind="thing"))
        graph.relate(Relationship(source_id=chunk.chunk_id, target_id="And", kind=MENTIONS))
    add_themes(graph)
    assert set(themes(graph)) == {"Kell", "Leave"}


def test_the_gist_of_a_theme_is_made_of_those_of_its_passages():
    graph = read_graph()
    add_themes(graph)
    assert graph.value(themes(graph)["Leave"], GIST) == "On Leave in 3.md. On Leave in 4.md."


def test_themes_twice_change_nothing():
    graph = read_graph()
    add_themes(graph)
    before = graph.to_bytes()
    assert add_themes(graph) == 2
    assert graph.to_bytes() == before


def test_what_was_not_read_has_no_theme():
    graph = graph_of(corpus_of({"0.md": prose(0)}))
    assert add_themes(graph) == 0
    assert theme_of(graph, "nowhere") == ""
    assert not graph.stats()["edges"].get(IN_THEME)


def test_every_passage_has_a_theme_to_show_those_of_the_notes_first():
    graph = read_graph({**NAMES, "6.md": "Tide"})
    for doc_id in ("5.md", "6.md"):
        graph.assign(graph.chunks_of(doc_id)[0].chunk_id, GIST, "")
    add_themes(graph)
    passages = [chunk.chunk_id for chunk in graph.chunks()]
    found = themes_of(graph, passages)
    assert [(theme.name, len(theme.passages)) for theme in found] == [("Kell", 3), ("Leave", 2), ("Tide", 2)]
    assert sorted(name for theme in found for name in theme.passages) == sorted(passages)
    assert found[1].gist == "On Leave in 3.md. On Leave in 4.md."
    assert all(theme.gist for theme in found), "without gists, phrases and titles tell what it is about"
    assert [theme.name for theme in themes_of(graph, passages[:3])] == ["Kell"]
