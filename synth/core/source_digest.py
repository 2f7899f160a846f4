"""The version of a piece of code: the hash of its source and of the sources it imports."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from synth.core.records import digest


@lru_cache(maxsize=64)
def source_digest(module: str) -> str:
    """Hash of the source of a module and of all it imports from its own package and from synth.

    A package counts with the tables (`*.json`) of its folder. Imports made for type checkers only do not count. A
    module without a source, such as one typed at a prompt, counts by its name alone.
    """
    packages = {"synth", module.partition(".")[0]}
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name], imported = _read(name)
            waiting.extend(i for i in imported if i.partition(".")[0] in packages)
    return digest(sorted((name, text) for name, text in found.items() if text or name == module))


@lru_cache(maxsize=1024)
def _read(name: str) -> tuple[str, tuple[str, ...]]:
    """The source of a module and what it imports; parsed once, since many modules import the same ones."""
    source = _source(name)
    return source, tuple(_imports(name, source))


def _source(name: str) -> str:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return ""
    read = getattr(spec.loader, "get_source", None) if spec else None
    folders = (spec.submodule_search_locations or ()) if spec else ()
    tables = [table for folder in folders for table in sorted(Path(folder).glob("*.json"))]
    return "".join([(read(name) if read else None) or "", *(f"\n# {one.read_text('utf-8')!r}" for one in tables)])


def _imports(name: str, source: str) -> Iterator[str]:
    """Names a module imports; `from a import b` gives both `a` and `a.b`, of which one may be no module."""
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
    """Every node of a tree but those under `if TYPE_CHECKING`."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
            yield from _running(child)
