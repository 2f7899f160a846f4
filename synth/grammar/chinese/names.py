"""True if a word names one thing, by the word of a second segmenter beside LAC's."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.grammar.chinese.lexicon import NAMES
from synth.grammar.chinese.lines import ChineseLine, Token

_HAN = re.compile(r"[\u3400-\u9fff]")
_PROPER_TAGS = ("nr", "ns", "nz", "nt")
_LATIN_LETTER = re.compile(r"[A-Za-z]")
_GENERIC = re.compile(
    r"^(?:证券)?(?:交易所|大学|学院|学校|公司|政府|法院|国会|议会|委员会|教会|教堂|市中心|城市|市区|校区|西部|东部|南部|北部|中部|地区|州|省|县|镇|海岸|海滩|河|湖|山|岛)$"
)


def proper(token: Token) -> bool:
    """True if the word is a name of its own, and no common noun that LAC took for one."""
    if token.tag == "code":
        return bool(_LATIN_LETTER.search(token.text)) and (
            len(token.text) >= 5 or not token.text.islower() or not token.text.isalpha()
        )
    if _LATIN_LETTER.search(token.text):
        return True
    if token.tag not in NAMES or len(token.text) < 2:
        return False
    if len(token.text) == 2 and token.tag in ("nz", "nw"):
        return False
    return token.tag == "PER" or _proper_text(token.text, token.tag)


@lru_cache(maxsize=65536)
def _proper_text(text: str, tag: str) -> bool:
    import rjieba

    if _GENERIC.match(text):
        return False
    pairs = rjieba.tag(text)
    if any(kind.startswith(_PROPER_TAGS) and not _GENERIC.match(word) for word, kind in pairs):
        return True
    if tag == "ORG" and len(text) >= 6:
        return True
    return sum(len(word) == 1 and kind not in ("m", "f", "q") for word, kind in pairs) * 2 >= len(pairs) + 1


def agreed(line: ChineseLine, place: int) -> bool:
    """True if both segmenters see the end of a word at `place`."""
    text = line.simple
    left, right = place, place
    while left > 0 and place - left < 8 and _HAN.match(text[left - 1]):
        left -= 1
    while right < len(text) and right - place < 8 and _HAN.match(text[right]):
        right += 1
    if left == place or right == place:
        return True
    return place - left in _cuts(text[left:right])


@lru_cache(maxsize=65536)
def located(text: str) -> bool:
    """True if the second segmenter takes the word as a whole for a place."""
    import rjieba

    pairs = rjieba.tag(text)
    return len(pairs) == 1 and pairs[0][1] == "ns"


@lru_cache(maxsize=65536)
def _cuts(text: str) -> frozenset[int]:
    import rjieba

    cuts, position = set(), 0
    for word in rjieba.cut(text):
        position += len(word)
        cuts.add(position)
    return frozenset(cuts)
