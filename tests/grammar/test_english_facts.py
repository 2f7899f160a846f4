"""What the English grammar states as facts, and what it does not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.english.assertions import assertions
from synth.grammar.reading import Reading
from synth.records import Document, Fact, Term, text_hash
from synth.text.markup import plain


def read(text: str, format: str = "markdown") -> list[Fact]:
    document = Document(
        doc_id="guide.md",
        source="guide.md",
        title="guide",
        text=text,
        content_hash=text_hash(text),
        metadata={"format": format},
    )
    return assertions(Reading(document))


def shown(fact: Fact) -> tuple[str, str, str]:
    """Subject, relation with "not" and modal, object."""
    words = [fact.modal, "not" if fact.negated else "", fact.relation]
    return fact.subject.text, " ".join(filter(None, words)), fact.object.text if fact.object else ""


def limits(fact: Fact) -> set[tuple[str, str]]:
    return {(term.kind, term.text) for term in fact.qualifiers}


STATED = [
    (
        "Paula Reyes designed the Lantern Bridge in 1921.",
        ("Paula Reyes", "design", "the Lantern Bridge"),
        {("time", "in 1921")},
    ),
    (
        "The Lantern Bridge was built by the Harbour Trust from 1901 to 1904.",
        ("the Lantern Bridge", "be built by", "the Harbour Trust"),
        {("time", "from 1901 to 1904")},
    ),
    (
        "Marie Lavalle was born in Porto in 1890.",
        ("Marie Lavalle", "be born in", "Porto"),
        {("time", "in 1890")},
    ),
    ("Marie Lavalle was born in 1890.", ("Marie Lavalle", "be born in", "1890"), {("time", "in 1890")}),
    ("The Lantern Bridge was completed in 1811.", ("the Lantern Bridge", "be completed", ""), {("time", "in 1811")}),
    ("The Northern Railway does not carry cattle.", ("the Northern Railway", "not carry", "cattle"), set()),
    ("The Northern Railway never reached Halden.", ("the Northern Railway", "not reach", "Halden"), set()),
    (
        "Riders must wear a helmet when the wind exceeds 40 knots.",
        ("riders", "must wear", "a helmet"),
        {("condition", "when the wind exceeds 40 knots")},
    ),
    (
        "Visitors cannot enter the Great Tower without a guide.",
        ("visitors", "can not enter", "the Great Tower"),
        {("condition", "without a guide")},
    ),
    (
        "The Halden expedition was abandoned because the ship had lost its rudder.",
        ("the Halden expedition", "be abandoned", ""),
        {("reason", "because the ship had lost its rudder")},
    ),
    (
        "The Northern Railway closed in 1931 due to the flood of the Veld.",
        ("the Northern Railway", "close", ""),
        {("time", "in 1931"), ("reason", "due to the flood of the Veld")},
    ),
    (
        "The Harbour Trust built the Lantern Bridge to protect the harbour.",
        ("the Harbour Trust", "build", "the Lantern Bridge"),
        {("purpose", "to protect the harbour")},
    ),
    ("The Great Tower is 93 metres tall.", ("the Great Tower", "be", "93 metres tall"), {("quantity", "93 metres")}),
    (
        "The Northern Railway operates 214 stations.",
        ("the Northern Railway", "operate", "214 stations"),
        {("quantity", "214 stations")},
    ),
    (
        "The Northern Railway usually carries timber.",
        ("the Northern Railway", "carry", "timber"),
        {("time", "usually")},
    ),
    (
        "The Milden lighthouse is also known as the Old Candle.",
        ("the Milden lighthouse", "be known as", "the Old Candle"),
        set(),
    ),
    ("The `Cursor` class can read compressed tables.", ("the Cursor class", "can read", "compressed tables"), set()),
    (
        "`RowReader` inherits directly from `TableReader`.",
        ("RowReader", "inherit from", "TableReader"),
        {("manner", "directly")},
    ),
    (
        "By default, `fetch()` uses a timeout of 30 seconds.",
        ("fetch()", "use", "a timeout of 30 seconds"),
        {("condition", "by default")},
    ),
    (
        "Unless you pass `strict`, `fetch()` ignores broken links.",
        ("fetch()", "ignore", "broken links"),
        {("condition", "unless you pass strict")},
    ),
    (
        "If you declare a default value, the parameter becomes optional.",
        ("the parameter", "become", "optional"),
        {("condition", "if you declare a default value")},
    ),
    (
        "You can limit the number of workers by setting `max_workers`.",
        ("you", "can limit", "the number of workers"),
        {("manner", "by setting max_workers")},
    ),
    (
        "Otto Brandt was a Swiss botanist who studied alpine mosses.",
        ("Otto Brandt", "be", "a Swiss botanist who studied alpine mosses"),
        set(),
    ),
]

GENTLE = [
    (
        "The Lantern Bridge was founded on piles, but in 1931 the Harbour Trust – nobody knows why – sold the Old Mill.",
        [("the Lantern Bridge", "be founded on", "piles")],
    ),
    ("A flood destroyed the Milden Bridge in February 1958.", [("a flood", "destroy", "the Milden Bridge")]),
    (
        "In 1921 we moved; the Harbour Trust sold the Old Mill in 1931.",
        [("the Harbour Trust", "sell", "the Old Mill")],
    ),
    (
        "You can use `Cursor` to read compressed tables.",
        [("you", "can use", "Cursor")],
    ),
    (
        "The Lantern Bridge was opened in 1904 and was closed in 1931 by the Harbour Trust.",
        [("the Lantern Bridge", "be opened", ""), ("the Lantern Bridge", "be closed by", "the Harbour Trust")],
    ),
    ("There are 14 lifts in the Great Tower.", [("the Great Tower", "have", "14 lifts")]),
    ("Halden, founded in 1786, lies on the Veld.", [("Halden", "be founded", ""), ("Halden", "lie on", "the Veld")]),
]

TWOFOLD = [
    (
        "Vera Holm, a Danish painter, moved to Lisbon in 1931.",
        [("Vera Holm", "be", "a Danish painter"), ("Vera Holm", "move to", "Lisbon")],
    ),
    (
        "The Lantern Bridge is 120 metres long and carries 8,000 cars.",
        [("the Lantern Bridge", "be", "120 metres long"), ("the Lantern Bridge", "carry", "8,000 cars")],
    ),
    (
        "Marie Lavalle, who founded the Harbour Museum, was born in Porto.",
        [("Marie Lavalle", "be born in", "Porto"), ("Marie Lavalle", "found", "the Harbour Museum")],
    ),
]

UNSTATED = [
    "In 1806 Parliament passed the necessary Act.",
    "The company opened a new office in 1921.",
    "It has 40 rooms and two lifts.",
    "This tower has 40 rooms and two lifts.",
    "Is the Great Tower taller than the Old Mill?",
    "Many people believe that the Great Tower is haunted.",
    "According to Mara Lind, the Great Tower is the oldest.",
    "The Seed Archive would close its doors in 1910.",
    "The Seed Archive only accepts dry seeds.",
    "The Seed Archive may have burned in 1802.",
    "The Great Tower is no longer open to visitors.",
    "Neither the Great Tower nor the Old Mill has a lift.",
    "Some visitors climb the Great Tower at night.",
    "A keeper lit the lamp of the tower in 1811.",
    "- Fix the reading of empty tables in `Cursor`. PR [#12](https://forge.test/pull/12) by @helper.",
    "## 0.4.2\n\n`Cursor` reads compressed tables from an archive.",
    "## The Great Tower of Porto has 40 rooms",
    "```\nThe Northern Railway operates 214 stations.\n```",
    "You can declare a table.",
    "When you open a table, `Cursor` creates a lock for it.",
]


@pytest.mark.parametrize(("text", "core", "qualifiers"), STATED, ids=[row[0] for row in STATED])
def test_the_fact_of_a_sentence(text: str, core: tuple[str, str, str], qualifiers: set[tuple[str, str]]) -> None:
    facts = {shown(fact): fact for fact in read(text)}
    assert list(facts) == [core]
    assert limits(facts[core]) == qualifiers


@pytest.mark.parametrize(("text", "cores"), TWOFOLD, ids=[row[0] for row in TWOFOLD])
def test_every_sound_clause_is_a_fact(text: str, cores: list[tuple[str, str, str]]) -> None:
    assert sorted(shown(fact) for fact in read(text)) == sorted(cores)


@pytest.mark.parametrize(("text", "cores"), GENTLE, ids=[row[0] for row in GENTLE])
def test_a_sound_clause_in_a_sentence_that_is_none(text: str, cores: list[tuple[str, str, str]]) -> None:
    assert sorted(shown(fact) for fact in read(text)) == sorted(cores)


def test_what_is_read_gently_is_trusted_less() -> None:
    (strict,) = read("Paula Reyes designed the Lantern Bridge in 1921.")
    (gentle,) = read("A flood destroyed the Milden Bridge in February 1958.")
    assert 0.6 <= gentle.trust <= 0.8 < strict.trust


FILM = (
    "The Last Tram is a 1931 Danish drama film directed by Otto Brandt and starring Vera Holm, Aino Berg and Mara Lind."
)


def test_the_participles_of_a_definition() -> None:
    told = {shown(fact) for fact in read(FILM, "passage")}
    assert {
        ("The Last Tram", "be directed by", "Otto Brandt"),
        ("The Last Tram", "star", "Vera Holm, Aino Berg and Mara Lind"),
        ("The Last Tram", "be released", ""),
    } <= told


def test_a_maker_of_something_else_is_not_the_topics() -> None:
    facts = read("The Last Tram is a 1931 Danish film about a novel written by Otto Brandt.", "passage")
    assert "be written by" not in {fact.relation for fact in facts}


def test_the_film_is_the_film_that_the_passage_is_about() -> None:
    text = f"{FILM} The film was shown in Porto in 1932. It won the Harbour Prize."
    shown_in = next(fact for fact in read(text, "passage") if fact.relation == "be shown in")
    assert shown_in.subject.text == "The Last Tram"
    assert shown_in.spans == ((0, len(FILM)), (len(FILM) + 1, text.index(" It won")))
    assert ("The Last Tram", "win", "the Harbour Prize") in {shown(fact) for fact in read(text, "passage")}


def test_the_mother_of_whom_the_passage_is_about() -> None:
    text = "Otto Brandt (born 3 May 1811) was a Swiss botanist. His mother was a painter."
    assert ("Otto Brandt's mother", "be", "a painter") in {shown(fact) for fact in read(text, "passage")}


def test_a_pronoun_after_another_person_is_not_resolved() -> None:
    text = "Otto Brandt was a Swiss botanist. Vera Holm met many painters. He moved to Porto in 1840."
    assert "move to" not in {fact.relation for fact in read(text, "passage")}


TABLE = """| Boat | Built | Length (m) | Passengers | Note |
| --- | --- | --- | --- | --- |
| MV Heron | 1996 | 11 | 40 | See below. |
"""


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("Kell Rock Lighthouse", "the Kell Rock Lighthouse"),
        ("Holm Railway", "the Holm Railway"),
        ("The Dale Canal", "The Dale Canal"),
        ("Tower Bridge", "Tower Bridge"),
        ("MV Heron", "MV Heron"),
    ],
)
def test_a_name_in_a_cell_has_its_article_in_a_sentence(name: str, spoken: str) -> None:
    built, length = read(f"| Thing | Built | Length (m) |\n| --- | --- | --- |\n| {name} | 1996 | 11 |\n")
    assert (built.subject.text, built.wording["inverted"]) == (spoken, f"was {spoken} built")
    assert length.subject.text == f"the length of {spoken}"


def test_the_rows_of_a_table() -> None:
    facts = {shown(fact): fact for fact in read(f"# Boats\n\n{TABLE}\nBoats carry passengers.")}
    assert limits(facts[("MV Heron", "be built", "")]) == {("time", "in 1996")}
    assert ("the length of MV Heron", "be", "11 metres") in facts
    assert ("the number of passengers of MV Heron", "be", "40") in facts
    assert not any("note" in subject for subject, *_ in facts)


def test_an_entry_says_what_a_name_in_code_stands_for() -> None:
    facts = read("Parameters of the page:\n\n- `row_limit`: the largest number of rows.\n- `mode`: see above.\n")
    assert [shown(fact) for fact in facts] == [("row_limit", "be", "the largest number of rows")]


@pytest.mark.parametrize("text", UNSTATED)
def test_what_does_not_stand_alone_is_no_fact(text: str) -> None:
    assert [shown(fact) for fact in read(text)] == []


def test_a_list_is_not_cut() -> None:
    (fact,) = read("The Northern Railway carries timber, ore, coal, and the mail of Halden.")
    assert fact.object is not None
    assert fact.object.text == "timber, ore, coal, and the mail of Halden"
    assert read("The Harbour Trust owns a crane, which lifts stone, and two barges, which carry timber.") == []


def test_a_condition_is_not_lost_with_the_clause_that_shares_it() -> None:
    clauses = "the Northern Railway bought the Venn Ferry, and the Harbour Trust sold the Old Mill."
    free = read(f"In 1921 {clauses}")
    assert [shown(fact)[1] for fact in free] == ["buy", "sell"]
    bound = read(f"Unless the records of Halden err, {clauses}")
    assert all(fact.qualifier("condition") for fact in bound)


def test_a_life_in_parentheses() -> None:
    facts = read("Otto Brandt (3 May 1811 – 1880) was a Swiss botanist.", "text")
    assert {shown(fact) for fact in facts} == {
        ("Otto Brandt", "be born on", "3 May 1811"),
        ("Otto Brandt", "die in", "1880"),
        ("Otto Brandt", "be", "a Swiss botanist"),
    }
    assert {fact.subject.kind for fact in facts} == {"person"}


def test_a_span_of_years_that_is_no_life() -> None:
    facts = read("Otto Brandt (1811 – 1815) was a Swiss botanist.", "text")
    assert [shown(fact) for fact in facts] == [("Otto Brandt", "be", "a Swiss botanist")]


def test_a_pronoun_is_proved_by_the_sentence_before() -> None:
    first = "Mara Lind founded the Seed Archive in 1901."
    text = f"{first} She moved the Seed Archive to Uppsala in 1910."
    moved = next(fact for fact in read(text) if fact.relation == "move")
    assert moved.subject.text == "Mara Lind"
    assert text[moved.subject.start : moved.subject.end] == "She"
    assert moved.spans == ((0, len(first)), (len(first) + 1, len(text)))
    assert moved.wording["statement"] == "Mara Lind moved the Seed Archive to Uppsala"


def test_a_last_name_is_given_in_full() -> None:
    text = "Aino Berg joined the Northern Railway in 1921. Berg led the Northern Railway from 1930 to 1939."
    led = next(fact for fact in read(text) if fact.relation == "lead")
    assert led.subject.text == "Aino Berg"
    assert text[led.subject.start : led.subject.end] == "Berg"
    assert led.spans == ((47, len(text)),)


def test_wordings_of_an_event() -> None:
    (fact,) = read("Parliament created the Northern Lighthouse Board in 1786.")
    assert dict(fact.wording) == {
        "statement": "Parliament created the Northern Lighthouse Board",
        "inverted": "did Parliament create the Northern Lighthouse Board",
        "predicate": "created the Northern Lighthouse Board",
        "object_gap": "Parliament created",
    }


@pytest.mark.parametrize(
    ("text", "statement", "inverted", "predicate"),
    [
        (
            "The Lantern Bridge was not completed in 1811.",
            "the Lantern Bridge was not completed",
            "was the Lantern Bridge not completed",
            "was not completed",
        ),
        (
            "Riders must wear a helmet when the wind exceeds 40 knots.",
            "riders must wear a helmet",
            "must riders wear a helmet",
            "must wear a helmet",
        ),
        (
            "Visitors cannot enter the Great Tower without a guide.",
            "visitors cannot enter the Great Tower",
            "can visitors not enter the Great Tower",
            "cannot enter the Great Tower",
        ),
        (
            "The Northern Railway doesn't carry cattle.",
            "the Northern Railway does not carry cattle",
            "does the Northern Railway not carry cattle",
            "does not carry cattle",
        ),
        (
            "Cytotoxic drugs destroy the dividing cells of a body.",
            "cytotoxic drugs destroy the dividing cells of a body",
            "do cytotoxic drugs destroy the dividing cells of a body",
            "destroys the dividing cells of a body",
        ),
        (
            "The `Tablekit` package has a `.rows()` method that returns a list.",
            "the Tablekit package has a .rows() method that returns a list",
            "does the Tablekit package have a .rows() method that returns a list",
            "has a .rows() method that returns a list",
        ),
    ],
)
def test_wordings(text: str, statement: str, inverted: str, predicate: str) -> None:
    (fact,) = read(text)
    assert (fact.wording["statement"], fact.wording["inverted"]) == (statement, inverted)
    assert fact.wording["predicate"] == predicate


def test_the_kind_of_thing_that_is_defined() -> None:
    (fact,) = read("Otto Brandt was a Swiss botanist who studied alpine mosses.")
    assert fact.wording["type"] == "Swiss botanist"
    assert fact.object is not None
    assert fact.object.head == "botanist"
    (fact,) = read("The Great Tower is the oldest tower in Porto.")
    assert "type" not in fact.wording


def test_the_preposition_stays_when_its_object_goes() -> None:
    (fact,) = read("Marie Lavalle was born in Porto in 1890.")
    assert fact.wording["object_gap"] == "Marie Lavalle was born in"


def test_code_is_of_its_own_kind_and_keeps_its_backticks_in_the_offsets() -> None:
    text = "`RowReader` inherits directly from `TableReader`."
    (fact,) = read(text)
    assert fact.object is not None
    assert (fact.subject.kind, fact.object.kind) == ("code", "code")
    assert text[fact.object.start : fact.object.end] == "`TableReader`"


_SENTENCES = [text for text, *_ in (*STATED, *TWOFOLD) if "you" not in text.lower()]
_MARKED = ("{}", "**{}**", "- {}", "> {}", "# Towers\n\n{}", "[{}](towers.md)", "{} [More](more.md).")


@st.composite
def pages(draw: st.DrawFn) -> str:
    chosen = draw(st.lists(st.sampled_from(_SENTENCES), min_size=1, max_size=4))
    marked = [draw(st.sampled_from(_MARKED)).format(text) for text in chosen]
    return draw(st.sampled_from(["\n\n", "\n\n\n"])).join(marked)


def terms(fact: Fact) -> list[Term]:
    return [term for term in (fact.subject, fact.object, *fact.qualifiers) if term is not None]


def bare(text: str) -> str:
    """`text` without the halves of marks that a phrase takes with it from a sentence that is marked as a whole."""
    return re.sub(r"\s+", " ", re.sub(r"[\[\]*`]|\(\w+\.md\)", "", text)).strip().casefold()


@settings(max_examples=25)
@given(pages())
def test_every_term_stands_where_it_says(text: str) -> None:
    facts = read(text)
    for fact in facts:
        assert all(0 <= start < end <= len(text) for start, end in fact.spans)
        for term in terms(fact):
            assert any(start <= term.start < term.end <= end for start, end in fact.spans)
            assert bare(plain(text, term.start, term.end).text) == bare(term.text)
        assert 0 < fact.trust <= 1
    assert [fact.spans[-1] for fact in facts] == sorted(fact.spans[-1] for fact in facts)
    assert len({fact.fact_id for fact in facts}) == len(facts)


def test_reading_twice_gives_the_same() -> None:
    text = "\n\n".join(_SENTENCES)
    assert read(text) == read(text)
    assert len(read(text)) >= len(_SENTENCES)


HAPPENED = [
    (
        "Halden College closed its evening school in 1907 as the school was thought to cost the city too much.",
        ("Halden College", "close", "its evening school"),
        "in 1907",
    ),
    (
        "On October 6, 1873, Denmark and Sweden, with support from other northern nations, launched a surprise attack on Prussia.",
        ("Denmark and Sweden", "launch", "a surprise attack on Prussia"),
        "on October 6, 1873",
    ),
    (
        "In 1881, the Veld Company (through its Harbour division) launched the Northern Mail Service.",
        ("the Veld Company", "launch", "the Northern Mail Service"),
        "in 1881",
    ),
    (
        "Otto Brandt charted the Veld River in 1862 calling it the River of Bells because he heard them there.",
        ("Otto Brandt", "chart", "the Veld River"),
        "in 1862",
    ),
    (
        "Hurricane Hilda in 1951 destroyed the Lantern Bridge.",
        ("Hurricane Hilda", "destroy", "the Lantern Bridge"),
        "in 1951",
    ),
    (
        "They kept the rules of the old court until the king issued the Edict of Halden (1685), which ended them.",
        ("the Edict of Halden", "be issued", ""),
        "1685",
    ),
    (
        "The fleet of the Veld kings was lost at the Battle of Arnholm (1288).",
        ("the Battle of Arnholm", "take place", ""),
        "1288",
    ),
    (
        "Following the Kellerloo massacre of 1819, a number of poets wrote songs about the people of the town.",
        ("the Kellerloo massacre", "take place", ""),
        "1819",
    ),
    (
        "After the founding of the colony of New Halden in 1788, the coast was divided into two halves.",
        ("the colony of New Halden", "be founded", ""),
        "in 1788",
    ),
    (
        "Paula Reyes (1850-1916) translated the work of the older surveyors.",
        ("Paula Reyes", "be born in", "1850"),
        "1850",
    ),
]


@pytest.mark.parametrize(("sentence", "core", "time"), HAPPENED)
def test_what_happened_at_a_date_is_stated(sentence: str, core: tuple[str, str, str], time: str) -> None:
    dated = {shown(fact): limits(fact) for fact in read(sentence) if fact.qualifier("time")}
    assert core in dated
    assert ("time", time) in dated[core]


@pytest.mark.parametrize(
    "sentence",
    [
        "Paula Reyes said that the Harbour Trust had built the Lantern Bridge in 1901.",
        "If the Harbour Trust built the Lantern Bridge in 1901, the ferry was sold before that.",
        "According to the novel, the Harbour Trust built the Lantern Bridge in 1901.",
        "The Harbour Trust would have built the Lantern Bridge in 1901 with money from the Crown.",
        "The Harbour Trust probably built the Lantern Bridge in 1901 as the ferry was old.",
        "The planned founding of the colony of New Halden in 1788 came to nothing.",
    ],
)
def test_what_is_only_reported_or_possible_did_not_happen(sentence: str) -> None:
    assert not [fact for fact in read(sentence) if fact.qualifier("time")]


def test_the_year_of_a_lost_film_is_its_release() -> None:
    text = "The Bride of Halden is a lost 1921 Danish silent film directed by Otto Brandt."
    released = [fact for fact in read(text, "passage") if fact.relation == "be released"]
    assert [limits(fact) for fact in released] == [{("time", "1921")}]


def test_a_title_in_quotation_marks_may_be_the_object() -> None:
    (fact,) = read('On April 18, 1914, Paula Reyes performed the song "The Heart" in Porto.')
    assert shown(fact)[2].startswith('the song "The Heart"')
