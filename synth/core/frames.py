"""DataFrames of pandas as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from pandas import DataFrame


def is_frame(value: object) -> TypeGuard[DataFrame]:
    """Return whether a value is a DataFrame; pandas is not imported for it."""
    return type(value).__name__ == "DataFrame" and hasattr(value, "to_dict")


def records(frame: DataFrame) -> Iterator[dict[str, Any]]:
    """The lines of a DataFrame by column, without missing values.

    Whole numbers that pandas made floats, since their column lacks values, are whole again.
    """
    from pandas import isna
    from pandas.api.types import is_scalar

    lacking = {str(name) for name in frame.columns if frame[name].isna().any()}
    for line in frame.to_dict("records"):
        row = {str(name): value for name, value in line.items() if not (is_scalar(value) and isna(value))}
        yield {
            name: int(value) if name in lacking and isinstance(value, float) and value.is_integer() else value
            for name, value in row.items()
        }
