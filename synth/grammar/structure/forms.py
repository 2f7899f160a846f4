"""Patterns of a language for headings, lists and tables, and templates of the questions about them."""

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
    """Return a pattern that matches nothing. It is used for patterns that a language does not define."""
    return re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Aspect:
    """Pattern of headings such as "Requirements", which name an aspect of the subject of the heading above.

    `frames` are question templates by the kind of text below the heading, such as "list" or "steps".
    """

    heading: re.Pattern[str]
    frames: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class StructureForms:
    """Patterns, words and question templates of a language, from `structure.toml` in its package.

    `patterns` are regular expressions by name. For example, `title_tail` matches the words after the name in a title,
    `label` a heading or key that names nothing ("Overview"), and `points` an answer that refers to another place.
    `leans` matches a text that needs its context, `weak` a condition that nobody asks about.

    `aspects` are tried in order. `frames` are question templates by kind; a question uses one template of the kind that
    fits the fact. `words` are single words and separators, `tables` lists of words. `sizes` are (pattern of an
    attribute, word for the highest value, word for the lowest value). `columns` are (pattern, templates) for table
    columns whose label is no noun ("Founded").
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
        """Return the patterns and templates of the language in a package."""
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
        """Return one template of the kind `name`, or of `frames`. Equal `identity` gives the same template."""
        known = frames or self.frames[name]
        return known[int(pseudo_random(name, *identity) * len(known))]

    def ask(self, frame: str, label: str, **parts: str) -> str:
        """Return a template with its parts filled in. "What" becomes "who" if `label` is the role of a person."""
        text = frame.format(label=label, **parts)
        if not self.has("person", label):
            return text
        what, who = self.words["what"], self.words["who"]
        return text.replace(what, who).replace(what.lower(), who.lower())

    def column(self, label: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """Return the templates for a column whose label is no noun ("Founded"), and the parts to fill in.

        Return ((), {}) for other labels.
        """
        for form, frames in self.columns:
            if match := form.fullmatch(to_simplified(label)):
                return frames, match.groupdict()
        return (), {}

    def is_attribute(self, label: str) -> bool:
        """Return whether a label names an attribute, or the role of a person."""
        return self.has("attribute_label", label) or self.has("person", label)

    def sort(self, name: str, label: str, *, is_number: bool) -> str:
        """Return the name of the template for a label: `name` + "_plural", `name` + "_number" or `name`."""
        return f"{name}_plural" if self.has("plural", label) else f"{name}_number" if is_number else name

    def size(self, label: str) -> dict[str, str]:
        """Return the superlatives of an attribute: {"high": "longest", "low": "shortest"} for a duration.

        Return {} if the attribute has none, such as a code or a rank.
        """
        return next(({"high": high, "low": low} for form, high, low in self.sizes if form.fullmatch(label)), {})

    def has(self, name: str, text: str) -> bool:
        """Return whether the pattern `name` occurs in a text. The text is compared in simplified script."""
        return bool(self.patterns[name].search(to_simplified(text)))
