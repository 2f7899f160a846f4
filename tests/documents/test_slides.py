"""Slides as an audience sees them, in the order in which they are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE

from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.slides import SlidesReader
from tests.documents import files

Boxes = dict[str, tuple[int, int, int, int]]


def read(fill: Callable[[Any], None]) -> FileContent:
    return SlidesReader().read(File("a.pptx", files.pptx(fill)))


def shown(fill: Callable[[Any], None]) -> list[str]:
    """Blocks of an empty slide that is filled."""
    text = read(lambda deck: fill(deck.slides.add_slide(deck.slide_layouts[6]))).text
    return text.strip().split("\n\n")


def box(shapes: Any, text: str, *place: int) -> Any:
    frame = shapes.add_textbox(*(100_000 * number for number in place)).text_frame
    frame.text = text
    return frame


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({"strike": "sngStrike"}, "10 litres"),
        ({"strike": "dblStrike"}, "10 litres"),
        ({"strike": "noStrike"}, "106 litres"),
        ({"baseline": "30000"}, "10⁶ litres"),
        ({"baseline": "-25000"}, "10₆ litres"),
        ({"baseline": "0"}, "106 litres"),
    ],
)
def test_looks_that_change_what_is_said(attributes: dict[str, str], expected: str) -> None:
    def fill(slide: Any) -> None:
        paragraph = box(slide.shapes, "", 0, 0, 50, 5).paragraphs[0]
        for text in ("10", "6", " litres"):
            paragraph.add_run().text = text
        for name, value in attributes.items():
            paragraph.runs[1]._r.get_or_add_rPr().set(name, value)

    assert shown(fill) == [expected]


@pytest.mark.parametrize(
    ("places", "order"),
    [
        ({"a": (0, 0, 40, 50), "b": (50, 0, 40, 20), "c": (50, 25, 40, 20)}, "abc"),
        ({"a": (0, 0, 90, 10), "b": (0, 12, 40, 20), "d": (50, 11, 40, 45), "c": (0, 35, 40, 20)}, "abcd"),
        ({"b": (0, 50, 90, 10), "a": (0, 0, 90, 10)}, "ab"),
        ({"b": (0, 18, 90, 10), "a": (0, 9, 90, 10)}, "ab"),
    ],
)
def test_columns_are_read_one_after_another(places: Boxes, order: str) -> None:
    def fill(slide: Any) -> None:
        for text, place in places.items():
            box(slide.shapes, text, *place)

    assert "".join(shown(fill)) == order


def test_a_group_is_read_in_its_place() -> None:
    def fill(slide: Any) -> None:
        box(slide.shapes, "above", 0, 0, 50, 5)
        box(slide.shapes, "below", 0, 50, 50, 5)
        group = slide.shapes.add_group_shape()
        box(group.shapes, "second", 0, 30, 20, 5)
        box(group.shapes, "first", 0, 20, 20, 5)

    assert shown(fill) == ["above", "first", "second", "below"]


def test_cells_over_rows_and_columns() -> None:
    def fill(slide: Any) -> None:
        table = slide.shapes.add_table(4, 3, 0, 0, 100, 100).table
        for number, row in enumerate(
            (("Season", "Fee", ""), ("", "2023", "2024"), ("Summer", "40", "41"), ("", "55", "56"))
        ):
            for column, text in enumerate(row):
                table.cell(number, column).text = text
        table.cell(0, 0).merge(table.cell(1, 0))
        table.cell(0, 1).merge(table.cell(0, 2))
        table.cell(2, 0).merge(table.cell(3, 0))

    assert shown(fill) == [
        "| Season | Fee: 2023 | Fee: 2024 |\n| --- | --- | --- |\n| Summer | 40 | 41 |\n| Summer | 55 | 56 |"
    ]


def test_data_of_charts_are_tables() -> None:
    def fill(slide: Any) -> None:
        data = CategoryChartData()
        data.categories = ["2023", "2024"]
        data.add_series("Pumps", (3, 4.5))
        data.add_series("Valves", (1, None))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 100, 100, data).chart
        chart.has_title = True
        chart.chart_title.text_frame.text = "Sold"
        points = XyChartData()
        series = points.add_series("Flow")
        series.add_data_point(1, 2.5)
        series.add_data_point(2, 7)
        slide.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, 0, 1000, 100, 100, points)

    assert shown(fill)[:2] == [
        "Sold",
        "|  | Pumps | Valves |\n| --- | --- | --- |\n| 2023 | 3 | 1 |\n| 2024 | 4.5 |  |",
    ]
    assert shown(fill)[-1] == "| x | Flow |\n| --- | --- |\n| 1 | 2.5 |\n| 2 | 7 |"


def test_hidden_slides_and_shapes_are_left_out() -> None:
    def fill(deck: Any) -> None:
        for text in ("shown", "secret"):
            slide = deck.slides.add_slide(deck.slide_layouts[6])
            box(slide.shapes, text, 0, 0, 50, 5)
        box(slide.shapes, "too", 0, 10, 50, 5)
        deck.slides[1]._element.set("show", "0")
        box(deck.slides[0].shapes, "hidden", 0, 10, 50, 5)
        deck.slides[0].shapes[1]._element._nvXxPr.cNvPr.set("hidden", "1")

    content = read(fill)
    assert content.text == "shown\n"
    assert [(part.line, part.reason) for part in content.bad_lines] == [("slide 2", "hidden")]


def test_numbers_of_slides_are_no_text_and_symbols_are() -> None:
    def fill(slide: Any) -> None:
        paragraph = box(slide.shapes, "5 m", 0, 0, 50, 5).paragraphs[0]
        paragraph.runs[0].font.name = "Symbol"
        field = paragraph._p.makeelement(
            "{http://schemas.openxmlformats.org/drawingml/2006/main}fld", {"type": "slidenum"}
        )
        field.append(field.makeelement("{http://schemas.openxmlformats.org/drawingml/2006/main}t"))
        field[0].text = "17"
        paragraph._p.append(field)

    assert shown(fill) == ["5 μ"]
