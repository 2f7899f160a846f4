"""Every kind of file becomes text whose structure is understood."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from synth.core.records import Document
from synth.corpus.documents.loading import load
from synth.text.blocks import blocks
from synth.text.markup import plain
from synth.text.prose import sentences
from tests.documents import files


def read(tmp_path: Path, name: str, data: bytes | str) -> Document:
    (tmp_path / name).write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
    (made,) = load([tmp_path / name]).documents
    return made


def structure(made: Document) -> list[tuple[str, str]]:
    found = blocks(made.text, made.metadata["format"])
    return [(block.kind, made.text[block.start : block.end]) for block in found]


def items(made: Document) -> list[str]:
    found = blocks(made.text, made.metadata["format"])
    return [plain(made.text, block.start, block.end).text for block in found if block.kind == "list_item"]


def said(made: Document) -> list[str]:
    return [sentence.text for sentence in sentences(made.text, made.metadata["format"])]


PAGE = """<!DOCTYPE html>
<html><head><title>Pumps &amp; valves</title><style>p {}</style></head><body>
<header><a href="/">Home</a></header><nav>Menu entry</nav><div class="sidebar">Side</div>
<main><h1>Pumps<a class="headerlink" href="#p">¶</a></h1>
<p>The <b>T-100</b> moves <i>water</i>, uses <code>pump_rate</code> and is made in
<a href="x.html">Kiel</a>.<sup class="reference"><a href="#1">[1]</a></sup> 它每分钟抽水四十升。</p>
<h2>Parts</h2>
<ul><li>one valve<ul><li>a spring</li></ul></li><li><p>two seals</p></li></ul><ol><li>open</li><li>close</li></ol>
<table><thead><tr><th>Part</th><th>Price</th></tr></thead><tr><td>Valve</td><td>3 | 4</td></tr></table>
<pre class="language-python"><code>x = 1
y = "`"</code></pre>
<blockquote><p>Oil it monthly.</p></blockquote>
<dl><dt>Rate</dt><dd>Litres a minute.</dd></dl>
<p>A star * here and _there_ and 2*3*4.</p><img alt="photo" src="a.png"><p hidden>Unseen.</p>
</main><aside>Advert</aside><footer>Imprint</footer><script>var secret = 1;</script></body></html>"""


def test_html(tmp_path: Path) -> None:
    made = read(tmp_path, "a.html", PAGE)
    assert made.title == "Pumps & valves"
    kinds = structure(made)
    assert ("heading", "# Pumps") in kinds
    assert ("heading", "## Parts") in kinds
    assert items(made) == ["one valve", "a spring", "two seals", "open", "close", "Rate: Litres a minute."]
    assert [kind for kind, _ in kinds].count("table_row") == 2
    assert [text for kind, text in kinds if kind == "code"] == ['```python\nx = 1\ny = "`"\n```']
    prose = said(made)
    assert prose[0] == "The T-100 moves water, uses pump_rate and is made in Kiel."
    assert prose[1] == "它每分钟抽水四十升。"
    assert "Oil it monthly." in prose
    assert "A star * here and _there_ and 2*3*4." in prose
    for gone in ("Menu", "Home", "Side", "Advert", "Imprint", "secret", "photo", "Unseen", "¶", "[1]"):
        assert gone not in made.text


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("<h3>Fees</h3><p>They are due in May.</p><h4>Late</h4><p>Five a day.</p>", "Fees"),
        ("<h2>News</h2><p>Rain.</p><h1>Weather</h1><p>Sun.</p>", "Weather"),
        ("<p>No heading here.</p>", "page one"),
    ],
)
def test_the_title_of_a_page_without_one_is_its_first_heading(tmp_path: Path, body: str, title: str) -> None:
    assert read(tmp_path, "page_one.html", f"<html><body>{body}</body></html>").title == title


def test_html_in_another_encoding_and_without_main(tmp_path: Path) -> None:
    page = (
        '<html><head><meta charset="big5"></head><body><div><p>燈塔很高。</p>直接的文字<br>下一行</div></body></html>'
    )
    made = read(tmp_path, "b.htm", page.encode("big5"))
    assert made.text == "燈塔很高。\n\n直接的文字 下一行\n"
    assert made.title == "b"


def test_html_does_not_fetch_or_expand(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("TOPSECRET")
    page = (
        f'<!DOCTYPE html [<!ENTITY x SYSTEM "file://{tmp_path}/secret.txt">]><html><body><p>A &x; b.</p></body></html>'
    )
    made = read(tmp_path, "x.xhtml", page)
    assert "TOPSECRET" not in made.text
    deep = read(tmp_path, "deep.html", "<div>" * 1500 + "<p>Down here.</p>" + "</div>" * 1500)
    assert "Down here." in deep.text


RST = """
Pumps
=====

The pump uses ``rate`` and :func:`~flow.set_rate`, see :ref:`the care page <care>` and `site <http://x.y>`_.
It runs for years [1]_.

.. note:: Oil it *monthly*.

.. versionadded:: 3.2
   A second valve.

.. toctree::
   :maxdepth: 2

   one
   two

.. image:: a.png
   :alt: photo

Parts
-----

- one valve

  - a spring

- two seals

#. open
#. close

.. code-block:: python
   :linenos:

   x = 1

Shell::

   $ run

=====  =====
Part   Price
=====  =====
Valve  3
=====  =====

Rate
   Litres a minute.

.. function:: pump(rate)
   :noindex:

   Starts the pump.

.. option:: -o <file>, --output <file>

   Writes to a file.

   Not to a screen.

.. setting:: place_of_a_setting

.. cmdoption:: --quiet

.. confval:: max_rate
   :type: int
   :default: 10

.. py:class:: Valve

   .. py:method:: shut()

      Shuts the valve.

.. object::

   It has no name.

.. deprecated:: 3.3

.. tab-item:: Linux

   Run it twice.

.. include:: secret.txt
.. raw:: html

   <b>raw</b>

.. A comment.

.. [1] A footnote.

泵的維護
--------

每個月上油一次。
"""


DESCRIBED = [
    "pump(rate): Starts the pump.",
    "-o <file>, --output <file>: Writes to a file.",
    "Not to a screen.",
    "--quiet",
    "max_rate: Type: int. Default: 10.",
    "Valve",
    "shut(): Shuts the valve.",
]
"""What the directives describe, with its names."""


def test_rst(tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "secret.txt").write_text("TOPSECRET")
    made = read(tmp_path, "a.rst", RST)
    assert made.title == "Pumps"
    kinds = structure(made)
    assert [text for kind, text in kinds if kind == "heading"] == ["# Pumps", "## Parts", "## 泵的維護"]
    assert items(made) == ["one valve", "a spring", "two seals", "open", "close", "Rate: Litres a minute.", *DESCRIBED]
    assert [text for kind, text in kinds if kind == "code"] == ["```python\nx = 1\n```", "```\n$ run\n```"]
    assert [kind for kind, _ in kinds].count("table_row") == 2
    prose = said(made)
    assert prose[:2] == ["The pump uses rate and set_rate, see the care page and site.", "It runs for years."]
    shown = ("Oil it monthly.", "New in version 3.2: A second valve.", "Deprecated since version 3.3.", "Linux:")
    for one in (*shown, "Not to a screen.", "It has no name.", "Run it twice.", "每個月上油一次。"):
        assert one in prose
    for gone in ("TOPSECRET", "toctree", "photo", "comment", "maxdepth", "raw", "::", "place"):
        assert gone not in made.text
    assert "\n\n[^1]: A footnote.\n" in made.text
    assert capfd.readouterr() == ("", "")


def test_docx(tmp_path: Path) -> None:
    def fill(document: Any) -> None:
        document.core_properties.title = "Pump manual"
        document.add_heading("Pumps", 1)
        document.add_paragraph("The T-100 uses pump_rate and 2*3*4.\nIt is old.")
        document.add_heading("零件", 2)
        document.add_paragraph("one valve", style="List Bullet")
        document.add_paragraph("a spring", style="List Bullet 2")
        document.add_paragraph("open", style="List Number")
        table = document.add_table(2, 2)
        for cell, text in zip(
            (c for row in table.rows for c in row.cells), ("Part", "Price", "Valve", "3|4"), strict=True
        ):
            cell.text = text
        document.add_paragraph("每个月上油一次。# 不是标题")
        document.add_paragraph("# typed mark")
        document.sections[0].header.paragraphs[0].text = "Running head"

    made = read(tmp_path, "m.docx", files.docx(fill))
    assert made.title == "Pump manual"
    kinds = structure(made)
    assert [text for kind, text in kinds if kind == "heading"] == ["# Pumps", "## 零件"]
    assert items(made) == ["one valve", "a spring", "open"]
    assert [kind for kind, _ in kinds].count("table_row") == 2
    assert said(made)[:2] == ["The T-100 uses pump_rate and 2*3*4.", "It is old."]
    assert "# typed mark" in said(made)
    assert "Running head" not in made.text


SPACES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


def par(text: str, style: str = "", properties: str = "") -> str:
    style = style and f"<w:pStyle w:val='{style}'/>"
    return f"<w:p><w:pPr>{style}{properties}</w:pPr>{run(text)}</w:p>"


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{par(text)}</w:tc>"


def word(tmp_path: Path, body: str, styles: Any = lambda document: None) -> str:
    """The text of a Word document with a body in XML."""
    document = f"<?xml version='1.0'?><w:document {SPACES}><w:body>{body}</w:body></w:document>".encode()
    data = files.repacked(files.docx(styles), lambda name, part: document if name == "word/document.xml" else part)
    return read(tmp_path, "t.docx", data).text


def test_docx_with_insertions_deletions_and_content_controls(tmp_path: Path) -> None:
    body = (
        f"<w:p>{run('Old ')}<w:ins>{run('new ')}</w:ins>"
        "<w:del><w:r><w:delText>gone </w:delText></w:r></w:del>"
        f"<w:hyperlink>{run('linked')}</w:hyperlink></w:p>"
        f"<w:sdt><w:sdtContent>{par('Controlled.')}</w:sdtContent></w:sdt>"
    )
    assert word(tmp_path, body) == "Old new linked\n\nControlled.\n"


@pytest.mark.parametrize("wrapper", ["sdt", "customXml", "ins"])
def test_docx_rows_and_cells_within_content_controls_are_read(wrapper: str, tmp_path: Path) -> None:
    inner = ("<w:sdtContent>", "</w:sdtContent>") if wrapper == "sdt" else ("", "")

    def wrapped(xml: str) -> str:
        return f"<w:{wrapper}>{inner[0]}{xml}{inner[1]}</w:{wrapper}>"

    rows = f"<w:tr>{cell('Name')}{cell('Value')}</w:tr>" + wrapped(f"<w:tr>{cell('row')}{cell('1')}</w:tr>")
    rows += f"<w:tr>{cell('cell')}{wrapped(cell('2'))}</w:tr>"
    text = word(tmp_path, f"<w:tbl>{rows}</w:tbl>")
    assert text.splitlines() == ["| Name | Value |", "| --- | --- |", "| row | 1 |", "| cell | 2 |"]


def test_docx_a_cell_that_spans_columns_shifts_no_other(tmp_path: Path) -> None:
    span = "<w:gridSpan w:val='2'/>"
    rows = f"<w:tr>{cell('A')}{cell('B')}{cell('C')}</w:tr>"
    rows += f"<w:tr>{cell('ab', span)}{cell('c')}</w:tr>"
    rows += f"<w:tr><w:trPr><w:gridBefore w:val='2'/></w:trPr>{cell('only c')}</w:tr>"
    text = word(tmp_path, f"<w:tbl>{rows}</w:tbl>")
    assert text.splitlines()[2:] == ["| ab | ab | c |", "|  |  | only c |"]


def test_docx_paragraphs_of_tables_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from synth.corpus.documents.file_content import File
    from synth.corpus.documents.readers import word as reader
    from synth.corpus.documents.reasons import Unloadable

    def fill(document: Any) -> None:
        document.add_table(3, 2)

    monkeypatch.setattr(reader, "_MOST_PARAGRAPHS", 5)
    with pytest.raises(Unloadable, match="too large"):
        reader.WordReader().read(File("t.docx", files.docx(fill)))


def test_docx_the_former_format_of_a_tracked_change_does_not_count(tmp_path: Path) -> None:
    former = (
        "<w:pPrChange><w:pPr><w:outlineLvl w:val='0'/><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:pPrChange>"
    )
    assert word(tmp_path, par("text", properties=former)) == "text\n"


def test_docx_outline_level_and_numbering_of_a_style_count(tmp_path: Path) -> None:
    from docx.oxml import parse_xml

    def fill(document: Any) -> None:
        for name, properties in {
            "Chapter": "<w:outlineLvl w:val='0'/>",
            "Depth": "<w:outlineLvl w:val='7'/>",
            "Steps": "<w:numPr><w:numId w:val='1'/></w:numPr>",
        }.items():
            style = document.styles.add_style(name, 1)
            style.element.append(parse_xml(f"<w:pPr {SPACES}>{properties}</w:pPr>"))

    text = word(tmp_path, par("One", "Chapter") + par("Deep", "Depth") + par("first", "Steps"), fill)
    assert text == "# One\n\n###### Deep\n\n- first\n"


def test_docx_styles_of_code_are_told_by_whole_words(tmp_path: Path) -> None:
    def fill(document: Any) -> None:
        for name in ("Resources", "Postcode", "Source Code", "列表项目符号 2"):
            document.styles.add_style(name, 1)
        document.styles["列表项目符号 2"].element.set(
            "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}styleId", "L2"
        )

    mark = "<w:bookmarkStart w:id='0' w:name='m'/><w:bookmarkEnd w:id='0'/>"
    body = par("plain", "Resources") + par("SW1A", "Postcode") + par("x = 1", "SourceCode") + mark
    text = word(tmp_path, body + par("y = 2", "SourceCode") + par("a", "ListBullet") + par("深", "L2"), fill)
    assert text == "plain\n\nSW1A\n\n```\nx = 1\ny = 2\n```\n\n- a\n    - 深\n"


def test_docx_readings_above_characters_are_left_out(tmp_path: Path) -> None:
    ruby = f"<w:r><w:ruby><w:rt>{run('zhōng')}</w:rt><w:rubyBase>{run('中')}</w:rubyBase></w:ruby></w:r>"
    assert word(tmp_path, f"<w:p>{ruby}{run('国')}</w:p>") == "中国\n"


def test_pptx(tmp_path: Path) -> None:
    def fill(deck: Any) -> None:
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = "水泵 Pumps"
        slide.placeholders[1].text = "one valve\ntwo seals"
        slide.notes_slide.notes_text_frame.text = "Oil it monthly."
        second = deck.slides.add_slide(deck.slide_layouts[5])
        second.shapes.title.text = "Prices"
        table = second.shapes.add_table(2, 2, 0, 0, 100, 100).table
        for place, text in (((0, 0), "Part"), ((0, 1), "Price"), ((1, 0), "Valve"), ((1, 1), "3")):
            table.cell(*place).text = text

    made = read(tmp_path, "d.pptx", files.pptx(fill))
    assert made.title == "水泵 Pumps"
    assert made.text == (
        "## 水泵 Pumps\n\n- one valve\n- two seals\n\nOil it monthly.\n\n"
        "## Prices\n\n| Part | Price |\n| --- | --- |\n| Valve | 3 |\n"
    )


def test_xlsx(tmp_path: Path) -> None:
    made = read(
        tmp_path,
        "prices.xlsx",
        files.xlsx([["Part", None, "Price"], ["閥門", None, 3.0], [], ["Seal", None, 0.5]], "價格"),
    )
    assert made.title == "prices"
    assert made.text == "## 價格\n\n| Part | Price |\n| --- | --- |\n| 閥門 | 3 |\n| Seal | 0.5 |\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", 'Part,Price\nValve,"3, or 4"\n'),
        ("b.csv", "Part;Price\r\nValve;3, or 4\r\n"),
        ("c.tsv", "Part\tPrice\nValve\t3, or 4\n"),
    ],
)
def test_csv(name: str, text: str, tmp_path: Path) -> None:
    assert read(tmp_path, name, text).text == "| Part | Price |\n| --- | --- |\n| Valve | 3, or 4 |\n"


def test_wide_rows_become_lists(tmp_path: Path) -> None:
    answer = "水泵每个月都要上油。" * 30
    made = read(tmp_path, "faq.csv", f"问题,回答\n怎么保养？,{answer}\n多重？,三十公斤。\n".encode("gb18030"))
    assert items(made) == ["问题: 怎么保养？", f"回答: {answer}", "问题: 多重？", "回答: 三十公斤。"]
    assert len({block.group for block in blocks(made.text, "markdown") if block.kind == "list_item"}) == 2


def test_json(tmp_path: Path) -> None:
    value = {
        "title": "Pump",
        "rate": {"max": 40, "unit": "litres"},
        "parts": ["valve", "seal"],
        "ok": True,
        "none": None,
        "rows": [{"name": "a", "n": 1}, {"name": "b", "n": None}],
    }
    made = read(tmp_path, "a.json", json.dumps(value))
    assert made.title == "Pump"
    assert made.text == (
        "- title: Pump\n- rate:\n    - max: 40\n    - unit: litres\n- parts: valve, seal\n- ok: true\n\n"
        "## rows\n\n| name | n |\n| --- | --- |\n| a | 1 |\n| b |  |\n"
    )


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "p.jsonl",
            [{"id": "a", "text": "One.\n\nTwo.", "title": "T"}, {"_id": 7, "contents": "水泵。"}, {"text": "no id"}],
        ),
        (
            "p.json",
            [
                {"chunk_id": "a", "page_content": "One.\n\nTwo.", "metadata": {"title": "T"}},
                {"doc_id": "7", "passage": "水泵。"},
                {"text": "no id"},
            ],
        ),
    ],
)
def test_ready_made_passages(name: str, lines: list[Any], tmp_path: Path) -> None:
    data = "\n".join(map(json.dumps, lines)) if name.endswith("l") else json.dumps(lines)
    (tmp_path / name).write_text(data, encoding="utf-8")
    loaded = load([tmp_path])
    assert not loaded.skipped
    one, two, three = loaded.documents
    assert (one.doc_id, one.title, one.text) == (f"{name}#a", "T", "One.\n\nTwo.")
    assert (two.doc_id, two.title, two.text) == (f"{name}#7", "p", "水泵。")
    assert three.doc_id.startswith(f"{name}#p-")
    assert {made.metadata["format"] for made in loaded.documents} == {"passage"}


def test_notebook(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Pumps\n", "\n", "Water *moves*."]},
        {"cell_type": "code", "source": "x = 1\n", "outputs": [{"text": "secret"}]},
        {"cell_type": "raw", "source": "raw"},
    ]
    made = read(tmp_path, "n.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    assert made.title == "Pumps"
    assert made.text == "# Pumps\n\nWater *moves*.\n\n```python\nx = 1\n```\n"


LINES = [
    "The pump of the old mill moves forty litres of water a",
    "minute, and it has done so since the winter of the year",
    "when it was built by two brothers. It needs good main-",
    "tenance and a well-known kind of oil. Nobody knows the",
    "well-",
    "known smith who made its wheel. That is all.",
]


def test_pdf_lines_are_joined_and_running_lines_dropped(tmp_path: Path) -> None:
    pages = [
        [
            "Mill Report 2020",
            "",
            f"{'ABCD'[number - 1]} wheel",
            "",
            *LINES,
            f"This is leaf {'KLMN'[number - 1]}.",
            f"Page {number} of 4",
        ]
        for number in range(1, 5)
    ]
    made = read(tmp_path, "r.pdf", files.pdf(pages, title="The mill"))
    assert made.title == "The mill"
    assert made.text.count("Mill Report 2020") == 1
    assert "Page" not in made.text
    assert "good maintenance and a well-known kind" in made.text
    assert "the well-known smith" in made.text
    assert said(made)[1] == (
        "The pump of the old mill moves forty litres of water a minute, and it has done so since the winter of the "
        "year when it was built by two brothers."
    )
    assert ("heading", "## C wheel") in structure(made)
    assert [made.text[start:].lstrip("#- ")[:1] for start in made.metadata["pages"]] == ["M", "B", "C", "D"]


def test_pdf_chinese_lines_join_without_spaces(tmp_path: Path) -> None:
    lines = [
        "这座灯塔建于一八九零年，塔高三十米，每天晚上都照亮整个",
        "港口，为来往的船只指明方向。",
        "",
        "• 第一项",
        "• 第二项",
    ]
    made = read(tmp_path, "z.pdf", files.pdf([lines]))
    assert said(made)[0] == "这座灯塔建于一八九零年，塔高三十米，每天晚上都照亮整个港口，为来往的船只指明方向。"
    assert items(made) == ["第一项", "第二项"]
