"""Reading on many machines without a cluster.

Each machine reads a part (shard) of the documents. Then `merge` joins the workspaces of all machines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.core.addresses import is_address
from synth.core.containment import ItemError, contained_so_far
from synth.core.errors import ConfigError
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, Silent, progress_of
from synth.core.records import Skipped
from synth.core.terminal import counted
from synth.corpus.documents.shard import Shard
from synth.workflows.places import open_store, stored_file
from synth.workflows.session import deep_reading, elsewhere, load_sources, opened, read_deeply, sheet_maker
from synth.workflows.settings import Settings

_AT_A_TIME = 256
"""Number of documents whose chunks are in memory at a time."""


@dataclass(frozen=True, slots=True, repr=False)
class ShardRead(Tabular):
    """Result of `read_shard`: numbers of documents and passages, and numbers of new values in the store by kind.

    `skipped` lists files that were left out, `errors` the errors of single items.
    """

    documents: int
    passages: int
    made: Mapping[str, int]
    skipped: tuple[Skipped, ...]
    errors: tuple[ItemError, ...]

    def notebook_table(self) -> NotebookTable:
        note = f"{counted(self.documents, 'document')}, {counted(self.passages, 'passage')}"
        return NotebookTable(["new values", "number"], list(self.made.items()), note)


@dataclass(frozen=True, slots=True, repr=False)
class Merged(Tabular):
    """Result of `merge`, by kind of value.

    `copied` counts the values copied. `different` counts the values that differ between workspaces.
    """

    copied: Mapping[str, int]
    different: Mapping[str, int]

    def notebook_table(self) -> NotebookTable:
        rows = [[kind, number, self.different.get(kind, 0)] for kind, number in self.copied.items()]
        return NotebookTable(["values", "copied", "different"], rows)


def read_shard(
    sources: str | Path | Sequence[Any],
    shard: Shard,
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
) -> ShardRead:
    """Read the documents of a shard with the parsers, and store the results in the workspace.

    Only files that can be in the shard are opened. All results that depend on a single document are computed: chunks,
    parses, draft questions, and results of the transforms that a run needs. No graph or index is built, and no chat
    model is asked. A second call computes only what is missing, so an interrupted machine loses no finished work. A
    shard may contain no document. Raises the errors of `build_graph`.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.
    """
    settings, progress = settings or Settings(), progress_of(progress)
    passages = 0
    with opened(settings) as (store, parts), deep_reading(settings, store, parts) as reading:
        loaded = load_sources(sources, settings, store, shard)
        documents = loaded.documents
        maker = sheet_maker(documents, settings, store, parts)
        with progress.stage("reading", len(documents)) as stage:
            for start in range(0, len(documents), _AT_A_TIME):
                block = documents[start : start + _AT_A_TIME]
                sheets = maker.sheets(block, store, elsewhere(settings, reading))
                cut = {document.doc_id: sheet.passages(document) for document, sheet in sheets}
                passages += sum(map(len, cut.values()))
                read_deeply([document for document in block if cut[document.doc_id]], cut, reading, Silent())
                stage.advance(len(block))
        return ShardRead(len(documents), passages, reading.made, loaded.skipped, contained_so_far())


def merge(
    workspaces: str | Path | Sequence[str | Path], into: str | Path, progress: Progress | bool | None = None
) -> Merged:
    """Copy the values of several workspaces into the workspace `into`, which is created if it does not exist.

    Each value is stored under a hash of its inputs, so the same value from two workspaces is stored once. Only replies
    of a chat model can differ; then the first reply is kept, and the difference is counted. Raises ConfigError if a
    workspace is merged into itself, and InputError if a workspace has no store.

    - `progress`: True for lines or bars on stderr.
    """
    progress = progress_of(progress)
    workspaces = [workspaces] if isinstance(workspaces, str | Path) else workspaces
    for workspace in workspaces:
        if _same(workspace, into):
            raise ConfigError(f"{workspace} cannot be merged into itself; name another folder with --into")
    copied, different = Counter[str](), Counter[str]()
    with open_store(str(into)) as store, progress.stage("merging", len(workspaces)) as stage:
        for workspace in workspaces:
            with stored_file(str(workspace)) as file:
                added, differing = store.unite(file)
            copied += added
            different += differing
            stage.advance()
    return Merged(copied, different)


def _same(one: str | Path, other: str | Path) -> bool:
    if is_address(one) or is_address(other):
        return str(one).rstrip("/") == str(other).rstrip("/")
    return Path(one).resolve() == Path(other).resolve()
