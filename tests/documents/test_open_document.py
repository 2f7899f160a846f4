"""OpenDocument files, and files that other programs convert."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import pytest

from synth.corpus.documents.file_content import File
from synth.corpus.documents.readers.converted import MarkupReader, OldOfficeReader
from synth.corpus.documents.readers.open_document import OpenSheetReader, OpenTextReader
from synth.corpus.documents.reasons import Unloadable

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"), ("draw", "drawing"), ("svg", "svg-compatible"),
    )
)  # fmt: skip
STYLES = """
<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="down" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>
<style:style style:name="old" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>
<style:style style:name="older" style:family="text" style:parent-style-name="old"/>
<style:style style:name="unseen" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Heading_20_2"/>
<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>
<text:list-level-style-bullet text:level="2" text:bullet-char="-"/></text:list-style>
"""


def packed(body: str, **more: str) -> bytes:
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{STYLES}</office:automatic-styles>"
        f"<office:body>{body}</office:body></office:document-content>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in {"content.xml": content, **more}.items():
            archive.writestr(name, text)
    return out.getvalue()


def text_of(body: str) -> str:
    data = packed(f"<office:text>{body}</office:text>")
    return OpenTextReader().read(File("a.odt", data)).text


def sheet(rows: str, more: str = "", name: str = "Fees") -> str:
    return f'<table:table table:name="{name}" {more}>{rows}</table:table>'


def cells(*texts: str) -> str:
    return "".join(
        f"<table:table-cell office:value-type='{'float' if text[:1].isdigit() else 'string'}'><text:p>{text}</text:p></table:table-cell>"
        for text in texts
    )


def row(*texts: str, more: str = "") -> str:
    return f"<table:table-row {more}>{cells(*texts)}</table:table-row>"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<text:h text:outline-level="2">Scope</text:h>', "## Scope"),
        ('<text:p text:style-name="P2">Scope</text:p><text:p text:style-name="Title">All</text:p>', "## Scope\n\n# All"),
        ('<text:p>10<text:span text:style-name="up">6</text:span> of H<text:span text:style-name="down">2</text:span>O</text:p>', "10⁶ of H₂O"),
        ('<text:p>In <text:span text:style-name="older">1987 </text:span>1989.<text:span text:style-name="unseen">x</text:span></text:p>', "In 1989."),
        ('<text:p>a<text:s text:c="3"/>b<text:tab/>c<text:line-break/>d</text:p>', "a b c d"),
        ('<text:p text:style-name="P1">$ make</text:p><text:p text:style-name="P1">all</text:p>', "```\n$ make\nall\n```"),
        ('<text:p text:style-name="Quotations">Quoted.</text:p>', "> Quoted."),
        ("<text:p>One<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>The note.</text:p></text:note-body></text:note> two.</text:p>", "One two.\n\n[^1]: The note."),
        ("<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:table-of-content><text:p>gone</text:p></text:table-of-content><text:p>a<office:annotation><text:p>gone</text:p></office:annotation></text:p>", "a"),
        ("<text:p>a<draw:frame><svg:desc>A map</svg:desc><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame> b</text:p>", "a b\n\n<!-- figure -->\n\nA map\n\nboxed"),
        ('<text:list text:style-name="L1"><text:list-item><text:p>Open</text:p><text:list><text:list-item><text:p>left</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Close</text:p></text:list-item></text:list>', "1. Open\n    - left\n2. Close"),
        (sheet(f'{row("a", "b")}<table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>x</text:p></table:table-cell>{cells("1")}</table:table-row><table:table-row><table:covered-table-cell/>{cells("2")}</table:table-row>'), "| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |"),
    ],
)  # fmt: skip
def test_text_documents(body: str, text: str) -> None:
    assert text_of(body).strip() == text


def test_a_formula_keeps_its_meaning() -> None:
    mathml = '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>'
    body = '<office:text><text:p>Of <draw:object xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="./Object 1"/>.</text:p></office:text>'
    data = packed(body, **{"Object 1/content.xml": mathml})
    assert OpenTextReader().read(File("a.odt", data)).text == "Of x².\n"


def test_sheets_are_read_as_shown() -> None:
    rows = [
        row("Fees of 2024"),
        "<table:table-row table:number-rows-repeated='1000000'><table:table-cell table:number-columns-repeated='1024'/></table:table-row>",
        row("Name", "Fee"),
        row("Basic", "7.5%"),
        row("Hidden", "9", more="table:visibility='collapse'"),
        "<table:table-row><table:table-cell><text:p>Plus</text:p></table:table-cell><table:table-cell office:value-type='float' office:value='12'/></table:table-row>",
        "<table:table-row><table:table-cell><text:p>Sum</text:p></table:table-cell><table:table-cell table:formula='of:=1+1'/></table:table-row>",
    ]
    secret = sheet(row("x"), 'table:style-name="ta2"', "Secret")
    data = packed(f"<office:spreadsheet>{sheet(''.join(rows))}{secret}</office:spreadsheet>")
    content = OpenSheetReader().read(File("a.ods", data))
    assert content.text == (
        "## Fees\n\nFees of 2024\n\n| Name | Fee |\n| --- | --- |\n| Basic | 7.5% |\n| Plus | 12 |\n| Sum |  |\n"
    )
    assert [(line.line, line.reason) for line in content.bad_lines] == [
        ("Fees", "hidden"), ("Fees", "not calculated"), ("Secret", "hidden"),
    ]  # fmt: skip


def test_a_damaged_file_is_named() -> None:
    with pytest.raises(Unloadable, match="damaged"):
        OpenTextReader().read(File("a.odt", packed("<office:text>").replace(b"office:text", b"office:tex<")))


def program(folder: Path, name: str, code: str) -> None:
    """A stand-in for a program."""
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    path.chmod(0o755)


PANDOC = """
import sys
text = sys.stdin.read()
assert "--sandbox" in sys.argv and "include" not in text.lower()
print("<html><head><title>Pump</title></head><body><main><h1>Pump</h1><p>It is <del>old</del> new"
      "<a role='doc-noteref'><sup>1</sup></a>.</p><pre>", text, "</pre>"
      "<section class='footnotes' role='doc-endnotes'><ol><li><p>Since 2020.<a role='doc-backlink' class='footnote-back'>x</a></p></li></ol></section></main></body></html>")
"""
ADOC = """= Pump

include::/etc/passwd[]

.Fees
[cols="1,1"]
|===
.2+| a | b
| c
|===

|===
| d | e
|===
"""


def test_asciidoc_and_org_are_read_by_pandoc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    file = File("a.adoc", ADOC.encode())
    with pytest.raises(Unloadable, match="pandoc is needed for such files but not installed"):
        MarkupReader().read(file)
    program(tmp_path, "pandoc", PANDOC)
    content = MarkupReader().read(file)
    assert content.text.startswith("# Pump\n\nIt is new.\n")
    assert content.text.endswith("[^1]: Since 2020.\n")
    assert "| d | e" in content.text
    assert ".2+" not in content.text
    assert [(one.line, one.reason) for one in content.bad_lines] == [(5, "not read")]
    org = '* TODO Pump\nSCHEDULED: <2024-01-01>\n#+INCLUDE: "x"\nWords.\n'
    assert "SCHEDULED" not in MarkupReader().read(File("b.org", org.encode())).text


SOFFICE = """
import pathlib, sys
profile = pathlib.Path(sys.argv[1].partition("file://")[2])
if not profile.exists():  # LibreOffice ends after it has made a profile
    profile.mkdir()
    sys.exit(81)
place = pathlib.Path(sys.argv[sys.argv.index("--outdir") + 1])
(place / "source.docx").write_bytes(pathlib.Path("DOCX").read_bytes())
"""


def test_old_office_files_are_read_by_libreoffice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from docx import Document

    document = Document()
    document.add_heading("Pump", 1)
    document.save(str(tmp_path / "made.docx"))
    monkeypatch.setenv("PATH", str(tmp_path))
    file = File("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old")
    with pytest.raises(Unloadable, match="LibreOffice is needed for such files but not installed"):
        OldOfficeReader().read(file)
    program(tmp_path, "soffice", "raise SystemExit(1)")
    with pytest.raises(Unloadable, match="LibreOffice cannot read it"):
        OldOfficeReader().read(file)
    program(tmp_path, "soffice", SOFFICE.replace("DOCX", str(tmp_path / "made.docx")))
    assert OldOfficeReader().read(file).text == "# Pump\n"
