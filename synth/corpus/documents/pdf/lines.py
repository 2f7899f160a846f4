"""Lines of a page, built from its words, and the text of a line with its superscripts and subscripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from synth.corpus.documents.pdf.glyphs import Word
from synth.text.raised import subscript, superscript

_HAN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")
_LEADERS = re.compile(r"\s*(?:(?:\.\s?){5,}|…{2,}|(?:·\s?){5,}|_{6,})\s*")
_SMALL = 0.84
"""Maximum size of a superscript or subscript, as a share of the size of its line."""


@dataclass(slots=True)
class Line:
    """Words on one baseline, from left to right. Coordinates are in points; y grows downwards."""

    words: list[Word]
    baseline: float
    size: float

    @property
    def x0(self) -> float:
        """Left edge."""
        return self.words[0].x0

    @property
    def x1(self) -> float:
        """Right edge."""
        return max(word.x1 for word in self.words)

    @property
    def top(self) -> float:
        """Estimated top edge."""
        return self.baseline - 0.8 * self.size

    @property
    def bottom(self) -> float:
        """Estimated bottom edge."""
        return self.baseline + 0.2 * self.size

    @property
    def bold(self) -> bool:
        """Whether all words with letters or digits are bold."""
        return all(word.bold for word in self.words if any(map(str.isalnum, word.text)))

    @property
    def italic(self) -> bool:
        """Whether all words with letters are italic."""
        return all(word.italic for word in self.words if any(map(str.isalpha, word.text)))

    @property
    def text(self) -> str:
        """Text of the line; runs of dots or underscores become " … "."""
        return _LEADERS.sub(" … ", text_of(self.words)).strip(" …")


def text_of(words: Sequence[Word]) -> str:
    """Return the text of words on one line. Narrow gaps do not become spaces.

    Between Chinese characters, wider gaps do not become spaces either.
    """
    text = ""
    before: Word | None = None
    for word in words:
        if before:
            gap = word.x0 - before.x1
            size = max(word.size, before.size)
            han = _HAN.match(text[-1:]) and _HAN.match(word.text[:1])
            near = gap < (0.4 if han else 0.12) * size
            text += "" if near and (han or not word.spaced) else " "
        text += word.text
        before = word
    return text


def lines_of(words: Iterable[Word]) -> list[Line]:
    """Return lines from top to bottom. Small words beside a larger word become superscripts or subscripts."""
    lines: list[Line] = []
    for word in sorted(words, key=lambda word: (word.baseline, word.x0)):
        near = [line for line in lines[-3:] if abs(line.baseline - word.baseline) < 0.25 * min(line.size, word.size)]
        if near:
            near[-1].words.append(word)
            near[-1].size = max(near[-1].size, word.size)
        else:
            lines.append(Line([word], word.baseline, word.size))
    lines = _with_scripts(lines)
    for line in lines:
        line.words = _joined_letters(_once(sorted(line.words, key=lambda word: word.x0)))
        line.size = _size(line.words)
    return lines


def _size(words: Sequence[Word]) -> float:
    """Return the size that most characters have."""
    sizes: dict[float, int] = {}
    for word in words:
        size = round(word.size, 1)
        sizes[size] = sizes.get(size, 0) + len(word.text)
    return max(sizes, key=lambda size: (sizes[size], size))


def _with_scripts(lines: list[Line]) -> list[Line]:
    """Return the lines, with small words moved into the line that they belong to, as superscripts or subscripts."""
    kept = list(lines)
    for line in lines:
        moved = []
        for word in line.words:
            host = next((other for other in _around(kept, line) if _hangs_on(word, other)), None)
            if host:
                raised = word.baseline < host.baseline - 0.1 * word.size
                word.text = (superscript if raised else subscript)(word.text)
                word.size, word.baseline = host.size, host.baseline
                host.words.append(word)
                moved.append(id(word))
        if moved:
            line.words = [word for word in line.words if id(word) not in moved]
            if not line.words:
                kept.remove(line)
    for line in kept:
        _same_line_scripts(line)
    return kept


def _around(lines: list[Line], line: Line) -> list[Line]:
    at = lines.index(line)
    return [other for other in lines[max(0, at - 2) : at + 3] if other is not line]


def _hangs_on(word: Word, line: Line) -> bool:
    """Whether a word is a superscript or subscript of a line: small, next to a larger word, and near its baseline."""
    rise = line.baseline - word.baseline
    if not (word.size <= _SMALL * line.size and len(word.text) <= 8 and -0.4 * line.size < rise < 0.65 * line.size):
        return False
    return any(
        other.size >= word.size / _SMALL
        and (abs(word.x0 - other.x1) < 0.32 * other.size or abs(other.x0 - word.x1) < 0.15 * other.size)
        for other in line.words
    )


def _same_line_scripts(line: Line) -> None:
    """Write small words that are shifted up or down within their line as superscripts or subscripts."""
    for word in line.words:
        rise = line.baseline - word.baseline
        if word.size <= _SMALL * line.size and abs(rise) > 0.1 * word.size and _hangs_on(word, line):
            word.text = (superscript if rise > 0 else subscript)(word.text)


def _once(words: list[Word]) -> list[Word]:
    """Return the words without duplicates on top of each other, which programs draw for bold text or shadows."""
    kept: list[Word] = []
    for word in words:
        if not any(other.text == word.text and abs(other.x0 - word.x0) < 0.15 * word.size + 0.3 for other in kept[-3:]):
            kept.append(word)
    return kept


def _joined_letters(words: list[Word]) -> list[Word]:
    """Join spaced letters, four or more with even gaps, into the words that they spell."""
    out: list[Word] = []
    at = 0
    while at < len(words):
        end = at
        while (
            end < len(words)
            and len(words[end].text) == 1
            and words[end].text.isalpha()
            and not _HAN.match(words[end].text)
        ):
            end += 1
        run = words[at:end]
        if len(run) < 4:
            out.append(words[at])
            at += 1
            continue
        gaps = [after.x0 - before.x1 for before, after in pairwise(run)]
        wide = 1.6 * median(gaps)
        for index, word in enumerate(run):
            if index and gaps[index - 1] <= wide:
                out[-1].text += word.text
                out[-1].x1 = word.x1
            else:
                out.append(word)
        at = end
    return out
