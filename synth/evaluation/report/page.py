"""Reports as one HTML file that works offline: frame, sections and tables, with every text in English and Chinese."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from importlib.resources import files
from typing import Any

from synth.text.normalise import LONE_SURROGATE

LANGUAGES = {"en": "English", "zh-Hans": "简体", "zh-Hant": "繁體"}
_TAIWAN = {
    "文件": "檔案",
    "文档": "文件",
    "数据": "資料",
    "质量": "品質",
    "默认": "預設",
    "信息": "資訊",
    "词典": "辭典",
}
"""Words that are others in Taiwan, not the same in other characters."""


def part(name: str) -> str:
    """A file of this folder: style, script or frame."""
    return files("synth.evaluation.report").joinpath(name).read_text(encoding="utf-8")


def fingerprint(text: str) -> str:
    """The hash of a style or script for a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def two(english: str, chinese: str, value: str = "") -> str:
    """A text in English and in Chinese, simplified and traditional; the page shows one of the three.

    `value` stands as it is in place of "{}" of each.
    """
    texts = zip(LANGUAGES, (english, chinese, _traditional(chinese)), strict=True)
    return "".join(f'<span lang="{language}">{safe(text.replace("{}", value))}</span>' for language, text in texts)


@lru_cache(maxsize=1024)
def _traditional(chinese: str) -> str:
    from zhconv import convert

    return str(convert(re.sub("|".join(_TAIWAN), lambda word: _TAIWAN[word[0]], chinese), "zh-tw"))


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
            "<nav>",
            *(f'<button type="button" data-to="{to}" lang="{to}">{name}</button>' for to, name in LANGUAGES.items()),
            "</nav></header><main>",
            *sections,
            f"</main><script>{script}</script></body></html>",
            "",
        ]
    )


def section(title: str, *parts: str, lead: str = "", note: str = "") -> str:
    """A part of the page under its own heading; `lead` is its result in a sentence."""
    texts = "".join(f'<p class="{kind}">{text}</p>' for kind, text in (("lead", lead), ("note", note)) if text)
    return f"<section><h2>{title}</h2>{texts}{''.join(parts)}</section>"


def figure(title: str, plot: str, numbers: str) -> str:
    """A plot with a table of its numbers."""
    return f"<figure><figcaption>{title}</figcaption>{plot}{folded(two('numbers', '数据'), numbers)}</figure>"


def table(head: Sequence[str], rows: Iterable[Sequence[Any]], kind: str = "") -> str:
    """A table; cells of `head` are HTML, those of `rows` too where they are `SafeHtml`, else text."""
    top = "".join(f"<th>{cell}</th>" for cell in head)
    body = "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="{kind}"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'


def folded(label: str, *parts: str) -> str:
    """Parts of a page that are shown when their label is clicked."""
    return f"<details><summary>{label}</summary>{''.join(parts)}</details>"


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
