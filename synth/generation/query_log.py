"""Logs of real questions. A set can follow their mix, but must not repeat them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth.core.errors import InputError, RecordError
from synth.core.fields import Fields
from synth.core.input_files import bytes_of
from synth.core.jsonl import Damaged, parsed_line
from synth.corpus.documents.decoding import decode
from synth.corpus.documents.reasons import Unloadable
from synth.text.language import LANGUAGES, detect
from synth.text.normalise import collapse_space, normalise
from synth.text.question_identity import ComparedQuestion, index, minhash
from synth.text.question_style import kind_of, length_band, style_of
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from datasketch import MinHashLSH

FIELDS = ("question", "query", "text")
_MAX_CHARACTERS = 1000  # maximum length of a question
_JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")
_NEGATION = re.compile(r"\b(?:not|never|without|no)\b|n['’]t\b", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True, order=True)
class QuestionTraits:
    """Language, style, length and kind of a question, with values from `synth.text.question_style`."""

    language: str
    style: str
    length: str
    kind: str

    @classmethod
    def of(cls, question: str, language: str) -> QuestionTraits:
        """Return the traits of a question in `language`."""
        return cls(language, style_of(question, language), length_band(question, language), kind_of(question, language))


@dataclass(frozen=True, slots=True)
class QuestionLog:
    """Questions of a log, in order, and the lines that were skipped, with the reason."""

    questions: tuple[str, ...]
    damaged: tuple[Damaged, ...]


def read_log(path: Path) -> QuestionLog:
    """Read the questions of a log: JSONL with "question", "query" or "text", or plain text with one per line.

    A file is JSONL if its suffix is `.jsonl`, `.ndjson` or `.json`, or if its first line is a JSON object or JSON
    string. In JSONL, each line is an object or a string. A file that is a single JSON array or object is read as its
    items. Damaged lines are skipped and reported. Raise InputError if the file cannot be read or contains no question.
    """
    try:
        text = decode(bytes_of(path))[0]
    except (OSError, Unloadable) as error:
        raise InputError(f"cannot read the question log {path}: {error}") from error
    lines = [(number, line.strip()) for number, line in enumerate(_LINE_END.split(text), start=1) if line.strip()]
    is_json = path.suffix.lower() in _JSON_SUFFIXES or (bool(lines) and _is_record(lines[0][1]))
    if is_json and (items := _items(text)) is not None:
        lines = items
    questions: list[str] = []
    damaged: list[Damaged] = []
    for number, line in lines:
        place = f"{path.name}:{number}"
        try:
            question = collapse_space(_question(line, place) if is_json else line)
            if fault := _unfit(question):
                raise RecordError(f"{place}: {fault}")
            questions.append(question)
        except RecordError as error:
            damaged.append(Damaged(number, str(error)))
    if not questions:
        example = f"; {len(damaged)} lines are damaged, the first: {damaged[0].reason}" if damaged else ""
        raise InputError(
            f"the question log {path} contains no question{example}; write JSONL with one of the fields "
            f"{', '.join(FIELDS)}, or plain text with one question per line"
        )
    return QuestionLog(tuple(questions), tuple(damaged))


def _is_record(line: str) -> bool:
    """Return whether a line is a JSON object or a JSON string."""
    try:
        return isinstance(json.loads(line), dict | str)
    except (ValueError, RecursionError):
        return False


def _items(text: str) -> list[tuple[int, str]] | None:
    """Return the items of a JSON array, or a single JSON object, as numbered lines; None if the text is JSONL."""
    if "\n" not in text.strip() and not text.lstrip().startswith("["):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    items = value if isinstance(value, list) else [value]
    return [(number, json.dumps(item, ensure_ascii=False)) for number, item in enumerate(items, start=1)]


def _question(line: str, place: str) -> str:
    """Return the question of a JSON line. Raise RecordError if the line has none."""
    value = parsed_line(line, place)
    if isinstance(value, str):
        return value
    fields = Fields(value, place)
    field = next((name for name in FIELDS if fields.values.get(name)), "")
    if not field:
        raise RecordError(f"{place}: the line has none of the fields {', '.join(FIELDS)}")
    return fields.value(field, str)


def _unfit(question: str) -> str:
    if not any(char.isalnum() for char in question):
        return "the question has no letter or digit"
    if "\ufffd" in question:
        return "the question contains characters that could not be decoded; save the file as UTF-8"
    if len(question) > _MAX_CHARACTERS:
        return f"the question has {len(question)} characters, at most {_MAX_CHARACTERS} are allowed"
    return ""


class LogProfile:
    """Mix of the questions of a log, and an index of them to avoid repeats.

    `fallback` is the language of questions too short for detection. Repeated questions count every time. Raise
    InputError if `questions` is empty.
    """

    def __init__(self, questions: Sequence[str], fallback: str = "en") -> None:
        if not questions:
            raise InputError("a log profile needs at least one question, but `questions` is empty")
        self.cells: Counter[QuestionTraits] = Counter(
            QuestionTraits.of(question, _language(question, fallback)) for question in questions
        )
        self.questions = tuple(questions)
        self._asked_questions = _AskedQuestions(questions, fallback)

    def mix(self, attribute: str) -> dict[str, int]:
        """Return the number of questions per value of "style", "length", "kind" or "language", most frequent first."""
        counts: Counter[str] = Counter()
        for cell, count in self.cells.items():
            counts[getattr(cell, attribute)] += count
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def share(self, cell: QuestionTraits) -> float:
        """Return the share of the questions, from 0 to 1, with this style, length and kind, in any language."""
        like = (replace(cell, language=language) for language in {known.language for known in self.cells})
        return sum(self.cells[same] for same in like) / self.cells.total()

    def repeats(self, question: str) -> bool:
        """Return whether the log contains the question or a matching question."""
        return question in self._asked_questions


def _language(question: str, fallback: str) -> str:
    language = detect(question)
    return language if language in LANGUAGES else fallback


class _AskedQuestions:
    """Questions of the log, compared with new questions after normalisation.

    Two questions match if their character 3-shingles (all runs of three characters) have a Jaccard similarity of at
    least `threshold`. They also match if they have the same content words, at least two, in any order. Questions with
    different numbers, names, contrasts or question words never match.
    """

    threshold = 0.7

    def __init__(self, questions: Iterable[str], fallback: str) -> None:
        self._fallback = fallback
        self._questions = sorted(set(questions))
        self._exact = {normalise(question) for question in self._questions}
        self._by_words: dict[tuple[str, ...], list[str]] = {}
        for question in self._questions:
            self._by_words.setdefault(self._gist(question), []).append(question)
        self._lsh: tuple[MinHashLSH, list[ComparedQuestion]] | None = None

    def __contains__(self, question: str) -> bool:
        if normalise(question) in self._exact:
            return True
        new = self._compared(question)
        gist = self._gist(question)
        same_words = self._by_words.get(gist, ()) if len(gist) > 2 else ()
        if any(not (new.differs(other) or _negates(new, other)) for other in map(self._compared, same_words)):
            return True
        lsh, known = self._lsh_index()
        near = (known[number] for number in sorted(lsh.query(minhash(new.normal))))
        return any(
            new.likeness(other) >= self.threshold
            and new.kind == other.kind
            and new.names_fit(other)
            and not (new.differs(other) or _negates(new, other))
            for other in near
        )

    def _lsh_index(self) -> tuple[MinHashLSH, list[ComparedQuestion]]:
        if self._lsh is None:
            self._lsh = (index(), [self._compared(question) for question in self._questions])
            for number, known in enumerate(self._lsh[1]):
                self._lsh[0].insert(number, minhash(known.normal))
        return self._lsh

    def _compared(self, question: str) -> ComparedQuestion:
        return ComparedQuestion.of(question, _language(question, self._fallback))

    def _gist(self, question: str) -> tuple[str, ...]:
        """Return the kind of a question, such as "when", and its content words in alphabetical order."""
        words = sorted(set(content_words(question)))
        return (kind_of(question, _language(question, self._fallback)), *words) if words else ()


def _negates(first: ComparedQuestion, second: ComparedQuestion) -> bool:
    """Return whether exactly one of two English questions contains a negation."""
    return bool(_NEGATION.search(first.question)) != bool(_NEGATION.search(second.question))
