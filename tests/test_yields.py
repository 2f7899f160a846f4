"""What earlier runs gave is told apart by models, corpus and writer, and a few tries do not count for all."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import yields
from synth.llm.accounts import Accounts
from synth.llm.base import RawReply
from synth.records import Scenario
from synth.rows import PASSED, REFUSED, ROW, WAITS, Outcome, Rejected, Try
from synth.store import Store

DOCUMENTS = [f"d{number}.md" for number in range(40)]

ASKED = {"synthesizers/simple": 1}


class Judge:
    """A gate that asks a model."""

    name = "judge"
    needs_model = True


def scenario(number, writer="w", kind="simple"):
    return Scenario(
        scenario_id=f"{writer}-{number}", synthesizer=writer, question_type=kind, chunk_ids=(), language="en", seed=0
    )


def outcome(ends, writer="w", asked=None, judged=()):
    tries = tuple(
        Try(scenario(number, writer), end, ASKED if asked is None else asked) for number, end in enumerate(ends)
    )
    refused = tuple(Rejected(scenario(number, writer), "judge", "no", None, None) for number in judged)
    return Outcome((), refused, {"simple": 1}, {}, tries=tries)


def spent(calls=10, again=0):
    accounts = Accounts()
    for _ in range(calls):
        accounts.call("synthesizers/simple")
        accounts.reply("synthesizers/simple", RawReply(text="", prompt_tokens=500, completion_tokens=30))
    for _ in range(again):
        accounts.retry("unparsable")
    return accounts.summary()


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "s.sqlite") as opened:
        yield opened


def keep(store, ends, who="m", doc_ids=DOCUMENTS, model=None, **more):
    yields.keep(store, who, doc_ids, outcome(ends, **more), [Judge()], model or spent())


def test_shares_are_those_of_many_tries(store):
    keep(store, [ROW] * 300 + [PASSED] * 100 + [REFUSED] * 600, judged=range(400, 600))
    known = yields.read(store, "m", DOCUMENTS)
    assert known.reached(scenario(0)) == pytest.approx(0.6, abs=0.01)
    assert known.passed(scenario(0)) == pytest.approx(400 / 600, abs=0.01)
    assert known.kept(scenario(0)) == pytest.approx(0.75, abs=0.01)


def test_a_single_try_changes_little(store):
    before = yields.read(store, "m", DOCUMENTS).reached(scenario(0))
    keep(store, [REFUSED])
    after = yields.read(store, "m", DOCUMENTS).reached(scenario(0))
    assert 0.5 * before < after < before


def test_what_ended_before_a_model_was_asked_says_nothing_of_the_model(store):
    keep(store, [REFUSED] * 200, asked={})
    assert yields.read(store, "m", DOCUMENTS).reached(scenario(500)) == yields.Yields().reached(scenario(500))


def test_models_and_writers_and_corpora_are_told_apart(store):
    keep(store, [REFUSED] * 200)
    keep(store, [ROW] * 200, writer="other")
    here = yields.read(store, "m", DOCUMENTS)
    assert here.reached(scenario(0)) < 0.1
    assert here.reached(scenario(0, "other")) > 0.9
    general = yields.read(store, "another model", DOCUMENTS)
    assert general.reached(scenario(0)) == general.reached(scenario(0, "other"))
    keep(store, [ROW] * 200, doc_ids=["elsewhere.md"])
    assert yields.read(store, "m", DOCUMENTS).reached(scenario(0)) < 0.15
    assert yields.read(store, "m", ["elsewhere.md"]).reached(scenario(0)) > 0.9
    assert 0.2 < yields.read(store, "m", ["a third.md"]).reached(scenario(0)) < 0.8


def test_of_a_scenario_that_was_tried_it_is_known_what_becomes_of_it(store):
    keep(store, [ROW, WAITS, REFUSED], asked={"filters/round_trip": 3})
    known = yields.read(store, "m", DOCUMENTS)
    assert [known.fate(scenario(number)) for number in range(3)] == [(1.0, 1.0), (1.0, 0.0), (0.0, 0.0)]
    assert known.outcomes["w-0"] == (ROW, {"filters/round_trip": 3})
    new = scenario(3)
    assert known.fate(new) == (known.reached(new) * known.passed(new), known.kept(new))
    assert known.fate(scenario(0, "other")) != (1.0, 1.0), "the same place with another writer is another scenario"


@given(st.sets(st.integers(0, 39), max_size=8), st.integers(0, 8))
def test_an_edited_corpus_is_known_again(gone, added):
    left = [name for number, name in enumerate(DOCUMENTS) if number not in gone] + [f"new{n}" for n in range(added)]
    assert yields._alike(yields._sketch(DOCUMENTS), yields._sketch(left))
    assert not yields._alike(yields._sketch(DOCUMENTS), yields._sketch(f"o{name}" for name in DOCUMENTS))


def test_what_was_asked_is_counted_by_writer(store):
    keep(store, [ROW] * 100, asked=Counter({"synthesizers/simple": 2, "filters/round_trip": 1}))
    foreseen = {"synthesizers/simple": 1.0, "filters/closed_book": 1.0}
    requests = yields.read(store, "m", DOCUMENTS).requests("simple", "w", foreseen)
    assert requests["synthesizers/simple"] == pytest.approx(2, abs=0.1)
    assert requests["filters/round_trip"] == pytest.approx(1, abs=0.1)
    assert requests["filters/closed_book"] == pytest.approx(0, abs=0.1)
    assert yields.read(store, "m", DOCUMENTS).requests("simple", "unheard of", foreseen) == foreseen


def test_calls_that_mend_others_and_their_tokens_are_counted(store):
    keep(store, [ROW], model=spent(calls=150, again=50))
    known = yields.read(store, "m", DOCUMENTS)
    assert known.calls_a_request == pytest.approx(1.5, abs=0.05)
    assert known.read("synthesizers/simple", 9.0) == pytest.approx(500, rel=0.02)
    assert known.written("synthesizers/simple") == pytest.approx(30, rel=0.02)
    assert known.read("filters/round_trip", 9.0) == 9.0
    yields.keep(store, "m", DOCUMENTS, outcome([REFUSED] * 500), [Judge()], spent(calls=0))
    assert yields.read(store, "m", DOCUMENTS) == known, "a run that asked nothing tells nothing new"
