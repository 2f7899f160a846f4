"""Messages of reports by key, in English, simplified and traditional Chinese; the texts stand in `messages.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from markupsafe import Markup

LANGUAGES = {"en": "English", "zh-Hans": "简体", "zh-Hant": "繁體"}


@dataclass(frozen=True)
class Message:
    """A text of the catalogue with the values of its placeholders, which may be messages or lists of messages.

    In HTML it stands in every language, of which the page shows one; values are escaped.
    """

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The message in English."""
        return self.in_language("en")

    def in_language(self, language: str) -> str:
        """The message in one of `LANGUAGES`. Raises KeyError for a key that the catalogue does not have."""
        values = {name: _in_language(value, language) for name, value in self.values.items()}
        return _template(self.key, language).format(**values)

    def __html__(self) -> Markup:
        spans = (Markup('<span lang="{}">{}</span>').format(name, self.in_language(name)) for name in LANGUAGES)
        return Markup("").join(spans)

    def as_json(self) -> dict[str, Any]:
        """The key and the values, with the text in English."""
        return {"key": self.key, "values": dict(self.values), "text": self.text}


def message(key: str, **values: Any) -> Message:
    """The message of a key such as "fault.leak"; that of "other" in its group where the catalogue lacks the key."""
    group, _, name = key.partition(".")
    known = not name or name in _catalogue()[group]
    return Message(key if known else f"{group}.other", values)


def verbatim(text: str) -> Message:
    """A text that is the same in every language."""
    return Message("verbatim", {"text": text})


def _in_language(value: Any, language: str) -> Any:
    if isinstance(value, Message):
        return value.in_language(language)
    if isinstance(value, list):
        return _template("list", language).join(str(_in_language(item, language)) for item in value)
    return value


@cache
def _template(key: str, language: str) -> str:
    text: Any = _catalogue()
    for part in key.split("."):
        text = text[part]
    english, chinese = text
    return str({"en": english, "zh-Hans": chinese}.get(language) or _traditional(chinese))


def _traditional(chinese: str) -> str:
    from zhconv import convert

    words = _catalogue()["taiwan"]
    return str(convert(re.sub("|".join(words), lambda word: words[word[0]], chinese), "zh-tw"))


@cache
def _catalogue() -> dict[str, Any]:
    return tomllib.loads(files("synth.evaluation").joinpath("messages.toml").read_text(encoding="utf-8"))
