"""Passages to show with a row: its evidence with the surrounding text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synth.core.records import Document, Evidence, Sample

ROOM = 600
"""Characters shown before and after the evidence; half as many if there are several pieces."""

NO_CORPUS, CHANGED, MISSING = "no_corpus", "changed", "missing"
_SNAP = 80
_LONGEST = 500
"""Maximum distance in characters from a window edge at which a link, code, tag or word is searched for."""
_CUT = re.compile(r"!?\[[^\[\]\n]*\]\([^()\s]*\)|`[^`\n]+`|<[^<>\n]+>|[\w.,:/@#%+-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a passage that is entirely evidence or entirely other text."""

    text: str
    evidence: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPassage:
    """The characters from `start` to `end` of a document of `length` characters, in segments.

    `fault` says why only the evidence is shown: NO_CORPUS, CHANGED or MISSING; "" if the surrounding text is shown too.
    """

    doc_id: str
    title: str
    segments: tuple[Segment, ...]
    start: int
    end: int
    length: int
    fault: str = ""


def passages(sample: Sample, documents: Mapping[str, Document] | None, room: int | None = None) -> list[ShownPassage]:
    """Return the passages to show with a row.

    `documents` is the corpus by document id, or None. `room` is the number of characters before and after the evidence,
    None for the default. Pieces of evidence with overlapping surroundings share a passage. For a row without evidence,
    the passages are the hard negatives in its metadata.
    """
    room = (ROOM if len(sample.evidence) < 2 else ROOM // 2) if room is None else room
    shown: list[ShownPassage] = []
    for doc_id in dict.fromkeys(piece.doc_id for piece in sample.evidence):
        pieces = [piece for piece in sample.evidence if piece.doc_id == doc_id]
        document = documents.get(doc_id) if documents is not None else None
        if document is None or any(document.text[p.start : p.end] != p.text for p in pieces):
            fault = NO_CORPUS if documents is None else CHANGED if document else MISSING
            shown += [_alone(piece, fault) for piece in pieces]
        else:
            shown += _windows(document, [(piece.start, piece.end) for piece in pieces], room)
    return shown if sample.evidence else list(_nearest(sample, documents or {}, room))


def as_text(shown: Sequence[ShownPassage], before: str = "【", after: str = "】") -> tuple[str, list[tuple[int, int]]]:
    """Return passages as plain text, with evidence between `before` and `after`.

    The second value lists the start and end of each piece of evidence in that text.
    """
    text, spans = "", []
    for passage in shown:
        text += ("\n\n" if text else "") + f"[{passage.doc_id}]\n" + "… " * (passage.start > 0)
        for segment in passage.segments:
            if segment.evidence:
                spans.append((len(text) + len(before), len(text) + len(before) + len(segment.text)))
            text += f"{before}{segment.text}{after}" if segment.evidence else segment.text
        text += " …" * (passage.end < passage.length)
    return text, spans


def _alone(piece: Evidence, fault: str) -> ShownPassage:
    return ShownPassage(
        doc_id=piece.doc_id,
        title="",
        segments=(Segment(piece.text, True),),
        start=piece.start,
        end=piece.end,
        length=piece.end,
        fault=fault,
    )


def _nearest(sample: Sample, documents: Mapping[str, Document], room: int) -> Iterator[ShownPassage]:
    for near in sample.metadata.get("hard_negatives", ()):
        document = documents.get(near.get("doc_id", "")) if isinstance(near, Mapping) else None
        if document:
            more = max(0, room - ROOM)
            start, end = (min(int(near.get(name, 0)), len(document.text)) for name in ("start", "end"))
            yield _passage(document, max(0, start - more), min(len(document.text), end + more), [])


def _windows(document: Document, spans: Sequence[tuple[int, int]], room: int) -> Iterator[ShownPassage]:
    windows: list[tuple[int, int, list[tuple[int, int]]]] = []
    for start, end in sorted(set(spans)):
        low, high = _snapped(document.text, max(0, start - room), min(len(document.text), end + room))
        if windows and low <= windows[-1][1]:
            first, last, pieces = windows[-1]
            windows[-1] = (first, max(last, high), [*pieces, (start, end)])
        else:
            windows.append((low, high, [(start, end)]))
    for low, high, pieces in windows:
        yield _passage(document, low, high, pieces)


def _passage(document: Document, low: int, high: int, spans: Sequence[tuple[int, int]]) -> ShownPassage:
    segments, place = [], low
    for start, end in spans:
        start = max(start, place)
        if start > place:
            segments.append(Segment(document.text[place:start], False))
        if end > start:
            segments.append(Segment(document.text[start:end], True))
        place = max(place, end)
    if high > place:
        segments.append(Segment(document.text[place:high], False))
    return ShownPassage(
        doc_id=document.doc_id,
        title=document.title,
        segments=tuple(segments),
        start=low,
        end=high,
        length=len(document.text),
    )


def _snapped(text: str, low: int, high: int) -> tuple[int, int]:
    """Move the edges of a window outwards, so that they cut no link, code, tag or word.

    An edge moves to a line break if one is within 80 characters, otherwise to the end of what the edge cuts.
    """
    if low:
        line = text.rfind("\n", max(0, low - _SNAP), low)
        low = line + 1 if line >= 0 else _whole(text, low)[0]
    if high < len(text):
        line = text.find("\n", high, high + _SNAP)
        high = line if line >= 0 else _whole(text, high)[1]
    return low, high


def _whole(text: str, edge: int) -> tuple[int, int]:
    """Return the start and end of the link, code, tag or word around `edge`; both are `edge` if there is none."""
    begin = max(text.rfind("\n", 0, edge) + 1, edge - _LONGEST)
    for match in _CUT.finditer(text, begin, min(len(text), edge + _LONGEST)):
        if match.start() < edge < match.end():
            return match.span()
        if match.start() >= edge:
            break
    return edge, edge
