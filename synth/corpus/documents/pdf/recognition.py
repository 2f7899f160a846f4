"""Words of scanned pages, recognised by rapidocr with the models in its package."""

from __future__ import annotations

from typing import Any

from synth.core.extras import optional
from synth.corpus.documents.pdf.glyphs import Word

_DOTS_PER_INCH = 150
_SIZE, _FOOT = 0.75, 0.2
"""Font size and depth below the baseline, as shares of the height of a recognised line."""


class Recogniser:
    """Recogniser of English and Chinese text. Raise MissingExtra if the extra [ocr] is not installed."""

    def __init__(self, name: str) -> None:
        with optional(f"reading the scanned pages of {name}"):
            from rapidocr import RapidOCR
        self._engine: Any = RapidOCR(params={"Global.log_level": "critical"})

    def words(self, page: Any) -> list[Word]:
        """Return the words of a pdfium page. Coordinates are in points on the rotated page."""
        scale = _DOTS_PER_INCH / 72
        image = page.render(scale=scale, rev_byteorder=False).to_numpy()
        result = self._engine(image[:, :, :3])
        words: list[Word] = []
        for corners, text in zip(result.boxes if result.boxes is not None else (), result.txts or (), strict=True):
            left, right = (choose(x for x, _ in corners) / scale for choose in (min, max))
            top, bottom = (choose(y for _, y in corners) / scale for choose in (min, max))
            height = bottom - top
            step = (right - left) / max(len(text), 1)
            at = 0
            for part in text.split():
                at = text.index(part, at)
                start, end = left + at * step, left + (at + len(part)) * step
                words.append(Word(part, start, end, bottom - _FOOT * height, _SIZE * height, False, True))
                at += len(part)
        return words
