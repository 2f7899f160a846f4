"""Rows of pandas DataFrames."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeGuard

if TYPE_CHECKING:
    from pandas import DataFrame


def is_frame(value: object) -> TypeGuard[DataFrame]:
    """Return whether a value is a DataFrame, without importing pandas."""
    return type(value).__name__ == "DataFrame" and hasattr(value, "to_dict")


def records(frame: DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the rows of a DataFrame by column name, without missing values.

    If a column has missing values, pandas stores its whole numbers as floats. These floats are converted back to int.
    """
    from pandas import isna
    from pandas.api.types import is_scalar

    lacking = {str(name) for name in frame.columns if frame[name].dtype.kind == "f" and frame[name].isna().any()}
    for line in frame.to_dict("records"):
        row = {str(name): value for name, value in line.items() if not (is_scalar(value) and isna(value))}
        yield {
            name: int(value) if name in lacking and isinstance(value, float) and value.is_integer() else value
            for name, value in row.items()
        }
