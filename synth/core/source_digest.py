"""Version of a module: a hash of its source and of the sources that it imports."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from synth.core.records import digest


@lru_cache(maxsize=64)
def source_digest(module: str) -> str:
    """Return a hash of the source of a module and of the modules it imports from its own package and from synth.

    For a package, the hash includes the tables (`*.json`, `*.toml`) in its folder. Imports under `TYPE_CHECKING` are
    ignored. A module without source, such as code typed in a notebook, is represented by its name.
    """
    packages = {"synth", module.partition(".")[0]}
    sources: dict[str, str] = {}
    pending = [module]
    while pending:
        name = pending.pop()
        if name not in sources:
            sources[name], imported = _read(name)
            pending.extend(i for i in imported if i.partition(".")[0] in packages)
    return digest(sorted((name, text) for name, text in sources.items() if text or name == module))


@lru_cache(maxsize=1024)
def _read(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the source of a module and the names it imports. Cached, because many modules import the same ones."""
    source = _source(name)
    return source, tuple(_imports(name, source))


def _source(name: str) -> str:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return ""
    if spec is None:
        return ""
    # The file is read directly, because pytest's loader of plugin modules returns no source.
    source = Path(spec.origin).read_text("utf-8") if spec.origin and spec.origin.endswith(".py") else ""
    folders = spec.submodule_search_locations or ()
    tables = [table for folder in folders for kind in ("*.json", "*.toml") for table in sorted(Path(folder).glob(kind))]
    return "".join([source, *(f"\n# {table.read_text('utf-8')!r}" for table in tables)])


def _imports(name: str, source: str) -> Iterator[str]:
    """Yield the names that a module imports.

    `from a import b` yields `a` and `a.b`, although `a.b` need not be a module.
    """
    for node in _running(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, name.rpartition(".")[0] or name)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree except those under `if TYPE_CHECKING`."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield from _running(child)
