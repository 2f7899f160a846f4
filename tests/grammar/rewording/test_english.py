"""English questions in other words than their passage: what is said instead, and what stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.parsing import parse_english
from synth.grammar.rewording import reword
from synth.grammar.rewording.copying import Wording
from synth.grammar.rewording.english_forms import conjugated, plural, with_article
from synth.grammar.rewording.english_lexicon import BY_FRAME
from synth.grammar.rewording.english_openings import other_opening
from synth.grammar.rewording.english_order import other_orders
from synth.text.markup import plain
from synth.text.prose import Sentence

PASSAGE = (
    "The harbour board established the Kell lighthouse in 1911. Marie Orm opposed the plan. The board visited Veld on "
    "3 May 1912. The lamp was replaced, and the tower was hit by the Gull Storm in June 1920. The keepers frequently painted the "
    "tower because of the salt. The request body holds the request body. An attempt to buy the island failed."
)
SAID = [
    (
        "When did the board establish the Kell lighthouse?",
        "1911",
        "In what year was the Kell lighthouse set up by the board?",
    ),
    ("Who opposed the plan?", "Marie Orm", "Who objected to the plan?"),
    ("When did the board visit Veld?", "on 3 May 1912", "On what date did the board travel to Veld?"),
    (
        "When was the tower hit by the Gull Storm?",
        "in June 1920",
        "In what month and year did the Gull Storm strike the tower?",
    ),
    (
        "Why did the keepers frequently paint the tower?",
        "the salt",
        "For what reason did the keepers often paint the tower?",
    ),
    ("What was an attempt to buy?", "the island", "What was an effort to buy?"),
]


@pytest.mark.parametrize(("verb", "turned"), [("reach", False), ("enter", False), ("replace", True)])
def test_nobody_says_that_a_country_was_reached_by_a_lens(verb, turned):
    asked = f"When did the Fresnel lens {verb} Scotland?"
    sentence = Sentence(asked, 0, len(asked), plain(asked, 0, len(asked), markdown=False), (), "paragraph", True)
    (parse,) = parse_english([sentence])
    assert any(" by the Fresnel lens" in made for made in other_orders(parse)) is turned


@pytest.mark.parametrize(("question", "answer", "wanted"), SAID)
def test_the_same_is_asked_in_words_that_the_passage_has_not(question, answer, wanted):
    made = reword(question, "en", [PASSAGE], [], [answer])
    assert made is not None
    assert made.question == wanted
    assert made.changes
    wording = Wording.of([PASSAGE])
    assert wording.copied(made.question) < wording.copied(question)


OPENED = [
    ("What is the gull_mode option used for?", "quiet runs", "What purpose does the gull_mode option serve?"),
    ("What do keepers use lamps for?", "light", "For what purpose do keepers use lamps?"),
    ("What should you use if you need to paint?", "a brush", "What is recommended if you need to paint?"),
    ("What should you use to paint the tower?", "a brush", "What is recommended for painting the tower?"),
    ("What can you use to paint the tower?", "a brush", "What makes it possible to paint the tower?"),
    ("What should you do to reach Kell?", "sail", "What is the recommended way to reach Kell?"),
    ("What happens if the lamp fails?", "a horn sounds", "What is the result if the lamp fails?"),
    ("Where is the tower located?", "Kell", "Where can the tower be found?"),
    ("What are such towers called in Veld?", "gulls", "What name is given to such towers in Veld?"),
    ("What is the KLB?", "the lighthouse board", "What is meant by the KLB?"),
    ("What does Kell consist of?", "two rocks", "What is Kell made up of?"),
]


@pytest.mark.parametrize(("question", "answer", "wanted"), OPENED)
def test_a_question_has_another_beginning(question, answer, wanted):
    assert other_opening(question, [answer]) == wanted


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When did the board meet?", "between 1911 and 1920"),
        ("When did the board meet?", "after the storm"),
        ("What is Veld?", "a town on the coast"),
        ("What is the gull_mode option?", "a switch for quiet runs"),
        ("How many keepers are there?", "3"),
        ("How long is the pier?", "3 km"),
    ],
)
def test_an_answer_that_the_other_beginning_does_not_ask_for_leaves_it_as_it_is(question, answer):
    assert other_opening(question, [answer]) is None


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who opposed the plan?", ["opposed the plan"]),
        ('Who said "oppose the plan"?', []),
        ("Who opposed-by?", []),
    ],
)
def test_names_quotations_and_parts_of_words_stay(question, kept):
    assert reword(question, "en", [PASSAGE], kept, ["Marie Orm"]) is None


def test_what_the_passage_has_not_is_left_alone():
    assert reword("Who opposed the plan?", "en", ["Nothing of the kind."], [], ["Marie Orm"]) is None


@pytest.mark.parametrize(
    ("question", "made"),
    [
        ("In what year was the Northern Light Board created by Parliament?", None),
        ("Who created the map?", "Who made the map?"),
    ],
)
def test_a_body_that_was_created_was_not_made(question, made):
    told = ["In 1786 Parliament created the Northern Light Board, which created the map."]
    reworded = reword(question, "en", told, [], ["1786"])
    assert (reworded.question if reworded else None) == made


def test_a_term_of_the_passage_stays():
    told = ["The wide area network. A wide area network links the islands."]
    assert reword("Who built the wide area network?", "en", told, [], ["Orm"]) is None


@pytest.mark.parametrize("language", ["other", "fr"])
def test_other_languages_are_left_alone(language):
    assert reword("Who opposed the plan?", language, [PASSAGE], [], []) is None


WORDS = st.sampled_from([question for question, _, _ in SAID])


@settings(max_examples=25)
@given(WORDS, st.lists(st.sampled_from(PASSAGE.replace(".", "").split()), max_size=4))
def test_what_is_to_be_kept_comes_out_as_it_went_in_and_always_alike(question, keep):
    made = reword(question, "en", [PASSAGE], keep, ["1911"])
    assert made == reword(question, "en", [PASSAGE], keep, ["1911"])
    if made is not None:
        assert made.question.endswith("?")
        assert made.question[0].isupper()
        assert all(one in made.question for one in keep if one in question)


FORMS = [
    ("set up", "VBD", "set up"),
    ("set up", "VBG", "setting up"),
    ("bring about", "VBN", "brought about"),
    ("begin", "VBN", "begun"),
    ("take place", "VBZ", "takes place"),
    ("carry out", "VBD", "carried out"),
    ("carry out", "VBZ", "carries out"),
    ("strike", "VBN", "struck"),
    ("forbid", "VBN", "forbidden"),
    ("permit", "VBG", "permitting"),
    ("make public", "VBN", "made public"),
    ("get", "VBD", "got"),
    ("come", "VBN", "come"),
    ("choose as", "VBN", "chosen as"),
    ("tear down", "VBN", "torn down"),
    ("occur", "VBG", "occurring"),
    ("split", "VBN", "split"),
    ("lower", "VB", "lower"),
    ("seize", "VBG", "seizing"),
]


@pytest.mark.parametrize(("phrase", "tag", "wanted"), FORMS)
def test_verbs_are_inflected(phrase, tag, wanted):
    assert conjugated(phrase, tag) == wanted


_VERBAL = ("object", "particle", "no object", "preposition", "infinitive", "object and infinitive", "complement")


def test_every_paraphrase_of_a_verb_has_regular_forms_or_is_known_to_be_irregular():
    """A wrong past is seen by its ending: what is no regular past has to be a known one."""
    irregular = (
        "beat began broke brought built bought chose came cut dealt drove fell found forbade got gave went grew had hid "
        "kept led left made met paid put ran sought sent set shut spoke split stood struck took tore threw won"
    ).split()
    for frame in _VERBAL:
        for saids in BY_FRAME[frame].values():
            for said in saids:
                done = conjugated(said.removeprefix("~"), "VBD").split()[0]
                assert done in irregular or done.endswith("ed"), said
                assert conjugated(said.removeprefix("~"), "VBG").split()[0].endswith("ing")


def test_no_entry_says_what_it_stands_for():
    for frame, entries in BY_FRAME.items():
        for word, saids in entries.items():
            assert saids, (frame, word)
            assert all(said and said.removeprefix("~") != word for said in saids), (frame, word)


@pytest.mark.parametrize(
    ("noun", "wanted"), [("city", "cities"), ("loss", "losses"), ("day", "days"), ("risk", "risks")]
)
def test_plurals(noun, wanted):
    assert plural(noun) == wanted


@pytest.mark.parametrize(
    ("before", "word", "wanted"),
    [("a", "effort", "an"), ("an", "try", "a"), ("A", "hour", "An"), ("the", "effort", "the")],
)
def test_articles(before, word, wanted):
    assert with_article(before, word) == wanted
