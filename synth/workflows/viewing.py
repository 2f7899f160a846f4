"""The command view: a page for browsing a set."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from synth.annotation.browsing import OtherSet, SetBrowser
from synth.annotation.page_pictures import PagePictures
from synth.annotation.review_set import open_pool
from synth.annotation.server.app import listen_to_view
from synth.annotation.server.review_queue import ReviewQueue, ReviewTask
from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import read_samples
from synth.evaluation.stored_runs import read_run
from synth.testset.dataset import Dataset
from synth.testset.stored_manifest import check_format
from synth.workflows.annotating import ReviewSettings, documents_of, language_for, print_address
from synth.workflows.call_files import file_of, paths_of, typed_sources
from synth.workflows.settings import Settings

_MOST_RUNS = 2


def view(
    testset: str | Path | Dataset,
    other: str | Path | Dataset | None = None,
    chosen: ReviewSettings | None = None,
    settings: Settings | None = None,
    *,
    results: str | Path | Sequence[str | Path] = (),
    host: str = "127.0.0.1",
    port: int = 8766,
    announce: Callable[[str, int, Path], None] = print_address,
) -> None:
    """Serve a page for browsing a set, until interrupted. Decisions are stored with those of its review.

    - `testset`: a path, an address or a Dataset.
    - `other`: a set to compare with.
    - `results`: up to two stored runs on the set.
    - `chosen`: the sources, the language and the file of decisions.
    - `announce`: receives the address of the page, the number of rows and the file of decisions. By default they are
      printed.

    Raises InputError and ConfigError before it serves the page, for example if runs cannot be compared.
    """
    testset, other, results = file_of(testset), file_of(other), paths_of(results)
    if len(results) > _MOST_RUNS:
        raise ConfigError(
            f"--results names {len(results)} runs, but the page compares at most {_MOST_RUNS}; name fewer runs"
        )
    chosen = chosen or ReviewSettings()
    pool = open_pool(testset)
    runs = [read_run(path) for path in results]
    for run in runs:
        if not run.documents.keys() & {sample.id for sample in pool.samples}:
            raise InputError(f"the run {run.path} contains none of the rows of {testset}; name a run on this set")
    with ExitStack() as stack:
        decisions = stack.enter_context(chosen.decisions(testset))
        documents = documents_of(chosen, settings)
        task = ReviewTask(
            name=testset.stem,
            rows=pool.samples,
            documents=documents,
            language=language_for(chosen, pool),
            per_item=sys.maxsize,
        )
        queue = ReviewQueue(task, decisions)
        browser = SetBrowser(queue, command=_accept_command(testset, chosen), other=_other(other), runs=runs)
        pictures = stack.enter_context(PagePictures(documents or {}))
        listening = listen_to_view(browser, pictures, host, port)
        announce(listening.url, len(pool.samples), decisions.path)
        listening.serve()


def _accept_command(testset: Path, chosen: ReviewSettings) -> str:
    """Return the command line that writes the set with the decisions on it."""
    words = ["-o", "accepted.jsonl", "--with-unreviewed", *(["--store", str(chosen.store)] if chosen.store else [])]
    accept = shlex.join(["synth", "annotate", "accept", str(testset)])
    return f"{accept} --corpus {typed_sources(chosen.sources)} {shlex.join(words)}"


def _other(path: Path | None) -> OtherSet | None:
    if path is None:
        return None
    check_format(path)
    samples = read_samples(path).samples
    if not samples:
        raise InputError(f"the set {path} contains no row to compare")
    return OtherSet(path.stem, tuple(samples))
