"""Testsets at the Hugging Face hub: files of a dataset repository, read by name, and written in one commit.

The hub is that of HF_ENDPOINT, and the token that of HF_TOKEN or of `hf auth login`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.core.extras import optional
from synth.models.chat.api_keys import redact

ROWS = "testset.jsonl"
"""The file of a repository that is read where none is named."""

_SCHEME = "hf://"
_NAME = re.compile(r"hf://datasets/([^/@]+/[^/@]+)(?:@([^/]+))?(?:/(.+))?")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_LONGEST_MESSAGE = 200
_REASONS = {
    401: "it refuses the token; set HF_TOKEN",
    403: "the token does not allow it; set HF_TOKEN to another",
    404: "it has no such repository or file, or the token of HF_TOKEN does not allow to read it",
}


def is_at_hub(name: Path | str) -> bool:
    """Return whether a name is that of a file at the hub."""
    return str(name).startswith(_SCHEME)


def located(name: Path | str) -> Path:
    """The path of a file, which is downloaded where the name begins with hf://, as in hf://datasets/OWNER/NAME/FILE.

    FILE is testset.jsonl unless it is named; a revision stands behind @, as in OWNER/NAME@v1. Raises ConfigError for
    another form, MissingExtra without huggingface_hub, InputError when the hub does not give the file.
    """
    if not is_at_hub(name):
        return Path(name)
    parts = _NAME.fullmatch(str(name))
    if parts is None:
        raise ConfigError(f"a set at the hub is named hf://datasets/OWNER/NAME/FILE, was {name}")
    with optional(f"reading {name}"):
        import huggingface_hub
        from huggingface_hub.utils.tqdm import disable_progress_bars
    disable_progress_bars()
    with _reported(f"{name} cannot be read"):
        return Path(
            huggingface_hub.hf_hub_download(
                parts[1], parts[3] or ROWS, revision=parts[2], repo_type="dataset", endpoint=_endpoint()
            )
        )


def check_repository(name: str) -> None:
    """Raise ConfigError when `name` is not OWNER/NAME, MissingExtra when nothing can be sent to the hub."""
    if not _REPOSITORY.fullmatch(name):
        raise ConfigError(f"a repository at the hub is named OWNER/NAME, was '{name}'")
    with optional("sending a set to the hub"):
        import huggingface_hub  # noqa: F401


def push(files: Mapping[str, bytes], repository: str, *, public: bool = False) -> str:
    """Write files to a dataset repository in one commit, and return its address.

    A repository that is not there is created, private unless it is to be `public`. Raises InputError when the hub
    refuses, and as `check_repository` does.
    """
    check_repository(repository)
    import huggingface_hub
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    hub: Any = huggingface_hub.HfApi(endpoint=_endpoint())
    with _reported(f"{repository} cannot be written"):
        place = hub.create_repo(repository, repo_type="dataset", private=not public, exist_ok=True)
        hub.create_commit(
            repository,
            [huggingface_hub.CommitOperationAdd(name, content) for name, content in files.items()],
            repo_type="dataset",
            commit_message="Testset",
        )
    return str(place)


def _endpoint() -> str | None:
    """The address of the hub where the environment names one; the library reads it only once."""
    return os.environ.get("HF_ENDPOINT")


@contextmanager
def _reported(failure: str) -> Iterator[None]:
    """Turn an error of the hub into one line, without the token."""
    import httpx
    from huggingface_hub import get_token

    try:
        yield
    except (OSError, ValueError, httpx.HTTPError) as error:
        status = getattr(getattr(error, "response", None), "status_code", 0)
        message = " ".join(redact(str(error), [token] if (token := get_token()) else []).split())[:_LONGEST_MESSAGE]
        raise InputError(f"{failure} at the hub: {_REASONS.get(status, message)}") from None
