"""Lookup of documents by the names that other tools use: paths, addresses, file names and titles."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_AFTER_PATH = re.compile(r"[?#].*", re.DOTALL)
_SUFFIX = re.compile(r"\.[^./\s]{1,8}\Z")


class DocumentNames:
    """Index of the documents of a corpus by all their unambiguous names.

    `complete` tells whether `doc_ids` lists all documents of the corpus. If false, matching is stricter, because a
    document that is not listed may fit better. A file in another folder then does not match by its file name alone. The
    end of a path does not match a document if a longer end has as many folders in the corpus as this end has parts.
    """

    def __init__(
        self, doc_ids: Iterable[str], titles: Mapping[str, str] | None = None, *, complete: bool = True
    ) -> None:
        self._doc_ids = frozenset(doc_ids)
        self.longest = max(map(len, self._doc_ids), default=0)
        """Length of the longest document id in characters, or 0 if there are no documents."""
        self._complete = complete
        self._paths: dict[str, set[str]] = {}
        self._files: dict[str, set[str]] = {}
        self._titles: dict[str, set[str]] = {}
        self._folders: set[str] = set()
        self._results: dict[str, str] = {}
        for doc_id in self._doc_ids:
            self._folders |= {*_folders(_plain_path(doc_id).split("/"))}
            for key in _keys(doc_id):
                self._paths.setdefault(key, set()).add(doc_id)
                self._files.setdefault(key.rpartition("/")[2], set()).add(doc_id)
            if title := (titles or {}).get(doc_id, ""):
                self._titles.setdefault(title.casefold(), set()).add(doc_id)

    def find(self, name: str) -> str:
        """Return the `doc_id` of the document that a name refers to, or "" if no document or several match.

        The search tries, in this order: the id itself, a path that ends with the id, an id that ends with the path, the
        file name, and the title. It ignores case, kind of separator, URL scheme and a missing suffix.
        """
        if not name or name in self._doc_ids:
            return name
        if name not in self._results:
            self._results[name] = self._search(name)
        return self._results[name]

    def _search(self, name: str) -> str:
        parts = _plain_path(name).split("/")
        shared = 0
        for first in range(len(parts)):
            rest = parts[first:]
            if doc_ids := self._paths.get("/".join(rest)):
                return _only(doc_ids) if self._complete or shared < len(rest) else ""
            shared = max(shared, sum(folder in self._folders for folder in _folders(rest)))
        path = f"/{'/'.join(parts)}"
        same_file = self._files.get(parts[-1], set())
        below = {doc_id for doc_id in same_file if any(f"/{key}".endswith(path) for key in _keys(doc_id))}
        if below or (same_file and (self._complete or len(parts) == 1)):
            return _only(below or same_file)
        return _only(self._titles.get(name.casefold(), set()))


def _only(doc_ids: set[str]) -> str:
    return next(iter(doc_ids)) if len(doc_ids) == 1 else ""


def _folders(parts: Sequence[str]) -> list[str]:
    """Return the folders above a document, outermost first, such as "a" and "a/b" for "a/b/x.md"."""
    return ["/".join(parts[:end]) for end in range(1, len(parts))]


def _keys(doc_id: str) -> tuple[str, str]:
    """Return the normalised path of a document, with and without its suffix."""
    path = _plain_path(doc_id)
    return path, _SUFFIX.sub("", path)


def _plain_path(name: str) -> str:
    """Return a path in normal form: lower case, NFC, forward slashes, without scheme, "." and ".."."""
    scheme = _SCHEME.match(name)
    if scheme:
        name = unquote(_AFTER_PATH.sub("", name[scheme.end() :]))
    parts = unicodedata.normalize("NFC", name.replace("\\", "/")).casefold().split("/")
    return "/".join(part for part in parts if part not in ("", ".", ".."))
