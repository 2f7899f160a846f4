"""Document loaders of LangChain, or of any package with the same methods, as sources of documents."""

from __future__ import annotations

import difflib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import Any

from synth.core.errors import ConfigError, InputError, MissingExtra
from synth.core.extras import optional

_COMMUNITY = "langchain_community.document_loaders"


def loaded_by(name: str, source: str) -> Iterator[Any]:
    """Yield the documents that a loader returns for a source. The loader class is called with the source alone.

    `name` is `module:Class`, or a class of `langchain_community.document_loaders`. Raise ConfigError if there is no
    such class and InputError if it fails. Raise MissingExtra if it needs a library that is not installed.
    """
    loader = _class(name)
    try:
        opened = loader(source)
        yield from opened.lazy_load() if hasattr(opened, "lazy_load") else opened.load()
    except ImportError as error:
        raise MissingExtra(f"the loader {name!r} needs a library that is not installed: {_line(error)}") from error
    except Exception as error:
        raise InputError(f"the loader {name!r} failed on {source}: {type(error).__name__}: {_line(error)}") from error


def _class(name: str) -> Any:
    module, _, cls = name.rpartition(":")
    if not module:
        with optional("a loader of LangChain"):
            importlib.import_module(_COMMUNITY.partition(".")[0])
        known = importlib.import_module(_COMMUNITY).__all__
        if cls not in known:
            near = difflib.get_close_matches(cls, known, 3, 0.5)
            like = f" but has {', '.join(near)}" if near else ""
            raise ConfigError(f"{_COMMUNITY} has no class {cls!r}{like}; name one of its classes, or MODULE:CLASS")
    try:
        return getattr(importlib.import_module(module or _COMMUNITY), cls)
    except ImportError as error:
        raise ConfigError(
            f"the loader {name!r} cannot be imported: {_line(error)}; install its package or correct the name"
        ) from error
    except AttributeError as error:
        raise ConfigError(f"the module {module!r} has no class {cls!r}; correct the name of the loader") from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def name_inside(place: str, source: str) -> str:
    """Return the path of a document relative to the source folder, or its file name if the source is the file itself.

    Other places, such as addresses, are returned unchanged.
    """
    if not place or (not os.path.isabs(place) and not os.path.exists(place)):
        return place
    inner, outer = Path(os.path.abspath(place)), Path(os.path.abspath(source))
    if inner == outer:
        return inner.name
    return PurePath(inner.relative_to(outer)).as_posix() if inner.is_relative_to(outer) else place
