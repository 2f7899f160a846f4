"""What the author makes of the drafts of a language pack."""

from __future__ import annotations

import pytest

from synth.grammar.author import drafts
from synth.grammar.reading import Reading
from tests.corpus import document


@pytest.mark.parametrize("told", ["You can open it at night.", "You can open {{ gate }} at night."])
def test_an_answer_with_a_tag_of_a_template_is_left_out(told: str) -> None:
    found = drafts(Reading(document("d.md", f"# Mill\n\n## Can I open the Mill Gate?\n\n{told}\n")))
    assert bool(found) is ("{{" not in told)


def test_a_question_with_two_answers_is_worth_nothing() -> None:
    asked = "## Can I open the Mill Gate?\n\nYou can open it {} the night.\n\n"
    (once,) = drafts(Reading(document("d.md", asked.format("in"))))
    (twice,) = drafts(Reading(document("d.md", asked.format("in") + asked.format("after"))))
    assert once.worth > 0
    assert once.question == twice.question
    assert twice.worth == 0
