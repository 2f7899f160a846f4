"""Picture of a PDF page with the boxes of texts on it, for people who check evidence on the page."""

from __future__ import annotations

import base64
import ctypes
import io
from collections.abc import Iterator, Sequence
from typing import Any

from rapidfuzz import fuzz

_WIDTH = 1_100
"""Width of a picture in pixels, for a screen with two pixels per point."""
_LEAST = 85.0
"""Minimum Levenshtein similarity, from 0 to 100, of a text and its match on the page (by rapidfuzz).

The loaded text has table marks and joined hyphens that the page does not have.
"""
_TALLEST = 4.0  # maximum ratio of height to width; it limits the memory for a picture


def picture(data: bytes, page: int, texts: list[str]) -> Iterator[dict[str, Any]]:
    """Yield page number `page` (from 1) of a PDF file as a PNG in base64, and the boxes of `texts` on it.

    The value is {"png", "boxes"}. A box is left, top, right and bottom as shares of the picture. Texts that are not on
    the page have no boxes. Nothing is yielded if the page does not exist. Called in a restricted process.
    """
    import pypdfium2 as pdfium

    document = pdfium.PdfDocument(data)
    try:
        if not 1 <= page <= len(document):
            return
        drawn = document[page - 1]
        width, height = drawn.get_size()
        if width <= 0 or not 0 < height <= _TALLEST * width:
            return
        encoded = io.BytesIO()
        drawn.render(scale=_WIDTH / width).to_pil().save(encoded, "PNG")
        boxes = _Place(drawn).boxes(texts)
        yield {"png": base64.b64encode(encoded.getvalue()).decode(), "boxes": boxes}
    finally:
        document.close()


class _Place:
    """Characters of a page with their boxes, in which texts are searched."""

    def __init__(self, page: Any) -> None:
        import pypdfium2.raw as raw

        self._raw, self._page, self._text_page = raw, page, page.get_textpage()
        count = max(raw.FPDFText_CountChars(self._text_page), 0)
        characters = [chr(raw.FPDFText_GetUnicode(self._text_page, place) or 32) for place in range(count)]
        self._places = [place for place, character in enumerate(characters) if character.isalnum()]
        self._compact = "".join(characters[place] for place in self._places)

    def boxes(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a box for each line of the page that shows one of `texts`; none for a text that is not on the page."""
        found: list[list[float]] = []
        for text in texts:
            wanted = "".join(filter(str.isalnum, text))
            # A text that continues on the next page is found by the part on this page.
            match = fuzz.partial_ratio_alignment(wanted, self._compact, score_cutoff=_LEAST) if wanted else None
            if match and match.dest_end > match.dest_start:
                first, last = self._places[match.dest_start], self._places[match.dest_end - 1]
                found += self._lines(first, last - first + 1)
        return found

    def _lines(self, first: int, count: int) -> Iterator[list[float]]:
        edges = [ctypes.c_double() for _ in range(4)]
        for number in range(self._raw.FPDFText_CountRects(self._text_page, first, count)):
            if self._raw.FPDFText_GetRect(self._text_page, number, *edges):
                left, top, right, bottom = (edge.value for edge in edges)
                xs, ys = zip(*(self._share(x, y) for x, y in ((left, top), (right, bottom))), strict=True)
                yield [min(xs), min(ys), max(xs), max(ys)]

    def _share(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the page into shares of its picture, which is rotated like the page."""
        side, across, down = 10_000, ctypes.c_int(), ctypes.c_int()
        self._raw.FPDF_PageToDevice(self._page, 0, 0, side, side, 0, x, y, across, down)
        return across.value / side, down.value / side
