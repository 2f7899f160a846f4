"""Passages that belong together: of several documents, in one language, and none that says the same."""

from synth.core.records import Relationship
from synth.generation.proposals.related import MOST_TOGETHER, Related
from tests.proposals.made import corpus_of, graph_of, prose

TEXTS = {
    "kell.md": f"The Kell lighthouse was designed by Ottilie Brandt after a storm. {prose(100)}",
    "brandt.md": f"Ottilie Brandt studied in Lund and later wrote several books about glass. {prose(101)}",
    **{f"town{n}.md": f"Town number {n} has a market and a mill by the water. {prose(n)}" for n in range(9)},
}


def related(texts, **more):
    graph = graph_of(texts, **more)
    return Related(corpus_of(graph)), graph


def names(group):
    return [section.doc_id for section in group.passages]


def group_of(texts, name="kell.md", place=0, **more):
    found, graph = related(texts, **more)
    return found.group(graph.chunks_of(name)[place].chunk_id)


def test_what_names_the_same_rare_things_belongs_together():
    group = group_of(TEXTS)
    assert names(group) == ["kell.md", "brandt.md"]
    assert {"ottilie", "brandt"} <= set(group.shared)
    assert not {"the", "was"} & set(group.shared), "what many passages have tells nothing"
    assert names(group_of(TEXTS, "brandt.md")) == ["brandt.md", "kell.md"]


def test_what_has_nothing_in_common_with_others_belongs_to_none():
    assert group_of({**TEXTS, "kell.md": prose(100)}) is None
    assert group_of({"kell.md": TEXTS["kell.md"]}) is None


def test_other_languages_copies_and_scraps_do_not_belong():
    chinese = "凯尔灯塔由 Ottilie Brandt 设计，建在高高的礁石上，很多人从远处来看它，夏天晴朗的日子里人特别多。" * 3
    assert names(group_of({**TEXTS, "zh.md": chinese})) == ["kell.md", "brandt.md"]
    assert names(group_of({**TEXTS, "copy.md": TEXTS["kell.md"].replace("storm", "fire")})) == ["kell.md", "brandt.md"]
    assert names(group_of({**TEXTS, "scrap.md": "Ottilie Brandt."})) == ["kell.md", "brandt.md"]
    assert group_of({**TEXTS, "kell.md": "Ottilie Brandt."}) is None
    code = f"```\n{TEXTS['brandt.md']}\n```"
    assert group_of({**TEXTS, "brandt.md": code}) is None


def test_several_passages_of_a_long_document_belong_but_not_neighbours():
    between = "\n\n".join(f"# Part {n}\n\n{prose(200 + n)} {prose(300 + n)}" for n in range(12))
    life = f"# Life\n\nOttilie Brandt studied in Lund. {prose(102)}"
    late = f"# Old age\n\nOttilie Brandt kept bees. {prose(103)}"
    texts = {name: text for name, text in TEXTS.items() if name != "brandt.md"}

    def passages(*parts):
        return names(group_of({**texts, "book.md": "\n\n".join(parts)}, size=60))

    assert passages(life, between, late) == ["kell.md", "book.md", "book.md"]
    assert passages(life, late, between) == ["kell.md", "book.md"]


def test_no_more_are_shown_together_than_can_be_read():
    many = {f"b{n}.md": f"Ottilie Brandt painted picture {n}. {prose(400 + n)}" for n in range(9)}
    towns = {f"more{n}.md": prose(500 + n) for n in range(30)}
    group = group_of({**TEXTS, **many, **towns})
    assert len(group.passages) == len(set(names(group))) == MOST_TOGETHER


def test_a_reference_counts_more_than_words():
    found, graph = related(TEXTS)
    home, town = graph.chunks_of("kell.md")[0].chunk_id, graph.chunks_of("town3.md")[0].chunk_id
    before = found.group(home).closeness
    graph.relate(Relationship(source_id=home, target_id=graph.chunks_of("brandt.md")[0].chunk_id, kind="refers_to"))
    assert found.group(home).closeness > before + 5
    first = next(found.closest_first([town, graph.chunks_of("brandt.md")[0].chunk_id, home]))
    assert names(first) == ["kell.md", "brandt.md"]


def test_all_of_them_are_named_once_the_closest_first():
    found, graph = related(TEXTS)
    ids = [chunk.chunk_id for chunk in graph.chunks()]
    groups = list(found.closest_first(ids))
    assert {names(group)[0] for group in groups} >= {"kell.md", "brandt.md"}
    closeness = [group.closeness for group in groups]
    assert closeness == sorted(closeness, reverse=True)
