"""Labels for texts in prompts, such as "Question" or "Evidence", in the language and script of the documents."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from synth.text.language import LANGUAGES


def label(name: str, language: str) -> str:
    """Return the label of `name` from `prompt_labels.json`. For a language without labels, it is the English one."""
    place = LANGUAGES.index(language) if language in LANGUAGES else 0
    return _labels()[name][place]


def headed(head: str, text: str, language: str) -> str:
    """Return `head`, the colon of the language and `text`: "Question: Who …" or "问题：谁…"."""
    return f"{head}{label('colon', language)}{text}"


@cache
def _labels() -> Mapping[str, Sequence[str]]:
    labels: Mapping[str, Sequence[str]] = json.loads(
        files("synth.models").joinpath("prompt_labels.json").read_text("utf-8")
    )
    return labels
