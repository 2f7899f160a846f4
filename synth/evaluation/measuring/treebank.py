"""Penn Treebank tokens of the Latin words within Chinese, which the scorer of CMRC 2018 takes from NLTK.

Equal to the word tokeniser of NLTK 3.10 on a text of one sentence; the tests compare them. NLTK would be a whole
library for a few words.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
    """The words and marks of a text in lower case."""
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
