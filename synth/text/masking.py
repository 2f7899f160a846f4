"""Words of a text masked in another."""

from __future__ import annotations

import re

from synth.text.stems import stem, stems
from synth.text.tokens import content_words

GAP = "____"
_WORD = re.compile(r"[A-Za-z0-9]+(?:['.-][A-Za-z0-9]+)*")
_GAPS = re.compile(rf"{GAP}(?:(?:[\s-]*|[.,:：，/] ?){GAP})+")
"""Gaps beside one another, of several words or of the parts of a number, a time or a name with an initial."""
_LEAST_MASKED = 0.5


def without_words(text: str, masked: str) -> str:
    """The text with the content words of `masked`, in any form, replaced by a gap; as it is where it has less than half
    of them."""
    wanted = set(stems(masked))
    present = wanted & set(stems(text))
    if not wanted or len(present) < _LEAST_MASKED * len(wanted):
        return text
    gapped = _WORD.sub(lambda match: GAP if stem(match[0].casefold()) in present else match[0], text)
    for word in content_words(text):
        if stem(word) in present and not _WORD.fullmatch(word):
            gapped = gapped.replace(word, GAP)
    return _GAPS.sub(GAP, gapped)
