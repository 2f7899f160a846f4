"""Regular expressions from users and sets, matched in time linear in the length of the text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

MOST_CHARACTERS = 5_000
"""Maximum length of a pattern, because compiling takes time too."""


def is_found(pattern: str, text: str) -> bool:
    """Return whether `pattern` matches somewhere in `text`. Raises ValueError as `compiled` does."""
    return compiled(pattern).search(_encodable(text)) is not None


def is_whole(pattern: str, text: str) -> bool:
    """Return whether `pattern` matches all of `text`. Raises ValueError as `compiled` does."""
    return compiled(pattern).fullmatch(_encodable(text)) is not None


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    r"""Return `pattern` as a compiled RE2 expression.

    RE2 never backtracks: `^(a+)+$` takes as long as `^a+$`, and no pattern uses more than 8 MiB. Python's own `re` can
    run practically for ever and cannot be interrupted meanwhile. The syntax is that of RE2, without lookaround and
    backreferences. `\d`, `\w`, `\s` and `\b` match ASCII only, as with `re.ASCII`. `\p{Han}` and `(?i)` are supported.

    Raises ValueError when `pattern` is not a valid RE2 expression or is too long.
    """
    import re2

    if len(pattern) > MOST_CHARACTERS:
        raise ValueError(f"it has {len(pattern):,} characters, at most {MOST_CHARACTERS:,} are allowed")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(_encodable(pattern), options)
    except re2.error as error:
        raise ValueError(error.args[0].decode("utf-8", "replace")[:200]) from error


def _encodable(text: str) -> str:
    """Return `text` with U+FFFD in place of halves of surrogate pairs, which UTF-8 cannot represent."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
