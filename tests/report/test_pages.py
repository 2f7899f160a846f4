"""The pages of score and evaluate, opened in a browser as a person would: both languages, offline, nothing runs."""

import json

import pytest

from synth.cli.main import main
from tests.report.browser import chromium
from tests.test_score_command import ROWS, here, write  # noqa: F401
from tests.test_thresholds import write as write_rows

HOSTILE = "<script>document.title='run'</script><img src=x onerror=alert(1)>"


@pytest.fixture
def pages(here):  # noqa: F811
    rows = [*ROWS, {**ROWS[0], "id": "q-5", "question": HOSTILE}]
    write(here / "set.jsonl", rows)
    responses = [
        {
            "id": f"q-{i}",
            "answer": "1811" if i != 5 else HOSTILE,
            "retrieved": [{"doc_id": "en-lamp.txt", "start": 0, "end": 80}],
        }
        for i in range(1, 6)
    ]
    write_rows(here / "responses.jsonl", responses)
    manifest = {"funnel": {"simple": {"tried": 9, "kept": 5, "copied": 4}}}
    (here / "set.manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert (
        main(
            [
                "score",
                "set.jsonl",
                "--corpus",
                "docs",
                "--human",
                "human.jsonl",
                "--html",
                "set.html",
                "--encoder",
                "hashed",
                "--quiet",
            ]
        )
        == 0
    )
    assert main(
        ["evaluate", "set.jsonl", "responses.jsonl", "--html", "system.html", "--profile", "exploratory", "--quiet"]
    ) in (6, 7)
    return here


def seen(browser):
    return browser.find_element("tag name", "body").text


def test_pages_in_a_browser(pages, tmp_path):
    headings = {
        "set.html": ("Quality of this testset", "测试集质量报告", "Validity", "效度"),
        "system.html": ("How the system does", "系统评测报告", "Retrieval by depth", "检索曲线"),
    }
    with chromium(tmp_path / "profile") as browser:
        for name, (title, title_zh, part, part_zh) in headings.items():
            browser.get((pages / name).as_uri())
            text = seen(browser)
            assert title in text
            assert part in text
            assert title_zh not in text
            browser.find_element("css selector", "button[data-to=zh]").click()
            text = seen(browser)
            assert title_zh in text
            assert part_zh in text
            assert title not in text
            assert browser.execute_script("return document.documentElement.lang") == "zh-Hans"
            assert browser.execute_script("return document.querySelectorAll('img, body script').length") == 1
            assert browser.execute_script("return document.title") != "run"
            for figure in browser.find_elements("css selector", "figure"):
                assert figure.find_elements("css selector", "svg text")
                assert figure.find_elements("css selector", "details table")
            assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
            wide = browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
            assert wide, f"{name} is wider than the window"


def test_rows_are_searched_and_opened(pages, tmp_path):
    with chromium(tmp_path / "profile", language="zh-CN") as browser:
        browser.get((pages / "system.html").as_uri())
        assert "系统评测报告" in seen(browser)
        assert "出题漏斗" in seen(browser)
        rows = browser.find_elements("css selector", ".row")
        assert len(rows) == 5
        browser.find_element("css selector", "input[type=search]").send_keys("大坝高")
        assert sum(row.is_displayed() for row in rows) == 1
        (shown,) = [row for row in rows if row.is_displayed()]
        shown.find_element("css selector", "summary").click()
        assert "四十二米" in shown.text
        assert "en-lamp.txt [0–80]" in shown.text


def test_a_page_fits_a_phone_and_has_nothing_from_elsewhere(pages, tmp_path):
    for name in ("set.html", "system.html"):
        text = (pages / name).read_text(encoding="utf-8")
        assert "http://" not in text
        assert "https://" not in text
        assert "<script>document" not in text
    with chromium(tmp_path / "profile", width=390, height=800) as browser:
        for name in ("set.html", "system.html"):
            browser.get((pages / name).as_uri())
            assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
