"""Agreement of an answer with a golden answer: coverage of its facts, reduced by contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from synth.evaluation.measuring.answer_abbreviations import alike_names, alike_substances
from synth.evaluation.measuring.answer_facts import Covered, Facts, covered, facts, folded, lacks_day, opposed, says
from synth.evaluation.measuring.answer_lists import adds_items, items, offered, swapped
from synth.evaluation.measuring.answer_names import another_institution, names, renamed, renamed_in_place
from synth.evaluation.measuring.answer_numerals import alike_numerals, other_time
from synth.evaluation.measuring.polarity import clauses, denies_outright, negated, stated
from synth.evaluation.measuring.word_coverage import content
from synth.evaluation.measuring.yes_no import asks_yes_or_no, begins_with_yes, conditional, is_bare, says_yes
from synth.text.tokens import ENGLISH_STOP

CONTRADICTED = 0.4
"""Factor by which the coverage is multiplied if the answer contradicts the golden answer."""

_HALF_COVERED, _MOSTLY_COVERED, _MIN_GAP, _BARELY_COVERED = 0.5, 0.6, 0.4, 0.25
_TRUTH = {"true": "yes", "false": "no"}
_BRACKETS = re.compile(r"\([^()]*\)")
_LIST_WORDS = frozenset("and or the a an of".split())


def correctness(answer: str, golden: str, question: str, goldens: Sequence[str], language: str = "en") -> float:
    """Return the agreement of an answer with one golden answer, from 0 to 1; below 0.5 for a contradiction.

    `goldens` are all golden answers of the question; an answer may state several of them. `language` decides whether
    1,234 has a decimal comma.
    """
    texts = [_TRUTH.get(text.strip(" .").casefold(), text) for text in (golden, answer, question, *goldens)]
    golden, answer, question, *goldens = map(folded, alike_substances(alike_numerals(texts, language), question))
    answer = alike_names(golden, answer)
    score = _agreement(golden, answer, question, goldens)
    if asks_yes_or_no(question):
        return _yes_or_no(golden, answer, question, score)
    return score


def _agreement(golden: str, answer: str, question: str, goldens: Sequence[str]) -> float:
    asked = facts(question)
    denies = negated(question) or any(clause.denied for clause in clauses(golden))
    assertions = answer if denies else stated(answer)
    coverage = _coverage(golden, answer, question, asked)
    if coverage.share < _HALF_COVERED:
        return coverage.share
    wrong = any(_contradictions(golden, question, answer, assertions, goldens))
    return coverage.share * (CONTRADICTED if wrong or coverage.contradicted else 1.0)


def _yes_or_no(golden: str, answer: str, question: str, score: float) -> float:
    """Return the agreement of an answer to a yes-or-no question; `score` is its agreement without regard to yes and no.

    An answer that means no instead of yes, or yes instead of no, counts as contradicted. Explanations after yes or no
    may be missing, unless they are a condition ("yes, but only …"). An explanation that is given must share some of the
    golden explanation, and wrong figures in it count as a contradiction.
    """
    wanted, given = says_yes(golden, question), says_yes(answer, question)
    if wanted is None or given is None:
        return score
    if wanted != given:
        return min(score, CONTRADICTED)
    if begins_with_yes(golden) is None:
        return 1.0 if is_bare(answer) else score
    told = covered(golden, answer, facts(""))
    if told.contradicted or (conditional(golden) and not conditional(answer)):
        return min(score, CONTRADICTED)
    if is_bare(golden) or is_bare(answer):
        return 1.0
    told_share = max(score, told.share)
    return (1.0 + told_share) / 2 if told_share >= _BARELY_COVERED else score


def _coverage(golden: str, answer: str, question: str, asked: Facts) -> Covered:
    """Return the coverage of the golden answer: its statements must be stated, and its denials denied.

    If the question itself denies, statements and denials are not separated.
    """
    if negated(question):
        return covered(golden, answer, asked)
    sides = ((stated(golden, denied=denied), stated(answer, denied=denied)) for denied in (False, True))
    return sum(
        (covered(golden_side, answer_side, asked) for golden_side, answer_side in sides if golden_side.strip()),
        Covered(),
    )


def _contradictions(golden: str, question: str, answer: str, assertions: str, goldens: Sequence[str]) -> Iterator[bool]:
    """Yield, for each kind of contradiction, whether the answer shows it."""
    asked = facts(question)
    yield denies_outright(answer) and not any(clause.denied for clause in clauses(golden))
    if not negated(question):
        yield _is_denied(golden, answer, asked)
    parts = items(golden, question)
    yield lacks_day(golden, answer, question)
    yield adds_items(golden, answer, question)
    yield any(not _has_item(part, [other for other in parts if other != part], assertions, question) for part in parts)
    yield renamed(golden, assertions)
    yield renamed_in_place(golden, assertions)
    yield another_institution(golden, assertions)
    yield swapped(golden, assertions)
    yield other_time(golden, assertions) or opposed(golden, assertions)
    if not parts:
        counted = not facts(golden).words  # brackets after a number contain what was counted
        yield _gives_several(_BRACKETS.sub(" ", assertions) if counted else assertions, asked, goldens)


def _is_denied(golden: str, answer: str, asked: Facts) -> bool:
    """Return whether the answer denies a golden statement, or states something that the golden answer denies."""
    golden_clauses, answer_clauses = clauses(golden), clauses(answer)
    if len({clause.denied for clause in (*golden_clauses, *answer_clauses)}) == 1:
        return False
    for clause in golden_clauses:
        shares = {True: 0.0, False: 0.0}
        for other in answer_clauses:
            same = other.denied == clause.denied
            shares[same] = max(shares[same], covered(clause.text, other.text, asked).share)
        if shares[False] >= _MOSTLY_COVERED and shares[False] > shares[True]:
            return True
    return False


def _has_item(part: str, others: Sequence[str], assertions: str, question: str) -> bool:
    """Return whether an answer contains a list item. Words of the question and of the other items weigh less."""
    read = facts(part)
    empty = not (read.words or read.figures)
    return empty or covered(part, assertions, facts(" ".join((question, *others)))).share >= _HALF_COVERED


def _gives_several(assertions: str, asked: Facts, goldens: Sequence[str]) -> bool:
    """Return whether an answer gives several answers where one was asked for: "A or B", or only a list."""
    parts = (
        items(assertions)
        if _LIST_WORDS.issuperset(word for word in content(assertions) if word in ENGLISH_STOP)
        else ()
    )
    for left, right in (*offered(assertions), *permutations(parts, 2)):
        for part, other in ((left, right), (right, left)):
            if _are_rivals(part, other, asked):
                shares = [max(covered(golden, side, asked).share for golden in goldens) for side in (part, other)]
                if shares[0] >= _HALF_COVERED and shares[0] - shares[1] >= _MIN_GAP:
                    return True
    return False


def _are_rivals(part: str, other: str, asked: Facts) -> bool:
    """Return whether two parts of an answer both contain figures, or both names, and the second contains new ones."""
    new = [figure for figure in facts(other).figures if not any(says(known, figure) for known in asked.figures)]
    if facts(part).figures and new:
        return True
    return bool(names(part)) and any(not asked.known.issuperset(name) for name in names(other))
