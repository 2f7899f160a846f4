"""Discovery of parts by name, in the modules of a package and behind entry points of other packages."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
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
    """The part called `name`. Raises ConfigError that lists the known names when there is none."""
    if name not in known:
        raise ConfigError(f"unknown {what} '{name}'; known: {', '.join(known) or 'none'}")
    return known[name]


@cache
def entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """Entry points of a group, cached because reading them opens a file for every installed package."""
    return tuple(metadata.entry_points(group=group))


def _own(package: str, base: type[T]) -> list[type[T]]:
    folder = importlib.import_module(package)
    parts: list[type[T]] = []
    for module in sorted(info.name for info in pkgutil.iter_modules(folder.__path__)):
        loaded = importlib.import_module(f"{package}.{module}")
        parts.extend(
            item
            for _, item in sorted(vars(loaded).items())
            if inspect.isclass(item)
            and issubclass(item, base)
            and not inspect.isabstract(item)
            and item.__module__ == loaded.__name__
            and "name" in vars(item)
        )
    return parts


def _foreign(package: str, base: type[T]) -> list[type[T]]:
    parts: list[type[T]] = []
    group = f"synth.{package.rpartition('.')[2]}"
    for point in sorted(entry_points(group), key=lambda p: (p.name, p.value)):
        part = point.load()
        if inspect.isclass(part) and not issubclass(part, base) and _is_of_another_kind(part, package):
            continue
        if not (inspect.isclass(part) and issubclass(part, base)):
            raise ConfigError(f"entry point {point.value} of group {group} is not a {base.__name__}")
        parts.append(part)
    return parts


def _is_of_another_kind(part: type, package: str) -> bool:
    """Test whether a part derives from an abstract class of the package, which may have parts of several kinds."""
    return any(inspect.isabstract(kind) and kind.__module__.startswith(f"{package}.") for kind in part.__mro__)


def _place(part: type) -> str:
    return f"{part.__module__}.{part.__qualname__}"
