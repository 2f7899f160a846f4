"""Questions on reasons: 因为, 由于, 因此, 所以."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from synth.grammar.chinese.candidates import Candidates, TemplateWriter, candidate, named
from synth.grammar.chinese.clauses import Statement, find_subject
from synth.grammar.chinese.lines import ChineseLine

_BECAUSE = re.compile(r"^(?:这|那)?(?:主要|部分)?(?:是)?(?:因为|由于)(?:是)?")
_SO = re.compile(r"^(?:因此|所以|因而|故而|于是)")
_FILLER = re.compile(r"^(?:也|就|便|则|才|都|还|又|将会|而)+")
_LONGEST_CAUSE, _LONGEST_EFFECT = 48, 24
_SHORTEST_EFFECT, _LEAST_BEFORE = 9, 7
"""Characters, with its subject, below which an effect hardly tells what is meant; in one clause with its reason, not at
all: v2可以成功."""
_LOOSE_EFFECT = re.compile(r"^(?:是|为|的|之|等|,)|等$|[:、]$|说|认为|称|^(?:可以看|可能)|建议|推荐")


def reasons(line: ChineseLine, statements: Sequence[Statement], writer: TemplateWriter) -> Candidates:
    """Questions on the reasons that one sentence gives."""
    for position, (cause, effect) in enumerate(itertools.pairwise(statements)):
        last = position + 2 == len(statements)
        match = _BECAUSE.match(cause.clause)
        if match and cause.stop == ",":
            so = _SO.match(effect.clause)
            yield from _of_effect(
                line,
                effect,
                so.end() if so else 0,
                (cause.begin + match.end(), cause.end),
                writer,
                (0.86 if so else 0.82) - (0.3 if position else 0.0),
            )
        back = _BECAUSE.match(effect.clause)
        if back and cause.stop == "," and last and not _BECAUSE.match(cause.clause):
            yield from _of_effect(line, cause, 0, (effect.begin + back.end(), effect.end), writer, 0.86)
        so = _SO.match(effect.clause)
        if so and not match and cause.stop == "," and position == 0 and cause.subject and cause.subject.source == "own":
            yield from _of_effect(line, effect, so.end(), (cause.begin, cause.end), writer, 0.76)
    for statement in statements:
        yield from _within_clause(line, statement, writer)


def _within_clause(line: ChineseLine, statement: Statement, writer: TemplateWriter) -> Candidates:
    """X是因为Y, X的原因是Y, within one clause."""
    match = re.match(r"^(?P<X>.{4,26}?)(?:的(?:主要)?原因是|,?是因为|,?是由于)(?P<A>.{5,})$", statement.clause)
    if match and statement.stop in ("。", "") and not re.match(r"这|那|其|之", match.group("X")):
        a, b = statement.begin + match.start("A"), statement.end
        x1, x2 = statement.begin, statement.begin + match.end("X")
        if line.whole(x1, x2) and line.whole(a, b):
            effect = re.sub("^之所以", "", line.written(x1, x2))
            subject = statement.subject
            form = "{X}的原因是什么？" if "原因" in match.group() else "为什么{X}？"
            if subject and effect.startswith(subject.text) and "原因" not in match.group():
                form, effect = "{S}为什么{X}？", effect[len(subject.text) :].removeprefix("之所以")
            if len(effect) < 2 or x2 - x1 < _LEAST_BEFORE:
                return
            yield candidate(writer, statement, form, line.answer(a, b), "reason", 0.8, X=effect)


def _of_effect(
    line: ChineseLine, effect: Statement, skip: int, cause: tuple[int, int], writer: TemplateWriter, sure: float
) -> Candidates:
    """为什么 about one effect whose subject is known, answered by the span of its cause."""
    if skip:
        subject, start = find_subject(line, effect.begin + skip, effect.end, None)
        effect = replace(effect, subject=subject, start=start)
    subject = effect.subject
    if subject is None or subject.level < 2 or subject.source != "own" or not line.whole(*cause):
        return
    start = effect.start
    text = line.simple[start : effect.end]
    filler = _FILLER.match(text)
    if filler:
        if re.search("[也还又]", filler.group()):
            return  # as what the sentences before tell
        start += filler.end()
    if start >= effect.end or start not in line.edges:
        return
    text = line.simple[start : effect.end]
    first = line.span(start, effect.end)[0]
    if first.tag not in ("v", "d", "vd", "ad", "p", "a", "vn") and not re.match("被|没|不|有|会|可|能|要|需", text):
        return
    if not 2 <= len(text) <= _LONGEST_EFFECT or _LOOSE_EFFECT.search(text):
        return
    if not any(t.tag in ("v", "a", "vn") for t in line.span(*cause)) or effect.hazy:
        return
    if len(text) + len(subject.simple) < _SHORTEST_EFFECT and not named(line.span(start, effect.end)):
        sure -= 0.2
    reason = line.answer(*cause)
    if not 5 <= len(reason) <= _LONGEST_CAUSE:
        return
    predicate = re.sub(r"了$", "", line.written(start, effect.end))
    yield candidate(writer, effect, "{S}为什么{V}？", reason, "reason", sure, V=predicate)
