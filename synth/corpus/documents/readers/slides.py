"""PPTX: a heading for each slide, its texts in reading order, tables, chart data, and the speaker's notes."""

# LangChain's UnstructuredPowerPointLoader needs unstructured, so it is not used.

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.grid import GridCell, is_value, resolved
from synth.corpus.documents.office import alternative_text, check_archive, formula
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import HIDDEN, Limit, parsing
from synth.corpus.documents.symbol_fonts import in_unicode

_MOST_SLIDES = 5_000
_MOST_SPANNED = 1_000
_DROPPED_PLACEHOLDERS = frozenset({"DATE", "FOOTER", "HEADER", "SLIDE_NUMBER", "SLIDE_IMAGE"})
_COUNTED_FIELDS = ("slidenum", "datetime")
_OVERLAP = 0.1
"""Maximum overlap of two shapes that still count as separate, as a share of a shape's width or height."""

_MOST_CUTS = 200
"""Maximum number of shapes on a slide that are ordered by columns. More shapes are read from top to bottom."""


class SlidesReader(Reader):
    """Slides in order. Hidden slides are left out and reported.

    The title is that of the file, else that of the first slide with a title.
    """

    name = "pptx"
    suffixes = (".pptx",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            import officemath2latex  # noqa: F401
            from pptx import Presentation
            from pptx.exc import PythonPptxError

        check_archive(file, whole=True)
        with parsing("PPTX", PythonPptxError):
            deck = Presentation(io.BytesIO(file.data))
            Limit(_MOST_SLIDES, "slides").add(len(deck.slides))
            slides = list(enumerate(deck.slides, start=1))
            shown = [slide for _, slide in slides if not _is_hidden_slide(slide)]
            hidden = [BadLine(f"slide {number}", HIDDEN, "") for number, slide in slides if _is_hidden_slide(slide)]
            body = markdown.join(block for slide in shown for block in _slide(slide))
            title = " ".join((deck.core_properties.title or "").split())
            titles = (_frame_text(shape.text_frame) for slide in shown if (shape := _title(slide)) is not None)
            first_title = next((" ".join(text.split()) for text in titles if text.strip()), "")
        # PowerPoint writes these titles by default.
        is_default = title.casefold() in ("", "powerpoint presentation", "untitled")
        return FileContent(body, first_title if is_default else title, bad_lines=tuple(hidden))


def _is_hidden_slide(slide: Any) -> bool:
    return slide._element.get("show") in ("0", "false")


def _title(slide: Any) -> Any:
    """Return the shape with the title text, or None. A picture may take the place of a title."""
    title = slide.shapes.title
    return title if title is not None and title.has_text_frame else None


def _slide(slide: Any) -> Iterator[str]:
    title = _title(slide)
    if title is not None:
        yield markdown.heading(2, _frame_text(title.text_frame))
    for shape in _in_order(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            yield from _shape(shape)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        for paragraph in slide.notes_slide.notes_text_frame.paragraphs:
            yield markdown.paragraph(_text(paragraph))


def _in_order(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield the shapes of a slide in reading order: from top to bottom, and columns one after another.

    The shapes of a group take the position of the group.
    """
    placed = sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0))
    for shape in _cut(placed, ("top", "height"), ("left", "width")) if len(placed) <= _MOST_CUTS else placed:
        if hasattr(shape, "shapes"):
            yield from _in_order(shape.shapes)
        elif shape._element._nvXxPr.cNvPr.get("hidden") not in ("1", "true"):
            yield shape


def _cut(shapes: Sequence[Any], along: tuple[str, str], across: tuple[str, str], tried: bool = False) -> list[Any]:
    """Return the shapes in reading order: cut the slide into rows at gaps, the rows into columns, and so on."""
    groups: list[list[Any]] = []
    reached = 0.0
    for shape in sorted(shapes, key=lambda shape: getattr(shape, along[0]) or 0):
        start, size = getattr(shape, along[0]) or 0, getattr(shape, along[1]) or 0
        if not groups or start + _OVERLAP * size >= reached:
            groups.append([])
        groups[-1].append(shape)
        reached = max(reached, start + (1 - _OVERLAP) * size)
    if len(groups) == 1:
        return list(shapes) if tried or len(shapes) == 1 else _cut(shapes, across, along, tried=True)
    return [shape for group in groups for shape in _cut(group, across, along)]


def _shape(shape: Any) -> Iterator[str]:
    if getattr(shape, "has_table", False):
        yield markdown.table(resolved(_rows(shape.table)))
    elif getattr(shape, "has_chart", False):
        yield from _chart(shape.chart)
    elif shape.has_text_frame:
        kind = shape.placeholder_format.type.name if shape.is_placeholder and shape.placeholder_format.type else ""
        if kind in _DROPPED_PLACEHOLDERS:
            return
        texts = [(_text(paragraph), paragraph.level) for paragraph in shape.text_frame.paragraphs]
        texts = [(text, level) for text, level in texts if text.strip()]
        is_list = kind in ("BODY", "OBJECT") and len(texts) > 1
        for text, level in texts:
            yield markdown.item(text, level) if is_list or level else markdown.paragraph(text)
    else:
        yield from _diagram(shape)
        yield markdown.paragraph(alternative_text(shape._element._nvXxPr.cNvPr.get("descr") or ""))


def _rows(table: Any) -> list[dict[int, GridCell]]:
    rows: list[dict[int, GridCell]] = [{} for _ in table.rows]
    for number, row in enumerate(table.rows):
        for column, cell in enumerate(row.cells):
            if cell.is_spanned:
                continue
            text = " ".join(_frame_text(cell.text_frame).split())
            shown = GridCell(text, is_value(text), (number, column))
            for covered in rows[number : number + min(cell.span_height, _MOST_SPANNED)]:
                covered.update(dict.fromkeys(range(column, column + min(cell.span_width, _MOST_SPANNED)), shown))
    return rows


def _chart(chart: Any) -> Iterator[str]:
    """Yield the title of a chart, and its data as a table with a row per category and a column per series."""
    if chart.has_title and chart.chart_title.has_text_frame:
        yield markdown.paragraph(_frame_text(chart.chart_title.text_frame))
    series = list(chart._chartSpace.iter("{*}ser"))
    heads = [" ".join(_points(one, "tx").values()) for one in series]
    if any(one.find("{*}xVal") is not None for one in series):
        for head, one in zip(heads, series, strict=True):
            xs, ys = _points(one, "xVal"), _points(one, "yVal")
            yield markdown.table([["x", head or "y"], *([xs.get(place, str(place)), y] for place, y in ys.items())])
        return
    names: dict[str, str] = {}
    for one in series:
        names |= _points(one, "cat")
    values = [_points(one, "val") for one in series]
    places = sorted({place for one in values for place in one}, key=lambda place: (len(place), place))
    rows = [[names.get(place, ""), *(one.get(place, "") for one in values)] for place in places]
    yield markdown.table([["", *heads], *rows]) if rows else ""


def _points(series: Any, kind: str) -> dict[str, str]:
    """Return the values of one kind in a series of a chart, by their index."""
    points = (point for parent in series.findall(f"{{*}}{kind}") for point in parent.iter("{*}pt"))
    return {point.get("idx") or "": _number(point.findtext("{*}v") or "") for point in points}


def _number(text: str) -> str:
    try:
        return f"{float(text):.15g}" if "." in text else text
    except ValueError:
        return text


def _diagram(shape: Any) -> Iterator[str]:
    """Yield the texts of a SmartArt drawing as list items."""
    for reference in shape._element.iter("{*}relIds"):
        key = next((value for name, value in reference.attrib.items() if name.endswith("}dm")), None)
        part = shape.part.related_part(key) if key else None
        if part is not None:
            from pptx.oxml import parse_xml

            for point in parse_xml(part.blob).iter("{*}pt"):
                if point.get("type") in (None, "node"):
                    texts = ["".join(node.text or "" for node in one.iter("{*}t")) for one in point.iter("{*}p")]
                    yield markdown.item(" ".join(texts))


def _frame_text(frame: Any) -> str:
    return "\n".join(map(_text, frame.paragraphs))


def _text(paragraph: Any) -> str:
    """Return the text of a paragraph as displayed, without strikethrough text, slide numbers and dates."""
    parts = []
    for node in paragraph._p.iter():
        tag = str(node.tag).rsplit("}", 1)[-1]
        if tag == "br":
            parts.append("\n")
        elif tag in ("r", "fld") and not (node.get("type") or "").startswith(_COUNTED_FIELDS):
            parts.append(_run(node))
        elif tag == "oMath":
            parts.append(formula(node))
    return "".join(parts)


def _run(run: Any) -> str:
    properties = run.find("{http://schemas.openxmlformats.org/drawingml/2006/main}rPr")
    text = "".join(node.text or "" for node in run.findall("{http://schemas.openxmlformats.org/drawingml/2006/main}t"))
    if properties is None:
        return text
    if properties.get("strike") in ("sngStrike", "dblStrike"):
        return ""
    fonts = {
        name: node.get("typeface") or "" for name in ("latin", "sym") for node in properties.findall(f"{{*}}{name}")
    }
    # The symbol font applies only to private characters.
    text = "".join(in_unicode(part, fonts.get("sym" if "\uf000" <= part <= "\uf0ff" else "latin", "")) for part in text)
    baseline = properties.get("baseline") or "0"
    shift = float(baseline.rstrip("%")) if baseline.lstrip("-").rstrip("%").replace(".", "", 1).isdecimal() else 0.0
    return markdown.superscript(text) if shift > 0 else markdown.subscript(text) if shift < 0 else text
