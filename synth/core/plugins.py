"""Discovery of plugins (filters, metrics, readers, …) by name, in synth's own packages and in entry points."""

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
    """Return the concrete subclasses of `base` that have a `name`, as a mapping sorted by name.

    The classes come from the modules of `package` and from an entry-point group. The group is "synth." plus the last
    part of the package's name, such as "synth.filters" for "synth.generation.filters". Raises ConfigError when two
    plugins have the same name. Also raises it when an entry point cannot be loaded or is not a concrete subclass with a
    name.
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
    """Return the plugin called `name`.

    Raises ConfigError for an unknown name. The message lists the closest known name, or all known names if none is
    close.
    """
    if name in known:
        return known[name]
    near = closest_name(name, known)
    raise ConfigError(
        f"unknown {kind} '{name}'; " + (f"did you mean {near}?" if near else f"known: {', '.join(known) or 'none'}")
    )


def closest_name(name: str, known: Iterable[str]) -> str:
    """Return the known name closest to `name`, or "" if none is close."""
    return next(iter(difflib.get_close_matches(name, list(known), 1, 0.6)), "")


@cache
def entry_points(group: str) -> tuple[metadata.EntryPoint, ...]:
    """Return the entry points of a group. Cached, because reading them opens a file per installed package."""
    return tuple(metadata.entry_points(group=group))


def _built_in(package: str, base: type[T]) -> list[type[T]]:
    """Return the plugins that the modules of the package define.

    A class that does not set `name` itself is a base class, not a plugin.
    """
    return [
        item
        for module, item in _classes(package)
        if issubclass(item, base)
        and not inspect.isabstract(item)
        and item.__module__ == module
        and "name" in vars(item)
    ]


def _classes(package: str) -> Iterator[tuple[str, type]]:
    """Yield (module name, class) for each class in the namespace of each module of a package."""
    folder = importlib.import_module(package)
    for module in sorted(info.name for info in pkgutil.iter_modules(folder.__path__)):
        loaded = importlib.import_module(f"{package}.{module}")
        for _, item in sorted(vars(loaded).items()):
            if inspect.isclass(item):
                yield loaded.__name__, item


def _from_entry_points(package: str, base: type[T]) -> list[type[T]]:
    """Return the plugins of the entry points.

    A group may contain plugins of several base classes. Plugins of the other base classes are skipped.
    """
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
    """Return the object that an entry point names. Raises ConfigError when it cannot be loaded."""
    try:
        return point.load()
    except Exception as error:  # another package's code, which may raise anything while it is imported
        raise ConfigError(f"{_entry(point)} cannot be loaded: {type(error).__name__}: {error}") from error


def _entry(point: metadata.EntryPoint) -> str:
    return f"the entry point '{point.name} = {point.value}' of group {point.group}"


def _bases(package: str) -> Iterator[type]:
    """Return the abstract classes of synth that modules of the package define or import."""
    return (item for _, item in _classes(package) if inspect.isabstract(item) and item.__module__.startswith("synth."))


def _place(plugin: type) -> str:
    return f"{plugin.__module__}.{plugin.__qualname__}"
