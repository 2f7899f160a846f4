"""Evaluation sets for retrieval-augmented generation.

The verbs of the command line that make or measure something are functions of this package.

    from synth import Settings, generate

They are loaded when they are asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synth.workflows.api import *  # noqa: F403

_API = "synth.workflows.api"


def __getattr__(name: str) -> Any:
    if not name.startswith("_") and name in import_module(_API).__all__:
        return getattr(import_module(_API), name)
    raise AttributeError(f"module 'synth' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(import_module(_API).__all__)
