"""When somebody was born or died, of the dates in parentheses behind a full name at the head of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.text.calendar_names import MONTHS

_MONTH = f"(?:{'|'.join(MONTHS)})"
_DATE = rf"(?:\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}}|\d{{4}})"
_NAME = r"(?:[A-ZÀ-Þ][\w.’'-]* )(?:(?:[A-ZÀ-Þ][\w.’'-]*|de|di|da|van|von|bin|of|the|la) ){0,4}[A-ZÀ-Þ][\w’'-]+"
_LIFE = re.compile(
    rf"^(?P<name>{_NAME}) ?\((?:(?:(?!born)[^()\d])*?[;,] )?(?:(?:born|b\.) ?)?(?P<born>{_DATE})"
    rf"(?:(?: in [A-Z][^()–-]*)? ?[–-] ?(?P<died>{_DATE}))?\),? (?:was|is) (?:an? |the )"
)


def lifetimes(text: str) -> Iterator[tuple[str, str]]:
    """Questions and answers: "Ada Brandt (4 May 1811 – 1860) was a painter." -> "When was Ada Brandt born?" """
    match = _LIFE.match(text)
    if match is None:
        return
    yield f"When was {match['name']} born?", match["born"]
    if match["died"]:
        yield f"When did {match['name']} die?", match["died"]
