"""Texts as the scorer of CMRC 2018 compares them: Chinese by character, without the punctuation in its list."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

from synth.evaluation.measuring.ranking import f1

# The original list also contains an ellipsis of two characters, which never equals a single character.
MARKS = frozenset("-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』")


def cmrc_f1(answer: str, golden: str) -> float:
    """Return the F1 from the longest common run of segments."""
    answer_segments, golden_segments = segments(answer), segments(golden)
    common = SequenceMatcher(None, answer_segments, golden_segments, autojunk=False).find_longest_match().size
    return f1(common / len(answer_segments), common / len(golden_segments)) if common else 0.0


@lru_cache(maxsize=2048)
def segments(text: str) -> tuple[str, ...]:
    """Split a text into Chinese characters and words of other scripts, without punctuation."""
    parts: list[str] = []
    other = ""
    for char in text.lower().strip():
        if char in MARKS:
            continue
        if "\u4e00" <= char <= "\u9fa5":
            parts += treebank(other)
            parts.append(char)
            other = ""
        else:
            other += char
    return tuple(parts + treebank(other))


@lru_cache(maxsize=2048)
def without_marks(text: str) -> str:
    """Return a text in lower case without punctuation."""
    return "".join(char for char in text.lower().strip() if char not in MARKS)


_BEFORE = [
    (r"[«“‘„]|`+", r" \g<0> "),
    (r'^"', "``"),
    (r"``", " `` "),
    (r"([ (\[{<])(?:\"|'{2})", r"\1 `` "),
    (r"(?<!\w)'(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", "' "),
    (r"([^.])\.([\])}>\"'»”’ ]*)\s*$", r"\1 . \2 "),
    (r"([:,])(\D)", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&\u2012-\u2015]", r" \g<0> "),
    (r"([^.])\.([\])}>\"']*)\s*$", r"\1 .\2 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"\*", " * "),
    (r"[\]\[(){}<>]", r" \g<0> "),
    (r"--", " -- "),
]
_AFTER = [
    (r"[»”’]", r" \g<0> "),
    (r"''|\"", " '' "),
    (r"\s+", " "),
    (r"([^' ])('[smd]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'re|'ve|n't) ", r"\1 \2 "),
    (r"\b(?:can(?=not\b)|d(?='ye\b)|(?:gim|lem)(?=me\b)|gon(?=na\b)|got(?=ta\b)|more(?='n\b)|wan(?=na\s))", r" \g<0> "),
    (r" 't(?=(?:is|was)\b)", r" \g<0> "),
]


@lru_cache(maxsize=1)
def _rules() -> tuple[list[tuple[re.Pattern[str], str]], list[tuple[re.Pattern[str], str]]]:
    before, after = ([(re.compile(pattern), by) for pattern, by in rules] for rules in (_BEFORE, _AFTER))
    return before, after


def treebank(text: str) -> list[str]:
    """Return Penn Treebank tokens of Latin words within Chinese text, which CMRC's scorer takes from NLTK.

    `text` must be in lower case. The tokens equal those of NLTK 3.10 for one sentence, as tests check. NLTK itself
    would be a whole library for a few words.
    """
    if text.isalnum() and not text.startswith(_SPLIT):
        return [text]
    before, after = _rules()
    for pattern, by in before:
        text = pattern.sub(by, text)
    text = f" {text} "
    for pattern, by in after:
        text = pattern.sub(by, text)
    return text.split()


_SPLIT = ("cannot", "gimme", "lemme", "gonna", "gotta", "wanna")
