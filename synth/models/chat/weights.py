"""Weights of chat models that run inside the process: files of the user, or downloads from the model hub."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from types import MappingProxyType
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from synth.core.errors import ConfigError, ModelError
from synth.core.user_cache import user_cache

FILE = "gguf:"
"""Prefix of the name of a model in a GGUF file, as in gguf:FILE."""

LOCAL = "local"
"""Name of the first model of LOCAL_MODELS. `local/NAME` names any of them."""

_BLOCK = 1 << 20
_TIMEOUT_S = 60.0
_TRIES = 5
_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """GGUF file on the model hub: its title, license, place, size in bytes and SHA-256."""

    title: str
    license: str
    repository: str
    revision: str
    file: str
    size: int
    sha256: str

    @property
    def url(self) -> str:
        """Address of the file, on the hub that HF_ENDPOINT names or else on huggingface.co."""
        hub = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
        return f"{hub.rstrip('/')}/{self.repository}/resolve/{self.revision}/{self.file}"

    @property
    def path(self) -> Path:
        """Path of the downloaded file, in the user's cache folder."""
        return user_cache() / "models" / self.file

    def __str__(self) -> str:
        return f"{self.title}, {self.size / 1e9:.1f} GB, {self.license}, from {self.url}"


LOCAL_MODELS: Mapping[str, LocalModel] = MappingProxyType(
    {
        "qwen3-4b-instruct-2507": LocalModel(
            title="Qwen3-4B-Instruct-2507, Q4_K_M",
            license="Apache-2.0",
            repository="bartowski/Qwen_Qwen3-4B-Instruct-2507-GGUF",
            revision="ae44f08e1392f39c0e474af10c3ff8355c8b6688",
            file="Qwen_Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
            size=2_497_280_736,
            sha256="2fde00ce69dd4899c70d020845e2638353015bba0fdf161b3eb965f2bca4464e",
        )
    }
)
"""Models that `--llm local` can download. The first is the default."""


@dataclass(frozen=True, slots=True)
class Weights:
    """GGUF file: its name for messages, its path, and a hash that identifies it."""

    name: str
    path: Path
    digest: str


def full_name(name: str) -> str:
    """Return `local/NAME` for `local`, and any other name unchanged."""
    return f"{LOCAL}/{next(iter(LOCAL_MODELS))}" if name == LOCAL else name


def local_model(name: str) -> LocalModel | None:
    """Return the downloadable model named `local` or `local/NAME`, or None for any other name.

    Raises ConfigError for an unknown NAME.
    """
    prefix, _, model = full_name(name).partition("/")
    if prefix != LOCAL:
        return None
    if model not in LOCAL_MODELS:
        raise ConfigError(f"unknown local model '{model}'; known: {', '.join(LOCAL_MODELS)}")
    return LOCAL_MODELS[model]


def weights_named(name: str) -> Weights | None:
    """Return the weights of a model named `gguf:FILE`, `local` or `local/NAME`; None for a model at an endpoint.

    Raises ConfigError when NAME is unknown, or when FILE cannot be read or is not a GGUF file.
    """
    if (model := local_model(name)) is not None:
        return Weights(model.title, model.path, model.sha256)
    if not name.startswith(FILE):
        return None
    path = Path(name.removeprefix(FILE)).expanduser()
    return Weights(path.name, path, _digest(path))


def fetch(model: LocalModel, progress: Callable[[int], None] = lambda _: None) -> Path:
    """Download a model, unless it is already there, and return its path.

    An interrupted download is continued. `progress` is called with the number of bytes of each step, negative if the
    download starts again. Raises ModelError when the hub cannot be reached, when every try is interrupted, or when the
    disk has no room. Also raises it when the SHA-256 of the downloaded file is wrong; the file is then removed.
    """
    if model.path.is_file():
        return model.path
    part = model.path.with_name(model.path.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    done = part.stat().st_size if part.exists() else 0
    if shutil.disk_usage(part.parent).free < model.size - done:
        raise ModelError(
            f"{part.parent} has no room for {model.title}, {model.size / 1e9:.1f} GB; make room on the disk"
        )
    progress(done)
    reason = ""
    for _ in range(_TRIES):
        if done >= model.size:
            break
        try:
            _go_on(model, part, done, progress)
        except HTTPError as error:
            if error.code < 500:
                raise ModelError(f"{model.url} cannot be downloaded: {error.code} {error.reason}") from error
            reason = f"{error.code} {error.reason}"
        except (OSError, HTTPException) as error:
            reason = str(getattr(error, "reason", "") or error or type(error).__name__)
        done = part.stat().st_size if part.exists() else 0
    if done < model.size:
        raise ModelError(
            f"the download of {model.url} broke off at {done:,} of {model.size:,} bytes ({reason or 'it ended'}); the "
            "same command continues there"
        )
    with part.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    if digest != model.sha256:
        part.unlink()
        raise ModelError(f"{model.url} has the SHA-256 {digest}, not {model.sha256}; the download was removed")
    return part.replace(model.path)


def _go_on(model: LocalModel, part: Path, done: int, progress: Callable[[int], None]) -> None:
    """Continue a download at byte `done`, and append to the file `part`.

    If the hub cannot send ranges, the download starts again from the first byte.
    """
    with urlopen(Request(model.url, headers={"Range": f"bytes={done}-"}), timeout=_TIMEOUT_S) as reply:
        ranged = reply.status == 206
        if not ranged:
            progress(-done)
        with part.open("ab" if ranged else "wb") as stream:
            while block := reply.read(_BLOCK):
                stream.write(block)
                progress(len(block))


def _digest(path: Path) -> str:
    """Return a hash of the size, the beginning and the end of a GGUF file, which is enough to tell files apart.

    Raises ConfigError when the file cannot be read or is not a GGUF file.
    """
    try:
        with path.open("rb") as stream:
            first = stream.read(_BLOCK)
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _BLOCK))
            last = stream.read(_BLOCK)
    except OSError as error:
        raise ConfigError(f"cannot read the model {path}: {error.strerror or error}") from error
    if not first.startswith(_MAGIC):
        raise ConfigError(f"{path} is not a GGUF file; name another file with gguf:FILE")
    return hashlib.sha256(b"%d" % size + first + last).hexdigest()
