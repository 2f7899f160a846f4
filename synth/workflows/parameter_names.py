"""Names of options in messages: command-line options, and the Python parameters that correspond to them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from synth.annotation.sampling import Selection
from synth.corpus.documents.chunking import ChunkSettings
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.evaluation.reference_rag.system import System
from synth.workflows.adopting import AdoptionSettings
from synth.workflows.annotating import ReviewSettings
from synth.workflows.evaluating import EvaluationSettings
from synth.workflows.judges import Judging
from synth.workflows.settings import ModelSettings, Settings
from synth.workflows.sweeping import Grid

_SETTINGS = (
    Settings, ModelSettings, CorpusSettings, ChunkSettings, EvaluationSettings, Judging, ReviewSettings, Selection,
    AdoptionSettings, Grid, System,
)  # fmt: skip

_RENAMED: Mapping[str, str] = MappingProxyType(
    {"o": "output", "corpus": "sources", "format": "format_name", "push": "repository", "timeout": "timeout_s"}
)
"""Parameters whose name differs from their option."""

_OPTION = re.compile(r"`[^`]*`|(?<![\w`-])(?:--|-(?=[on]\b))([a-z][a-z-]*)")
"""Matches an option, or a text in backquotes, such as a command, which stays unchanged."""


def in_python(text: str, verb: Callable[..., Any]) -> str:
    """Return a message with Python parameters of `verb` instead of command-line options."""
    return _OPTION.sub(lambda match: (match[1] and parameter(match[1], verb)) or match[0], text)


def parameter(option: str, verb: Callable[..., Any]) -> str:
    """Return the parameter of `verb`, or the settings field, that an option sets; "" if there is none.

    Parameters of `verb` come first, followed by fields of its settings and fields of other settings.
    """
    name = _RENAMED.get(option, option.replace("-", "_"))
    own = inspect.signature(verb).parameters
    taken = " ".join(str(one.annotation) for one in own.values())
    kinds = sorted(_SETTINGS, key=lambda kind: kind.__name__ not in re.split(r"\W", taken))
    fields = ((f" of {kind.__name__}", inspect.signature(kind).parameters) for kind in kinds)
    for where, parameters in (("", own), *fields):
        if found := parameters.get(name):
            return f"`{name}=True`{where}" if found.annotation == "bool" else f"`{name}`{where}"
    return ""
