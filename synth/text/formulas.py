"""Conversion of TeX formulas to plain text, if plain text can express them."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.text.raised import subscript, superscript

_SYMBOLS = {
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥",
    "ne": "≠", "neq": "≠", "approx": "≈", "sim": "∼", "equiv": "≡", "infty": "∞", "circ": "°", "degree": "°",
    "rightarrow": "→", "to": "→", "leftarrow": "←", "ldots": "…", "cdots": "…", "dots": "…", "in": "∈", "sum": "∑",
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "eta": "η",
    "theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ",
    "phi": "φ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ",
    "Lambda": "Λ", "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "log": "log", "ln": "ln", "exp": "exp", "sin": "sin", "cos": "cos", "tan": "tan", "min": "min", "max": "max",
    "quad": " ", "left": "", "right": "", "displaystyle": "", "%": "%", "$": "$", "&": "&", "#": "#", "_": "_",
    "{": "{", "}": "}", ",": " ", ";": " ", ":": " ", " ": " ", "!": "",
}  # fmt: skip
_FONTS = frozenset("mathrm text textrm mathbf mathit mathsf operatorname mathbb mathcal textbf textit".split())
_TOKEN = re.compile(r"\\([A-Za-z]+|.)|([{}^_])|([^\\{}^_]+)", re.DOTALL)
_MOST = 2_000


@lru_cache(maxsize=1024)
def formula_text(tex: str) -> str | None:
    """Return `tex` as plain text, such as `10⁶` for `10^6`.

    None if plain text cannot express the formula, as with fractions and roots.
    """
    if len(tex) > _MOST or tex.count("{") != tex.count("}"):
        return None
    tokens = _TOKEN.findall(tex)
    try:
        text, at = _group(tokens, 0, 0)
    except (_NoText, IndexError):
        return None
    return " ".join(text.split()) if at == len(tokens) else None


class _NoText(Exception):
    pass


def _group(tokens: list[tuple[str, str, str]], at: int, depth: int) -> tuple[str, int]:
    parts: list[str] = []
    while at < len(tokens) and tokens[at][1] != "}":
        mark = tokens[at][1]
        if mark and mark in "^_":
            tokens, body, at = _argument(tokens, at + 1, depth)
            shift = superscript if mark == "^" else subscript
            parts.append(body if body in ("°", "′") else shift(body))
        else:
            part, at = _one(tokens, at, depth)
            parts.append(part)
    return "".join(parts), at


def _argument(tokens: list[tuple[str, str, str]], at: int, depth: int) -> tuple[list[tuple[str, str, str]], str, int]:
    """Read the group or single character at `at`, to which a mark (`^` or `_`) applies.

    Returns the tokens, the text read, and the index of the next token. In `^10`, only the 1 is read, and the 0 becomes
    a token of its own.
    """
    run = tokens[at][2]
    if not run:
        return tokens, *_one(tokens, at, depth)
    rest = run.lstrip()
    if not rest:
        raise _NoText
    if len(rest) == 1:
        return tokens, rest, at + 1
    return [*tokens[:at], ("", "", rest[1:]), *tokens[at + 1 :]], rest[0], at


def _one(tokens: list[tuple[str, str, str]], at: int, depth: int) -> tuple[str, int]:
    command, mark, run = tokens[at]
    if run:
        return run, at + 1
    if mark == "{":
        if depth > 20:
            raise _NoText
        body, end = _group(tokens, at + 1, depth + 1)
        return body, end + 1
    if command in _FONTS and tokens[at + 1][1] == "{":
        return _one(tokens, at + 1, depth)
    if command not in _SYMBOLS:
        raise _NoText
    return _SYMBOLS[command], at + 1
