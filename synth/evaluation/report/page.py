"""Reports as one HTML file that works offline: frame, sections and tables, with every text in two languages."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from synth.text.normalise import LONE_SURROGATE


def part(name: str) -> str:
    """A file of this folder: style, script or frame."""
    return files("synth.evaluation.report").joinpath(name).read_text(encoding="utf-8")


def fingerprint(text: str) -> str:
    """The hash of a style or script for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def two(english: str, chinese: str) -> str:
    """A text in English and Chinese; the page shows one of them."""
    return f'<span lang="en">{safe(english)}</span><span lang="zh">{safe(chinese)}</span>'


def safe(text: Any) -> str:
    """A text escaped for HTML."""
    return escape(LONE_SURROGATE.sub("\ufffd", str(text)))


def page(title: str, heading: str, sections: Iterable[str]) -> str:
    """The whole page; its policy allows only its own script and loads nothing."""
    style, script = part("page.css"), part("page.js")
    policy = (
        f"default-src 'none'; style-src '{fingerprint(style)}'; script-src '{fingerprint(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return "\n".join(
        [
            '<!doctype html><html lang="en" data-lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{safe(title)}</title><style>{style}</style></head><body>",
            f'<header><h1>{heading}</h1><p class="name">{safe(title)}</p>',
            '<nav><button type="button" data-to="en">English</button>',
            '<button type="button" data-to="zh">中文</button></nav></header><main>',
            *sections,
            f"</main><script>{script}</script></body></html>",
            "",
        ]
    )


def section(title: str, *parts: str, note: str = "") -> str:
    """A part of the page under its own heading."""
    lead = f'<p class="note">{note}</p>' if note else ""
    return f"<section><h2>{title}</h2>{lead}{''.join(parts)}</section>"


def figure(title: str, plot: str, numbers: str) -> str:
    """A plot with a table of its numbers."""
    label = two("numbers", "数据")
    return (
        f"<figure><figcaption>{title}</figcaption>{plot}<details><summary>{label}</summary>{numbers}</details></figure>"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; cells of `head` are HTML, those of `rows` too where they are `SafeHtml`, else text."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


class SafeHtml(str):
    """A text that is already HTML."""


def _cell(value: Any) -> str:
    if isinstance(value, SafeHtml):
        return f"<td>{value}</td>"
    if value is None:
        return '<td class="number">–</td>'
    if isinstance(value, float):
        return f'<td class="number">{value:.3f}</td>'
    if isinstance(value, int):
        return f'<td class="number">{value}</td>'
    return f"<td>{safe(value)}</td>"
