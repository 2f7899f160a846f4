"""Text in quotation marks."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"“[^“”]*”|\"[^\"]*\"|「[^「」]*」|『[^『』]*』|《[^《》]*》|`[^`]*`")


def without_quotes(text: str, instead: str = "") -> str:
    """Return `text` with each quotation, including its quotation marks, replaced by `instead`."""
    return _QUOTED.sub(instead, text)
