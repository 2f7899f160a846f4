"""Questions that documents ask in headings, as in an FAQ. The answer is the whole section below the heading."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from synth.core.records import Draft
from synth.text.blocks import Block
from synth.text.markup import plain

if TYPE_CHECKING:
    from synth.grammar.reading import Reading

PATTERN = "faq"
_WORTH = 0.85
_MARK = re.compile(r"[?？]")
_BOLD = re.compile(r"(\*\*|__)(?!\s)[^*\n]{5,200}[?？]\s*\1")
_LINK = re.compile(r"\](?:\(| ?\[)|(?<!\w)\[[\w -]+\](?!\w)")
"""Markup of a broken link, which remains in the plain text."""

_LINKED = re.compile(r"\s*\[[^\]]*\]\([^)]*\)[\s.]*")
"""Paragraph that consists of a link. The answer is on the linked page."""

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class HeadedForms:
    """Patterns for questions in headings and their answers, from `headed_questions.json` of a language pack.

    Questions: `label` matches a prefix to remove, such as "Q:" or "2.1". `asks` occurs in every complete question.
    `names` occurs in a question that says what it is about. `leaning` occurs in a question that needs the text around
    it. `permission` occurs in a question whether something is allowed.

    Answers: `answer_leaning` occurs in an answer that needs the text around it. `pointing` occurs in a sentence that
    refers elsewhere for the answer. `further` occurs in a sentence that suggests more reading. `permits` occurs in an
    answer to a `permission` question. `joint` is put between sentences, `items` between list items. `unit` matches a
    word or character; an answer has `least` to `most` of them.
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
    items: str
    least: int
    most: int

    @classmethod
    @cache
    def of(cls, package: str) -> HeadedForms | None:
        """Return the patterns of the language pack in a package, or None if the pack has no such file."""
        file = files(package).joinpath("headed_questions.json")
        if not file.is_file():
            return None
        table = json.loads(file.read_text("utf-8"))
        names = "label asks names leaning answer_leaning further pointing permission permits unit".split()
        cased = {"names": re.NOFLAG}
        compiled = {name: re.compile("|".join(table[name]), cased.get(name, re.IGNORECASE)) for name in names}
        return cls(**compiled, joint=table["joint"], items=table["items"], least=table["least"], most=table["most"])

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
    """Yield a draft for each heading that asks a question, with the paragraphs and lists below as its answer.

    If the section has no suitable answer, the draft has worth 0. It only records that the section answers the question.
    """
    text = reading.document.text
    found = reading.blocks
    for place, head in enumerate(found):
        question = forms.bare(plain(text, head.start, head.end).text) if _heads(text, head) else ""
        body = [*takewhile(lambda block: not _heads(text, block), found[place + 1 :])] if question else []
        if not body or not forms.stands_alone(question):
            continue
        after = found[place + 1 + len(body) :][:1]
        is_whole = not (after and head.kind == after[0].kind == "heading" and after[0].level > head.level)
        answer, spans = _answer(reading, body, forms) if is_whole else ("", ())
        if answer and (not forms.permission.search(question) or forms.permits.search(answer)):
            worth = _WORTH
        else:
            answer, spans, worth = plain(text, body[0].start, body[0].end).text, ((body[0].start, body[0].end),), 0.0
        if answer:
            spans = ((head.start, head.end), *spans)
            yield Draft(question=question, golden_answers=(answer,), spans=spans, pattern=PATTERN, worth=worth)


def _heads(text: str, block: Block) -> bool:
    """Return whether a block is a heading, or a paragraph in bold that ends in a question mark."""
    if block.kind == "heading":
        return True
    return block.kind == "paragraph" and bool(_BOLD.fullmatch(text[block.start : block.end].strip()))


def _answer(reading: Reading, body: Sequence[Block], forms: HeadedForms) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the text of the blocks below a question, and its span.

    Return ("", ()) if the text is not suitable as an answer. A suitable answer consists of paragraphs and list items
    and is neither too short nor too long. It does not need the text around it and does not refer to another page.
    """
    text = reading.document.text
    lines = [_SPACE.sub(" ", plain(text, block.start, block.end).text) for block in body]
    ends = [block.end for block in body]
    told = [s for s in reading.sentences if body[0].start <= s.start < body[-1].end]
    if body[-1].kind == "paragraph" and told and forms.further.search(told[-1].text):
        told.pop()
        lines[-1] = forms.joint.join(sentence.text for sentence in told if sentence.start >= body[-1].start)
        ends[-1] = max([body[-1].start, *(sentence.end for sentence in told)])
    pieces = [piece for piece in zip(body, lines, strict=True) if piece[1]]
    if not pieces or {block.kind for block in body} - {"paragraph", "list_item"}:
        return "", ()
    if any(_LINKED.fullmatch(text, block.start, block.end) for block in body) or pieces[0][0].kind == "list_item":
        return "", ()
    answer = forms.bare(pieces[0][1])
    for (before, _), (block, line) in pairwise(pieces):
        answer += (forms.items if before.kind == block.kind == "list_item" else forms.joint) + line
    leans = _LINK.search(answer) or _MARK.search(answer) or forms.answer_leaning.search(answer)
    if answer[-1:] in (":", "：", "]") or leans or any(forms.pointing.search(s.text) for s in told):
        return "", ()
    fits = forms.least <= len(forms.unit.findall(answer)) <= forms.most
    return (answer, ((body[0].start, ends[len(pieces) - 1]),)) if fits else ("", ())
