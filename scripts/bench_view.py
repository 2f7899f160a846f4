"""Milliseconds that a filter of `synth view` takes in a browser, from the choice to the painted list.

    python scripts/bench_view.py [--rows 10000] [--repeat 20]

Makes a set of rows with evidence of some 500 characters, English and Chinese in turn, over 500 documents, serves it
as `synth view` does, and opens it in Chromium, wide and as on a phone. Times stand for the work of the page: from
the event of a choice or of a typed text to the second frame after the list is drawn; a text goes to the server
and back.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from statistics import median
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from synth.annotation.browsing import SetBrowser
from synth.annotation.decisions import Decisions
from synth.annotation.page_pictures import PagePictures
from synth.annotation.server.app import listen_to_view
from synth.annotation.server.review_queue import ReviewQueue, ReviewTask
from synth.core.records import Evidence, Sample, text_hash

_TYPES, _LEVELS = ("simple", "reasoning", "multi_context", "conditional"), ("easy", "medium", "hard")
_WORDS = "the harbour keeper lights a lamp at dusk and writes its hour in the log of the station".split()
_CHINESE = "港口的守塔人在黃昏點亮燈塔並把時刻記在站裡的日誌中"
_TIMED = """
const [act, done] = arguments, end = performance.now.bind(performance);
const frames = then => requestAnimationFrame(() => requestAnimationFrame(then));
const list = document.getElementById('list'), search = document.getElementById('search');
const began = performance.now();
if (act[0] === 'search') {
  new MutationObserver((_, seen) => {
    if (list.dataset.sought !== act[1]) return;
    seen.disconnect();
    frames(() => done(end() - began));
  }).observe(list, { attributes: true });
  search.value = act[1];
  search.dispatchEvent(new Event('input'));
} else {
  const select = document.querySelector(`[data-facet=${act[0]}]`);
  select.selectedIndex = act[1] % select.options.length;
  select.dispatchEvent(new Event('change'));
  frames(() => done(end() - began));
}
"""
_LISTED = """
const [done] = arguments;
(function look() { if (document.querySelector('.line')) done(); else setTimeout(look, 20); })();
"""
_FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=20, help="times that each filter is set (20)")
    options = parser.parse_args()
    rows = [row(number) for number in range(options.rows)]
    with tempfile.TemporaryDirectory() as folder, Decisions(Path(folder) / "a") as decisions, PagePictures({}) as none:
        task = ReviewTask(name="bench", rows=tuple(rows), documents=None, language="en", per_item=sys.maxsize)
        listening = listen_to_view(SetBrowser(ReviewQueue(task, decisions)), none, "127.0.0.1", 0)
        thread = threading.Thread(target=listening.serve)
        thread.start()
        try:
            for width, height in ((1280, 860), (390, 844)):
                measure(listening.url, Path(folder) / str(width), width, height, options.repeat)
        finally:
            listening.stop()
            thread.join()
    return 0


def measure(url: str, profile: Path, width: int, height: int, repeat: int) -> None:
    """Print the times of each filter in a window of that size."""
    browser = opened(profile, width, height)
    try:
        browser.set_script_timeout(60)
        browser.get(url)
        browser.execute_async_script(_LISTED)
        loaded = browser.execute_script("return performance.now()")
        print(f"{width} x {height}: the list is there after {loaded:.0f} ms")
        for name, values in filters(repeat).items():
            times = sorted(browser.execute_async_script(_TIMED, [name, value]) for value in values)
            print(f"  {name:<10} median {median(times):4.0f} ms, longest {times[-1]:4.0f} ms, {len(times)} times")
    finally:
        browser.quit()


def filters(repeat: int) -> dict[str, list[Any]]:
    """What is chosen of each filter, one after another; the search ends without a text."""
    chosen = {name: [*range(1, repeat), 0] for name in ("type", "difficulty", "category", "document")}
    return {**chosen, "search": [*(f"lamp {17 * number}" for number in range(1, repeat // 2)), "黄昏", "燈塔", ""]}


def opened(profile: Path, width: int, height: int) -> Any:
    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    browser = webdriver.Chrome(options=options, service=Service(str(shutil.which("chromedriver"))))
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    return browser


def row(number: int) -> Sample:
    """The row `number` of the set."""
    chance = random.Random(number)
    filler = "".join(chance.choices(_CHINESE, k=200)) if number % 2 else " ".join(chance.choices(_WORDS, k=90))
    text = f"Lamp {number} was lit in {1000 + number}. {filler}"
    doc_id = f"harbours/{number % 500:03}.md"
    piece = Evidence(doc_id=doc_id, doc_hash=text_hash(text), chunk_id="c", start=0, end=len(text), text=text)
    return Sample(
        question=f"In what year was lamp {number} of the harbour lit for the first time?",
        golden_answers=(str(1000 + number),),
        evidence=(piece,),
        question_type=chance.choice(_TYPES),
        language="en",
        metadata={"difficulty": chance.choice(_LEVELS), "category": f"topic {chance.randrange(40)}"},
    )


if __name__ == "__main__":
    sys.exit(main())
