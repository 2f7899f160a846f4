"""Derivation of answers: the operations of reasoning steps, recomputed exactly and without a model.

An operation decides whether a value follows from the steps before it, or gives None where that is undecidable;
`OPERATIONS` has them by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import TypeAlias

from synth.core.records import Step
from synth.text.dates import Date, Period, days_between, find_dates, read_date, years_between
from synth.text.normalise import holds, normalise, to_simplified
from synth.text.quantities import Quantity, comparable, difference, ratio, read_quantity, same
from synth.text.tokens import content_words

READ = "read"
_SAYS_YES = re.compile(r"(?:yes|是的?|对的?|會的?|会的?|可以|能)(?:[\s,.，。!！].*)?", re.IGNORECASE | re.DOTALL)
_SAYS_NO = re.compile(r"(?:no|否|不(?:是|会|能|可以|行)?的?|没有|不对)(?:[\s,.，。!！].*)?", re.IGNORECASE | re.DOTALL)
_CHINESE_YEAR = re.compile(r"\d{3,4}年")
_LISTED = re.compile(r"\s*[;；]\s*")
_LEAD = re.compile(
    r"^(?:(?:in|on|at|by|for|to|from|since|until|during)\s+(?:the\s+year\s+)?|[于於在自至到])", re.IGNORECASE
)
_NEAR = Decimal("0.1")

Operation: TypeAlias = Callable[[Sequence[Step], str, str], bool | None]


def fault(steps: Sequence[Step], evidence: Sequence[str], answer: str, language: str, about: Sequence[str] = ()) -> str:
    """The first fault of a chain of steps from the evidence to the answer, or "".

    `evidence` are the plain texts of the pieces that steps refer to by number, `about` the titles and headings of each.
    Each value that is read must occur in one of its pieces, which must name what the value is about. Each other value
    must follow by its operation, each step but the last must be used, and the last must give `answer`.
    """
    if not steps:
        return "there are no steps"
    for number, step in enumerate(steps):
        if any(not 0 <= earlier < number for earlier in step.of):
            return f"step {number + 1} takes from a step that does not come before it"
        if any(not 0 <= piece < len(evidence) for piece in step.evidence):
            return f"step {number + 1} names a piece of evidence that there is not"
        wrong = _step_fault(step, steps, evidence, about, language)
        if wrong:
            return f"step {number + 1}: {wrong}"
    if idle := sorted(set(range(len(steps))) - closure(steps)):
        return f"step {idle[0] + 1} leads nowhere"
    if not equal(steps[-1].value, answer, language):
        return f"the steps lead to '{steps[-1].value}', the answer is '{answer}'"
    return ""


def closure(steps: Sequence[Step]) -> set[int]:
    """The numbers of the steps that the last one depends on, itself included."""
    needed, waiting = set(), [len(steps) - 1] if steps else []
    while waiting:
        number = waiting.pop()
        if number not in needed:
            needed.add(number)
            waiting.extend(steps[number].of)
    return needed


def equal(value: str, answer: str, language: str) -> bool:
    """Whether two texts are the same answer: as normalised texts, amounts, dates, or yes and no."""
    if normalise(value) == normalise(answer):
        return True
    if (polarity := says_yes(value)) is not None:
        return polarity == says_yes(answer)
    mine, theirs = read_quantity(value, language), read_quantity(answer, language)
    if mine and theirs:
        return same(mine, theirs) or _bare_years(mine, theirs)
    dates = read_date(value, language), read_date(answer, language)
    return dates[0] is not None and dates[0] == dates[1]


def says_yes(answer: str) -> bool | None:
    """True for an answer "yes", False for "no", with or without an explanation; None for any other."""
    plain = to_simplified(answer).strip()
    if _SAYS_YES.fullmatch(plain):
        return True
    return False if _SAYS_NO.fullmatch(plain) else None


def stands(value: str, texts: Iterable[str], around: Iterable[str] = ()) -> bool:
    """Whether one of `texts` has a value; the parts of a list ("A; B") may be in different places.

    A preposition before the value may be missing ("on 4 May" in "(4 May 1811 – 1860)"), and so may 年 after a year. A
    name may be shorter in the text when `around`, titles and headings, has the rest.
    """
    texts = list(texts)
    bare = _LEAD.sub("", value)
    bare = bare.removesuffix("年") if _CHINESE_YEAR.fullmatch(bare) else bare
    if any(holds(text, value) or (bare != value and holds(text, bare)) for text in texts):
        return True
    parts = [part for part in _LISTED.split(value) if part]
    if len(parts) > 1:
        return all(any(holds(text, part) for text in texts) for part in parts)
    if any(char.isdigit() for char in value):
        return False
    wanted = content_words(value)
    words = set(content_words(" ".join(texts)))
    named = words | set(content_words(" ".join(around)))
    return any(word in words for word in wanted) and all(word in named for word in wanted)


def _step_fault(step: Step, steps: Sequence[Step], evidence: Sequence[str], about: Sequence[str], language: str) -> str:
    if step.operation == READ:
        return _read_fault(step, steps, evidence, about)
    if step.operation not in OPERATIONS:
        return f"'{step.operation}' is no operation; known: {READ}, {', '.join(OPERATIONS)}"
    taken = [steps[n] for n in step.of]
    right = OPERATIONS[step.operation](taken, step.value, language)
    if right is not True:
        what = "cannot be decided" if right is None else "is not what follows"
        return f"'{step.value}' {what} from {step.operation} of the values before"
    return _unnamed(taken, evidence, about) if step.operation in CHOOSING else ""


def _read_fault(step: Step, steps: Sequence[Step], evidence: Sequence[str], about: Sequence[str]) -> str:
    texts = [evidence[n] for n in step.evidence]
    around = [about[n] for n in step.evidence if n < len(about)]
    if not stands(step.value, texts, around):
        return f"'{step.value}' does not stand in its evidence"
    for earlier in (steps[n] for n in step.of):
        words = set(content_words(" ".join([*texts, *around])))
        if not any(word in words for word in content_words(earlier.value)):
            return f"its evidence does not speak of '{earlier.value}', which it is read of"
    return ""


def _unnamed(options: Sequence[Step], evidence: Sequence[str], about: Sequence[str]) -> str:
    """The fault when the evidence of an option does not name it, by the words that no other option has; or ""."""
    words = [set(content_words(option.says)) for option in options]
    for number, option in enumerate(options):
        if option.operation != READ or option.of:
            continue
        others = set().union(*(words[:number] + words[number + 1 :]))
        own = sorted(words[number] - others)
        text = to_simplified(
            " ".join(evidence[n] + " " + (about[n] if n < len(about) else "") for n in option.evidence)
        )
        named = set(content_words(text))
        if own and not any(word in named or (word > "\u3400" and word in text) for word in own):
            return f"the evidence of '{option.value}' does not name '{option.says}'"
    return ""


# Operations


def _years(of: Sequence[Step], value: str, language: str) -> bool | None:
    ends = _two_dates(of, language)
    amount = read_quantity(value, language)
    years = years_between(*ends) if ends else None
    if years is None or amount is None or not amount.exact:
        return None
    return _counts(amount, "year") and amount.value == abs(years)


def _days(of: Sequence[Step], value: str, language: str) -> bool | None:
    ends = _two_dates(of, language)
    amount = read_quantity(value, language)
    days = days_between(*ends) if ends else None
    if days is None or amount is None or not amount.exact:
        return None
    return _counts(amount, "day") and amount.value == abs(days)


def _counts(amount: Quantity, unit: str) -> bool:
    return amount.unit == unit or (not amount.unit and not amount.noun)


def _bare_years(mine: Quantity, theirs: Quantity) -> bool:
    bare = [amount for amount in (mine, theirs) if not amount.unit and not amount.noun]
    return bool(bare) and mine.value == theirs.value and mine.exact and theirs.exact


def _later(sign: int) -> Operation:
    """The year a number of years after (`sign` 1) or before (-1) a year."""

    def operation(of: Sequence[Step], value: str, language: str) -> bool | None:
        if len(of) != 2:
            return None
        start, span, end = (
            read_date(of[0].value, language),
            read_quantity(of[1].value, language),
            read_date(value, language),
        )
        if not isinstance(start, Date) or not isinstance(end, Date) or span is None or not span.exact:
            return None
        if span.unit != "year" or start.year < 0 or _vague(of[0].value, language):
            return None
        return end.month is None and end.year == start.year + sign * span.value

    return operation


def _difference(of: Sequence[Step], value: str, language: str) -> bool | None:
    amounts = _amounts(of, language)
    result = read_quantity(value, language)
    if amounts is None or len(amounts) != 2 or result is None or not result.exact:
        return None
    return _amount_is(difference(*amounts), result)


def _total(of: Sequence[Step], value: str, language: str) -> bool | None:
    amounts = _amounts(of, language)
    result = read_quantity(value, language)
    if amounts is None or len(amounts) < 2 or result is None or not result.exact:
        return None
    if amounts[0].dimension in ("temperature", "age", "share", "level"):
        return None
    worth = amounts[0].in_base / amounts[0].value if amounts[0].value else Decimal(1)
    if any(amount.unit != amounts[0].unit for amount in amounts):
        return comparable(amounts[0], result) and sum(amount.in_base for amount in amounts) == result.in_base
    return _amount_is(replace(amounts[0], value=sum((a.in_base for a in amounts), Decimal(0)) / worth), result)


def _ratio(of: Sequence[Step], value: str, language: str) -> bool | None:
    amounts = _amounts(of, language)
    plain = re.sub(r"\s*(?:times|倍)$", "", to_simplified(value).strip())
    result = read_quantity(plain, language)
    if amounts is None or len(amounts) != 2 or result is None or not result.exact:
        return None
    if amounts[0].dimension == "temperature":
        return None
    times = ratio(*amounts)
    return None if times is None else not result.unit and result.value == times


def _count(of: Sequence[Step], value: str, language: str) -> bool | None:
    result = read_quantity(value, language)
    if not of or result is None or not result.exact or len({normalise(step.value) for step in of}) != len(of):
        return None
    return result.dimension == "count" and result.value == len(of)


def _chosen(last: bool) -> Operation:
    """The step with the greatest or the least amount or date; undecided for a tie."""

    def operation(of: Sequence[Step], value: str, language: str) -> bool | None:
        ranks = _ranks(of, language)
        if ranks is None or len(ranks) < 2:
            return None
        best = max(ranks) if last else min(ranks)
        if ranks.count(best) != 1:
            return None
        return normalise(of[ranks.index(best)].says) == normalise(value)

    return operation


def _before(of: Sequence[Step], value: str, language: str) -> bool | None:
    """Whether the first of two dates or amounts is the lesser: "yes" or "no"; undecided for equal ones."""
    ranks = _ranks(of, language)
    answer = says_yes(value)
    if ranks is None or len(ranks) != 2 or ranks[0] == ranks[1] or answer is None:
        return None
    return answer == (ranks[0] < ranks[1])


def _agree(of: Sequence[Step], value: str, language: str) -> bool | None:
    """Whether the values are the same: "yes" or "no"."""
    answer = says_yes(value)
    if len(of) < 2 or answer is None:
        return None
    alike = all(equal(of[0].value, other.value, language) for other in of[1:])
    return answer == alike


def _common(of: Sequence[Step], value: str, language: str) -> bool | None:
    """The one item that several lists ("A; B") have in common; each must have more than one item."""
    lists = [{normalise(part) for part in _LISTED.split(step.value) if part} for step in of]
    if len(lists) < 2 or any(len(items) < 2 for items in lists):
        return None
    return set.intersection(*lists) == {normalise(value)}


def _period(of: Sequence[Step], value: str, language: str) -> bool | None:
    """The decade or the century of a date."""
    date, period = read_date(of[0].value, language) if len(of) == 1 else None, read_date(value, language)
    if not isinstance(date, Date) or not isinstance(period, Period) or period.last is None:
        return None
    return period.first.year <= date.year <= period.last.year


def _ranks(of: Sequence[Step], language: str) -> list[int] | None:
    """The number of steps before each step in order, or None where the order is undecidable."""
    less = _less_by_date(of, language) or _less_by_amount(of, language)
    if less is None:
        return None
    ranks = []
    for i in range(len(of)):
        decided = [less(j, i) for j in range(len(of)) if j != i]
        if None in decided:
            return None
        ranks.append(decided.count(True))
    return ranks


def _less_by_date(of: Sequence[Step], language: str) -> Callable[[int, int], bool | None] | None:
    spans = []
    for step in of:
        date = read_date(step.value, language)
        if date is None or (isinstance(date, Period) and date.last is None) or _vague(step.value, language):
            return None
        spans.append((date, date) if isinstance(date, Date) else (date.first, date.last or date.first))

    def less(a: int, b: int) -> bool | None:
        if spans[a] == spans[b] and spans[a][0] == spans[a][1]:
            return None if spans[a][0].day is None else False
        if spans[a][1].before(spans[b][0]):
            return True
        return False if spans[b][1].before(spans[a][0]) else None

    return less


def _less_by_amount(of: Sequence[Step], language: str) -> Callable[[int, int], bool | None] | None:
    quantities = [read_quantity(step.value, language) for step in of]
    amounts = [amount for amount in quantities if amount is not None and not amount.bound]
    if not amounts or len(amounts) != len(of) or not all(comparable(amounts[0], other) for other in amounts[1:]):
        return None

    def less(a: int, b: int) -> bool | None:
        first, second = amounts[a].in_base, amounts[b].in_base
        near = abs(first - second) <= _NEAR * max(abs(first), abs(second))
        return None if near and not (amounts[a].exact and amounts[b].exact) else first < second

    return less


def _two_dates(of: Sequence[Step], language: str) -> tuple[Date, Date] | None:
    """The dates of two steps, or the ends of the period of a single step; None when one is vague."""
    dates = [read_date(step.value, language) for step in of]
    if any(_vague(step.value, language) for step in of):
        return None
    if len(dates) == 1 and isinstance(dates[0], Period) and dates[0].last:
        return dates[0].first, dates[0].last
    if len(dates) == 2 and isinstance(dates[0], Date) and isinstance(dates[1], Date):
        return dates[0], dates[1]
    return None


def _vague(value: str, language: str) -> bool:
    amount = read_quantity(value, language)
    return bool(amount and amount.approximate) or any(date.approximate for date in find_dates(value, language))


def _amounts(of: Sequence[Step], language: str) -> list[Quantity] | None:
    quantities = [read_quantity(step.value, language) for step in of]
    amounts = [amount for amount in quantities if amount is not None and amount.exact]
    if not amounts or len(amounts) != len(of) or not all(comparable(amounts[0], other) for other in amounts[1:]):
        return None
    return amounts


def _amount_is(wanted: Quantity, result: Quantity) -> bool:
    if not result.unit and not result.noun:
        return result.value == wanted.value
    return same(wanted, result)


OPERATIONS: Mapping[str, Operation] = {
    "years_between": _years,
    "days_between": _days,
    "years_after": _later(1),
    "years_before": _later(-1),
    "difference": _difference,
    "total": _total,
    "ratio": _ratio,
    "count": _count,
    "earliest": _chosen(last=False),
    "latest": _chosen(last=True),
    "least": _chosen(last=False),
    "greatest": _chosen(last=True),
    "before": _before,
    "less": _before,
    "agree": _agree,
    "common": _common,
    "period": _period,
}
CHOOSING = frozenset(("earliest", "latest", "least", "greatest"))
