"""Tables of transforms, formats and providers in the documentation, from the parts themselves.

`python scripts/part_tables.py` prints them, with `--write` it rewrites those in docs/.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from synth.core.plugins import discover
from synth.corpus.transforms.base import Transform
from synth.models.chat.providers import PROVIDERS
from synth.models.chat.weights import FILE, LOCAL, LOCAL_MODELS, full_name
from synth.workflows.exporting import formats
from synth.workflows.settings import TRANSFORMS

DOCS = Path(__file__).parents[1] / "docs"


def tables() -> dict[str, str]:
    """A Markdown table by the page that shows it."""
    return {
        "graph.md": _table(("transform", "reads", "by default"), _transforms()),
        "import-export.md": _table(("format", "for", "read with", "checked with"), _formats()),
        "models.md": _table(("name for `--llm`", "model", "key"), _models()),
    }


def with_table(page: str, table: str) -> str:
    """A page with its table of the same columns replaced. Raises ValueError when it has none or several."""
    pattern = re.compile(re.escape(table.split("\n", 1)[0]) + r"\n(?:\|.*\n)*")
    if len(pattern.findall(page)) != 1:
        raise ValueError(f"the page must have one table that begins with {table.splitlines()[0]}")
    return pattern.sub(lambda _: table, page)


def _transforms() -> Iterator[Sequence[str]]:
    parts = discover("synth.corpus.transforms", Transform)  # type: ignore[type-abstract]
    for name, part in parts.items():
        if not name.startswith("llm_"):
            default = "always" if name == "language" else "yes" if name in TRANSFORMS else "no"
            yield f"`{name}`", _first_sentence(part), default


def _formats() -> Iterator[Sequence[str]]:
    for name, part in formats().items():
        yield f"`{name}`", part.tool, f"`{part.read_by}`", part.checked_by or "–"


def _models() -> Iterator[Sequence[str]]:
    for name, provider in PROVIDERS.items():
        address = f"`${provider.url_env}{provider.base_url}`" if provider.url_env else provider.base_url
        yield f"`{name}/MODEL`", f"{provider.title}, {address}", f"`{provider.key_env}`" if provider.key_env else "–"
    yield "`auto`", "the only model of the servers of this machine", "–"
    yield f"`{FILE}FILE`", "a GGUF file, inside the process", "–"
    model = LOCAL_MODELS[full_name(LOCAL).partition("/")[2]]
    where = f"[{model.repository}](https://huggingface.co/{model.repository})"
    yield (
        f"`{LOCAL}`",
        f"{model.title}, {model.size / 1e9:.1f} GB, {model.license}, from {where}, inside the process",
        "–",
    )


def _first_sentence(part: type) -> str:
    line = (part.__doc__ or "").split("\n", 1)[0].partition(". ")[0].rstrip(".")
    return line[:1].lower() + line[1:]


def _table(head: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def main() -> None:
    """Print the tables, or write them into the pages."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="rewrite the tables in docs/")
    write = options.parse_args().write
    for name, table in tables().items():
        if write:
            page = DOCS / name
            page.write_text(with_table(page.read_text(encoding="utf-8"), table), encoding="utf-8")
        else:
            print(table)


if __name__ == "__main__":
    main()
