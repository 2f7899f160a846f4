"""Regular expressions that users and sets give, matched in time linear in the text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

MOST_CHARACTERS = 5_000
"""Longest pattern: compiling takes time too."""


def is_found(pattern: str, text: str) -> bool:
    """Whether `pattern` matches somewhere in `text`. Raises ValueError as `compiled` does."""
    return compiled(pattern).search(_encodable(text)) is not None


def is_whole(pattern: str, text: str) -> bool:
    """Whether `pattern` matches all of `text`. Raises ValueError as `compiled` does."""
    return compiled(pattern).fullmatch(_encodable(text)) is not None


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    r"""`pattern` as an expression of RE2.

    RE2 never backtracks: `^(a+)+$` takes as long as `^a+$`, and no pattern takes more than 8 MiB. Python's own `re` can
    take for ever, and cannot be interrupted meanwhile. The syntax is that of RE2: no lookaround, no backreferences;
    `\d`, `\w`, `\s` and `\b` know ASCII alone, as with `re.ASCII`; `\p{Han}` and `(?i)` are known.

    Raises ValueError when `pattern` is no expression that RE2 knows, or is too long.
    """
    import re2

    if len(pattern) > MOST_CHARACTERS:
        raise ValueError(f"{len(pattern):,} characters, at most {MOST_CHARACTERS:,} are taken")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(_encodable(pattern), options)
    except re2.error as error:
        raise ValueError(error.args[0].decode("utf-8", "replace")[:200]) from error


def _encodable(text: str) -> str:
    """`text` with U+FFFD for halves of surrogate pairs, which UTF-8 cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
