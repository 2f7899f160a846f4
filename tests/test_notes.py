"""Notes on passages: each with its place, kept by section, and nodes and edges of the corpus."""

import pytest

from synth.core.store import Store
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import GIST, Notes, add_notes, entity_id_of, keep_notes, kept_notes, notes_of
from synth.corpus.sections import numbered, section_of, sections
from tests.corpus import graph_of
from tests.proposals.made import corpus_of

CORPUS = corpus_of(
    {
        "kell.md": "# Kell\n\nThe Kell lighthouse was designed by Ada Brenn. In fog its keeper rings a bell.",
        "maro.md": "The Maro lighthouse was built in 1833.",
    }
)
SHOWN = numbered(CORPUS, [*sections(CORPUS, "kell.md"), *sections(CORPUS, "maro.md")])
FOG, BUILT = 2, 3


def item(gist="On Kell.", entities=(), statements=(), relations=()):
    return {"gist": gist, "entities": entities, "statements": statements, "relations": relations}


def named(name, *sentences):
    return {"name": name, "kind": "lighthouse", "sentences": list(sentences)}


def said(says, *sentences, kind="rule", subject="Kell lighthouse", scope="fog"):
    return {"kind": kind, "subject": subject, "says": says, "scope": scope, "sentences": list(sentences)}


def related(source, verb, target, *sentences):
    return {"from": source, "verb": verb, "to": target, "sentences": list(sentences)}


def noted(*items):
    return notes_of(items, SHOWN, CORPUS.chunks())


WHOLE = (
    item(
        entities=[named("Kell lighthouse", 1), named("Ada Brenn", 1)],
        statements=[said("The keeper rings a bell.", FOG)],
        relations=[related("Ada Brenn", "designed", "Kell lighthouse", 1)],
    ),
    item("On Maro.", [named("Maro lighthouse", BUILT)], [said("Built in 1833.", BUILT, kind="event", subject="Maro")]),
)


def test_each_note_has_its_section_and_exact_evidence():
    kell, maro = noted(*WHOLE)
    assert [(kell.section.doc_id, kell.gist), (maro.section.doc_id, maro.gist)] == [
        ("kell.md", "On Kell."),
        ("maro.md", "On Maro."),
    ]
    (statement,) = kell.statements
    ((start, end),) = statement.spans
    assert CORPUS.document("kell.md").text[start:end] == "In fog its keeper rings a bell."
    assert CORPUS.chunk(statement.chunk_id).doc_id == "kell.md"


@pytest.mark.parametrize(
    "bad",
    [
        item(statements=[said("Nobody says this.", 99)]),
        item(statements=[said("It takes two passages.", 1, BUILT)]),
        item(statements=[said("", FOG)]),
        item(entities=[named(" ", 0)]),
        item(relations=[related("Kell lighthouse", "is", "KELL lighthouse", 0)]),
        item("A gist without a place."),
    ],
)
def test_what_has_no_place_or_says_nothing_is_left_out(bad):
    assert [notes for notes in noted(bad) if notes.statements or notes.entities or notes.relations] == []


def test_notes_in_another_order_belong_to_the_passages_that_they_cite():
    assert noted(*WHOLE[::-1]) == noted(*WHOLE)


def test_notes_become_nodes_and_edges():
    graph = graph_of(CORPUS)
    for notes in noted(*WHOLE):
        add_notes(graph, notes)
    stats = graph.stats()
    assert stats["nodes"] == {"document": 2, "chunk": 2, "entity": 3, "statement": 2}
    assert {kind: stats["edges"][kind] for kind in ("mentions", "states", "about", "relates")} == {
        "mentions": 3, "states": 2, "about": 1, "relates": 1,
    }  # fmt: skip
    brenn, kell = entity_id_of("Ada Brenn"), entity_id_of("kell  Lighthouse")
    (edge,) = graph.relationships_from(brenn, "relates")
    assert (edge.target_id, edge.shared) == (kell, ("designed",))
    chunk = graph.chunks_of("kell.md")[0]
    assert graph.value(chunk.chunk_id, GIST) == "On Kell."
    assert [one.name for one in graph.entities_of(chunk.chunk_id)] == ["Kell lighthouse", "Ada Brenn"]


def test_the_gist_of_a_document_is_made_of_those_of_its_passages():
    text = "# Kell\n\n" + "The tower of the lighthouse is white and high. " * 60 + "\n\nIts lamp was lit in 1811.\n"
    corpus = corpus_of({"kell.md": text}, size=150)
    graph = graph_of(corpus)
    parts = [section_of(corpus, chunk.chunk_id) for chunk in corpus.chunks_of("kell.md")]
    assert len(parts) > 2
    for section, gist in ((parts[-1], "On its lamp."), (parts[0], "On its tower."), (parts[1], "On its tower.")):
        add_notes(graph, Notes(section, gist))
    assert graph.value("kell.md", GIST) == "On its tower. On its lamp."
    add_notes(graph, Notes(parts[1], "x" * 900))
    assert graph.value("kell.md", GIST) == "On its tower."


def test_the_same_notes_twice_change_nothing():
    graph = graph_of(CORPUS)
    for notes in noted(*WHOLE) * 2:
        add_notes(graph, notes)
    once = graph_of(CORPUS)
    for notes in noted(*WHOLE):
        add_notes(once, notes)
    assert graph.to_bytes() == once.to_bytes()


def test_a_stored_graph_has_its_statements():
    graph = graph_of(CORPUS)
    for notes in noted(*WHOLE):
        add_notes(graph, notes)
    again = KnowledgeGraph.from_bytes(graph.to_bytes())
    assert [*again.statements()] == [*graph.statements()]
    assert again.to_bytes() == graph.to_bytes()


def test_notes_are_kept_by_section(tmp_path):
    with Store(tmp_path / "store.sqlite") as store:
        kell, maro = noted(*WHOLE)
        assert kept_notes(store, kell.section) is None
        keep_notes(store, kell)
        keep_notes(store, maro)
        assert kept_notes(store, kell.section) == kell
        keep_notes(store, Notes(kell.section, "Another."))
        assert kept_notes(store, kell.section) == kell, "the first reading stays"
