"""The review page in a real browser, by keyboard, as a person uses it."""

import re

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from synth.annotation.decisions import Decisions
from tests.annotation.rows import HOSTILE, corpus_and_rows, document, said, sample, served
from tests.report.browser import chromium


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="module")
def browser(profile):
    with chromium(profile) as opened:
        yield opened


def until(browser, holds):
    return WebDriverWait(browser, 30, poll_frequency=0.02).until(lambda _: holds())


def part(browser, name):
    return browser.find_element(By.ID, name)


def shown(browser, name):
    return part(browser, name).text


def press(browser, *keys):
    ActionChains(browser).send_keys(*keys).perform()


def write(browser, name, *keys):
    """Type into a field as soon as the page shows it."""
    until(browser, part(browser, name).is_displayed)
    part(browser, name).send_keys(*keys)


def save(browser):
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()


def done(browser):
    found = re.match(r"(\d+) (?:of|/) (\d+)", shown(browser, "progress"))
    return int(found[1]) if found else -1


def decide(browser, *keys):
    """Press keys that decide a row, and wait until the page has gone on."""
    before = done(browser)
    for key in keys:
        press(browser, key)
    until(browser, lambda: done(browser) == before + 1)


def enter(browser, url, who):
    browser.get(url)
    write(browser, "name", who + Keys.ENTER)
    until(browser, lambda: part(browser, "desk").is_displayed())


def what_is_kept(store):
    with Decisions(store) as decisions:
        return [k.annotation for k in decisions.all()]


def test_twenty_rows_by_keyboard_through_a_closed_browser_beside_another_annotator(profile, tmp_path, request):
    documents, rows = corpus_and_rows(20)
    store = tmp_path / "a.sqlite"
    with served(rows, store, documents, per_item=2) as (url, _):
        with chromium(profile) as first:
            enter(first, url, "ann")
            assert shown(first, "question") == rows[0].question
            assert first.find_element(By.TAG_NAME, "mark").text == rows[0].evidence[0].text
            press(first, "d", *[Keys.ARROW_RIGHT] * 2, Keys.ARROW_DOWN, *[Keys.ARROW_RIGHT] * 3, Keys.ESCAPE, "c")
            write(first, "comment", "fine", Keys.ESCAPE)
            for _ in range(8):
                decide(first, "a")
            press(first, "e")
            write(first, "edit-question", " Anew?")
            save(first)
            until(first, lambda: done(first) == 9)
            press(first, "6")
            decide(first, "r", "6")
            press(first, "u")
            until(first, lambda: done(first) == 9)
            assert shown(first, "question") == rows[9].question
            decide(first, "r", "7")
            press(first, "e")
            write(first, "edit-answers", Keys.END, "\nhalf written")
        second = request.getfixturevalue("browser")
        second.get(url)
        until(second, lambda: part(second, "editing").is_displayed())
        assert done(second) == 10, "the name is known, and all that was decided"
        assert part(second, "edit-answers").get_attribute("value").endswith("half written")
        save(second)
        until(second, lambda: done(second) == 11)
        mine = second.current_window_handle
        second.switch_to.new_window("tab")
        second.get(url)
        until(second, lambda: part(second, "switch").is_displayed())
        part(second, "switch").click()
        write(second, "name", "波" + Keys.ENTER)
        until(second, lambda: done(second) == 0)
        theirs = second.current_window_handle
        for _ in range(5):
            decide(second, "s")
            second.switch_to.window(mine)
            decide(second, "a")
            second.switch_to.window(theirs)
        second.close()
        second.switch_to.window(mine)
        for _ in range(4):
            decide(second, "a")
        until(second, lambda: part(second, "finished").is_displayed())
        assert second.get_log("browser") == []
    kept = what_is_kept(store)
    ann = {one.sample_id: one for one in kept if one.annotator == "ann"}
    assert [ann[row.id].decision for row in rows] == ["accept"] * 8 + ["edit", "reject", "edit"] + ["accept"] * 9
    assert dict(ann[rows[0].id].ratings) == {"fluency": 2, "clarity": 3}
    assert ann[rows[0].id].comment == "fine"
    assert ann[rows[8].id].question == rows[8].question + " Anew?"
    assert ann[rows[9].id].reason == "gives_away"
    assert not ann[rows[9].id].ratings, "a number names a reason and nothing else"
    assert ann[rows[10].id].golden_answers == (*rows[10].golden_answers, "half written")
    assert [one.decision for one in kept if one.annotator == "波"] == ["skip"] * 5


def test_hostile_text_is_shown_as_text_and_runs_nothing(browser, tmp_path):
    of = document("<b>a</b>.md", HOSTILE, "</script><i>")
    row = sample(
        "Is <img src=x onerror='window.hacked = 3'> \u202eso?", "<b>no</b>", "The pump stands in the cellar.", of
    )
    with served([row, *corpus_and_rows(2)[1]], tmp_path / "a", {of.doc_id: of}) as (url, _):
        enter(browser, url, "<script>window.hacked = 4</script>")
        assert "<img src=x onerror='window.hacked = 3'> U+202Eso?" in shown(browser, "question")
        text = shown(browser, "evidence")
        assert "</script><script>window.hacked = 1</script>" in text
        assert "U+202Eevil" in text
        assert "</script><i>" in text
        press(browser, "l")
        until(browser, lambda: "<img src=x" in shown(browser, "panel-body"))
        press(browser, Keys.ESCAPE)
        press(browser, "g")
        until(browser, lambda: "<b>no</b>" in shown(browser, "panel-body"))
        press(browser, Keys.ESCAPE)
        assert browser.execute_script("return window.hacked") is None
        assert browser.find_elements(By.CSS_SELECTOR, "main img, main script, main i, main b b") == []
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.get_log("browser") == []


HOSTILE_MARKDOWN = """# The <script>window.hacked = 5</script> *yard*

![a picture](http://127.0.0.1:9/picture.png) and [a link](javascript:window.hacked=6) and <img src=x onerror="window.hacked = 7">
**bold \u202eturned**. The pump stands in the `cellar`.

<iframe src="http://127.0.0.1:9/"></iframe>

| part | <b>place</b> |
|------|--------------|
| pump | cellar |

```html
<script>window.hacked = 8</script>
```
"""


def test_markdown_is_formatted_and_nothing_of_it_runs_or_is_fetched(browser, tmp_path):
    of = document("yard.md", HOSTILE_MARKDOWN, "Yard", format="markdown")
    row = sample("Where does the pump stand?", "In the cellar.", "The pump stands in the `cellar`.", of)
    with served([row], tmp_path / "a", {of.doc_id: of}) as (url, _):
        enter(browser, url, "ann")
        Select(part(browser, "language")).select_by_value("en")
        body = browser.find_element(By.CSS_SELECTOR, ".body")
        assert body.find_element(By.CSS_SELECTOR, ".heading .em").text == "yard"
        assert [cell.text for cell in body.find_elements(By.CSS_SELECTOR, "table th, table td")] == [
            "part",
            "place",
            "pump",
            "cellar",
        ]
        assert (
            "".join(m.get_attribute("textContent") for m in body.find_elements(By.TAG_NAME, "mark"))
            == "The pump stands in the cellar."
        )
        assert "U+202Eturned" in body.find_element(By.CSS_SELECTOR, ".strong").text
        for text in ("<script>window.hacked = 5</script>", "<img src=x", "<iframe src=", "<script>window.hacked = 8"):
            assert text in body.text
        body.find_element(By.CSS_SELECTOR, ".link").click()
        press(browser, "t")
        until(browser, lambda: "# The <script>" in shown(browser, "passages"))
        assert "![a picture](http://127.0.0.1:9/picture.png)" in shown(browser, "passages")
        assert browser.find_element(By.TAG_NAME, "mark").text == "The pump stands in the `cellar`."
        assert browser.execute_script("return window.hacked") is None
        assert browser.find_elements(By.CSS_SELECTOR, "main img, main script, main iframe, main a, main b b") == []
        fetched = browser.execute_script("return performance.getEntriesByType('resource').map(one => one.name)")
        assert fetched
        assert all(name.startswith(url) for name in fetched)
        assert browser.get_log("browser") == []


def view(browser, width, height):
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def test_every_field_has_a_label(browser, tmp_path):
    documents, rows = corpus_and_rows(1)
    with served(rows, tmp_path / "a", documents) as (url, _):
        view(browser, 1400, 900)
        enter(browser, url, "ann")
        for language, labels in (
            ("en", ("Row 1 / 1", "Type one fact", "Difficulty easy", "Topic d0.md", "Question", "Answer", "Comment")),
            ("zh-Hant", ("第幾題 1 / 1", "類型 單一事實", "難度 容易", "主題 d0.md", "問題", "答案", "評語")),
        ):
            Select(part(browser, "language")).select_by_value(language)
            lines = re.sub(r"\s+", " ", shown(browser, "card"))
            assert all(label in lines for label in labels)
        assert "文件：Lamps 0" in shown(browser, "evidence")
        assert shown(browser, "evidence-label") == "證據"


def test_the_first_reason_is_in_view_on_a_phone_wherever_the_page_stands(browser, tmp_path):
    of = document("long.md", "Word. " * 900 + "The pump stands in the cellar.", "Long")
    row = sample("Where does the pump stand? " * 12, "In the cellar.", "The pump stands in the cellar.", of)
    with served([row], tmp_path / "a", {of.doc_id: of}) as (url, _):
        view(browser, 390, 700)
        enter(browser, url, "ann")
        for place in ("0", "document.body.scrollHeight"):
            browser.execute_script(f"scrollTo(0, {place})")
            part(browser, "do-reject").click()
            reasons = browser.find_elements(By.CSS_SELECTOR, "[data-reason]")
            seen = browser.execute_script(
                "return arguments[0].map(one => { const box = one.getBoundingClientRect();"
                "return document.elementFromPoint(box.x + 9, box.y + box.height / 2)?.closest('[data-reason]') === one })",
                reasons,
            )
            assert seen[0]
            browser.execute_script("arguments[0].scrollIntoView()", reasons[-1])
            press(browser, Keys.ESCAPE)
            until(browser, lambda: not part(browser, "rejecting").is_displayed())


@pytest.mark.parametrize(
    ("language", "accept", "size"),
    [("zh-Hans", "接受", (1400, 900)), ("zh-Hant", "接受", (400, 800)), ("en", "accept", (400, 800))],
)
def test_three_languages_in_a_wide_and_a_narrow_window(browser, tmp_path, language, accept, size):
    documents, rows = corpus_and_rows(3)
    with served(rows, tmp_path / "a", documents) as (url, _):
        enter(browser, url, "ann")
        view(browser, *size)
        Select(part(browser, "language")).select_by_value(language)
        assert accept in shown(browser, "do-accept")
        assert browser.execute_script("return document.documentElement.lang") == language
        words = browser.execute_script("return document.body.innerText")
        assert "undefined" not in words
        assert "{" not in words
        if language != "en":
            assert not re.search(r"\b(accept|reject|Rows|Comment|fluency|undo)\b", words)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        part(browser, "do-reject").click()
        browser.find_element(By.CSS_SELECTOR, "[data-reason=trivial]").click()
        until(browser, lambda: done(browser) == 1)
        press(browser, "?")
        until(browser, lambda: part(browser, "panel").is_displayed())
        assert "Ctrl+Enter" in shown(browser, "panel-body")
        press(browser, Keys.ESCAPE)


def test_whoever_settles_sees_what_the_others_said(browser, tmp_path):
    documents, rows = corpus_and_rows(1)
    with Decisions(tmp_path / "a") as decisions:
        decisions.add(said(rows[0], "ann"), "review")
        decisions.add(said(rows[0], "bo", "edit", question="When?"), "review")
    with served(rows, tmp_path / "a", documents, adjudicate=True) as (url, _):
        enter(browser, url, "cy")
        Select(part(browser, "language")).select_by_value("en")
        assert "ann: accept" in shown(browser, "others")
        assert "bo: edit · When?" in shown(browser, "others")
        press(browser, "e")
        until(browser, part(browser, "editing").is_displayed)
        assert part(browser, "edit-question").get_attribute("value") == "When?", "the wording of the colleague"
        save(browser)
        until(browser, lambda: done(browser) == 1)
    last = what_is_kept(tmp_path / "a")[-1]
    assert (last.annotator, last.adjudicated, last.decision, last.question) == ("cy", True, "edit", "When?")


def test_a_server_started_anew_takes_the_decision_of_a_page_that_stayed_open(browser, tmp_path):
    documents, rows = corpus_and_rows(3)
    with served(rows, tmp_path / "a", documents) as (url, _):
        enter(browser, url, "ann")
        browser.execute_script("fetch = (old => (path, given) => old(path, given && path !== '/setting' && !window.fresh ? "
                               "(window.fresh = 1, {...given, headers: {...given.headers, 'x-synth-token': 'old'}}) : given))(fetch)")  # fmt: skip
        Select(part(browser, "language")).select_by_value("en")
        decide(browser, "a")
        assert browser.execute_script("return window.fresh") == 1
    press(browser, "a")
    until(browser, lambda: "The server does not answer" in shown(browser, "toast"))
    browser.get_log("browser")
