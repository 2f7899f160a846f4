"""Testsets on the Hugging Face hub: download of files, and upload of a set in one commit.

HF_ENDPOINT selects another hub. The token comes from HF_TOKEN or from `hf auth login`.
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
"""File that is read from a repository if the address names no file."""

_SCHEME = "hf://"
_NAME = re.compile(r"hf://datasets/([^/@]+/[^/@]+)(?:@([^/]+))?(?:/(.+))?")
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_LONGEST_MESSAGE = 200
_REASONS = {
    401: "the hub refused the token; set HF_TOKEN to a valid token",
    403: "the token lacks the permission; set HF_TOKEN to a token that has it",
    404: "no such repository or file, or the token in HF_TOKEN may not read it; check the name and the token",
}


def is_at_hub(name: Path | str) -> bool:
    """Return whether a name is a hub address, which begins with hf://."""
    return str(name).startswith(_SCHEME)


def located(name: Path | str) -> Path:
    """Return the local path of a file. A file at hf://datasets/OWNER/NAME/FILE is downloaded first.

    FILE defaults to testset.jsonl. A revision follows @, as in OWNER/NAME@v1. Raises ConfigError for a malformed
    address, MissingExtra if huggingface_hub is not installed, and InputError if the download fails.
    """
    if not is_at_hub(name):
        return Path(name)
    parts = _NAME.fullmatch(str(name))
    if parts is None:
        raise ConfigError(
            f"the address of a set on the hub must have the form hf://datasets/OWNER/NAME/FILE, was {name}"
        )
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
    """Raise ConfigError if `name` is not OWNER/NAME, and MissingExtra if huggingface_hub is not installed."""
    if not _REPOSITORY.fullmatch(name):
        raise ConfigError(f"the name of a repository on the hub must have the form OWNER/NAME, was '{name}'")
    with optional("uploading a set to the hub"):
        import huggingface_hub  # noqa: F401


def push(files: Mapping[str, bytes], repository: str, *, public: bool = False) -> str:
    """Write files to a dataset repository in one commit, and return the address of the repository.

    A missing repository is created, and is private unless `public` is true. Raises InputError if the hub refuses the
    upload, and the errors of `check_repository`.
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
    """Return the hub address in the environment, or None. The library reads the variable only once, at import."""
    return os.environ.get("HF_ENDPOINT")


@contextmanager
def _reported(failure: str) -> Iterator[None]:
    """Turn an error of the hub into an InputError of one line, without the token."""
    import httpx
    from huggingface_hub import get_token

    try:
        yield
    except (OSError, ValueError, httpx.HTTPError) as error:
        status = getattr(getattr(error, "response", None), "status_code", 0)
        message = " ".join(redact(str(error), [token] if (token := get_token()) else []).split())[:_LONGEST_MESSAGE]
        raise InputError(f"{failure} on the hub: {_REASONS.get(status, message)}") from None
