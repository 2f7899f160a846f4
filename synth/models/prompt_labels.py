"""Labels in the values of prompts, such as "Question" or "Evidence", in the language and script of the documents."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from synth.text.language import LANGUAGES


def label(name: str, language: str) -> str:
    """The label of a name (`prompt_labels.json`); the English one for a language without labels."""
    place = LANGUAGES.index(language) if language in LANGUAGES else 0
    return _labels()[name][place]


def headed(head: str, text: str, language: str) -> str:
    """A text after its head and the colon of the language."""
    return f"{head}{label('colon', language)}{text}"


def label_pattern(name: str) -> str:
    """A regular expression for the label of a name in any language, for those who read prompts."""
    return f"(?:{'|'.join(map(re.escape, dict.fromkeys(_labels()[name])))})"


@cache
def _labels() -> Mapping[str, Sequence[str]]:
    labels: Mapping[str, Sequence[str]] = json.loads(
        files("synth.models").joinpath("prompt_labels.json").read_text("utf-8")
    )
    return labels
