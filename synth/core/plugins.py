"""Discovery of parts by name, in the modules of a package and behind entry points of other packages."""

from __future__ import annotations

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from typing import TypeVar

from synth.core.errors import ConfigError

T = TypeVar("T")


def discover(package: str, base: type[T]) -> dict[str, type[T]]:
    """Concrete subclasses of `base` with a `name`, by that name, sorted.

    Sources are the modules of `package` and the entry points of the group "synth." plus the last part of the
    package's name ("synth.filters" for "synth.generation.filters"). Raises ConfigError when two parts share a name.
    """
    parts: dict[str, type[T]] = {}
    for part in [*_own(package, base), *_foreign(package, base)]:
        name = str(part.name)  # type: ignore[attr-defined]
        if parts.setdefault(name, part) is not part:
            raise ConfigError(
                f"two parts of {package} are named '{name}': {_place(parts[name])} and {_place(part)}; rename one"
            )
    return dict(sorted(parts.items()))


def pick(known: dict[str, T], name: str, what: str) -> T:
    """The part called `name`. Raises ConfigError that says the nearest of the known names, or all when none is near."""
    if name in known:
        return known[name]
    near = nearest_name(name, known)
    raise ConfigError(
        f"unknown {what} '{name}'; " + (f"did you mean {near}?" if near else f"known: {', '.join(known) or 'none'}")
    )


def nearest_name(name: str, known: Iterable[str]) -> str:
    """The known name that is most like `name`, or "" when none is like it."""
    return next(iter(difflib.get_close_matches(name, list(known), 1, 0.6)), "")


@cache
def entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """Entry points of a group, cached because reading them opens a file for every installed package."""
    return tuple(metadata.entry_points(group=group))


def _own(package: str, base: type[T]) -> list[type[T]]:
    return [
        item
        for module, item in _classes(package)
        if issubclass(item, base)
        and not inspect.isabstract(item)
        and item.__module__ == module
        and "name" in vars(item)
    ]


def _classes(package: str) -> Iterator[tuple[str, type]]:
    """The classes in the namespace of each module of a package, with the name of the module."""
    folder = importlib.import_module(package)
    for module in sorted(info.name for info in pkgutil.iter_modules(folder.__path__)):
        loaded = importlib.import_module(f"{package}.{module}")
        for _, item in sorted(vars(loaded).items()):
            if inspect.isclass(item):
                yield loaded.__name__, item


def _foreign(package: str, base: type[T]) -> list[type[T]]:
    """Parts behind entry points; those of another base of the same package are left to the search for that base."""
    parts: list[type[T]] = []
    group = f"synth.{package.rpartition('.')[2]}"
    for point in sorted(entry_points(group), key=lambda p: (p.name, p.value)):
        part = point.load()
        if inspect.isclass(part) and issubclass(part, base):
            parts.append(part)
        elif not inspect.isclass(part) or not any(issubclass(part, other) for other in _bases(package)):
            raise ConfigError(f"entry point {point.value} of group {group} is not a {base.__name__}")
    return parts


def _bases(package: str) -> Iterator[type]:
    """The abstract classes of synth that modules of a package define or import."""
    return (item for _, item in _classes(package) if inspect.isabstract(item) and item.__module__.startswith("synth."))


def _place(part: type) -> str:
    return f"{part.__module__}.{part.__qualname__}"
