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
    made, index = "", 0
    while index < len(pattern):
        rest = pattern[index:]
        if rest.startswith("**/"):
            made, index = made + "(?:[^/]+/)*", index + 3
        elif rest.startswith("**"):
            made, index = made + ".*", index + 2
        elif rest[0] == "*":
            made, index = made + "[^/]*", index + 1
        elif rest[0] == "?":
            made, index = made + "[^/]", index + 1
        elif match := re.match(r"\[(!?)(\]?[^\]]*)\]", rest):
            inside = match.group(2).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("^", "\\^")
            made, index = made + f"[{'^' if match.group(1) else ''}{inside}]", index + match.end()
        else:
            made, index = made + re.escape(rest[0]), index + 1
    return re.compile(made, re.DOTALL)


def matches(path: str, patterns: Sequence[str]) -> bool:
    """Whether `path`, or a folder it lies in, matches one of `patterns`.

    `*` and `?` stay within one name, `**` crosses folders, `[...]` is a set. A pattern without a
    slash is looked for at every depth: `*.md`, `drafts`; one with a slash starts at the top.
    """
    names = path.split("/")
    heads = ["/".join(names[: count + 1]) for count in range(len(names))]
    return any(_compiled(pattern).fullmatch(head) for pattern in patterns for head in heads)
