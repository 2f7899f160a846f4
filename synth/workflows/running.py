"""The command run: the reference RAG system answers a testset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import write_rows
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, Silent, progress_of
from synth.core.store import Store
from synth.core.terminal import counted
from synth.corpus.documents.kept import KeptDocuments
from synth.corpus.documents.loading import Sources
from synth.evaluation.reference_rag.answering import ChatAnswerer, Extractive, Generator
from synth.evaluation.reference_rag.index import Index
from synth.evaluation.reference_rag.system import NEED_MODEL, System, respond
from synth.models.chat.driver import Job
from synth.models.encoders.base import Encoder
from synth.testset.dataset import Dataset
from synth.workflows.assembly import Assembly, open_encoder_for, prompt_loader
from synth.workflows.call_files import file_of
from synth.workflows.overwriting import check_no_set
from synth.workflows.session import load_sources, open_corpus, opened
from synth.workflows.settings import Settings

Row = Mapping[str, Any]
"""A response row: the id of its testset row, the answer, and the retrieved passages."""


@dataclass(frozen=True, slots=True, repr=False)
class Ran(Tabular):
    """Result of `run`: responses, ids of rows whose request failed, number of passages, and usage of the model."""

    rows: tuple[Row, ...]
    failed: tuple[str, ...]
    passages: int
    model: Mapping[str, Any]

    def notebook_table(self) -> NotebookTable:
        rows = [[row["id"], row.get("answer", ""), len(row.get("retrieved") or ())] for row in self.rows]
        note = f"{counted(self.passages, 'passage')}, {len(self.failed)} failed"
        return NotebookTable(["id", "answer", "retrieved"], rows, note)


class IndexedDocuments:
    """Documents that are searched for answers, with one index for each setting of the system, built on first use."""

    def __init__(self, loaded: KeptDocuments, settings: Settings, store: Store, parts: Assembly) -> None:
        self.driver = parts.driver
        self._loaded, self._settings, self._store, self._parts = loaded, settings, store, parts
        self._indexes: dict[tuple[Any, ...], Index] = {}
        self._encoder: Encoder | None = None

    def index(self, system: System) -> Index:
        """Return the index for a setting of the system."""
        key = (system.chunks, system.retriever, system.reranker)
        if key not in self._indexes:
            settings = replace(self._settings, chunks=system.chunks)
            corpus = open_corpus(self._loaded, settings, self._store, self._parts, Silent())
            self._indexes[key] = Index(list(corpus.chunks()), system.retriever, system.reranker, self._opened)
        return self._indexes[key]

    def generator(self) -> Generator:
        """Return the generator of the settings: a chat model, or extraction if no model is named."""
        return ChatAnswerer(prompt_loader(self._settings)) if self._settings.model.name else Extractive()

    def responses(self, rows: Dataset, system: System, generator: Generator | None, stage: Any) -> Iterator[Row]:
        """Yield the response of a system to each row, in order. `stage` receives the progress."""
        index = self.index(system)
        jobs = (Job(key=item.id, steps=respond(item, system, index, generator)) for item in rows)
        for outcome in self.driver.run(jobs):
            stage.advance()
            yield outcome.value or {"id": outcome.key}

    def _opened(self) -> Encoder:
        if self._encoder is None:
            self._encoder = open_encoder_for(self._settings, self._loaded.documents, self._store)
        return self._encoder


@contextmanager
def indexed_documents(sources: Sources, rows: Dataset, settings: Settings) -> Iterator[IndexedDocuments]:
    """Load the sources for retrieval. Raises InputError if the sources contain none of the documents of the testset."""
    with opened(settings) as (store, parts):
        loaded = load_sources(sources, settings, store)
        names = {*loaded.documents.ids}
        wanted = {name for item in rows for name in item.documents}
        if wanted and not wanted & names:
            raise InputError(
                f"the sources contain none of the {len(wanted)} documents of the testset: it refers to "
                f"'{min(wanted)}', they contain '{min(names)}'; name the folder that the testset was made from"
            )
        yield IndexedDocuments(loaded, settings, store, parts)


def run(
    testset: str | Path | Dataset,
    sources: str | Path | Sequence[Any],
    output: str | Path | None = None,
    system: System | None = None,
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
) -> Ran:
    """Answer every row of a testset with the reference system, and write the responses to `output`.

    Without a chat model in `settings`, the answer is the best sentence of the passages. Raises ConfigError if the
    pipeline needs a chat model and none is named, and InputError for sources of another testset.

    - `testset`: a path, an address or a Dataset.
    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `output`: a path or an address.
    - `progress`: True for lines or bars on stderr.
    """
    output = file_of(output)
    check_no_set(output)
    settings, progress = settings or Settings(), progress_of(progress)
    system = system or System(chunks=settings.chunks)
    if system.pipeline in NEED_MODEL and not settings.model.name:
        raise ConfigError(f"the pipeline '{system.pipeline}' needs a chat model; name a chat model with --llm")
    rows = testset if isinstance(testset, Dataset) else Dataset.load(testset)
    with indexed_documents(sources, rows, settings) as indexed:
        with progress.stage("answering", len(rows)) as stage:
            responses = tuple(indexed.responses(rows, system, indexed.generator(), stage))
        if output:
            write_rows(output, responses)
        failed = tuple(str(row["id"]) for row in responses if "failed" in row)
        summary = indexed.driver.accounts.summary() if settings.model.name else {}
        return Ran(responses, failed, len(indexed.index(system).chunks), summary)
