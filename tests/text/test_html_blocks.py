"""HTML in Markdown: its headings, paragraphs, items and rows."""

import pytest

from synth.text.blocks import blocks, cells_of
from synth.text.html_blocks import with_html
from synth.text.markup import plain
from synth.text.prose import sentences


def read(text):
    return with_html(text, blocks(text, "markdown"))


def kinds(text):
    return [(block.kind, plain(text, block.start, block.end).text.strip()) for block in read(text)]


PAGE = """# Ferry

<div class="intro">
  <h2 id="a">Tickets &amp; prices</h2>
  <p>Buy a <b>ticket</b> on board.</p>
  <ul><li>Adults pay.</li><li>Dogs<ul><li>are free</li></ul></li></ul>
</div>

## Quay

Wait at the gate.
"""


def test_the_parts_of_html_are_blocks():
    assert kinds(PAGE) == [
        ("heading", "Ferry"),
        ("heading", "Tickets & prices"),
        ("paragraph", "Buy a ticket on board."),
        ("list_item", "Adults pay."),
        ("list_item", "Dogs"),
        ("list_item", "are free"),
        ("heading", "Quay"),
        ("paragraph", "Wait at the gate."),
    ]


def test_headings_of_html_and_of_markdown_are_one_chain():
    chains = {plain(PAGE, block.start, block.end).text: block.headings for block in read(PAGE)}
    assert chains["Buy a <b>ticket</b> on board.".replace("<b>", "").replace("</b>", "")] == (
        "Ferry",
        "Tickets & prices",
    )
    assert chains["Wait at the gate."] == ("Ferry", "Quay")
    assert [block.level for block in read(PAGE) if block.kind == "list_item"] == [1, 1, 2]


@pytest.mark.parametrize(
    "panel",
    [
        "<details><summary>Can I bring a dog?</summary><p>Yes, on a lead.</p></details>",
        '<x-accordion-item header="Can I bring a dog?"><p>Yes, on a lead.</p></x-accordion-item>',
        "<button>Can I bring a dog?</button><p>Yes, on a lead.</p>",
    ],
)
def test_a_question_that_opens_a_text_is_its_heading(panel):
    text = f"# Ferry\n\n<div>{panel}</div>\n"
    assert kinds(text)[1:] == [("heading", "Can I bring a dog?"), ("paragraph", "Yes, on a lead.")]


def test_a_panel_ends_where_it_is_closed():
    text = "# Ferry\n\n<div><details><summary>Why?</summary><p>So.</p></details><p>The end.</p></div>\n"
    assert [block.headings for block in read(text)][-1] == ("Ferry",)


def test_the_end_of_an_inner_panel_does_not_close_the_outer_one():
    inner = "<details><summary>Why now?</summary>\n\nIt is late.\n\n</details>"
    text = (
        f"# Ferry\n\n<details><summary>Why?</summary>\n\nSo.\n\n{inner}\n\nAlso.\n\n{inner}\n\n</details>\n\nThe end.\n"
    )
    chains = [block.headings[1:] for block in read(text) if block.kind == "paragraph"]
    assert chains == [("Why?",), ("Why?", "Why now?"), ("Why?",), ("Why?", "Why now?"), ()]


def test_a_panel_without_a_title_keeps_the_title_of_the_outer_one():
    inner = '<x-panel title="Shorter"/><details><summary>More</summary><p>It is late.</p></details>'
    text = f"<div><details><summary>Why?</summary>{inner}<p>Also.</p></details><p>The end.</p></div>"
    chains = [block.headings for block in read(text) if block.kind == "paragraph"]
    assert chains == [("Why?",), ("Why?",), ()]


def test_buttons_scripts_and_menus_are_no_text():
    assert kinds("<div><button>Buy</button><script>var a = '<p>x</p>'</script><nav>Home</nav><p>Read.</p></div>") == [
        ("paragraph", "Read.")
    ]


@pytest.mark.parametrize("part", ["<p hidden>Old.</p>", '<p style="display: none">Old.</p>', "<del>Old.</del>"])
def test_html_that_hides_something_stays_as_it_is(part):
    text = f"<div>{part}<p>New.</p></div>"
    assert [block.kind for block in read(text)] == ["html"]


def test_the_rows_of_a_table_have_cells():
    text = "<table><tr><th>Boat</th><th>Length (m)</th></tr>\n<tr><td>Avocet</td><td> 24 <br>m</td></tr></table>"
    rows = [block for block in read(text) if block.kind == "table_row"]
    assert [[cell.text for cell in cells_of(text, row)] for row in rows] == [["Boat", "Length (m)"], ["Avocet", "24 m"]]
    assert len({row.group for row in rows}) == 1


def test_a_table_with_cells_of_several_rows_is_not_cut_into_rows():
    text = '<table><tr><td rowspan="2">A</td><td>1</td></tr><tr><td>2</td></tr></table>'
    assert [block.kind for block in read(text)] == ["html"]


def test_text_of_html_without_an_end_is_no_sentence():
    text = "<div><p>The ferry runs daily. Buy now</p></div>"
    assert [sentence.text for sentence in sentences(text, "markdown", read(text))] == ["The ferry runs daily."]
