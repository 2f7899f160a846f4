"""The page that browses a set, in a real browser."""

import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from synth.annotation.browsing import OtherSet, SetBrowser
from synth.annotation.decisions import Decisions
from synth.annotation.page_pictures import PagePictures
from synth.annotation.server.app import listen_to_view
from synth.annotation.server.review_queue import ReviewQueue, ReviewTask
from synth.corpus.documents.loading import load
from synth.evaluation.stored_runs import Run
from tests.annotation.rows import HOSTILE, corpus_and_rows, document, sample
from tests.annotation.test_page import part, press, save, shown, until, view, what_is_kept, write
from tests.report.browser import chromium

PDF = Path(__file__).parents[2] / "corpora" / "en" / "lighthouses" / "rock-towers.pdf"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with chromium(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _forgotten(browser):
    """Each test meets the page as a stranger."""
    yield
    browser.execute_script("localStorage.clear()")


@contextmanager
def browsed(rows, store, documents=None, **more):
    """A set served for browsing on a free port: its address."""
    with Decisions(store) as decisions, PagePictures(documents or {}) as pictures:
        task = ReviewTask(name="lamps", rows=tuple(rows), documents=documents, language="en", per_item=9)
        browser = SetBrowser(ReviewQueue(task, decisions), command="synth annotate accept lamps.jsonl", **more)
        listening = listen_to_view(browser, pictures, "127.0.0.1", 0)
        thread = threading.Thread(target=listening.serve)
        thread.start()
        try:
            yield listening.url
        finally:
            listening.stop()
            thread.join()


def opened(browser, url, row=None, width=1400, height=900):
    """Open the page, at a row where one is named, and wait until it shows one, or its list on a narrow window."""
    view(browser, width, height)
    browser.get("about:blank")
    browser.get(url + (f"#{row.id}" if row else ""))
    until(browser, lambda: lines(browser) or browser.find_elements(By.CSS_SELECTOR, "[data-row]"))
    if row or width > 860:
        until(browser, lambda: shown(browser, "question"))


def lines(browser):
    return browser.find_elements(By.CSS_SELECTOR, ".line")


def questions(browser):
    return browser.execute_script("return [...document.querySelectorAll('.line .words')].map(one => one.innerText)")


def choose(browser, facet, label):
    """Choose the value of a facet that begins with a label."""
    select = Select(browser.find_element(By.CSS_SELECTOR, f"[data-facet={facet}]"))
    select.select_by_visible_text(next(one.text for one in select.options if one.text.startswith(label)))


def sought(browser, text):
    part(browser, "search").clear()
    part(browser, "search").send_keys(text)
    until(browser, lambda: part(browser, "list").get_attribute("data-sought") == text)


def test_filters_narrow_the_list_and_count_what_is_left(browser, tmp_path):
    documents, rows = corpus_and_rows(24)
    with browsed(rows, tmp_path / "a", documents) as url:
        opened(browser, url)
        assert shown(browser, "found") == "Rows: 24 of 24"
        choose(browser, "type", "conditional")
        conditional = [row.question for row in rows if row.question_type == "conditional"]
        assert questions(browser) == conditional
        counts = [one.text for one in Select(browser.find_element(By.CSS_SELECTOR, "[data-facet=document]")).options]
        assert counts == ["any", f"d3.md · {len(conditional)}"]
        press(browser, "/")
        press(browser, "第 11", Keys.ESCAPE)
        until(browser, lambda: questions(browser) == [rows[11].question])
        press(browser, "x")
        until(browser, lambda: shown(browser, "found") == "Rows: 24 of 24")
        sought(browser, "灯塔建于1701")
        assert questions(browser) == [rows[1].question], "the words stand in its evidence alone"
        sought(browser, "燈塔建於1701")
        assert questions(browser) == [rows[1].question], "either script finds it"
        sought(browser, rows[5].id)
        assert questions(browser) == [rows[5].question]
        sought(browser, "nowhere")
        assert "No row matches" in shown(browser, "found")
        assert browser.get_log("browser") == []


def test_keys_walk_the_list_and_the_evidence_stands_in_its_document(browser, tmp_path):
    documents, rows = corpus_and_rows(200)
    with browsed(rows, tmp_path / "a", documents) as url:
        opened(browser, url)
        assert shown(browser, "question") == rows[0].question
        press(browser, Keys.ARROW_DOWN)
        until(browser, lambda: shown(browser, "question") == rows[1].question)
        assert browser.find_element(By.TAG_NAME, "mark").text == rows[1].evidence[0].text
        assert browser.current_url.endswith(rows[1].id)
        assert len(lines(browser)) < 60, "lines out of sight are not drawn"
        press(browser, "/")
        press(browser, "lamp 198", Keys.ENTER)
        until(browser, lambda: shown(browser, "question") == rows[198].question)
        assert browser.find_element(By.CSS_SELECTOR, ".line.on .words").text == rows[198].question


def test_an_edit_and_a_removal_go_to_the_log_of_the_review(browser, tmp_path):
    documents, rows = corpus_and_rows(4)
    with browsed(rows, tmp_path / "a", documents) as url:
        opened(browser, url)
        press(browser, "e")
        write(browser, "edit-question", " Anew?")
        save(browser)
        write(browser, "name", "ann" + Keys.ENTER)
        until(browser, lambda: "You decided: edit" in shown(browser, "mine"))
        press(browser, Keys.ARROW_DOWN)
        until(browser, lambda: shown(browser, "question") == rows[1].question)
        press(browser, "r", "6")
        until(browser, lambda: "Decisions 2" in shown(browser, "open-decisions"))
        choose(browser, "decision", "reject")
        assert questions(browser) == [rows[1].question]
        press(browser, "l")
        until(browser, lambda: "synth annotate accept lamps.jsonl" in shown(browser, "panel-body"))
        press(browser, Keys.ESCAPE)
        press(browser, "u")
        until(browser, lambda: "Decisions 1" in shown(browser, "open-decisions"))
    (kept,) = what_is_kept(tmp_path / "a")
    assert (kept.annotator, kept.decision, kept.question) == ("ann", "edit", rows[0].question + " Anew?")


def run_of(name, values):
    return Run(name, Path(name), {}, {}, {}, {"correctness": values}, dict.fromkeys(values, "d0.md"))


def test_two_sets_and_two_runs_side_by_side(browser, tmp_path):
    documents, rows = corpus_and_rows(6)
    there = replace(rows[5], question="Only there?")
    other = OtherSet("old", (rows[0], replace(rows[1], golden_answers=("never",)), *rows[2:4], there))
    before = dict(zip([row.id for row in rows], (0.0, 1.0, 1.0, 0.0, None, 0.0), strict=True))
    after = dict(zip([row.id for row in rows], (1.0, 0.0, 1.0, 0.0, 1.0, 1.0), strict=True))
    runs = [run_of("before", before), run_of("after", after)]
    with browsed(rows, tmp_path / "a", documents, other=other, runs=runs) as url:
        opened(browser, url, rows[1])
        for label, found in (
            ("same", [0, 2, 3]),
            ("changed", [1]),
            ("only here", [4, 5]),
        ):
            choose(browser, "change", label)
            assert questions(browser) == [rows[n].question for n in found]
        choose(browser, "change", "only there")
        assert questions(browser) == ["Only there?"]
        choose(browser, "change", "any")
        origin = shown(browser, "origin")
        assert "never" in origin
        assert rows[1].golden_answers[0] in origin
        for label, found in (("turned right", [0, 5]), ("turned wrong", [1]), ("wrong in both", [3])):
            choose(browser, "turned", label)
            assert questions(browser) == [rows[n].question for n in found]
        choose(browser, "turned", "any")
        Select(part(browser, "order")).select_by_value("lowest")
        assert questions(browser)[:2] == [rows[1].question, rows[3].question]
        sought(browser, "Only there")
        lines(browser)[0].click()
        until(browser, lambda: shown(browser, "question") == "Only there?")
        assert not part(browser, "actions").is_displayed()


def test_evidence_in_a_pdf_is_framed_on_the_picture_of_its_page(browser, tmp_path):
    documents = load([PDF]).documents
    (pdf,) = documents
    row = sample("How tall is it?", "48 metres", "The Skerryvore Lighthouse is 48 metres tall", pdf)
    with browsed([row], tmp_path / "a", {pdf.doc_id: pdf}) as url:
        opened(browser, url)
        until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".sheet .box"))
        (box,) = browser.find_elements(By.CSS_SELECTOR, ".sheet .box")
        image = browser.find_element(By.CSS_SELECTOR, ".sheet img")
        until(browser, lambda: browser.execute_script("return arguments[0].naturalWidth > 500", image))
        inside = (box.rect["y"] - image.rect["y"]) / image.rect["height"]
        assert 0.50 < inside < 0.53
        assert box.rect["width"] > image.rect["width"] / 4
        assert "rock-towers.pdf, page 1" in shown(browser, "evidence")
        assert browser.get_log("browser") == []


def test_a_row_tells_its_path_and_what_it_was_developed_from(browser, tmp_path):
    of = document("a.md", "A fee is due. The school pays none.", "Fees")
    path = [
        {"about": "fee", "says": "A fee is due."},
        {"link": "rule_and_case", "joined_by": "fee"},
        {"about": "school", "says": "The school pays none."},
    ]
    row = replace(
        sample("Does the school pay?", "no", "The school pays none.", of, path=path),
        lineage=(
            {"move": "deepen", "parents": [{"id": "q-1", "question": "Is a fee due?", "golden_answers": ["yes"]}]},
        ),
    )
    grammar = [
        {"document": "a.md", "thing": "Fee", "label": "due"},
        {"document": "b.md", "thing": "Tax", "label": "due"},
    ]
    joined = sample("Which is due?", "fee", "A fee is due.", of, path=grammar)
    with browsed([row, joined], tmp_path / "a", {of.doc_id: of}) as url:
        opened(browser, url, row)
        steps = [one.text.replace("\n", " · ") for one in browser.find_elements(By.CSS_SELECTOR, ".chain li")]
        assert steps[:3] == ["fee A fee is due.", "rule and case fee", "school The school pays none."]
        assert steps[3:] == ["Is a fee due? · yes", "deepen", "Does the school pay? · this row"]
        opened(browser, url, joined)
        steps = [one.text.replace("\n", " · ") for one in browser.find_elements(By.CSS_SELECTOR, ".chain li")]
        assert steps == ["Fee due · a.md", "both on due", "Tax due · b.md"]


def test_hostile_rows_are_shown_as_text(browser, tmp_path):
    of = document("<b>a</b>.md", HOSTILE, "</script><i>")
    text = "<img src=x onerror='window.hacked = 3'>"
    row = sample(
        f"{text} \u202eso?",
        text,
        "The pump stands in the cellar.",
        of,
        category=text,
        tags=[text],
        path=[{"about": text}],
    )
    with browsed([row, *corpus_and_rows(2)[1]], tmp_path / "a", {of.doc_id: of}) as url:
        opened(browser, url, row)
        assert f"{text} U+202Eso?" in shown(browser, "question")
        assert any(f"{text} U+202Eso?" in line for line in questions(browser))
        assert text in shown(browser, "origin")
        assert browser.execute_script("return window.hacked") is None
        assert browser.find_elements(By.CSS_SELECTOR, "main img, main script, main i, main b b") == []
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.get_log("browser") == []


@pytest.mark.parametrize(
    ("language", "found"), [("zh-Hans", "3 题中的 3 题"), ("zh-Hant", "3 題中的 3 題"), ("en", "Rows: 3 of 3")]
)
def test_on_a_phone_the_list_and_the_row_take_turns(browser, tmp_path, language, found):
    documents, rows = corpus_and_rows(3)
    with browsed(rows, tmp_path / "a", documents) as url:
        opened(browser, url, width=390, height=844)
        Select(part(browser, "language")).select_by_value(language)
        assert shown(browser, "found") == found
        assert not part(browser, "card").is_displayed()
        lines(browser)[1].click()
        until(browser, lambda: part(browser, "card").is_displayed())
        assert not part(browser, "browse").is_displayed()
        words = browser.execute_script("return document.body.innerText")
        assert "undefined" not in words
        assert "{" not in words
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
        browser.back()
        until(browser, lambda: part(browser, "browse").is_displayed())
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
