"""Pages of HTML: nothing that is content is lost, nothing is read twice, and nothing that is struck out is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from synth.corpus.documents.file_content import File
from synth.corpus.documents.loading import load
from synth.corpus.documents.readers.html import HtmlReader


def read(body: str) -> str:
    return HtmlReader().read(File("a.html", f"<html><body>{body}</body></html>".encode())).text.strip()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>10<sup>6</sup> m<sup>2</sup>, 3×10<sup>−5</sup>, H<sub>2</sub>O</p>", "10⁶ m², 3×10⁻⁵, H₂O"),
        ("<p>a<sup>x+y</sup> b<sub>i</sub> word<sup><a href='#1'>1</a></sup></p>", "a^(x+y) b_i word"),
        ("<h1>Area in km<sup>2</sup></h1>", "# Area in km²"),
        ("<p>In <del>1987</del> <ins>1989</ins>.</p><p><s>Gone.</s></p><strike>x</strike>", "In 1989."),
        ('<p>Here. <span style="color:red; TEXT-DECORATION: line-through">Gone.</span></p>', "Here."),
        ('<p>Here. <span style="visibility: hidden">Gone.</span></p>', "Here."),
        ("<template><p>Gone.</p></template><p>Here.</p>", "Here."),
        ("<form><h1>Pump</h1><p>It weighs 41 kg.</p><input value='x'></form>", "# Pump\n\nIt weighs 41 kg."),
        ("<form><label>Search</label><input></form><p>Here.</p>", "Here."),
        ("<main><p>Here.</p><aside><p>Mind the gap.</p></aside></main>", "Here.\n\nMind the gap."),
        ("<aside><p>Mind the gap.</p></aside><p>Here.</p>", "Mind the gap.\n\nHere."),
        ("<aside><p>See <a>one page</a>, <a>another page</a></p></aside><p>Here.</p>", "Here."),
        ("<noscript>Allow scripts.</noscript><p>Here.</p>", "Here."),
        ("<script>draw()</script><noscript><p>Here.</p></noscript>", "Here."),
        (
            "<p>One<a role='doc-noteref'><sup>1</sup></a>.</p><aside role='doc-footnote'><span class='label'>1</span><p>The note.</p></aside>",
            "One.\n\n[^1]: The note.",
        ),
        (
            "<p>One.</p><section class='footnotes'><ol><li><p>A. <a class='footnote-backref'>x</a></p></li><li>B.</li></ol></section>",
            "One.\n\n[^1]: A.\n\n[^2]: B.",
        ),
        ('<div role="tabpanel"><p>A</p></div><div role="tabpanel" hidden><p>B</p></div>', "A\n\nB"),
        ('<div class="tab-pane" style="display:none"><p>B</p></div><div hidden>C</div>', "B"),
        ("<figure><img><figcaption>The port.</figcaption></figure>", "<!-- figure -->\n\nThe port."),
        ("<p>The load is <math><msup><mi>n</mi><mn>2</mn></msup></math>.</p>", "The load is n²."),
        (
            (
                "<p><math><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>"
                '<annotation encoding="application/x-tex">\\frac{a}{b}</annotation></semantics></math>'
                '<span class="katex-html" aria-hidden="true">ab</span></p>'
            ),
            "$\\frac{a}{b}$",
        ),
        (
            (
                "<dl><dt>open</dt><dd><p>Opens.</p><dl><dt>path</dt><dd>A path.</dd></dl></dd><dt>x</dt><dt>y</dt>"
                "<dd>Both.</dd></dl>"
            ),
            "- open: Opens.\n    - path: A path.\n- x, y: Both.",
        ),
        ("<dl><div><dt>a</dt><dd>b</dd></div></dl>", "- a: b"),
    ],
)
def test_what_a_page_says(body: str, text: str) -> None:
    assert read(body) == text


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            "<tr><th>O<th>U<th>D</tr><tr><td>a<td rowspan=2>t<td>1</tr><tr><td>b<td>2</tr>",
            "| O | U | D |\n| --- | --- | --- |\n| a | t | 1 |\n| b | t | 2 |",
        ),
        (
            "<tr><th>O<th>U</tr><tr><td rowspan=0>a<td>1</tr><tr><td>2</tr>",
            "| O | U |\n| --- | --- |\n| a | 1 |\n| a | 2 |",
        ),
        (
            "<thead><tr><th rowspan=2>Item<th colspan=2>2024</tr><tr><th>Q1<th>Q2</tr></thead><tr><td>a<td>1<td>2</tr>",
            "| Item | 2024: Q1 | 2024: Q2 |\n| --- | --- | --- |\n| a | 1 | 2 |",
        ),
        (
            "<tr><th>O<th>U</tr><tr><th scope=row>a<td>1</tr>",
            "| O | U |\n| --- | --- |\n| **a** | 1 |",
        ),
        (
            "<caption>Fees</caption><tr><th>O<th>U</tr><tr><td>a<td><del>1</del>2</tr>",
            "<!-- caption -->\n\nFees\n\n| O | U |\n| --- | --- |\n| a | 2 |",
        ),
    ],
)
def test_tables(rows: str, text: str) -> None:
    assert read(f"<table>{rows}</table>") == text


def test_nested_definitions_are_read_once_at_any_depth() -> None:
    body = "<p>The relay closes.</p>"
    for level in range(90):
        body = f"<dl><dt>Level {level}</dt><dd>{body}</dd></dl>"
    text = read(body)
    assert text.count("relay") == 1
    assert len(text) < 10 * len(body)


def test_a_page_of_spans_stays_small() -> None:
    text = read("<table>" + "<tr>" + "<td colspan=9999 rowspan=9999>x</td>" * 3 + "</tr><tr><td>y</td></tr></table>")
    assert len(text) < 50_000


def test_a_page_with_a_million_spaces_is_read_in_the_time_that_a_file_has(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<p>The lamp{' ' * 1_000_000}</p><p>It is lit.</p>", encoding="utf-8")
    assert [document.text for document in load([tmp_path]).documents] == ["The lamp\n\nIt is lit.\n"]
