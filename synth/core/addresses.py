"""Files and folders of object stores, named by addresses such as s3://bucket/folder and accessed with fsspec.

Credentials come from the settings of each store, such as environment variables. An address must not contain them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from synth.core.errors import ConfigError, InputError, MissingExtra
from synth.core.extras import EXTRAS, missing, optional

LIBRARIES: Mapping[str, str] = MappingProxyType(
    {"s3": "s3fs", "gs": "gcsfs", "az": "adlfs", "hf": "huggingface_hub", "memory": "fsspec"}
)
"""Python module that each kind of address needs. `memory` is a store inside the process."""

_AT_ONCE, _BYTES_AT_ONCE = 64, 32_000_000
"""Maximum number of files, and maximum total bytes, of one fetch."""

_SECRET_PART = re.compile(r"://[^/?]*:[^/?]*@|[?&;][^=]*(?:sig|key|secret|token|password)[^=]*=", re.IGNORECASE)
_SECRET_NAME = re.compile(r"SECRET|TOKEN|PASSWORD|_KEY|CREDENTIAL|CONNECTION_STRING")
_QUERY = re.compile(r"(\w+://[^\s?]*)\?\S*")
_LEAST_SECRET, _LONGEST_MESSAGE = 8, 200


def is_address(name: object) -> bool:
    """Return whether `name` is the address of a file or folder in an object store."""
    return isinstance(name, str) and "://" in name and name.partition("://")[0] in LIBRARIES


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """File of an object store.

    `key` is its path in the store. `name` is its path inside the folder that was listed. `size` is in bytes.
    """

    key: str
    name: str
    size: int


class RemotePath:
    """Folder or file at an address.

    Raises ConfigError for an address that contains a secret, and MissingExtra when the library of the store is not
    installed. The constructor and all methods raise InputError when the store fails. Error messages never contain
    secrets from environment variables.
    """

    def __init__(self, address: str) -> None:
        scheme = address.partition("://")[0]
        if _SECRET_PART.search(address):
            raise ConfigError(
                f"an address beginning with {scheme}:// must not contain a password, key or token; "
                "put it into the settings of the store, such as its environment variables"
            )
        self.address = address.rstrip("/")
        purpose = f"reading and writing {scheme}://"
        with optional(purpose):
            import fsspec
        try:
            with _reported(f"{address} cannot be opened"):
                self._fs, self._path = fsspec.url_to_fs(address, use_listings_cache=False)
        except ImportError:
            raise _not_installed(LIBRARIES[scheme], purpose) from None
        self._path = self._path.rstrip("/")

    def __truediv__(self, name: str) -> RemotePath:
        return RemotePath(f"{self.address}/{name}")

    def beside(self, name: str) -> RemotePath:
        """Return the path of another file in the same folder."""
        return RemotePath(f"{self.address.rpartition('/')[0]}/{name}")

    @property
    def name(self) -> str:
        """Last part of the address."""
        return self.address.rpartition("/")[2]

    def files(self) -> list[RemoteFile]:
        """Return the file at the address, or all files of the folder, sorted by name; empty if there is nothing."""
        with _reported(f"{self.address} cannot be read"):
            listing = self._fs.find(self._path, detail=True)
        files = [
            RemoteFile(key, key[len(self._path) :].lstrip("/") or self.name, int(entry.get("size") or 0))
            for key, entry in listing.items()
            if entry.get("type") == "file" and not key.endswith("/")
        ]
        return sorted(files, key=lambda file: file.name)

    def contents(self, files: Sequence[RemoteFile]) -> Iterator[bytes | Exception]:
        """Yield, for each file, its content, or the exception that reading it caused.

        Files are fetched in blocks, so some are fetched before they are needed. A file that changed meanwhile gives
        OSError.
        """
        start = 0
        while start < len(files):
            end, size = start + 1, files[start].size
            while end < min(len(files), start + _AT_ONCE) and size + files[end].size <= _BYTES_AT_ONCE:
                size += files[end].size
                end += 1
            block = [file for file in files[start:end] if file.size]
            with _reported(f"{self.address} cannot be read"):
                # With a range, no store asks for the size again. One byte more reveals a file that has grown.
                ends = [file.size + 1 for file in block]
                results = iter(self._fs.cat_ranges([file.key for file in block], 0, ends, on_error="return"))
            for file in files[start:end]:
                content = next(results) if file.size else b""
                is_other = isinstance(content, bytes) and len(content) != file.size
                yield OSError("the file changed while it was read") if is_other else content
            start = end

    def fetch(self, file: Path) -> bool:
        """Copy the file at the address to the local path `file`. Return False if there is no file at the address."""
        with _reported(f"{self.address} cannot be read"):
            try:
                self._fs.get_file(self._path, str(file))
            except FileNotFoundError:
                return False
        return True

    def put(self, file: Path) -> None:
        """Replace the file at the address by a local file. Readers see either the old file or the new file."""
        with _reported(f"{self.address} cannot be written"):
            self._fs.put_file(str(file), self._path)


def reason(error: Exception) -> str:
    """Return the message of a store's error on one line, at most 200 characters long.

    Secrets from environment variables and the query strings of addresses are removed.
    """
    message = _QUERY.sub(r"\1", " ".join(str(error).split()))
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= _LEAST_SECRET:
            message = message.replace(value, "***")
    return (message or type(error).__name__)[:_LONGEST_MESSAGE]


def _not_installed(library: str, purpose: str) -> MissingExtra:
    if any(library in modules for modules in EXTRAS.values()):
        return missing(library, purpose)
    return MissingExtra(f"{purpose} needs {library}; run: pip install {library}")


@contextmanager
def _reported(failure: str) -> Iterator[None]:
    """Convert any error of a store inside the block to an InputError whose message begins with `failure`."""
    try:
        yield
    except ImportError:
        raise
    except FileNotFoundError:
        raise InputError(f"{failure}: there is no such bucket, folder or file") from None
    except PermissionError:
        raise InputError(f"{failure}: access is refused; check the credentials in the settings of the store") from None
    except Exception as error:  # the library of each store has errors of its own
        raise InputError(f"{failure}: {reason(error)}") from None
