"""Names of options in messages: those of the command line, and the parameters of Python that do the same."""

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
"""Parameters that are not called as their option is."""

_OPTION = re.compile(r"`[^`]*`|(?<![\w`-])(?:--|-(?=[on]\b))([a-z][a-z-]*)")
"""An option; and what stands in backquotes, such as a command, which stays as it is."""


def options_in(text: str) -> list[str]:
    """The options of the command line that a text names, without their dashes."""
    return [match[1] for match in _OPTION.finditer(text) if match[1]]


def in_python(text: str, verb: Callable[..., Any]) -> str:
    """A message of `verb` with parameters in the place of options."""
    return _OPTION.sub(lambda match: (match[1] and parameter(match[1], verb)) or match[0], text)


def parameter(option: str, verb: Callable[..., Any]) -> str:
    """The parameter of `verb`, or the field of settings, its own first, that does what an option does; "" for none."""
    name = _RENAMED.get(option, option.replace("-", "_"))
    own = inspect.signature(verb).parameters
    taken = " ".join(str(one.annotation) for one in own.values())
    kinds = sorted(_SETTINGS, key=lambda kind: kind.__name__ not in re.split(r"\W", taken))
    fields = ((f" of {kind.__name__}", inspect.signature(kind).parameters) for kind in kinds)
    for where, parameters in (("", own), *fields):
        if found := parameters.get(name):
            return f"`{name}=True`{where}" if found.annotation == "bool" else f"`{name}`{where}"
    return ""
