"""JSONL files, with one JSON object per line. Reading is strict. A file is written completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from synth.core.declared_parts import warn_of
from synth.core.errors import InputError, RecordError
from synth.core.fields import Fields
from synth.core.input_files import open_input
from synth.core.records import UNANSWERABLE, Evidence, Sample, Verdict
from synth.core.row_metadata import of_row
from synth.core.swapping import settle, swap

_DERIVED = ("question_type", "language", "hops", "evolutions", "lineage", "verdicts", "provenance")


@dataclass(frozen=True, slots=True)
class Damaged:
    """A line that is not a valid row: the line number, counted from 1, and the reason."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class SampleFile:
    """Content of a testset file: the valid rows with their line numbers, and the damaged lines."""

    samples: tuple[Sample, ...]
    lines: tuple[int, ...]
    damaged: tuple[Damaged, ...]


def dumps(value: Any) -> str:
    """Return `value` as JSON on one line, with keys in the given order and non-ASCII characters unescaped.

    Raises ValueError for NaN and infinity.
    """
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), allow_nan=False)


def write_atomic(path: Path, text: str) -> None:
    """Write `text` (UTF-8) to `path` so that readers see either the old file or the new file.

    A symbolic link is followed. A device or a pipe is written to directly. "-" is standard output. Raises InputError
    when `path` cannot be written.
    """
    with swap() as files:
        files.write(path, text)


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to `path` as `write_atomic` does."""
    with swap() as files:
        files.write(path, content)


@contextmanager
def atomic_file(path: Path) -> Iterator[TextIO]:
    """Open a text file (UTF-8) that replaces `path` when the block ends without an exception.

    Raises InputError when `path` cannot be written.
    """
    with swap() as files, files.open(path) as raw:
        target = TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", newline="\n")
        yield target
        target.detach()


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as JSONL. Readers see either the old file or the new file."""
    write_atomic(path, "".join(dumps(row) + "\n" for row in rows))


def sample_to_row(sample: Sample) -> dict[str, Any]:
    """Convert a sample to a row of a testset file."""
    return {
        "id": sample.id,
        "question": sample.question,
        "golden_answers": list(sample.golden_answers),
        "evidence": [
            {
                "doc_id": e.doc_id,
                "doc_hash": e.doc_hash,
                "chunk_id": e.chunk_id,
                "start": e.start,
                "end": e.end,
                "text": e.text,
            }
            for e in sample.evidence
        ],
        "metadata": {
            "question_type": sample.question_type,
            "language": sample.language,
            "hops": len({e.chunk_id for e in sample.evidence}),
            **sample.metadata,
            "evolutions": list(sample.evolutions),
            **({"lineage": [dict(evolution) for evolution in sample.lineage]} if sample.lineage else {}),
            "verdicts": {v.filter: v.score for v in sample.verdicts if v.kept},
            "provenance": dict(sample.provenance),
        },
    }


def row_to_sample(row: Any, place: str, faults: list[str] | None = None) -> Sample:
    """Convert a row that was read from `place`, such as "set.jsonl:12", to a sample.

    Metadata parts of a wrong type are treated as missing, and their paths are added to `faults`. Raises RecordError
    that names place and field when the row is not valid.
    """
    fields, faults = Fields(row, place), [] if faults is None else faults
    table = of_row(fields.inner("metadata").values, faults)
    metadata = Fields(table, place, "metadata")
    answers = fields.texts("golden_answers")
    answerable = table.get("question_type") != UNANSWERABLE
    if not answers and answerable:
        raise RecordError(f"{place}: field 'golden_answers' is empty; a row needs at least one answer")
    evidence = tuple(map(evidence_of, fields.inners("evidence")))
    if not evidence and answerable:
        raise RecordError(f"{place}: field 'evidence' is empty; a row needs at least one piece of evidence")
    scores = table.get("verdicts", {})
    if "alternatives" in table:
        replaceable = [item for item in table["alternatives"] if item["replaces"] < len(evidence)]
        faults += ["metadata.alternatives"] * (len(table["alternatives"]) - len(replaceable))
        table["alternatives"] = replaceable
    return Sample(
        question=fields.text("question"),
        golden_answers=answers,
        evidence=evidence,
        question_type=metadata.text("question_type"),
        language=metadata.text("language"),
        verdicts=tuple(Verdict(filter=name, kept=True, reason="", score=score) for name, score in scores.items()),
        evolutions=tuple(table.get("evolutions", ())),
        lineage=tuple(table.get("lineage", ())),
        metadata={name: value for name, value in table.items() if name not in _DERIVED},
        provenance=table.get("provenance", {}),
    )


def read_samples(path: Path) -> SampleFile:
    """Read a testset. Lines that are not valid rows are listed in `damaged`.

    A row that was edited by hand is damaged too: its `id` is no longer the hash of its question and evidence texts.
    Raises InputError when the file cannot be read at all.
    """
    samples, lines, damaged, faults = [], [], [], list[str]()
    for number, line in numbered_lines(path):
        place = f"{path.name}:{number}"
        try:
            row = parsed_line(line, place)
            found: list[str] = []
            sample = row_to_sample(row, place, found)
            if row.get("id") != sample.id:
                raise RecordError(
                    f"{place}: id {row.get('id')!r} does not belong to this question and evidence "
                    f"(expected '{sample.id}'); restore the line if it was changed by hand"
                )
        except RecordError as error:
            damaged.append(Damaged(number, str(error)))
        else:
            samples.append(sample)
            lines.append(number)
            faults += [f"{fault} in line {number}" for fault in found]
    warn_of(path.name, faults)
    return SampleFile(tuple(samples), tuple(lines), tuple(damaged))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a text file (UTF-8). Raises InputError when it cannot be read."""
    settle(path)
    try:
        with open_input(path) as file:
            return file.read().decode("utf-8-sig", "replace").split("\n")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (number, line) for each non-blank line of a text file (UTF-8). Numbers start at 1.

    Only one line is in memory at a time. The file may also be a JSON list, or objects that span several lines; it is
    then read as a whole. Each object is yielded as one line, with the number of the line where the object begins.
    Raises InputError when the file cannot be read.
    """
    settle(path)
    try:
        with TextIOWrapper(open_input(path), encoding="utf-8-sig", errors="replace", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                if number == 1 and _spans_lines(line):
                    text = line + file.read()
                    yield from objects_of(text) or (
                        (n, rest) for n, rest in enumerate(text.split("\n"), 1) if rest.strip()
                    )
                    return
                yield number, line
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def _spans_lines(line: str) -> bool:
    """Whether a first line is a JSON list, or begins a value that continues on the lines below."""
    text = line.strip()
    if not text.startswith(("[", "{")):
        return False
    try:
        return isinstance(json.loads(text), list)
    except (ValueError, RecursionError):
        return True


def objects_of(text: str) -> list[tuple[int, str]]:
    """Return (first line number, object on one line) for each object of a JSON list or of JSON objects in sequence.

    The result is empty for any other text.
    """
    decoder, at, found, number, counted = json.JSONDecoder(), 0, [], 1, 0
    inside = text.lstrip().startswith("[")
    try:
        while (start := _next_value(text, at, inside=inside)) < len(text):
            value, at = decoder.raw_decode(text, start)
            if not isinstance(value, dict):
                return []
            number, counted = number + text.count("\n", counted, start), start
            found.append((number, dumps(value)))
    except (ValueError, RecursionError):
        return []
    return found


def _next_value(text: str, at: int, *, inside: bool) -> int:
    """Return the offset of the first JSON value at or after `at`, or the length of `text` if there is none.

    White space is skipped and, inside a list, also commas and brackets.
    """
    marks = " \t\r\n,[]" if inside else " \t\r\n"
    while at < len(text) and text[at] in marks:
        at += 1
    return at


def parsed_line(line: str, place: str) -> Any:
    """Return the JSON value of a line.

    Raises RecordError that names `place` when the line is not JSON or is nested too deeply.
    """
    try:
        return json.loads(line, parse_constant=_not_json)
    except json.JSONDecodeError as error:
        raise RecordError(f"{place}: not JSON: {error.msg} at column {error.colno}") from error
    except ValueError as error:
        raise RecordError(f"{place}: not JSON: {error}") from error
    except RecursionError as error:
        raise RecordError(f"{place}: not JSON: nested too deeply to be read") from error


def _not_json(constant: str) -> Any:
    raise ValueError(f"{constant} is not a JSON number")


def evidence_of(piece: Fields) -> Evidence:
    """Return the evidence in one item of a row's `evidence`. Raises the error of `piece` when a field is not valid."""
    return Evidence(
        doc_id=piece.text("doc_id"),
        doc_hash=piece.text("doc_hash"),
        chunk_id=piece.text("chunk_id"),
        start=piece.whole("start"),
        end=piece.whole("end"),
        text=piece.text("text"),
    )
