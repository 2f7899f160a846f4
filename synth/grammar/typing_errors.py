"""Typing errors of a hasty writer. Names, numbers, code and quotations, on which the answer depends, stay unchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache

from synth.text.language import is_chinese
from synth.text.normalise import to_simplified, to_traditional
from synth.text.typos import CHINESE_SLIPS, FREQUENT, english_slips, is_word

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|「[^」]*」|『[^』]*』|《[^》]*》|'[^']*'(?!\w)")
_WORD = re.compile(r"(?<![\w./@#-])[A-Za-z]{3,}(?![\w./@#(=-]|'\w)")
_MISHEARD = 0.85  # probability of a similar-sounding word, if possible, instead of a doubled character
_LONG = 18  # maximum characters of a question with a single error
# Errors that cannot happen in traditional script, or are no errors there.
_SIMPLIFIED_ONLY = frozenset(("登陆", "帐号", "模形"))
_THREE = {"the": ("teh",), "who": ("woh",), "how": ("hwo",), "why": ("wyh",)}


def typing_errors(question: str, language: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """Return `question` with one or two typing errors, or None if there is no word to put them in.

    Texts in `keep`, numbers, code and quotations stay unchanged.
    """
    if is_chinese(language):
        return _chinese(question, language, rng, keep)
    return _english(question, rng, keep)


def _english(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    guarded = _guarded(question, keep)
    words = [
        match for match in _WORD.finditer(question) if not _overlaps_any(match.span(), guarded) and _may_slip(match)
    ]
    offered = [(match, slips) for match in words if (slips := _slips(match.group().lower()))]
    if not offered:
        return None
    common = [pair for pair in offered if pair[0].group().lower() in FREQUENT or len(pair[0].group()) == 3]
    chosen = [rng.choice(common or offered)]
    rest = [pair for pair in offered if pair[0] is not chosen[0][0]]
    if rest and len(question.split()) > 7 and rng.random() < 0.4:
        chosen.append(rng.choice(rest))
    for match, slips in sorted(chosen, key=lambda pair: -pair[0].start()):
        slip = rng.choice(slips)
        word = match.group()
        slip = slip[:1].upper() + slip[1:] if word[:1].isupper() else slip
        question = question[: match.start()] + slip + question[match.end() :]
    return _with_careless_marks(question, rng)


def _with_careless_marks(question: str, rng: random.Random) -> str:
    """Return the question, mostly without a capital at the start and often without a question mark."""
    first = question.split()[0]
    if rng.random() < 0.7 and first.isalpha() and first[1:].islower():
        question = first.lower() + question[len(first) :]
    return question.rstrip("?").rstrip() if rng.random() < 0.5 else question


def _may_slip(match: re.Match[str]) -> bool:
    """Return whether a word may get a typing error: lower-case words, and question words at the start."""
    word = match.group()
    return word.islower() or (match.start() == 0 and (word.lower() in FREQUENT or word.lower() in _THREE))


@lru_cache(maxsize=4096)
def _slips(word: str) -> tuple[str, ...]:
    """Return misspellings of a word that keep its first letter. Misspellings that are words themselves are left out."""
    if len(word) == 3:
        return _THREE.get(word, ())
    inner = range(1, len(word) - 1)
    slips = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner}
    if len(word) > 4:
        slips |= {word[:at] + word[at] + word[at:] for at in inner if word[at - 1] != word[at] != word[at + 1]}
        slips |= {word[:at] + word[at + 1 :] for at in inner}
    if len(word) > 6:
        slips |= {word[:at] + near + word[at + 1 :] for at in inner for near in _neighbours(word[at])}
    if word in FREQUENT:
        slips &= english_slips()
    return tuple(sorted(slip for slip in slips if slip != word and not is_word(slip)))


def _neighbours(letter: str) -> str:
    """Return the letters to the left and right of a letter on the keyboard."""
    row = next(row for row in _ROWS if letter in row)
    at = row.index(letter)
    return row[max(0, at - 1) : at] + row[at + 1 : at + 2]


def _guarded(question: str, keep: Sequence[str]) -> list[tuple[int, int]]:
    spans = [match.span() for match in _QUOTED.finditer(question)]
    for kept in keep:
        spans += [match.span() for match in re.finditer(re.escape(kept), question, re.IGNORECASE) if kept]
    return spans


def _overlaps_any(span: tuple[int, int], guarded: Sequence[tuple[int, int]]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in guarded)


def _chinese(question: str, language: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    guarded = _guarded(question, keep)
    simple = to_simplified(question)
    slips = sorted(
        (match.start(), match.end(), wrong)
        for right, wrong in _table(language == "zh-Hant")
        for match in re.finditer(right, simple)
        if not _overlaps_any(match.span(), guarded)
    )
    if not slips:
        return None
    misheard = [slip for slip in slips if not _is_doubled(slip[2])]
    chosen = [rng.choice(misheard if misheard and rng.random() < _MISHEARD else slips)]
    more = [
        slip for slip in [*slips, *_dropped_particles(simple, guarded)] if not _overlaps_any(slip[:2], [chosen[0][:2]])
    ]
    if more and len(question) > _LONG and rng.random() < 0.3:
        chosen.append(rng.choice(sorted(more)))
    for start, end, wrong in sorted(chosen, reverse=True):
        question = question[:start] + _slip_in_script(question[start:end], wrong, language) + question[end:]
    return _with_hasty_marks(question, rng)


def _is_doubled(wrong: str) -> bool:
    return len(wrong) == 2 and wrong[0] == wrong[1]


def _slip_in_script(right: str, wrong: str, language: str) -> str:
    """Return the wrong text in the script of the question. Characters that are not wrong stay as in `right`."""
    if language != "zh-Hant":
        return wrong
    simple = to_simplified(right)
    if len(wrong) != len(right):
        return to_traditional(wrong)
    return "".join(r if s == w else to_traditional(w) for r, s, w in zip(right, simple, wrong, strict=True))


def _dropped_particles(question: str, guarded: Sequence[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Return (start, end, "") of each particle 的 or 了 that can be left out."""
    matches = re.finditer(r"(?<=[\u4e00-\u9fff]{2})(?<!什么)(?<![谁哪])[的了](?=[\u4e00-\u9fff]{2})", question)
    return [(*match.span(), "") for match in matches if not _overlaps_any(match.span(), guarded)]


@lru_cache(maxsize=2)
def _table(traditional: bool) -> tuple[tuple[str, str], ...]:
    """Return pairs of correct and wrong text, both in simplified script."""
    pairs = {(right, wrong) for wrong, right in CHINESE_SLIPS.items()}
    if traditional:
        pairs = {pair for pair in pairs if pair[1] not in _SIMPLIFIED_ONLY}
    return tuple(sorted(pairs))


def _with_hasty_marks(question: str, rng: random.Random) -> str:
    """Return the question with half-width marks, or without a question mark."""
    turn = rng.random()
    if turn < 0.4:
        return question.replace("？", "?").replace("，", ",")
    return question.rstrip("？?") if turn < 0.7 else question
