"""What pages of PDF show is the text: layout, hidden text, tables of numbers, running lines, forms and pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources

import pytest

from synth.corpus.documents import reasons
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.pdf.glyphs import Word
from synth.corpus.documents.pdf.hyphens import Hyphens
from synth.corpus.documents.pdf.recognition import Recogniser
from synth.corpus.documents.pdf.titles import is_no_title
from synth.corpus.documents.readers import pdf
from synth.corpus.documents.readers.pdf import PdfReader
from synth.corpus.documents.reasons import Unloadable
from tests.documents import files
from tests.documents.files import shown

TEXT = [
    "The Corvin tower stands on a rock at the mouth of the bay and",
    "is painted in red and white, so that it is seen from far away",
    "by all ships which come in from the west with the tide.",
]


def read(data: bytes) -> FileContent:
    return PdfReader().read(File("a.pdf", data))


def page(*drawn: bytes) -> str:
    return read(files.drawn_pdf([b"\n".join(drawn)])).text.strip()


def paragraph(lines: Sequence[str], x: float = 50, y: float = 600) -> list[bytes]:
    return [shown(line, x, y - 14 * number) for number, line in enumerate(lines)]


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        (b"BT /F1 12 Tf 72 700 Td (It holds 10) Tj 5 Ts /F1 7 Tf (6) Tj 0 Ts /F1 12 Tf ( litres.) Tj ET", "It holds 10⁶ litres."),
        (b"BT /F1 12 Tf 72 700 Td (A rate of 3 x 10) Tj /F1 7 Tf 5 Ts (-5) Tj ET", "A rate of 3 x 10⁻⁵"),
        (b"BT /F1 12 Tf 72 700 Td (The gas CO) Tj /F1 8 Tf -3 Ts (2) Tj 0 Ts /F1 12 Tf ( leaves.) Tj ET", "The gas CO₂ leaves."),
        (shown("Tall tower", 72, 700) + shown("Tall tower", 72.4, 700), "Tall tower"),
        (b"3 Tr " + shown("It has 99 windows.", 72, 680) + b" 0 Tr " + shown("It is tall.", 72, 700), "It is tall."),
        (b"1 1 1 rg " + shown("It has 77 doors.", 72, 680) + b" 0 g " + shown("It is tall.", 72, 700), "It is tall."),
        (b"0 g 60 670 300 30 re f 1 1 1 rg " + shown("White on black.", 72, 680), "White on black."),
        (shown("It costs 40 euros.", 72, 700) + b" 72 704 m 165 704 l S " + shown("It is tall.", 72, 650), "It is tall."),
        (shown("A rule below.", 72, 700) + b" 72 698 m 165 698 l S", "A rule below."),
        (b"BT /F1 11 Tf 0 1 -1 0 100 100 Tm (The tower is tall.) Tj ET", "The tower is tall."),
        (b"BT /F1 11 Tf 72 700 Td [(C) -400 (O) -400 (R) -400 (V) -400 (I) -400 (N)] TJ ET", "CORVIN"),
        (shown("Out of the page", 700, 900) + shown("It is tall.", 72, 700), "It is tall."),
    ],
    ids="power exponent subscript fake-bold invisible white on-black struck underlined turned letters outside".split(),
)  # fmt: skip
def test_text_is_what_the_page_shows(drawn: bytes, text: str) -> None:
    assert page(drawn) == text


_ITALIC = {**dict.fromkeys("aohdn", 500), **dict.fromkeys("fti", 278), **dict.fromkeys("ec", 444), "r": 389, " ": 250}
"""Widths of letters of Times Italic, in thousandths of the size; an f is drawn over its neighbours."""


@pytest.mark.parametrize("text", ["of the order of the coffee", "to differ", "an effect of it"])
def test_slanted_letters_that_are_drawn_one_by_one_keep_their_spaces_and_their_second_f(text: str) -> None:
    drawn, x = b"", 72.0
    for letter in text:
        if letter != " ":
            drawn += b"BT /F4 13.33 Tf 0.675 0 0 0.675 %.2f 700 Tm (%s) Tj ET\n" % (x, letter.encode())
        x += _ITALIC[letter] * 13.33 * 0.675 / 1000
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Italic /Encoding /WinAnsiEncoding >>"
    data = files.drawn_pdf([drawn], page=b"/Resources << /Font << /F4 6 0 R >> >>", more=[font])
    assert read(data).text.strip() == text


def test_columns_are_read_one_after_the_other_however_they_are_drawn() -> None:
    left = [
        "The Corvin tower is",
        "38 metres tall and",
        "stands on a rock.",
        "It was built in 1912",
        "by Ada Marsh, who",
    ]
    right = [
        "The Dorne tower is",
        "49 metres tall and",
        "stands on a pier.",
        "It was built in 1923",
        "by Karl Venn, who",
    ]
    rows = [drawn for pair in zip(paragraph(left, 72), paragraph(right, 330), strict=True) for drawn in pair]
    text = page(shown("Towers of the northern coast and of the islands before it", 72, 650, size=14), *rows)
    assert text.index("Corvin tower is 38 metres tall and stands on a rock.") < text.index(
        "The Dorne tower is 49 metres"
    )


STATEMENT = [
    ("", "2022", "2021"),
    ("Net sales", "$ 34,229", "$ 35,355"),
    ("Cost of sales", "19,232", "18,795"),
    ("Gain on sale of a business", "(2,724)", "—"),
    ("Income", "$ 17,721", "$ 16,560"),
]


def value(text: str, right: float, y: float) -> list[bytes]:
    """A number, in digits of 6.12 points, that ends at `right`; its currency stands left of it."""
    digits = text.removeprefix("$ ")
    width = 3.06 * sum(1 if c in ",().—" else 2 for c in digits)
    code = b"97" if digits == "—" else digits.encode().hex().encode()
    drawn = [b"BT /F1 11 Tf %g %g Td <%s> Tj ET" % (right - width, y, code)]
    return [*drawn, shown("$", right - 60, y)] if "$" in text else drawn


def statement(rows: Sequence[Sequence[str]], rights: Sequence[float] = (400, 500), y: float = 600) -> list[bytes]:
    """Rows of a label and its values, 14 points high."""
    drawn = []
    for number, (label, *values) in enumerate(rows):
        drawn += [shown(label, 50, y - 14 * number)] if label else []
        for right, text in zip(rights, values, strict=False):
            drawn += value(text, right, y - 14 * number) if text else []
    return drawn


def test_numbers_below_one_another_are_a_table() -> None:
    assert page(*statement(STATEMENT)).splitlines() == [
        "|  | 2022 | 2021 |",
        "| --- | --- | --- |",
        "| Net sales | $34,229 | $35,355 |",
        "| Cost of sales | 19,232 | 18,795 |",
        "| Gain on sale of a business | (2,724) | — |",
        "| Income | $17,721 | $16,560 |",
    ]


def test_a_unit_or_years_begin_another_table() -> None:
    first = [("Expense, in Millions",), ("Plants", "$ 49.3"), ("Other", "33.4"), ("Total", "$ 82.7")]
    second = [("Charges of the year before were as follows:",), ("Expense, in Millions",)]
    rest = [("Vineland plant", "$ 72.1"), ("Melbourne plant", "45.1"), ("Total", "$ 117.2")]
    third = [("In Millions", "2019", "2018"), ("Cost of sales", "9.9", "14.0")]
    drawn = [*statement([*first, *second, *rest], [500]), *statement(third, [400, 500], 600 - 14 * 10)]
    assert page(*drawn).split("\n\n") == [
        "| Expense, in Millions |  |\n| --- | --- |\n| Plants | $49.3 |\n| Other | 33.4 |\n| Total | $82.7 |",
        "Charges of the year before were as follows:",
        (
            "| Expense, in Millions |  |\n| --- | --- |\n| Vineland plant | $72.1 |\n| Melbourne plant | 45.1 |\n"
            "| Total | $117.2 |"
        ),
        "| In Millions | 2019 | 2018 |\n| --- | --- | --- |\n| Cost of sales | 9.9 | 14.0 |",
    ]


def test_a_unit_at_a_distance_above_the_header_belongs_to_the_table() -> None:
    unit = shown("(In millions, except per share data)", 50, 645)
    assert page(unit, *statement(STATEMENT)).startswith("| (In millions, except per share data) | 2022 | 2021 |")


def test_a_unit_that_ends_the_sentence_above_a_table_stays_in_it() -> None:
    sentence = "The sales of the towers of the coast and of all islands in these two years were as follows (dollars"
    drawn = [shown(sentence, 50, 642), shown("in millions):", 50, 628), *statement(STATEMENT)]
    assert page(*drawn).startswith(f"{sentence} in millions):\n\n|  | 2022 | 2021 |")


def test_a_name_above_several_columns_is_that_of_each() -> None:
    rights = [300, 360, 420, 480]
    heads = [shown("Pension Plans", 265, 628), shown("Other Plans", 390, 628)]
    rows = [("", "2019", "2018", "2019", "2018"), ("Service cost", "4.2", "4.1", "1.9", "1.8")]
    assert page(*heads, *statement(rows, rights, 614)).splitlines()[0] == (
        "|  | Pension Plans 2019 | Pension Plans 2018 | Other Plans 2019 | Other Plans 2018 |"
    )


def test_a_number_close_to_its_label_stands_below_its_year() -> None:
    rows = [("In Millions", "2019", "2018"), ("Service cost of all plans of the group x", "4.2", "4.1")]
    assert page(*statement(rows, [262, 360])).splitlines()[2:] == [
        "| Service cost of all plans of the group x | 4.2 | 4.1 |"
    ]


def test_each_value_of_a_row_has_a_cell_of_its_own() -> None:
    rows = [
        ("", "2020", "2019", "", ""),
        ("Net sales", "$ 7,367", "$ 6,492", "", ""),
        ("Provision for taxes", "$ 1,252", "$ 883", "42", "9"),
        ("Income", "$ 995", "$ 798", "", ""),
    ]
    assert page(*statement(rows, [300, 380, 440, 500])).splitlines()[3] == (
        "| Provision for taxes | $1,252 | $883 | 42 | 9 |"
    ), "42 and 9 share no right edge with other numbers"


@pytest.mark.parametrize("value", ["2013-2033", "2.63%-3.13%", "9 years", "5 to 20", "(1.9) pp"])
def test_ranges_and_numbers_with_a_unit_are_values(value: str) -> None:
    drawn = [*statement(STATEMENT, [420, 500]), *(shown(value, 260, y) for y in (586, 572, 558))]
    assert f"| Cost of sales | {value} | 19,232 | 18,795 |" in page(*drawn).splitlines()


def test_a_note_mark_after_a_space_belongs_to_its_label() -> None:
    mark = b"BT /F1 11 Tf 50 572 Td (Cost of sales) Tj /F1 7 Tf 3 Ts 66.6 0 Td (\\(2\\)) Tj ET"
    rows = [("", *values) if label == "Cost of sales" else (label, *values) for label, *values in STATEMENT]
    assert page(*statement(rows), mark).splitlines()[3] == "| Cost of sales ⁽²⁾ | 19,232 | 18,795 |"


def test_a_label_may_stand_between_the_header_of_a_table_and_its_values() -> None:
    dates = [shown("May 31, 2022", 335, 642), shown("May 31, 2021", 435, 642), shown("Net sales:", 50, 628)]
    rows = [("Canada", "1,882", "2,173"), ("Other", "2,551", "2,718"), ("Total", "4,433", "4,891")]
    assert page(*dates, *statement(rows, y=614)).splitlines()[0] == ("| Net sales: | May 31, 2022 | May 31, 2021 |")
    above = statement([("", "$ 121", "$ 90")], y=656)
    assert page(*above, *dates, *statement(rows, y=614)).splitlines()[-5] == (
        "| Net sales: | May 31, 2022 | May 31, 2021 |"
    )


def test_a_name_above_some_columns_is_not_that_of_all() -> None:
    heads = [shown("Change", 300, 628), shown("Share", 462, 628)]
    rows = [("", "", "", "", ""), *((label, "4", "5", "6", "7") for label in ("Shoes", "Shirts", "Balls"))]
    header = page(*heads, *statement(rows, [200, 280, 380, 480], 614)).splitlines()[0]
    assert header.count("Change") == 1


def test_lines_at_the_edge_of_pages_stay_where_their_numbers_are_data() -> None:
    pages = [
        [f"Weight: {weight} kilograms", *TEXT, f"Depth of lift: {depth} metres"]
        for weight, depth in ((41, 17), (52, 19), (63, 23), (38, 15))
    ]
    text = read(files.pdf(pages)).text
    for weight, depth in ((41, 17), (52, 19), (63, 23), (38, 15)):
        assert f"Weight: {weight} kilograms" in text
        assert f"Depth of lift: {depth} metres" in text


def test_a_running_line_is_kept_once_and_page_numbers_are_dropped() -> None:
    pages = [
        ["Manual of model X200", *TEXT[:2], f"Pump {name} has a tank.", f"{number} | Corvin"]
        for number, name in enumerate("ABCD", 7)
    ]
    text = read(files.pdf(pages)).text
    assert text.count("Manual of model X200") == 1
    assert text.count("| Corvin") + text.count("\\| Corvin") <= 2
    assert text.count("has a tank.") == 4


def test_page_numbers_of_each_part_are_dropped_and_other_numbers_are_kept() -> None:
    parts = [[str(n) for n in range(3, 8)], [f"F-{n}" for n in range(1, 6)], [f"A-2-{n}" for n in range(1, 5)]]
    numbers = [*parts[0], "1997", *parts[1], "1998", *parts[2]]
    pages = [[*TEXT, f"Pump {page} has a tank.", number] for page, number in enumerate(numbers)]
    text = read(files.pdf(pages)).text
    assert [block for block in text.split("\n\n") if block.strip() in numbers] == ["1997", "1998"]


def test_a_header_is_dropped_where_the_first_pages_are_numbered_in_another_way() -> None:
    pages = [
        [f"Tower Company {number}", *TEXT, f"Pump {number} has a tank."] for number in ("ii", "iii", *range(1, 12))
    ]
    text = read(files.pdf(pages)).text
    assert text.count("Tower Company") == 1


def test_headers_of_chapters_are_kept_once_where_their_page_numbers_go_on() -> None:
    chapters = [name for name in ("Tower", "Harbour", "Lights", "Bells", "Boats", "Nets") for _ in range(3)]
    pages = [
        [f"Chapter on the {name} {number}", *TEXT[:2], f"Pump {number} has a tank."]
        for number, name in enumerate(chapters, 5)
    ]
    text = read(files.pdf(pages)).text
    assert [text.count(f"Chapter on the {name}") for name in dict.fromkeys(chapters)] == [1] * 6


def test_all_lines_of_a_long_header_are_dropped_and_numbered_headings_below_it_are_kept() -> None:
    header = ["Amended in May 2021", "Approved in August 2021", "Posted in September 2021", "Effective in October 2021"]
    pages = [[*header, f"{page}. General", *TEXT, f"Pump {page} has a tank."] for page in range(1, 6)]
    text = read(files.pdf(pages)).text
    assert [text.count(line) for line in header] == [1] * 4
    assert [text.count(f"{page}. General") for page in range(1, 6)] == [1] * 5


def test_a_page_of_its_own_begins_where_the_metadata_say() -> None:
    content = read(files.pdf([["Alpha tower is tall."], [], ["Beta tower is small."]]))
    starts = content.metadata["pages"]
    assert [content.text[start:][:5] for start in starts] == ["Alpha", "Beta ", "Beta "]


def test_values_of_a_form_stand_at_their_labels() -> None:
    field = b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (vessel) /V (Grey Heron) /Rect [180 675 400 690] /DA (/F1 11 Tf 0 g) /AP << /N 7 0 R >> >>"
    look = b"<< /Type /XObject /Subtype /Form /BBox [0 0 220 15] /Resources << /Font << /F1 3 0 R >> >> /Length 64 >>\nstream\n/Tx BMC BT /F1 11 Tf 2 3 Td (Grey Heron) Tj ET EMC            \nendstream"
    data = files.drawn_pdf(
        [shown("Name of the vessel:", 72, 680)],
        page=b"/Annots [6 0 R]",
        catalog=b"/AcroForm << /Fields [6 0 R] /DR << /Font << /F1 3 0 R >> >> /DA (/F1 11 Tf 0 g) >>",
        more=[field, look],
    )
    assert read(data).text.strip() == "Name of the vessel: Grey Heron"


@pytest.mark.parametrize(("flags", "text"), [(b"4", "It costs euros."), (b"2", "It costs 40 euros.")])
def test_annotations_strike_text_out_unless_they_are_hidden(flags: bytes, text: str) -> None:
    note = b"<< /Type /Annot /Subtype /StrikeOut /F %s /Rect [109 697 123 709] /QuadPoints [109 709 123 709 109 697 123 697] >>"
    data = files.drawn_pdf([shown("It costs 40 euros.", 72, 700)], page=b"/Annots [6 0 R]", more=[note % flags])
    assert read(data).text.strip() == text


COVERS = json.loads(resources.files("synth.corpus.documents.pdf").joinpath("covers.json").read_text("utf-8"))


def test_words_on_many_covers_are_no_titles() -> None:
    assert all(map(is_no_title, COVERS["fits"]))
    assert not any(map(is_no_title, COVERS["titles"]))


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        ([("UNITED STATES", 20), ("CORVIN PUMPS INC.", 14), ("(Exact name of registrant as specified)", 11)], "CORVIN PUMPS INC."),
        ([("UNITED STATES", 20), ("FORM 10-K", 14)], ""),
        ([("FORM 10-K", 20), ("Towers of the coast", 14)], "Towers of the coast"),
    ],
)  # fmt: skip
def test_the_title_of_a_cover_says_what_the_file_is_about(lines: list[tuple[str, int]], title: str) -> None:
    head = [shown(line, 50, 740 - 40 * number, size=size) for number, (line, size) in enumerate(lines)]
    assert read(files.drawn_pdf([b"\n".join([*head, *paragraph(TEXT)])])).title == title


@pytest.mark.parametrize("kind", ["AES-128", "AES-256"])
def test_a_file_with_an_empty_password_is_read(kind: str) -> None:
    assert read(files.encrypted_pdf(kind)).text.strip() == "The Kell lighthouse was built in 1811."


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["good infor-", "mation"], "good information"),
        (["a well-", "known smith"], "a well-known smith"),
        (["a state-of-the-", "art lens"], "a state-of-the-art lens"),
        (["a light-", "house; each lighthouse"], "a lighthouse; each lighthouse"),
        (["the sea-", "borne and the sea-borne"], "the sea-borne and the sea-borne"),
        (["the co-", "operative and a co-owner"], "the co-operative and a co-owner"),
        (["the co-", "operative and coal"], "the cooperative and coal"),
        (["soft\u00ad", "ware"], "software"),
        (["model X-", "200 is"], "model X- 200 is"),
        (["这座灯塔建于", "港口。"], "这座灯塔建于港口。"),
    ],
)
def test_words_that_a_line_end_splits(lines: list[str], text: str) -> None:
    assert Hyphens(lines).joined(lines) == text


def test_headings_are_larger_or_bold_and_the_title_is_that_of_the_page() -> None:
    data = files.drawn_pdf(
        [
            b"\n".join(
                [
                    shown("Towers of the coast", 50, 700, size=20),
                    shown("1 Corvin", 50, 640, size=14),
                    *paragraph(TEXT),
                    shown("1.1 Paint", 50, 540, font="F3"),
                    *paragraph(TEXT, y=520),
                ]
            )
        ],
        title="0000764478-23-000006",
    )
    content = read(data)
    assert content.title == "Towers of the coast"
    assert [line for line in content.text.splitlines() if line.startswith("#")] == [
        "# Towers of the coast",
        "## 1 Corvin",
        "### 1.1 Paint",
    ]


_SENTENCE = "Provisions of our charter against takeovers may lower the price that buyers pay."


@pytest.mark.parametrize(
    ("title", "size", "font", "text_size"),
    [
        (_SENTENCE, 11, "F3", 11),
        (_SENTENCE, 13, "F1", 11),
        ("Anti-takeover Provisions", 8, "F3", 8),
        ("Anti-takeover Provisions", 11, "F4", 11),
    ],
    ids="bold-sentence large-sentence small-bold italic".split(),
)
def test_a_title_that_stands_out_above_a_paragraph_is_a_heading(
    title: str, size: float, font: str, text_size: float
) -> None:
    drawn = [
        shown("Dividends", 50, 700, font="F3"),
        *paragraph(TEXT, y=680),
        *paragraph(TEXT, y=620),
        shown(title, 50, 560, size=size, font=font),
        *(shown(line, 50, 545 - 12 * number, size=text_size) for number, line in enumerate(TEXT)),
    ]
    italic = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Oblique /Encoding /WinAnsiEncoding >>"
    fonts = b"/Resources << /Font << /F1 3 0 R /F3 5 0 R /F4 6 0 R >> >>"
    text = read(files.drawn_pdf([b"\n".join(drawn)], page=fonts, more=[italic])).text
    assert [line.lstrip("# ") for line in text.splitlines() if line.startswith("#")] == ["Dividends", title]


@pytest.mark.parametrize(("label", "font"), [("-", ""), ("2.", ""), ("(b)", ""), ("Item 5.", "F3")])
def test_a_wide_gap_after_a_bullet_or_number_does_not_end_its_item(label: str, font: str) -> None:
    lines = ["The keepers of the towers on the coast and on the islands before it, and", "all their families and heirs"]
    drawn = [
        shown(label, 50, 700, font=font),
        *(shown(line, 120, 700 - 14 * number, font=font) for number, line in enumerate(lines)),
        *paragraph(TEXT, y=640),
    ]
    assert " ".join(lines) in page(*drawn)


def test_lines_of_names_and_values_at_a_distance_stay_apart() -> None:
    drawn = [
        shown(text, x, y)
        for y, row in ((700, ("12", "of May")), (686, ("13", "of June")))
        for x, text in zip((50, 150), row, strict=True)
    ]
    assert page(*drawn).count("\n\n") == 1


def test_bold_sentences_one_after_the_other_are_no_headings() -> None:
    plain = [drawn for y in (760, 700, 640) for drawn in paragraph(TEXT, y=y)]
    bold = [shown(line, 50, y - 14 * n, font="F3") for y in (580, 530) for n, line in enumerate(TEXT)]
    assert "#" not in page(*plain, *bold)


def image_pdf(*, text: str = "") -> bytes:
    """A PDF of two pages, the first of them an image."""
    image = b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\n\x7f\nendstream"
    page = b"/Resources << /XObject << /X 6 0 R >> /Font << /F1 3 0 R >> >>"
    return files.drawn_pdf([b"600 0 0 800 0 0 cm /X Do", shown(text, 50, 700)], page=page, more=[image]).replace(
        b"/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> >>", b""
    )


def test_pages_that_are_images_are_named() -> None:
    content = read(image_pdf(text="The tower is tall."))
    assert content.text.strip() == "The tower is tall."
    (unread,) = content.bad_lines
    assert (unread.line, unread.reason) == ("page 1", reasons.NO_TEXT)
    assert "[ocr]" in unread.detail
    with pytest.raises(Unloadable, match="images of text"):
        read(image_pdf())


def test_words_of_images_are_read_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Known:
        def __init__(self, name: str) -> None:
            self.words = lambda page: [Word("Recognised", 50, 100, 100, 11, False, True)]

    monkeypatch.setattr(pdf, "Recogniser", Known)
    content = PdfReader().read(File("a.pdf", image_pdf(text="The tower is tall."), ocr=True))
    assert content.text.split() == ["Recognised", "The", "tower", "is", "tall."]
    assert not content.bad_lines


def test_text_is_recognised_on_a_drawn_page() -> None:
    document = pytest.importorskip("pypdfium2").PdfDocument(
        files.drawn_pdf([b"".join(shown("The tower was built in 1912.", 50, y, size=28) for y in (700, 660))])
    )
    words = Recogniser("a.pdf").words(document[0])
    assert [word.text for word in words] == 2 * ["The", "tower", "was", "built", "in", "1912."]
    assert all(abs(word.baseline - y) < 6 for word, y in zip(words, 6 * [100] + 6 * [140], strict=True))
