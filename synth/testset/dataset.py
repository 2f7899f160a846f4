"""Testsets in Python. Items are read-only, but the stages of a system can add their outputs to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields as fields_of
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, overload

from synth.core.addresses import RemotePath, is_address
from synth.core.checks import is_number
from synth.core.declared_parts import read_as, warn_of
from synth.core.errors import ConfigError, InputError, RecordError
from synth.core.extras import optional
from synth.core.fields import Fields
from synth.core.frames import records
from synth.core.input_files import bytes_of
from synth.core.jsonl import Damaged, dumps, evidence_of, numbered_lines, parsed_line
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.records import Evidence, digest
from synth.core.row_metadata import of_item
from synth.core.swapping import swap
from synth.core.written_json import indented
from synth.testset.hub import is_at_hub, located
from synth.testset.manifest import beside
from synth.testset.merged_manifest import MergedSet, merged_manifest
from synth.testset.stored_manifest import check_format

if TYPE_CHECKING:
    from pandas import DataFrame

PROTECTED = ("id", "question", "golden_answers", "evidence", "relevance", "metadata", "outputs")
"""Fields of an item that outputs must not overwrite."""

_ROW_FIELDS = (*PROTECTED, "doc_id", "doc_ids")

_BESIDE = ("manifest.json", "rejected.jsonl", "retired.jsonl")
"""Files beside a set that `Dataset.save` copies."""

_EVIDENCE = tuple(field.name for field in fields_of(Evidence))


class Item:
    """One row of a testset. The fields are read-only, but stages of a system can add outputs.

    `relevance` maps ids of passages or documents to grades. A grade above 0 means relevant. If it is empty, the
    passages with evidence count as relevant. `outputs` maps each stage to the values that the stage added.
    """

    __slots__ = ("_core", "_outputs")

    def __init__(
        self,
        *,
        id: str,
        question: str,
        golden_answers: Sequence[str] = (),
        evidence: Sequence[Evidence] = (),
        relevance: Mapping[str, float] | None = None,
        metadata: Mapping[str, Any] | None = None,
        outputs: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._core: tuple[Any, ...] = (
            id,
            question,
            tuple(golden_answers),
            tuple(evidence),
            MappingProxyType(dict(relevance or {})),
            MappingProxyType(dict(metadata or {})),
        )
        self._outputs = {stage: dict(values) for stage, values in (outputs or {}).items()}

    def __repr__(self) -> str:
        places = [f"{piece.doc_id} {piece.start}-{piece.end}: {piece.text}" for piece in self.evidence]
        return (
            f"Item(id={self.id!r}, question={self.question!r}, golden_answers={list(self.golden_answers)!r}, "
            f"evidence={places!r})"
        )

    @property
    def id(self) -> str:
        return str(self._core[0])

    @property
    def question(self) -> str:
        return str(self._core[1])

    @property
    def golden_answers(self) -> tuple[str, ...]:
        answers: tuple[str, ...] = self._core[2]
        return answers

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        evidence: tuple[Evidence, ...] = self._core[3]
        return evidence

    @property
    def relevance(self) -> Mapping[str, float]:
        grades: Mapping[str, float] = self._core[4]
        return grades

    @property
    def metadata(self) -> Mapping[str, Any]:
        metadata: Mapping[str, Any] = self._core[5]
        return metadata

    @property
    def outputs(self) -> Mapping[str, Mapping[str, Any]]:
        return MappingProxyType({stage: MappingProxyType(values) for stage, values in self._outputs.items()})

    @property
    def alternatives(self) -> tuple[tuple[int, Evidence], ...]:
        """Pairs (index, evidence). Each evidence can replace the piece of evidence at that index, counted from 0."""
        return tuple(
            (place["replaces"], Evidence(**{name: place[name] for name in _EVIDENCE}))
            for place in self.metadata.get("alternatives", ())
            if place["replaces"] < len(self.evidence)
        )

    @property
    def documents(self) -> tuple[str, ...]:
        """Ids of the documents that contain the evidence, in order and without repetition."""
        return tuple(dict.fromkeys(piece.doc_id for piece in self.evidence))

    def add(self, stage: str, **values: Any) -> None:
        """Add outputs of a stage.

        Raises ConfigError if a name is a protected field, or if the stage has already added an output of that name.
        """
        for name in values:
            if name in PROTECTED:
                raise ConfigError(
                    f"'{name}' of item {self.id} is a field of the row and cannot be replaced; "
                    f"rename the output of {stage}"
                )
            if name in self._outputs.get(stage, {}):
                raise ConfigError(
                    f"stage '{stage}' has already added '{name}' to item {self.id}; use another stage name"
                )
        self._outputs.setdefault(stage, {}).update(values)

    def output(self, name: str, default: Any = None) -> Any:
        """Return the output `name` of the last stage that added it, or `default` if no stage did."""
        for values in reversed(self._outputs.values()):
            if name in values:
                return values[name]
        return default

    def response_row(self) -> dict[str, Any]:
        """Return the id and all outputs as one row of responses. If several stages added a field, the last one wins."""
        row: dict[str, Any] = {"id": self.id}
        for values in self._outputs.values():
            row.update(values)
        return row

    @classmethod
    def from_row(cls, row: Any, place: str, faults: list[str] | None = None) -> Item:
        """Return the item of a row. The row needs `id`, `question` and `golden_answers`; other fields are optional.

        A row may name relevant passages or documents in `relevance` ({id: grade}) or in `doc_id`. Metadata of a wrong
        type is treated as missing, and its path is added to `faults`. Raises RecordError with the place and the field.
        """
        fields = Fields(row, place)
        faults = [] if faults is None else faults
        metadata = of_item(fields.values.get("metadata") or {}, faults)
        return cls(
            id=fields.text("id"),
            question=fields.text("question"),
            golden_answers=fields.texts("golden_answers"),
            evidence=[evidence_of(piece) for piece in fields.inners("evidence")] if "evidence" in row else (),
            relevance=_relevance(fields, metadata),
            metadata=metadata,
            outputs=read_as(dict[str, dict[str, Any]], row.get("outputs", {}), "outputs", faults),
        )

    def row(self) -> dict[str, Any]:
        """Return the item as a JSON row, outputs included."""
        names = ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")
        return {
            "id": self.id,
            "question": self.question,
            "golden_answers": list(self.golden_answers),
            "evidence": [{name: getattr(piece, name) for name in names} for piece in self.evidence],
            **({"relevance": dict(self.relevance)} if self.relevance else {}),
            "metadata": dict(self.metadata),
            **({"outputs": {stage: dict(values) for stage, values in self._outputs.items()}} if self._outputs else {}),
        }

    @property
    def core(self) -> tuple[Any, ...]:
        """The protected fields, without the outputs, as values that can be compared."""
        return (*self._core[:4], dict(self._core[4]), dict(self._core[5]))


def _relevance(fields: Fields, metadata: Mapping[str, Any]) -> dict[str, float]:
    row = fields.values
    grades = row.get("relevance", metadata.get("relevance"))
    if grades is None:
        named = row.get("doc_id", row.get("doc_ids")) or []
        named = [named] if isinstance(named, str) else named
        if not isinstance(named, list) or not all(isinstance(name, str) for name in named):
            raise fields.wrong("doc_id", "a document id or a list of document ids", named)
        grades = dict.fromkeys(named, 1)
    if not isinstance(grades, dict) or not all(map(is_number, grades.values())):
        raise fields.wrong("relevance", "an object that maps ids to grades", grades)
    return dict(grades)


class Dataset(Tabular):
    """A sequence of items, accessible by position or by id. A notebook shows a dataset as a table."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._items = tuple(items)
        self._file: Path | None = None
        self._stamp: tuple[int, int] | None = None
        self._origin: Dataset | None = None
        self._merged: tuple[Dataset, ...] = ()
        self.is_temporary = False  # true if the file is removed together with the dataset
        self._by_id = {item.id: item for item in self._items}
        if len(self._by_id) < len(self._items):
            seen: set[str] = set()
            twice = next(item.id for item in self._items if item.id in seen or seen.add(item.id))  # type: ignore[func-returns-value]
            raise InputError(f"two items of the dataset have the id '{twice}'; use merge to combine sets")

    def __repr__(self) -> str:
        return f"Dataset({len(self):,} items)"

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    @overload
    def __getitem__(self, key: int | str) -> Item: ...

    @overload
    def __getitem__(self, key: slice) -> Dataset: ...

    def __getitem__(self, key: int | str | slice) -> Item | Dataset:
        if isinstance(key, slice):
            return self._part(self._items[key])
        return self._by_id[key] if isinstance(key, str) else self._items[key]

    @classmethod
    def load(cls, path: Path | str) -> Dataset:
        """Load a set from a JSONL file, an address (s3://…) or the Hugging Face hub (hf://datasets/OWNER/NAME/FILE).

        Raises RecordError for the first line that is not a valid row, and InputError if the file cannot be read.
        """
        with local_file(path) as file:
            check_format(file)
            dataset = cls(stream(file))
            if not is_address(path):
                dataset._file, dataset._stamp = file, _stamp(file)
            return dataset

    @classmethod
    def of(cls, rows: Iterable[Mapping[str, Any]]) -> Dataset:
        """Return a dataset of rows given as dicts, in the format of a JSONL file.

        Raises RecordError for a row that is not valid or contains an unknown field.
        """
        return cls(_strict(row, f"row {number}") for number, row in enumerate(rows, start=1))

    @classmethod
    def from_pandas(cls, frame: DataFrame) -> Dataset:
        """Return a dataset from a DataFrame with the columns of `to_pandas`. Unknown columns become metadata.

        A column "STAGE.FIELD" contains outputs of a stage. Missing values (None, NaN) are left out. Raises RecordError
        for a line that is not a valid row.
        """
        return cls.of(_unflat(row) for row in records(frame))

    @property
    def file(self) -> Path | None:
        """The file that the dataset was loaded from. None if the file has changed since or a stage has added an output.

        The manifest, refused candidates and decisions beside that file belong to the dataset.
        """
        if self._file is None or _stamp(self._file) != self._stamp or any(item.outputs for item in self):
            return None
        return self._file

    def save(self, path: Path | str) -> None:
        """Write the items and their outputs as JSONL. All files are replaced in one atomic step.

        A loaded or generated set, or a part of it, also gets its manifest, refused candidates and retired rows.
        `update` reads these files. Review decisions are not copied: they stay beside the file that was loaded, and
        `accept` writes them into the rows. A merged set gets a manifest that names the merged sets. It contains
        all their documents, and the settings that they share. Refused and retired rows of all merged sets are kept. A
        set made from dicts or a DataFrame has no manifest. For such a set, `update` uses its default settings.
        """
        target = Path(path)
        lines = [dumps(item.row()) for item in self]
        with swap() as files:
            for name, content in self._files_beside(target, lines).items():
                files.write(beside(target, name), content)
            files.write(target, "".join(line + "\n" for line in lines))

    def _files_beside(self, target: Path, lines: Sequence[str]) -> dict[str, bytes | str]:
        """Return the files to write beside `target`, by name. `lines` are the lines of the set."""
        if self._is_merged:
            return self._files_of_merged(lines)
        source = self.source
        if source is None or source.resolve() == target.resolve():
            return {}
        return {name: bytes_of(file) for name in _BESIDE if (file := beside(source, name)).is_file()}

    def _files_of_merged(self, lines: Sequence[str]) -> dict[str, bytes | str]:
        """Return the files beside a merged set: its manifest, and the refused and retired rows of the merged sets."""
        origins: dict[Path | None, set[str]] = {}
        for origin, ids in self._origins():
            origins.setdefault(origin, set()).update(ids)
        files: dict[str, bytes | str] = {}
        for name in _BESIDE[1:]:
            texts = [bytes_of(file) for one in origins if one and (file := beside(one, name)).is_file()]
            if texts:
                files[name] = b"".join(text if text.endswith(b"\n") else text + b"\n" for text in texts if text)
        merged = [MergedSet.of(origin, len(ids)) for origin, ids in origins.items()]
        if manifest := merged_manifest(merged, [item.id for item in self], lines):
            files[_BESIDE[0]] = indented(manifest) + "\n"
        return files

    @property
    def _is_merged(self) -> bool:
        """Whether this dataset was merged from others, or selected from such a dataset."""
        return bool(self._merged) or (self._origin is not None and self._origin._is_merged)

    def _origins(self) -> Iterator[tuple[Path | None, set[str]]]:
        """Yield the file of each dataset that was merged, with the ids of its items. The file is None for others."""
        for part in self._merged:
            yield from part._origins()
        for file, ids in self._origin._origins() if self._origin else ():
            yield file, ids & self._by_id.keys()
        if not (self._merged or self._origin):
            yield self._file, set(self._by_id)

    @property
    def source(self) -> Path | None:
        """File from which this dataset was loaded, or the dataset that it was selected from. None without such a file.

        Unlike `file`, it stays the same when rows are selected or outputs are added.
        """
        return self._file or (self._origin.source if self._origin else None)

    def _part(self, items: Iterable[Item]) -> Dataset:
        """Return a dataset of some of the items. It keeps the manifest of this dataset when it is saved."""
        part = Dataset(items)
        part._origin = self
        return part

    def to_pandas(self) -> DataFrame:
        """Return a DataFrame with one line per item, and columns for metadata and for the outputs of stages.

        A metadata column has the name of its field, or "metadata.FIELD" where that name is taken or contains a dot. An
        output column is named "STAGE.FIELD". Golden answers and evidence are lists. Raises MissingExtra if pandas is
        not installed.
        """
        with optional("Dataset.to_pandas"):
            import pandas
        columns = None if self._items else ["id", "question"]
        frame = pandas.DataFrame([_flat(item) for item in self], columns=columns, dtype=object)
        whole = [name for name in frame.columns if not frame[name].isna().any()]
        return frame.assign(**{name: frame[name].infer_objects() for name in whole})

    def notebook_table(self) -> NotebookTable:
        rows = [
            [
                item.id,
                item.metadata.get("question_type", ""),
                item.question,
                " | ".join(item.golden_answers),
                ", ".join(item.documents),
            ]
            for item in self
        ]
        return NotebookTable(["id", "type", "question", "golden answers", "documents"], rows)

    def add(self, stage: str, values: Mapping[str, Mapping[str, Any]]) -> None:
        """Add outputs of a stage to items, by item id. Raises ConfigError for an id that is not in the dataset."""
        unknown = next((id for id in values if id not in self), None)
        if unknown is not None:
            raise ConfigError(f"stage '{stage}' has outputs for '{unknown}', but the set has no item with that id")
        for id, outputs in values.items():
            self._by_id[id].add(stage, **outputs)

    def where(self, holds: Callable[[Item], bool]) -> Dataset:
        """Return the items for which `holds` returns true."""
        return self._part(filter(holds, self))

    def sample(self, n: int, seed: int = 0) -> Dataset:
        """Return `n` random items in their original order. With the same seed, a larger `n` only adds items."""
        chosen = {item.id for item in sorted(self, key=lambda item: _random_key(item.id, seed))[: max(0, n)]}
        return self.where(lambda item: item.id in chosen)

    def split(self, shares: Mapping[str, float], seed: int = 0) -> dict[str, Dataset]:
        """Return parts by name, sized in proportion to `shares`. Questions about one document stay in the same part.

        Raises ConfigError if a share is negative or the shares sum to 0.
        """
        total = sum(shares.values())
        if not shares or total <= 0 or min(shares.values()) < 0:
            raise ConfigError(
                f"the shares of a split must not be negative and must sum to more than 0, was {dict(shares)}"
            )
        groups = self._by_document()
        order = sorted(groups, key=lambda name: _random_key(name, seed))
        parts: dict[str, set[str]] = {name: set() for name in shares}
        for group in sorted(order, key=lambda name: -len(groups[name])):
            emptiest = max(parts, key=lambda name: shares[name] / total * len(self) - len(parts[name]))
            parts[emptiest].update(groups[group])
        return {name: self._part(item for item in self if item.id in ids) for name, ids in parts.items()}

    def _by_document(self) -> dict[str, list[str]]:
        """Return item ids grouped by document. An item with evidence in two documents joins their groups."""
        leader: dict[str, str] = {}

        def find(name: str) -> str:
            while leader.setdefault(name, name) != name:
                name = leader[name]
            return name

        for item in self:
            for document in item.documents[1:]:
                leader[find(document)] = find(item.documents[0])
        groups: dict[str, list[str]] = {}
        for item in self:
            groups.setdefault(find(item.documents[0]) if item.documents else item.id, []).append(item.id)
        return groups

    def merge(self, *others: Dataset) -> Dataset:
        """Return the items of all datasets. If an item is in several datasets, its outputs are combined.

        Raises InputError if two different items share an id, and ConfigError if two datasets have an output of the
        same name for one item.
        """
        merged = {item.id: Item.from_row(item.row(), item.id) for item in self}
        for item in (item for other in others for item in other):
            known = merged.setdefault(item.id, Item.from_row({**item.row(), "outputs": {}}, item.id))
            if known.core != item.core:
                raise InputError(f"two different rows have the id '{item.id}'; rename one of them before the merge")
            for stage, values in item.outputs.items():
                known.add(stage, **values)
        dataset = Dataset(merged.values())
        dataset._merged = (self, *others)
        return dataset

    def batches(self, size: int) -> Iterator[Dataset]:
        """Yield the items in datasets of at most `size` items."""
        rest = iter(self)
        while batch := list(islice(rest, size)):
            yield self._part(batch)

    @property
    def digest(self) -> str:
        """Hash of the items, without outputs. The order of fields and empty metadata make no difference."""
        return "sha256:" + digest([_canonical(item) for item in self])


@contextmanager
def local_file(path: Path | str) -> Iterator[Path]:
    """Yield the local path of a set. A set at an address is downloaded, and the copy is removed after the block.

    Raises InputError if there is no such file.
    """
    if is_at_hub(path) or not is_address(path):
        yield located(path)
        return
    place = RemotePath(str(path))
    with TemporaryDirectory(prefix="synth-") as folder:
        file = Path(folder) / place.name
        if not place.fetch(file):
            raise InputError(f"there is no file {path}")
        yield file


def _stamp(file: Path) -> tuple[int, int] | None:
    """Return the size and modification time of a file, or None if the file does not exist."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _canonical(item: Item) -> str:
    """Return an item as canonical JSON for hashing, without outputs and empty metadata."""
    row = item.row()
    metadata = {name: value for name, value in row["metadata"].items() if value is not None}
    return json.dumps({**row, "metadata": metadata, "outputs": {}}, sort_keys=True)


def _strict(row: Mapping[str, Any], place: str) -> Item:
    unknown = next((name for name in row if name not in _ROW_FIELDS), None)
    if unknown is not None:
        raise RecordError(
            f"{place}: unknown field '{unknown}'; a row has {', '.join(PROTECTED)}; put other fields into "
            "metadata, or load a DataFrame with Dataset.from_pandas"
        )
    return Item.from_row(row, place)


def _unflat(line: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a line of a table to a row."""
    row: dict[str, Any] = {"metadata": {}, "outputs": {}}
    for name, value in line.items():
        stage, _, output = name.partition(".")
        if name in _ROW_FIELDS:
            row[name] = value
        elif stage == "metadata" and output:
            row["metadata"][output] = value
        elif output:
            row["outputs"].setdefault(stage, {})[output] = value
        else:
            row["metadata"][name] = value
    return row


def _flat(item: Item) -> dict[str, Any]:
    """Convert an item to one line of a table."""
    row = item.row()
    metadata, outputs = row.pop("metadata"), row.pop("outputs", {})
    named = {f"{stage}.{name}": value for stage, values in outputs.items() for name, value in values.items()}
    fields = {
        f"metadata.{name}" if name in _ROW_FIELDS or "." in name else name: value for name, value in metadata.items()
    }
    return {**row, **fields, **named}


class Rows:
    """Iterable of the items of a JSONL file. Each iteration reads the file again, with one item in memory at a time.

    Invalid lines and rows with a repeated id are skipped and listed in `damaged`.
    """

    def __init__(self, path: Path) -> None:
        check_format(path)
        self._path = path
        self.damaged: list[Damaged] = []

    def __iter__(self) -> Iterator[Item]:
        self.damaged, seen, faults = [], set(), list[str]()
        for number, line in numbered_lines(self._path):
            place = f"{self._path.name}:{number}"
            try:
                found: list[str] = []
                item = _item(line, place, found)
                if item.id in seen:
                    raise RecordError(f"{place}: an earlier row already has the id '{item.id}'")
            except RecordError as error:
                self.damaged.append(Damaged(number, str(error)))
                continue
            seen.add(item.id)
            faults += [f"{fault} in line {number}" for fault in found]
            yield item
        warn_of(self._path.name, faults)


def stream(path: Path) -> Iterator[Item]:
    """Yield the items of a JSONL file, with one item in memory at a time. Raises the same errors as `Dataset.load`."""
    faults: list[str] = []
    for number, line in numbered_lines(path):
        found: list[str] = []
        yield _item(line, f"{path.name}:{number}", found)
        faults += [f"{fault} in line {number}" for fault in found]
    warn_of(path.name, faults)


def _item(line: str, place: str, faults: list[str]) -> Item:
    return Item.from_row(parsed_line(line, place), place, faults)


def _random_key(id: str, seed: int) -> str:
    return digest(seed, id)
