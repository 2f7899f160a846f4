"""Include and exclude patterns over paths inside a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    """`pattern` as a regular expression over a whole path with forward slashes."""
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
    return re.compile(expression, re.DOTALL)


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether `path`, or a folder it lies in, matches one of `patterns`.

    `*` and `?` match within one name, `**` across folders, `[...]` is a set of characters. A pattern without a slash
    (`*.md`, `drafts`) matches at every depth, one with a slash from the top.
    """
    names = path.split("/")
    heads = ["/".join(names[: count + 1]) for count in range(len(names))]
    return any(_compiled(pattern).fullmatch(head) for pattern in patterns for head in heads)
