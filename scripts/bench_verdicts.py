"""What the judge of the bench server says: it looks the golden answer up in the evidence, and slips now and then.

Of the author it knows what a reader would: the words that a question quotes, and the dots where some are missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

from bench_rates import Rates, drawn

from synth.text.tokens import content_words, numbers
from tests.prompt_labels import label_pattern

DOTS = "…"
_GAP = "____"
_STATEMENT = re.compile(rf"[“\"]([^“\"]*{_GAP}.*)[”\"]")
_HEAD = rf"{label_pattern('item')} (\d+)(?: \((\w+)\))?\n"
_ITEM = re.compile(rf"^{_HEAD}(.*?)(?=\n\n{label_pattern('item')} \d+(?: \(\w+\))?\n|\Z)", re.DOTALL | re.MULTILINE)
_GOLDEN = re.compile(rf"^{label_pattern('golden')} (\d+)(?:: |：)(.*)$", re.MULTILINE)
_QUESTION = re.compile(rf"^{label_pattern('question')}(?:: |：)(.*)$", re.MULTILINE)
_ENDS = r"[.。；;!！]?(?:\s|$)|。"


def closed(questions: str, rates: Rates, draw: Random) -> Iterator[dict[str, Any]]:
    """Verdicts on numbered questions without the documents."""
    for number, question in re.findall(r"^\[(\d+)\] (.*)$", questions, re.MULTILINE):
        clear, known = draw.random() < rates.clear, ""
        if draw.random() < rates.known:
            known = draw.choice(("It depends.", " ".join(content_words(question)[-2:])))
        yield {
            "item": int(number),
            "unnamed": "" if clear else "which one is meant",
            "clear": clear,
            "natural": drawn(rates.natural, draw),
            "matters": drawn(rates.matters, draw),
            "known": known,
        }


def opened(items: str, rates: Rates, draw: Random) -> Iterator[dict[str, Any]]:
    """Verdicts on items with evidence and golden answer, statements with a gap among them."""
    answers = dict(_GOLDEN.findall(items))
    for number, kind, text in _ITEM.findall(_GOLDEN.sub("", items).rstrip()):
        golden = answers[number]
        (question,), evidence = _QUESTION.findall(text)[:1], text.partition("\n")[2]
        if gap := _STATEMENT.search(question):
            holds = _bare(gap[1].replace(_GAP, golden)) in _bare(evidence)
            rate = rates.gap
        else:
            holds = any(_stands(one, evidence) for one in golden.split(" / "))
            rate = rates.keeps if holds else rates.refuses
        keeps = holds == (draw.random() < rate)
        if draw.random() < rates.left_out:
            continue
        faults = [] if keeps else ["proved", "right"]
        if holds and not keeps and not gap:
            faults = [draw.choice(("right", "complete", "one", "typed"))]
        turned = kind == "conditional" and draw.random() < rates.turned
        said = draw.choice((golden, f"It is {golden}", f"{golden}.")) if keeps else ""
        yield {
            "item": int(number),
            "answer": said[:400],
            **{name: name not in faults for name in ("proved", "right", "complete", "one", "typed")},
            "other": "something else" if "one" in faults else "",
            "turned": " ".join(content_words(evidence)[-4:]) if turned else "",
            "why": "" if keeps else "the evidence says something else",
            "grave": not keeps,
        }


def found(items: str, rates: Rates, draw: Random) -> Iterator[dict[str, Any]]:
    """The answers that texts give to questions, each to its own."""
    for number, _, text in _ITEM.findall(items):
        asked = [*_QUESTION.finditer(text)][-1]
        told, question = text[: asked.start()].rstrip(), asked[1]
        is_there, answer = _looked_up(question, told)
        if answer and not is_there:
            is_there = draw.random() < rates.part
        yield {"item": int(number), "found": is_there, "answer": answer[:400] if is_there else ""}


def _bare(text: str) -> str:
    """The letters and digits of a text."""
    return re.sub(r"[\W_]+", "", text).casefold()


def _stands(golden: str, evidence: str) -> bool:
    """Whether a text has the words of an answer, or two numbers of which it is the sum or the difference."""
    if _bare(golden) in _bare(evidence):
        return True
    told, wanted = set(content_words(evidence)), content_words(golden)
    given = {int(one) for one in numbers(evidence) if one.isdecimal()}
    reckoned = {str(value) for a in given for b in given for value in (a - b, a + b)}
    if not numbers(golden) <= numbers(evidence) | reckoned:
        return False
    return bool(wanted) and sum(word in told or word in reckoned for word in wanted) >= 0.8 * len(wanted)


def _looked_up(question: str, told: str) -> tuple[bool, str]:
    """Whether a text has all that a question quotes, and what stands there in the place of the dots.

    Of a question that quotes nothing, the sentence with most of its words, if that has enough of them.
    """
    quoted = re.findall(r"[“「]([^”」]*)[”」]", question)
    if not quoted:
        asked = set(content_words(question))
        best = max(told.splitlines(), key=lambda line: len(asked & set(content_words(line))), default="")
        is_enough = len(asked & set(content_words(best))) >= 0.6 * len(asked)
        return is_enough, best if is_enough else ""
    there = [one for one in quoted if all(_bare(part) in _bare(told) for part in one.split(DOTS))]
    answer = ""
    for one in there:
        before, _, after = (part.strip() for part in one.partition(DOTS))
        if match := re.search(f"{re.escape(before)}\\s*(.+?)\\s*(?:{re.escape(after) or _ENDS})", told):
            answer = match[1]
    return len(there) == len(quoted) and bool(answer), answer
