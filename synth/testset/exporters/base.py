"""What an export is: the rows of a set, and the passages of its corpus, as the files of another tool."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from synth.core.jsonl import dumps
from synth.core.records import Chunk, Sample

NO_CORPUS, MAY_HAVE_CORPUS, NEEDS_CORPUS = "none", "optional", "needed"
_PLACE = ("doc_id", "start", "end", "text")
_TOLD = ("difficulty", "category", "source")


@dataclass(frozen=True)
class ExportInput:
    """What is exported: the rows; where a corpus is named, its passages and the titles of its documents by `doc_id`.

    `name` is what the set is called in the tool.
    """

    name: str
    samples: Sequence[Sample]
    passages: Sequence[Chunk] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _by_document(self) -> Mapping[str, list[Chunk]]:
        found: dict[str, list[Chunk]] = {}
        for passage in self.passages:
            found.setdefault(passage.doc_id, []).append(passage)
        return found

    def relevant(self, sample: Sample) -> list[str]:
        """The ids of the passages that hold evidence of a sample, or further evidence (`also`), each once, in order."""
        also = sample.metadata.get("also", ())
        places = [(e.doc_id, e.start, e.end) for e in sample.evidence]
        places += [(one["doc_id"], one["start"], one["end"]) for one in also]
        return list(dict.fromkeys(name for place in places for name in self._holding(*place)))

    def _holding(self, doc_id: str, start: int, end: int) -> Iterator[str]:
        for passage in self._by_document.get(doc_id, ()):
            if passage.start < end and start < passage.end:
                yield passage.chunk_id

    def passage_rows(self) -> Iterator[dict[str, Any]]:
        """The passages as a corpus of BEIR has them, with their places."""
        for passage in self.passages:
            yield {
                "_id": passage.chunk_id,
                "title": " / ".join(filter(None, [self.titles.get(passage.doc_id, ""), *passage.headings])),
                "text": passage.text,
                "metadata": {"doc_id": passage.doc_id, "start": passage.start, "end": passage.end},
            }


class Exporter(ABC):
    """A format of another tool; a subclass is found by its `name`.

    `tool` is who reads it, `read_by` the call or the command that does. A `folder` format writes several
    files; every other writes one. `corpus` says whether it takes the passages of a corpus.
    """

    name: ClassVar[str]
    tool: ClassVar[str]
    read_by: ClassVar[str]
    folder: ClassVar[bool] = False
    corpus: ClassVar[str] = NO_CORPUS

    @abstractmethod
    def files(self, material: ExportInput) -> Iterator[tuple[str, bytes]]:
        """The files: path inside the folder, "" for the one file of a format that has one, and content."""


def told(sample: Sample) -> dict[str, Any]:
    """What a tool keeps beside question and answer, so that the row can be found, sliced, and adopted again."""
    return {
        "id": sample.id,
        "question_type": sample.question_type,
        "language": sample.language,
        **{name: sample.metadata[name] for name in _TOLD if name in sample.metadata},
        "golden_answers": list(sample.golden_answers),
        "evidence": [{name: getattr(piece, name) for name in _PLACE} for piece in sample.evidence],
    }


def answer(sample: Sample) -> str | None:
    """The golden answer, the first where there are several; None for a question without one."""
    return sample.golden_answers[0] if sample.golden_answers else None


def quotes(sample: Sample) -> list[str]:
    """The texts of the evidence, in order."""
    return [piece.text for piece in sample.evidence]


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as JSONL; a surrogate that stands alone, which UTF-8 has no bytes for, becomes a question mark."""
    return utf8("".join(dumps(row) + "\n" for row in rows))


def json_text(value: Any) -> bytes:
    """A value as indented JSON."""
    return utf8(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def utf8(text: str) -> bytes:
    """Text as UTF-8, lone surrogates replaced."""
    return text.encode("utf-8", "replace")
