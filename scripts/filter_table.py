"""The table of filters in docs/filters.md, from the first paragraphs of their docstrings.

    python scripts/filter_table.py [--write]

Prints the table, or with --write puts it into the page. A test compares the two.
"""

from __future__ import annotations

import argparse
import inspect
import re
from pathlib import Path

from synth.core.plugins import discover
from synth.generation.filters.base import Filter, SetFilter

PAGE = Path(__file__).parents[1] / "docs" / "filters.md"
HEAD = "| filter | what it does |\n| --- | --- |\n"
_TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def table() -> str:
    """Filters in the order in which they run, those that see the whole set last."""
    home = "synth.generation.filters"
    of_rows = sorted(discover(home, Filter).values(), key=lambda part: (part.order, part.name))  # type: ignore[type-abstract]
    parts: list[type] = [*of_rows, *discover(home, SetFilter).values()]  # type: ignore[type-abstract]
    return HEAD + "".join(f"| `{part.name}` | {_summary(part)} |\n" for part in parts)  # type: ignore[attr-defined]


def page(text: str) -> str:
    """The page with the table as it is to be."""
    return _TABLE.sub(lambda _: table(), text)


def _summary(part: type) -> str:
    paragraph = (inspect.getdoc(part) or "").partition("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help=f"put it into {PAGE.name}")
    if parser.parse_args().write:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
