import pytest

from synth.corpus.analysis.mentions.kinds import settled
from synth.corpus.graph_builder import build
from synth.corpus.transforms.entities import Entities
from tests.transforms.made import chunks, document, forms, graph_of, names


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Maria Keller founded the company in Hamburg.", {"Maria Keller", "Hamburg"}),
        ("The T-100 sensor replaced the T-90 sensor in every boiler.", {"T-100", "T-90"}),
        ("You can store the data in PostgreSQL and read it with SQLAlchemy.", {"PostgreSQL", "SQLAlchemy"}),
        ("Set `response_model` and raise `HTTPException` when `q` is `None`.", {"response_model", "HTTPException"}),
        ("He works in IT, and it pays well.", {"IT"}),
        ("They met on Monday, 5 May 2019, at noon, and again in 2020.", set()),
        ("It is what we told them, and they did not like it at all.", set()),
        ("北京大学的王小明教授住在上海。", {"北京大学", "王小明", "上海"}),
        ("北京大學的王小明教授住在上海。", {"北京大學", "王小明", "上海"}),
        ("他在《红楼梦》里读到了这句话。", {"红楼梦"}),
        ("請參閱《臺灣通史》的第二章。", {"臺灣通史"}),
        ("你可以用 `uvicorn` 运行 FastAPI 应用，再把 `q` 设为 `None`。", {"uvicorn", "FastAPI"}),
        ("让·雅克·卢梭出生于日内瓦。", {"让·雅克·卢梭", "日内瓦"}),
        ("他们昨天下午三点已经知道了这件事情。", set()),
        ("这本书写到让·卢梭和阿尔·马里丁。", {"让·卢梭", "阿尔·马里丁"}),
        ("這本書寫到讓·盧梭和阿爾·馬里丁。", {"讓·盧梭", "阿爾·馬里丁"}),
        ("研究者称它为 Forêt Verdoyante，并写了一本书。", {"Forêt Verdoyante"}),
        ("研究者稱它為 Forêt Verdoyante，並寫了一本書。", {"Forêt Verdoyante"}),
        ("The Trail of the Heron is a 1919 film.", {"Trail of the Heron"}),
        ("* Fix the Tideline client. PR [#12](https://a.example/pull/12) by [@keller](https://a.example).", set()),
        ("* 修复 Tideline 客户端。PR [#12](https://a.example/pull/12) by [@keller](https://a.example).", set()),
        ("* 修復 Tideline 用戶端。PR [#12](https://a.example/pull/12) by [@keller](https://a.example).", set()),
    ],
)
def test_what_a_text_names(text, found):
    assert names(text) == found


@pytest.mark.parametrize(
    ("texts", "together"),
    [
        (
            ["We use an Application Programming Interface (API).", "Every API has a version."],
            {"API", "Application Programming Interface"},
        ),
        (["The UDP (User Datagram Protocol) is fast.", "Games prefer UDP."], {"UDP", "User Datagram Protocol"}),
        (["香港大学成立于1911年。", "香港大學成立於1911年，位於香港島。"], {"香港大学", "香港大學"}),
        (["Most APIs are old.", "This API is new."], {"API", "APIs"}),
        (["世界卫生组织（WHO）设在日内瓦。", "WHO 每年发布报告。"], {"世界卫生组织", "WHO"}),
    ],
)
def test_spellings_of_one_thing_become_one_entity(texts, together):
    assert together in forms(*texts)


@pytest.mark.parametrize(
    ("texts", "apart"),
    [
        (
            ["The 2018 Annual Report was late.", "The 2019 Annual Report was early."],
            ("2018 Annual Report", "2019 Annual Report"),
        ),
        (["Apollo 11 landed in July.", "Apollo 13 did not land."], ("Apollo 11", "Apollo 13")),
        (
            ["The British Harbours Act 1847 is old.", "The British Harbours Act 1964 is newer."],
            ("British Harbours Act 1847", "British Harbours Act 1964"),
        ),
        (["The T-100 is loud.", "The T-200 is quiet."], ("T-100", "T-200")),
        (["2008年夏季奥运会在北京举行。", "2012年夏季奥运会在伦敦举行。"], ("2008年夏季奥运会", "2012年夏季奥运会")),
        # One acronym of two things belongs to neither.
        (
            [
                "The Central Risk Office (CRO) audits.",
                "The Coastal Rescue Organisation (CRO) sails.",
                "The CRO is small.",
            ],
            ("Central Risk Office", "Coastal Rescue Organisation"),
        ),
    ],
)
def test_different_things_stay_apart(texts, apart):
    found = forms(*texts)
    for name in apart:
        assert [group for group in found if name in group] == [{name}], found


def test_a_year_of_the_sentence_is_no_part_of_the_name():
    assert "Apple" not in {
        n for n in names("In 2018 Northwind Traders sold the Lisbon office.") if n.startswith("2018")
    }
    assert not any(n.startswith("2018") for n in names("In 2018 Northwind Traders sold the Lisbon office."))


def test_phrases_of_headings_are_terms_where_the_text_uses_them():
    graph = graph_of("# Query parameters\n\nA client sends query parameters with every request.\n")
    (entity,) = graph.entities()
    assert (entity.kind, entity.surface_forms) == ("term", ("Query parameters", "query parameters"))
    assert len(graph.mentions_of(entity.entity_id)) == 2
    chinese = graph_of("# 查询参数\n\n客户端在每个请求里都会发送查询参数。\n")
    assert [e.name for e in chinese.entities()] == ["查询参数"]


MARKED = (
    "# Guide\n\nThe **Harbour Board** meets near [Lisbon](https://a.example/b) "
    "and runs `harbour_tool` with PostgreSQL.\n\n"
    "```python\nHiddenClass()\n```\n\n* The Harbour Board meets in Porto.\n"
)


def test_each_mention_is_at_its_place_in_the_document():
    graph = graph_of(MARKED)
    (held,) = graph.documents()
    found = {e.name: [held.text[m.start : m.end] for m in graph.mentions_of(e.entity_id)] for e in graph.entities()}
    assert found == {
        "Harbour Board": ["Harbour Board"] * 2,
        "Lisbon": ["Lisbon"],
        "harbour_tool": ["harbour_tool"],
        "PostgreSQL": ["PostgreSQL"],
        "Porto": ["Porto"],
    }


def test_the_name_shown_is_the_most_frequent_spelling_and_ties_go_by_order():
    graph = graph_of("香港大學很大。", "香港大学很大。香港大学很老。")
    entity = next(e for e in graph.entities() if "香港大学" in e.surface_forms)
    assert entity.name == "香港大学"
    assert entity.surface_forms == ("香港大学", "香港大學")


def test_a_mention_belongs_to_each_chunk_that_holds_it_whole():
    text = "Maria Keller founded the company in Hamburg. Later Maria Keller moved to Lisbon."
    held = document("a.md", text)
    cut = chunks(held, 40)
    graph, _ = build([held], cut, [Entities()])
    for entity in graph.entities():
        for mention in graph.mentions_of(entity.entity_id):
            chunk = graph.chunk(mention.chunk_id)
            assert chunk.start <= mention.start < mention.end <= chunk.end
            assert text[mention.start : mention.end] in entity.surface_forms
    edge = next(e for e in graph.relationships("mentions") if e.source_id == cut[0].chunk_id)
    assert edge.shared == ("Maria Keller",)
    assert "Hamburg" not in {e.name for e in graph.entities_of(cut[0].chunk_id)}


def test_a_name_keeps_its_id_when_the_corpus_grows():
    small = graph_of("Maria Keller lives in Hamburg.")
    large = graph_of("Maria Keller lives in Hamburg.", "Lisbon is far from Hamburg.", "HAMBURG is large.")
    ids = {e.name: e.entity_id for e in small.entities()}
    assert ids.items() <= {e.name: e.entity_id for e in large.entities()}.items()


@pytest.mark.parametrize("text", ["", "\n\n", "42", "Ñandú ĉiuĵaŭde manĝas kolbasojn.", "![](x.png)", "**", "《》（）"])
def test_texts_that_name_nothing_make_no_trouble(text):
    assert names(text) == set()


@pytest.mark.parametrize(
    ("kind", "name", "settled_kind"),
    [
        ("person", "Blagov Bridge", "place"),
        ("person", "Marl Award", "name"),
        ("work", "Marl Award for Best Boat", "name"),
        ("organisation", "Venn Voivodeship", "place"),
        ("person", "University of Venn", "organisation"),
        ("organisation", "API", "term"),
        ("place", "ReDoc", "name"),
        ("person", "Sammy's Beach Rum", "name"),
        ("person", "Maria Keller", "person"),
        ("code", "app.bridge", "code"),
    ],
)
def test_the_words_of_a_name_settle_its_kind(kind, name, settled_kind):
    assert settled(kind, name) == settled_kind


def test_short_names_of_states_are_one_with_the_long_ones():
    assert {"United States", "U.S."} in forms("The United States is large.", "The U.S. government met in Porto.")
    assert {"澳大利亚", "澳洲"} in forms("他住在澳大利亚。", "他后来去了澳洲。")


def test_an_option_is_not_a_word():
    assert frozenset({"--restart"}) in forms("Use `--restart` here. `restart` is a command.")
