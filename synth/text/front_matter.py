"""Front matter of Markdown: metadata in YAML or TOML at the start of a file."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_FENCED = re.compile(
    r"\A(?:---[ \t]*\n(?P<yaml>(?!\s*\n).*?)\n(?:---|\.\.\.)|\+\+\+[ \t]*\n(?P<toml>.*?)\n\+\+\+)[ \t]*(?=\n|\Z)",
    re.DOTALL,
)
# A blank line after the first mark makes it a thematic break, as in Pandoc.

_TITLE = re.compile(r"^title[ \t]*:[ \t]*(?P<line>[^\n]*)(?P<below>(?:\n[ \t]+[^\n]*)*)", re.MULTILINE | re.IGNORECASE)
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^']|'')*)'")
_COMMENT = re.compile(r"(?:^|[ \t])#.*")


def front_matter_end(text: str) -> int:
    """Return the offset after the front matter of a text, or 0 if the text has no front matter."""
    match = _FENCED.match(text)
    return match.end() if match else 0


def front_matter_title(text: str) -> str:
    """Return the `title` field of the front matter of a text, or "" if there is no front matter or title."""
    match = _FENCED.match(text)
    if not match:
        return ""
    return _toml_title(match["toml"]) if match["yaml"] is None else _yaml_title(match["yaml"])


def _toml_title(source: str) -> str:
    try:
        fields: dict[str, Any] = tomllib.loads(source)
    except tomllib.TOMLDecodeError:
        return ""
    title = next((value for name, value in fields.items() if name.casefold() == "title"), "")
    return title.strip() if isinstance(title, str) else ""


def _yaml_title(source: str) -> str:
    """Return the title in YAML. It may be plain, in quotation marks, or a block of indented lines."""
    match = _TITLE.search(source)
    if not match:
        return ""
    line = match["line"].strip()
    if quoted := _QUOTED.match(line):
        double, single = quoted.groups()
        return re.sub(r"\\(.)", r"\1", double).strip() if double is not None else single.replace("''", "'").strip()
    if line[:1] in ("|", ">"):
        line = ""
    return " ".join(f"{_COMMENT.sub('', line)} {match['below']}".split())
