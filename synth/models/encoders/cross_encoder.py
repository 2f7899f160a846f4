"""Cross-encoders of the sentence-transformers library, which score pairs of texts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from synth.core.errors import MissingPartError
from synth.core.extras import optional
from synth.models.encoders.sentence_transformers import hub_answers, is_fetched


@lru_cache(maxsize=4)
def cross_encoder(spec: str, labels: int | None = None) -> Any:
    """Return the cross-encoder of a hub name or folder, loaded once.

    `labels` is the number of its outputs, None for the number in its configuration.

    Raises MissingPartError when it cannot be loaded, and MissingExtra when the library is not installed.
    """
    with optional(f"the cross-encoder {spec}"):
        from sentence_transformers import CrossEncoder

    local = Path(spec).is_dir()
    if not local:
        if spec.startswith((".", "~", "/")) or spec.count("/") > 1:
            raise _missing(spec, "there is no such folder")
        local = is_fetched(spec)
        if not local and not hub_answers():
            raise _missing(spec, "it is not downloaded, and its hub cannot be reached")
    try:
        return CrossEncoder(spec, num_labels=labels, device="cpu", local_files_only=local)
    except (OSError, ValueError) as error:
        raise _missing(spec, str(error).strip().split("\n")[0]) from error


def _missing(spec: str, reason: str) -> MissingPartError:
    return MissingPartError(
        f"the cross-encoder {spec} cannot be loaded: {reason}. Name the folder of a saved model, or a model of a "
        "hub, downloaded once with a network connection, such as cross-encoder/ms-marco-MiniLM-L6-v2"
    )
