"""Questions on sentences that state a date, an amount, the meaning of a term, or a rule for certain people."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.chinese.statutes import LAW, definitions, short_name
from synth.grammar.structure.forms import StructureForms
from synth.grammar.structure.language import Stated
from synth.text.normalise import to_simplified

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

FORMS = StructureForms.of(__package__)
_PATTERNS = FORMS.patterns
_HEAD = re.compile(
    r"^\s*(?:[（(][一二三四五六七八九十\d]{1,3}[)）]|[一二三四五六七八九十\d]{1,3}[、.．)）]|[※⊙●◆■★*]|(?P<L>[^：，。]{2,12})：(?=(?P=L)))\s*"
)
_SPACE = re.compile(r"(?<=[\u3400-\u9fff、，]) +(?=[\u3400-\u9fff、，])")
_KINDS = (("somebody", "谁"), ("somewhere", "什么地方"))
_SHARED = 3
_LONG = 14
"""Minimum length, in characters, of a condition that is clear without the title.

A shorter condition must have `_SHARED` consecutive characters in common with the title.
"""


def stated(reading: Reading, section: Section) -> Iterator[Stated]:
    """Yield the questions that sentences of a section answer. Laws have patterns of their own."""
    yield from definitions(reading, section)
    if not section.body or LAW.search(short_name(to_simplified(section.title))):
        return
    place, last = reading.within(section.body[0].start, section.body[-1].end)
    for at, sentence in enumerate(reading.sentences[place:last]):
        raw = _SPACE.sub("", sentence.text.strip().replace(",", "，"))
        head = _HEAD.match(to_simplified(raw))
        raw = raw[head.end() :] if head else raw
        text = to_simplified(raw)
        if FORMS.has("consequence_leans", text) or FORMS.has("points", text):
            continue
        for one in _readings(text, raw, section, is_first=at == 0):
            pattern, question, (start, end), kind = one
            if question := _scoped(question, section.title):
                span = ((sentence.start, sentence.end),)
                answer = raw[start:end].removeprefix("则").removeprefix("則")
                yield Stated(pattern=pattern, question=question, answer=answer, spans=span, question_type=kind)


def _readings(
    text: str, raw: str, section: Section, *, is_first: bool
) -> Iterator[tuple[str, str, tuple[int, int], str]]:
    """Yield (pattern, question, span of the answer, question type) for each question that a sentence answers.

    `text` is the sentence in simplified script, and `raw` as written.
    """
    opens = _PATTERNS["opens"].match(text) or FORMS.has("weak", text[:12])
    if (match := _PATTERNS["meant"].match(text)) and not opens:
        yield "meant", f"{raw[slice(*match.span('S'))]}是指什么？", match.span("A"), "simple"
    named = (name for name in map(to_simplified, (section.heading, section.title)) if not FORMS.has("no_name", name))
    if is_first and (match := _PATTERNS["defined"].match(text)) and match["S"] in named and "之一" not in match["A"]:
        what = next((word for kind, word in _KINDS if FORMS.has(kind, match["A"])), "什么")
        yield "defined", f"{raw[slice(*match.span('S'))]}是{what}？", match.span("A"), "simple"
    if opens or FORMS.has("elsewhere", text):
        return
    if match := _PATTERNS["applies"].match(text):
        first, condition = match["A"][0], match["C"]
        clear = len(condition) >= _LONG or _common(condition, to_simplified(section.title)) >= _SHARED
        if clear and "者" not in match["A"] + condition and condition.count("，") < 2:
            asks = "应该怎么办" if FORMS.has("must", match["A"]) or first in "请须需" else "会怎么样"
            asks = "可以怎么做" if first in "可得" else asks
            yield "applies", f"{raw[slice(*match.span('C'))]}者，{asks}？", match.span("A"), "conditional"
    elif match := _PATTERNS["dated"].match(text):
        subject, modal, rest = (raw[slice(*match.span(name))].strip() for name in "SMV")
        modal = modal.replace("请", "应").replace("請", "應").removesuffix("将").removesuffix("將")
        when = {"起": "从什么时候开始", None: "什么时候"}.get(match["E"], "在什么时候之前")
        yield "dated", f"{subject}{modal}{when}{rest}？", match.span("D"), "simple"
    elif match := _PATTERNS["amount_said"].match(text):
        part = {name: raw[slice(*match.span(name))] for name in "SBU"}
        part["B"] = "是" if part["B"] in "为為约为" else part["B"]
        yield "amount_said", f"{part['S']}{part['B']}多少{part['U']}？", match.span("A"), "simple"


def described(name: str, text: str, reading: Reading) -> str:
    """Return the question that a list item "name: text" answers, or "".

    The question asks what the named thing is, or what its purpose is.
    """
    written = to_simplified(text)
    if not _NAME.fullmatch(to_simplified(name)) or len(text) < _LEAST or FORMS.has("consequence_leans", written):
        return ""
    if re.match(r"(?:主要)?(?:用于|用来|负责|可以?用)", written):
        return f"{name}有什么作用？"
    return f"{name}是什么？" if re.match(r"(?:是[一指用]|指(?!定)|一[种个款项类])", written) else ""


_NAME = re.compile(r"[\u4e00-\u9fffA-Za-z\d][\u4e00-\u9fffA-Za-z\d ·_.-]{2,15}")
_LEAST = 10


def _common(first: str, second: str) -> int:
    """Return the length of the longest common substring of two texts, at most `_SHARED`; 0 if it is below 2."""
    sizes = (
        size
        for size in range(_SHARED, 1, -1)
        if any(second[at : at + size] in first for at in range(len(second) - size + 1))
    )
    return next(sizes, 0)


def _scoped(question: str, title: str) -> str:
    """Return the question if it has two consecutive characters in common with the document's title, else ""."""
    return question if _common(to_simplified(question), to_simplified(title)) > 1 else ""
