"""A question over several passages whose evidence is in one place is none."""

from dataclasses import replace

from synth.core.records import Sample
from synth.generation.proposals.shortcuts import shortcut
from synth.generation.writer import evidence_of
from tests.proposals.made import corpus_of, material_of, prose

TEXTS = {
    "leave.md": f"Keepers of rock stations have six weeks of leave. {prose(1)}",
    "kell.md": f"The Kell lighthouse is a rock station on a reef. {prose(2)}",
    **{f"{n}.md": f"Another page on lamps. {prose(n + 10)}" for n in range(6)},
}
CORPUS = corpus_of(TEXTS)


def across(*questions, texts=None, corpus=CORPUS):
    pieces = []
    for doc_id, words in texts or (("leave.md", "six weeks"), ("kell.md", "rock station")):
        start = corpus.document(doc_id).text.index(words)
        pieces += evidence_of(material_of(corpus), doc_id, [(start, start + len(words))])
    return Sample(
        question="How much leave is there at Kell?",
        golden_answers=("six weeks",),
        evidence=tuple(pieces),
        question_type="multi_context",
        language="en",
        metadata={"sub_questions": [{"question": one} for one in questions]},
    )


def test_evidence_in_two_places_is_no_shortcut_even_if_one_sub_question_finds_both():
    both = across("Is the Kell lighthouse a rock station?", "What leave do keepers of a rock station on a reef have?")
    found = {name for name, _ in CORPUS.index.top(both.metadata["sub_questions"][1]["question"], 2)}
    assert found == {piece.chunk_id for piece in both.evidence}
    assert shortcut(both, CORPUS) == ""


def test_one_passage_is_no_second_hop():
    sample = across("a", "b")
    assert "one passage" in shortcut(replace(sample, evidence=sample.evidence[:1]), CORPUS)


def test_parts_of_one_table_are_no_two_contexts():
    rows = "\n".join(f"| item {n} | {'word ' * 60} {n} |" for n in range(12))
    corpus = corpus_of({"t.md": f"# Prices\n\n| name | text |\n| --- | --- |\n{rows}\n"}, size=150)
    sample = across("a", "b", texts=[("t.md", "item 1 "), ("t.md", "item 9 ")], corpus=corpus)
    assert len({piece.chunk_id for piece in sample.evidence}) == 2
    assert "one table or list" in shortcut(sample, corpus)
