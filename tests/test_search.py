"""The search: quotas, and spread over topics and documents."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.records import Scenario
from synth.generation.search import ScenarioPlace, Search


def scenario(number, kind="simple", topic="a", doc="d", worth=0.5, writer="w", sentence=None, pattern=""):
    return Scenario(
        scenario_id=f"{kind}-{number}",
        synthesizer=writer,
        question_type=kind,
        chunk_ids=(topic, doc),
        language="en",
        worth=worth,
        sentences=() if sentence is None else ((doc, sentence),),
        pattern=pattern,
    )


def place(one):
    topic, doc = one.chunk_ids
    return ScenarioPlace(topic, {doc: 1}, one.sentences)


def run(plans, wanted, gives):
    """The scenarios that are chosen, each when it is known what came of the one before."""
    search = Search(plans, wanted, place)
    chosen = []
    while True:
        try:
            chosen.append(search.next())
        except StopIteration:
            return chosen
        assert search.next() is None, "what came of it must be known first"
        search.learn(gives(chosen[-1]))


def test_the_most_promising_come_first_and_the_search_ends_with_the_rows():
    plan = [scenario(n, doc=f"d{n}", topic=f"t{n}", worth=n / 10) for n in range(10)]
    chosen = run({"simple": plan}, {"simple": 3}, lambda one: True)
    assert [one.scenario_id for one in chosen] == ["simple-9", "simple-8", "simple-7"]


def test_a_pattern_that_has_many_rows_makes_room_for_another():
    plan = [scenario(n, doc=f"d{n}", topic=f"t{n}", worth=0.8, pattern="default") for n in range(10)]
    plan += [scenario(n, doc=f"d{n}", topic=f"t{n}", worth=0.7, pattern="option") for n in range(10, 20)]
    plan += [scenario(n, doc=f"d{n}", topic=f"t{n}", worth=0.3, pattern="subject") for n in range(20, 30)]
    chosen = run({"simple": plan}, {"simple": 9}, lambda one: True)
    assert Counter(one.pattern for one in chosen) == {"default": 5, "option": 4}
    tried = run({"simple": plan}, {"simple": 9}, lambda one: one.pattern != "default")
    assert Counter(one.pattern for one in tried)["default"] == 10, "only rows count, not what was tried"


def test_what_gave_nothing_is_made_up_for():
    plan = [scenario(n, doc=f"d{n}") for n in range(10)]
    chosen = run({"simple": plan}, {"simple": 3}, lambda one: one.scenario_id in ("simple-4", "simple-6"))
    assert len(chosen) == 10, "every scenario is tried before the set falls short"


def test_poor_scenarios_wait_for_further_ones():
    asked, portions = [], [[scenario(9, doc="d9", topic="b", worth=0.7, pattern="term")], []]

    def further(rows, short, poor):
        asked.append((rows, short, poor))
        return {"simple": portions.pop(0)} if portions and poor else None

    plan = [scenario(n, doc=f"d{n}", worth=worth, pattern="term") for n, worth in enumerate((0.8, 0.2))]
    search = Search({"simple": plan}, {"simple": 3}, place, further=further)
    chosen = []
    for _ in range(3):
        chosen.append(search.next().scenario_id)
        search.learn(True)
    assert chosen == ["simple-0", "simple-9", "simple-1"]
    assert asked == [(0, [], []), (1, [], ["simple"]), (1, [], []), (2, [], ["simple"]), (2, [], ["simple"])]


def test_further_scenarios_are_asked_for_by_rows_and_by_types_that_have_none_left():
    asked, portions = [], [[scenario(n, doc=f"d{n}", topic="b") for n in (2, 3)], []]

    def further(rows, short, poor):
        asked.append((rows, short))
        return {"simple": portions.pop(0)} if portions and (short or rows) else None

    plan = [scenario(n, doc=f"d{n}") for n in (0, 1)]
    search = Search({"simple": plan}, {"simple": 4}, place, further=further)
    chosen = []
    for _ in range(4):
        chosen.append(search.next())
        search.learn(True)
    with pytest.raises(StopIteration):
        search.next()
    assert asked == [(0, []), (1, []), (1, []), (1, []), (2, []), (3, [])]
    assert sorted(one.scenario_id for one in chosen) == [f"simple-{n}" for n in range(4)]


def test_a_writer_whose_tries_are_all_refused_is_asked_less_and_not_given_up():
    hard = [scenario(n, doc=f"d{n}", topic=f"t{n % 7}", worth=0.9, writer="hard") for n in range(40)]
    easy = [scenario(n, doc=f"d{n}", topic=f"t{n % 7}", worth=0.7, writer="easy") for n in range(40, 80)]
    chosen = run({"simple": hard + easy}, {"simple": 20}, lambda one: one.synthesizer == "easy")
    tried = Counter(one.synthesizer for one in chosen)
    assert tried["easy"] == 20
    assert 0 < tried["hard"] < 15
    last = run({"simple": hard + easy}, {"simple": 80}, lambda one: one.synthesizer == "easy")
    assert len(last) == 80, "what is unlikely is tried in the end"


def test_documents_take_turns_before_one_of_them_is_asked_much_more():
    plan = [
        scenario(f"{doc}{n}", doc=doc, worth=0.9 if doc == "rich" else 0.86)
        for doc in ("rich", "poor")
        for n in range(9)
    ]
    chosen = run({"simple": plan}, {"simple": 8}, lambda one: True)
    assert Counter(one.chunk_ids[1] for one in chosen) == {"rich": 5, "poor": 3}


def test_a_second_question_on_a_sentence_is_tried_last():
    plan = [scenario(n, doc=f"d{n // 2}", worth=0.9, sentence=7) for n in range(8)]
    plan += [scenario(n, doc=f"d{n}", worth=0.1, sentence=7) for n in range(8, 12)]
    chosen = run({"simple": plan}, {"simple": 12}, lambda one: True)
    assert len({one.sentences for one in chosen[:8]}) == 8
    assert len(chosen) == 12


def test_a_sentence_whose_question_was_refused_is_free_again():
    plan = [scenario(n, doc="d", worth=0.9 - n / 10, sentence=7) for n in range(2)] + [scenario(2, doc="e", worth=0.5)]
    chosen = run({"simple": plan}, {"simple": 2}, lambda one: one.scenario_id != "simple-0")
    assert [one.scenario_id for one in chosen] == ["simple-0", "simple-1", "simple-2"]


def test_a_sentence_that_a_row_of_the_set_has_is_tried_last():
    plan = [scenario(0, doc="d", worth=0.9, sentence=7), scenario(1, doc="e", worth=0.1, sentence=7)]
    search = Search({"simple": plan}, {"simple": 1}, place)
    search.hold(ScenarioPlace("other", {"d": 1}, (("d", 7),)))
    assert search.next() == plan[1]


def test_a_great_topic_leaves_room_for_a_small_one():
    plan = [scenario(f"big{n}", topic="big", doc=f"b{n}", worth=0.9) for n in range(90)]
    plan += [scenario(f"small{n}", topic="small", doc=f"s{n}", worth=0.8) for n in range(10)]
    chosen = run({"simple": plan}, {"simple": 20}, lambda one: True)
    assert 3 <= Counter(one.chunk_ids[0] for one in chosen)["small"] <= 7


def test_types_fill_side_by_side():
    plans = {kind: [scenario(n, kind, doc=f"{kind}{n}") for n in range(30)] for kind in ("simple", "reasoning")}
    chosen = run(plans, {"simple": 20, "reasoning": 10}, lambda one: True)
    assert Counter(one.question_type for one in chosen) == {"simple": 20, "reasoning": 10}
    assert Counter(one.question_type for one in chosen[:9]) == {"simple": 6, "reasoning": 3}


SCENARIOS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("stu"), st.sampled_from("defg"), st.floats(0, 1), st.booleans()),
    max_size=60,
)


@given(SCENARIOS, st.integers(1, 10), st.integers(1, 10))
def test_a_larger_set_begins_as_a_smaller_one(made, small, more):
    plan = [scenario(n, "a", topic, doc, worth, pattern=one) for n, (one, topic, doc, worth, _) in enumerate(made)]
    fewer = run({"a": plan}, {"a": small}, lambda one: True)
    assert run({"a": plan}, {"a": small + more}, lambda one: True)[: len(fewer)] == fewer
