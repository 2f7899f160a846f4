"""Workspaces and sets in local folders or at addresses of object stores (`core.addresses`).

SQLite needs a local file, so a workspace at an address is copied to this machine first and uploaded at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.core.addresses import RemotePath, is_address
from synth.core.errors import InputError
from synth.core.store import STORE, Store
from synth.testset.manifest import beside
from synth.workflows.settings import Settings

_OF_A_SET = ("rejected.jsonl", "manifest.json", "annotations.sqlite")


@contextmanager
def open_store(workspace: str) -> Iterator[Store]:
    """Open the store of a workspace: a folder, an address, or "" for the user's cache folder.

    A store at an address is uploaded when the block ends, even after an exception or Ctrl-C. The upload replaces what
    another run stored in the meantime.
    """
    if not is_address(workspace):
        with Store(Settings(workspace=workspace).workspace_path / STORE) as store:
            yield store
        return
    place = RemotePath(workspace) / STORE
    with TemporaryDirectory(prefix="synth-") as folder:
        file = Path(folder) / STORE
        place.fetch(file)
        is_changed = False
        try:
            with Store(file) as store:
                try:
                    yield store
                finally:
                    is_changed = store.is_changed
        finally:
            if is_changed:
                place.put(file)


@contextmanager
def stored_file(workspace: str) -> Iterator[Path]:
    """Yield the store file of a workspace. Raises InputError if the workspace has no store."""
    with TemporaryDirectory(prefix="synth-") as folder:
        file = Path(folder if is_address(workspace) else workspace) / STORE
        if not (RemotePath(workspace) / STORE).fetch(file) if is_address(workspace) else not file.is_file():
            raise InputError(f"{workspace} contains no store {STORE}; name the workspace of a finished run")
        yield file


@contextmanager
def local_set(output: Path | str) -> Iterator[Path]:
    """Yield a local path for a set to write.

    A set at an address is downloaded with the files beside it. Files that the block writes are uploaded when it ends
    without an exception, the rows last.
    """
    if not is_address(output):
        yield Path(output)
        return
    place = RemotePath(str(output))
    with TemporaryDirectory(prefix="synth-") as folder:
        local = Path(folder) / place.name
        for name in _OF_A_SET:
            place.beside(beside(local, name).name).fetch(beside(local, name))
        place.fetch(local)
        before = {file: file.stat().st_ino for file in Path(folder).iterdir()}
        yield local
        files = (file for file in Path(folder).rglob("*") if file.is_file())
        for file in sorted(files, key=lambda file: (file == local, file)):
            if before.get(file) != file.stat().st_ino:
                place.beside(file.relative_to(folder).as_posix()).put(file)
