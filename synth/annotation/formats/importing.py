"""Import of returned rows as annotations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synth.annotation.formats.base import Problem, ReturnedRow, answers_text
from synth.annotation.messages import keys_by_word
from synth.annotation.records import ACCEPT, BEST, EDIT, Annotation, annotation_of, sample_hash, tidy
from synth.core.errors import RecordError
from synth.core.records import Sample
from synth.text.prompt_injection import gives_orders

_NUMBER = re.compile(r"\d+")
_NUMERIC = re.compile(r"[\d\s.,:/%+\-年月日]+")


@dataclass
class ImportResult:
    """Result of an import: the annotations, the number of undecided rows, and the problems."""

    annotations: list[Annotation] = field(default_factory=list)
    undecided: int = 0
    problems: list[Problem] = field(default_factory=list)


def take(
    rows: Iterable[ReturnedRow], samples: Mapping[str, Sample], annotator: str, *, adjudicated: bool = False
) -> ImportResult:
    """Convert returned rows to annotations of `samples`, which maps ids to rows.

    `annotator` is the name to use if a row has none. `adjudicated` marks decisions that settle a disagreement. A row
    whose hash differs is about another version of the sample and is reported as a problem.

    A text counts as unchanged if only the file format or a spreadsheet changed the form of characters, numbers or
    dates.
    """
    result = ImportResult()
    for row in rows:
        sample = samples.get(row.sample_id)
        if sample is None:
            known = "is neither a row nor a refused candidate of the set" if row.sample_id else "is missing"
            result.problems.append(Problem(row.place, f"the id {row.sample_id!r} {known}"))
        elif row.sample_hash and row.sample_hash != sample_hash(sample):
            why = f"row '{sample.id}' has changed since the file was written; review the row again"
            cut = sample_hash(sample).startswith(row.sample_hash)
            result.problems.append(Problem(row.place, "the line is truncated within its hash" if cut else why))
        else:
            _take(row, sample, annotator, adjudicated, result)
    return result


def _take(row: ReturnedRow, sample: Sample, annotator: str, adjudicated: bool, result: ImportResult) -> None:
    try:
        question = _text(row.question, sample.question, row)
        answers = _text(row.answers, answers_text(sample.golden_answers), row)
        golden_answers = answers.split("\n") if answers else []
        _check_orders((question, *golden_answers), (sample.question, *sample.golden_answers), row.place)
        values: dict[str, Any] = {"question": question, "golden_answers": golden_answers, "comment": row.comment}
        values["decision"] = _key("decision", row.decision, row.place)
        values["reason"] = _key("reason", row.reason, row.place)
        values["ratings"] = {name: _level(value, name, row.place) for name, value in row.ratings.items()}
        if not values["decision"]:
            if not (question or answers):
                result.undecided += 1
                return
            values["decision"] = EDIT
        if values["decision"] not in (ACCEPT, EDIT):
            values["question"], values["golden_answers"] = "", []
        who = row.annotator or annotator
        result.annotations.append(annotation_of(sample, who, values, row.place, adjudicated=adjudicated))
    except RecordError as error:
        result.problems.append(Problem(row.place, str(error).removeprefix(f"{row.place}: ")))


def _check_orders(texts: Sequence[str], originals: Sequence[str], place: str) -> None:
    """Raise RecordError if a new wording contains instructions to a language model and the original does not."""
    ordered = next((text for text in texts if gives_orders(text)), "")
    if ordered and not any(map(gives_orders, originals)):
        raise RecordError(
            f"{place}: '{ordered[:60]}' contains instructions to a language model; "
            "if they are wanted, edit the row on the review page"
        )


def _text(returned: str, original: str, row: ReturnedRow) -> str:
    """Return the new wording, "" if unchanged. Raises RecordError if characters of a new wording were lost."""
    returned, in_file, original = tidy(returned), row.as_stored(original), tidy(original)
    if (
        not returned
        or returned == original
        or _flat(returned) in (_flat(original), _flat(in_file))
        or _same_figures(returned, original)
    ):
        return ""
    if _with_lost_characters(returned, original):
        return ""
    if not original.isascii() and returned.count("?") > original.count("?") + 1:
        raise RecordError(
            f"{row.place}: in '{returned[:60]}' question marks replace lost characters; save the file as UTF-8 or XLSX"
        )
    return returned


def _with_lost_characters(returned: str, original: str) -> bool:
    """Return whether two texts differ only by question marks in place of characters that an encoding lacks."""
    if "?" not in returned or original.isascii():
        return False
    flat = _flat(returned)
    places: dict[str, int] = {}  # positions of each character in `returned`, as bits
    for at, char in enumerate(flat):
        places[char] = places.get(char, 0) | 1 << at
    marks = places["?"]
    # Each bit is a position in `returned` where the part of `original` read so far may end.
    ends = 1
    for char in _flat(original):
        lost = 0 if char.isascii() else (ends & marks) << 1
        ends = (ends & places.get(char, 0)) << 1 | lost | (lost & marks) << 1
    return bool(ends >> len(flat))


def _flat(text: str) -> str:
    return " ".join(text.split())


def _same_figures(returned: str, original: str) -> bool:
    """Return whether a spreadsheet may have rewritten a number or date: 007 as 7, 2021-03-05 as 2021/3/5."""
    if not (_NUMERIC.fullmatch(returned) and _NUMERIC.fullmatch(original)):
        return False
    try:
        return float(returned.replace(",", "")) == float(original.replace(",", ""))
    except ValueError:
        first, second = (sorted(map(int, _NUMBER.findall(text))) for text in (returned, original))
        midnight = [number for number in first if number]  # a date may return with the time 00:00:00
        return len(second) == 3 and second in (first, midnight)


def _key(group: str, text: str, place: str) -> str:
    """Return the key for a word in any supported language; "" for an empty text.

    A beginning of a word is enough if it is unambiguous. Raises RecordError for an unknown word.
    """
    word = tidy(text).lower()
    if not word:
        return ""
    words = keys_by_word(group)
    keys = {words[word]} if word in words else {key for name, key in words.items() if name.startswith(word)}
    if len(keys) != 1:
        raise RecordError(
            f"{place}: unknown {group} '{text.strip()[:60]}'; known: {', '.join(sorted(set(words.values())))}"
        )
    return keys.pop()


def _level(value: Any, name: str, place: str) -> int:
    text = str(value).strip().removesuffix(".0")
    words = keys_by_word("level")
    level = words.get(text.lower(), text)
    if level not in map(str, range(1, BEST + 1)):
        raise RecordError(f"{place}: the rating of {name} must be 1 to {BEST}, was '{text[:20]}'")
    return int(level)
