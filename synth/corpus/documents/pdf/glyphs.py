"""Words of a PDF page with their boxes, as pdfium draws them. Invisible text is left out."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from synth.corpus.documents.reasons import Limit

_SPACES = frozenset("\u00a0\u2002\u2003\u2009\u200a\u202f\u3000\u200b\ufeff")
_HYPHENS = frozenset("\ufffe\x02\u2010")
"""Hyphens, and the characters that pdfium returns for a hyphen at the end of a line."""
_PLAIN = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", **dict.fromkeys(_HYPHENS, "-")}
_INVISIBLE = 3
"""Render mode of text that is neither filled nor stroked, such as the text layer of a scanned page."""
_NEAR_WHITE = 240
_MOST_SHAPES = 20_000
"""Maximum shapes of a page that are searched for lines. A drawing may have millions."""
_SCAN_COVERS = 0.5
"""Minimum share of a scanned page that images cover."""
_LEAST_SPACE = 0.1
"""Minimum width of a space, as a share of the font size."""
_SAME = 0.02
"""Maximum difference of two distances that count as equal, as a share of the font size.

The widths of an f and a space in Times differ by 0.028.
"""
_OTHER = -1
"""Reading direction of text whose rotation is not a multiple of a quarter turn."""


_Rule: TypeAlias = tuple[float, float, float]
"""A horizontal line: y, left x and right x."""


@dataclass(slots=True)
class Word:
    """A run of characters without space. Coordinates are in points: x to the right, y downwards.

    `baseline` is the y of its baseline, and `size` its font size. `spaced` is whether white space precedes it.
    """

    text: str
    x0: float
    x1: float
    baseline: float
    size: float
    bold: bool
    spaced: bool
    italic: bool = False


@dataclass(frozen=True, slots=True)
class PageContent:
    """Content of a page.

    `frames` are the words by reading direction, starting with the direction of most text. `scanned` is whether the page
    is an image of text that was not recognised.
    """

    frames: tuple[list[Word], ...]
    scanned: bool = False


@dataclass(frozen=True, slots=True)
class _Font:
    """Properties of a font. `scale` is the font size divided by the height of a character's box."""

    bold: bool
    italic: bool
    scale: float


class PageReader:
    """Reader of the words on the pages of an open pdfium document.

    `characters` limits the number of characters over all pages. `recognised` is an optional function that returns the
    words of a page that is an image.
    """

    def __init__(self, document: Any, characters: Limit, recognised: Callable[[Any], list[Word]] | None = None) -> None:
        import pypdfium2.raw as raw

        self._raw, self._document, self._characters, self._recognised = raw, document, characters, recognised
        if document.get_formtype() != raw.FORMTYPE_NONE:
            document.init_forms()

    def read(self, number: int) -> PageContent:
        """Return the content of the page at index `number`, including the values of its form fields."""
        raw = self._raw
        page = self._document[number]
        try:
            struck = _struck_out(raw, page)
            # Turn displayed fields and annotations into content. Then pdfium requires opening the page again.
            if raw.FPDFPage_GetAnnotCount(page) and raw.FPDFPage_Flatten(page, raw.FLAT_NORMALDISPLAY) == 1:
                page.close()
                page = self._document[number]
            shapes = _Shapes(raw, page)
            shapes.rules += struck
            text_page = page.get_textpage()
            try:
                count = max(raw.FPDFText_CountChars(text_page), 0)
                self._characters.add(count)
                frames = _Characters(raw, page, text_page.raw, shapes).frames(count)
            finally:
                text_page.close()
            is_scanned = shapes.is_scan and not frames
            if is_scanned and self._recognised:
                words = self._recognised(page)
                self._characters.add(sum(len(word.text) for word in words))
                return PageContent((words,) if words else ())
        finally:
            page.close()
        if shapes.rules:
            frames = {quarter: shapes.unstruck(words) if quarter == 0 else words for quarter, words in frames.items()}
        ordered = sorted(filter(None, frames.values()), key=lambda words: -sum(len(word.text) for word in words))
        return PageContent(tuple(ordered), scanned=is_scanned)


class _Characters:
    """Characters of a page, combined into words."""

    def __init__(self, raw: Any, page: Any, text_page: Any, shapes: _Shapes) -> None:
        self._raw, self._page, self._text_page, self._shapes = raw, page, text_page, shapes
        self._fonts: dict[int, _Font] = {}
        self._colour = [ctypes.c_uint() for _ in range(4)]

    def frames(self, count: int) -> Mapping[int, list[Word]]:
        """Return the words by reading direction. Words end at a space, a gap, or a change of size or line."""
        raw, text_page = self._raw, self._text_page
        box, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        unicode_of, object_of, angle_of = raw.FPDFText_GetUnicode, raw.FPDFText_GetTextObject, raw.FPDFText_GetCharAngle
        generated = raw.FPDFText_IsGenerated
        box_of, origin_of, address = raw.FPDFText_GetLooseCharBox, raw.FPDFText_GetCharOrigin, ctypes.addressof
        left, bottom, right, top = self._page.get_bbox()
        picture: _Picture | None = None
        frames: dict[int, list[Word]] = {}
        word: Word | None = None
        spaced, guessed, before, direction, quarter = True, False, 0, 0, 0
        last, last_pen, width = 0, 0.0, 0.0
        bold, italic, scale, hidden, white = False, False, 1.0, False, False
        for index in range(count):
            code = unicode_of(text_page, index)
            if code <= 0x20 and code != 2:
                # Between objects pdfium also inserts spaces without a gap.
                is_guess = bool(generated(text_page, index)) and not object_of(text_page, index)
                spaced, guessed = True, (guessed or not spaced) and is_guess
                continue
            character = chr(code) if code < 0x110000 else "\ufffd"
            if character in _SPACES:
                spaced, guessed = True, False
                continue
            box_of(text_page, index, box)
            origin_of(text_page, index, x, y)
            drawn = object_of(text_page, index)
            here = address(drawn.contents) if drawn else 0
            if here != before or not here:
                before = here
                quarter = _quarter(angle_of(text_page, index))
                font = self._font(index, drawn, box, quarter)
                bold, italic, scale = font.bold, font.italic, font.scale
                hidden, white = self._visibility(index, drawn)
            if hidden or not (left - 1 <= box.right and box.left <= right + 1 and bottom - 1 <= y.value <= top + 1):
                continue
            if white:
                picture = picture or _Picture(self._page)
                if not picture.has_ink(box.left, box.bottom, box.right, box.top):
                    continue
            if quarter == 0 or quarter == _OTHER:
                start, end, foot, height, pen = box.left, box.right, -y.value, box.top - box.bottom, x.value
            elif quarter == 3:
                start, end, foot, height, pen = box.bottom, box.top, x.value, box.right - box.left, y.value
            elif quarter == 1:
                start, end, foot, height, pen = -box.top, -box.bottom, -x.value, box.right - box.left, -y.value
            else:
                start, end, foot, height, pen = -box.right, -box.left, y.value, box.top - box.bottom, -x.value
            size = height * scale or 1.0
            character = _PLAIN.get(character, character)
            if guessed and word and quarter == direction:
                advance = self._advance(last)
                gap = pen - last_pen - advance
                # pdfium takes a second f for fake bold if it overlaps the first f by half.
                if word.text[-1] == "f" and width > 2 * advance and abs(gap - advance) < _SAME * size:
                    word.text += "f"
                    spaced = False
                elif abs(gap) < _LEAST_SPACE * size:
                    spaced = False
            last, last_pen, width = index, pen, end - start
            if (
                word
                and not spaced
                and quarter == direction
                and (
                    quarter == _OTHER
                    or (abs(foot - word.baseline) < 0.05 * size and -0.5 * size < start - word.x1 < 0.3 * size)
                )
                and abs(size - word.size) < 0.05 * size
            ):
                word.text += character
                word.x1 = max(word.x1, end)
                word.bold, word.italic = word.bold and bold, word.italic and italic
            else:
                word = Word(character, start, end, foot, size, bold, spaced, italic)
                frames.setdefault(quarter, []).append(word)
            direction, spaced, guessed = quarter, False, False
        return frames

    def _advance(self, index: int) -> float:
        """Return the advance width of the character at `index`, measured to the space that pdfium inserted after it.

        Boxes are less precise: the box of a slanted letter extends over the space and the next letter.
        """
        raw, matrix = self._raw, self._raw.FS_MATRIX()
        (start, end), y = (ctypes.c_double(), ctypes.c_double()), ctypes.c_double()
        raw.FPDFText_GetCharOrigin(self._text_page, index, start, y)
        raw.FPDFText_GetCharOrigin(self._text_page, index + 1, end, y)
        raw.FPDFText_GetMatrix(self._text_page, index, matrix)
        return (end.value - start.value) * math.hypot(matrix.a, matrix.b)

    def _font(self, index: int, drawn: Any, box: Any, quarter: int) -> _Font:
        raw = self._raw
        pointer = raw.FPDFTextObj_GetFont(drawn) if drawn else None
        key = ctypes.addressof(pointer.contents) if pointer else 0
        font = self._fonts.get(key)
        if font is None:
            matrix, name = raw.FS_MATRIX(), ctypes.create_string_buffer(256)
            raw.FPDFText_GetMatrix(self._text_page, index, matrix)
            raw.FPDFText_GetFontInfo(self._text_page, index, name, 256, None)
            size = raw.FPDFText_GetFontSize(self._text_page, index) * math.hypot(matrix.c, matrix.d)
            height = box.right - box.left if quarter in (1, 3) else box.top - box.bottom
            heavy = any(part in name.value.lower() for part in (b"bold", b"black", b"heavy"))
            heavy = heavy or raw.FPDFText_GetFontWeight(self._text_page, index) >= 600
            slanted = any(part in name.value.lower() for part in (b"italic", b"oblique"))
            font = _Font(heavy, slanted, size / height if height > 0 and size > 0 and quarter != _OTHER else 0.8)
            if quarter != _OTHER:
                self._fonts[key] = font
        return font

    def _visibility(self, index: int, drawn: Any) -> tuple[bool, bool]:
        """Return whether the characters of an object are not drawn, and whether they have the colour of the paper."""
        raw = self._raw
        mode = raw.FPDFTextObj_GetTextRenderMode(drawn) if drawn else 0
        if mode == _INVISIBLE:
            return not self._shapes.is_scan, False
        red, green, blue, alpha = self._colour
        if mode or not raw.FPDFText_GetFillColor(self._text_page, index, red, green, blue, alpha):
            return False, False
        return False, min(red.value, green.value, blue.value) >= _NEAR_WHITE or alpha.value < 16


def _quarter(angle: float) -> int:
    """Return an angle as a number of quarter turns, or _OTHER."""
    quarters = angle / (math.pi / 2)
    return round(quarters) % 4 if abs(quarters - round(quarters)) < 0.05 else _OTHER


def _struck_out(raw: Any, page: Any) -> list[_Rule]:
    """Return the lines of strikethrough annotations."""
    rules = []
    points, edges = raw.FS_QUADPOINTSF(), [f"{axis}{corner}" for corner in range(1, 5) for axis in "xy"]
    for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_SHAPES)):
        note = raw.FPDFPage_GetAnnot(page, index)
        hidden = raw.FPDFAnnot_GetFlags(note) & raw.FPDF_ANNOT_FLAG_HIDDEN
        if raw.FPDFAnnot_GetSubtype(note) == raw.FPDF_ANNOT_STRIKEOUT and not hidden:
            for quad in range(raw.FPDFAnnot_CountAttachmentPoints(note)):
                raw.FPDFAnnot_GetAttachmentPoints(note, quad, points)
                x, y = ([getattr(points, edge) for edge in edges if edge[0] == axis] for axis in "xy")
                rules.append(((min(y) + max(y)) / 2, min(x), max(x)))
        raw.FPDFPage_CloseAnnot(note)
    return rules


class _Shapes:
    """Horizontal lines of a page that may be strikethrough, and whether images cover the page."""

    def __init__(self, raw: Any, page: Any) -> None:
        self.rules: list[_Rule] = []
        edges = [ctypes.c_float() for _ in range(4)]
        area = 0.0
        for index in range(min(raw.FPDFPage_CountObjects(page), _MOST_SHAPES)):
            shape = raw.FPDFPage_GetObject(page, index)
            kind = raw.FPDFPageObj_GetType(shape)
            if kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE):
                raw.FPDFPageObj_GetBounds(shape, *edges)
                left, bottom, right, top = (edge.value for edge in edges)
                if kind == raw.FPDF_PAGEOBJ_IMAGE:
                    area += (right - left) * (top - bottom)
                elif top - bottom < 2.5 and right - left > 3:
                    self.rules.append(((top + bottom) / 2, left, right))
        left, bottom, right, top = page.get_bbox()
        self.is_scan = area > _SCAN_COVERS * abs((right - left) * (top - bottom))

    def unstruck(self, words: list[Word]) -> list[Word]:
        """Return the words without strikethrough, for text read from left to right."""
        by_height: dict[int, list[_Rule]] = {}
        for rule in self.rules:
            for near in (-1, 0, 1):
                by_height.setdefault(round(rule[0]) + near, []).append(rule)
        return [
            word for word in words if not _is_struck(word, by_height.get(round(0.3 * word.size - word.baseline), ()))
        ]


def _is_struck(word: Word, rules: Any) -> bool:
    """Whether a line covers most of a word at the height of its small letters."""
    for y, start, end in rules:
        rise = (y + word.baseline) / word.size
        covered = min(end, word.x1) - max(start, word.x0)
        if 0.15 < rise < 0.45 and covered > 0.6 * (word.x1 - word.x0):
            return True
    return False


class _Picture:
    """Rendered page, used to check whether text in the colour of paper has a darker background."""

    _SCALE = 2.0

    def __init__(self, page: Any) -> None:
        bitmap = page.render(scale=self._SCALE, grayscale=True, may_draw_forms=False)
        self._pixels = bitmap.to_numpy().reshape(bitmap.height, -1)
        self._left, _, _, self._top = page.get_bbox()
        self._is_turned = page.get_rotation() != 0

    def has_ink(self, left: float, bottom: float, right: float, top: float) -> bool:
        """Whether the box, in points of the page, contains more than one shade."""
        if self._is_turned:
            return True
        rows = slice(self._pixel(self._top - top), self._pixel(self._top - bottom) + 1)
        columns = slice(self._pixel(left - self._left), self._pixel(right - self._left) + 1)
        part = self._pixels[rows, columns]
        return part.size > 0 and int(part.max()) - int(part.min()) > 24

    def _pixel(self, points: float) -> int:
        return max(0, int(points * self._SCALE))
