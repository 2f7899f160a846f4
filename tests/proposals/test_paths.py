"""Passages that belong together: by what was noted on them, and by a search for what was not read yet."""

import json
from dataclasses import replace
from importlib.resources import files

import pytest

from synth.core.records import Statement
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import Named, Notes, Relation, add_notes
from synth.corpus.sections import sections
from synth.generation.proposals.joining import is_joining, links_beside
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.paths import BRIDGE, CHOICE, ENTITY, REFERENCE, RULE
from synth.text.stems import stems
from tests.proposals.made import corpus_of, prose

TEXTS = {
    "backports.md": f"Only severe vulnerabilities are fixed in older releases. {prose(1)}",
    "march.md": f"The March release has a vulnerability of low severity. {prose(2)}",
    "april.md": f"The April release costs nine euros a month. {prose(3)}",
    "may.md": f"The May release costs seven euros a month. {prose(4)}",
    "june.md": f"Nothing is said of June but vulnerabilities and releases. {prose(5)}",
    "zh.md": "旧版本只修复严重漏洞，其余漏洞要等下一个版本才会修复，用户可以自己升级。" * 3,
}


def statement(doc_id, kind, subject, scope, corpus, length=5):
    chunk = corpus.chunks_of(doc_id)[0]
    return Statement(
        statement_id=f"n-{doc_id}-{kind}",
        kind=kind,
        subject=subject,
        text=f"{subject}: {scope}",
        chunk_id=chunk.chunk_id,
        doc_id=doc_id,
        spans=((chunk.start, chunk.start + length),),
        scope=scope,
    )


class Reader:
    """Reads passages one by one: what is said of each becomes notes, and paths."""

    def __init__(self, texts=TEXTS):
        self.corpus, self.read = corpus_of(texts), KnowledgeGraph()
        self.paths = Paths(self.read, self.corpus)

    def note(self, doc_id, kind, subject, scope, relations=(), names=(), length=5):
        (section,) = sections(self.corpus, doc_id)
        chunk = self.corpus.chunks_of(doc_id)[0]
        self.read.add_document(self.corpus.document(doc_id))
        for one in self.corpus.chunks_of(doc_id):
            self.read.add_chunk(one)
        found = tuple(Relation(*ends, chunk.chunk_id, ((chunk.start, chunk.end),)) for ends in relations)
        entities = tuple(Named(name, "thing", chunk.chunk_id, ((chunk.start, chunk.end),)) for name in names)
        notes = Notes(section, "", entities, (statement(doc_id, kind, subject, scope, self.corpus, length),), found)
        add_notes(self.read, notes)
        self.paths.learn(notes)

    def every(self):
        found = []
        while (path := self.paths.next()) is not None:
            found.append((path.kind, {section.doc_id for section in path.sections}))
        return found


@pytest.mark.parametrize("turned", [False, True])
def test_a_rule_meets_its_case_whichever_is_read_first(turned):
    reader = Reader()
    notes = [
        ("backports.md", "rule", "older releases", "severity of vulnerabilities"),
        ("march.md", "attribute", "March release", "severity of a vulnerability"),
    ]
    for note in notes[::-1] if turned else notes:
        reader.note(*note)
    path = reader.paths.next()
    assert (path.kind, [one.kind for one in path.statements]) == (RULE, ["rule", "attribute"]), "the rule comes first"
    assert {"severity", "vulnerabilities"} <= set(path.joined_by.split(", "))
    assert reader.paths.next() is None


def test_two_things_are_joined_by_one_attribute_and_no_thing_with_itself():
    reader = Reader()
    reader.note("april.md", "attribute", "April release", "monthly price")
    reader.note("may.md", "attribute", "May release", "monthly price")
    reader.note("june.md", "attribute", "May release", "monthly price")
    kinds = reader.every()
    assert (CHOICE, {"april.md", "may.md"}) in kinds
    assert (CHOICE, {"may.md", "june.md"}) not in kinds


def test_what_shares_no_telling_word_is_not_joined():
    reader = Reader()
    reader.note("backports.md", "rule", "older releases", "severe vulnerabilities")
    reader.note("april.md", "attribute", "tariff", "monthly price")
    assert reader.every() == []


@pytest.mark.parametrize(
    ("rule", "case"),
    [
        ("severity of a fault", "severity of weather"),  # one shared word
        ("releases of the release", "releases of release"),  # a word that most passages have
        ("云的漏", "云与漏"),  # single characters
    ],
)
def test_a_rule_and_what_shares_no_telling_words_with_it_are_not_joined(rule, case):
    reader = Reader()
    reader.note("backports.md", "rule", "backports", rule)
    reader.note("march.md", "event", "March", case)
    assert reader.every() == []


@pytest.mark.parametrize(("text", "joined"), [("defects of high severity", True), ("grave defects", False)])
def test_words_that_a_passage_does_not_contain_join_nothing(text, joined):
    reader = Reader({**TEXTS, "april.md": f"The April release has {text}. {prose(3)}"})
    reader.note("march.md", "rule", "severity", "eligibility by severity")
    reader.note("april.md", "event", "April", "eligibility by severity")
    assert bool(reader.every()) == joined


def test_a_path_over_one_rare_word_comes_only_where_it_is_asked_for():
    reader = Reader()
    reader.note("backports.md", "rule", "backports", "severity of a fault", names=["Board"])
    reader.note("march.md", "event", "March", "severity of weather", names=["Board"])
    reader.note("april.md", "event", "April", "severity of rain")
    path = reader.paths.next(weak=True)
    assert path.joined_by.startswith("severity")
    assert {section.doc_id for section in path.sections} == {"backports.md", "march.md"}
    assert reader.paths.next(weak=True) is None, "in another document, that names nothing in common"


_ONE = "Only severe vulnerabilities are fixed in older releases of the program"


@pytest.mark.parametrize(
    ("again", "length", "joined"),
    [
        (f"{_ONE}s.", len(_ONE), False),
        (f"Vulnerabilities of low severity are rare. {_ONE}s.", 30, False),  # beside the other statement
        ("Old releases of the program have vulnerabilities of low severity.", 30, True),
    ],
)
def test_a_statement_that_the_other_passage_repeats_is_not_joined_to_it(again, length, joined):
    reader = Reader({**TEXTS, "backports.md": f"{_ONE}. {prose(1)}", "copy.md": f"{again} {prose(7)}"})
    reader.note("backports.md", "rule", "older releases", "severity of vulnerabilities", length=len(_ONE))
    reader.note("copy.md", "attribute", "older releases", "severity of vulnerabilities", length=length)
    assert bool(reader.every()) == joined


@pytest.mark.parametrize(("kind", "joined"), [("rule", True), ("attribute", False)])
def test_two_rules_in_neighbouring_sections_of_a_page_are_joined(kind, joined):
    filler, more = (" ".join(prose(n) for n in range(start, start + 11)) for start in (0, 20))
    told = "A ticket is refunded until departure.", "No refunded ticket in a storm."
    page = f"# Refunds\n\n{filler}\n\n{told[0]}\n\n# Storms\n\n{told[1]}\n\n{more}\n"
    reader = Reader({**TEXTS, "page.md": page})
    own = sections(reader.corpus, "page.md")
    first, last = (next(one for one in reader.corpus.chunks_of("page.md") if text in one.text) for text in told)
    for section, chunk, said in ((own[0], first, "rule"), (own[-1], last, kind)):
        notes = statement("page.md", said, "ticket", "refunded ticket", reader.corpus)
        start = chunk.start + chunk.text.index("icket")
        end = replace(notes, statement_id=f"n-{start}", chunk_id=chunk.chunk_id, spans=((start, start + 5),))
        reader.paths.learn(Notes(section, "", (), (end,), ()))
    assert first.chunk_id in own[0].chunk_ids
    assert last.chunk_id in own[-1].chunk_ids
    assert last.start - first.end < 1500
    assert bool(reader.every()) == joined


def test_a_number_joins_no_passages():
    reader = Reader()
    reader.note("backports.md", "rule", "awards", "1887 2009")
    reader.note("march.md", "event", "grants", "1887 2009")
    assert reader.every() == []


def test_things_of_other_kinds_or_by_another_attribute_are_no_choice():
    reader = Reader()
    reader.note("april.md", "attribute", "April", "monthly price", names=["April"])
    reader.note("may.md", "attribute", "May", "price of paper in winter", names=["May"])
    assert CHOICE not in {kind for kind, _ in reader.every()}


def test_a_relation_leads_to_the_passage_about_its_end():
    reader = Reader()
    reader.note("april.md", "definition", "Ottilie Brandt", "person")
    reader.note("may.md", "event", "May release", "release", [("May release", "was planned by", "Ottilie Brandt")])
    (path,) = [reader.paths.next()]
    assert path.kind == BRIDGE
    assert path.joined_by == "May release was planned by Ottilie Brandt"


def test_two_passages_that_name_one_entity_are_joined_by_statements_on_it():
    reader = Reader()
    reader.note("april.md", "procedure", "Ottilie Brandt", "planning", names=["Ottilie Brandt"])
    reader.note("may.md", "definition", "May release", "release by Ottilie Brandt", names=["Ottilie Brandt"])
    path = reader.paths.next()
    assert (path.kind, path.joined_by) == (ENTITY, "Ottilie Brandt")
    assert [one.doc_id for one in path.statements] == ["april.md", "may.md"]


def test_an_entity_that_most_passages_name_joins_none():
    reader = Reader()
    reader.note("april.md", "procedure", "plan", "planning", names=["release"])
    reader.note("may.md", "definition", "May", "month", names=["release"])
    assert reader.every() == []


def test_a_path_whose_passages_name_one_entity_comes_before_one_over_words():
    reader = Reader()
    reader.note("backports.md", "rule", "releases", "severe vulnerabilities", names=["Ottilie Brandt"])
    reader.note("april.md", "attribute", "April", "severe vulnerabilities")
    reader.note("march.md", "attribute", "March", "severe vulnerabilities", names=["Ottilie Brandt"])
    path = reader.paths.next()
    assert {one.doc_id for one in path.statements} == {"backports.md", "march.md"}
    assert path.joined_by.endswith("; Ottilie Brandt")


def test_another_passage_that_names_an_entity_is_read_next():
    texts = {**TEXTS, "brandt.md": f"Ottilie Brandt keeps the list of releases. {prose(6)}"}
    reader = Reader({**texts, "plan.md": f"May was planned by Ottilie Brandt. {prose(7)}"})
    reader.note("plan.md", "definition", "May", "month", names=["Ottilie Brandt"])
    home = reader.corpus.chunks_of("plan.md")[0].chunk_id
    section, chunk = reader.paths.partner({home})
    assert (section.doc_id, chunk.doc_id) == ("plan.md", "brandt.md")
    assert reader.paths.partner({home}) is None


@pytest.mark.parametrize(
    ("subject", "beside", "joined"),
    [("what the tariff is not", True, True), ("silence", True, False), ("what the tariff is not", False, False)],
)
def test_a_link_beside_a_statement_is_a_path_to_one_that_shares_a_word(subject, beside, joined):
    text, link = TEXTS["june.md"], "See [April](april.md#tariff)."
    reader = Reader(
        {
            **TEXTS,
            "april.md": f"# Tariff\n\n{TEXTS['april.md']}",
            "june.md": f"{link} {text}" if beside else f"{text}\n\n{link}",
        }
    )
    reader.note("april.md", "definition", "tariff", "price")
    reader.note("june.md", "definition", subject, "rest")
    assert reader.every() == ([(REFERENCE, {"april.md", "june.md"})] if joined else [])


@pytest.mark.parametrize(
    ("link", "target", "leads"),
    [
        ("../fares/", "fares/index.md", True),
        ("/fares/april", "fares/april.md", True),
        ("../old/april.md", "fares/april.md", False),
        ("../old/april.md", "old/april.md", True),
        ("#april", "notes/june.md", False),
    ],
)
def test_a_link_beside_a_statement_is_resolved_as_in_the_graph(link, target, leads):
    text = f"See [April]({link})."
    corpus = corpus_of({"notes/june.md": f"{text} {TEXTS['june.md']}"})
    found = statement("notes/june.md", "definition", "tariff", "price", corpus)
    assert links_beside(found, corpus.document("notes/june.md"), target) is leads


def test_paths_stay_in_one_language_and_join_two_passages_once():
    reader = Reader()
    reader.note("backports.md", "rule", "releases", "severe vulnerabilities")
    reader.note("zh.md", "attribute", "vulnerabilities", "severe releases")
    reader.note("march.md", "attribute", "vulnerabilities", "severe releases")
    assert reader.every() == [(RULE, {"backports.md", "march.md"})]


def test_a_page_and_its_edition_in_the_other_script_are_not_joined():
    texts = {
        "hans.md": TEXTS["zh.md"],
        "hant.md": "舊版本只修復嚴重漏洞，其餘漏洞要等下一個版本才會修復，使用者可以自己升級。" * 3,
    }
    reader = Reader(texts)
    assert reader.corpus.language("hans.md") != reader.corpus.language("hant.md")
    reader.corpus.language = lambda doc_id: "zh-Hans"  # as where a page is cited in both scripts
    reader.note("hans.md", "rule", "漏洞", "旧版本 严重漏洞", names=["严重漏洞"])
    reader.note("hant.md", "attribute", "漏洞", "旧版本 严重漏洞", names=["严重漏洞"])
    assert reader.every() == []


def test_the_best_path_comes_first_and_a_statement_is_part_of_few():
    cases = {f"case{n}.md": f"A case of a defect {n}. {prose(n + 20)}" for n in range(3)}
    reader = Reader({**TEXTS, **cases, "backports.md": f"Only severe defects are fixed in releases. {prose(1)}"})
    reader.note("april.md", "attribute", "April release", "monthly price of defects")
    for n in range(3):
        reader.note(f"case{n}.md", "event", f"case {n}", "severity of defects")
    reader.note("backports.md", "rule", "releases", "severity of defects")
    found = reader.every()
    assert found[0][0] == RULE
    assert sum("backports.md" in documents for _, documents in found) == 2


def test_a_passage_that_may_be_the_case_of_a_rule_is_found_in_the_corpus_and_read_next():
    reader = Reader()
    assert reader.paths.partner(()) is None, "nothing is known"
    reader.note("backports.md", "rule", "older releases", "vulnerability of low severity in a release")
    home = reader.corpus.chunks_of("backports.md")[0].chunk_id
    _, chunk = reader.paths.partner({home})
    assert chunk.doc_id == "march.md"
    assert reader.paths.partner({home, chunk.chunk_id}) is None, "a statement leads to one passage at a time"


def test_statements_of_documents_that_gave_a_question_lead_on_last():
    reader = Reader()
    reader.note("backports.md", "rule", "older releases", "vulnerability of low severity in a release")
    reader.note("april.md", "rule", "April release", "euros a month of a release")
    read = {reader.corpus.chunks_of(name)[0].chunk_id for name in ("backports.md", "april.md")}
    section, _ = reader.paths.partner(read, used={"backports.md"})
    assert section.doc_id == "april.md"
    section, _ = reader.paths.partner(read, used={"backports.md"})
    assert section.doc_id == "backports.md", "when nothing else is left"


def test_the_section_that_led_on_least_leads_on_next_and_a_home_may_be_given():
    people = ["Ottilie Brandt", "Leonhard Moos", "Wilma Kern", "Rupert Ahlen"]
    texts = {f"{name}.md": f"{name} keeps a list. {prose(20 + n)}" for n, name in enumerate(people)}
    homes = {"one.md": people[:2], "two.md": people[2:]}
    texts |= {home: f"Planned by {' and '.join(names)}. {prose(len(home) + 30)}" for home, names in homes.items()}
    reader = Reader({**TEXTS, **texts})
    for home, names in homes.items():
        reader.note(home, "definition", home, "month", names=names)
    read = {reader.corpus.chunks_of(home)[0].chunk_id for home in homes}
    first, second = (reader.paths.partner(read)[0] for _ in range(2))
    assert [first.doc_id, second.doc_id] == ["one.md", "two.md"]
    section, chunk = reader.paths.partner(read, home=second)
    assert (section, chunk.doc_id) == (second, "Rupert Ahlen.md")
    assert reader.paths.partner(read, home=second) is None
    assert reader.paths.partner(read)[0] == first


@pytest.mark.parametrize(("scope", "joined"), [("warranty of pumps", True), ("advantages of use", False)])
def test_everyday_words_join_nothing(scope, joined):
    reader = Reader()
    reader.note("april.md", "attribute", "April release", scope)
    reader.note("may.md", "attribute", "May release", scope)
    assert bool(reader.every()) == joined


def test_things_that_the_brief_tells_apart_are_joined_by_a_proper_name_alone():
    texts = {"KELLWORKS.md": TEXTS["april.md"], "MAROSTORES.md": TEXTS["may.md"]}
    for brief, name, joined in [
        ("Reports of Kell Works and of Maro Stores.", "depreciation charges", False),
        ("Reports of Kell Works and of Maro Stores.", "Ottilie Brandt", True),
        ("Reports of many companies.", "depreciation charges", True),
    ]:
        reader = Reader(texts)
        reader.corpus.brief = brief
        reader.note("KELLWORKS.md", "rule", "plants", "depreciation of plants", names=[name])
        reader.note("MAROSTORES.md", "attribute", "stores", "depreciation of plants", names=[name])
        assert bool(reader.every()) == joined, (brief, name)


def test_words_that_stand_side_by_side_are_one_term():
    reader = Reader()
    reader.note("april.md", "definition", "virtual goods", "April release")
    reader.note("may.md", "event", "virtual goods", "May release")
    assert reader.every() == []


def test_a_path_shows_the_words_as_the_documents_write_them():
    texts = {
        "fees.md": "學生證遺失要到國際事務處補辦，費用一百元，三天後領取。" * 2,
        "health.md": "完成健康檢查才可以拿到證件，其餘的人向輔導室詢問並領取號碼牌。" * 2,
    }
    reader = Reader(texts)
    reader.note("fees.md", "rule", "補辦", "領取學生證的新生", names=["國際事務處"])
    reader.note("health.md", "attribute", "健檢", "領取學生證的新生", names=["國際事務處"])
    assert reader.paths.next().joined_by == "領取, 學生證, 新生; 國際事務處"


def test_a_statement_is_not_offered_again_with_words_that_gave_nothing():
    reader = Reader()
    reader.note("backports.md", "rule", "releases", "severity of vulnerabilities")
    reader.note("march.md", "attribute", "March", "severity of vulnerabilities")
    reader.note("june.md", "attribute", "June", "severity of vulnerabilities")
    before = reader.paths.waiting()
    reader.paths.tried([reader.paths.next()], [])
    assert before > 1
    assert reader.paths.waiting() == 0
    assert reader.paths.next() is None


def test_after_two_empty_replies_further_passages_must_be_read_first():
    texts = {f"{name}{n}.md": f"The {name} of fee{n} and form{n}. {prose(20 * place + n)}" for place, name in enumerate(("rule", "case")) for n in range(5)}  # fmt: skip
    reader = Reader({**TEXTS, **texts})

    def add(n):
        reader.note(f"rule{n}.md", "rule", f"matter{n}", f"fee{n} form{n}")
        reader.note(f"case{n}.md", "attribute", f"case{n}", f"fee{n} form{n}")

    for n in range(4):
        add(n)
    paths = reader.paths
    paths.tried([paths.next()], [])
    assert paths.waiting() == 3, "one empty reply says little"
    paths.tried([paths.next()], [])
    assert (paths.waiting(), paths.next(), paths.next(weak=True)) == (0, None, None)
    add(4)
    assert paths.waiting() == 3
    paths.tried([paths.next()], [])
    assert paths.waiting() == 2, "the count begins anew"
    paths.tried([paths.next()], [], elsewhere=True)
    assert paths.waiting() == 1, "a question over other passages is no empty reply"


def test_two_editions_of_a_page_are_not_joined_and_pages_of_one_template_are():
    told = (
        "For renewal bring the form to the desk in person. Whoever comes late pays the fee twice. {} The desk is in {}."
    )
    for other, joined in [(told.format("New members only.", "Kell"), False), (f"Renewal costs more. {prose(8)}", True)]:
        reader = Reader({"old.md": told.format("Former members only.", "Maro"), "new.md": other})
        reader.note("old.md", "rule", "membership", "renewal of membership")
        reader.note("new.md", "attribute", "fee", "renewal of membership")
        assert bool(reader.every()) == joined


def test_the_lists_of_everyday_words_fit_their_examples():
    lists = json.loads(files("synth.generation.proposals").joinpath("everyday_words.json").read_text("utf-8"))
    for language, words in lists["fits"].items():
        assert not any(is_joining(key) for word in words for key in stems(word)), language
    for language, words in lists["does_not_fit"].items():
        assert all(is_joining(key) for word in words for key in stems(word)), language


def test_a_path_is_told_and_kept_with_its_statements():
    reader = Reader()
    reader.note("backports.md", "rule", "older releases", "severity of vulnerabilities")
    reader.note("march.md", "attribute", "March release", "severity of a vulnerability")
    path = reader.paths.next()
    first, link, second = path.packed()
    assert (first["about"], link["link"], second["about"]) == ("older releases", RULE, "March release")
    assert {first["statement"], second["statement"]} == {"n-backports.md-rule", "n-march.md-attribute"}
    assert "March release: March release: severity" in path.told
