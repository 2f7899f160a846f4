"""What the English author asks, and what it leaves alone."""

from __future__ import annotations

import re

import pytest

from synth.core.records import Document, Draft, text_hash
from synth.grammar.english.author import PATTERNS
from synth.grammar.reading import Reading
from synth.text.markup import plain
from tests.grammar.sentences import drafts


def read(text: str, format: str = "markdown") -> list[Draft]:
    document = Document(
        doc_id="guide.md",
        source="guide.md",
        title="guide",
        text=text,
        content_hash=text_hash(text),
        metadata={"format": format},
    )
    return drafts(Reading(document))


def asked(text: str) -> dict[str, str]:
    return {draft.question: draft.golden_answers[0] for draft in read(text) if draft.worth}


STATED = [
    (
        "Marie Lavalle founded the Harbour Museum in Porto in 1921.",
        "When did Marie Lavalle found the Harbour Museum in Porto?",
        "1921",
    ),
    ("The Treaty of Almere was signed in 1721.", "In what year was the Treaty of Almere signed?", "1721"),
    ("The Northern Railway operates 214 stations.", "How many stations does the Northern Railway operate?", "214"),
    (
        "Otto Brandt was a Swiss botanist who studied alpine mosses.",
        "Who was Otto Brandt?",
        "a Swiss botanist who studied alpine mosses",
    ),
    (
        "About 12% of the population of Norway speaks Low Marish.",
        "What percentage of the population of Norway speaks Low Marish?",
        "About 12%",
    ),
    ("The Great Tower is 93 metres tall.", "How tall is the Great Tower?", "93 metres"),
    ("Paula Reyes died in 1957.", "When did Paula Reyes die?", "1957"),
    (
        "The Harbour Trust answers within 5 working days.",
        "Within how many working days does the Harbour Trust answer?",
        "5 working days",
    ),
]

MENDED = [
    ("Fellow keeper Mario Ansel has 12 lamps.", "How many lamps does Mario Ansel have?", "12"),
    (
        "The Northern Railway closed just 214 stations in 1921.",
        "How many stations did the Northern Railway close in 1921?",
        "214",
    ),
    ("MV Avocet is a boat of the Venn Line.", "What is MV Avocet?", "a boat of the Venn Line"),
    (
        "Marie Lavalle was a French architect. She opened the Harbour Museum in 1921.",
        "In what year did Marie Lavalle open the Harbour Museum?",
        "1921",
    ),
    (
        "Paula Reyes was an engineer. In 1924 she moved the Lantern Bridge to Porto.",
        "In what year did Paula Reyes move the Lantern Bridge to Porto?",
        "1924",
    ),
    (
        "The Northern Railway, with money from the Bank of Veld, opened a line to Porto in 1931.",
        "When did the Northern Railway open a line to Porto?",
        "1931",
    ),
]


@pytest.mark.parametrize(("text", "question", "answer"), STATED + MENDED)
def test_a_fact_is_asked_for_in_plain_english(text: str, question: str, answer: str) -> None:
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "MV Avocet is the largest boat of the Venn Line.",
        "Nairobi is the capital of Kenya.",
        "Orm Hale was the first keeper of the Kell lighthouse.",
    ],
)
def test_what_picks_one_out_is_not_asked_for_by_its_name(sentence):
    name = sentence.partition(" is ")[0].partition(" was ")[0]
    assert not {f"{begins} {name}?" for begins in ("What is", "Who is", "Who was", "What was")} & asked(sentence).keys()


SILENT = [
    "MillGate is an extension of the Harbour Museum that does just that.",
    "Affected Harbour targets are rolled out to 1% of traffic first, and then in equal incremental steps for the rest of the assigned traffic.",
    "It was founded in 1921 by Marie Lavalle.",
    "This treaty was signed in 1721.",
    "However, they were never built by the Northern Railway.",
    "The company was founded there.",
    "Have you ever wondered who founded the Harbour Museum in 1921?",
    "What a museum Marie Lavalle founded in 1921!",
    "I visited the Harbour Museum in 1921.",
    "For example, Marie Lavalle founded the Harbour Museum in 1921.",
    "The Northern Railway currently operates 214 stations.",
    "The following stations are operated by the Northern Railway:",
    "The Harbour Museum (founded in 1921 was closed by Marie Lavalle.",
    "HARBOUR MUSEUM FOUNDED IN PORTO BY MARIE LAVALLE.",
    "Harbour Museum, Porto.",
    "For more details, see the Harbour Museum guide.",
    "Learn more about the Harbour Museum in the Tablekit docs.",
    "- [Harbour Museum](https://example.org/museum)\n- [Northern Railway](https://example.org/railway)",
    "```python\nmuseum = Museum(founded=1921)\n```",
    "| Museum | Founded |\n| --- | --- |\n| Harbour Museum | 1921 |",
]


@pytest.mark.parametrize("text", SILENT)
def test_what_says_nothing_by_itself_is_left_alone(text: str) -> None:
    assert asked(text) == {}


NEVER = [
    ("Veld opened 14 new mills in every quarter of 2024.", r"^When"),
    ("You can use the same `Cursor` settings to configure the report pages.", r"configure the report pages"),
    ("In the United States, each state determines the price of a licence to teach.", r"each state"),
    ("Paula Reyes died in Porto in 1957 at the age of 81.", r"^(When|In what year)"),
    ("Paula Reyes was born in Valparaiso on 4 May 1876.", r"^(When|Where)"),
    ("Paula Reyes had left the Harbour Trust in 1921.", r"^(When|In what year)"),
    ("Paula Reyes won the Harbour Cup four times in 1921.", r"^(When|In what year)"),
    ("In 1921 Paula opened the Harbour Museum.", r"Paula"),
    ("Reyes was born in Valparaiso.", r"Reyes"),
    ("Paula died in 1957.", r"Paula"),
    ("Paula was a painter. She died in 1957.", r"."),
    ("Marie Lavalle met Paula Reyes in Porto. She opened the Harbour Museum in 1921.", r"open the Harbour Museum"),
    ("A settler named Oursel led the Marish army into Veld.", r"named Oursel"),
    ("The mill works if not opposing the rules of the Harbour Trust.", r"if not"),
    ("The Harbour Museum considers 12 crowns a fair price in 1921.", r"^(When|In what year)"),
    ("The Harbour Museum has announced its end in March 1921.", r"^(When|In what year)"),
    ("MV Avocet is a very old boat.", r"^What is"),
    ("# Blog\n\nYou can define the goal of your blog by reading `goals`.", r"your"),
    ("# Events\n\nYou can enable/disable events by using `start`, `stop` commands.", r"events"),
    ("# Logging\n\nLogging is a compromise between cost and detail.", r"^What is"),
    ("Mario Ansel added 12 lamps.", r"^How many"),
    ("The Harbour Trust hired 400 keepers in 1921.", r"^(When|In what year)"),
    ("A great marble statue of Ansel was completed in 1921.", r"^(When|In what year)"),
    ("The Northern Railway has two ways.", r"^How many"),
    ("The Northern Railway has two bands showing at the stations of Porto.", r"^How many"),
    ("Tablekit is a sophisticated system with many components and tables.", r"^What is"),
    ("Python 2 left the Harbour Trust in 1921. Tables of python are long.", r"python"),
    ("Turabi built a powerful base in Veld with money from the Harbour Bank.", r"turabi"),
]


@pytest.mark.parametrize(("text", "pattern"), NEVER)
def test_a_question_that_leans_or_guesses_is_not_asked(text: str, pattern: str) -> None:
    assert not [question for question in asked(text) if re.search(pattern, question)]


def test_a_pronoun_takes_the_sentence_that_names_it_as_evidence() -> None:
    text = "Marie Lavalle was a French architect. She opened the Harbour Museum in 1921."
    (draft,) = [draft for draft in read(text) if draft.golden_answers == ("1921",)]
    assert [text[start:end] for start, end in draft.spans] == [
        "Marie Lavalle was a French architect.",
        "She opened the Harbour Museum in 1921.",
    ]


def test_only_what_the_text_itself_introduced_is_never_named_in_a_question() -> None:
    assert all("the treaty" not in question for question in asked("The treaty was signed in Almere in 1721."))


def test_a_colon_ends_a_sentence_only_before_code() -> None:
    sentence = "# Museums\n\nMarie Lavalle opened the Harbour Museum in 1921:"
    question = "When did Marie Lavalle open the Harbour Museum?"
    before_code, before_list = "```python\nCursor().read()\n```", "- a hall of ships\n- a hall of lamps"
    assert question in {draft.question for draft in read(f"{sentence}\n\n{before_code}\n")}
    assert question not in {draft.question for draft in read(f"{sentence}\n\n{before_list}\n")}


def test_a_last_name_alone_is_made_whole_from_the_document() -> None:
    text = "Marie Lavalle was a French architect from Lyon.\n\nIn 1921 Lavalle opened the Harbour Museum in Porto."
    assert any("did Marie Lavalle open" in question for question in asked(text))


def test_a_question_that_points_back_with_a_pronoun_is_refused() -> None:
    questions = asked("Marie Lavalle founded it in Porto in 1921.")
    assert all(" it" not in question for question in questions)


def test_markup_stays_out_of_questions_and_answers() -> None:
    text = "The **Lantern Bridge** was designed by [Paula Reyes](https://example.org/reyes) in *1921*."
    for draft in read(text):
        words = draft.question + draft.golden_answers[0]
        assert not any(mark in words for mark in ("*", "[", "](", "http"))


def test_the_best_come_first_and_worth_is_a_share() -> None:
    found = read("\n\n".join(text for text, _, _ in STATED))
    worths = [draft.worth for draft in found]
    assert len(found) > 7
    assert worths == sorted(worths, reverse=True)
    assert all(0 < worth <= 1 for worth in worths)


def test_the_evidence_is_the_sentence_and_holds_the_answer() -> None:
    text = "# Bridges\n\nSome words.\n\nThe **Lantern Bridge** was designed by `Paula Reyes` in 1921. It is old."
    found = read(text)
    assert found
    for draft in found:
        ((start, end),) = draft.spans
        assert text[start:end].startswith("The **Lantern Bridge**")
        assert draft.golden_answers[0] in plain(text, start, end).text


LIVES = [
    (
        "Ada Brandt (4 May 1811 – 3 June 1860) was a Swiss painter.",
        {"When was Ada Brandt born?": "4 May 1811", "When did Ada Brandt die?": "3 June 1860"},
    ),
    ("Otto van Holm (born May 4, 1911) is a Swiss painter.", {"When was Otto van Holm born?": "May 4, 1911"}),
    ("Brandt (4 May 1811 – 3 June 1860) was a Swiss painter.", {}),
    ("The Kell Ferry (1811 – 1860) ran to Orm.", {}),
]


@pytest.mark.parametrize(("text", "questions"), LIVES)
def test_when_somebody_lived_is_asked_of_full_names(text: str, questions: dict[str, str]) -> None:
    assert {draft.question: draft.golden_answers[0] for draft in read(text) if draft.pattern == "life"} == questions


def test_the_subject_that_the_heading_names_stands_in_the_question() -> None:
    text = "# Tablekit\n\n## Reading\n\nThe {} open 12 tables at once."
    assert asked(text.format("workers")) == {}
    assert asked(text.format("Tablekit workers"))


def test_every_draft_names_its_construction() -> None:
    made = {draft.pattern for text, _, _ in STATED + MENDED for draft in read(text)}
    assert made <= set(PATTERNS)
    assert len(made) >= 6


def test_the_same_text_gives_the_same_drafts() -> None:
    text = "\n\n".join(text for text, _, _ in STATED)
    assert read(text) == read(text)


def test_a_section_on_a_component_gives_no_default_of_its_own() -> None:
    def section(told: str) -> str:
        values = {"argo-server": "80px", "argo-repo": "on", "argo-redis": "off"}
        told_of = (f"### {name}\n\n{told}The default value is `{value}`.\n\n" for name, value in values.items())
        return f"# Argo\n\n## Argo Mill\n\nThe Argo Mill is old.\n\n{''.join(told_of)}"

    assert any("argo-server" in question for question in asked(section("")))
    assert not any("argo-server" in question for question in asked(section("The value is taken from `MAX_SIZE_MB`. ")))
