"""Units of measurement: dimension, spellings, and exact ratio to a base unit.

The library pint is not used. Importing its registry takes a second, it has no Chinese names, and it reads words such as
"in", "a" and "min" as units anywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Unit of measurement, equal to `ratio` times its `base` unit.

    Only units with the same base convert into each other. `words` are the English names, singular and plural first.
    `symbols` are the symbols, and `chinese` the names in simplified script. The first entry of each is the preferred
    spelling.
    """

    unit_id: str
    dimension: str
    base: str
    ratio: Decimal
    words: tuple[str, ...]
    symbols: tuple[str, ...]
    chinese: tuple[str, ...]


def _units() -> Iterator[Unit]:
    for row in json.loads(files(__name__).joinpath("units.json").read_text("utf-8"))["units"]:
        yield Unit(
            unit_id=row["id"],
            dimension=row["dimension"],
            base=row["base"],
            ratio=Decimal(row["ratio"]),
            words=tuple(row["english"]),
            symbols=tuple(row["symbols"]),
            chinese=tuple(row["chinese"]),
        )


UNITS = {unit.unit_id: unit for unit in _units()}
UNIT_BY_WORD = {word: unit for unit in UNITS.values() for word in unit.words}
UNIT_BY_SYMBOL = {symbol: unit for unit in UNITS.values() for symbol in unit.symbols}
UNIT_BY_CHINESE_NAME = {name: unit for unit in UNITS.values() for name in unit.chinese}
TRAILING_SYMBOLS = sorted(
    (symbol for symbol in UNIT_BY_SYMBOL if symbol[-1] not in "$£€₩"), key=lambda symbol: (-len(symbol), symbol)
)
"""Unit symbols that follow their number, longest first."""
