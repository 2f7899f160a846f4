"""Sheets as a person sees them: their tables and notes, numbers in their formats, nothing that is hidden."""

from __future__ import annotations

import io
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.workbook import WorkbookReader


def read(fill: Callable[[Any], None]) -> FileContent:
    book, out = Workbook(), io.BytesIO()
    book.active.title = "S"
    fill(book.active)
    book.save(out)
    return WorkbookReader().read(File("a.xlsx", out.getvalue()))


def blocks(*rows: tuple[Any, ...], merged: tuple[str, ...] = ()) -> list[str]:
    """The blocks of a sheet, below its name; a table without the line below its header."""

    def fill(sheet: Any) -> None:
        for row in rows:
            sheet.append(row)
        for place in merged:
            sheet.merge_cells(place)

    head, *found = read(fill).text.strip().split("\n\n")
    assert head == "## S"
    return ["\n".join(line for line in block.split("\n") if not line.startswith("| ---")) for block in found]


HEAD, ROW = ("Part", "Weight", "Note"), ("Pump", 41, "heavy")
TABLE = "| Part | Weight | Note |\n| Pump | 41 | heavy |"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([HEAD, ROW], [TABLE]),
        ([HEAD, ("Valve", 3), ROW], ["| Part | Weight | Note |\n| Valve | 3 |  |\n| Pump | 41 | heavy |"]),
        ([HEAD, ROW, ("Valve",)], [f"{TABLE}\n| Valve |  |  |"]),
        ([("Prices of 2024",), HEAD, ROW], ["Prices of 2024", TABLE]),
        ([("Prices of 2024",), (), HEAD, ROW], ["Prices of 2024", TABLE]),
        ([HEAD, ROW, ("Source: workshop",)], [TABLE, "Source: workshop"]),
        ([HEAD, ROW, (), ("All weights with packing.",)], [TABLE, "All weights with packing."]),
        ([HEAD, ROW, (), ("Seal", 2, "soft")], [f"{TABLE}\n| Seal | 2 | soft |"]),
        ([HEAD, ROW, (), ("City", "Tax"), ("Kiel", 7)], [TABLE, "| City | Tax |\n| Kiel | 7 |"]),
        ([(*HEAD, None, "City", "Tax"), (*ROW, None, "Kiel", 7)], [TABLE, "| City | Tax |\n| Kiel | 7 |"]),
        ([("Part", None, "Weight"), ("Pump", None, 41)], ["| Part | Weight |\n| Pump | 41 |"]),
        (
            [("Part", "X", None, "Jan", "Feb"), ("Pump", "b", None, 1, 2)],
            ["| Part | X | Jan | Feb |\n| Pump | b | 1 | 2 |"],
        ),
    ],
)
def test_tables_and_lines(rows: list[tuple[Any, ...]], expected: list[str]) -> None:
    assert blocks(*rows) == expected


@pytest.mark.parametrize(
    ("rows", "merged", "expected"),
    [
        ([("Prices",), ("Part", "Weight"), ("Pump", 41)], ["A1:B1"], ["Prices", "| Part | Weight |\n| Pump | 41 |"]),
        ([("Season", "Fee"), ("Summer", 40), (None, 55)], ["A2:A3"], ["| Season | Fee |\n| Summer | 40 |\n| Summer | 55 |"]),
        (
            [("Part", 2023, None, 2024, None), (None, "Sales", "Cost", "Sales", "Cost"), ("Pump", 1, 2, 3, 4)],
            ["A1:A2", "B1:C1", "D1:E1"],
            ["| Part | 2023: Sales | 2023: Cost | 2024: Sales | 2024: Cost |\n| Pump | 1 | 2 | 3 | 4 |"],
        ),
        (
            [("Part", "Sales"), (None, 2023, 2024), ("Pump", 1, 2)],
            ["B1:C1"],
            ["| Part | Sales: 2023 | Sales: 2024 |\n| Pump | 1 | 2 |"],
        ),
        ([("Part", "Price"), ("Pump", 4, 5)], ["B1:C1"], ["| Part | Price | Price |\n| Pump | 4 | 5 |"]),
        (
            [("Part", "Fee"), ("Pumps",), ("T1", 3), ("T2", 4)],
            ["A2:B2"],
            ["| Part | Fee |\n| Pumps |  |\n| T1 | 3 |\n| T2 | 4 |"],
        ),
    ],
)  # fmt: skip
def test_merged_cells_stand_in_each_cell_they_cover(
    rows: list[tuple[Any, ...]], merged: list[str], expected: list[str]
) -> None:
    assert blocks(*rows, merged=tuple(merged)) == expected


@pytest.mark.parametrize(
    ("value", "format", "shown"),
    [
        (0.075, "0.0%", "7.5%"),
        (1234.5, '"€"#,##0.00', "€1,234.50"),
        (1234567, "#,##0", "1,234,567"),
        (-1234, "#,##0_);[Red](#,##0)", "(1,234)"),
        (date(2024, 3, 5), "dd/mm/yyyy", "05/03/2024"),
        (date(2024, 3, 5), "mm-dd-yy", "2024-03-05"),
        (date(2024, 3, 5), 'yyyy"年"m"月"d"日"', "2024年3月5日"),
        (0.1 + 0.2, "General", "0.3"),
        (12345678901234, "General", "12345678901234"),
        (1e21, "General", "1E+21"),
        (7, "General", "7"),
        ("007", "General", "007"),
        (True, "General", "TRUE"),
        (5, "0 [no such", "5"),
    ],
)
def test_numbers_are_shown_in_their_formats(value: Any, format: str, shown: str) -> None:
    def fill(sheet: Any) -> None:
        sheet.append(["Name", "Value"])
        sheet.append(["x", value])
        sheet["B2"].number_format = format

    assert read(fill).text.splitlines()[-1] == f"| x | {shown} |"


def test_struck_out_text_is_none_and_raised_text_stays_raised() -> None:
    def fill(sheet: Any) -> None:
        sheet.append(["Name", "Value", "Old"])
        raised, lowered, struck = (
            InlineFont(vertAlign="superscript"),
            InlineFont(vertAlign="subscript"),
            InlineFont(strike=True),
        )
        sheet.append([CellRichText("10", TextBlock(raised, "-6")), CellRichText("CO", TextBlock(lowered, "2")), "gone"])
        sheet.append(
            [CellRichText(TextBlock(struck, "gone"), " new"), CellRichText("x", TextBlock(raised, "kg")), "kept"]
        )
        sheet["C2"].font = Font(strike=True)

    assert read(fill).text.splitlines()[-2:] == ["| 10⁻⁶ | CO₂ |  |", "| new | x^kg | kept |"]


def test_what_is_hidden_or_was_never_calculated_is_named() -> None:
    def fill(sheet: Any) -> None:
        for row in (["Part", "Cost", "Total"], ["Pump", 1, "=B2*2"], ["Secret", 2, 3], [], ["Seal", 4, 5]):
            sheet.append(row)
        sheet.row_dimensions[3].hidden = True
        sheet.row_dimensions[4].hidden = True
        sheet.column_dimensions["B"].hidden = True
        draft = sheet.parent.create_sheet("Draft")
        draft.append(["secret"])
        draft.sheet_state = "veryHidden"

    content = read(fill)
    assert content.text == "## S\n\n| Part | Total |\n| --- | --- |\n| Pump |  |\n| Seal | 5 |\n"
    assert [(part.line, part.reason, part.detail.split(";")[0]) for part in content.bad_lines] == [
        ("S", "hidden", "row 3, column B"),
        ("S", "not calculated", "C2"),
        ("Draft", "hidden", "the sheet"),
    ]
