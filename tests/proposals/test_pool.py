"""Which proved candidates become rows at once."""

from dataclasses import replace

import pytest

from synth.core.records import Evidence, Sample
from synth.corpus.sections import sections
from synth.corpus.twins import Twins
from synth.generation.proposals.candidates import WORTH
from synth.generation.proposals.pool import AskedFacts, Pool, Seats, is_well_rated
from synth.generation.proposals.task import PROPOSE, Candidate, Task
from synth.generation.proposals.turns import turns
from tests.proposals.made import corpus_of, prose

TEXTS = {f"d{n}.md": prose(n) for n in range(2)}
CORPUS = corpus_of(TEXTS)

SAMPLE = Sample(
    question="May keepers sleep at the light if the lamp is electric?",
    golden_answers=("Yes",),
    evidence=(),
    question_type="conditional",
    language="en",
    metadata={"ratings": {"worth": 4, "natural": 4, "matters": 4}},
)


@pytest.mark.parametrize(("kind", "good"), [("conditional", False), ("simple", True)])
def test_a_condition_whose_outcome_the_judge_could_guess_waits_for_a_better_one(kind, good):
    known = replace(SAMPLE, question_type=kind, metadata={**SAMPLE.metadata, "tags": ["closed_book"]})
    assert is_well_rated(SAMPLE)
    assert is_well_rated(known) is good


def test_facts_are_found_by_any_place_until_they_are_removed():
    one, two, three = ("a.md", 0), ("a.md", 60), ("b.md", 0)
    asked = AskedFacts()
    asked.add("row", frozenset((one, two)))
    asked.add("other", frozenset((two,)))
    assert [asked.has(frozenset(places)) for places in ((one,), (one, two, three), (three,), (one, three), ())] == [
        True, True, False, False, False,
    ]  # fmt: skip
    asked.add("row", frozenset((three,)))
    assert [asked.has(frozenset(places)) for places in ((one,), (two,), (three,))] == [False, True, True]
    asked.remove("row")
    asked.remove("row")
    assert not asked.has(frozenset((three,)))


def test_a_fact_is_not_asked_again_in_the_twin_of_its_page_while_others_wait():
    english = "# Fees\n\nThe lighthouse fee is nine euros a month for every member.\n\nGuests of the lighthouse pay nothing.\n"
    chinese = (
        "# 费用\n\n每位会员的灯塔费用是每月九欧元，由会员自己支付。\n\n灯塔的客人不需要支付任何费用，可以随时进入。\n"
    )
    texts = {"fees.en.md": english, "fees.md": chinese}
    corpus = corpus_of(texts)

    def candidate(doc_id, text):
        (section,) = sections(corpus, doc_id)
        start = texts[doc_id].index(text)
        piece = Evidence(doc_id=doc_id, doc_hash="", chunk_id="", start=start, end=start + len(text), text=text)
        sample = replace(SAMPLE, question=text, evidence=(piece,), question_type="simple", metadata={WORTH: 5})
        return Candidate(Task(PROPOSE, (section,), ("simple",)), sample)

    pool = Pool(Twins(corpus))
    row = candidate("fees.en.md", "The lighthouse fee")
    pool.add([row, candidate("fees.md", "每位会员"), candidate("fees.md", "灯塔的客人")])
    assert pool.count("simple") == 3
    pool.take([row])
    assert pool.count("simple") == 1
    assert [one.sample.question for one in pool.best({"simple": Seats(9, 9)}, 1.0, 9, weak=False)] == ["灯塔的客人"]
    pool.give_back(row)
    assert pool.count("simple") == 2


def candidate(name, section, *starts, evolutions=(), worth=5):
    """A simple candidate whose evidence begins at these places of a section."""
    pieces = tuple(
        Evidence(
            doc_id=section.doc_id,
            doc_hash="",
            chunk_id=section.chunk_ids[0],
            start=start,
            end=start + 20,
            text="x" * 20,
        )
        for start in starts
    )
    sample = replace(
        SAMPLE, question=name, question_type="simple", evidence=pieces, evolutions=evolutions, metadata={WORTH: worth}
    )
    return Candidate(Task(PROPOSE, (section,), ("simple",)), sample)


def test_no_two_rows_are_on_the_same_facts_while_others_wait():
    first, second = turns(CORPUS, TEXTS, 0)

    pool, seats = Pool(), {"simple": Seats(9, 9)}
    fact = candidate("A fact?", first, 0)
    pool.add(
        [
            fact,
            candidate("The fact in other words?", first, 0, evolutions=("reword",)),
            candidate("The fact and another?", first, 0, 60, evolutions=("deepen",)),
            candidate("Something else?", first, 60, evolutions=("reword",)),
            candidate("Elsewhere?", second, 0),
        ]
    )

    def names(*, weak):
        return {one.sample.question for one in pool.best(seats, 1.0, 9, weak=weak)}

    assert "Elsewhere?" in names(weak=False)
    assert len(names(weak=False)) == 3
    assert len(names(weak=True)) == 5
    pool.hold([fact.sample])
    assert names(weak=False) == {"Something else?", "Elsewhere?"}
    assert pool.count("simple") == 2


def test_a_plain_fact_is_asked_before_the_facts_of_a_row_are_asked_again():
    first, second = turns(CORPUS, TEXTS, 0)
    pool = Pool()
    pool.add([candidate("The fact again?", first, 0, evolutions=("reword",)), candidate("Plain?", second, 0, worth=2)])
    pool.hold([candidate("The fact?", first, 0).sample])
    seats = {"simple": Seats(1, 1)}
    assert [one.sample.question for one in pool.best(seats, 1.0, 1, weak=True)] == ["Plain?"]
    assert len(pool.best({"simple": Seats(2, 2)}, 1.0, 2, weak=True)) == 2, "at last, the facts are asked again"


def test_of_candidates_as_good_one_on_a_document_with_fewer_rows_comes_first():
    first, second = turns(CORPUS, TEXTS, 0)
    pool, seats = Pool(), {"simple": Seats(9, 9)}
    pool.add(
        [candidate("Best?", first, 0, evolutions=("reword",), worth=5),
         candidate("Next?", first, 60, evolutions=("reword",), worth=5),
         candidate("Elsewhere?", second, 0, evolutions=("reword",), worth=4)]
    )  # fmt: skip

    def names(most):
        return [one.sample.question for one in pool.best(seats, 1.0, most, weak=False)]

    first_chosen = names(1)
    assert first_chosen[0] in ("Best?", "Next?")
    assert names(2) == [*first_chosen, "Elsewhere?"]
    pool.take(pool.best(seats, 1.0, 1, weak=False))
    assert names(1) == ["Elsewhere?"], "a row on the document is being judged"


def test_of_candidates_as_good_one_that_says_yes_comes_first_where_most_rows_say_no():
    first, second = turns(CORPUS, TEXTS, 0)

    def says(answer, section, start):
        one = candidate(f"{answer} {start}?", section, start, evolutions=("reword",))
        return replace(one, sample=replace(one.sample, golden_answers=(answer,)))

    pool, seats = Pool(), {"simple": Seats(9, 9)}
    pool.hold([says("No", first, 200).sample, says("No, never", first, 300).sample])
    pool.add([says("No, it is not", second, 0), says("Yes, it is", first, 0), says("In 1811", first, 60)])
    chosen = [one.sample.golden_answers[0] for one in pool.best(seats, 1.0, 3, weak=False)]
    assert chosen[-1] == "No, it is not", "although its document has no row"
    pool.hold([says("Yes", first, 400).sample, says("Yes, always", first, 500).sample])
    chosen = [one.sample.golden_answers[0] for one in pool.best(seats, 1.0, 3, weak=False)]
    assert chosen[0] == "No, it is not"
