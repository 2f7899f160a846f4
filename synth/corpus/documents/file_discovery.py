"""Discovery of the files in a source: a walk through its folders in sorted order, with checks of links."""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from synth.core.addresses import RemoteFile, RemotePath
from synth.core.records import Skipped
from synth.corpus.documents import reasons
from synth.corpus.documents.globs import matches


class SourceFile(NamedTuple):
    """A file to load. `path` opens it, `name` is its path inside the source, and `source` is its path for messages.

    `name` and `source` are valid Unicode with forward slashes, and `name` is in NFC. `origin` is the name of the source
    folder, or of the folder that contains a source file. `remote` is the file in an object store, or None. `real` is
    the path with links resolved; "" if the source is a file.
    """

    path: str
    name: str
    source: str
    origin: str
    remote: RemoteFile | None = None
    real: str = ""


def readable(name: str) -> str:
    r"""Return `name` as valid Unicode; bytes that are not UTF-8 appear as \xNN."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def find(root: Path, include: Sequence[str], exclude: Sequence[str]) -> tuple[list[SourceFile], list[Skipped]]:
    """Return the files of `root` (a folder or one file), sorted by name, and the skipped files with reasons.

    Hidden files and folders (names with a leading dot) and files excluded by the patterns are not reported. A link is
    followed if its target is inside the folder and was not already found without the link.
    """
    real = os.path.realpath(root)
    if not os.path.isdir(real):
        file = SourceFile(str(root), _name(root.name), _shown(root), readable(os.path.basename(os.path.dirname(real))))
        return [file], []
    walk = _Walk(root, real, include, exclude)
    walk.folder(str(root), "", real)
    walk.follow_links()
    return sorted(walk.files, key=_BY_NAME), walk.skipped


def find_at(place: RemotePath, include: Sequence[str], exclude: Sequence[str]) -> list[SourceFile]:
    """Return the files of an object store, selected and sorted like those of a folder by `find`."""
    source_files = []
    for file in place.files():
        name = unicodedata.normalize("NFC", file.name)
        parts = name.split("/")
        folders = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
        if any(part.startswith(".") for part in parts) or any(matches(folder, exclude) for folder in folders):
            continue
        if not include or matches(name, include):
            source = place.address if file.name == place.name else f"{place.address}/{name}"
            source_files.append(SourceFile(file.key, name, source, place.name, file))
    return sorted(source_files, key=_BY_NAME)


_BY_NAME = attrgetter("name")


def _name(path: str) -> str:
    if path.isascii() and os.sep == "/":
        return path
    return unicodedata.normalize("NFC", readable(path.replace(os.sep, "/")))


def _shown(path: Path) -> str:
    return readable(path.as_posix())


@dataclass
class _Walk:
    root: Path
    real_root: str
    include: Sequence[str]
    exclude: Sequence[str]
    files: list[SourceFile] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    links: list[tuple[str, str, str]] = field(default_factory=list)
    shown: str = field(init=False)
    origin: str = field(init=False)

    def __post_init__(self) -> None:
        self.shown = _shown(self.root / "_").removesuffix("_")
        self.origin = readable(os.path.basename(self.real_root))

    def skip(self, inner: str, reason: str, detail: str) -> None:
        self.skipped.append(Skipped(source=_shown(self.root / inner), reason=reason, detail=detail))

    def folder(self, path: str, inner: str, real: str) -> None:
        """Walk a real folder. Links are collected and followed after all real files are known."""
        waiting = [(path, inner, real)]
        while waiting:
            path, inner, real = waiting.pop()
            self.seen.append(real)
            try:
                with os.scandir(path) as entries:
                    found = [(one.name, one.is_symlink(), one.is_dir(follow_symlinks=False)) for one in entries]
            except OSError as error:
                self.skip(inner, reasons.UNREADABLE, error.strerror or "")
                continue
            inside, real_inside = os.path.join(path, ""), os.path.join(real, "")
            for name, is_link, is_folder in sorted(found):
                below = f"{inner}/{name}" if inner else name
                here, there = inside + name, real_inside + name
                if name.startswith(".") or (self.exclude and matches(_name(below), self.exclude)):
                    continue
                if is_link:
                    self.links.append((here, below, real))
                elif is_folder:
                    waiting.append((here, below, there))
                else:
                    self.file(here, below, there)

    def file(self, path: str, inner: str, real: str) -> None:
        name = _name(inner)
        if self.include and not matches(name, self.include):
            return
        self.seen.append(real)
        self.files.append(SourceFile(path, name, self.shown + readable(inner), self.origin, real=real))

    def follow_links(self) -> None:
        known, counted = set[str](), 0
        while self.links:
            known.update(self.seen[counted:])
            counted = len(self.seen)
            self.links.sort(reverse=True)
            path, inner, folder = self.links.pop()
            try:
                target = os.path.realpath(path, strict=True)
                mode = os.stat(path).st_mode
            except OSError as error:
                loop = error.errno == errno.ELOOP
                detail = "" if loop else f"the link is broken: {error.strerror}"
                self.skip(inner, reasons.LINK_LOOP if loop else reasons.UNREADABLE, detail)
                continue
            self._follow(path, inner, folder, target, is_folder=stat.S_ISDIR(mode), is_known=target in known)

    def _follow(self, path: str, inner: str, folder: str, target: str, *, is_folder: bool, is_known: bool) -> None:
        within = target == self.real_root or target.startswith(self.real_root.rstrip(os.sep) + os.sep)
        if is_folder and (folder == target or folder.startswith(target.rstrip(os.sep) + os.sep)):
            self.skip(inner, reasons.LINK_LOOP, "it leads to a folder that contains it")
        elif not within:
            self.skip(inner, reasons.LINK_OUTSIDE, f"it leads to {readable(target)}")
        elif is_known:
            self.skip(inner, reasons.DUPLICATE, f"a link to {_name(os.path.relpath(target, self.real_root))}")
        elif is_folder:
            self.folder(path, inner, target)
        else:
            self.file(path, inner, target)
