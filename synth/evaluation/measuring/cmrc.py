"""Texts as the scorer of CMRC 2018 compares them: Chinese by characters, its list of marks removed."""

from __future__ import annotations

from difflib import SequenceMatcher
from functools import lru_cache

from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.treebank import treebank

# The original list also has an ellipsis of two characters, which never equals a single character.
MARKS = frozenset("-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』")


def cmrc_f1(answer: str, golden: str) -> float:
    """F1 by the longest common run of segments."""
    answer_segments, golden_segments = segments(answer), segments(golden)
    common = SequenceMatcher(None, answer_segments, golden_segments, autojunk=False).find_longest_match().size
    return f1(common / len(answer_segments), common / len(golden_segments)) if common else 0.0


@lru_cache(maxsize=2048)
def segments(text: str) -> tuple[str, ...]:
    """Chinese characters one by one, words of other scripts whole, without the marks."""
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
    """A text in lower case without the marks."""
    return "".join(char for char in text.lower().strip() if char not in MARKS)
