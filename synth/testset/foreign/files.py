"""Reading of foreign sets as records: JSONL, JSON, YAML, CSV, TSV, Excel, Parquet, and folders of such files."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from synth.core.errors import InputError, RecordError
from synth.core.extras import optional
from synth.core.fields import Fields
from synth.core.input_files import bytes_of, enclosed, open_file
from synth.core.jsonl import Damaged, objects_of, parsed_line
from synth.core.restricted_process import Crashed, Limits, Overrun, RestrictedProcess
from synth.corpus.documents.decoding import decode
from synth.corpus.documents.reasons import Unloadable
from synth.corpus.documents.sheet_lines import sheet_lines
from synth.testset.foreign.containers import records_in
from synth.testset.foreign.rows import Records
from synth.text.cells import unguarded

_LIMITS = Limits(seconds=300, output=400_000_000)
_MOST_ROWS = 1_000_000
_SEPARATOR_LINE = re.compile(r'"?sep=(?P<mark>\\t|[^\r\n"])"?[;,\t]*\r?\n', re.IGNORECASE)
"""Line before the header of a CSV file. Excel writes it to name the separator."""
_DEEPEST = 100
"""Maximum depth of nested lists and objects in YAML."""
_BATCH = 1_000  # Parquet rows read at a time

_Item: TypeAlias = Mapping[str, Any] | Damaged
"""A record, or a damaged line."""
_Items: TypeAlias = Iterable[tuple[int, _Item]]


def read_records(path: Path) -> Records:
    """Return the records of a file or a folder, read in a restricted process.

    Raises InputError if the input cannot be read, contains no record, or exceeds a limit. The limits are 300 s of
    processor time, 1 GB of memory and 400 MB of records. Raises MissingExtra if a library for the format is not
    installed.
    """
    rows: list[tuple[int, Mapping[str, Any]]] = []
    damaged: list[Damaged] = []
    with RestrictedProcess(_LIMITS) as process:
        try:
            for number, record, reason in process.results(f"{__name__}:items", path=str(path)):
                if reason:
                    damaged.append(Damaged(number, reason))
                else:
                    rows.append((number, record))
                if len(rows) + len(damaged) > _MOST_ROWS:
                    raise Overrun(f"it contains more than {_MOST_ROWS:,} rows")
        except (Overrun, Crashed) as error:
            raise InputError(f"cannot read {path}: {error}; save it as JSONL, or a smaller part of it") from error
    if not rows and not damaged:
        raise InputError(f"{path} contains no row; each record needs a question, its answers and a passage")
    return Records(rows=tuple(rows), damaged=tuple(damaged))


def items(_: bytes, path: str) -> Iterator[tuple[int, Any, str]]:
    """Yield (number, record, fault) for each row of a file or folder. It runs in the restricted process.

    A valid row has a record of JSON values and the fault "". A damaged row has the record None.
    """
    file = Path(path)
    for number, item in _folder(file) if file.is_dir() else _file(file):
        if isinstance(item, Damaged):
            yield number, None, item.reason
            continue
        try:
            yield number, _as_json(item), ""
        except (ValueError, RecursionError) as error:
            yield number, None, f"{file.name}:{number}: the record contains itself or is nested too deeply: {error}"


def _as_json(value: Any) -> Any:
    """Return a record with dates and other values that JSON cannot represent converted to text."""
    return json.loads(json.dumps(value, default=_shown, ensure_ascii=False))


def _shown(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return list(value) if isinstance(value, set | frozenset | tuple) else str(value)


def _file(path: Path) -> _Items:
    read = _READERS.get(path.suffix.lower(), _json)
    corpora = _within(path.parent, "corpus.*") if path.stem == "qa" else ()
    return _autorag(read(path), corpora[0]) if corpora else read(path)


def _autorag(rows: _Items, corpus: Path) -> _Items:
    """Yield questions of AutoRAG with the texts of their passages. The file `corpus` contains the passages."""
    read = _READERS.get(corpus.suffix.lower(), _json)
    texts = {str(row.get("doc_id")): row.get("contents") for _, row in read(corpus) if not isinstance(row, Damaged)}
    for number, row in rows:
        if not isinstance(row, Damaged):
            groups = row.get("retrieval_gt") or ()
            ids = [id for group in groups for id in ([group] if isinstance(group, str) else group)]
            row = {**row, "retrieval_gt": [{"text": texts[id]} for id in ids if texts.get(id)]}
        yield number, row


def _text(path: Path) -> str:
    try:
        return decode(bytes_of(path))[0]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except Unloadable as error:
        raise InputError(f"cannot read {path}: {error}") from error


def _json(path: Path) -> _Items:
    """Read a file with one JSON value, or as JSONL if it is not one JSON value."""
    text = _text(path)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        in_lines = objects_of(text)
        return ((number, json.loads(line)) for number, line in in_lines) if in_lines else _lines(text, path)
    return enumerate(records_in(value, path), start=1)


def _lines(text: str, path: Path) -> _Items:
    """Yield the lines of JSONL. Raises InputError if no line is a valid record."""
    sound, first = False, ""
    for number, line in enumerate(io.StringIO(text, newline="\n"), start=1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        try:
            yield number, Fields(parsed_line(line, place), place).values
            sound = True
        except RecordError as error:
            first = first or str(error)
            yield number, Damaged(number, str(error))
    if not sound:
        raise InputError(
            f"the format of {path} is unknown; save it as JSON, JSONL, YAML, CSV, Excel or Parquet: "
            f"{first or 'the file is empty'}"
        )


def _yaml(path: Path) -> _Items:
    with optional(f"reading {path.name}"):
        import yaml

    class Loader(yaml.SafeLoader):  # type: ignore[misc]
        """Safe YAML loader with a limit on depth. It reads dates as text."""

        depth = 0
        yaml_implicit_resolvers: ClassVar = {
            first: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith(":timestamp")]
            for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

        def compose_node(self, parent: Any, index: Any) -> Any:
            self.depth += 1
            if self.depth > _DEEPEST:
                line = self.peek_event().start_mark.line + 1
                raise InputError(f"cannot read {path}: the nesting in line {line} is deeper than {_DEEPEST} levels")
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

    text = _text(path)
    try:
        value = yaml.load(text, Loader)
    except (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is not YAML: {' '.join(str(error).split())}") from error
    return enumerate(records_in(value, path), start=1)


def _csv(path: Path) -> _Items:
    text = _text(path)
    named = _SEPARATOR_LINE.match(text)
    body = text[named.end() :] if named else text
    first = body.partition("\n")[0]
    mark = named["mark"].replace("\\t", "\t") if named else max("\t,;|", key=first.count)
    csv.field_size_limit(2**31 - 1)
    table = csv.DictReader(io.StringIO(body, newline=""), delimiter=mark, strict=True)
    try:
        for cells in table:
            yield table.line_num + bool(named), _cells(cells)
    except csv.Error as error:
        reason = f"{path.name}:{table.line_num}: invalid CSV, the rest of the file is skipped: {error}"
        yield table.line_num, Damaged(table.line_num, reason)


def _cells(cells: Mapping[Any, Any]) -> dict[str, Any]:
    return {
        str(name).strip(): unguarded(cell) for name, cell in cells.items() if name and isinstance(cell, str) and cell
    }


def _excel(path: Path) -> _Items:
    head: list[str] | None = None
    for number, line in sheet_lines(path):
        cells = [None if cell is None else str(cell) for cell in line]
        if head is None:
            head = [name or "" for name in cells]
        elif any(cells):
            yield number, _cells(dict(zip(head, cells, strict=False)))


def _parquet(path: Path) -> _Items:
    with optional(f"reading {path.name}"):
        from pyarrow import ArrowException, parquet
    try:
        number = 0
        with open_file(path) as file, parquet.ParquetFile(file) as table:
            for batch in table.iter_batches(_BATCH):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (ArrowException, OSError) as error:
        raise InputError(f"cannot read {path} as Parquet: {error}") from error


def _folder(path: Path) -> _Items:
    if (path / "queries.jsonl").is_file():
        return _beir(path)
    if asked := _within(path, "qa.*"):
        return _file(asked[0])
    prompts = _within(path, "retrieve*.jsonl")
    if prompts:
        return enumerate(_bedrock(prompts), start=1)
    tables = _within(path, "data/*.parquet") or _within(path, "*.parquet")
    if tables:
        return enumerate((row for table in tables for _, row in _parquet(table)), start=1)
    raise InputError(
        f"the folder {path} has no known format: BEIR needs queries.jsonl, Hugging Face data/*.parquet, "
        "Bedrock retrieve*.jsonl; give the path of a single file in the folder"
    )


def _within(folder: Path, names: str) -> list[Path]:
    """Return the files of a folder that match a pattern. Raises InputError if a link leads out of the folder."""
    return [enclosed(path, folder) for path in sorted(folder.glob(names))]


def _sound(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Return the records of a JSONL file without its damaged lines."""
    return ((number, item) for number, item in _lines(_text(path), path) if not isinstance(item, Damaged))


def _beir(path: Path) -> _Items:
    """Yield queries of BEIR with the texts of their relevant passages."""
    corpus = {str(row.get("_id")): row for _, row in _sound(enclosed(path / "corpus.jsonl"))}
    judged: dict[str, list[str]] = {}
    for table in _within(path, "qrels/*.tsv"):
        for line in _text(table).splitlines()[1:]:
            query, passage, score = [*line.split("\t"), "", ""][:3]
            if passage in corpus and score.strip() not in ("", "0"):
                judged.setdefault(query, []).append(passage)
    queries = enclosed(path / "queries.jsonl")
    for number, row in _lines(_text(queries), path):
        if isinstance(row, Damaged):
            yield number, row
            continue
        name = str(row.get("_id"))
        evidence = [{"text": corpus[passage].get("text", "")} for passage in judged.get(name, ())]
        metadata = row.get("metadata") or {}
        yield (
            number,
            {"beir": True, "id": name, "question": row.get("text"), "evidence": evidence, "metadata": metadata},
        )


def _bedrock(files: list[Path]) -> list[Mapping[str, Any]]:
    """Return Bedrock prompts with the answers and contexts of all files, merged by prompt text."""
    merged: dict[str, dict[str, Any]] = {}
    for file in files:
        for _, row in _sound(file):
            for turn in row.get("conversationTurns", ()):
                merged.setdefault(json.dumps(turn.get("prompt"), sort_keys=True), {}).update(turn)
    return [{"conversationTurns": [turn]} for turn in merged.values()]


_READERS: Mapping[str, Callable[[Path], _Items]] = {
    ".yaml": _yaml,
    ".yml": _yaml,
    ".csv": _csv,
    ".tsv": _csv,
    ".xlsx": _excel,
    ".parquet": _parquet,
}
