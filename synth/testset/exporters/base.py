"""Base class of exporters: the rows of a set, and the passages of its corpus, as files of another tool."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from synth.core.errors import ConfigError
from synth.core.jsonl import dumps
from synth.core.records import Chunk, Sample

NO_CORPUS, MAY_HAVE_CORPUS, NEEDS_CORPUS = "none", "optional", "needed"
ONE_FILE = ""
"""Path of the content of a format with one file, which is written to the output path itself."""

_PLACE = ("doc_id", "start", "end", "text")
_KEPT_METADATA = ("difficulty", "category", "source")


@dataclass(frozen=True)
class ExportInput:
    """The rows to export; with a corpus, its passages and the titles of its documents by `doc_id`.

    `name` is the name of the set in the other tool.
    """

    name: str
    samples: Sequence[Sample]
    passages: Sequence[Chunk] = ()
    titles: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def _by_document(self) -> Mapping[str, list[Chunk]]:
        passages: dict[str, list[Chunk]] = {}
        for passage in self.passages:
            passages.setdefault(passage.doc_id, []).append(passage)
        return passages

    def relevant(self, sample: Sample) -> list[str]:
        """Ids of the passages with evidence of a sample or further evidence (`alternatives`), each once, in order."""
        places = [(piece.doc_id, piece.start, piece.end) for piece in sample.evidence]
        places += [(piece["doc_id"], piece["start"], piece["end"]) for piece in sample.metadata.get("alternatives", ())]
        return list(dict.fromkeys(passage_id for place in places for passage_id in self._overlapping(*place)))

    def _overlapping(self, doc_id: str, start: int, end: int) -> Iterator[str]:
        for passage in self._by_document.get(doc_id, ()):
            if passage.start < end and start < passage.end:
                yield passage.chunk_id

    def passage_rows(self) -> Iterator[dict[str, Any]]:
        """The passages in the form of a BEIR corpus, with their offsets."""
        for passage in self.passages:
            yield {
                "_id": passage.chunk_id,
                "title": " / ".join(filter(None, [self.titles.get(passage.doc_id, ""), *passage.headings])),
                "text": passage.text,
                "metadata": {"doc_id": passage.doc_id, "start": passage.start, "end": passage.end},
            }


class Exporter(ABC):
    """A format of another tool; `synth export --to NAME` finds a subclass by its `name`.

    `tool` is the tool that reads the format, `read_by` the call or command that loads a file, and `checked_by` the
    version or the schema that the files were checked with. A `folder` format writes several files, every other format
    one. `corpus` tells whether the format takes the passages of a corpus: NO_CORPUS, MAY_HAVE_CORPUS or NEEDS_CORPUS.
    `suffix` is the ending of a file of the format, such as ".jsonl"; "" for any.
    `push_to` is what --push names, such as DATASET; "" for a format that is sent nowhere.
    """

    name: ClassVar[str]
    tool: ClassVar[str]
    read_by: ClassVar[str]
    checked_by: ClassVar[str] = ""
    folder: ClassVar[bool] = False
    suffix: ClassVar[str] = ""
    corpus: ClassVar[str] = NO_CORPUS
    push_to: ClassVar[str] = ""

    def check_push(self, place: str) -> None:
        """Raise ConfigError when the format is not sent to a service, or not to a `place` of that name."""
        if not self.push_to:
            raise ConfigError(f"--to {self.name} is a file and is sent nowhere; leave --push out")

    def push(self, export: ExportInput, place: str, *, public: bool = False) -> str:
        """Send the set to `place` at the service, by its own client, and return its address.

        What is there is brought up to the set. Raises ConfigError where the service has no keys, MissingExtra without
        its client, InputError when the service refuses.
        """
        raise NotImplementedError

    @abstractmethod
    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        """Path and content of each file; the path is inside the folder, or ONE_FILE when the format has one file."""


class RowExporter(Exporter):
    """A format with one JSON object per line for each row; `row` gives it, or None for a row that is left out."""

    suffix: ClassVar[str] = ".jsonl"

    @abstractmethod
    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any] | None:
        """The object of a row."""

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        """One file of JSON Lines."""
        rows = (self.row(sample, export) for sample in export.samples)
        yield ONE_FILE, json_lines(row for row in rows if row is not None)


def row_metadata(sample: Sample) -> dict[str, Any]:
    """Fields that a tool keeps beside question and answer: with them rows can be found, grouped and adopted again."""
    return {
        "id": sample.id,
        "question_type": sample.question_type,
        "language": sample.language,
        **{name: sample.metadata[name] for name in _KEPT_METADATA if name in sample.metadata},
        "golden_answers": list(sample.golden_answers),
        "evidence": [{name: getattr(piece, name) for name in _PLACE} for piece in sample.evidence],
    }


def answer(sample: Sample) -> str | None:
    """The first golden answer; None for a question without one."""
    return sample.golden_answers[0] if sample.golden_answers else None


def evidence_texts(sample: Sample) -> list[str]:
    """The texts of the evidence, in order."""
    return [piece.text for piece in sample.evidence]


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as JSONL; a lone surrogate, which UTF-8 cannot hold, becomes a question mark."""
    return utf8("".join(dumps(row) + "\n" for row in rows))


def json_text(value: Any) -> bytes:
    """A value as indented JSON."""
    return utf8(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def utf8(text: str) -> bytes:
    """Text as UTF-8; a lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace")
