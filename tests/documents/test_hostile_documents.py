"""Documents made to cost much: each is left out, or read in linear time, and its content keeps its offsets."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synth.corpus.documents import loading, markdown, office, reasons
from synth.corpus.documents.chunking import chunk
from synth.corpus.documents.file_content import File
from synth.corpus.documents.loading import load, readers
from synth.corpus.documents.readers import pdf, slides, word, workbook
from synth.corpus.documents.reasons import Unloadable
from synth.text.blocks import blocks
from synth.text.markup import plain
from synth.text.prose import sentences
from synth.text.sentences import split_sentences
from tests.documents import files
from tests.generators import REPETITIONS, examples

SOUND = "The Kell lighthouse was built in 1811.\n"


def with_part(data: bytes, part: str, before: str, after: str) -> bytes:
    """An Office file with `before` replaced in one of its parts."""
    return files.repacked(
        data, lambda name, content: content.replace(before.encode(), after.encode()) if name == part else content
    )


def docx(body: str) -> bytes:
    sound = files.docx(lambda document: document.add_paragraph(SOUND))
    return with_part(sound, "word/document.xml", "<w:body>", "<w:body>" + body)


def xlsx(rows: str) -> bytes:
    return with_part(
        files.xlsx([["a", "b"], ["c", "d"]]), "xl/worksheets/sheet1.xml", "</sheetData>", rows + "</sheetData>"
    )


def one_page_listed(times: int) -> bytes:
    sound = files.pdf([[SOUND.strip()]])
    return sound.replace(b"/Count 1 /Kids [7 0 R]", b"/Count %d /Kids [%s]" % (times, b"7 0 R " * times))


def refusal(name: str, data: bytes) -> str:
    with pytest.raises(Unloadable) as raised:
        readers()["." + name.rsplit(".", 1)[1]].read(File(name, data))
    assert raised.value.reason == reasons.TOO_LARGE
    return raised.value.detail


@pytest.mark.parametrize(
    ("name", "make", "detail"),
    [
        ("paragraphs.docx", lambda: docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>" * 300_000), "document.xml unpacks to"),
        (
            "runs.docx",
            lambda: docx("<w:p>" + "<w:r><w:t>a</w:t></w:r>" * 300_000 + "</w:p>"),
            "document.xml unpacks to",
        ),
        ("cells.xlsx", lambda: xlsx(("<row>" + "<c><v>1</v></c>" * 100 + "</row>") * 6_000), "sheet1.xml unpacks to"),
        ("columns.csv", lambda: (b"a," * 100_000 + b"a\n") * 3, "16,384 columns"),
        ("pages.pdf", lambda: one_page_listed(50_000), "5,000 pages"),
    ],
)
def test_a_file_that_unfolds_is_left_out_and_the_others_are_loaded(
    tmp_path, name: str, make: Callable[[], bytes], detail: str
):
    (tmp_path / name).write_bytes(make())
    (tmp_path / "sound.md").write_text(SOUND, encoding="utf-8")
    loaded = load([tmp_path])
    assert [document.doc_id for document in loaded.documents] == ["sound.md"]
    (skipped,) = loaded.skipped
    assert skipped.reason == reasons.TOO_LARGE
    assert detail in skipped.detail


def test_short_rows_below_a_wide_one_count_as_filled(monkeypatch):
    monkeypatch.setattr(markdown, "MOST_CELLS", 100)
    wide, short = ["a"] * 30, ["b"]
    assert len(list(markdown.limited([wide, short, short]))) == 3
    for rows in ([wide, *[short] * 3], [*[short] * 3, wide]):
        with pytest.raises(Unloadable, match="100 cells"):
            list(markdown.limited(rows))
    html = "<table>" + "".join(f"<tr>{'<td>x</td>' * width}</tr>" for width in (30, 2, 2, 2)) + "</table>"
    assert "100 cells" in refusal("wide.html", html.encode())


def test_empty_rows_and_cells_of_a_workbook_count(monkeypatch):
    monkeypatch.setattr(workbook, "MOST_SCANNED", 1_000)
    assert "1,000 cells and rows" in refusal("gap.xlsx", xlsx('<row r="1048576"><c r="A1048576"><v>1</v></c></row>'))
    assert "1,000 cells and rows" in refusal("far.xlsx", xlsx('<row r="9"><c r="XFD9"><v>1</v></c></row>'))


def test_a_declared_size_fills_no_rows():
    data = with_part(files.xlsx([["a", "b"], ["c", "d"]]), "xl/worksheets/sheet1.xml", "A1:B2", "A1:XFD1048576")
    assert readers()[".xlsx"].read(File("a.xlsx", data)).text.splitlines()[-1] == "| c | d |"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.md", b"- a\n" * 11),
        ("a.html", b"<ul>" + b"<li>a" * 12),
        ("a.json", json.dumps([{"a": "x", "b": 1}] * 12).encode()),
        ("a.ipynb", json.dumps({"cells": [{"cell_type": "markdown", "source": "- a\n" * 12}]}).encode()),
    ],
)
def test_lines_of_markdown_are_limited(tmp_path, monkeypatch, name, data):
    (tmp_path / name).write_bytes(data)
    (tmp_path / "sound.md").write_text(SOUND, encoding="utf-8")
    assert len(load([tmp_path]).documents) == 2
    monkeypatch.setattr(loading, "_MOST_LINES", 10)
    (skipped,) = load([tmp_path]).skipped
    assert (skipped.reason, skipped.detail) == (reasons.TOO_LARGE, "it has over 10 lines; split the file")


def test_pages_are_counted_before_they_are_read(monkeypatch):
    monkeypatch.setattr(pdf, "_MOST_PAGES", 2)
    assert "2 pages" in refusal("pages.pdf", one_page_listed(3))
    assert readers()[".pdf"].read(File("pages.pdf", one_page_listed(2))).metadata["pages"] == [0, 40]


def test_the_text_of_pages_is_limited():
    with pytest.raises(Unloadable, match="over 60 characters"):
        readers()[".pdf"].read(File("pages.pdf", one_page_listed(2), max_unpacked=60))


def test_parts_held_as_a_tree_are_limited(monkeypatch):
    monkeypatch.setattr(office, "_LARGEST_TREE", 100)
    for suffix in (".docx", ".pptx"):
        assert "at most 100 are read" in refusal("tree" + suffix, SOUND_FILES[suffix])
    assert readers()[".xlsx"].read(File("a.xlsx", SOUND_FILES[".xlsx"])).text


def test_paragraphs_and_slides_are_limited(monkeypatch):
    monkeypatch.setattr(word, "_MOST_PARAGRAPHS", 3)
    monkeypatch.setattr(slides, "_MOST_SLIDES", 0)
    assert "over 3 paragraphs" in refusal("many.docx", docx("<w:p/>" * 3))
    assert "over 0 slides" in refusal("many.pptx", SOUND_FILES[".pptx"])


def test_a_row_of_many_cells_is_read_once(monkeypatch):
    cells = "<w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>" * 3_000
    text = readers()[".docx"].read(File("row.docx", docx(f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"))).text
    assert text.splitlines()[0].count("a") == 3_000


# Each of these takes time by the square or the cube of its length when every mark is searched from the same start.
@pytest.mark.parametrize("text", ["，。" * 100_000, "!" * 200_000, "." * 200_000 + "x", "。\n\n" * 50_000])
def test_marks_without_words_are_one_sentence(text: str):
    assert split_sentences(text) == [(0, len(text.rstrip()))]


def test_lines_that_look_like_headings_take_time_by_their_number():
    text = "A pump\n\nIt runs.\n\n" * 100_000
    found = blocks(text, "text")
    assert [block.kind for block in found] == ["heading", "paragraph"] * 100_000
    assert found[-1].headings == ("A pump",)


@pytest.mark.parametrize("text", ["`" * 200_000, "a" * 1_000_000, "灯" * 300_000, "<!-- " * 5_000, "{{" * 5_000])
def test_marks_that_nothing_closes_stay_in_the_text(text: str):
    made = plain(text)
    assert made.text == text.strip()
    assert made.origin(0, len(made.text)) == (0, len(text.rstrip()))


PIECES = st.sampled_from(
    [
        "，。", "`", "``", "[", "](", "<!--", "-->", "{{", "{%", "<b>", "</table>", "<td>", "|", "\n|-|\n", "\\", "\n\n",
        "# ", "- ", "> ", "```\n", ".. note::\n   ", ":ref:`a", "a" * 600, "灯塔", "The lamp was lit in 1820.", " ", "\t",
        "\u200d", "\ufe0f", "🎉", "\ufeff", "\u2028", "e\u0301", '"', "'", ",", ";", "=", '{"a": [', "]}", "1e999", "&#0;",
        "&#xD800;", "---\n", "+++\n", "*", "__", "~~", "==", "《", "》", "\x00", "\x0e", "\x0f", "\r",
    ]
)  # fmt: skip
HOSTILE = st.lists(st.tuples(PIECES, st.integers(1, 40)), max_size=12).map(
    lambda parts: "".join(piece * times for piece, times in parts)
)
XML = HOSTILE.map(
    lambda text: re.sub(
        "[\x00-\x08\x0b-\x1f]", "", text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    )
)
SOUND_FILES = {
    ".docx": docx(""),
    ".xlsx": xlsx(""),
    ".pptx": files.pptx(lambda deck: setattr(deck.slides.add_slide(deck.slide_layouts[5]).shapes.title, "text", SOUND)),
    ".pdf": files.pdf([[SOUND.strip()]]),
}
TEXTS = tuple(sorted(set(readers()) - set(SOUND_FILES)))


def check(suffix: str, data: bytes, folder) -> None:
    """Load a file as a corpus is; its reader raises nothing but Unloadable, and offsets hold."""
    path = folder / f"hostile{suffix}"
    path.write_bytes(data)
    (folder / "sound.md").write_text(SOUND, encoding="utf-8")
    loaded = load([folder])
    assert not [skipped for skipped in loaded.skipped if skipped.reason == reasons.FAILED], loaded.skipped
    assert "sound.md" in {document.doc_id for document in loaded.documents}
    for document in loaded.documents:
        text = document.text
        for part in chunk(document):
            assert text[part.start : part.end] == part.text
        for sentence in sentences(text, document.metadata["format"]):
            assert 0 <= sentence.start < sentence.end <= len(text)
            first, last = sentence.body.origin(0, len(sentence.text))
            assert (first, last) == (sentence.start, sentence.end)


slow = settings(examples(200), suppress_health_check=[HealthCheck.function_scoped_fixture])


@slow
@given(st.sampled_from(TEXTS), HOSTILE)
def test_any_text_is_read_or_refused(tmp_path, suffix: str, text: str):
    if suffix == ".ipynb":
        kinds = ("markdown", "code", "heading")
        text = json.dumps({"cells": [{"cell_type": kind, "source": text} for kind in kinds]})
    elif suffix.startswith(".json"):
        text = json.dumps({"text": text}) + "\n" + json.dumps({text: [text]})
    check(suffix, text.encode("utf-8", "replace"), tmp_path)
    (tmp_path / f"hostile{suffix}").unlink()


@settings(slow, max_examples=60 * REPETITIONS)
@given(XML)
def test_any_office_text_is_read_or_refused(tmp_path, text: str):
    check(".docx", docx(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" * 2), tmp_path)
    check(".xlsx", xlsx(f'<row><c t="str"><v>{text}</v></c></row>' * 2), tmp_path)


@settings(slow, max_examples=100 * REPETITIONS)
@given(
    st.sampled_from(sorted(SOUND_FILES)),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=8)), min_size=1, max_size=5),
)
def test_any_damaged_file_is_read_or_refused(tmp_path, suffix: str, changes: list[tuple[float, bytes]]):
    data = bytearray(SOUND_FILES[suffix])
    for place, new in changes:
        at = int(place * len(data))
        data[at : at + len(new)] = new
    check(suffix, bytes(data), tmp_path)
    (tmp_path / f"hostile{suffix}").unlink()


def test_a_title_of_many_characters_is_that_of_the_file(tmp_path):
    (tmp_path / "a.md").write_text(f"# {'x' * 100_000}\n\n{SOUND}", encoding="utf-8")
    (document,) = load([tmp_path]).documents
    assert document.title == "a"


def test_an_id_of_many_characters_names_no_document(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "x" * 100_000, "text": SOUND}), encoding="utf-8")
    (document,) = load([tmp_path]).documents
    assert document.doc_id.startswith("a.jsonl#p-")


def one_page(content: bytes) -> bytes:
    """A PDF of one page with a form that shows itself in the place of `FORM`."""
    return files.assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Count 1 /Kids [4 0 R] >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            (
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources "
                b"<< /Font << /F1 3 0 R >> /XObject << /X1 6 0 R >> >> >>"
            ),
            b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
            (
                b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X1 7 0 R >> >> /Length 35 >>\n"
                b"stream\n/X1 Do /X1 Do /X1 Do /X1 Do /X1 Do \nendstream"
            ),
            (
                b"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /Font << /F1 3 0 R >> >> /Length 45 >>\n"
                b"stream\nBT /F1 9 Tf (a) Tj (a) Tj (a) Tj (a) Tj ET   \nendstream"
            ),
        ]
    )


def test_the_characters_of_a_page_are_limited():
    data = one_page(b"BT /F1 9 Tf " + b"(a) Tj " * 300 + b"ET")
    assert readers()[".pdf"].read(File("a.pdf", data)).text.count("a") > 100
    with pytest.raises(Unloadable, match="over 60 characters"):
        readers()[".pdf"].read(File("a.pdf", data, max_unpacked=60))


def test_forms_within_forms_are_read():
    assert readers()[".pdf"].read(File("a.pdf", one_page(b"/X1 Do " * 20))).text.strip()
