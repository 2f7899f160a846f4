"""The search: quotas, spread over topics and documents, and a choice that does not depend on when replies come."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.records import Scenario
from synth.search import Place, Search


def scenario(number, kind="simple", topic="a", doc="d", worth=0.5, writer="w", sentence=None):
    return Scenario(
        scenario_id=f"{kind}-{number}",
        synthesizer=writer,
        question_type=kind,
        chunk_ids=(topic, doc),
        language="en",
        seed=0,
        worth=worth,
        sentences=() if sentence is None else ((doc, sentence),),
    )


def place(one):
    topic, doc = one.chunk_ids
    return Place(topic, {doc: 1}, one.sentences)


def run(plans, wanted, gives, lag=0, workers=1, patience=0, dropped=()):
    """The scenarios that are chosen when up to `workers` are under way and their outcomes come in order.

    Those whose names are in `dropped` are seen to give nothing as soon as they are named.
    """
    search = Search(plans, wanted, place, lag, patience=patience)
    chosen, waiting, more = [], [], True
    while more or waiting:
        while more and len(waiting) < workers:
            try:
                one = search.next()
            except StopIteration:
                more = False
                break
            if one is None:
                break
            chosen.append(one)
            waiting.append(one)
            if one.scenario_id in dropped:
                search.drop()
        if waiting:
            search.learn(gives(waiting.pop(0)))
    return chosen


def test_the_most_promising_come_first_and_the_search_ends_with_the_rows():
    plan = [scenario(n, doc=f"d{n}", topic=f"t{n}", worth=n / 10) for n in range(10)]
    chosen = run({"simple": plan}, {"simple": 3}, lambda one: True)
    assert [one.scenario_id for one in chosen] == ["simple-9", "simple-8", "simple-7"]


def test_what_gave_nothing_is_made_up_for():
    plan = [scenario(n, doc=f"d{n}") for n in range(10)]
    chosen = run({"simple": plan}, {"simple": 3}, lambda one: one.scenario_id in ("simple-4", "simple-6"))
    assert len(chosen) == 10, "every scenario is tried before the set falls short"


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


@pytest.mark.parametrize("lag", [0, 5])
def test_a_second_question_on_a_sentence_is_tried_last(lag):
    plan = [scenario(n, doc=f"d{n // 2}", worth=0.9, sentence=7) for n in range(8)]
    plan += [scenario(n, doc=f"d{n}", worth=0.1, sentence=7) for n in range(8, 12)]
    chosen = run({"simple": plan}, {"simple": 12}, lambda one: True, lag, workers=lag + 1)
    assert len({one.sentences for one in chosen[:8]}) == 8
    assert len(chosen) == 12


def test_a_sentence_whose_question_was_refused_is_free_again():
    plan = [scenario(n, doc="d", worth=0.9 - n / 10, sentence=7) for n in range(2)] + [scenario(2, doc="e", worth=0.5)]
    chosen = run({"simple": plan}, {"simple": 2}, lambda one: one.scenario_id != "simple-0")
    assert [one.scenario_id for one in chosen] == ["simple-0", "simple-1", "simple-2"]


def test_a_sentence_that_a_row_of_the_set_has_is_tried_last():
    plan = [scenario(0, doc="d", worth=0.9, sentence=7), scenario(1, doc="e", worth=0.1, sentence=7)]
    search = Search({"simple": plan}, {"simple": 1}, place)
    search.hold(Place("other", {"d": 1}, (("d", 7),)))
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


@given(SCENARIOS, st.integers(1, 30), st.integers(1, 12), st.integers(1, 40))
def test_the_choice_does_not_depend_on_how_many_are_under_way(made, wanted, lag, workers):
    plans = {"a": [], "b": []}
    gives = {}
    for n, (kind, topic, doc, worth, kept) in enumerate(made):
        plans[kind].append(scenario(n, kind, topic, doc, worth))
        gives[f"{kind}-{n}"] = kept
    dropped = [name for number, (name, kept) in enumerate(gives.items()) if not kept and number % 2]
    quota = {"a": wanted, "b": wanted}

    def outcome(one):
        return gives[one.scenario_id]

    one_by_one = run(plans, quota, outcome, lag, 1, dropped=dropped)
    assert run(plans, quota, outcome, lag, workers, dropped=dropped) == one_by_one


@given(SCENARIOS, st.integers(1, 10), st.integers(1, 10))
def test_a_larger_set_begins_as_a_smaller_one(made, small, more):
    plan = [scenario(n, "a", topic, doc, worth) for n, (_, topic, doc, worth, _) in enumerate(made)]
    fewer = run({"a": plan}, {"a": small}, lambda one: True)
    assert run({"a": plan}, {"a": small + more}, lambda one: True)[: len(fewer)] == fewer


def test_what_is_seen_to_give_nothing_is_made_up_for_before_anything_else_is_known():
    plan = [scenario(n, doc=f"d{n}", topic=f"t{n}", worth=1 - n / 100) for n in range(40)]
    search = Search({"simple": plan}, {"simple": 5}, place, lag=128)
    named = []
    while (one := search.next()) is not None:
        named.append(one)
        if len(named) <= 3:
            search.drop()
    assert [one.scenario_id for one in named] == [f"simple-{n}" for n in range(9)], "three, and the six for five rows"
    for one in named:
        search.learn(one not in named[:3])
    with pytest.raises(StopIteration):
        search.next()  # of those of which a model was asked all gave rows: no more are begun to be sure


def test_no_more_is_begun_than_the_writers_that_do_well_will_give():
    good = [scenario(n, doc=f"g{n}", worth=0.1, writer="good") for n in range(200)]
    bad = [scenario(n, doc=f"b{n}", worth=0.9, writer="bad") for n in range(200, 230)]
    chosen = run({"simple": good + bad}, {"simple": 40}, lambda one: one.synthesizer == "good", lag=128, workers=64)
    begun = Counter(one.synthesizer for one in chosen)
    assert begun["good"] <= 50, "what is under way at a good writer is counted on, whatever the others give"


def test_a_type_that_gives_no_row_for_long_is_given_up_and_the_others_are_not():
    plan = {kind: [scenario(n, kind=kind, doc=f"d{n}") for n in range(40)] for kind in ("simple", "reasoning")}
    wanted = {"simple": 20, "reasoning": 20}

    def tried(kind, patience):
        chosen = run(plan, wanted, lambda one: one.question_type == "simple", patience=patience)
        return sum(one.question_type == kind for one in chosen)

    assert [tried("reasoning", patience) for patience in (0, 5, 39)] == [40, 5, 39]
    assert [tried("simple", patience) for patience in (0, 5)] == [20, 20]


def test_a_row_makes_patience_whole_again():
    plan = [scenario(n, doc=f"d{n}", worth=1 - n / 100) for n in range(40)]
    chosen = run({"simple": plan}, {"simple": 9}, lambda one: one.scenario_id == "simple-3", patience=5)
    assert len(chosen) == 3 + 1 + 5


@given(st.lists(st.booleans(), min_size=30, max_size=30), st.integers(1, 8), st.integers(1, 8))
@settings(max_examples=50)
def test_giving_up_does_not_depend_on_how_many_are_under_way(kept, workers, lag):
    plan = [scenario(n, doc=f"d{n}", worth=1 - n / 100) for n in range(30)]

    def gives(one):
        return kept[int(one.scenario_id.partition("-")[2])]

    orders = [run({"simple": plan}, {"simple": 30}, gives, lag, count, patience=4) for count in (1, workers)]
    assert orders[0] == orders[1]


def test_a_spread_is_not_looked_for_long_where_enough_samples_wait():
    plan = [scenario(n, doc=f"d{n}", worth=1 - n / 100) for n in range(60)]

    def tried(wanted, patience, waiting):
        search = Search({"simple": plan}, {"simple": wanted}, place, patience=patience)
        for number in range(60):
            try:
                search.next()
            except StopIteration:
                return search, number
            search.learn(False, waits=number < waiting)
        return search, 60

    assert [tried(2, 30, waiting)[1] for waiting in (3, 4)] == [30, 5]
    assert tried(2, 0, 60)[1] == 60
    search, _ = tried(2, 30, 4)
    assert not search.given_up
    assert not search.reopened({}), "those that waited are rows now"
    assert search.reopened({"simple": 1}), "one of them could not be one"
    assert search.next() is not None
    search.learn(False)
    for _ in range(28):
        search.next()
        search.learn(False)
    assert search.next() is not None, "the row made patience whole again"
    search, _ = tried(2, 30, 4)
    assert search.reopened({"simple": 2})
    for _ in range(25):
        search.next()
        search.learn(False)
    with pytest.raises(StopIteration):
        search.next()
    assert not search.reopened({"simple": 2})
    assert search.given_up == ("simple",)
