"""Base classes of exporters, which write a set and the passages of its corpus as files of another tool."""

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
"""Values of `Exporter.corpus`: the format never contains passages, may contain them, or needs them."""
ONE_FILE = ""
"""Path of the only file of a single-file format. Its content goes to the output path itself."""

_PLACE = ("doc_id", "start", "end", "text")
_KEPT_METADATA = ("difficulty", "category", "source")


@dataclass(frozen=True)
class ExportInput:
    """The rows to export, the passages of the corpus, and the titles of its documents by `doc_id`.

    `name` is the name of the set in the other tool. Without a corpus, `passages` and `titles` are empty.
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
        """Return the ids of the passages with evidence or alternative evidence of a sample, each id once."""
        places = [(piece.doc_id, piece.start, piece.end) for piece in sample.evidence]
        places += [(piece["doc_id"], piece["start"], piece["end"]) for piece in sample.metadata.get("alternatives", ())]
        return list(dict.fromkeys(passage_id for place in places for passage_id in self._overlapping(*place)))

    def _overlapping(self, doc_id: str, start: int, end: int) -> Iterator[str]:
        for passage in self._by_document.get(doc_id, ()):
            if passage.start < end and start < passage.end:
                yield passage.chunk_id

    def passage_rows(self) -> Iterator[dict[str, Any]]:
        """Yield the passages as rows of a BEIR corpus, with their offsets in `metadata`."""
        for passage in self.passages:
            yield {
                "_id": passage.chunk_id,
                "title": " / ".join(filter(None, [self.titles.get(passage.doc_id, ""), *passage.headings])),
                "text": passage.text,
                "metadata": {"doc_id": passage.doc_id, "start": passage.start, "end": passage.end},
            }


class Exporter(ABC):
    """A format of another tool. `synth export --to NAME` selects the subclass by its `name`.

    `tool` is the tool that reads the format, and `read_by` is the call or command that loads a file into it.
    `checked_by` is the version or schema that the files were checked with. If `folder` is true, the format consists of
    several files, otherwise of one. `corpus` is NO_CORPUS, MAY_HAVE_CORPUS or NEEDS_CORPUS. `suffix` is the required
    file ending, such as ".jsonl", or "" for any ending. `push_to` is the placeholder for the value of --push, such as
    DATASET, or "" if the format cannot be uploaded.
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
        """Raise ConfigError if the format cannot be uploaded to a service, or if `place` is not a valid name there."""
        if not self.push_to:
            raise self._no_service(place)

    def push(self, export: ExportInput, place: str, *, public: bool = False) -> str:
        """Upload the set to `place` with the client of the service, and return its address.

        An existing set is updated. Raises ConfigError if the format cannot be uploaded or keys of the service are not
        set, MissingExtra if its client is not installed, and InputError if the service refuses the upload.
        """
        raise self._no_service(place)

    def _no_service(self, place: str) -> ConfigError:
        return ConfigError(
            f"the format {self.name} cannot be uploaded to a service, so nothing was sent to '{place}'; "
            "omit --push, and name a file or folder with -o"
        )

    @abstractmethod
    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        """Yield the path and content of each file. Paths are relative to the folder, or ONE_FILE for a single file."""


class RowExporter(Exporter):
    """A format with one JSON object per line. `row` returns the object of a row, or None to leave the row out."""

    suffix: ClassVar[str] = ".jsonl"

    @abstractmethod
    def row(self, sample: Sample, export: ExportInput) -> Mapping[str, Any] | None:
        """Return the object of a row, or None to leave the row out."""

    def files(self, export: ExportInput) -> Iterator[tuple[str, bytes]]:
        """Yield one JSONL file."""
        rows = (self.row(sample, export) for sample in export.samples)
        yield ONE_FILE, json_lines(row for row in rows if row is not None)


def row_metadata(sample: Sample) -> dict[str, Any]:
    """Return the fields that identify and group a row in another tool, and that `synth adopt` reads back."""
    return {
        "id": sample.id,
        "question_type": sample.question_type,
        "language": sample.language,
        **{name: sample.metadata[name] for name in _KEPT_METADATA if name in sample.metadata},
        "golden_answers": list(sample.golden_answers),
        "evidence": [{name: getattr(piece, name) for name in _PLACE} for piece in sample.evidence],
    }


def answer(sample: Sample) -> str | None:
    """Return the first golden answer, or None if the question has no answer."""
    return sample.golden_answers[0] if sample.golden_answers else None


def evidence_texts(sample: Sample) -> list[str]:
    """Return the texts of the evidence, in order."""
    return [piece.text for piece in sample.evidence]


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return rows as JSONL. A lone surrogate, which UTF-8 cannot encode, becomes a question mark."""
    return utf8("".join(dumps(row) + "\n" for row in rows))


def json_text(value: Any) -> bytes:
    """Return a value as indented JSON."""
    return utf8(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False) + "\n")


def utf8(text: str) -> bytes:
    """Encode text as UTF-8. A lone surrogate becomes a question mark."""
    return text.encode("utf-8", "replace")
