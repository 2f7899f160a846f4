"""Picture of a PDF page with the boxes of texts on it, for people who look at evidence in its place."""

from __future__ import annotations

import base64
import ctypes
import io
from collections.abc import Iterator, Sequence
from typing import Any

from rapidfuzz import fuzz

_WIDTH = 1_100
"""Pixels across a picture, for a screen with two of them in a point."""
_LEAST = 85.0
"""Least similarity of a text and the place of the page that it is found at, of 100 (Levenshtein's, by rapidfuzz).

The loaded text has marks of tables and joined hyphens that the page has not.
"""
_TALLEST = 4.0  # times as high as wide, so that no page needs more memory than a screen


def picture(data: bytes, page: int, texts: list[str]) -> Iterator[dict[str, Any]]:
    """The page of a PDF file, counted from 1, as PNG in base64, and the boxes of each of `texts` that it has.

    A box is left, top, right and bottom as shares of the picture. Yields one value, or none if there is no such page.
    Called in a restricted process.
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
    """The text of a page, to find the boxes of other texts in it."""

    def __init__(self, page: Any) -> None:
        import pypdfium2.raw as raw

        self._raw, self._page, self._text_page = raw, page, page.get_textpage()
        count = max(raw.FPDFText_CountChars(self._text_page), 0)
        characters = [chr(raw.FPDFText_GetUnicode(self._text_page, place) or 32) for place in range(count)]
        self._places = [place for place, character in enumerate(characters) if character.isalnum()]
        self._compact = "".join(characters[place] for place in self._places)

    def boxes(self, texts: Sequence[str]) -> list[list[float]]:
        """The boxes of the lines of `texts`, each where the page is most like it; none for a text that it has not."""
        found: list[list[float]] = []
        for text in texts:
            wanted = "".join(filter(str.isalnum, text))
            # A text that goes on to the next page is sought by what it has in common with this one.
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
        """A point of the page as shares of its picture, which has the turn of the page."""
        side, across, down = 10_000, ctypes.c_int(), ctypes.c_int()
        self._raw.FPDF_PageToDevice(self._page, 0, 0, side, side, 0, x, y, across, down)
        return across.value / side, down.value / side
