"""Include and exclude patterns for paths inside a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from synth.core.errors import ConfigError
from synth.core.patterns import is_whole


@lru_cache(maxsize=256)
def _expression(pattern: str) -> str:
    """Return `pattern` as a regular expression for a whole path with forward slashes; its `.` matches line ends too."""
    pattern = pattern.replace("\\", "/").removeprefix("./")
    pattern = pattern + "**" if pattern.endswith("/") else pattern
    if "/" not in pattern.removesuffix("/**"):
        pattern = "**/" + pattern
    pattern = pattern.lstrip("/")
    expression, index = "", 0
    while index < len(pattern):
        rest = pattern[index:]
        if rest.startswith("**/"):
            expression, index = expression + "(?:[^/]+/)*", index + 3
        elif rest.startswith("**"):
            expression, index = expression + ".*", index + 2
        elif rest[0] == "*":
            expression, index = expression + "[^/]*", index + 1
        elif rest[0] == "?":
            expression, index = expression + "[^/]", index + 1
        elif match := re.match(r"\[(!?)(\]?[^\]]*)\]", rest):
            inside = match.group(2).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("^", "\\^")
            expression, index = expression + f"[{'^' if match.group(1) else ''}{inside}]", index + match.end()
        else:
            expression, index = expression + re.escape(rest[0]), index + 1
    return f"(?s){expression}"


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether `path`, or a folder that contains it, matches one of `patterns`.

    `*` and `?` match within one name, `**` across folders, and `[...]` is a set of characters. A pattern without a
    slash (`*.md`, `drafts`) matches at every depth; a pattern with a slash matches from the top. Raise ConfigError for
    an invalid pattern such as `[z-a]`.
    """
    names = path.split("/")
    heads = ["/".join(names[: count + 1]) for count in range(len(names))]
    for pattern in patterns:
        try:
            if any(is_whole(_expression(pattern), head) for head in heads):
                return True
        except ValueError as error:
            raise ConfigError(f"'{pattern}' is not a valid file name pattern: {error}") from error
    return False
