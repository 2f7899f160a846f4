"""Subtitles (SRT and WebVTT): the spoken text in paragraphs, without cue numbers and times."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.readers.base import Reader, text_of

_TIME = re.compile(r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})")
_SPEAKER = re.compile(r"<v(?:\.[^\s<>]*)?\s([^<>]*)>")
_TAG = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"'”’」』)]*$")
_PAUSE = 3.0
"""Seconds of silence after a sentence that end a paragraph."""


class SubtitleReader(Reader):
    """Consecutive cues as running text. A new speaker begins a paragraph."""

    name = "subtitles"
    suffixes = (".srt", ".vtt")

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        paragraphs: list[list[str]] = [[]]
        last, reached = "", 0.0
        for start, end, said in _cues(text):
            speaker = _SPEAKER.search(said)
            words = " ".join(_TAG.sub("", said).split())
            if speaker or (start - reached > _PAUSE and _SENTENCE_END.search(last)):
                paragraphs.append([f"{speaker.group(1).strip()}:"] if speaker else [])
            if words and words != last:  # a cue with the same words only stays longer
                paragraphs[-1].append(words)
                last = words
            reached = end
        body = markdown.join(markdown.paragraph(" ".join(paragraph)) for paragraph in paragraphs)
        return FileContent(body, metadata=metadata)


def _cues(text: str) -> Iterator[tuple[float, float, str]]:
    """Yield start and end in seconds, and the text of each cue. Notes and styles are skipped."""
    for block in re.split(r"\n[ \t]*\n", text):
        lines = block.strip().split("\n")
        place = next((number for number, line in enumerate(lines[:2]) if "-->" in line), None)
        times = _TIME.findall(lines[place]) if place is not None else []
        if place is not None and len(times) >= 2:
            start, end = (
                3600 * int(hours or 0) + 60 * int(minutes) + int(seconds) + int(rest.ljust(3, "0")) / 1000
                for hours, minutes, seconds, rest in times[:2]
            )
            yield start, end, " ".join(lines[place + 1 :])
