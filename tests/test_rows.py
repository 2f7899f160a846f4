"""What gives way first where rows are missing, and what last."""

from dataclasses import replace
from math import ceil

from synth.core.records import Evidence, Sample, Scenario
from synth.generation.admission import RowCollector, RowLimits, ScenarioResult, TextShares
from synth.generation.question_form import QuestionMix
from synth.generation.quotas import Balance


def candidate(number, doc, tags=()):
    scenario = Scenario(
        scenario_id=f"{doc}-{number}", synthesizer="w", question_type="simple", chunk_ids=(doc,), language="en"
    )
    piece = Evidence(doc_id=doc, doc_hash="h", chunk_id=doc, start=number * 10, end=number * 10 + 5, text="words")
    sample = Sample(
        question=f"What is {doc} number {number}?",
        golden_answers=("words",),
        evidence=(piece,),
        question_type="simple",
        language="en",
        metadata={"pattern": "definition", "tags": list(tags)},
    )
    return ScenarioResult(scenario, (sample,), ())


def test_what_is_tagged_comes_in_before_a_document_has_more_than_its_share():
    room = RowLimits(TextShares(), QuestionMix(), Balance({}, {}, {"copied_wording": 0.0}))
    rows = RowCollector({"simple": 30}, (), room)
    for number in range(12):
        rows.offer(candidate(number, "rich"))
    for number in range(40):
        rows.offer(candidate(0, f"poor{number}", ["copied_wording"]))
    assert len(rows) == 1, "the others wait"
    rows.fill()
    given = [sample.evidence[0].doc_id for sample in rows.samples["simple"]]
    assert len(given) == 30
    assert given.count("rich") <= 2


def test_a_set_that_would_be_short_takes_more_of_a_document():
    rows = RowCollector({"simple": 10}, (), RowLimits(TextShares(), QuestionMix()))
    for number in range(12):
        rows.offer(candidate(number, "rich"))
    rows.fill()
    assert len(rows) == 10


def test_missing_rows_are_taken_from_many_documents_before_more_of_one():
    rows = RowCollector({"simple": 10}, (), RowLimits(TextShares(), QuestionMix()))
    for name, count in (("rich", 20), ("poor", 3), ("middle", 6)):
        for number in range(count):
            rows.offer(candidate(number, name))
    rows.fill()
    given = [sample.evidence[0].doc_id for sample in rows.samples["simple"]]
    assert sorted(map(given.count, ("rich", "middle", "poor"))) == [3, 3, 4]


def test_samples_of_one_document_are_ready_up_to_twice_its_share():
    rows = RowCollector({"simple": 40}, (), RowLimits(TextShares({"rich": 20}, 100), QuestionMix()))
    for name, count in (("rich", 20), ("poor", 6), ("single", 1)):
        for number in range(count):
            rows.offer(candidate(number, name))
    held = len(rows)
    assert rows.ready(2) == {"simple": 16 + 4 + 1 - held}


def test_samples_of_one_document_are_ready_up_to_three_times_its_share_whatever_their_types():
    rows = RowCollector({"simple": 20, "reasoning": 6}, (), RowLimits(TextShares(), QuestionMix()))
    for number in range(16):
        one = candidate(number, "rich")
        kind = ("simple", "reasoning")[number % 2]
        rows.offer(replace(one, samples=tuple(replace(sample, question_type=kind) for sample in one.samples)))
    held = len(rows)
    assert rows.ready(3).total() == ceil(3 * 0.05 * 26) - held
    waiting = [sample for _, sample in rows.waiting if sample.question_type == "reasoning"]
    assert len(waiting) >= 6
    assert rows.needs(waiting[0]), "most of those that wait are on a crowded document"
