"""What stands in quotation marks: titles, and words that are spoken of."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|「[^「」]*」|『[^『』]*』|《[^《》]*》|`[^`]*`")


def without_quotes(text: str, instead: str = "") -> str:
    """A text with everything in quotation marks, the marks too, replaced."""
    return _QUOTED.sub(instead, text)
