"""From what came back to annotations: whose, on which row, and what cannot be taken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from synth.annotation.formats.base import Problem, Returned, answers_text
from synth.annotation.messages import keys_by_word
from synth.annotation.records import ACCEPT, BEST, EDIT, Annotation, annotation_of, sample_hash, tidy
from synth.core.errors import RecordError
from synth.core.records import Sample

_NUMBER = re.compile(r"\d+")
_NUMERIC = re.compile(r"[\d\s.,:/%+\-年月日]+")


@dataclass
class Taken:
    """What an import comes to: annotations, rows nobody has decided yet, and what cannot be used."""

    annotations: list[Annotation] = field(default_factory=list)
    open: int = 0
    problems: list[Problem] = field(default_factory=list)


def take(
    rows: Iterable[Returned], samples: Mapping[str, Sample], annotator: str, *, adjudicated: bool = False
) -> Taken:
    """Turn rows into annotations of `samples`, by id; `annotator` is who decided where a row does not say.

    A row whose hash is not that of the sample was made for another version of it and is not taken. A text that
    differs from the row's only by what the file does to texts, or a spreadsheet to numbers and dates, is unchanged.
    """
    taken = Taken()
    for row in rows:
        sample = samples.get(row.sample_id)
        if sample is None:
            known = "is in neither the set nor its refused candidates" if row.sample_id else "is missing"
            taken.problems.append(Problem(row.place, f"the id {row.sample_id!r} {known}"))
        elif row.sample_hash and row.sample_hash != sample_hash(sample):
            why = f"'{sample.id}' has changed since the file was made; it has to be looked at again"
            cut = sample_hash(sample).startswith(row.sample_hash)
            taken.problems.append(Problem(row.place, "the line breaks off within its hash" if cut else why))
        else:
            _take(row, sample, annotator, adjudicated, taken)
    return taken


def _take(row: Returned, sample: Sample, annotator: str, adjudicated: bool, taken: Taken) -> None:
    try:
        question = _text(row.question, sample.question, row)
        answers = _text(row.answers, answers_text(sample.golden_answers), row)
        golden_answers = answers.split("\n") if answers else []
        given: dict[str, Any] = {"question": question, "golden_answers": golden_answers, "comment": row.comment}
        given["decision"] = _key("decision", row.decision, row.place)
        given["reason"] = _key("reason", row.reason, row.place)
        given["ratings"] = {name: _level(value, name, row.place) for name, value in row.ratings.items()}
        if not given["decision"]:
            if not (question or answers):
                taken.open += 1
                return
            given["decision"] = EDIT
        if given["decision"] not in (ACCEPT, EDIT):
            given["question"], given["golden_answers"] = "", []
        who = row.annotator or annotator
        taken.annotations.append(annotation_of(sample, who, given, row.place, adjudicated=adjudicated))
    except RecordError as error:
        taken.problems.append(Problem(row.place, str(error).removeprefix(f"{row.place}: ")))


def _text(came: str, went: str, row: Returned) -> str:
    """The new wording, "" where it is the old one as far as can be told.

    Raises RecordError for one that has lost characters on its way.
    """
    came, in_file, went = tidy(came), row.loss(went), tidy(went)
    if not came or came == went or _flat(came) in (_flat(went), _flat(in_file)) or _same_figures(came, went):
        return ""
    if _with_lost_characters(came, went):
        return ""
    if not went.isascii() and came.count("?") > went.count("?") + 1:
        raise RecordError(
            f"{row.place}: '{came[:60]}' has question marks where characters were lost; save the file as UTF-8 or XLSX"
        )
    return came


def _with_lost_characters(came: str, went: str) -> bool:
    """Whether two texts differ only by question marks, where an encoding could not write a character."""
    if "?" not in came or went.isascii():
        return False
    pattern = "".join(re.escape(char) if char.isascii() else rf"(?:{re.escape(char)}|\?\??)" for char in _flat(went))
    return re.fullmatch(pattern, _flat(came)) is not None


def _flat(text: str) -> str:
    return " ".join(text.split())


def _same_figures(came: str, went: str) -> bool:
    """Whether two texts are one number or date, as a spreadsheet rewrites it: 007 and 7, 2021-03-05 and 2021/3/5."""
    if not (_NUMERIC.fullmatch(came) and _NUMERIC.fullmatch(went)):
        return False
    try:
        return float(came.replace(",", "")) == float(went.replace(",", ""))
    except ValueError:
        first, second = (sorted(map(int, _NUMBER.findall(text))) for text in (came, went))
        midnight = [number for number in first if number]  # a date comes back with a time of 00:00:00
        return len(second) == 3 and second in (first, midnight)


def _key(group: str, said: str, place: str) -> str:
    """The key of a word in any of our languages; a word cut short, or with more behind it, counts where it is clear."""
    word = tidy(said).lower()
    if not word:
        return ""
    words = keys_by_word(group)
    found = {words[word]} if word in words else {key for name, key in words.items() if name.startswith(word)}
    if len(found) != 1:
        raise RecordError(
            f"{place}: '{said.strip()[:60]}' is no {group}; known are {', '.join(sorted(set(words.values())))}"
        )
    return found.pop()


def _level(value: Any, name: str, place: str) -> int:
    text = str(value).strip().removesuffix(".0")
    words = keys_by_word("level")
    level = words.get(text.lower(), text)
    if level not in map(str, range(1, BEST + 1)):
        raise RecordError(f"{place}: the rating of {name} must be 1 to {BEST}, was '{text[:20]}'")
    return int(level)
