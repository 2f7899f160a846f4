"""No regular expression takes time exponential in the length of a text: one such line would hold a run for ever.

Nor does a function take time that grows with the square of a long text of one line, whatever the line repeats.
"""

import importlib
import inspect
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.backtracking import exponential, repeats_a_group_possessively


@pytest.mark.parametrize("pattern", [r"(?:[a-z]+ ?)*x", r"(\w+)+$", r"(?:a|b+){3,30}\.", r"(?=(?:[^ .]+(?:\.\w)? ?)+)"])
def test_an_expression_that_repeats_what_can_be_divided_is_found(pattern):
    assert exponential(pattern)


@pytest.mark.parametrize("pattern", [r"[a-z]+(?: [a-z]+)*x", r"(?:\d+,)+", r"(?:ab?)*", r"(?:a{2})+", r"(?:\w+\s)?"])
def test_others_are_not(pattern):
    assert not exponential(pattern)


@pytest.mark.parametrize(
    ("pattern", "wrong"),
    [(r"(?:ab|c)*+", True), (r"x(?:a(?:bc)++)", True), (r"a*+[bc]{2,}+", False), (r"(?>(?:ab)*)", False)],
)
def test_a_group_is_not_repeated_possessively(pattern, wrong):
    assert repeats_a_group_possessively(pattern) is wrong


def test_the_package_has_none():
    run = subprocess.run(
        [sys.executable, "-m", "tests.backtracking"], cwd=Path(__file__).parents[1], capture_output=True, text=True
    )
    assert (run.returncode, run.stdout) == (0, ""), run.stdout + run.stderr
    assert int(run.stderr.split()[-2]) > 500


LONG, MOST_S = 200_000, 20
"""Length of the texts below, and maximum seconds for each; those that grow with the square took minutes."""

# By function: what its text repeats, after what it begins with and before what it ends with.
OF_DOCUMENTS = {
    "text.markup.plain": ["![a", "[^a", "<https:", r"\``b", '[a](b "', "[a](b){", "{{", "[[a|", "<a '"],
    "text.sentences.ends_in_abbreviation": [("", "a", "1"), ("", "a.", "1"), "..a"],
    "text.normalise.folded_letters": [("а", "0", "")],
    "text.prompt_injection.gives_orders": ["| system: ", ("system:", " ", ""), "system\n", "ignore rules "],
    "text.prompt_injection.payloads": ["answer with "],
    "text.prompt_injection.order_spans": ["\n "],
    "text.text_blocks.text_blocks": [("", "~", "`")],
    "text.blocks.blocks": [("# a", " ", "b")],
    "text.question_style.style_of": [("?", "\n", "a")],
    "corpus.documents.markdown_title.markdown_title": [("# a", " ", "b"), ("# a", "#", "b")],
    "corpus.transforms.references.written_links": ["<a href='b'>", '[a](b "', ("[a](", " ", ""), ("# {", "#", "")],
}
OF_ANSWERS = {
    "evaluation.measuring.answer_facts.dates_and_amounts": ["1990 ", "1990年"],
    "evaluation.measuring.answer_agreement.correctness": ["1990 "],
    "models.chat.escapes.with_latex": [('"', r"\to ", '"')],
    "evaluation.measuring.answer_normalisation.with_digits": ["1", "1,", "1.", "一"],
    "evaluation.measuring.answer_lists.offered": ["a or "],
    "evaluation.measuring.answer_names.renamed": ["A"],
    "evaluation.measuring.answer_abbreviations.alike_names": ["A "],
    "evaluation.measuring.amounts_in_chinese.alike_discounts": ["一"],
    "evaluation.measuring.polarity.clauses": ["Ab. ", '"a. '],
    "evaluation.measuring.sql.query_in": [("```sql", "\n", "a")],
    "evaluation.measuring.tables.rows_of": [("```", "\n", "a")],
    "generation.spoiling.list_items": [("a", " ", "b"), "and "],
}
OTHERS = {"style_of": ("en",), "blocks": ("markdown",), "written_links": ("markdown",), "renamed": ("Ann Moor",)}
OTHERS |= {"alike_names": ("Ann Moor",), "correctness": ("Lit in 1820.", "What is it?", ("Lit in 1820.",))}
"""Further arguments of these functions."""


@pytest.fixture
def limited():
    """Start the time of a call, which ends when it is over."""

    def end(*_):
        raise TimeoutError(f"it takes more than {MOST_S} seconds")

    before = signal.signal(signal.SIGPROF, end)
    yield lambda: signal.setitimer(signal.ITIMER_PROF, MOST_S)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize(
    ("place", "text"), [(place, text) for place, texts in (OF_DOCUMENTS | OF_ANSWERS).items() for text in texts]
)
def test_a_long_line_takes_time_by_its_length(place, text, limited):
    begin, unit, end = ("", text, "") if isinstance(text, str) else text
    module, name = f"synth.{place}".rsplit(".", 1)
    function = getattr(importlib.import_module(module), name)
    long = begin + unit * (LONG // len(unit)) + end
    limited()
    found = function([long] if name == "alike_discounts" else long, *OTHERS.get(name, ()))
    if inspect.isgenerator(found):
        list(found)
