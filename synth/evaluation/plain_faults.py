"""Obvious faults of a row: a text that asks nothing, a question with too few words, a text that breaks off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from synth.core.records import UNANSWERABLE
from synth.evaluation.messages import Message, message
from synth.testset.dataset import Item
from synth.text.normalise import fold_width, to_simplified
from synth.text.tokens import content_words, words

NO_QUESTION, TOO_LITTLE, CUT_OFF, NO_ANSWER = 1.0, 0.9, 0.9, 0.7
"""Weights of the faults, from 0 to 1: the text asks nothing, says too little, breaks off, or has no golden answer."""

_CONTEXT = 12
"""Number of characters, counted from the end of a Chinese text, in which its last word is searched for."""

_PAIRS = ("()", "[]", "「」", "『』", "《》")
_ABBREVIATION = re.compile(r"\b[A-Z]{2,5}\b")
_OPEN_MARK = re.compile(r"[,;、，；（(\[\u2013\u2014-]$")
_MID_SENTENCE = re.compile(r"^(?:[,;.，；。、)）]\s*\w|(?:and|or|but|which)\s)")


def plain_faults(item: Item) -> Iterator[tuple[float, Message]]:
    """Yield each obvious fault of a row as its weight and its message."""
    question = to_simplified(item.question).strip()
    keywords = item.metadata.get("style") == "keywords"
    if not keywords and not question.endswith(("?", "？")) and not _pattern("asks").search(question):
        yield NO_QUESTION, message("fault.no_question")
    elif not keywords and _says_too_little(question):
        yield TOO_LITTLE, message("fault.too_little")
    if cut := _cut(question.rstrip("?？ "), "open_end"):
        yield CUT_OFF, message("fault.question_cut", cut=cut)
    for answer in item.golden_answers:
        if cut := _cut(answer, "open_answer", beginning=True):
            yield CUT_OFF, message("fault.answer_cut", cut=cut)
    if item.evidence and (cut := _cut(item.evidence[-1].text, "open_answer")):
        yield CUT_OFF, message("fault.evidence_cut", cut=cut)
    if not item.golden_answers and item.metadata.get("question_type") != UNANSWERABLE:
        yield NO_ANSWER, message("fault.no_answer")


def _says_too_little(question: str) -> bool:
    """Return whether an English question contains too little to be answered.

    That is a question without content words, or one whose only content word is an abbreviation, unless it asks what the
    abbreviation means.
    """
    if not question.isascii():
        return False
    telling = content_words(question)
    abbreviation = len(telling) == 1 and _ABBREVIATION.search(question)
    return not telling or bool(abbreviation and not _pattern("defines").match(question))


def _cut(text: str, ends: str, *, beginning: bool = False) -> str:
    """Return the end of a text that breaks off; "" for a complete text.

    With `beginning`, a text that starts in the middle of a sentence returns its start instead. `ends` is the name of
    the list of words at which a text breaks off.
    """
    text = to_simplified(fold_width(text)).strip()
    if beginning and len(text.split()) > 1 and _MID_SENTENCE.match(text):
        return f"{text[:30]}…"
    whole = all(text.count(pair[0]) <= text.count(pair[1]) for pair in _PAIRS)
    if len(text) > 1 and (not whole or _OPEN_MARK.search(text) or _is_open(text, ends)):
        return f"…{text[-30:]}"
    return ""


@cache
def _pattern(name: str) -> re.Pattern[str]:
    entry = _table()[name]
    chinese = f"|{entry['zh']}" if "zh" in entry else ""
    return re.compile(rf"\b(?:{entry['en']})(?![\w']){chinese}", re.IGNORECASE)


def _is_open(text: str, ends: str) -> bool:
    """Return whether a text stops after a word that requires another word, such as "of" or 和.

    A Chinese character counts only if it is a word of its own, because it may also end a name.
    """
    open_end = _open(ends).search(text)
    if not open_end or open_end["zh"] is None:
        return open_end is not None
    return words(text[-_CONTEXT:])[-1] == open_end["zh"]


@cache
def _open(ends: str) -> re.Pattern[str]:
    entry = _table()[ends]
    return re.compile(rf"\w\s(?:{entry['en']})$|[一-鿿]{{4}}(?P<zh>{entry['zh']})$")


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = json.loads(
        files(__package__).joinpath("plain_faults.json").read_text(encoding="utf-8")
    )
    return table
