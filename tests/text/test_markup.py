"""Markdown becomes plain words, and every word knows where it stands in the original."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synth.corpus.documents.markdown import inline, paragraph
from synth.text.markup import inline_spans, plain
from synth.text.prose import sentences

MARKS = st.text(st.sampled_from("ab c.。中國 \n*_`[]()<>!#&;-=~\\{}:|1éE\t😀^$"), max_size=80)
PIECES = st.lists(
    st.sampled_from(
        [
            "The **bold** word and _slanted_ one. ",
            'See [the `guide`](https://a.b/c_(d) "t"){.x} now. ',
            "用 `pip` 安裝**套件**。",
            "点击[这里](x.md)查看！",
            "\n\n- item with `code`\n- 第二項\n\n",
            "\n> quoted\n> lines\n\n",
            "![image](a.png) ",
            "a &lt; b &amp;&amp; c. ",
            "<b>html</b> text<br/>goes on. ",
            "\n\n# Head\n\n",
            "text[^1] with a note. ",
            "Price: 3\\*4 = 12. ",
            "Opened in ~~1987~~ 1989 with 10<sup>6</sup> $x^2$ H~2~O. ",
            "~~All of this is gone. And this.~~ ",
            "See [[Notes#Kinds|the *kinds*]] and [[plan]]. ",
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("**Bold** and *slanted* and ==marked==", "Bold and slanted and marked"),
        ("It opened in ~~1987~~ 1989.", "It opened in 1989."),
        ("a <del>b</del> <S>c</S> <strike class='x'>d</strike> e", "a e"),
        ("a ~~b <del>c~~ d</del> e ~~ f", "a d e f"),
        ("10<sup>6</sup> litres, 3×10<sup>−5</sup>, m<sup>2</sup>", "10⁶ litres, 3×10⁻⁵, m²"),
        ("x<sup>a+b</sup> H<sub>2</sub>O x<sub>i</sub> 2<sup>nd</sup>", "x^(a+b) H₂O x_i 2nd"),
        ("10^6^ m and H~2~O and Ca<sup>2+</sup>", "10⁶ m and H₂O and Ca²⁺"),
        ("a word<sup>[3](#n)</sup> and<sup><a href='#1'>1</a></sup>.", "a word and."),
        ("$10^6$ and $3 \\times 10^{-5}$ and $\\frac{a}{b}$", "10⁶ and 3 × 10⁻⁵ and \\frac{a}{b}"),
        ("from $5 to $6, $HOME/bin:$PATH", "from $5 to $6, $HOME/bin:$PATH"),
        ("a `code_span` here", "a code_span here"),
        ("``a ` b``", "a ` b"),
        ("[label](https://x.org/a_(b)) end", "label end"),
        ("[label][ref] end", "label end"),
        ("![alt](x.png)", ""),
        ("text[^1] on", "text on"),
        ("<https://x.org/a> is it", "https://x.org/a is it"),
        ("x<br>y", "x y"),
        ("<Team size='m' :people=\"[{name: 'A', of: 'x<br/>y'}]\" /> On", "On"),
        ('<Tabs.Item label="a > b">Text</Tabs.Item>', "Text"),
        ("a == b and ==c==", "a == b and c"),
        ("snake_case_name and 2*3*4", "snake_case_name and 234"),
        ("a &lt;b&gt; &amp; c", "a <b> & c"),
        ("\\*not bold\\* \\~ \\=", "*not bold* ~ ="),
        ("> quoted\n> on", "quoted on"),
        ("- item\n  goes on", "item goes on"),
        ("- [x] done", "done"),
        ("中文\n换行", "中文换行"),
        ("中文\nEnglish", "中文 English"),
        ("**繁體**中文的`程式碼`", "繁體中文的程式碼"),
        ("<!-- hidden --> shown", "shown"),
        ("a <!-- x > y -- z < w --> b", "a b"),
        ("a <!-- b <!-- c --> d", "a <!-- b d"),
        ("## Title {#id}", "Title"),
        ("tab\there", "tab here"),
        ("done 🎉 now ✨", "done now"),
        ("the [[Sync plans|sync plan]] and [[Notes]]", "the sync plan and Notes"),
        ("[[Notes#Kinds]], [[#Kinds]] and ![[plan.png]]", "Notes, Kinds and"),
        ("a row with [[Notes\\|**notes**]]", "a row with notes"),
        ("if [[ -f x ]] and [[1]](y.md)", "if [[ -f x ]] and [1]"),
    ],
)
def test_plain(raw: str, words: str) -> None:
    assert plain(raw).text == words


def test_a_word_s_origin_takes_in_its_marks() -> None:
    raw = "Use **FastAPI** with [the guide](a.md)."
    made = plain(raw)
    start = made.text.index("FastAPI")
    assert raw[slice(*made.origin(start, start + 7))] == "**FastAPI**"
    start = made.text.index("the guide")
    assert raw[slice(*made.origin(start, start + 9))] == "[the guide](a.md)"


@settings(max_examples=300)
@example("1😀__ 1", True)
@given(MARKS, st.booleans())
def test_origins_are_in_order_and_inside(raw: str, markdown: bool) -> None:
    made = plain(raw, markdown=markdown)
    assert len(made.text) == len(made.starts) == len(made.ends)
    assert all(0 <= a < b <= len(raw) for a, b in zip(made.starts, made.ends, strict=True))
    assert list(made.starts) == sorted(made.starts)
    assert all(0 <= a < b <= len(made.text) for a, b in made.code)
    assert made.text == made.text.strip()


@settings(max_examples=300)
@given(PIECES, st.sampled_from(["markdown", "text"]))
def test_a_sentence_as_written_reads_as_the_sentence(text: str, format: str) -> None:
    last = 0
    for sentence in sentences(text, format):
        written = text[sentence.start : sentence.end]
        assert plain(written, markdown=format == "markdown").text == sentence.text
        assert sentence.body.origin(0, len(sentence.text)) == (sentence.start, sentence.end)
        assert sentence.start >= last
        last = sentence.end
        for a, b in sentence.code:
            assert sentence.text[a:b].strip()


@settings(max_examples=300)
@given(st.text(st.sampled_from("ab c.。中國*_`[]()<>!#&;-=~\\{}:|1éE/?%^$"), max_size=40))
def test_written_markdown_reads_back_as_the_text(text: str) -> None:
    line = " ".join(text.split())
    assert plain("x " + inline(text)).text == ("x " + line).strip()
    written = paragraph("x" + text)
    assert plain(written).text == "x" + " ".join(("." + text).split())[1:]


def test_inline_spans() -> None:
    raw = "See [a b](c) and `x y` or &amp; but **not this**."
    assert [raw[a:b] for a, b in inline_spans(raw, 0, len(raw))] == ["[a b](c)", "`x y`", "&amp;"]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("| pads | ✅ | two |", "| pads | ✅ | two |"),
        ("| pads |❔| two |", "| pads |❔| two |"),
        ("| pads | :white_check_mark: | two |", "| pads | :white_check_mark: | two |"),
        ("| pads 🎉 | two |", "| pads | two |"),
        ("✅ Bring pads", "Bring pads"),
        ("Pads :tada: help", "Pads help"),
    ],
)
def test_a_sign_that_is_the_whole_cell_of_a_table_is_its_value(raw, text):
    assert plain(raw).text.strip() == text
