"""The pages of score and evaluate, opened in a browser as a person would: both languages, offline, nothing runs."""

import json
import re

import pytest
from zhconv import convert

from synth.cli.main import main
from synth.evaluation.report.charts import ticks
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
        "set.html": (
            ("Quality of this testset", "Validity", "5 rows"),
            ("测试集质量报告", "效度", "共 5 题"),
            ("測試集品質報告", "效度", "共 5 題"),
        ),
        "system.html": (
            ("Evaluation report", "Retrieval by depth", "words that answer and golden answer share"),
            ("系统评测报告", "检索曲线", "回答与标准答案共有的词"),
            ("系統評測報告", "檢索曲線", "回答與標準答案共有的詞"),
        ),
    }
    with chromium(tmp_path / "profile") as browser:
        for name, texts in headings.items():
            browser.get((pages / name).as_uri())
            for language, wanted in zip(("en", "zh-Hans", "zh-Hant"), texts, strict=True):
                browser.find_element("css selector", f"button[data-to={language}]").click()
                text = seen(browser)
                assert all(part in text for part in wanted)
                assert all(other[0] not in text for other in texts if other != wanted)
                assert browser.execute_script("return document.documentElement.lang") == language
            assert browser.execute_script("return document.querySelectorAll('img, body script').length") == 1
            assert browser.execute_script("return document.title") != "run"
            for figure in browser.find_elements("css selector", "figure"):
                assert figure.find_elements("css selector", "svg text")
                assert figure.find_elements("css selector", "details table")
            assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
            wide = browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
            assert wide, f"{name} is wider than the window"


def test_each_page_opens_with_its_result_in_a_sentence(pages, tmp_path):
    with chromium(tmp_path / "profile") as browser:
        for name, says in (
            (
                "set.html",
                r"The corpus confirms all 5 rows; .* ±44 percentage points, .* large differences only; lowest grades: no leaks \(E\)",
            ),
            (
                "system.html",
                r"The first \d+ passages contain \d+ % of the evidence. The answers contain \d+ % of .* thresholds",
            ),
        ):
            browser.get((pages / name).as_uri())
            lead, *_ = browser.find_elements("css selector", "section p")
            assert lead.get_attribute("class") == "lead"
            assert re.search(says, lead.text)


def test_metrics_come_in_order_of_importance_each_with_its_meaning(pages, tmp_path):
    with chromium(tmp_path / "profile", width=1280) as browser:
        browser.get((pages / "system.html").as_uri())
        cards = [card.text.splitlines() for card in browser.find_elements("css selector", ".card")]
        assert [card[0] for card in cards][:2] == ["evidence_recall@5", "evidence_precision@5"]
        names = [cell.text for cell in browser.find_elements("css selector", ".metrics td:first-child")]
        assert [name.splitlines()[0] for name in names[: len(cards)]] == [card[0] for card in cards]
        assert all(len(name.splitlines()) > 1 for name in names), "every metric is explained"
        decisions = [cell.text for cell in browser.find_elements("css selector", "td b")]
        assert decisions == sorted(decisions, key=("failed", "inconclusive", "passed").index)
        used = browser.execute_script("return document.querySelector('main section').getBoundingClientRect().width")
        assert used > 1200


def test_traditional_texts_have_no_simplified_character(pages):
    for name in ("set.html", "system.html"):
        texts = re.findall('<span lang="zh-Hant">(.*?)</span>', (pages / name).read_text(encoding="utf-8"))
        assert len(texts) > 30
        assert [text for text in texts if convert(text, "zh-tw") != text] == []


def test_the_colours_follow_the_reader(pages, tmp_path):
    with chromium(tmp_path / "profile") as browser:
        grounds = []
        for scheme in ("light", "dark"):
            feature = {"name": "prefers-color-scheme", "value": scheme}
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
            browser.get((pages / "system.html").as_uri())
            grounds.append(
                browser.execute_script(
                    "return ['body', '.gauge .dot', '.plot .label'].map(one => {"
                    "const style = getComputedStyle(document.querySelector(one)); return style.backgroundColor + style.stroke + style.fill })"
                )
            )
        assert all(light != dark for light, dark in zip(*grounds, strict=True))


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0.42, 1, [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        (0.93, 0.94, [0.93, 0.932, 0.934, 0.936, 0.938, 0.94]),
        (0.5, 0.5, [0.5, 0.5000000002]),
    ],
)
def test_ticks_are_round_values_around_the_range(low, high, wanted):
    assert ticks(low, high) == pytest.approx(wanted)


def test_rows_show_their_scores_are_searched_and_opened(pages, tmp_path):
    with chromium(tmp_path / "profile", language="zh-CN") as browser:
        browser.get((pages / "system.html").as_uri())
        assert "系统评测报告" in seen(browser)
        assert "出题漏斗" in seen(browser)
        rows = browser.find_elements("css selector", ".row")
        assert len(rows) == 5
        assert all("correctness" in row.text for row in rows), "scores are seen before a row is opened"
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


def compared_page(here, right):  # noqa: F811
    """The page of a system that answers `right` of 24 rows, and of a second one that answers all."""
    rows = [
        {
            **ROWS[0],
            "id": f"q-{n}",
            "question": f"{n}?",
            "evidence": [{**ROWS[0]["evidence"][0], "doc_id": f"d{n}.txt"}],
        }
        for n in range(24)
    ]
    write(here / "many.jsonl", rows)
    for name, count in (("first", right), ("second", 24)):
        answers = [
            {"id": row["id"], "answer": row["golden_answers"][0] if n < count else ""} for n, row in enumerate(rows)
        ]
        write_rows(here / f"{name}.jsonl", answers)
    command = (
        "evaluate many.jsonl first.jsonl --compare second.jsonl --metrics exact_match --html compared.html --quiet"
    )
    assert main(command.split()) in (0, 6, 7)
    return here / "compared.html"


@pytest.mark.parametrize(
    ("right", "verdict", "marks"),
    [
        (6, "Against the first system, the second one is better in exact_match.", ["▲ differs"]),
        (24, "No metric shown differs significantly between the two systems.", []),
    ],
)
def test_a_comparison_says_its_verdict_and_marks_what_differs(here, tmp_path, right, verdict, marks):  # noqa: F811
    page = compared_page(here, right)
    with chromium(tmp_path / "profile", width=390) as browser:
        browser.get(page.as_uri())
        assert browser.find_element("tag name", "h1").text == "Comparison report"
        assert verdict in [lead.text for lead in browser.find_elements("css selector", ".lead")]
        assert [mark.text for mark in browser.find_elements("css selector", "td b.better, td b.worse")] == marks


def test_no_slice_is_cut_on_a_phone(pages, tmp_path):
    with chromium(tmp_path / "profile", width=390) as browser:
        browser.get((pages / "system.html").as_uri())
        cells = browser.find_elements("css selector", ".slices td")
        assert cells
        ends = browser.execute_script("return arguments[0].map(cell => cell.getBoundingClientRect().right)", cells)
        assert max(ends) <= 390
        labels = [cell.text.split()[0] for cell in cells if cell.text.startswith("evidence_recall")]
        assert labels == ["evidence_recall@5"] * len(labels) != []
