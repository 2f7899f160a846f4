"""Wrong answers that are easily mistaken for the right one, made from the answer and its passage."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import pairwise

from synth.core.records import digest
from synth.text.language import is_chinese
from synth.text.normalise import normalise, to_traditional

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SEPARATOR = re.compile(
    r"(?:(?:(?<!\s)|(?<=and )|(?<=or ))\s++)?[,;、；，]\s*+(?:and |or |以及|和)?"
    r"|(?:(?<!\s)|(?<=and )|(?<=or ))\s++(?:and|or)\s+|以及"
)
_FEWEST_ITEMS = 3
_LONGEST_ITEM = 80
"""Maximum length of a list item, in characters. Longer text is a clause."""


def spoilt(answer: str, passage: str, language: str) -> list[tuple[str, str]]:
    """Return (fault, wrong answer) pairs, shuffled by a hash of `answer`. `fault` names what was changed.

    `passage` is the text around the evidence, as in the document. Each wrong answer differs from `answer`, but may be
    right by chance, because nothing checks it. For example, another number of the passage may answer the question too.
    """
    wrong = [(kind, text) for kind, spoil in _SPOILERS.items() if (text := spoil(answer, passage, language))]
    different = [(kind, text) for kind, text in wrong if normalise(text) != normalise(answer)]
    return sorted(different, key=lambda pair: digest("spoilt", pair[0], answer))


def _changed_number(answer: str, passage: str, language: str) -> str:
    """Replace a number by the passage's number nearest in length and value, or increase it if there is none."""
    numbers = _NUMBER.findall(answer)
    if not numbers:
        return ""
    number = _drawn(numbers, answer)
    others = sorted(set(_NUMBER.findall(passage)) - set(numbers), key=lambda other: (_distance(number, other), other))
    near = [other for other in others if abs(len(other) - len(number)) <= 1]
    return answer.replace(number, near[0] if near else _increased(number, answer), 1)


def _distance(number: str, other: str) -> float:
    return abs(float(re.sub(r"\D", "", number)) - float(re.sub(r"\D", "", other)))


def _increased(number: str, answer: str) -> str:
    last = re.findall(r"\d+", number)[-1]
    more = str(int(last) + 1 + int(digest("more", answer)[:4], 16) % 7).zfill(len(last))
    return number[: len(number) - len(last)] + more


def _neighbouring_cell(answer: str, passage: str, language: str) -> str:
    """Return the cell below or above the answer in the same column of a table, or ""."""
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in passage.splitlines()]
    table = [row for row, line in zip(rows, passage.splitlines(), strict=True) if line.lstrip().startswith("|")]
    body = [row for row in table if not all(re.fullmatch(r":?-*:?", cell) for cell in row)][1:]
    for place, row in enumerate(body):
        for column, cell in enumerate(row):
            if normalise(cell) == normalise(answer):
                near = [body[at] for at in (place + 1, place - 1) if 0 <= at < len(body)]
                return next((other[column] for other in near if column < len(other) and other[column] != cell), "")
    return ""


def _dropped_item(answer: str, passage: str, language: str) -> str:
    """Return a list of three or more items without one of them."""
    items = list_items(answer)
    if not items:
        return ""
    cuts = _cuts(answer)
    place = 1 + int(digest("item", answer)[:4], 16) % (len(items) - 1)
    return answer[: cuts[place][0]] + answer[cuts[place + 1][0] :]


def _cuts(answer: str) -> list[tuple[int, int]]:
    """Return the offsets of the separators between the items of an answer, with its start and end."""
    return [(0, 0), *(match.span() for match in _SEPARATOR.finditer(answer)), (len(answer), len(answer))]


def list_items(answer: str) -> list[str]:
    """Return the items of an answer that is a list of three or more, else []."""
    items = [answer[end:start] for (_, end), (start, _) in pairwise(_cuts(answer))]
    short = all(0 < len(item) <= _LONGEST_ITEM for item in items)
    return items if len(items) >= _FEWEST_ITEMS and short else []


def _reversed(answer: str, passage: str, language: str) -> str:
    """Return the answer with a duty changed to a permission, an upper limit to a lower one, or the like.

    The pairs of words are in `reversals.json`.
    """
    for start, end, other in reversals(answer, language):
        return answer[:start] + other + answer[end:]
    return ""


def reversals(text: str, language: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, replacement) for each word whose replacement reverses a rule, as "may" for "must" does."""
    for pattern, other in _reversals(language):
        if match := pattern.search(text):
            yield match.start(), match.end(), other.capitalize() if match[0][0].isupper() else other


@cache
def _reversals(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    chinese = is_chinese(language)
    every = json.loads(files("synth.generation").joinpath("reversals.json").read_text("utf-8"))["pairs"]
    pairs = [tuple(pair) for pair in every["zh" if chinese else "en"]]
    if language == "zh-Hant":
        pairs = [tuple(map(to_traditional, pair)) for pair in pairs]
    both = [*pairs, *((second, first) for first, second in pairs)]
    # Lower case, except at the start: "may" is not the month.
    edges = "{}" if chinese else r"(?<![\w-])(?:{}|(?<!\w )(?<!\w){})(?![\w-])"
    return tuple((re.compile(edges.format(re.escape(one), re.escape(one.capitalize()))), other) for one, other in both)


def _drawn(choices: Sequence[str], name: str) -> str:
    return choices[int(digest("drawn", name)[:8], 16) % len(choices)]


_SPOILERS: dict[str, Callable[[str, str, str], str]] = {
    "another number": _changed_number,
    "neighbouring cell": _neighbouring_cell,
    "dropped item": _dropped_item,
    "reversed rule": _reversed,
}

FAULTS: tuple[str, ...] = tuple(_SPOILERS)
"""Names of the faults that `spoilt` can make."""
