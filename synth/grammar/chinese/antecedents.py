"""Antecedents of 他, 它, 该公司 and bare surnames, from the title and the sentences before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from synth.grammar.chinese.clauses import Statement, Subject
from synth.grammar.chinese.lexicon import TIME
from synth.grammar.chinese.lines import ChineseLine
from synth.text.normalise import fold_width, to_simplified

_DOT = re.compile("[·・‧•]")
_FOREIGN = re.compile(r"[\u4e00-\u9fffA-Z][\u4e00-\u9fff.A-Za-z]*(?:[·・‧•][\u4e00-\u9fff.A-Za-z]+)+")
_REFERRING_WORD = re.compile(
    r"(?:他|她|它)(?!们|人|的)|(?:该|这[一座家所部条种个支本款项间届栋幢]?)(?P<N>[\u4e00-\u9fff]{1,4})"
)
_TIME_BEFORE = re.compile(rf"(?:早在|约|在|于)?{TIME},?")
_COPULA = re.compile("是|为(?!了)|位于|由|成立于|建于|始建于|全长|总面积|占地")


def full_names(title: str, lines: Iterable[ChineseLine | None]) -> dict[str, str]:
    """The full form, as written, of each last name that one foreign name of the document ends in.

    Keys are simplified. The title counts as a part of the document; a last name that two full
    names share is left out.
    """
    by_last_name: dict[str, set[str]] = {}
    written: dict[str, str] = {}
    plain = re.sub(r"[ _]*[(（].*|[-_ ]*\d*$", "", title)
    texts = [(to_simplified(fold_width(plain)), plain)]
    for item in lines:
        if item is not None:
            names = [(t.text, item.written(t.start, t.end)) for t in item.tokens if t.tag == "PER"]
            texts += [pair for pair in names if _DOT.search(pair[0])]
    for simple, raw in texts:
        if _FOREIGN.fullmatch(simple) and len(simple) <= 16:
            by_last_name.setdefault(_DOT.split(simple)[-1], set()).add(simple)
            written.setdefault(simple, raw)
    own = texts[0][0]
    return {
        last: written[own if own in full else min(full)]
        for last, full in by_last_name.items()
        if len(last) >= 2 and (len(full) == 1 or own in full)
    }


def in_full(statement: Statement, names: dict[str, str], heads: str) -> Statement:
    """The statement with its subject's bare last name made the full one.

    A described thing that title or headings speak of, `heads`, counts as one with a name.
    """
    subject = statement.subject
    if subject is None:
        return statement
    if subject.level == 2 and subject.simple in heads:
        return replace(statement, subject=replace(subject, level=3))
    if subject.simple not in names:
        return statement
    return replace(statement, subject=replace(subject, text=names[subject.simple], person=True))


def referent(
    line: ChineseLine, before: ChineseLine | None, statements: Sequence[Statement]
) -> tuple[Subject, int, int] | None:
    """Antecedent of the first word for a person or thing in `line`, with the start and end of that word.

    It is the one named subject of `before`, a sentence of the same paragraph whose statements
    are `statements`; the word opens the line or follows a time.
    """
    lead = _TIME_BEFORE.match(line.simple)
    at = lead.end() if lead else 0
    match = _REFERRING_WORD.match(line.simple, at)
    if before is None or match is None or at not in line.edges:
        return None
    subject = next((statement.subject for statement in statements if statement.subject is not None), None)
    if subject is None or subject.level < 3 or re.search("[、和与及]|的", subject.simple):
        return None
    stop = match.end()
    if match.group("N"):
        size = next((n for n in range(4, 1, -1) if subject.simple.endswith(match.group("N")[:n])), 0)
        stop = match.start("N") + size
        fits = size > 0 and _is_only_subject(statements, subject)
    elif line.simple[at] in "他她":
        fits = subject.person and not _names_another_person(before, subject)
    else:
        fits = (
            not subject.person
            and _is_only_subject(statements, subject)
            and _COPULA.match(line.simple, stop) is not None
        )
    return (replace(subject, source="referred"), at, stop) if fits and stop in line.edges else None


def _is_only_subject(statements: Sequence[Statement], subject: Subject) -> bool:
    """True if all clauses of the sentence are about `subject`."""
    return all(other.subject is None or other.subject.simple == subject.simple for other in statements)


def _names_another_person(before: ChineseLine, subject: Subject) -> bool:
    """True if the sentence names another person."""
    return any(
        t.tag == "PER" and t.text not in subject.text and subject.simple not in t.text and len(t.text) > 1
        for t in before.tokens
    )
