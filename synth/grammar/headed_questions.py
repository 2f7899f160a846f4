"""Questions that documents ask in headings, as in an FAQ, with the single paragraph below as the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import TYPE_CHECKING

from synth.core.records import Draft
from synth.text.blocks import Block
from synth.text.markup import plain

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.text.prose import Sentence

PATTERN = "faq"
_WORTH = 0.85
_MARK = re.compile(r"[?？]")
_MOST_SENTENCES = 3
_BOLD = re.compile(r"(\*\*|__)(?!\s)[^*\n]{5,200}[?？]\s*\1")
_LINK = re.compile(r"\](?:\(| ?\[)|(?<!\w)\[[\w -]+\](?!\w)")
"""Link that leads nowhere, so that its markup remains in the text."""

_LINKED = re.compile(r"\s*\[[^\]]*\]\([^)]*\)[\s.]*")
"""Paragraph that is only a link. The answer is on the linked page."""

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class HeadedForms:
    """Forms of questions and answers under headings, from `headed_questions.json` of a language pack.

    `label` matches a prefix that is no part of a question or answer ("Q:", "2.1"). `asks` occurs in every complete
    question, `names` in a question that says what it is about. `leaning` occurs in questions, and `answer_leaning` in
    answers, that need the text around them. `pointing` occurs in a sentence that refers elsewhere for the answer,
    `further` in one that only suggests more reading. `permission` occurs in a question whether something is allowed,
    `permits` in its answers. `joint` stands between sentences. An answer has `least` to `most` units; `unit` matches
    one.
    """

    label: re.Pattern[str]
    asks: re.Pattern[str]
    names: re.Pattern[str]
    leaning: re.Pattern[str]
    answer_leaning: re.Pattern[str]
    further: re.Pattern[str]
    pointing: re.Pattern[str]
    permission: re.Pattern[str]
    permits: re.Pattern[str]
    unit: re.Pattern[str]
    joint: str
    least: int
    most: int

    @classmethod
    @cache
    def of(cls, package: str) -> HeadedForms | None:
        """Return the forms of the language pack in a package, or None if it has none."""
        file = files(package).joinpath("headed_questions.json")
        if not file.is_file():
            return None
        table = json.loads(file.read_text("utf-8"))
        names = "label asks names leaning answer_leaning further pointing permission permits unit".split()
        cased = {"names": re.NOFLAG}
        compiled = {name: re.compile("|".join(table[name]), cased.get(name, re.IGNORECASE)) for name in names}
        return cls(**compiled, joint=table["joint"], least=table["least"], most=table["most"])

    def bare(self, text: str) -> str:
        """Return a question or an answer without the label before it."""
        while match := self.label.match(text):
            text = text[match.end() :]
        return text.strip()

    def stands_alone(self, question: str) -> bool:
        """Return whether a text is a single question that needs no context."""
        return (
            len(_MARK.findall(question)) == 1
            and question.endswith(("?", "？"))
            and bool(self.asks.search(question) and self.names.search(question))
            and not self.leaning.search(question)
        )


def headed_drafts(reading: Reading, forms: HeadedForms) -> Iterator[Draft]:
    """Yield a draft for each heading that asks a question, with the paragraph below as its answer.

    The paragraph must be the whole section. Otherwise the draft has worth 0 and only shows that the question is
    answered there.
    """
    text = reading.document.text
    found = reading.blocks
    for place, head in enumerate(found):
        question = forms.bare(plain(text, head.start, head.end).text) if _heads(text, head) else ""
        body = [*takewhile(lambda block: not _heads(text, block), found[place + 1 :])] if question else []
        if not body or not forms.stands_alone(question):
            continue
        told = [s for s in reading.sentences if body[0].start <= s.start < body[0].end]
        whole = plain(text, body[0].start, body[0].end).text
        linked = _LINKED.fullmatch(text, body[0].start, body[0].end)
        is_all = [block.kind for block in body] == ["paragraph"] and linked is None
        if is_all and _SPACE.sub("", "".join(s.text for s in told)) == _SPACE.sub("", whole):
            while told and forms.further.search(told[-1].text):
                told.pop()
            answer = _answer(told, forms)
        else:
            answer = ""  # a part of the paragraph is not a sentence
        if answer and (not forms.permission.search(question) or forms.permits.search(answer)):
            spans = ((head.start, head.end), (told[0].start, told[-1].end))
            yield Draft(question=question, golden_answers=(answer,), spans=spans, pattern=PATTERN, worth=_WORTH)
        elif whole:
            spans = ((head.start, head.end), (body[0].start, body[0].end))
            yield Draft(question=question, golden_answers=(whole,), spans=spans, pattern=PATTERN, worth=0.0)


def _heads(text: str, block: Block) -> bool:
    """Return whether a block is a heading, or a bold paragraph that asks a question."""
    if block.kind == "heading":
        return True
    return block.kind == "paragraph" and bool(_BOLD.fullmatch(text[block.start : block.end].strip()))


def _answer(told: Sequence[Sentence], forms: HeadedForms) -> str:
    """Return the sentences as an answer, or "" if they are too few, too many or need the text around them."""
    answer = forms.bare(forms.joint.join(sentence.text.strip() for sentence in told))
    if not told or len(told) > _MOST_SENTENCES or answer[-1:] in (":", "：", "]") or _LINK.search(answer):
        return ""
    if forms.answer_leaning.search(answer):
        return ""
    if any(forms.pointing.search(sentence.text) for sentence in told):
        return ""
    return answer if forms.least <= len(forms.unit.findall(answer)) <= forms.most else ""
