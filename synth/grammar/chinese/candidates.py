"""A question in the making, and the pieces that all constructions share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from synth.grammar.chinese.clauses import Statement, Subject
from synth.grammar.chinese.lexicon import CLOSING, NOMINAL, OPENING
from synth.grammar.chinese.lines import ChineseLine, Token
from synth.grammar.chinese.names import proper
from synth.grammar.chinese.script import template


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question with its answer, before it is ranked.

    `level` is that of the subject the question is anchored to; `lines` are the sentences that prove it.
    """

    question: str
    answer: str
    line: ChineseLine
    lines: tuple[int, ...]
    pattern: str
    worth: float
    level: int
    subject: str = ""


@dataclass(frozen=True, slots=True)
class TemplateWriter:
    """Fills templates in the script of a document."""

    language: str

    def fill(self, form: str, **parts: str) -> str:
        """The template `form`, in the script of the document, with `parts` put in as written."""
        return template(form, self.language).format(**parts)


def candidate(
    writer: TemplateWriter, statement: Statement, form: str, answer: str, pattern: str, worth: float, **parts: str
) -> Candidate:
    """A candidate about the subject of a statement: {S} in `form` is the subject as written."""
    subject = statement.subject
    if subject is not None:
        parts.setdefault("S", subject.text)
    if statement.context and not form.startswith("{T}"):
        form, parts["CONTEXT"] = "{CONTEXT}，" + form, statement.context
    return Candidate(
        question=writer.fill(form, **parts),
        answer=answer,
        line=statement.line,
        lines=proof(statement, subject),
        pattern=pattern,
        worth=worth - discount(subject) - (0.14 if statement.hazy else 0.0),
        level=subject.level if subject else 1,
        subject=subject.text if subject else "",
    )


def proof(statement: Statement, subject: Subject | None) -> tuple[int, ...]:
    """Numbers of the sentences that prove what a statement says of its subject."""
    here = statement.line.index
    return (here,) if subject is None or subject.index == here else (subject.index, here)


def discount(subject: Subject | None) -> float:
    """Loss of worth of a statement whose subject had to be brought in."""
    if subject is None or subject.source == "own":
        return 0.0
    if subject.source == "referred":
        return 0.06
    return 0.04 if subject.source == "carried" and subject.level == 4 else 0.12


def nominal(line: ChineseLine, start: int, end: int) -> bool:
    """True if `simple[start:end]` is one whole noun phrase (it may have a clause before its 的)."""
    if not line.whole(start, end):
        return False
    tokens = line.span(start, end)
    first, final = tokens[0], tokens[-1]
    if first.tag in ("c", "u", "xc", "d", "ad", "vd", "p") or first.text in ("的", "、", "是") or first.text in CLOSING:
        return False
    if final.text in ("的", "之", "、", "等", "和", "与", "及", "中", "后", "前", "时") or final.text in OPENING:
        return False
    if final.tag not in NOMINAL and final.text not in CLOSING:
        return False
    return not _clausal(tokens)


def _clausal(tokens: tuple[Token, ...]) -> bool:
    """True if a verb stands outside every modifier that ends in 的, or outside quotes."""
    depth, open_verb, noun, object_of_verb = 0, False, False, False
    for token in tokens:
        depth += sum(char in OPENING for char in token.text) - sum(char in CLOSING for char in token.text)
        if depth > 0:
            continue
        if token.text in ("的", "之"):
            if object_of_verb:
                return True
            open_verb = False
        elif token.tag in ("v", "d", "vd", "p", "ad", "r") or token.text in ("了", "着", "过"):
            open_verb = True
        elif token.tag == "u" and token.text not in ("等", "所", "之", "一般"):
            return True
        elif open_verb and noun and token.tag in NOMINAL:
            object_of_verb = True
        elif not open_verb and token.tag in ("n", "nz", "PER", "ORG", "code"):
            noun = True
    return open_verb


def named(tokens: tuple[Token, ...]) -> bool:
    """True if any of the words is a name, inline code or Latin."""
    return any(proper(token) for token in tokens)


def strip_quotes(line: ChineseLine, start: int, end: int) -> tuple[int, int]:
    """The span without the quotes around it, where they enclose all of it."""
    pairs = {"“": "”", "「": "」", "『": "』", '"': '"', "‘": "’"}
    text = line.simple[start:end]
    if len(text) > 2 and pairs.get(text[0]) == text[-1] and text[-1] not in text[1:-1]:
        return start + 1, end - 1
    return start, end


def when(text: str) -> str:
    """The question word for a point in time."""
    return "哪一年" if re.search(r"年$", text) else "什么时候"


def spans_of(match: re.Match[str], group: str, statement: Statement) -> tuple[int, int]:
    """Offsets in the line of a group of a match over the predicate."""
    return match.start(group) + statement.start, match.end(group) + statement.start


Candidates = Iterator[Candidate]
