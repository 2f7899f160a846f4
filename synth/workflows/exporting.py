"""The command export: a set in the format of another tool."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.annotation.raised import Raised, raised_warning
from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import Damaged, read_samples, write_bytes
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.plugins import discover, pick
from synth.core.progress import Progress, progress_of
from synth.core.records import Sample, Skipped
from synth.core.terminal import counted
from synth.corpus.corpus import Corpus
from synth.corpus.documents.loading import Sources
from synth.testset.dataset import Dataset
from synth.testset.exporters.base import NEEDS_CORPUS, NO_CORPUS, Exporter, ExportInput
from synth.testset.stored_manifest import check_format
from synth.workflows.call_files import file_of
from synth.workflows.overwriting import check_no_set, check_same_kind
from synth.workflows.session import opened_corpus
from synth.workflows.settings import Settings

_SUFFIXES = (".parquet", ".tsv", ".xlsx", ".yaml", ".yml")
"""Suffixes that no export format uses and that tools would read as another kind of file."""


@dataclass(frozen=True, slots=True, repr=False)
class Exported(Tabular):
    """Result of `export`: the files written, the numbers of rows and passages, and damaged lines.

    `address` is where a service stores the set, or "" if nothing was uploaded. `raised` lists ids of rows that an
    update marked for review.
    """

    format: type[Exporter]
    files: tuple[Path, ...]
    rows: int
    passages: int
    damaged: tuple[Damaged, ...]
    skipped: tuple[Skipped, ...]
    address: str = ""
    raised: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning about the rows that an update marked for review; empty if there are none."""
        return (raised_warning(self.raised),) if self.raised else ()

    def notebook_table(self) -> NotebookTable:
        rows = [[str(path)] for path in self.files] + ([[self.address]] if self.address else [])
        note = f"{counted(self.rows, 'row')} and {counted(self.passages, 'passage')} for {self.format.tool}"
        return NotebookTable(["written to"], rows, "; ".join([note, *self.warnings]))


def formats() -> Mapping[str, type[Exporter]]:
    """Return the export formats by name, including those of other packages."""
    return discover("synth.testset.exporters", Exporter)  # type: ignore[type-abstract]


def export(
    testset: str | Path | Dataset,
    to: str,
    output: str | Path | None,
    sources: str | Path | Sequence[Any] = (),
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
    *,
    repository: str = "",
    public: bool = False,
) -> Exported:
    """Write a set in the format `to`, either to the file `output` or, for several files, to a folder of that name.

    - `testset`: a path, an address or a Dataset.
    - `sources`: the corpus, for formats that contain its passages: folders, files, addresses, Documents or LangChain
      Documents, one or several. `settings` say how it is cut into passages.
    - `output`: a path or an address; it may be None if `repository` is given.
    - `repository`: where to upload the set with the client of a service. For huggingface it is OWNER/NAME on the
      Hugging Face hub. For langfuse, langsmith and phoenix it is the name of a dataset.
    - `public`: make a new repository on the hub public. It is private by default.
    - `progress`: True for lines or bars on stderr.

    Raises ConfigError for an unknown format, a corpus that the format does not take, or a missing `output`. Also raises
    ConfigError if `output` has the suffix of another kind of file, or is a file that is not an earlier export. Raises
    InputError if the set has no row, or if its evidence is not in the corpus. Also raises InputError if the folder
    contains other files, or if the service refuses the upload.
    """
    settings, progress = settings or Settings(), progress_of(progress)
    testset, output = file_of(testset), file_of(output)
    kind = pick(dict(formats()), to, "format")
    if output is None and not repository:
        raise ConfigError("export needs a destination: name an output with -o, or upload the set with --push")
    check_no_set(output, may_be_folder=kind.folder)
    if output:
        _check_suffix(kind, output)
    _check_corpus(kind, sources)
    if repository:
        kind().check_push(repository)
    check_format(testset)
    read = read_samples(testset)
    if not read.samples:
        hint = f"; the first damaged line: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {testset} contains no row to export{hint}")
    name = output.stem if output else repository.rpartition("/")[2]
    material, skipped = _material(testset, name or kind.name, read.samples, sources, settings, progress)
    with progress.stage("writing", len(read.samples)) as stage:
        paths = _written(dict(kind().files(material)), output, folder=kind.folder) if output else ()
        address = kind().push(material, repository, public=public) if repository else ""
        stage.advance(len(read.samples))
    raised = tuple(sample.id for sample in read.samples if Raised.of(sample))
    return Exported(kind, paths, len(read.samples), len(material.passages), read.damaged, skipped, address, raised)


def _written(files: Mapping[str, bytes], output: Path, *, folder: bool) -> tuple[Path, ...]:
    paths = tuple(output / name if folder else output for name in files)
    if folder:
        _check_folder(output, paths)
    for path, content in zip(paths, files.values(), strict=True):
        check_same_kind(path, content)
    for path, content in zip(paths, files.values(), strict=True):
        write_bytes(path, content)
    return paths


def _check_suffix(kind: type[Exporter], output: Path) -> None:
    """Raise ConfigError if the suffix of `output` belongs to another kind of file."""
    suffixes = {*_SUFFIXES, *(format_.suffix for format_ in formats().values())} - {""}
    if kind.suffix and output.suffix.lower() in suffixes - {kind.suffix}:
        raise ConfigError(
            f"the format '{kind.name}' is written as {kind.suffix}, not as {output.suffix}; "
            f"name the file {output.with_suffix(kind.suffix)} with -o"
        )


def _check_corpus(kind: type[Exporter], sources: Sources) -> None:
    if kind.corpus == NEEDS_CORPUS and not sources:
        raise ConfigError(
            f"the format '{kind.name}' needs the passages of the corpus; name the documents with --corpus"
        )
    if kind.corpus == NO_CORPUS and sources:
        takers = ", ".join(name for name, format_ in formats().items() if format_.corpus != NO_CORPUS)
        raise ConfigError(
            f"the format '{kind.name}' contains only the evidence of the rows, not the passages of a corpus; "
            f"omit --corpus (formats with the passages of the whole corpus: {takers})"
        )


def _check_folder(folder: Path, paths: Sequence[Path]) -> None:
    """Raise InputError if the folder contains files that could be mistaken for part of this export."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, but this format writes a folder; name a folder with -o")
    strange = sorted(path for path in folder.rglob("*") if not path.is_dir() and path not in paths)
    if strange:
        raise InputError(
            f"the folder {folder} contains {strange[0].relative_to(folder)}, which is not a file of this export; "
            "name an empty folder with -o"
        )


def _material(
    testset: Path, name: str, samples: Sequence[Sample], sources: Sources, settings: Settings, progress: Progress
) -> tuple[ExportInput, tuple[Skipped, ...]]:
    if not sources:
        return ExportInput(name, samples), ()
    with opened_corpus(sources, settings, progress) as (loaded, run):
        for sample in samples:
            _check_evidence(sample, run.corpus, testset)
        passages = list(run.corpus.chunks())
        titles = {document.doc_id: document.title for document in run.corpus.documents()}
    return ExportInput(name, samples, passages, titles), loaded.skipped


def _check_evidence(sample: Sample, corpus: Corpus, testset: Path) -> None:
    also = [
        (piece["doc_id"], piece["start"], piece["end"], piece["text"])
        for piece in sample.metadata.get("alternatives", ())
    ]
    for doc_id, start, end, text in [*((e.doc_id, e.start, e.end, e.text) for e in sample.evidence), *also]:
        document = corpus.document(doc_id) if doc_id in corpus else None
        if document is None or document.text[start:end] != text:
            if Raised.of(sample):
                raise InputError(
                    f"row {sample.id} was marked for review by an update, and its evidence is no longer in '{doc_id}'; "
                    f"settle it first: `synth annotate review {shlex.quote(str(testset))} --raised --corpus SOURCE`, "
                    f"then `synth annotate accept {shlex.quote(str(testset))} --with-unreviewed --corpus SOURCE "
                    "-o accepted.jsonl`"
                )
            why = "is not in the corpus" if document is None else f"has other text at characters {start} to {end}"
            raise InputError(
                f"row {sample.id}: the document of its evidence, '{doc_id}', {why}; "
                "name the corpus that the set was made from"
            )
