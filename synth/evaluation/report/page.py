"""Pages as one HTML file that works offline, from the templates of this folder, with messages in each language."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from synth.evaluation.messages import LANGUAGES, message
from synth.evaluation.report.charts import bar, gauge
from synth.text.normalise import LONE_SURROGATE


def render(template: str, *, style: str, script: str, **values: Any) -> str:
    """Return the page of a template with its `style` and `script`, which are file names in this folder.

    A content security policy lets the page load nothing else. Values are escaped, except `Markup` and messages.
    """
    styled, scripted = _file(style), _file(script)
    policy = (
        f"default-src 'none'; style-src '{_fingerprint(styled)}'; script-src '{_fingerprint(scripted)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    frame = {"policy": policy, "style": Markup(styled), "script": Markup(scripted)}
    return LONE_SURROGATE.sub("\ufffd", _environment().get_template(template).render(**frame, **values))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_file),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals |= {"t": message, "languages": LANGUAGES, "gauge": gauge, "bar": bar, "span": span}
    return environment


def span(estimate: Any) -> str:
    """Return the interval of an estimate or grade, given as JSON, as text; a dash if there is none."""
    return "–" if estimate["low"] is None else f"{estimate['low']:.3f}\u00a0–\u00a0{estimate['high']:.3f}"


def _file(name: str) -> str:
    return files("synth.evaluation.report").joinpath(name).read_text(encoding="utf-8")


def _fingerprint(text: str) -> str:
    """Return the hash of a style or script for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
