"""Chinese questions as keywords, as small talk, and as a formal request, in either script."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

from synth.text.normalise import to_simplified, to_traditional

_END = re.compile(r"[?？]+$")
_HAN = re.compile(r"[\u3400-\u9fff]")
_SAID_OF = 0.4
"""Share of small talk that asks whether somebody knows, where the question allows it."""


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(files(__package__).joinpath("chinese.json").read_text("utf-8"))
    return tables


@lru_cache(maxsize=8)
def forms(style: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """The patterns of a style and what becomes of what they match, most special first."""
    return tuple((re.compile(row["pattern"]), row["template"]) for row in _tables()[style])


def keywords(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """Search terms with spaces between; None for a construction that has no such form."""
    body = _body(question)
    for pattern, template in forms("keywords"):
        match = pattern.fullmatch(body)
        if match is not None:
            query = " ".join(template.format(**match.groupdict(default="")).split())
            return query if all(kept in query for kept in keep if kept and kept in body) else None
    return None


def conversational(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """Small talk around the question: Chinese keeps its order after 你知道, so every one can be framed."""
    body = _swapped("conversational", _body(question), keep)
    asks = body.endswith(("吗", "呢"))
    if not asks and rng.random() < _SAID_OF:
        return str(rng.choice(_tables()["known"])).format(q=body)
    return str(rng.choice(_tables()["hello"])).format(q=body, p="" if asks else rng.choice(("呢", "")))


def formal(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """A request in written Chinese: 何年, 何处, 何人 for the spoken question words, after 请问 or 能否说明."""
    body = _body(question).removeprefix("请问")
    wording = _swapped("formal", body, keep)
    if wording.endswith("吗"):
        return f"请问{wording}？" if wording != question else None
    frames = ("请问{q}？",) * (wording != body) + tuple(_tables()["requests"])
    return str(rng.choice(frames)).format(q=wording)


def _swapped(style: str, body: str, keep: Sequence[str]) -> str:
    """The question with the words of a style for its own, as far as no name has them."""
    for pattern, template in forms(style):
        match = pattern.search(body)
        if match is not None and not any(match.group() in kept for kept in keep):
            body = body[: match.start()] + template.format(**match.groupdict()) + body[match.end() :]
    return body


def _body(question: str) -> str:
    return _END.sub("", question.strip())


_Style = Callable[[str, random.Random, Sequence[str]], str | None]


def in_script(style: _Style) -> _Style:
    """A style for simplified script as one for traditional script.

    The characters of the question come out as they were; only what the style adds is converted.
    """

    def styled(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
        simple = to_simplified(question)
        result = style(simple, rng, [to_simplified(kept) for kept in keep])
        return None if result is None else restored(result, simple, question)

    return styled


def restored(text: str, simple: str, question: str) -> str:
    """`text` with each run taken from `simple` as it stands in `question`, and the rest in traditional script."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        length = 0
        while at + length < len(text) and text[at : at + length + 1] in simple:
            length += 1
        if length >= 2 or (length == 1 and not _HAN.match(text[at])):
            start = simple.index(text[at : at + length])
            parts.append(question[start : start + length])
            at += length
        else:
            end = at + 1
            while end < len(text) and text[end : end + 2] not in simple:
                end += 1
            parts.append(to_traditional(text[at:end]))
            at = end
    # Two ways to write one character; the reader's own is the one in the question.
    return "".join(parts) if "爲" in question else "".join(parts).replace("爲", "為")


CHINESE: dict[str, _Style] = {"keywords": keywords, "conversational": conversational, "formal": formal}
