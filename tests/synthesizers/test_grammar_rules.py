"""Conditional questions from sentences that lay something down, planned and written over a small graph."""

from __future__ import annotations

import pytest

from synth.grammar.reading import Reading
from synth.graph import KnowledgeGraph
from synth.records import Chunk, Document, Draft, text_hash
from synth.synthesizers.grammar_rules import GrammarRules
from synth.writer import Material

ENGLISH = "If the wind exceeds 45 knots, Tidemark closes the gate of Elm. The harbour is old."
CHINESE = "如果请求没有令牌，ServerKit 会返回 401 错误。"
TRADITIONAL = "如果請求沒有令牌，ServerKit 會返回 401 錯誤。"


def material(text: str, drafts: list[Draft]) -> Material:
    document = Document(
        doc_id="d", source="d", title="d", text=text, content_hash=text_hash(text), metadata={"format": "text"}
    )
    graph = KnowledgeGraph()
    graph.add_document(document)
    graph.add_chunk(Chunk(chunk_id="c", doc_id="d", start=0, end=len(text), text=text))
    return Material(
        graph=graph,
        readings={"d": Reading(document)},
        drafts=lambda _: drafts,
        prompt=None,  # type: ignore[arg-type]
        know=None,  # type: ignore[arg-type]
        provenance={"author": "grammar"},
        seed=0,
    )


def written(text: str, drafts: list[Draft]) -> list[tuple[str, str, str]]:
    held = material(text, drafts)
    samples = [GrammarRules().write(scenario, held).samples[0] for scenario in GrammarRules().plan(held)]
    for sample in samples:
        assert sample.question_type == "conditional"
        assert all(text[piece.start : piece.end] == piece.text for piece in sample.evidence)
    return [(sample.metadata["pattern"], sample.question, sample.evidence[0].text) for sample in samples]


def test_a_draft_that_sets_a_condition_is_a_conditional_question():
    asked = "What happens if the wind exceeds 45 knots?"
    answer = "Tidemark closes the gate of Elm"
    drafts = [
        Draft(question=asked, golden_answers=(answer,), spans=((0, 62),), pattern="condition", worth=0.8),
        Draft(question="What is old?", golden_answers=("the harbour",), spans=((63, 82),), pattern="x", worth=0.9),
    ]
    assert written(ENGLISH, drafts) == [("consequence", asked, ENGLISH[:62])]


@pytest.mark.parametrize("text", [CHINESE, TRADITIONAL])
def test_chinese_sentences_are_asked_by_their_own_grammar(text):
    found = written(text, [])
    assert {pattern for pattern, _, _ in found} <= {"consequence", "condition"}
    assert found
    assert all(evidence == text for _, _, evidence in found)
