"""Discovery of plugins (filters, metrics, readers, …) by name, in synth's own packages and behind entry points."""

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
    package's name ("synth.filters" for "synth.generation.filters"). Raises ConfigError when two plugins share a name,
    or one behind an entry point cannot be loaded or is no concrete subclass with a name.
    """
    plugins: dict[str, type[T]] = {}
    for plugin in [*_built_in(package, base), *_from_entry_points(package, base)]:
        name = str(plugin.name)  # type: ignore[attr-defined]
        if plugins.setdefault(name, plugin) is not plugin:
            raise ConfigError(
                f"two plugins of {package} are named '{name}': {_place(plugins[name])} and {_place(plugin)}; rename one"
            )
    return dict(sorted(plugins.items()))


def pick(known: dict[str, T], name: str, kind: str) -> T:
    """The plugin called `name`. Raises ConfigError with the closest known name, or all of them when none is close."""
    if name in known:
        return known[name]
    near = closest_name(name, known)
    raise ConfigError(
        f"unknown {kind} '{name}'; " + (f"did you mean {near}?" if near else f"known: {', '.join(known) or 'none'}")
    )


def closest_name(name: str, known: Iterable[str]) -> str:
    """The closest known name, or "" when none is close."""
    return next(iter(difflib.get_close_matches(name, list(known), 1, 0.6)), "")


@cache
def entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """Entry points of a group, cached because reading them opens a file for every installed package."""
    return tuple(metadata.entry_points(group=group))


def _built_in(package: str, base: type[T]) -> list[type[T]]:
    """Plugins that a module of the package defines; a class that only inherits its name is a base of others."""
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


def _from_entry_points(package: str, base: type[T]) -> list[type[T]]:
    """Plugins behind entry points. A group may hold plugins of several bases; those of another base are skipped."""
    plugins: list[type[T]] = []
    group = f"synth.{package.rpartition('.')[2]}"
    for point in sorted(entry_points(group), key=lambda p: (p.name, p.value)):
        plugin = _loaded(point)
        if inspect.isclass(plugin) and issubclass(plugin, base):
            if inspect.isabstract(plugin) or not isinstance(getattr(plugin, "name", None), str):
                raise ConfigError(f"{_entry(point)} must be a concrete subclass of {base.__name__} with a name")
            plugins.append(plugin)
        elif not inspect.isclass(plugin) or not any(issubclass(plugin, other) for other in _bases(package)):
            raise ConfigError(f"{_entry(point)} must be a subclass of {base.__name__}")
    return plugins


def _loaded(point: metadata.EntryPoint) -> object:
    """What an entry point names. Raises ConfigError when it cannot be loaded."""
    try:
        return point.load()
    except Exception as error:  # another package's code, which may raise anything while it is imported
        raise ConfigError(f"{_entry(point)} cannot be loaded: {type(error).__name__}: {error}") from error


def _entry(point: metadata.EntryPoint) -> str:
    return f"the entry point '{point.name} = {point.value}' of group {point.group}"


def _bases(package: str) -> Iterator[type]:
    """The abstract classes of synth that modules of a package define or import."""
    return (item for _, item in _classes(package) if inspect.isabstract(item) and item.__module__.startswith("synth."))


def _place(plugin: type) -> str:
    return f"{plugin.__module__}.{plugin.__qualname__}"
