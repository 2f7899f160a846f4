"""Composed questions in a model's words: right by construction, and never made wrong by the rewording."""

import pytest

from synth.evolutions import chat_reword
from synth.evolutions.chat_reword import RewordAcross, RewordConditional, RewordReasoning
from synth.evolutions.chat_wording import lost
from synth.llm.base import Fault
from synth.records import Entity, Relationship, Sample, Scenario, Step
from synth.writer import Writer, Written, evidence_of
from tests.evolutions.made import LANGUAGES, drive, of, said_in, world

COMPOSED = {
    "en": ("How many years after the Kell lighthouse was built was the Maro lighthouse built?", "22 years"),
    "zh-Hans": ("凯尔灯塔建成多少年后马罗灯塔建成？", "22年"),
}
BETTER = {
    "en": "How many years after the Kell lighthouse was the Maro lighthouse built?",
    "zh-Hans": "凯尔灯塔建成后过了多少年马罗灯塔才建成？",
}


class Composer(Writer):
    """A writer of the grammar that has one question, with its lineage."""

    name = "composer"
    author = "grammar"
    question_type = "reasoning"

    def plan(self, material):
        yield Scenario(
            scenario_id="s-1", synthesizer=self.name, question_type="reasoning", chunk_ids=("c-kell",),
            language=material.readings["kell"].language, seed=0, slot=3, worth=0.8, path=("f-1", "f-2"),
        )  # fmt: skip

    def write(self, scenario, material):
        assert (scenario.synthesizer, scenario.path, scenario.slot) == ("composer", ("f-1", "f-2"), 3)
        return Written((composed_in(material),))


class Barren(Composer):
    def write(self, scenario, material):
        return Written(given_up=(("evolution: composer", "nothing to join"),))


def composed_in(material):
    language = material.readings["kell"].language
    question, answer = of(COMPOSED, language)
    ends = [(s.start, s.end) for s in material.readings["kell"].sentences[:2]]
    values = ("1811", "1833") if language == "en" else ("1811年", "1833年")
    read = [Step(says=f"{n}", value=value, evidence=(n,)) for n, value in enumerate(values)]
    return Sample(
        question=question,
        golden_answers=(answer,),
        evidence=evidence_of(material, "kell", ends),
        question_type="reasoning",
        language=language,
        steps=(*read, Step(says=question, value=answer, operation="years_between", of=(0, 1))),
        evolutions=("composer",),
        lineage=({"operator": "composer", "parents": [], "path": ["f-1", "f-2"], "slot": 3},),
        metadata={"source": "synthetic", "pattern": "composer"},
        provenance=material.provenance,
    )


def reworded(monkeypatch, language, reply, composer=Composer):
    monkeypatch.setattr(chat_reword, "_composers", lambda kind: {"composer": composer()})
    material, writer = world(language), RewordReasoning()
    (scenario,) = writer.plan(material)
    written, calls = drive(writer.write(scenario, material), reply)
    return material, scenario, written, calls


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_is_the_models_and_all_else_the_grammars(monkeypatch, language):
    asked = of(BETTER, language)
    material, _, written, calls = reworded(monkeypatch, language, {"question": asked})
    (sample,), composed = written.samples, composed_in(material)
    assert len(calls) == 1
    assert sum(len(message.content) for message in calls[0].messages) < 1400, "a short call"
    assert sample.question == asked
    for part in ("golden_answers", "evidence", "steps", "question_type", "metadata"):
        assert getattr(sample, part) == getattr(composed, part), part
    assert sample.evolutions == ("composer", "chat_reword")
    assert list(sample.provenance["prompts"]) == ["evolutions/reword"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rewording_is_made_again_from_its_lineage(monkeypatch, language):
    reply = {"question": of(BETTER, language)}
    material, scenario, written, _ = reworded(monkeypatch, language, reply)
    (sample,) = written.samples
    first, last = sample.lineage
    assert first["operator"] == "composer"
    assert (last["operator"], last["composed"]) == ("chat_reword", of(COMPOSED, language)[0])
    again = Scenario(
        scenario_id="again", synthesizer="chat_reword", question_type="reasoning",
        chunk_ids=tuple(dict.fromkeys(piece.chunk_id for piece in sample.evidence)), language=language, seed=7,
        slot=last["slot"], path=tuple(last["path"]),
    )  # fmt: skip
    assert again.path == scenario.path
    rewritten, _ = drive(RewordReasoning().write(again, material), reply)
    assert rewritten.samples == (sample,)


BAD = {
    "en": [
        "How many years after the Kell lighthouse was the other lighthouse built?",
        "How many years after the Kell lighthouse of 1811 was the Maro lighthouse built?",
        "How many years before the Kell lighthouse was built was the Maro lighthouse not built?",
        "How many years before the Kell lighthouse was built was the Maro lighthouse built?",
        "Was it 22 years after the Kell lighthouse that the Maro lighthouse was built?",
        "How many years after the Kell lighthouse in Scotland was the Maro lighthouse built?",
        "The Maro lighthouse was built 22 years after the Kell lighthouse.",
        "Kell lighthouse Maro lighthouse?",
        "",
    ],
    "zh-Hans": [
        "凯尔灯塔建成多少年后另一座灯塔建成？",
        "凯尔灯塔1811年建成，多少年后马罗灯塔建成？",
        "凯尔灯塔建成多少年前马罗灯塔没有建成？",
        "马罗灯塔比凯尔灯塔早建成多少年？",
        "马罗灯塔在凯尔灯塔建成22年后建成吗？",
        "马罗灯塔在凯尔灯塔建成22年后建成。",
        "",
    ],
}


@pytest.mark.parametrize(
    ("language", "question"),
    [(lang, said_in(lang, bad)) for lang in LANGUAGES for bad in BAD["en" if lang == "en" else "zh-Hans"]],
)
def test_a_rewording_that_loses_something_leaves_the_question_as_it_was_composed(monkeypatch, language, question):
    material, _, written, _ = reworded(monkeypatch, language, {"question": question})
    assert written.samples == (composed_in(material),)


@pytest.mark.parametrize("reply", ["I would rather not say.", Fault("server", "down"), Fault("timeout", "slow")])
def test_a_rewording_that_cannot_be_had_leaves_it_too(monkeypatch, reply):
    material, _, written, _ = reworded(monkeypatch, "en", lambda request: reply)
    assert written.samples == (composed_in(material),)


def test_what_the_grammar_cannot_compose_takes_no_call(monkeypatch):
    _, _, written, calls = reworded(monkeypatch, "en", {"question": "x?"}, Barren)
    assert calls == []
    assert written == Written(given_up=(("evolution: composer", "nothing to join"),))


def test_it_is_tried_before_what_the_model_makes_alone(monkeypatch):
    monkeypatch.setattr(chat_reword, "_composers", lambda kind: {"composer": Composer()})
    (scenario,) = RewordReasoning().plan(world("en"))
    (inner,) = Composer().plan(world("en"))
    assert scenario.worth > inner.worth
    assert scenario.path == ("composer", "f-1", "f-2")


def test_the_grammars_writers_of_three_types_are_reworded():
    assert {"interval", "order", "measure"} <= set(chat_reword._composers("reasoning"))
    assert {"compose", "compare"} <= set(chat_reword._composers("multi_context"))
    assert "grammar_conditional" in chat_reword._composers("conditional")
    kinds = [part.question_type for part in (RewordReasoning, RewordAcross, RewordConditional)]
    assert kinds == ["reasoning", "multi_context", "conditional"]


def sample_of(question, answer, language="en", steps=()):
    return Sample(
        question=question, golden_answers=(answer,), evidence=evidence_of(world(language), "kell", [(0, 10)]),
        question_type="reasoning", language=language, steps=steps,
    )  # fmt: skip


CHOICE = (
    Step(says="the Kell lighthouse", value="1811", evidence=(0,)),
    Step(says="the Maro lighthouse", value="1833", evidence=(0,)),
    Step(says="Which?", value="the Kell lighthouse", operation="earliest", of=(0, 1)),
)


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("Which one was built first, the Kell lighthouse or the Maro lighthouse?", ""),
        ("Of the Kell lighthouse and the Maro lighthouse, which was built earlier?", ""),
        ("Which was built last, the Kell lighthouse or the Maro lighthouse?", "opposite"),
        ("Which was built first, the Kell lighthouse or the other one?", "Maro"),
    ],
)
def test_a_choice_keeps_its_options_and_its_direction(question, complaint):
    composed = sample_of(
        "Which was built first, the Kell lighthouse or the Maro lighthouse?", "the Kell lighthouse", steps=CHOICE
    )
    found = lost(composed, question, world("en").graph)
    assert (complaint in found) if complaint else found == ""


@pytest.mark.parametrize(
    ("language", "before", "after", "kept"),
    [
        ("en", "What happens unless you call `close`?", "What happens if you do not call `close`?", False),
        ("en", "What happens unless you call `close`?", "Unless you call `close`, what happens?", True),
        ("en", "What happens if you call `close`?", "What happens when you call `close`?", True),
        ("en", "What happens if you call `close`?", "What happens when you call `open`?", False),
        ("en", "When can the lamp only be lit?", "When can the lamp be lit?", False),
        ("zh-Hans", "只有在什么情况下才会点灯？", "在什么情况下会点灯？", False),
        ("zh-Hans", "如果下雾，看守人做什么？", "一旦下雾，看守人会做什么？", True),
        ("zh-Hant", "除非下霧，否則看守人做什麼？", "如果下霧，看守人做什麼？", False),
    ],
)
def test_conditions_stay(language, before, after, kept):
    assert (lost(sample_of(before, "something else", language), after, world(language).graph) == "") == kept


@pytest.mark.parametrize(
    ("language", "before", "after", "kept"),
    [
        ("en", "Who built the lighthouse on the reef?", "By whom was the lighthouse on the reef built?", True),
        ("en", "Who built the lighthouse on the reef?", "What is the lighthouse built on the reef called?", False),
        ("en", "When was the lighthouse on the reef lit?", "In which year was the lighthouse on the reef lit?", True),
        ("en", "Under what condition is the lamp lit?", "In which case is the lamp lit?", True),
        ("en", "Under what condition is the lamp lit?", "When is the lamp lit?", True),
        ("en", "Under what condition is the lamp lit?", "What condition is the lamp lit?", False),
        ("en", "How long was the lamp lit?", "When was the lamp lit?", False),
        ("en", "How many years after it was begun was the tower completed?",
         "How many years after it was begun did the tower complete?", False),
        ("en", "How many years after it was begun did the tower fall?",
         "How many years after it was begun did the tower fall down?", True),
        ("zh-Hans", "谁建造了礁石上的灯塔？", "礁石上的灯塔是谁建造的？", True),
        ("zh-Hans", "谁建造了礁石上的灯塔？", "礁石上建造的灯塔叫什么？", False),
        ("zh-Hant", "守塔人在什麼情況下點亮燈塔？", "守塔人什麼時候點亮燈塔？", True),
        ("zh-Hant", "燈塔亮了多少年？", "燈塔哪一年亮了？", False),
    ],
)  # fmt: skip
def test_what_is_asked_for_stays(language, before, after, kept):
    assert (lost(sample_of(before, "something else", language), after, world(language).graph) == "") == kept


def test_an_entity_of_the_evidence_is_named_in_one_of_its_spellings():
    material = world("en")
    material.graph.add_entity(Entity(entity_id="e-b", name="lamp oil", kind="term", surface_forms=("lamp oil",)))
    material.graph.relate(Relationship(source_id="c-kell", target_id="e-b", kind="mentions"), [(0, 3)])
    composed = sample_of("How much lamp oil does a keeper burn in winter?", "40 litres")
    assert "lamp oil" in lost(composed, "How much oil does a keeper burn in winter?", material.graph)
    assert lost(composed, "In winter, how much lamp oil does a keeper burn?", material.graph) == ""


def test_a_reply_that_is_longer_than_a_question_is_none():
    long = "How many years, by the calendar and in all weathers, " * 5 + "after the Kell lighthouse was Maro built?"
    assert "length" in lost(sample_of(COMPOSED["en"][0], "22 years"), long, world("en").graph)
