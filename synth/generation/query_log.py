"""A set by example: the mix of a log of real questions, to be followed, and its questions, never to be repeated."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.core.errors import InputError
from synth.core.jsonl import Damaged
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
_LONGEST = 1000  # characters of a line that is still taken for a question


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One way of asking: a language, a style, a length and a kind, in the words of `synth.text.question_style`."""

    language: str
    style: str
    length: str
    kind: str

    @classmethod
    def of(cls, question: str, language: str) -> Cell:
        """The cell that a question in `language` belongs to."""
        return cls(language, style_of(question, language), length_band(question, language), kind_of(question, language))


@dataclass(frozen=True, slots=True)
class Log:
    """What a log held: its questions in order, and the lines that hold none, with the reason."""

    questions: tuple[str, ...]
    damaged: tuple[Damaged, ...]


def read_log(path: Path) -> Log:
    """The questions of a log: JSONL with "question", "query" or "text", or plain text with one a line.

    Of a `.jsonl` or `.json` file, and of any file whose first line is an object, each line is an object or a JSON
    text. A damaged line costs that line. Raises InputError when the file cannot be read or has no question.
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
        question, fault = _question(line) if is_json else (line, "")
        question = collapse_space(question)
        fault = fault or _unfit(question)
        if fault:
            damaged.append(Damaged(number, f"{path.name}:{number}: {fault}"))
        else:
            questions.append(question)
    if not questions:
        said = f"; the first of its {len(damaged)} damaged lines: {damaged[0].reason}" if damaged else ""
        raise InputError(f"the log {path} holds no question{said}; give JSONL with 'question', or one question a line")
    return Log(tuple(questions), tuple(damaged))


def _question(line: str) -> tuple[str, str]:
    """The question of a JSON line, and what is wrong with it, or ""."""
    try:
        held: Any = json.loads(line)
    except json.JSONDecodeError as error:
        return "", f"not JSON: {error.msg} at column {error.colno}"
    except RecursionError:
        return "", "not JSON that can be read: nested too deeply"
    if isinstance(held, str):
        return held, ""
    if not isinstance(held, dict):
        return "", "neither an object nor a text"
    field = next((name for name in FIELDS if name in held), "")
    if not field:
        return "", f"has none of the fields {', '.join(FIELDS)}"
    return (held[field], "") if isinstance(held[field], str) else ("", f"field '{field}' must be a text")


def _unfit(question: str) -> str:
    if not any(char.isalnum() for char in question):
        return "no words"
    if "\ufffd" in question:
        return "characters that could not be decoded"
    return f"{len(question)} characters, at most {_LONGEST} are a question" if len(question) > _LONGEST else ""


class Profile:
    """The mix of a log of questions, and the questions themselves so that none is repeated.

    `fallback` is the language of questions too short to tell. Equal questions count once each time they were asked.
    """

    def __init__(self, questions: Sequence[str], fallback: str = "en") -> None:
        if not questions:
            raise InputError("a profile needs at least one question; the log holds none")
        self.cells: Counter[Cell] = Counter(Cell.of(question, _language(question, fallback)) for question in questions)
        self._seen = _Seen(questions)

    def mix(self, part: str) -> dict[str, int]:
        """How many questions there are of each value of a part of a cell: "style", "length", "kind" or "language"."""
        counts: Counter[str] = Counter()
        for cell, count in self.cells.items():
            counts[getattr(cell, part)] += count
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))

    def share(self, cell: Cell) -> float:
        """Which part of the questions, from 0 to 1, was asked like this, in whatever language."""
        like = (replace(cell, language=language) for language in {known.language for known in self.cells})
        return sum(self.cells[one] for one in like) / self.cells.total()

    def repeats(self, question: str) -> bool:
        """Whether a question of the log is this one, once normalised, or nearly so."""
        return question in self._seen


def _language(question: str, fallback: str) -> str:
    found = detect(question)
    return found if found in LANGUAGES else fallback


class _Seen:
    """Questions that were asked: found by equality once normalised, or by near equality of their characters.

    Nearly equal is a Jaccard similarity of character 3-shingles of at least `threshold`, or the same content words in
    any order; two questions that differ in a number, a name or the question word are never the same.
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
        index, held = self._index()
        mine = _asked(question)
        near = (held[number] for number in sorted(index.query(minhash(mine.normal))))
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
    """The content words of a question in order of the alphabet, with what it asks for: "when" is not "where"."""
    language = _language(question, "en")
    words = sorted(set(content_words(question)))
    return (kind_of(question, language), *words) if words else ()
