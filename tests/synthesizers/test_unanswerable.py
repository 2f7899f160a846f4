"""Unanswerable questions: about the corpus, answered nowhere in it, with the passages that only look right."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synth.core.records import Entity, Relationship
from synth.generation.synthesizers.grammar_open import GrammarOpen
from tests.corpus import graph_of
from tests.synthesizers.made import LANGUAGES, corpus_of, material_of, of, said_in

ROOT = Path(__file__).parents[2]

TEXTS = {
    "en": {
        "kell": "The Kell Lighthouse was completed in 1811. Boats bring its oil.",
        "maro": "The Maro Lighthouse was painted white. Fog often hides it from the boats.",
        "sund": "The Sund Lighthouse was painted red. Its tower was completed in 1850.",
        "brandt": "Ada Brandt measured the reefs. She sold her maps to the boats.",
    },
    "zh-Hans": {
        "kell": "凯尔灯塔经过四年施工，于1811年竣工。船只运来灯油。",
        "maro": "马罗灯塔漆成白色，大雾时常遮住塔身。",
        "sund": "松德灯塔漆成红色，塔身于1850年竣工。",
        "brandt": "林望测量过这里的礁石。他把海图卖给了船家。",
    },
}
NAMES = {
    "en": {"kell": "Kell Lighthouse", "maro": "Maro Lighthouse", "sund": "Sund Lighthouse", "brandt": "Ada Brandt"},
    "zh-Hans": {"kell": "凯尔灯塔", "maro": "马罗灯塔", "sund": "松德灯塔", "brandt": "林望"},
}
ASKED = {
    "en": {
        "kell": [("When was the Kell Lighthouse completed?", "in 1811", 0)],
        "maro": [("In which colour was the Maro Lighthouse painted?", "white", 0)],
        "sund": [("In which colour was the Sund Lighthouse painted?", "red", 0)],
        "brandt": [("What did Ada Brandt measure?", "the reefs", 0)],
    },
    "zh-Hans": {
        "kell": [("凯尔灯塔是哪一年竣工的？", "1811年", 0)],
        "maro": [("马罗灯塔漆成什么颜色？", "白色", 0)],
        "sund": [("松德灯塔漆成什么颜色？", "红色", 0)],
        "brandt": [("林望测量过什么？", "礁石", 0)],
    },
}


def coast(language):
    texts = of(TEXTS, language)
    corpus = corpus_of(texts)
    graph = graph_of(corpus)
    for doc_id, name in of(NAMES, language).items():
        kind = "person" if doc_id == "brandt" else "place"
        graph.add_entity(Entity(entity_id=f"e-{doc_id}", name=name, kind=kind, surface_forms=(name,)))
        start = texts[doc_id].index(name)
        edge = Relationship(source_id=corpus.chunks_of(doc_id)[0].chunk_id, target_id=f"e-{doc_id}", kind="mentions")
        graph.relate(edge, [(start, start + len(name))])
    return material_of(corpus, of(ASKED, language), graph)


def written_by(writer, material):
    """What a writer makes of all its scenarios: the samples by path, and the reasons why there are no others."""
    made, reasons = {}, {}
    for scenario in writer.plan(material):
        written = writer.write(scenario, material)
        for sample in written.samples:
            made[scenario.path, scenario.slot] = sample
        for _, reason in written.given_up:
            reasons[scenario.path] = reason
    return made, reasons


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_would_like_to_know_of_a_thing_and_no_passage_tells(language):
    made, _ = written_by(GrammarOpen(), coast(language))
    questions = {sample.question for sample in made.values()}
    wanted = "Where was Ada Brandt born?" if language == "en" else "林望出生在哪里？"
    assert said_in(language, wanted) in questions
    assert all(sample.evidence == sample.golden_answers == () for sample in made.values())
    assert all(path == ("e-brandt",) for path, _ in made), "a lighthouse has no population"


@pytest.mark.parametrize(("language", "more"), [("en", " She was born in Oslo."), ("zh-Hans", "他生于奥斯陆。")])
def test_what_a_passage_may_tell_is_not_asked(language, more):
    texts = {**TEXTS[language], "brandt": TEXTS[language]["brandt"] + more}
    corpus = corpus_of(texts)
    graph = graph_of(corpus)
    name = NAMES[language]["brandt"]
    graph.add_entity(Entity(entity_id="e-brandt", name=name, kind="person", surface_forms=(name,)))
    edge = Relationship(source_id=corpus.chunks_of("brandt")[0].chunk_id, target_id="e-brandt", kind="mentions")
    graph.relate(edge, [(0, len(name))])
    made, reasons = written_by(GrammarOpen(), material_of(corpus, ASKED[language], graph))
    assert not [sample.question for sample in made.values() if "born" in sample.question or "出生" in sample.question]
    assert "may contain the answer" in reasons[("e-brandt",)]


def test_plans_are_the_same_whatever_the_seed_of_hashes():
    code = (
        "from tests.synthesizers.test_unanswerable import *\n"
        "m = coast('en')\n"
        "print([s for s in GrammarOpen().plan(m)])\n"
        "print([x.metadata for x in written_by(GrammarOpen(), m)[0].values()])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert "grammar_open" in said.pop()
