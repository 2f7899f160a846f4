"""Text that nobody asks about: lines without content, and boilerplate such as a licence, a certification or a 404 page.

Boilerplate is text that is almost the same in every document of its kind.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from synth.text.blocks import blocks
from synth.text.markup import plain
from synth.text.normalise import collapse_space, to_simplified
from synth.text.sentences import split_sentences

_EMPTY = "no content"
_PROSE = ("paragraph", "list_item", "table_row", "html")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_NUMBER = re.compile(r"^\d+(?:\.\d+)*[.)、]\s*")


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    file_name: re.Pattern[str]
    heading: re.Pattern[str]
    phrase: re.Pattern[str]


def holds_nothing(line: str) -> bool:
    """Whether a line has no content, such as an entry of a table of contents or a credit (`no_prose.json`)."""
    return any(pattern.fullmatch(line.strip()) for pattern in _no_prose())


def boilerplate_kind(sentence: str, headings: Iterable[str] = ()) -> str:
    """Return the kind of boilerplate of a sentence, or "" (`boilerplate.json`).

    A phrase in the sentence or one of the headings above it decides.
    """
    above = [kind for heading in headings if (kind := _kind_of_heading(heading))]
    folded = to_simplified(sentence)
    return above[0] if above else next((kind.name for kind in _kinds() if kind.phrase.search(folded)), "")


def kind_of_file(name: str) -> str:
    """Return the kind of boilerplate that files of this name contain, or "". The name has no folder and no ending."""
    return next((kind.name for kind in _kinds() if kind.file_name.fullmatch(name)), "")


def boilerplate_sizes(text: str, format: str, headings: Sequence[str]) -> Counter[str]:
    """Return the number of characters of a text by kind of boilerplate; "" is the kind of all other text.

    Headings, code and formulas are not counted. `headings` are those above the beginning of the text.
    """
    sizes: Counter[str] = Counter()
    for block in blocks(text, format):
        if block.kind in _PROSE:
            above = (*headings[:1], *block.headings) if block.headings else headings
            for sentence in _sentences(plain(text, block.start, block.end, markdown=format == "markdown").text):
                empty = holds_nothing(sentence)
                sizes[_EMPTY if empty else boilerplate_kind(sentence, above)] += len(sentence)
    return sizes


def _sentences(text: str) -> Iterator[str]:
    if holds_nothing(collapse_space(text)):
        yield collapse_space(text)
    else:
        yield from (collapse_space(text[start:end]) for start, end in split_sentences(text))


@lru_cache(maxsize=4096)
def _kind_of_heading(heading: str) -> str:
    bare = _NUMBER.sub("", _EDGES.sub("", to_simplified(heading)))
    return next((kind.name for kind in _kinds() if kind.heading.fullmatch(bare)), "")


@cache
def _kinds() -> tuple[_Kind, ...]:
    kinds = _table("boilerplate").items()
    return tuple(
        _Kind(
            name,
            _any_of(kind["file_names"], re.NOFLAG),
            _any_of(kind["headings"], re.IGNORECASE),
            _any_of(kind["phrases"], re.IGNORECASE),
        )
        for name, kind in kinds
    )


def _any_of(patterns: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str]:
    return re.compile("|".join(patterns) or "(?!)", flags)


@cache
def _no_prose() -> tuple[re.Pattern[str], ...]:
    kinds = _table("no_prose").values()
    return tuple(re.compile(pattern, re.IGNORECASE) for kind in kinds for pattern in kind["patterns"])


def _table(name: str) -> dict[str, Any]:
    kinds: dict[str, Any] = json.loads(files("synth.text").joinpath(f"{name}.json").read_text("utf-8"))["kinds"]
    return kinds
