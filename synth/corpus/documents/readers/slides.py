"""PPTX: a heading for each slide, its texts as lists and paragraphs, tables, and the speaker's notes."""

# LangChain's UnstructuredPowerPointLoader needs unstructured: not used.

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import Limit, parsing

_MOST_SLIDES = 5_000
_FURNITURE = frozenset({"DATE", "FOOTER", "HEADER", "SLIDE_NUMBER", "SLIDE_IMAGE"})


class Slides(Reader):
    """Slides in order; the title is that of the file's properties, else that of the first slide."""

    name = "pptx"
    suffixes = (".pptx",)

    def read(self, file: File) -> FileContent:
        from pptx import Presentation
        from pptx.exc import PythonPptxError

        check_archive(file, whole=True)
        with parsing("PPTX", PythonPptxError):
            deck = Presentation(io.BytesIO(file.data))
            Limit(_MOST_SLIDES, "slides").add(len(deck.slides))
            body = markdown.join(block for slide in deck.slides for block in _slide(slide))
            title = " ".join((deck.core_properties.title or "").split())
            titles = (shape.text_frame.text for slide in deck.slides if (shape := slide.shapes.title) is not None)
            first = next((" ".join(text.split()) for text in titles if text.strip()), "")
        return FileContent(body, first if title.casefold() in ("", "powerpoint presentation", "untitled") else title)


def _slide(slide: Any) -> Iterator[str]:
    head = slide.shapes.title
    if head is not None:
        yield markdown.heading(2, head.text_frame.text)
    for shape in sorted(_flat(slide.shapes), key=lambda shape: (shape.top or 0, shape.left or 0)):
        if head is None or shape.shape_id != head.shape_id:
            yield from _shape(shape)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        for paragraph in slide.notes_slide.notes_text_frame.paragraphs:
            yield markdown.paragraph(paragraph.text)


def _flat(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _flat(shape.shapes)
        else:
            yield shape


def _shape(shape: Any) -> Iterator[str]:
    if getattr(shape, "has_table", False):
        yield markdown.table([[cell.text for cell in row.cells] for row in shape.table.rows])
    elif shape.has_text_frame:
        kind = shape.placeholder_format.type.name if shape.is_placeholder and shape.placeholder_format.type else ""
        if kind in _FURNITURE:
            return
        paragraphs = [paragraph for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
        listed = kind in ("BODY", "OBJECT") and len(paragraphs) > 1
        for paragraph in paragraphs:
            if listed or paragraph.level:
                yield markdown.item(paragraph.text, paragraph.level)
            else:
                yield markdown.paragraph(paragraph.text)
