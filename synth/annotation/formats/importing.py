"""Import of returned rows as annotations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from synth.annotation.formats.base import Problem, ReturnedRow, answers_text
from synth.annotation.messages import keys_by_word, language_of, wording
from synth.annotation.records import ACCEPT, BEST, EDIT, REJECT, Annotation, annotation_of, sample_hash, tidy
from synth.core.errors import RecordError
from synth.core.records import Sample
from synth.text.language import LANGUAGES
from synth.text.prompt_injection import gives_orders

_NUMBER = re.compile(r"\d+")
_NUMERIC = re.compile(r"[\d\s.,:/%+\-年月日]+")


@dataclass
class ImportResult:
    """Result of an import: the annotations, the number of undecided rows, and the problems.

    `reworded` is the number of rows with a new wording whose decision was blank or "accept". They count as edits.
    """

    annotations: list[Annotation] = field(default_factory=list)
    reworded: int = 0
    undecided: int = 0
    problems: list[Problem] = field(default_factory=list)


def take(
    rows: Sequence[ReturnedRow], samples: Mapping[str, Sample], annotator: str, *, adjudicated: bool = False
) -> ImportResult:
    """Convert returned rows to annotations of `samples`, which maps ids to rows.

    `annotator` is the name to use if a row has none. `adjudicated` marks decisions that settle a disagreement. A row
    whose hash differs is about another version of the sample and is reported as a problem. Problems are in the language
    of the decisions and reasons in the rows, or else in that of the samples.

    A text counts as unchanged if only the file format or a spreadsheet changed the form of characters, numbers or
    dates.
    """
    result = ImportResult()
    words = wording(_language(rows, samples))
    says = words["problem"]
    for row in rows:
        sample = samples.get(row.sample_id)
        if sample is None:
            why = says["unknown_id"].format(word=row.sample_id) if row.sample_id else says["no_id"]
            result.problems.append(Problem(row.place, why))
        elif row.sample_hash and row.sample_hash != sample_hash(sample):
            cut = sample_hash(sample).startswith(row.sample_hash)
            why = "the line is cut off: its hash is incomplete" if cut else says["changed"]
            result.problems.append(Problem(_place(row), why))
        else:
            _take(row, sample, _Annotator(annotator, adjudicated, words), result)
    return result


@dataclass(frozen=True, slots=True)
class _Annotator:
    """Facts about the rows of a sheet.

    `name` is the annotator of rows that name none. `adjudicated` means that the decisions settle disagreements. `words`
    are the texts in the language of the sheet.
    """

    name: str
    adjudicated: bool
    words: Mapping[str, Any]


def _language(rows: Sequence[ReturnedRow], samples: Mapping[str, Sample]) -> str:
    """Return the language of most decisions and reasons, or else that of the samples."""
    given = Counter(tidy(word).lower() for row in rows for word in (row.decision, row.reason) if word)
    own = language_of(samples.values())

    def known(language: str) -> int:
        words = wording(language)
        return sum(given[word.lower()] for group in ("decision", "reason") for word in words[group].values())

    return max(LANGUAGES, key=lambda language: (known(language), language == own))


def _place(row: ReturnedRow) -> str:
    return f"{row.place} ({row.sample_id})"


def _take(row: ReturnedRow, sample: Sample, who: _Annotator, result: ImportResult) -> None:
    words = who.words
    try:
        question = _text(row.question, sample.question, row)
        answers = _text(row.answers, answers_text(sample.golden_answers), row)
        golden_answers = answers.split("\n") if answers else []
        _check_orders((question, *golden_answers), (sample.question, *sample.golden_answers), row.place)
        values: dict[str, Any] = {"question": question, "golden_answers": golden_answers, "comment": row.comment}
        given = values["decision"] = _key("decision", row.decision, words)
        values["reason"] = _key("reason", row.reason, words)
        values["ratings"] = {name: _level(value, name, words) for name, value in row.ratings.items()}
        if not given:
            if not (question or answers):
                result.undecided += 1
                return
            values["decision"] = EDIT
        if values["decision"] not in (ACCEPT, EDIT):
            values["question"], values["golden_answers"] = "", []
        _check(values, sample, words)
        annotation = annotation_of(sample, row.annotator or who.name, values, row.place, adjudicated=who.adjudicated)
        result.annotations.append(annotation)
        result.reworded += annotation.decision == EDIT and given != EDIT
    except RecordError as error:
        result.problems.append(Problem(_place(row), str(error).removeprefix(f"{row.place}: ")))


def _check(values: Mapping[str, Any], sample: Sample, words: Mapping[str, Any]) -> None:
    """Raise RecordError, in the language of the sheet, for a missing reason, an empty edit or an unwanted answer."""
    says, reasons = words["problem"], words["reason"]
    if values["decision"] == REJECT and not values["reason"]:
        raise RecordError(says["no_reason"].format(known=words["list"].join(reasons.values())))
    if values["decision"] == EDIT and not (values["question"] or values["golden_answers"]):
        raise RecordError(says["no_change"])
    if values["golden_answers"] and not sample.golden_answers:
        raise RecordError(says["no_answer"].format(known=reasons["wrong_type"]))


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


def _key(group: str, text: str, own: Mapping[str, Any]) -> str:
    """Return the key for a word in any supported language; "" for an empty text.

    A beginning of a word is enough if it is unambiguous. Raises RecordError for an unknown word, with the known ones of
    the sheet's language (`own`).
    """
    word = tidy(text).lower()
    if not word:
        return ""
    words = keys_by_word(group)
    keys = {words[word]} if word in words else {key for name, key in words.items() if name.startswith(word)}
    if len(keys) != 1:
        known = own["list"].join(own[group].values())
        raise RecordError(own["problem"][f"unknown_{group}"].format(word=text.strip()[:60], known=known))
    return keys.pop()


def _level(value: Any, name: str, own: Mapping[str, Any]) -> int:
    text = str(value).strip().removesuffix(".0")
    words = keys_by_word("level")
    level = words.get(text.lower(), text)
    if level not in map(str, range(1, BEST + 1)):
        shown = own["dimension"].get(name, name)
        raise RecordError(own["problem"]["rating"].format(name=shown, word=text[:20], best=BEST))
    return int(level)
