"""Logs of real questions: their mix, which a set may follow, and the questions, which it must not repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from synth.core.errors import InputError, RecordError
from synth.core.fields import Fields
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
_LONGEST = 1000  # characters of a question


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """Language, style, length and kind of a question, with the values of `synth.text.question_style`."""

    language: str
    style: str
    length: str
    kind: str

    @classmethod
    def of(cls, question: str, language: str) -> Cell:
        """The cell that a question in `language` belongs to."""
        return cls(language, style_of(question, language), length_band(question, language), kind_of(question, language))


@dataclass(frozen=True, slots=True)
class QuestionLog:
    """The questions of a log in order, and the lines that have none, with the reason."""

    questions: tuple[str, ...]
    damaged: tuple[Damaged, ...]


def read_log(path: Path) -> QuestionLog:
    """Read the questions of a log: JSONL with "question", "query" or "text", or plain text with one per line.

    A file with the suffix `.jsonl`, `.ndjson` or `.json`, or whose first line is an object, is JSONL: each line is an
    object or a JSON text. Damaged lines are skipped and reported. Raises InputError when the file cannot be read or has
    no question.
    """
    try:
        text = decode(path.read_bytes())[0]
    except (OSError, Unloadable) as error:
        raise InputError(f"the log of questions {path} cannot be read: {error}") from error
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    is_json = path.suffix.lower() in (".jsonl", ".json", ".ndjson") or (bool(lines) and lines[0][1].startswith("{"))
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
        example = f"; the first of its {len(damaged)} damaged lines: {damaged[0].reason}" if damaged else ""
        raise InputError(
            f"the log {path} holds no question{example}; give JSONL with 'question', or one question per line"
        )
    return QuestionLog(tuple(questions), tuple(damaged))


def _question(line: str, place: str) -> str:
    """The question of a JSON line. Raises RecordError."""
    value = parsed_line(line, place)
    if isinstance(value, str):
        return value
    fields = Fields(value, place)
    field = next((name for name in FIELDS if name in fields.values), "")
    if not field:
        raise RecordError(f"{place}: has none of the fields {', '.join(FIELDS)}")
    return fields.value(field, str)


def _unfit(question: str) -> str:
    if not any(char.isalnum() for char in question):
        return "no words"
    if "\ufffd" in question:
        return "characters that could not be decoded"
    return f"{len(question)} characters, at most {_LONGEST} are a question" if len(question) > _LONGEST else ""


class Profile:
    """The mix of a log of questions, and the questions, so that none is repeated.

    `fallback` is the language of questions too short for detection. Repeated questions count every time.
    """

    def __init__(self, questions: Sequence[str], fallback: str = "en") -> None:
        if not questions:
            raise InputError("a profile needs at least one question; the log holds none")
        self.cells: Counter[Cell] = Counter(Cell.of(question, _language(question, fallback)) for question in questions)
        self._seen = _AskedQuestions(questions)

    def mix(self, part: str) -> dict[str, int]:
        """Number of questions by each value of "style", "length", "kind" or "language", the most frequent first."""
        counts: Counter[str] = Counter()
        for cell, count in self.cells.items():
            counts[getattr(cell, part)] += count
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def share(self, cell: Cell) -> float:
        """Share of the questions, from 0 to 1, with this style, length and kind, in any language."""
        like = (replace(cell, language=language) for language in {known.language for known in self.cells})
        return sum(self.cells[same] for same in like) / self.cells.total()

    def repeats(self, question: str) -> bool:
        """Whether the log has the question, or one nearly equal to it."""
        return question in self._seen


def _language(question: str, fallback: str) -> str:
    language = detect(question)
    return language if language in LANGUAGES else fallback


class _AskedQuestions:
    """Questions that were asked, compared with new ones after normalisation.

    Two questions are equal when their character 3-shingles have a Jaccard similarity of at least `threshold`, or when
    they have the same content words in any order; not when they differ in a number, a name or the question word.
    """

    threshold = 0.7

    def __init__(self, questions: Iterable[str]) -> None:
        self._questions = sorted(set(questions))
        self._exact = {normalise(question) for question in self._questions}
        self._words = {_gist(question) for question in self._questions}
        self._lsh: tuple[MinHashLSH, list[ComparedQuestion]] | None = None

    def __contains__(self, question: str) -> bool:
        if normalise(question) in self._exact or (len(_gist(question)) > 2 and _gist(question) in self._words):
            return True
        index, asked = self._index()
        mine = _asked(question)
        near = (asked[number] for number in sorted(index.query(minhash(mine.normal))))
        return any(
            mine.likeness(other) >= self.threshold
            and mine.kind == other.kind
            and mine.names_fit(other)
            and not mine.differs(other)
            for other in near
        )

    def _index(self) -> tuple[MinHashLSH, list[ComparedQuestion]]:
        if self._lsh is None:
            self._lsh = (index(), [_asked(question) for question in self._questions])
            for number, asked in enumerate(self._lsh[1]):
                self._lsh[0].insert(number, minhash(asked.normal))
        return self._lsh


def _asked(question: str) -> ComparedQuestion:
    return ComparedQuestion.of(question, _language(question, "en"))


def _gist(question: str) -> tuple[str, ...]:
    """The kind of a question, such as "when", and its content words in alphabetical order."""
    language = _language(question, "en")
    words = sorted(set(content_words(question)))
    return (kind_of(question, language), *words) if words else ()
