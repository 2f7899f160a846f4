"""Reading of foreign sets as records: JSONL, JSON, YAML, CSV, TSV, Excel, Parquet, and folders of them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from synth.core.errors import InputError, RecordError
from synth.core.extras import optional
from synth.core.fields import Fields
from synth.core.jsonl import Damaged, parsed_line
from synth.corpus.documents.decoding import decode
from synth.corpus.documents.reasons import Unloadable
from synth.testset.foreign.containers import records_in
from synth.testset.foreign.rows import Records
from synth.text.cells import unguarded

csv.field_size_limit(2**31 - 1)


def read_records(path: Path) -> Records:
    """The records of a file or a folder. Raises InputError when it cannot be read, or holds no record."""
    if path.is_dir():
        records = _folder(path)
    else:
        reader = _READERS.get(path.suffix.lower(), _json)
        records = reader(path)
    if not records.rows and not records.damaged:
        raise InputError(f"{path} holds no row; a set has a question, its answers and a passage in each record")
    return records


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes())[0]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except Unloadable as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _numbered(rows: Iterator[Mapping[str, Any]] | list[Mapping[str, Any]]) -> Records:
    return Records(rows=tuple(enumerate(rows, start=1)))


def _json(path: Path) -> Records:
    """One JSON value, else JSONL."""
    text = _text(path)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return _lines(text, path)
    return _numbered(records_in(value, path))


def _lines(text: str, path: Path) -> Records:
    rows, damaged = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        try:
            rows.append((number, Fields(parsed_line(line, place), place).values))
        except RecordError as error:
            damaged.append(Damaged(number, str(error)))
    if not rows:
        first = damaged[0].reason if damaged else "it is empty"
        raise InputError(
            f"{path} is neither JSON, JSONL, YAML, CSV, Excel nor Parquet by its name and content: {first}"
        )
    return Records(rows=tuple(rows), damaged=tuple(damaged))


def _yaml(path: Path) -> Records:
    with optional(f"reading {path.name}"):
        import yaml

    try:
        value = yaml.safe_load(_text(path))
    except yaml.YAMLError as error:
        raise InputError(f"{path} is not YAML: {' '.join(str(error).split())}") from error
    return _numbered(records_in(value, path))


def _csv(path: Path) -> Records:
    text = _text(path)
    first = text.partition("\n")[0]
    mark = max("\t,;", key=first.count)
    table = csv.DictReader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    rows: list[tuple[int, Mapping[str, Any]]] = []
    damaged = []
    try:
        rows.extend((table.line_num, _cells(cells)) for cells in table)
    except csv.Error as error:
        damaged.append(Damaged(table.line_num, f"{path.name}:{table.line_num}: not CSV from here on: {error}"))
    return Records(rows=tuple(rows), damaged=tuple(damaged))


def _cells(cells: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        str(name).strip(): unguarded(cell) for name, cell in cells.items() if name and isinstance(cell, str) and cell
    }


def _excel(path: Path) -> Records:
    with optional(f"reading {path.name}"):
        from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, data_only=True)
        lines = [[None if cell is None else str(cell) for cell in line] for line in book.worksheets[0].values]
    except Exception as error:
        raise InputError(f"cannot read {path} as Excel: {error}") from error
    head = [name or "" for name in lines[0]] if lines else []
    return Records(
        rows=tuple(
            (n, _cells(dict(zip(head, line, strict=False)))) for n, line in enumerate(lines[1:], start=2) if any(line)
        )
    )


def _parquet(path: Path) -> Records:
    with optional(f"reading {path.name}"):
        from pyarrow import ArrowException, parquet
    try:
        return _numbered(parquet.read_table(path).to_pylist())
    except (ArrowException, OSError) as error:
        raise InputError(f"cannot read {path} as Parquet: {error}") from error


def _folder(path: Path) -> Records:
    if (path / "queries.jsonl").is_file():
        return _beir(path)
    prompts = sorted(path.glob("retrieve*.jsonl"))
    if prompts:
        return _numbered(_bedrock(prompts))
    tables = sorted(path.glob("data/*.parquet")) or sorted(path.glob("*.parquet"))
    if tables:
        return _numbered([row for table in tables for _, row in _parquet(table).rows])
    raise InputError(
        f"the folder {path} is none that synth knows: BEIR has queries.jsonl, Hugging Face data/*.parquet, "
        "Bedrock retrieve*.jsonl; name a file in it"
    )


def _beir(path: Path) -> Records:
    """Queries of BEIR with the texts of their relevant passages."""
    corpus = {str(row.get("_id")): row for _, row in _lines(_text(path / "corpus.jsonl"), path).rows}
    queries = _lines(_text(path / "queries.jsonl"), path)
    judged: dict[str, list[str]] = {}
    for table in sorted(path.glob("qrels/*.tsv")):
        for line in _text(table).splitlines()[1:]:
            query, passage, score = [*line.split("\t"), "", ""][:3]
            if passage in corpus and score.strip() not in ("", "0"):
                judged.setdefault(query, []).append(passage)
    rows = []
    for number, row in queries.rows:
        name = str(row.get("_id"))
        evidence = [{"text": corpus[passage].get("text", "")} for passage in judged.get(name, ())]
        metadata = row.get("metadata") or {}
        rows.append(
            (
                number,
                {"beir": True, "id": name, "question": row.get("text"), "evidence": evidence, "metadata": metadata},
            )
        )
    return Records(rows=tuple(rows), damaged=queries.damaged)


def _bedrock(files: list[Path]) -> list[Mapping[str, Any]]:
    """Prompts of Bedrock with the answers and contexts of all files, merged by the text of the prompt."""
    merged: dict[str, dict[str, Any]] = {}
    for file in files:
        for _, row in _lines(_text(file), file).rows:
            for turn in row.get("conversationTurns", ()):
                merged.setdefault(json.dumps(turn.get("prompt"), sort_keys=True), {}).update(turn)
    return [{"conversationTurns": [turn]} for turn in merged.values()]


_READERS: Mapping[str, Callable[[Path], Records]] = {
    ".yaml": _yaml,
    ".yml": _yaml,
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": _excel,
    ".parquet": _parquet,
}
