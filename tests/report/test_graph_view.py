"""The page of a graph, as text and in a real browser."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from synth.core.records import Chunk, Document, Entity, Evidence, Relationship, Sample, text_hash
from synth.core.store import Store
from synth.corpus.documents.chunking import ChunkSettings, chunk
from synth.corpus.documents.loading import load
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import Tools, build
from synth.corpus.transforms.entities import Entities
from synth.corpus.transforms.key_phrases import KeyPhrases
from synth.corpus.transforms.topics import Topics
from synth.evaluation.report.graph_view import graph_html
from tests.report.browser import chromium

CORPORA = Path(__file__).parents[2] / "corpora"
HOSTILE = (
    "Before </script><script>window.hacked = 1</script> and <img src=x onerror='window.hacked = 2'> and "
    "<!-- <script> a comment, \u2028 a separator, a lone \ud800 half, 𠮷 a wide one. The pump stands here."
)


def corpus_graph(folder, workspace):
    loaded = load([folder])
    with Store(workspace / "store.sqlite") as store:
        pieces = [piece for d in loaded.documents for piece in chunk(d, ChunkSettings())]
        return build(loaded.documents, pieces, [Entities(), KeyPhrases(), Topics()], Tools(store))[0]


def hostile_graph():
    graph = KnowledgeGraph()
    name = "<img src=x onerror='window.hacked = 3'>"
    text = HOSTILE
    graph.add_document(
        Document(doc_id="a.md", source="a.md", title="<b>Bold</b>", text=text, content_hash=text_hash("x"))
    )
    graph.add_chunk(Chunk(chunk_id="c-1", doc_id="a.md", start=0, end=len(text), text=text, headings=(name,)))
    graph.add_entity(Entity(entity_id="e-1", name=name, kind="name", surface_forms=("</script>", name)))
    start = text.index("pump")
    edge = Relationship(
        source_id="c-1", target_id="e-1", kind="mentions", shared=("<script>window.hacked = 4</script>",)
    )
    graph.relate(edge, [(start, start + 4)])
    return graph


def data_of(page):
    found = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert len(found) == 1
    return json.loads(found[0])


def test_the_page_is_one_file_that_asks_for_nothing():
    page = graph_html(hostile_graph(), "A title")
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//|@import|url\(""", page)
    assert "default-src &#39;none&#39;" in page
    assert "unsafe-inline" not in page
    assert page.encode()


def test_hostile_text_stays_within_the_data():
    page = graph_html(hostile_graph(), "</title><script>alert(1)</script>")
    assert page.count("<script") == 2
    assert page.count("</script>") == 2
    assert "<!--" not in page
    nodes = data_of(page)["nodes"]
    assert nodes[0]["text"] == HOSTILE
    assert data_of(page)["title"] == "</title><script>alert(1)</script>"


def test_places_are_counted_as_the_browser_counts():
    data = data_of(graph_html(hostile_graph(), "x"))
    (mention,) = [edge for edge in data["edges"] if data["edgeKinds"][edge[0]] == "mentions"]
    text, (start, end) = data["nodes"][0]["text"], mention[5][0]
    units = text.encode("utf-16-le", "surrogatepass")
    assert units[2 * start : 2 * end].decode("utf-16-le") == "pump"
    assert start == text.index("pump") + 1


def test_a_traditional_character_is_folded_to_one_unit_or_not_at_all():
    graph = KnowledgeGraph()
    graph.add_document(Document(doc_id="a", source="a", title="", text="霧裡有鰧和𠮷。雾。", content_hash="x"))
    traditional, simple = data_of(graph_html(graph, "x"))["simplified"]
    assert simple[traditional.index("霧")] == "雾"
    assert len(traditional) == len(simple) == len("".join((traditional, simple)).encode("utf-16-le")) // 4
    assert "雾" not in traditional


def test_a_graph_too_large_for_a_page_is_cut_and_says_so():
    graph = KnowledgeGraph()
    for n in range(30):
        text = f"Text number {n}."
        graph.add_document(Document(doc_id=f"d{n}", source="", title="", text=text, content_hash="x"))
        graph.add_chunk(Chunk(chunk_id=f"c{n}", doc_id=f"d{n}", start=0, end=len(text), text=text))
        graph.add_entity(Entity(entity_id=f"e{n}", name=f"Name {n}", kind="name"))
        graph.relate(Relationship(source_id=f"c{n}", target_id=f"e{n // 2 * 2}", kind="mentions"))
    data = data_of(graph_html(graph, "x", most=40))
    kinds = [node["kind"] for node in data["nodes"] if node["kind"] != "theme"]
    assert len(kinds) <= 40
    assert data["left_out"] == 90 - len(kinds)
    assert kinds.count("document") == kinds.count("chunk") == 12
    assert all(0 <= end < len(data["nodes"]) for edge in data["edges"] for end in edge[1:3])
    names = [node["label"] for node in data["nodes"] if node["kind"] == "entity"]
    assert names[:6] == ["Name 0", "Name 10", "Name 2", "Name 4", "Name 6", "Name 8"]


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page of each corpus of the repository, by language."""
    folder = tmp_path_factory.mktemp("pages")
    made = {}
    for language in ("en", "zh"):
        made[language] = folder / f"{language}.html"
        made[language].write_text(graph_html(corpus_graph(CORPORA / language, folder), language), encoding="utf-8")
    return made


def test_the_page_of_a_stored_graph_is_that_of_a_new_one(pages):
    again = graph_html(corpus_graph(CORPORA / "zh", pages["zh"].parent), "zh")
    assert again == pages["zh"].read_text(encoding="utf-8")


def opened(browser, page):
    browser.get(page.as_uri())
    ready = "return document.documentElement.dataset.settled === 'yes'"
    WebDriverWait(browser, 30).until(lambda b: b.execute_script(ready))


def shown(browser, name):
    return browser.find_element(By.ID, name).text


def results(browser):
    return browser.find_elements(By.CSS_SELECTOR, "#results button")


def sought(browser, words):
    field = browser.find_element(By.ID, "search")
    field.clear()
    field.send_keys(words)
    # The list is made when the page has come to it, some keys after each of them.
    listed = "return document.getElementById('results').dataset.sought"
    WebDriverWait(browser, 30).until(lambda b: b.execute_script(listed) == words)
    return results(browser)


def test_search_click_read_and_walk_on(pages, tmp_path):
    with chromium(tmp_path / "profile") as browser:
        opened(browser, pages["en"])
        assert "nodes" in shown(browser, "status")
        browser.find_element(By.TAG_NAME, "body").send_keys("/")
        assert browser.switch_to.active_element.get_attribute("id") == "search"
        found = sought(browser, "dovetail joints")
        passage = next(f for f in found if f.get_attribute("title") == "Passage")
        passage.click()
        assert "dovetail joints" in shown(browser, "text")
        assert "mentions" in shown(browser, "neighbours")
        smeaton = browser.find_element(By.XPATH, "//*[@id='neighbours']//button[contains(., 'Smeaton')]")
        assert "Smeaton" in smeaton.find_element(By.TAG_NAME, "mark").text
        smeaton.click()
        assert shown(browser, "kind") == "Entity"
        assert "Smeaton" in shown(browser, "name")
        browser.find_element(By.ID, "back").click()
        assert "dovetail joints" in shown(browser, "text")
        browser.find_element(By.ID, "close").click()
        assert not browser.find_element(By.ID, "panel").is_displayed()
        assert browser.get_log("browser") == []


def on_the_map(browser):
    return int(re.match(r"(\d+) of \d+ nodes", shown(browser, "status"))[1])


def test_it_opens_on_themes_and_the_rest_comes_as_the_view_is_zoomed_in(pages, tmp_path):
    data = data_of(pages["en"].read_text(encoding="utf-8"))
    kinds = Counter(node["kind"] for node in data["nodes"])
    with chromium(tmp_path / "profile") as browser:
        opened(browser, pages["en"])
        assert on_the_map(browser) == kinds["theme"] < kinds["document"]
        listed = [(entry.get_attribute("title"), entry.text) for entry in results(browser)]
        gists = [node["gist"] for node in data["nodes"] if node["kind"] == "theme"]
        assert [title for title, _ in listed] == ["Theme"] * kinds["theme"]
        assert all(gist and gist in text for gist, (_, text) in zip(gists, listed, strict=True))
        shown_kinds = kinds["theme"]
        for kind in ("document", "chunk", "entity"):
            before = on_the_map(browser)
            for _ in range(12):
                if on_the_map(browser) == before:
                    browser.find_element(By.ID, "zoom-in").click()
            shown_kinds += kinds[kind]
            assert on_the_map(browser) == shown_kinds
        browser.find_element(By.ID, "fit").click()
        browser.find_element(By.TAG_NAME, "body").send_keys("0")
        assert {b.get_attribute("title") for b in sought(browser, "Bell Rock")} >= {"Document", "Passage", "Entity"}


def test_a_theme_shows_its_documents_and_a_kind_can_be_ticked(pages, tmp_path):
    kinds = Counter(node["kind"] for node in data_of(pages["en"].read_text(encoding="utf-8"))["nodes"])
    with chromium(tmp_path / "profile") as browser:
        opened(browser, pages["en"])
        browser.find_element(By.CSS_SELECTOR, "input[data-kind=entity]").click()
        assert on_the_map(browser) == kinds["theme"] + kinds["entity"]
        results(browser)[0].click()
        assert shown(browser, "kind") == "Theme"
        assert "in theme" in shown(browser, "neighbours")
        assert browser.find_elements(By.CSS_SELECTOR, "#neighbours button[title=Document]")


def test_a_theme_joins_its_passages_with_their_documents(pages):
    data = data_of(pages["en"].read_text(encoding="utf-8"))
    nodes, in_theme = data["nodes"], data["edgeKinds"].index("in_theme")
    themes = [n for n, node in enumerate(nodes) if node["kind"] == "theme"]
    members = [edge for edge in data["edges"] if edge[0] == in_theme]
    passages = [edge[1] for edge in members if nodes[edge[1]]["kind"] == "chunk"]
    assert sorted(passages) == [n for n, node in enumerate(nodes) if node["kind"] == "chunk"], "each passage in one"
    for theme in themes:
        own = [edge for edge in members if edge[2] == theme]
        documents = Counter(nodes[edge[1]]["of"] for edge in own if nodes[edge[1]]["kind"] == "chunk")
        assert documents == {edge[1]: edge[3] for edge in own if nodes[edge[1]]["kind"] == "document"}
    assert len({nodes[theme]["label"] for theme in themes}) == len(themes)


def test_a_row_is_drawn_with_its_path_from_passage_to_passage(tmp_path):
    graph = KnowledgeGraph()
    places = {}
    for n, text in enumerate(("The Kell boat is red.", "The Kell boat leaves at nine.")):
        document = Document(doc_id=f"{n}.md", source="", title=f"Title {n}", text=text, content_hash="x")
        graph.add_document(document)
        graph.add_chunk(Chunk(chunk_id=f"c-{n}", doc_id=document.doc_id, start=0, end=len(text), text=text))
        places[f"c-{n}"] = Evidence(
            doc_id=document.doc_id, doc_hash="x", chunk_id=f"c-{n}", start=4, end=8, text=text[4:8]
        )
    for name in ("boat", "Kell"):
        graph.add_entity(Entity(entity_id=f"e-{name}", name=name, kind="name"))
        for chunk_id in places:
            graph.relate(Relationship(source_id=chunk_id, target_id=f"e-{name}", kind="mentions"))
    row = Sample(
        question="When does the red boat leave?",
        golden_answers=("at nine",),
        evidence=tuple(places.values()),
        question_type="multi_context",
        language="en",
        metadata={"path": [{"about": "Kell"}]},
    )
    page = tmp_path / "graph.html"
    page.write_text(graph_html(graph, "x", rows=[row]), encoding="utf-8")
    nodes = data_of(page.read_text(encoding="utf-8"))["nodes"]
    drawn = nodes[-1]
    assert [nodes[n]["label"] for n in drawn["path"]][1] == "Kell"
    assert [nodes[n].get("id") for n in drawn["path"]] == ["c-0", None, "c-1"]
    with chromium(tmp_path / "profile") as browser:
        browser.execute_cdp_cmd(
            "Page.addScriptToEvaluateOnNewDocument",
            {
                "source": "window.widths = []; const stroke = CanvasRenderingContext2D.prototype.stroke;"
                "CanvasRenderingContext2D.prototype.stroke = function () { widths.push(this.lineWidth); return stroke.call(this); }"
            },
        )
        opened(browser, page)
        assert 4 not in browser.execute_script("return window.widths")
        sought(browser, "red boat leave")[0].click()
        assert "at nine" in shown(browser, "facts")
        assert [one.text.splitlines()[0] for one in browser.find_elements(By.CSS_SELECTOR, "#facts .link")][1] == "Kell"
        WebDriverWait(browser, 30).until(lambda b: 4 in b.execute_script("return window.widths"))
        assert browser.get_log("browser") == []


def test_every_kind_of_node_and_edge_has_a_name_in_chinese(pages, tmp_path):
    with chromium(tmp_path / "profile", language="zh-TW") as browser:
        opened(browser, pages["zh"])
        for name in ("nodes", "edges"):
            assert not re.search("[a-z]", browser.find_element(By.ID, f"{name[:-1]}-kinds").text)


def test_no_label_leaves_the_frame(pages, tmp_path):
    for width in (390, 1280):
        with chromium(tmp_path / f"profile-{width}", width, 844) as browser:
            browser.execute_cdp_cmd(
                "Page.addScriptToEvaluateOnNewDocument",
                {
                    "source": "const fill = CanvasRenderingContext2D.prototype.fillText; window.names = [];"
                    "CanvasRenderingContext2D.prototype.fillText = function (text, x, y) { window.names.push("
                    "[text, x, x + this.measureText(text).width, y, this.canvas.clientWidth, this.canvas.clientHeight]);"
                    "return fill.call(this, text, x, y); }"
                },
            )
            opened(browser, pages["en"])
            for _ in range(4):
                browser.find_element(By.ID, "zoom-in").click()
            WebDriverWait(browser, 30).until(
                lambda b: len(b.execute_script("return window.names.map(name => name[0])")) > 40
            )
            names = browser.execute_script("return window.names")
            assert len({name[0] for name in names}) > 10
            assert all(x >= 0 and end <= wide and 0 <= y <= high for _, x, end, y, wide, high in names)


def test_a_click_on_the_map_opens_the_node_there(tmp_path):
    page = tmp_path / "graph.html"
    graph = KnowledgeGraph()
    graph.add_document(Document(doc_id="a", source="a", title="Only one", text="Words to read.", content_hash="x"))
    page.write_text(graph_html(graph, "x"), encoding="utf-8")
    with chromium(tmp_path / "profile") as browser:
        opened(browser, page)
        browser.find_element(By.ID, "canvas").click()
        assert shown(browser, "name") == "Only one"
        assert shown(browser, "text") == "Words to read."


def test_hostile_text_is_shown_as_text_and_runs_nothing(tmp_path):
    page = tmp_path / "graph.html"
    page.write_text(graph_html(hostile_graph(), "<script>window.hacked = 5</script>"), encoding="utf-8")
    with chromium(tmp_path / "profile") as browser:
        opened(browser, page)
        assert shown(browser, "title") == "<script>window.hacked = 5</script>"
        for words in ("onerror", "pump"):
            for number in range(len(sought(browser, words))):
                results(browser)[number].click()
        texts = browser.execute_script("return document.getElementById('panel').textContent.toWellFormed()")
        assert "<img src=x onerror='window.hacked = 2'>" in texts
        assert "</script><script>window.hacked = 1</script>" in texts
        assert browser.execute_script("return window.hacked") is None
        assert browser.find_elements(By.TAG_NAME, "img") == []
        assert len(browser.find_elements(By.TAG_NAME, "script")) == 2
        assert browser.get_log("browser") == []


@pytest.mark.parametrize(
    ("language", "passage", "query"),
    [("zh-CN", "段落", "雾溪水库"), ("zh-TW", "段落", "雾溪水库"), ("en-US", "Passage", "霧溪水庫")],
)
def test_a_narrow_window_speaks_the_browsers_language_and_finds_both_scripts(pages, tmp_path, language, passage, query):
    with chromium(tmp_path / "profile", 420, 800, language) as browser:
        opened(browser, pages["zh"])
        found = sought(browser, query)
        next(f for f in found if f.get_attribute("title") == passage and "霧溪水庫" in f.text).click()
        assert "霧溪水庫" in shown(browser, "text")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 420
        if language == "zh-TW":
            assert shown(browser, "filters-toggle") == "篩選"
            Select(browser.find_element(By.ID, "language")).select_by_value("zh-Hans")
            assert shown(browser, "filters-toggle") == "筛选"
