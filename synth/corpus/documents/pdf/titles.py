"""Title of a PDF: the largest text on its first page, if it says what the file is about."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from synth.text.markup import plain

_NO_NAME = re.compile(r"\.\w{2,4}$|^(?:untitled|microsoft word|powerpoint)", re.IGNORECASE)
"""Pattern of file and program names, which programs write into the metadata."""

_LONGEST_NAME = 100


@lru_cache(maxsize=1)
def _covers() -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Return the phrases below the name on a form's cover, and a pattern of text printed on many covers."""
    table = json.loads(files(__package__).joinpath("covers.json").read_text("utf-8"))
    phrases = sorted(map(re.escape, table["no_titles"]), key=len, reverse=True)
    return tuple(table["below_names"]), re.compile("|".join(phrases), re.IGNORECASE)


def title_of(shown: Sequence[str], named: str, text: str, first_page: str) -> str:
    """Return the title of a PDF, or "" if none is certain.

    `shown` are the headings of the first page, largest first. `named`, the title in the metadata, is used if `text`
    contains it. Otherwise the name on a form's cover is used, then the first of `shown`, then `named` again.
    """
    own = _name_on_cover(first_page) or next((heading for heading in shown if not is_no_title(heading)), "")
    named = " ".join(named.split())
    if _NO_NAME.search(named) or not re.search(r"[^\W\d_]{2}", named) or is_no_title(named):
        named = ""
    if named and (not own or named.casefold() in " ".join(text.casefold().split())):
        return named
    return own or named


def is_no_title(heading: str) -> bool:
    """Whether a heading contains only words printed on many covers, such as "UNITED STATES" or a file number."""
    _, phrases = _covers()
    return not any(map(str.isalpha, phrases.sub("", heading)))


def _name_on_cover(page: str) -> str:
    """Return the line above "(Exact name of registrant as specified in its charter)"."""
    below, _ = _covers()
    above = ""
    for block in page.split("\n\n"):
        words = plain(block).text
        if words.casefold().startswith(below):
            return above if len(above) <= _LONGEST_NAME and not is_no_title(above) else ""
        above = words
    return ""
