"""Word documents as a page shows them: what is hidden or struck out is no text, and nothing else is lost."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest

from synth.corpus.documents.file_content import File
from synth.corpus.documents.readers.word import WordReader
from synth.corpus.documents.symbol_fonts import in_unicode
from synth.corpus.documents.word_numbering import Numbering
from synth.text.markup import plain

_OFFICE = "http://schemas.openxmlformats.org"
_RELATIONS = f"{_OFFICE}/officeDocument/2006/relationships"
_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml"
SPACES = (
    f'xmlns:w="{_OFFICE}/wordprocessingml/2006/main" xmlns:mc="{_OFFICE}/markup-compatibility/2006" '
    f'xmlns:m="{_OFFICE}/officeDocument/2006/math" xmlns:wp="{_OFFICE}/drawingml/2006/wordprocessingDrawing"'
)


def t(text: str, looks: str = "") -> str:
    """A run of text with looks, such as `strike` or `vertAlign=superscript`."""
    properties = "".join(
        f"<w:{look.partition('=')[0]}" + (f" w:val='{look.partition('=')[2]}'/>" if "=" in look else "/>")
        for look in looks.split()
    )
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"


def p(*runs: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{''.join(runs)}</w:p>"


def numbered(text: str, number: int, level: int = 0) -> str:
    return p(t(text), properties=f"<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{number}'/></w:numPr>")


def cell(text: str, properties: str = "") -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(t(text))}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr><w:trPr>{properties}</w:trPr>{''.join(cells)}</w:tr>"


def read(body: str, **parts: str) -> str:
    """The text of a document with a body and other parts, such as `footnotes`."""
    contents = {"document": f"<w:document {SPACES}><w:body>{body}</w:body></w:document>"}
    contents |= {name: f"<w:{name} {SPACES}>{xml}</w:{name}>" for name, xml in parts.items()}
    relations = "".join(f'<Relationship Id="{name}" Type="{_RELATIONS}/{name}" Target="{name}.xml"/>' for name in parts)
    head = f'<Relationships xmlns="{_OFFICE}/package/2006/relationships">'
    types = "".join(
        f'<Override PartName="/word/{name}.xml" ContentType="{_TYPE}.{"document.main" if name == "document" else name}+xml"/>'
        for name in contents
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(
            "[Content_Types].xml",
            f'<Types xmlns="{_OFFICE}/package/2006/content-types"><Default Extension="rels" '
            f'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>{types}</Types>',
        )
        main = f'<Relationship Id="r" Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/>'
        archive.writestr("_rels/.rels", f"{head}{main}</Relationships>")
        archive.writestr("word/_rels/document.xml.rels", f"{head}{relations}</Relationships>")
        for name, xml in contents.items():
            archive.writestr(f"word/{name}.xml", f"<?xml version='1.0'?>{xml}")
    return WordReader().read(File("a.docx", out.getvalue())).text.strip()


@pytest.mark.parametrize("looks", ["strike", "dstrike", "vanish", "strike=true", "vanish=1"])
def test_text_that_is_struck_out_or_hidden_is_no_text(looks: str) -> None:
    assert read(p(t("Built in "), t("1987 ", looks), t("1989"))) == "Built in 1989"


@pytest.mark.parametrize("looks", ["strike=0", "vanish=false", "dstrike=off", "b"])
def test_text_with_other_looks_is_text(looks: str) -> None:
    assert read(p(t("Built in "), t("1987", looks))) == "Built in 1987"


STYLES = """
<w:style w:type="character" w:styleId="Old"><w:name w:val="Old"/><w:rPr><w:strike/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Older"><w:name w:val="Older"/><w:basedOn w:val="Old"/></w:style>
<w:style w:type="paragraph" w:styleId="Gone"><w:name w:val="Gone"/><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/><w:pPr><w:numPr><w:ilvl w:val="1"/>
  <w:numId w:val="1"/></w:numPr></w:pPr></w:style>
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>
</w:style>
<w:style w:type="paragraph" w:styleId="TOC1"><w:name w:val="toc 1"/></w:style>
"""


def test_styles_hide_and_strike_text_as_its_own_format_does() -> None:
    for style in ("Old", "Older"):
        assert read(p(t("a "), t("b", f"rStyle={style}"), t("c", f"rStyle={style} strike=0")), styles=STYLES) == "a c"
    gone = "<w:pStyle w:val='Gone'/>"
    assert read(p(t("b"), properties=gone) + p(t("a"), t("c", "vanish=0"), properties=gone), styles=STYLES) == "c"
    assert read(p(t("Part 1 ... 7"), properties="<w:pStyle w:val='TOC1'/>") + p(t("a")), styles=STYLES) == "a"


@pytest.mark.parametrize(
    ("base", "raised", "look", "shown"),
    [
        ("10", "6", "superscript", "10⁶"),
        ("3 × 10", "−5", "superscript", "3 × 10⁻⁵"),
        ("m", "2", "superscript", "m²"),
        ("x", "n+1", "superscript", "xⁿ⁺¹"),
        ("x", "ab", "superscript", "x^ab"),
        ("x", "a b", "superscript", "x^(a b)"),
        ("the 21", "st", "superscript", "the 21st"),
        ("Pump", "TM", "superscript", "Pump™"),
        ("CO", "2", "subscript", "CO₂"),
        ("v", "max", "subscript", "v_max"),
        ("a ", " ", "superscript", "a"),
    ],
)
def test_raised_and_lowered_text_says_so(base: str, raised: str, look: str, shown: str) -> None:
    assert read(p(t(base), t(raised, f"vertAlign={look}"))) == shown


@pytest.mark.parametrize(
    ("code", "font", "shown"),
    [
        ("F057", "Symbol", "Ω"),
        ("57", "Symbol", "Ω"),
        ("F0B3", "Symbol", "≥"),
        ("F0FC", "Wingdings", "✓"),
        ("F0FC", "Arial", ""),
    ],
)
def test_symbols_are_read_by_their_font(code: str, font: str, shown: str) -> None:
    assert read(p(t("5 "), f"<w:r><w:sym w:font='{font}' w:char='{code}'/></w:r>", t("."))) == f"5 {shown}."
    assert in_unicode(chr(int(code, 16)), font) == shown


def test_symbols_written_as_letters() -> None:
    run = "<w:r><w:rPr><w:rFonts w:ascii='Symbol' w:hAnsi='Symbol'/></w:rPr><w:t>m</w:t></w:r>"
    assert read(p(t("5 "), run, t("m"))) == "5 μm"


def test_text_boxes_notes_and_figures_follow_their_paragraph() -> None:
    box = f"<w:txbxContent>{p(t('In a box.'))}</w:txbxContent>"
    both = f"<w:r><mc:AlternateContent><mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent></w:r>"
    note = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    end = "<w:r><w:endnoteReference w:id='2'/></w:r>"
    picture = "<w:r><w:drawing><wp:inline><wp:docPr id='1' name='x.png' descr='A pump with two valves'/></wp:inline></w:drawing></w:r>"
    texts = {
        "footnotes": f"<w:footnote w:id='2'>{p(t('Of steel.'))}{p(t('And tin.'))}</w:footnote>",
        "endnotes": f"<w:endnote w:id='2'>{p(t('At the end.'))}</w:endnote>",
    }
    assert read(p(t("One."), note, end, both) + p(t("Two."), picture), **texts).split("\n\n") == [
        "One.",
        "Of steel. And tin.",
        "At the end.",
        "In a box.",
        "Two.",
        "A pump with two valves",
    ]
    table = f"<w:tbl>{row('<w:tc>' + p(t('a'), note, both) + '</w:tc>', cell('b'))}{row(cell('c'), cell('d'))}</w:tbl>"
    assert read(table, **texts).split("\n\n")[1:] == ["Of steel. And tin.", "In a box."]
    assert read(p(t("One."), note.replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>")), **texts) == "One."


def test_notes_of_list_items_follow_the_list() -> None:
    note = "<w:r><w:footnoteReference w:id='2'/></w:r>"
    items = numbered("one", 2).replace("</w:p>", f"{note}</w:p>") + numbered("two", 2)
    footnotes = f"<w:footnote w:id='2'>{p(t('Of steel.'))}</w:footnote>"
    assert read(items, numbering=NUMBERING, footnotes=footnotes) == "- one\n- two\n\nOf steel."


def test_prompts_of_controls_are_no_text() -> None:
    prompt = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{p(t('Click here'))}</w:sdtContent></w:sdt>"
    inline = f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{t('Click here')}</w:sdtContent></w:sdt>"
    assert read(prompt + p(t("Name: "), inline)) == "Name:"


def test_formulas_are_text_or_tex() -> None:
    def run(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    fraction = f"<m:f><m:num>{run('a')}</m:num><m:den>{run('b')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>"
    assert read(p(t("Here "), f"<m:oMath>{power}</m:oMath>")) == "Here x²"
    assert plain(read(p(t("Here "), f"<m:oMath>{fraction}</m:oMath>"))).text == r"Here $\frac{a}{b}$"


def test_cells_over_rows_and_columns() -> None:
    restart, inherited = "<w:vMerge w:val='restart'/>", "<w:vMerge/>"
    table = row(cell("Season"), cell("Boat"), cell("Fee"))
    table += row(cell("Summer", restart), cell("Sail"), cell("40")) + row(
        cell("", inherited), cell("Motor"), cell("55")
    )
    assert read(f"<w:tbl>{table}</w:tbl>").splitlines()[2:] == ["| Summer | Sail | 40 |", "| Summer | Motor | 55 |"]
    head = row(cell("Part", restart), cell("Sales", "<w:gridSpan w:val='2'/>"))
    head += row(cell("", inherited), cell("2023"), cell("2024"))
    table = f"<w:tbl>{head}{row(cell('Pump'), cell('1'), cell('2'))}</w:tbl>"
    assert read(table).splitlines()[0] == "| Part | Sales: 2023 | Sales: 2024 |"
    marked = row(cell("Sales"), cell("of"), properties="<w:tblHeader/>") + row(
        cell("2023"), cell("2024"), properties="<w:tblHeader/>"
    )
    assert read(f"<w:tbl>{marked}{row(cell('1'), cell('2'))}</w:tbl>").splitlines()[0] == "| Sales: 2023 | of: 2024 |"
    frame = f"<w:tbl>{row(cell('A frame.'))}</w:tbl>"
    assert read(frame + p(t("b"))) == "A frame.\n\nb"
    deleted = row(cell("x"), cell("y"), properties="<w:del/>")
    assert "x" not in read(f"<w:tbl>{row(cell('a'), cell('b'))}{deleted}{row(cell('c'), cell('d'))}</w:tbl>")


def _levels(*levels: tuple[str, str]) -> str:
    return "".join(
        f"<w:lvl w:ilvl='{place}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/></w:lvl>"
        for place, (format, text) in enumerate(levels)
    )


NUMBERING = f"""
<w:abstractNum w:abstractNumId="1">{_levels(("decimal", "%1"), ("decimal", "%1.%2"))}</w:abstractNum>
<w:abstractNum w:abstractNumId="2">{_levels(("bullet", "-"), ("bullet", "-"))}</w:abstractNum>
<w:abstractNum w:abstractNumId="3">{_levels(("decimal", "%1."), ("lowerLetter", "%2)"), ("lowerRoman", "(%3)"))}</w:abstractNum>
<w:abstractNum w:abstractNumId="4">{_levels(("chineseCounting", "第%1条"))}</w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>
<w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num>
<w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>
<w:num w:numId="4"><w:abstractNumId w:val="4"/></w:num>
<w:num w:numId="5"><w:abstractNumId w:val="3"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num>
"""


def test_headings_and_items_have_their_numbers() -> None:
    def heading(text: str, style: str) -> str:
        return p(t(text), properties=f"<w:pStyle w:val='{style}'/>")

    headings = (
        heading("Aim", "H1")
        + heading("Words", "H1")
        + heading("", "H1")
        + heading("Scope", "H2")
        + heading("Time", "H2")
    )
    assert read(headings, styles=STYLES, numbering=NUMBERING).split("\n\n") == [
        "# 1 Aim",
        "# 2 Words",
        "## 2.1 Scope",
        "## 2.2 Time",
    ]
    items = numbered("open", 3) + numbered("left", 3, 1) + numbered("right", 3, 1) + numbered("shut", 3)
    items += numbered("again", 3, 1) + numbered("later", 5) + numbered("bullet", 2) + numbered("none", 0)
    assert read(items, numbering=NUMBERING).splitlines() == [
        "1. open",
        "    - a) left",
        "    - b) right",
        "2. shut",
        "    - a) again",
        "7. later",
        "- bullet",
        "",
        "none",
    ]
    rows = "".join(f"<w:tr><w:tc>{numbered('', 3)}</w:tc><w:tc>{p(t(name))}</w:tc></w:tr>" for name in ("Aim", "Scope"))
    assert read(f"<w:tbl>{rows}</w:tbl>", numbering=NUMBERING).splitlines()[::2] == ["| 1. | Aim |", "| 2. | Scope |"]
    assert read(numbered("应当", 4) + numbered("不得", 4), numbering=NUMBERING) == "- 第一条 应当\n- 第二条 不得"


@pytest.mark.parametrize(
    ("format", "number", "shown"),
    [
        ("decimal", 12, "12"),
        ("decimalZero", 3, "03"),
        ("lowerLetter", 28, "bb"),
        ("upperRoman", 1994, "MCMXCIV"),
        ("chineseCounting", 21, "二十一"),
        ("chineseCounting", 10, "十"),
        ("none", 3, ""),
        ("ordinal", 3, "3"),
    ],
)
def test_formats_of_numbers(format: str, number: int, shown: str) -> None:
    from lxml import etree

    level = f"<w:lvl w:ilvl='0'><w:start w:val='{number}'/><w:numFmt w:val='{format}'/><w:lvlText w:val='%1'/></w:lvl>"
    xml = f"<w:abstractNum w:abstractNumId='1'>{level}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num>"
    numbering: Any = Numbering(etree.fromstring(f"<w:numbering {SPACES}>{xml}</w:numbering>"))
    assert numbering.label("1", 0) == shown
