"""Sentence boundaries in English and Chinese plain text."""

from __future__ import annotations

import re

from synth.text.calendar_names import MONTH_ABBREVIATIONS

_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st sr jr vs e.g i.e eg ie cf al approx inc ltd co corp dept est gen col lt sgt capt "
    "rev hon gov sen rep u.s u.k u.n ca c mt ft b d r v".split()
)
_BEFORE_A_NUMBER = frozenset(
    (*"fig figs no nos vol pp p ch sec eq art max min".split(), *(month.casefold() for month in MONTH_ABBREVIATIONS))
)
# A single character class comes first, so that the search skips all other characters fast.
_END = re.compile(
    r"[。！？!?….\n](?:(?<=[。！？!?…])[。！？!?…]*[”’」』）)\]\"'》〉】〕]*"
    r"|(?<=\.)(?<!\.\.)\.*+[”’)\]\"']*+(?=\s|$|[\u3400-\u9fff])|(?<=\n)\n+)"
)
_LAST_WORD = re.compile(r"(?<![A-Za-z.])\.*+([A-Za-z][A-Za-z.]*+)$")
_DOTTED = re.compile(r"(?<![\w.])(?:[A-Za-z]{1,2}\.){2,}$")
_AFTER_INITIALS = re.compile(r"\s*(?:\d|§|[(（]|Part\b)")
"""What continues a sentence after initials with full stops: "12 U.S.C. 5531", "Acme S.A. (the buyer)"."""

_CONTINUING = frozenset("，、；：,;:）)》〉】〕的")
_WORD = re.compile(r"\w")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the offsets (start, end) of the sentences of `text`, in order, trimmed of white space.

    Every non-space character belongs to exactly one sentence. If the text contains a letter or digit, so does every
    sentence. A full stop ends a sentence unless it follows an abbreviation or an initial, or the next word is in lower
    case. A mark inside a title, a bracket or a web address does not end a sentence.
    """
    spans, start = [], 0
    word = _WORD.search(text)
    for match in _END.finditer(text):
        mark = match.group()
        if mark.startswith(".") and not _ends_here(text, match.start(), match.end()):
            continue
        if not mark.isspace() and (_inside(text, mark, match.end()) or _goes_on(text, match.end(), mark)):
            continue
        if word is None:
            break
        if word.start() >= match.start():
            continue
        spans.append((start, match.end()))
        start = match.end()
        word = _WORD.search(text, start)
    if spans and word is None:
        start = spans.pop()[0]
    spans.append((start, len(text)))
    return [span for span in (trimmed(text, *span) for span in spans) if span[0] < span[1]]


def ends_in_abbreviation(text: str) -> bool:
    """Return whether the final full stop of `text` belongs to an abbreviation ("U.S.", "Apple Inc.", "etc.")."""
    word = _LAST_WORD.search(text.removesuffix("."))
    last = word.group(1).casefold() if word else ""
    return bool(_DOTTED.search(text)) or last == "etc" or (len(last) > 1 and last in _ABBREVIATIONS)


def _inside(text: str, mark: str, end: int) -> bool:
    """Return whether the mark before `end` does not end a sentence.

    The mark may be inside a title (《…！》) or a web address (?a=b), or a character after it may continue the clause.
    """
    following = text[end : end + 1]
    if following in _CONTINUING and following:
        return True
    if mark[-1] in "》〉" or (
        "》" in text[end : end + 40]
        and text.rfind("《", max(0, end - 40), end) > text.rfind("》", max(0, end - 40), end)
    ):
        return True
    return mark[-1] in "!?" and following.isascii() and (following.isalnum() or following in tuple("=&/_.#%*`"))


def _ends_here(text: str, stop: int, end: int) -> bool:
    """Return whether the full stop at `stop` ends a sentence."""
    word = _LAST_WORD.search(text[max(0, stop - 20) : stop])
    if word is None or not text[end : end + 200].strip():
        return True
    last = word.group(1)
    initial = len(last) == 1 and last.isupper() and last != "I"
    if last.casefold() in _BEFORE_A_NUMBER:
        return not text[end : end + 4].lstrip()[:1].isdigit()
    if _DOTTED.search(text[max(0, stop - 20) : stop + 1]) and _AFTER_INITIALS.match(text, end):
        return False
    return not initial and last.casefold() not in _ABBREVIATIONS


def _goes_on(text: str, end: int, mark: str) -> bool:
    """Return whether the next word is in lower case, so that the mark before `end` does not end a sentence."""
    if mark[0] not in ".!?":
        return False
    rest = text[end : end + 40].lstrip()
    return bool(rest) and rest[0].isascii() and rest[0].islower() and end < len(text) and text[end].isspace()


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the offsets of `text[start:end]` without the white space at its ends."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
