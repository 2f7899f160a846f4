"""Which proved candidates become rows at once."""

from dataclasses import replace

import pytest

from synth.core.records import Sample
from synth.generation.proposals.pool import is_well_rated

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
