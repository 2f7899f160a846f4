"""What becomes of a row, for all that its evidence tells: English, simplified and traditional Chinese alike."""

import json
from dataclasses import replace

import pytest

from synth.core.jsonl import dumps, row_to_sample, sample_to_row
from synth.core.records import text_hash, unwrapped
from synth.corpus.fingerprints import outline
from synth.generation.matching.decided import asks_for_decision
from synth.testset.update.alignment import Alignment, KnownCorpus
from synth.testset.update.decision import ExistingRow, decide
from synth.testset.update.revision import Statements
from tests.corpus import corpus, document, sample

TEXTS = {
    "en": (
        "# Oak\n\nOak station opened in 1908. It has two platforms.\n\nThe hall is 20 metres long.\n",
        "opened in 1908",
    ),
    "zh-Hans": ("# 东线\n\n东湾站于1908年启用。站里有两个站台。\n\n大厅长20米。\n", "于1908年"),
    "zh-Hant": ("# 東線\n\n東灣站於1908年啟用。站裡有兩個月臺。\n\n大廳長20米。\n", "於1908年"),
}
ASKED = {
    "en": ("In which year did Oak station open?", "1908", "Oak station opened in 1908."),
    "zh-Hans": ("东湾站是哪一年启用的？", "1908年", "东湾站于1908年启用。"),
    "zh-Hant": ("東灣站是哪一年啟用的？", "1908年", "東灣站於1908年啟用。"),
}
LANGUAGES = pytest.mark.parametrize("language", TEXTS)


def old_set(language, **metadata):
    """The set as it was: one row on the document "a.md", and what is known of the corpus."""
    text = TEXTS[language][0]
    question, answer, quote = ASKED[language]
    one = sample(corpus(**{"a.md": text}), question, answer, quote, language=language)
    one = replace(one, metadata={"note": "keep me", **metadata})
    row = json.loads(dumps(sample_to_row(one)))
    known = KnownCorpus({"a.md": text_hash(text)}, {"a.md": outline(text)}, True)
    return ExistingRow(1, dumps(row), row, one), known


def aligned(known, documents):
    return Alignment(known, {one.doc_id: one for one in documents})


def decided(language, **texts):
    existing, known = old_set(language)
    alignment = aligned(known, [document(name, text) for name, text in texts.items()])
    return decide(existing, alignment, Statements(alignment), lambda doc_id, start: f"{doc_id}:{start}")


def stands(decision, **texts):
    """The row differs from what it was in nothing but its place, and stands there."""
    old, new = decision.existing.row, decision.row
    assert {**new, "evidence": []} == {**old, "evidence": []}
    (piece,) = new["evidence"]
    assert texts[piece["doc_id"]][piece["start"] : piece["end"]] == piece["text"]
    assert unwrapped(piece["text"]) == unwrapped(old["evidence"][0]["text"])
    assert decision.sample.id == old["id"]


@LANGUAGES
def test_a_row_whose_document_is_what_it_was_is_kept(language):
    existing, known = old_set(language)
    alignment = aligned(known, [document("a.md", TEXTS[language][0])])
    chunk_id = existing.row["evidence"][0]["chunk_id"]
    decision = decide(existing, alignment, Statements(alignment), lambda *_: chunk_id)
    assert (decision.kind, decision.row) == ("keep", existing.row)
    assert alignment.unchanged


@LANGUAGES
def test_a_row_follows_text_that_was_shifted_renamed_moved_or_laid_out_anew(language):
    text, quote = TEXTS[language][0], ASKED[language][2]
    head, _, rest = text.partition("\n\n")
    broken = quote.replace(" in", "\n   in").replace("于", "\n于").replace("於", "\n於")
    for texts in (
        {"a.md": f"{head}\n\nNew text above. 新的一段。\n\n{rest}"},
        {"b/c.md": text},
        {"a.md": f"{head}\n\nGone.\n", "b.md": f"# Other\n\nFirst.\n\n{text}"},
        {"a.md": text.replace(quote, broken)},
        {"a.md": text.replace("20", "25")},
    ):
        decision = decided(language, **texts)
        assert decision.kind == "relocate", texts
        stands(decision, **texts)


@LANGUAGES
def test_a_row_is_judged_again_when_its_paragraph_or_its_heading_changed(language):
    text = TEXTS[language][0]
    for old, new in (
        ("two platforms", "three platforms"),
        ("两个站台", "三个站台"),
        ("兩個月臺", "三個月臺"),
        ("# ", "# X "),
    ):
        if old in text:
            texts = {"a.md": text.replace(old, new)}
            decision = decided(language, **texts)
            assert decision.kind == "re-judge"
            stands(decision, **texts)


@LANGUAGES
def test_a_row_whose_answer_changed_is_revised_and_names_the_old_one(language):
    decision = decided(language, **{"a.md": TEXTS[language][0].replace("1908", "1911")})
    assert (decision.kind, decision.sample.golden_answers[0]) == ("revise", ASKED[language][1].replace("1908", "1911"))
    assert decision.sample.metadata == {"note": "keep me", "supersedes": decision.existing.row["id"]}
    assert decision.sample.id != decision.existing.row["id"]
    assert "'1908' became '1911'" in decision.reason
    assert not decision.review


DECIDED = {
    "en": ("I turned 62. Can I use Oak station for free?", "Yes, from 60 years", "Everybody from 60 years on uses Oak station for free."),
    "zh-Hans": ("我刚满62岁，坐东线够不够免费的年龄？", "够，60岁以上免费", "60岁以上的乘客乘坐东线全部免费。"),
    "zh-Hant": ("我剛滿62歲，坐東線夠不夠免費的年齡？", "夠，60歲以上免費", "60歲以上的乘客乘坐東線全部免費。"),
}  # fmt: skip


@LANGUAGES
@pytest.mark.parametrize(("new", "kind"), [("65", "retire"), ("60", "keep")])
def test_a_decision_on_numbers_that_changed_is_not_revised_by_replacing_them(language, new, kind):
    question, answer, quote = DECIDED[language]
    text = f"# Oak\n\n{quote}\n"
    one = sample(corpus(**{"a.md": text}), question, answer, quote, language=language)
    row = json.loads(dumps(sample_to_row(one)))
    alignment = aligned(
        KnownCorpus({"a.md": text_hash(text)}, {"a.md": outline(text)}, True),
        [document("a.md", text.replace("60", new))],
    )
    decision = decide(
        ExistingRow(1, dumps(row), row, one),
        alignment,
        Statements(alignment),
        lambda *_: row["evidence"][0]["chunk_id"],
    )
    assert decision.kind == kind
    if kind == "retire":
        assert decision.reason == "the new answer is uncertain: '60' became '65'"
        assert decision.proposal.evidence[0].text == quote.replace("60", new)


@pytest.mark.parametrize(
    ("question", "language", "asked"),
    [
        ("Can I leave early?", "en", True),
        ("I have a dog, is it allowed?", "en", True),
        ("Should I take the bus or the train?", "en", True),
        ("How long can I stay?", "en", False),
        ("What does a ticket cost?", "en", False),
        ("一千出头的预算够不够？", "zh-Hans", True),
        ("還能退票嗎？", "zh-Hant", True),
        ("买哪款合适？", "zh-Hans", True),
        ("车票多少钱？", "zh-Hans", False),
        ("什么时候不开门？", "zh-Hans", False),
    ],
)  # fmt: skip
def test_questions_that_ask_for_a_decision(question, language, asked):
    assert asks_for_decision(question, language) is asked


@LANGUAGES
def test_a_revised_row_is_to_be_looked_at_when_another_document_still_says_the_old(language):
    existing, known = old_set(language)
    quote = ASKED[language][2]
    other = f"# Old news\n\n{quote}\n"
    known = KnownCorpus({**known.documents, "z.md": text_hash(other)}, {**known.outlines, "z.md": outline(other)}, True)
    text = TEXTS[language][0].replace("1908", "1911")
    alignment = aligned(known, [document("a.md", text), document("z.md", other)])
    decision = decide(existing, alignment, Statements(alignment), lambda *_: "c")
    assert decision.kind == "revise"
    assert "'z.md' still contains" in decision.review


@LANGUAGES
def test_a_row_of_which_nothing_is_left_is_retired_with_the_reason(language):
    text, quote = TEXTS[language][0], ASKED[language][2]
    assert "no longer contains" in decided(language, **{"a.md": text.replace(quote, "")}).reason
    gone = decided(language, **{"b.md": "# Other\n\nNothing of it. 没有。\n"})
    assert (gone.kind, gone.row) == ("retire", None)
    assert "'a.md' was deleted" in gone.reason


@pytest.mark.parametrize(
    ("quote", "old", "new", "word"),
    [
        ("station opened in 1908", "Oak station", "It is not true that Oak station", "not"),
        ("站于1908年启用", "东湾站", "并不是东湾站", "不"),
        ("站於1908年啟用", "東灣站", "並不是東灣站", "不"),
    ],
)
def test_a_quotation_whose_sentence_denies_it_now_is_to_be_looked_at(quote, old, new, word):
    language = next(name for name, (text, _) in TEXTS.items() if quote in text)
    text = TEXTS[language][0]
    question, answer, _ = ASKED[language]
    one = sample(corpus(**{"a.md": text}), question, answer, quote, language=language)
    row = sample_to_row(one)
    alignment = aligned(
        KnownCorpus({"a.md": text_hash(text)}, {"a.md": outline(text)}, True),
        [document("a.md", text.replace(old, new))],
    )
    decision = decide(ExistingRow(1, dumps(row), row, one), alignment, Statements(alignment), lambda *_: "c")
    assert decision.kind == "re-judge"
    assert f"'{word}'" in decision.review


def test_a_question_about_what_the_text_no_longer_names_is_retired():
    decision = decided("en", **{"a.md": TEXTS["en"][0].replace("Oak station", "Elm station")})
    assert decision.kind == "retire"
    assert "'oak'" in decision.reason


def test_a_short_text_is_not_found_again_in_a_document_that_nobody_touched():
    existing, known = old_set("en")
    short = replace(existing.sample.evidence[0], text="two platforms", start=existing.sample.evidence[0].start)
    other = "# Elm\n\nElm station has two platforms.\n"
    known = KnownCorpus({**known.documents, "z.md": text_hash(other)}, {**known.outlines, "z.md": outline(other)}, True)
    alignment = aligned(known, [document("z.md", other)])
    assert alignment.place_elsewhere(short) is None
    assert alignment.removed == ("a.md",)


def test_a_number_is_not_found_inside_another():
    existing, known = old_set("en")
    alignment = aligned(known, [document("a.md", "It seats 120 metres long.\n\nHall: 20 metres long.\n")])
    place = alignment.place(replace(existing.sample.evidence[0], text="20 metres long"))
    assert place.document.text[: place.start].endswith("Hall: ")


@pytest.mark.parametrize(
    ("metadata", "theirs"),
    [
        ({}, False),
        ({"source": "synthetic"}, False),
        ({"source": "human"}, True),
        ({"source": "edited"}, True),
        ({"annotation": {"decision": "accept"}}, True),
        ({"annotation": {"decision": "edit", "annotator": "a"}}, True),
        ({"annotation": {"decision": "reject"}}, False),
        ({"annotation": "nonsense"}, False),
    ],
)
def test_whose_row_it_is(metadata, theirs):
    existing, _ = old_set("en")
    row = {**existing.row, "metadata": {**existing.row["metadata"], **metadata}}
    assert ExistingRow(1, "", row, row_to_sample(row, "row")).by_people is theirs


def test_without_a_manifest_only_cited_documents_can_have_changed():
    existing, _ = old_set("en")
    known = KnownCorpus.of({}, [existing.sample])
    alignment = aligned(known, [document("a.md", TEXTS["en"][0]), document("other.md", "Who knows.")])
    assert alignment.unchanged
    alignment = aligned(known, [document("a.md", TEXTS["en"][0] + "\nMore.\n"), document("other.md", "Who knows.")])
    assert (alignment.changed, alignment.added) == (("a.md",), ())
