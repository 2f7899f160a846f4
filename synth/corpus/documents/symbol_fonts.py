"""Characters of symbol fonts, which Office files identify by their position in the font."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_PRIVATE = 0xF000
"""Start of the private code points. Office writes character 0x57 of a symbol font as U+0057 or as U+F057."""


@cache
def _fonts() -> Mapping[str, Mapping[str, str]]:
    fonts: Mapping[str, Mapping[str, str]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    return fonts


def in_unicode(text: str, font: str) -> str:
    """Return `text` in a symbol font as the characters that a reader sees. Text in other fonts is unchanged.

    A private use character of Unicode is left out if we do not know what the font shows for it.
    """
    known = _fonts().get(font.casefold(), {})
    if not known and not any(_PRIVATE <= ord(character) <= _PRIVATE + 0xFF for character in text):
        return text
    shown = []
    for character in text:
        code = ord(character)
        is_private = _PRIVATE <= code <= _PRIVATE + 0xFF
        place = code - _PRIVATE if is_private else code
        shown.append(known.get(f"{place:02X}", "" if is_private else character))
    return "".join(shown)
