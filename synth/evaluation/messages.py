"""Messages of reports by key, in English, simplified and traditional Chinese. Their texts are in `messages.toml`."""

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

    Its HTML contains the text in every language, and the page shows one of them. Values are escaped.
    """

    key: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The message in English."""
        return self.in_language("en")

    def in_language(self, language: str) -> str:
        """Return the message in one of `LANGUAGES`. Raises KeyError if the catalogue lacks the key."""
        values = {name: _in_language(value, language) for name, value in self.values.items()}
        return _template(self.key, language).format(**values)

    def __html__(self) -> Markup:
        spans = (Markup('<span lang="{}">{}</span>').format(name, self.in_language(name)) for name in LANGUAGES)
        return Markup("").join(spans)

    def as_json(self) -> dict[str, Any]:
        """Return the key, the values and the English text as JSON values."""
        return {"key": self.key, "values": dict(self.values), "text": self.text}


def message(key: str, **values: Any) -> Message:
    """Return the message for a key such as "fault.leak".

    If the group lacks the name, the message is "other" of that group.
    """
    group, _, name = key.partition(".")
    known = not name or name in _catalogue()[group]
    return Message(key if known else f"{group}.other", values)


def verbatim(text: str) -> Message:
    """Return a message whose text is the same in every language."""
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
