"""Tables of a language for what structure says: kinds of headings, and frames of questions."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from synth.core.records import pseudo_random
from synth.text.normalise import to_simplified

FILE = "structure.toml"


def _never() -> re.Pattern[str]:
    """The pattern that nothing fits, for those that a language leaves out."""
    return re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Aspect:
    """A kind of heading that names an aspect of the thing above it, and the frames of questions by kind of body."""

    heading: re.Pattern[str]
    frames: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class StructureForms:
    """The tables of a language, from `structure.toml` of its package.

    `patterns` are regular expressions by name: `title_tail` is what a title has behind the thing it names, `label` a
    heading or key that says nothing, `asks` a heading that is a question, `points` an answer that is elsewhere,
    `leans` a text that needs the one around it, `weak` a condition that nobody asks about. `aspects` are tried in
    order. `frames` are questions by kind, of which each fact takes one. `words` are single words and joints,
    `sizes` the words for much and little by attribute, `columns` the questions for columns whose label is
    no noun.
    """

    patterns: Mapping[str, re.Pattern[str]]
    aspects: tuple[Aspect, ...]
    frames: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str]
    tables: Mapping[str, tuple[str, ...]]
    sizes: tuple[tuple[re.Pattern[str], str, str], ...]
    columns: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]

    @classmethod
    @cache
    def of(cls, package: str) -> StructureForms:
        """The forms of the language in a package."""
        table = tomllib.loads(files(package).joinpath(FILE).read_text("utf-8"))
        return cls(
            patterns=defaultdict(
                _never, {name: re.compile(text, re.IGNORECASE) for name, text in table["patterns"].items()}
            ),
            aspects=tuple(
                Aspect(re.compile(row["heading"], re.IGNORECASE), {k: tuple(v) for k, v in row["frames"].items()})
                for row in table.get("aspects", ())
            ),
            frames={name: tuple(rows) for name, rows in table["frames"].items()},
            words=table["words"],
            sizes=tuple((re.compile(row["label"], re.I), row["high"], row["low"]) for row in table.get("sizes", ())),
            columns=tuple((re.compile(row["label"], re.I), tuple(row["frames"])) for row in table.get("columns", ())),
            tables=defaultdict(tuple, {name: tuple(rows.split()) for name, rows in table.get("tables", {}).items()}),
        )

    def frame(self, name: str, *identity: object, frames: tuple[str, ...] = ()) -> str:
        """One of the frames of a kind, by the identity of the fact that is asked for."""
        known = frames or self.frames[name]
        return known[int(pseudo_random(name, *identity) * len(known))]

    def ask(self, frame: str, label: str, **parts: str) -> str:
        """A frame with its parts filled in; "who" instead of "what" for an attribute whose values are people."""
        text = frame.format(label=label, **parts)
        if not self.has("person", label):
            return text
        what, who = self.words["what"], self.words["who"]
        return text.replace(what, who).replace(what.lower(), who.lower())

    def column(self, label: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """The frames that ask for the value of a column whose label is no noun, such as "Founded", and their parts.

        There are none for other labels.
        """
        for form, frames in self.columns:
            if match := form.fullmatch(to_simplified(label)):
                return frames, match.groupdict()
        return (), {}

    def is_attribute(self, label: str) -> bool:
        """True for a label that names an attribute, or the part that a person has."""
        return self.has("attribute_label", label) or self.has("person", label)

    def sort(self, name: str, label: str, *, is_number: bool) -> str:
        """The frames of a kind that fit a label: those of plurals, of numbers, or of other values."""
        return f"{name}_plural" if self.has("plural", label) else f"{name}_number" if is_number else name

    def size(self, label: str) -> dict[str, str]:
        """The words for the most and the least of an attribute: "longest" and "shortest" of a duration.

        Empty for a label of which nothing says that more of it means more, such as a code or a rank.
        """
        return next(({"high": high, "low": low} for form, high, low in self.sizes if form.fullmatch(label)), {})

    def has(self, name: str, text: str) -> bool:
        """True if a pattern is found in a text; patterns of Chinese are in simplified script."""
        return bool(self.patterns[name].search(to_simplified(text)))
