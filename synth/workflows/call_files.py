"""Files named in a call from Python. Addresses and datasets get a local copy while the call runs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, overload

from synth.core.addresses import is_address
from synth.core.errors import InputError
from synth.testset.dataset import Dataset
from synth.testset.hub import is_at_hub, located
from synth.workflows.places import local_set


@overload
def file_of(given: str | Path | Dataset) -> Path: ...


@overload
def file_of(given: str | Path | Dataset | None) -> Path | None: ...


def file_of(given: str | Path | Dataset | None) -> Path | None:
    """Return the local path of a file argument. For a Dataset, it is the file of the dataset.

    `CallFiles` has already replaced addresses, and datasets without a file, by a local path. Raises InputError for a
    dataset that has no file.
    """
    if isinstance(given, Dataset):
        if given.file is None:
            raise InputError("this dataset is in no file; save it and pass the path of the file")
        return given.file
    return None if given is None else Path(given)


def paths_of(given: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return the paths that an argument names. A single text or path counts as one path."""
    return [Path(given)] if isinstance(given, str | Path) else list(map(Path, given))


def typed_sources(sources: str | Path | Sequence[Any]) -> str:
    """Return the documents as typed after --corpus; SOURCE if they are unknown or are Python objects."""
    named = [sources] if isinstance(sources, str | Path) else list(sources)
    is_typed = bool(named) and all(isinstance(one, str | Path) for one in named)
    return shlex.join(map(str, named)) if is_typed else "SOURCE"


class CallFiles:
    """Local paths of the files of one call. Files that the call writes are uploaded to their addresses at the end."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._local: dict[str, Path] = {}

    def __enter__(self) -> CallFiles:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open.__exit__(kind, error, trace)

    def written(self, name: str | Path) -> Path:
        """Return the local path of a file that the call writes. Files beside it are uploaded and downloaded with it."""
        if not is_address(name):
            return Path(name)
        if name not in self._local:
            self._local[str(name)] = self._open.enter_context(local_set(str(name)))
        return self._local[str(name)]

    def read(self, name: str | Path) -> Path:
        """Return the local path of a file that the call reads. Files beside it are downloaded with it.

        Raises InputError if the file does not exist.
        """
        if is_at_hub(name):
            return located(name)
        path = self.written(name)
        if is_address(name) and not path.exists():
            raise InputError(f"there is no file {name}")
        return path

    def of_dataset(self, dataset: Dataset) -> Path:
        """Return the file of a dataset. A dataset without a file is written to a temporary folder."""
        if dataset.file:
            return dataset.file
        folder = self._open.enter_context(TemporaryDirectory(prefix="synth-"))
        path = Path(folder) / "testset.jsonl"
        dataset.save(path)
        return path

    def with_addresses(self, value: Any) -> Any:
        """Return a result with addresses in place of local paths."""
        if not self._local:
            return value
        if isinstance(value, Path):
            return self._address(value)
        if isinstance(value, tuple):
            return tuple(map(self.with_addresses, value)) if all(isinstance(one, Path) for one in value) else value
        if isinstance(value, Mapping):
            return {self.with_addresses(key): one for key, one in value.items()}
        if is_dataclass(value) and not isinstance(value, type):
            held = {declared.name: getattr(value, declared.name) for declared in fields(value) if declared.init}
            paths = {name: one for name, one in held.items() if isinstance(one, Path | tuple | Mapping)}
            return replace(value, **{name: self.with_addresses(one) for name, one in paths.items()})
        return value

    def _address(self, path: Path) -> Path | str:
        for address, local in self._local.items():
            if path.is_relative_to(local.parent):
                return f"{address.rpartition('/')[0]}/{path.relative_to(local.parent).as_posix()}"
        return path
