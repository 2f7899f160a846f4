"""Questions put together from English facts: tables of facts, and the questions that they give or must not give."""

from __future__ import annotations

import pytest

from synth.grammar.composer import compositions
from synth.grammar.english.composing_rules import composed, conditionals
from synth.grammar.english.compositions import EnglishCompositions
from synth.grammar.reading import Reading
from synth.records import Document, Draft, Fact, Term, text_hash

WORDS = EnglishCompositions()


def term(text: str, kind: str = "", head: str = "") -> Term:
    return Term(text=text, start=0, end=max(1, len(text)), head=head or text.split(" ")[-1], kind=kind)


def fact(
    subject: str | Term,
    relation: str,
    asked: str,
    told: str,
    thing: str | Term | None = None,
    modal: str = "",
    negated: bool = False,
    trust: float = 0.95,
    wording: dict[str, str] | None = None,
    **qualifiers: str,
) -> Fact:
    """A fact of `asked`, its question with S for the subject ("did S build it"), and `told`, its predicate."""
    about = term(subject) if isinstance(subject, str) else subject
    made = {
        "statement": f"{about.text} {told}",
        "inverted": asked.replace("S", about.text, 1),
        "predicate": told,
    }
    return Fact(
        doc_id="d",
        spans=((0, 1),),
        subject=about,
        relation=relation,
        object=term(thing) if isinstance(thing, str) else thing,
        qualifiers=tuple(term(text, kind.rstrip("_")) for kind, text in qualifiers.items()),
        modal=modal,
        negated=negated,
        trust=trust,
        wording={**made, **(wording or {})},
    )


TOWER = term("the Kell Tower", "place", "Tower")
MOLE = term("the Aran Tower", "place", "Tower")
IDA = term("Ida Brun", "person", "Brun")
PER = term("Per Holt", "person", "Holt")
NIGHT = term("The Long Night", "work", "Night")
BOARD = term("the Harbour Board", "organisation", "Board")


def lit(about: Term, time: str) -> Fact:
    return fact(about, "be lit", "was S lit", "was lit", time=time)


def born(about: Term, time: str) -> Fact:
    return fact(about, "be born on", "was S born", "was born", time[3:], time=time)


def died(about: Term, time: str) -> Fact:
    return fact(about, "die on", "did S die", "died", time[3:], time=time)


def joined(about: Term, time: str) -> Fact:
    told = "joined the Harbour Board"
    return fact(about, "join", "did S join the Harbour Board", told, BOARD, time=time)


def built(by: Term, time: str, what: Term = TOWER) -> Fact:
    gap = {"object_gap": f"{by.text} built"}
    return fact(by, "build", f"did S build {what.text}", f"built {what.text}", what, time=time, wording=gap)


def test_english_is_found_by_its_name():
    assert isinstance(compositions("en"), EnglishCompositions)
    assert compositions("fr") is None


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (lit(TOWER, "in 1811"), "When was the Kell Tower lit?"),
        (built(IDA, "in 1790"), "When did Ida Brun build the Kell Tower?"),
        (
            fact("Port Elm", "be captured from", "had S been captured from Norway", "had been captured from Norway",
                 "Norway", time="in 1713"),
            "When was Port Elm captured from Norway?",
        ),
        (
            fact(PER, "be elected", "was S elected mayor of Elm", "was elected mayor of Elm", "mayor of Elm",
                 time="in 1902", place="in Norway"),
            "When was Per Holt elected mayor of Elm in Norway?",
        ),
        (fact(PER, "sign", "did S sign a treaty", "signed a treaty", "a treaty", time="in 1902"), None),
        (
            fact("a bridge", "be opened by", "was S opened by Per Holt", "was opened by Per Holt", PER, time="in 1902"),
            None,
        ),
    ],
)  # fmt: skip
def test_when(told, question):
    assert WORDS.when(told) == question


@pytest.mark.parametrize(
    "told",
    [
        fact(term("Brun", "person"), "die in", "did S die", "died", "1801", time="in 1801"),
        fact(IDA, "live in", "did S live in Elm", "lived in Elm", "Elm", time="in 1801"),
        fact(IDA, "be", "was S the mayor of Elm", "was the mayor of Elm", "the mayor of Elm", time="in 1801"),
        fact(IDA, "build", "can S build the tower", "can build the tower", "the tower", modal="can", time="in 1801"),
        fact(IDA, "paint", "did S paint many boats", "painted many boats", "many boats", time="in 1801"),
        fact(IDA, "join", "did S not join it", "did not join the Board", BOARD, negated=True, time="in 1801"),
        fact(IDA, "be joined", "was S joined the Board", "was joined the Board", "the Board", time="in 1801"),
        fact(TOWER, "be painted", "is S painted", "is painted", time="in 1801"),
        fact(TOWER, "close", "did S close", "closed", time="since 1801"),
        fact(TOWER, "shake", "did S often shake", "often shook", time="often", time_="in 1801"),
        fact(
            "a storm",
            "destroy",
            "did S destroy the iron bridge",
            "destroyed the iron bridge",
            "the iron bridge",
            time="in 1801",
        ),
        fact("Mary- Ann Low", "die in", "did S die", "died", "1801", time="in 1801"),
    ],
)
def test_no_when(told):
    assert WORDS.when(told) is None


@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        (built(IDA, "in 1790"), lit(MOLE, "in 1811"),
         "How many years after Ida Brun built the Kell Tower was the Aran Tower lit?"),
        (built(IDA, "in 1790"), lit(TOWER, "in 1811"), "How many years after Ida Brun built the Kell Tower was it lit?"),
        (fact("a fire", "damage", "did S damage the Kell Tower", "damaged the Kell Tower", TOWER, time="in 1790"),
         lit(TOWER, "in 1811"), "How many years after a fire damaged the Kell Tower was it lit?"),
        (lit(TOWER, "in 1790"), built(IDA, "in 1850"),
         "How many years after the Kell Tower was lit did Ida Brun build it?"),
        (lit(TOWER, "in 1811"), fact(TOWER, "close", "did S close", "closed", time="in 1900"),
         "How many years after the Kell Tower was lit did it close?"),
        (joined(IDA, "in 1801"), died(IDA, "on 3 May 1840"),
         "How many years after joining the Harbour Board did Ida Brun die?"),
        (born(IDA, "on 1 May 1770"), died(IDA, "on 3 May 1840"), "How many years did Ida Brun live?"),
        (born(IDA, "in 1770"), died(IDA, "in 1840"), None),
        (born(IDA, "on 1 May 1770"), joined(IDA, "on 3 May 1840"), None),
        (lit(TOWER, "about 1811"), joined(IDA, "in 1840"), None),
        (lit(TOWER, "in 1811"), joined(term("Brun", "name"), "in 1840"), None),
        (lit(TOWER, "in 1811"), lit(TOWER, "in 1820"), None),
    ],
)  # fmt: skip
def test_interval(earlier, later, question):
    assert WORDS.interval(earlier, later) == question


@pytest.mark.parametrize(
    ("a", "b", "question", "options"),
    [
        (lit(TOWER, "in 1811"), lit(MOLE, "in 1790"),
         "Which tower was lit first, the Kell Tower or the Aran Tower?", ("the Kell Tower", "the Aran Tower")),
        (born(IDA, "on 1 May 1770"), born(PER, "on 3 May 1840"),
         "Who was born first, Ida Brun or Per Holt?", ("Ida Brun", "Per Holt")),
        (joined(IDA, "in 1801"), joined(PER, "in 1820"),
         "Who joined the Harbour Board first, Ida Brun or Per Holt?", ("Ida Brun", "Per Holt")),
        (built(IDA, "in 1790"), built(IDA, "in 1801", MOLE),
         "Which tower did Ida Brun build first, the Kell Tower or the Aran Tower?",
         ("the Kell Tower", "the Aran Tower")),
        (fact(TOWER, "open", "did S open", "opened", time="in 1790"), died(PER, "in 1801"),
         "Which came first, the opening of the Kell Tower or the death of Per Holt?",
         ("the opening of the Kell Tower", "the death of Per Holt")),
        (joined(IDA, "in 1801"), lit(TOWER, "in 1820"),
         "Which happened first, Ida Brun joining the Harbour Board or the Kell Tower being lit?",
         ("Ida Brun joining the Harbour Board", "the Kell Tower being lit")),
        (joined(IDA, "in 1801"), fact(IDA, "visit", "did S visit Elm", "visited Elm", "Elm", time="in 1820"),
         "Which did Ida Brun do first, join the Harbour Board or visit Elm?",
         ("join the Harbour Board", "visit Elm")),
    ],
)  # fmt: skip
def test_first(a, b, question, options):
    choice = WORDS.first(a, b)
    assert choice is not None
    assert (choice.question, choice.options) == (question, options)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (lit(TOWER, "in 1811"), fact(TOWER, "be automated", "was S automated", "was automated", time="in 1950")),
        (born(IDA, "on 1 May 1770"), joined(IDA, "in 1801")),
        (built(IDA, "in 1790"), lit(TOWER, "in 1811")),
        (lit(TOWER, "about 1811"), lit(MOLE, "in 1790")),
    ],
)
def test_nobody_asks_which_came_first_of_a_start_and_what_it_starts(a, b):
    assert WORDS.first(a, b) is None


def tall(about: Term, metres: int) -> Fact:
    size = f"{metres} metres"
    return fact(about, "be", f"is S {size} tall", f"is {size} tall", f"{size} tall", quantity=size)


def rooms(about: Term, number: str, **more: str) -> Fact:
    return fact(about, "have", f"did S have {number} rooms", f"had {number} rooms", f"{number} rooms",
                quantity=f"{number} rooms", **more)  # fmt: skip


def takes(about: str, minutes: int) -> Fact:
    time = f"{minutes} minutes"
    return fact(about, "take", f"does S take {time}", f"takes {time}", time, quantity=time)


def berths(of: str, number: str) -> Fact:
    about = term(f"the number of life rafts of {of}", head="number")
    return fact(about, "be", f"is S {number}", f"is {number}", number, quantity=number)


def people(of: str, number: str) -> Fact:
    about = term(f"the population of {of}", head="population")
    return fact(about, "be", f"is S {number}", f"is {number}", number, quantity=number)


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (tall(TOWER, 35), "How tall is the Kell Tower?"),
        (rooms(TOWER, "24"), "How many rooms did the Kell Tower have?"),
        (rooms(TOWER, "24", time="in 1809"), "How many rooms did the Kell Tower have in 1809?"),
        (takes("the crossing to Elm", 14), "How long does the crossing to Elm take?"),
        (people("Elm", "2,300"), "What is the population of Elm?"),
        (berths("the Dove", "9"), "How many life rafts does the Dove have?"),
        (fact(BOARD, "send", "did S send 500 men north from Elm", "sent 500 men north from Elm",
              "500 men north from Elm", quantity="500 men"), None),
        (fact(TOWER, "show", "does S show two flashes every 10 seconds", "shows two flashes every 10 seconds",
              "two flashes every 10 seconds", quantity="two flashes"),
         "How many flashes does the Kell Tower show every 10 seconds?"),
        (fact(TOWER, "be", "is S 35 metres", "is 35 metres", "35 metres", quantity="35 metres"), None),
        (fact(TOWER, "have", "does S have two more drives", "has two more drives", "two more drives",
              quantity="two more drives"), None),
    ],
)  # fmt: skip
def test_amount(told, question):
    assert WORDS.amount(told) == question


@pytest.mark.parametrize(
    ("a", "b", "more", "difference"),
    [
        (tall(TOWER, 49), tall(MOLE, 35), "Which tower is taller, the Kell Tower or the Aran Tower?",
         "How much taller is the Kell Tower than the Aran Tower?"),
        (rooms(TOWER, "24"), rooms(MOLE, "12"), "Which tower had more rooms, the Kell Tower or the Aran Tower?",
         "How many more rooms did the Kell Tower have than the Aran Tower?"),
        (takes("the crossing to Elm", 14), takes("the crossing to Holm", 6),
         "Which takes longer, the crossing to Elm or the crossing to Holm?",
         "How much longer does the crossing to Elm take than the crossing to Holm?"),
        (people("Elm", "2,300"), people("Holm", "900"),
         "Which has the larger population, Elm or Holm?",
         "How much larger is the population of Elm than that of Holm?"),
        (berths("the Dove", "9"), berths("the Gull", "4"), "Which has more life rafts, the Dove or the Gull?",
         "How many more life rafts does the Dove have than the Gull?"),
        (berths("the Dove", "9"), people("Elm", "4"), None, None),
        (rooms(TOWER, "24", time="in 1809"), rooms(TOWER, "12", time="in 1790"), None,
         "How many more rooms did the Kell Tower have in 1809 than in 1790?"),
        (rooms(TOWER, "24"), fact(MOLE, "have", "did S have 4 lamps", "had 4 lamps", "4 lamps", quantity="4 lamps"),
         None, None),
        (tall(TOWER, 49), rooms(MOLE, "12"), None, None),
    ],
)  # fmt: skip
def test_more_and_difference(a, b, more, difference):
    choice = WORDS.more(a, b)
    assert (choice.question if choice else None) == more
    assert WORDS.difference(a, b) == difference


def parts(text: str) -> Fact:
    return fact(TOWER, "consist of", f"does S consist of {text}", f"consists of {text}", text)


@pytest.mark.parametrize(
    ("told", "items", "question"),
    [
        (parts("a base, a shaft and a lantern"), ("a base", "a shaft", "a lantern"),
         "How many parts does the Kell Tower consist of?"),
        (fact(term("the primary colours", head="colour"), "be", "are S red, green, and blue", "are red, green, and blue",
              "red, green, and blue"), ("red", "green", "blue"), "How many primary colours are there?"),
        (parts("a base and a lantern"), None, None),
        (parts("a base, a shaft and other parts"), None, None),
        (parts("materials such as oak, iron and lead"), None, None),
        (parts("oak, iron or lead"), None, None),
        (fact(TOWER, "store", "does S store oil, rope and coal", "stores oil, rope and coal", "oil, rope and coal"),
         None, None),
    ],
)  # fmt: skip
def test_lists(told, items, question):
    assert WORDS.listed(told) == items
    assert WORDS.how_many(told) == question


def test_what():
    gap = {"object_gap": "the lamp burns"}
    told = fact("the lamp of Kell", "burn", "does S burn whale oil", "burns whale oil", "whale oil", wording=gap)
    assert WORDS.what(told) == "What does the lamp of Kell burn?"
    assert WORDS.what(tall(TOWER, 35)) is None


@pytest.mark.parametrize(
    ("told", "named", "kind", "description"),
    [
        (built(IDA, "in 1790"), IDA, "engineer", "the engineer who built the Kell Tower in 1790"),
        (built(IDA, "in 1790"), IDA, "", "the person who built the Kell Tower in 1790"),
        (built(IDA, "in 1790"), TOWER, "place", "the tower that Ida Brun built in 1790"),
        (fact("FileField", "be", "is S a class that inherits from Form", "is a class that inherits from Form",
              "a class that inherits from Form", wording={"type": "class"}), term("FileField"), "class",
         "the class that inherits from Form"),
        (fact("Tidemark", "be", "is S the ticket system of the Elm Ferry", "is the ticket system of the Elm Ferry",
              "the ticket system of the Elm Ferry"), term("Tidemark"), "", "the ticket system of the Elm Ferry"),
        (fact("Elm", "be", "is S the largest city in Norway, and the oldest", "is the largest city in Norway, and the oldest",
              "the largest city in Norway, and the oldest"), term("Elm"), "", "the largest city in Norway"),
        (fact("Elm", "have", "does S have a harbour in Norway", "has a harbour in Norway", "a harbour in Norway"),
         term("Elm"), "town", None),
        (fact(IDA, "be", "was S a Danish painter", "was a Danish painter", "a Danish painter",
              wording={"type": "Danish painter"}), IDA, "Danish painter", None),
        (fact(TOWER, "overlook", "does S overlook Kell Bay", "overlooks Kell Bay", "Kell Bay"), TOWER, "place", None),
        (fact("Tidemark", "serve", "does S serve your Elm tickets", "serves your Elm tickets", "your Elm tickets"),
         term("Tidemark"), "system", None),
        (died(IDA, "in 1801"), IDA, "engineer", None),
        (fact(NIGHT, "be directed by", "was S directed by Ida Brun", "was directed by Ida Brun", IDA),
         IDA, "", "the director of The Long Night"),
    ],
)  # fmt: skip
def test_described(told, named, kind, description):
    assert WORDS.described(told, named, kind) == description


@pytest.mark.parametrize(
    ("question", "name", "description", "made"),
    [
        ("When was Ida Brun born?", "Ida Brun", "the engineer who built the Kell Tower",
         "When was the engineer who built the Kell Tower born?"),
        ("When was the Kell Tower lit for the first time?", "Kell Tower", "the tower that Ida Brun built", None),
        ("When was the Kell Tower opened?", "Kell Tower", "the tower that stands in Elm",
         "When was the tower that stands in Elm opened?"),
        ("Who works for Tidemark?", "Tidemark", "the ticket system of the Elm Ferry",
         "Who works for the ticket system of the Elm Ferry?"),
        ("Who wrote Ida Brun's letters?", "Ida Brun", "the engineer who built the Kell Tower", None),
        ("What does a Tidemark client need?", "Tidemark", "the ticket system of the Elm Ferry", None),
        ("What does Form data hold in a request?", "Form", "the class that inherits from Base", None),
        ("Who was Ida Brun?", "Ida Brun", "the person who built the Kell Tower", None),
        ("What is the Devil and Ida Brun?", "Ida Brun", "the person who built the Kell Tower", None),
        ("Who moved Tidemark in 1801?", "Tidemark", "the system that serves Elm", None),
        ("Did Elm sell Elm?", "Elm", "the town that Ida Brun left", None),
        ("Who was the engineer Ida Brun?", "Ida Brun", "the person who built the Kell Tower", None),
    ],
)  # fmt: skip
def test_replaced(question, name, description, made):
    assert WORDS.replaced(question, name, description) == made


def ruled(condition: str, **more: object) -> Fact:
    gap = {"object_gap": "Tidemark reports"}
    return fact("Tidemark", "report", "does S report the error TM-4", "reports the error TM-4", "the error TM-4",
                wording=gap, condition=condition, **more)  # type: ignore[arg-type]  # fmt: skip


def stays(modal: str) -> Fact:
    return fact("MV Dove", "stay in", f"{modal} S stay in harbour", f"{modal} stay in harbour", "harbour",
                modal=modal, condition="if the wind exceeds 28 knots")  # fmt: skip


def default(told: str, thing: str | None = None, verb: str = "be") -> Fact:
    lead, _, rest = told.partition(" ")
    if verb == "be":
        return fact("auto-save", f"be {rest}", f"{lead} S {rest}", told, condition="by default")
    return fact("Tidemark", verb, f"does S {verb} {thing}", told, thing, condition="by default",
                wording={"object_gap": f"Tidemark {lead}"})  # fmt: skip


PRIORITY = fact("strict_mode", "take", "does S take priority", "takes priority", "priority",
                condition="if you set both strict_mode and loose_mode")  # fmt: skip


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (ruled("when the boat is full"), "What does Tidemark report when the boat is full?", "the error TM-4"),
        (stays("must"), "What must MV Dove do if the wind exceeds 28 knots?", "stay in harbour"),
        (fact("the gate", "close", "does S close", "closes", condition="if the wind exceeds 45 knots"),
         "What happens if the wind exceeds 45 knots?", "the gate closes"),
        (fact("the gate of Elm", "close", "does S close", "closes", condition="if its clock fails"),
         "What happens to the gate of Elm if its clock fails?", "the gate of Elm closes"),
        (PRIORITY, "Which takes priority if you set both strict_mode and loose_mode?", "strict_mode"),
        (default("is disabled"), "What is auto-save set to by default?", "disabled"),
        (default("uses port 8080", "port 8080", "use"), "What does Tidemark use by default?", "port 8080"),
        (default('uses mode="auto"', 'mode="auto"', "use"), "Which value of mode does Tidemark use by default?",
         '"auto"'),
    ],
)  # fmt: skip
def test_consequence(told, question, answer):
    asked = WORDS.consequence(told)
    assert asked is not None
    assert (asked.question, asked.answer) == (question, answer)


@pytest.mark.parametrize(
    "told",
    [
        ruled("unless the boat is full"),
        ruled("only if the boat is full"),
        ruled("when this happens"),
        ruled("when it is run when needed"),
        ruled("when a client sends more requests"),
        ruled("when you run them"),
        ruled("when the boat is full", trust=0.6),
        ruled("when the boat is full", condition_="if it rains"),
        fact("you", "add", "can S add headers", "can add headers", "headers", modal="can",
             condition="when you return a response", wording={"object_gap": "you can add"}),
    ],
)  # fmt: skip
def test_no_consequence(told):
    assert WORDS.consequence(told) is None


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (ruled("when the boat is full"), "When does Tidemark report the error TM-4?", "when the boat is full"),
        (ruled("if the boat is full"), "Under what condition does Tidemark report the error TM-4?", "the boat is full"),
        (ruled("as long as the boat is full"), "Under what condition does Tidemark report the error TM-4?",
         "the boat is full"),
    ],
)  # fmt: skip
def test_condition(told, question, answer):
    asked = WORDS.condition(told)
    assert asked is not None
    assert (asked.question, asked.answer) == (question, answer)


@pytest.mark.parametrize(
    "told",
    [
        ruled("by default"),
        ruled("when it is full"),
        ruled("unless the boat is full"),
        fact("you", "add", "can S add headers", "can add headers", "headers", modal="can",
             condition="when you return a response", wording={"object_gap": "you can add"}),
        fact("FastFerry", "read", "will S read the file", "will read the file", "the file",
             condition="if you name the type", wording={"object_gap": "FastFerry will read"}),
    ],
)  # fmt: skip
def test_no_condition(told):
    assert WORDS.condition(told) is None


def test_counts_as_answers():
    assert (WORDS.years(1), WORDS.years(12), WORDS.number(3)) == ("1 year", "12 years", "3")


def draft(question: str, answer: str) -> Draft:
    return Draft(question=question, golden_answers=(answer,), spans=((0, 9),), pattern="condition", worth=0.8)


SEND = draft("What should you do if you need to send form data?", "use the data_form parameter")


@pytest.mark.parametrize(
    ("found", "made"),
    [
        (SEND, [
            ("consequence", SEND.question, "use the data_form parameter"),
            ("condition", "Under what condition should you use the data_form parameter?", "you need to send form data"),
        ]),
        (draft("What happens if a reader loses its connection?", "the reader keeps all scans"),
         [("consequence", "What happens if a reader loses its connection?", "the reader keeps all scans")]),
        (draft("What should you do if this happens?", "call support"), []),
        (draft("What happens if a reader fails?", "it will still work"), []),
        (draft("What can you do if you open the page?", "click on the logo"), []),
        (draft("What should you do to receive files?", "install the package"), []),
        (draft("Who said when the war was over?", "Per Holt"), []),
    ],
)  # fmt: skip
def test_conditional_drafts(found, made):
    assert [(one.pattern, one.question, one.golden_answers[0]) for one in composed([found])] == made
    assert all(one.spans == found.spans for one in composed([found]))


def test_no_conditional_draft_where_two_sentences_answer_differently():
    other = draft(SEND.question, "call the form_data function")
    assert [one.pattern for one in composed([SEND, other])] == ["condition", "condition"]


def test_conditionals_of_a_document():
    text = "# Setup\n\nIf you want to send form data, you should use the `data_form` parameter.\n"
    document = Document(
        doc_id="d", source="d", title="d", text=text, content_hash=text_hash(text), metadata={"format": "markdown"}
    )
    (found, turned) = conditionals(Reading(document))
    assert found.question == "What should you do if you want to send form data?"
    assert (turned.question, turned.golden_answers[0]) == (
        "Under what condition should you use the data_form parameter?",
        "you want to send form data",
    )
    assert [text[a:b] for a, b in found.spans] == [text.split("\n")[2]]
