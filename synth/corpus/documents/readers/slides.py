"""PPTX: a heading for each slide, its texts as lists and paragraphs, tables, and the speaker's notes."""

# LangChain's UnstructuredPowerPointLoader needs unstructured, so it is not used.

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import Limit, parsing

_MOST_SLIDES = 5_000
_DROPPED_PLACEHOLDERS = frozenset({"DATE", "FOOTER", "HEADER", "SLIDE_NUMBER", "SLIDE_IMAGE"})


class SlidesReader(Reader):
    """Slides in order; the title is that of the file's properties, else that of the first slide."""

    name = "pptx"
    suffixes = (".pptx",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            from pptx import Presentation
            from pptx.exc import PythonPptxError

        check_archive(file, whole=True)
        with parsing("PPTX", PythonPptxError):
            deck = Presentation(io.BytesIO(file.data))
            Limit(_MOST_SLIDES, "slides").add(len(deck.slides))
            body = markdown.join(block for slide in deck.slides for block in _slide(slide))
            title = " ".join((deck.core_properties.title or "").split())
            titles = (shape.text_frame.text for slide in deck.slides if (shape := slide.shapes.title) is not None)
            first_title = next((" ".join(text.split()) for text in titles if text.strip()), "")
        # PowerPoint writes these titles by itself.
        is_default = title.casefold() in ("", "powerpoint presentation", "untitled")
        return FileContent(body, first_title if is_default else title)


def _slide(slide: Any) -> Iterator[str]:
    title = slide.shapes.title
    if title is not None:
        yield markdown.heading(2, title.text_frame.text)
    for shape in sorted(_without_groups(slide.shapes), key=lambda shape: (shape.top or 0, shape.left or 0)):
        if title is None or shape.shape_id != title.shape_id:
            yield from _shape(shape)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        for paragraph in slide.notes_slide.notes_text_frame.paragraphs:
            yield markdown.paragraph(paragraph.text)


def _without_groups(shapes: Any) -> Iterator[Any]:
    """The shapes, with those of a group in its place."""
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _without_groups(shape.shapes)
        else:
            yield shape


def _shape(shape: Any) -> Iterator[str]:
    if getattr(shape, "has_table", False):
        yield markdown.table([[cell.text for cell in row.cells] for row in shape.table.rows])
    elif shape.has_text_frame:
        kind = shape.placeholder_format.type.name if shape.is_placeholder and shape.placeholder_format.type else ""
        if kind in _DROPPED_PLACEHOLDERS:
            return
        paragraphs = [paragraph for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
        is_list = kind in ("BODY", "OBJECT") and len(paragraphs) > 1
        for paragraph in paragraphs:
            if is_list or paragraph.level:
                yield markdown.item(paragraph.text, paragraph.level)
            else:
                yield markdown.paragraph(paragraph.text)
