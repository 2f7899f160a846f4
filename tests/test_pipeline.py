"""Quotas, order, shares, and that nothing vanishes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.progress import Silent
from synth.core.records import Scenario
from synth.corpus.graph import KnowledgeGraph
from synth.generation.admission import RowGoal
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.base import Filter
from synth.generation.filters.duplicate import Duplicate
from synth.generation.pipeline import Checks, quotas, synthesize
from synth.generation.writer import Writer, WriterContext, Written
from synth.models.chat.base import Message, Request
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.scripted import ScriptedModel
from tests.corpus import corpus, sample

NAMES = ["Alder", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Spruce"]
CORPUS = corpus(**{name: f"The {name} station opened in {1900 + i}." for i, name in enumerate(NAMES)})


class Listed(Writer):
    """Asks one question of each document, in the order of the documents."""

    name = "listed"
    author = "test"
    question_type = "simple"

    def __init__(self, repeats=1):
        self.repeats = repeats

    def plan(self, material):
        for turn in range(self.repeats):
            for chunk in material.corpus.chunks():
                yield Scenario(
                    scenario_id=f"{chunk.doc_id}-{turn}",
                    synthesizer=self.name,
                    question_type="simple",
                    chunk_ids=(chunk.chunk_id,),
                    language="en",
                )

    def write(self, scenario, material):
        chunk = material.corpus.chunk(scenario.chunk_ids[0])
        asked = f"In which year did the {chunk.doc_id} station open?"
        return Written((sample(CORPUS, asked, chunk.text[-5:-1], chunk.text),))


class Asking(Listed):
    """The same, but each question is asked of a model first."""

    def write(self, scenario, material):
        request = Request(purpose="t", prompt="t@0", messages=(Message("user", scenario.scenario_id),))
        completion = yield request
        return Listed.write(self, scenario, material) if completion.text == "yes" else Written()


class NoElms(Filter):
    name = "no_elms"

    def check(self, sample, corpus):
        return self.verdict("Elm" not in sample.question, "an elm", 0.5)


def material(of=CORPUS):
    return WriterContext(
        corpus=of, graph=KnowledgeGraph(), doc_ids=of.doc_ids, prompt=None, know=None, provenance={}, seed=0
    )


def checks(of, filters=()):
    return Checks(filters, [Duplicate()], DifficultyMeasure(of))


def run(synthesizer, n, filters=(), driver=None):
    return synthesize(
        RowGoal(rows={"simple": n}), material(), [synthesizer], checks(CORPUS, filters), driver or Driver({}), Silent()
    )


def test_exactly_as_many_rows_as_wanted_in_the_order_of_the_plan():
    outcome = run(Listed(), 5)
    assert [s.evidence[0].doc_id for s in outcome.samples] == NAMES[:5]
    assert outcome.shortfall == {}


def test_a_larger_set_extends_a_smaller_one():
    assert run(Listed(), 9).samples[:4] == run(Listed(), 4).samples


def test_nothing_vanishes():
    outcome = run(Listed(repeats=2), 20, [NoElms()])
    assert len(outcome.samples) == len(NAMES) - 1
    assert outcome.shortfall == {"simple": 20 - (len(NAMES) - 1)}
    tally = outcome.funnel["simple"]
    assert tally["tried"] == 2 * len(NAMES) == len(outcome.samples) + len(outcome.rejected)
    assert tally["no_elms"] == 2
    assert tally["duplicate"] == len(NAMES) - 1
    elm = next(item for item in outcome.rejected if item.stage == "no_elms")
    assert (elm.reason, elm.score, elm.sample.evidence[0].doc_id) == ("an elm", 0.5, "Elm")


def test_a_row_carries_the_verdicts_of_all_its_filters():
    assert [v.filter for v in run(Listed(), 1, [NoElms()]).samples[0].verdicts] == ["no_elms", "duplicate"]


def test_no_document_takes_more_than_its_share_while_others_have_something_to_give():
    texts = {f"d{i}": f"The {name} station opened in {1900 + i}." for i, name in enumerate(NAMES)}
    texts["big"] = " ".join(f"The {name} harbour opened in {1800 + i}." for i, name in enumerate(NAMES))
    of = corpus(**texts)

    class Greedy(Listed):
        def plan(self, material):
            for number in range(len(NAMES)):
                yield self.scenario("big", number)
            for number in range(len(NAMES)):
                yield self.scenario(f"d{number}", number)

        def scenario(self, doc_id, number):
            return Scenario(
                scenario_id=f"{doc_id}-{number}",
                synthesizer="listed",
                question_type="simple",
                chunk_ids=(),
                language="en",
            )

        def write(self, scenario, material):
            doc_id, _, number = scenario.scenario_id.partition("-")
            name, word = NAMES[int(number)], "harbour" if doc_id == "big" else "station"
            text = next(t for t in texts[doc_id].split(". ") if name in t).rstrip(".")
            asked = f"In which year did the {name} {word} open?"
            return Written((sample(of, asked, text[-4:], text, doc_id),))

    def shares(n):
        outcome = synthesize(RowGoal(rows={"simple": n}), material(of), [Greedy()], checks(of), Driver({}), Silent())
        assert len(outcome.samples) == n
        return Counter(s.evidence[0].doc_id for s in outcome.samples)["big"]

    big = len(texts["big"]) / sum(map(len, texts.values()))
    assert shares(12) <= 12 * big + 1
    assert shares(24) == 12, "what was set aside is used before the set falls short"


def test_the_set_is_the_same_whatever_the_number_of_workers_and_the_order_of_replies():
    def rows(concurrency, replies):
        driver = Driver({"author": ScriptedModel(replies)}, sending=Sending(slots=Slots(concurrency)))
        return run(Asking(), 6, [NoElms()], driver).samples

    def odd(request):
        return "yes" if len(request.messages[0].content) % 2 else "no"

    assert rows(1, odd) == rows(64, odd)
    assert len(rows(1, odd)) == 6


@given(
    st.dictionaries(st.text(min_size=1, max_size=5), st.floats(0.01, 10), min_size=1, max_size=5),
    st.integers(1, 500),
)
def test_quotas_add_up_and_stay_within_one_of_the_shares(types, n):
    counts = quotas(types, n)
    assert sum(counts.values()) == n
    total = sum(types.values())
    assert all(abs(counts[name] - n * share / total) < 1 for name, share in types.items())


@pytest.mark.parametrize(
    ("types", "n", "wanted"),
    [
        ({"simple": 0.4, "reasoning": 0.2, "multi_context": 0.2, "conditional": 0.2}, 10, [4, 2, 2, 2]),
        ({"simple": 1, "reasoning": 1, "multi_context": 1}, 10, [4, 3, 3]),
        ({"simple": 1}, 7, [7]),
    ],
)
def test_quotas(types, n, wanted):
    assert list(quotas(types, n).values()) == wanted
