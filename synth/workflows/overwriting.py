"""Protection of a set that a new one would replace: another corpus' set, or one that people worked on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError
from synth.core.jsonl import lines_of
from synth.core.records import Document
from synth.testset.manifest import manifest_of
from synth.testset.update.history import set_hash, versions_of

_ADVICE = "name another file with -o, or replace it with --force"


class Replaced:
    """The file that a run will replace, if any. Checked at once for people's work, later for its corpus.

    A set that `generate` made and nobody touched may be replaced by one of the same corpus: with more rows, another
    seed or another model. Raises ConfigError for a file that holds something else, or whose rows are not those that
    its manifest records: people edited, adopted or reviewed them.
    """

    def __init__(self, output: Path, *, force: bool) -> None:
        self._output = output
        self._manifest: Mapping[str, Any] = {}
        if force or not output.is_file() or not output.stat().st_size:
            return
        self._manifest = manifest_of(output)
        versions = versions_of(self._manifest)
        if not versions or "settings" not in self._manifest:
            raise ConfigError(f"{output} is there and was not made by generate; {_ADVICE}")
        if {"annotation", "adopted"} & self._manifest.keys():
            raise ConfigError(f"{output} holds the work of people; {_ADVICE}")
        if set_hash(lines_of(output)) != versions[-1].hash:
            raise ConfigError(f"{output} was edited since synth wrote it; {_ADVICE}")

    def check_corpus(self, documents: Sequence[Document]) -> None:
        """Raise ConfigError when the set there has documents and none of them is among these."""
        corpus = self._manifest.get("corpus")
        known = corpus.get("documents") if isinstance(corpus, Mapping) else None
        if known and not any(document.doc_id in known for document in documents):
            raise ConfigError(f"{self._output} is the set of other documents; {_ADVICE}")
