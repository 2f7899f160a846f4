"""How much a passage is about a thing that it names, and how much it says that two passages name it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.core.records import Entity
from synth.corpus.analysis.mentions.broad import is_broad
from synth.corpus.analysis.mentions.names import key
from synth.text.language import is_han

_TOKENS_A_MENTION = 50  # a thing named as often as this is what the passage is about
_TINY = 12  # a passage of so few tokens is about all that it names
_MENTIONS_OF_A_LIST = 8  # from here on a passage lists names rather than speaks of them
_LEAST = 0.15
_OPENING = 0.2
_LOOSE = 0.35
_RARE = 0.8
_PLAIN = 0.7
_REGNAL = re.compile(r"\w+ [IVX]+")


def about(times: int, tokens: int, mentions: int, *, opens: bool, titled: bool) -> float:
    """From 0.02 to 1, how much a passage is about a thing.

    The thing is named `times` times among `mentions` mentions of anything in `tokens` tokens; `opens` says
    that the passage begins with it, `titled` that its title or a heading names it.
    """
    if titled:
        return 1.0
    passing = 1.0 if times == mentions or tokens <= _TINY else 0.15 + 0.25 * times
    dense = min(1.0, passing, times * _TOKENS_A_MENTION / max(1, tokens))
    listed = min(1.0, _MENTIONS_OF_A_LIST * times / max(1, mentions))
    return max(0.02, min(1.0, max(_LEAST, dense) + (_OPENING if opens else 0.0)) * listed)


@dataclass(frozen=True, slots=True)
class Traits:
    """What the name of an entity says of it: its forms as they stand in titles, and how much the name tells.

    `broad` names are met in texts on any subject, `loose` ones are places, where much happens, `shared`
    ones are those of many people, and `telling` ones are long or special enough to mean one thing.
    """

    latin: tuple[str, ...]
    han: tuple[str, ...]
    broad: bool
    loose: bool
    shared: bool
    telling: bool

    @classmethod
    def of(cls, entity: Entity) -> Traits:
        forms = dict.fromkeys(key(form) for form in entity.surface_forms)
        lone = entity.kind == "person" and entity.name.isascii() and " " not in entity.name
        regnal = bool(_REGNAL.fullmatch(entity.name))
        return cls(
            latin=tuple(f" {form} " for form in forms if not any(map(is_han, form))),
            han=tuple(form.replace(" ", "") for form in forms if any(map(is_han, form))),
            broad=is_broad(entity.name),
            loose=entity.kind == "place",
            shared=lone or regnal,
            telling=_is_telling(entity),
        )

    def in_title(self, titles: Sequence[str]) -> bool:
        """Whether one of the titles, each as `folded` gives it, names the thing."""
        for title in titles:
            bare = title.replace(" ", "") if self.han else ""
            for form in (*self.latin, *self.han):
                if form in (title if form[0] == " " else bare) and not (self.broad and 2 * len(form) < len(title)):
                    return True
        return False


def binding(traits: Traits, rarity: float, here: float, there: float) -> float:
    """From 0 to 1, how sure two passages belong together since they are `here` and `there` about a thing.

    A rare thing (`rarity` is from 0 to 1) binds where it is only named, one that is all over the corpus
    where both are about nothing else. Full names, titles, terms and code mean one thing; a country says little.
    """
    both: float = (here * there) ** (0.5 + 1.5 * (1 - rarity))
    least = min(here, there)
    if traits.broad:
        return both * least**6
    if traits.loose:
        return both * (_LOOSE + (1 - _LOOSE) * least**2)
    if traits.shared:
        return both * least**3
    return min(1.0, both * (2.0 if traits.telling and rarity > _RARE else _PLAIN if least < 1 else 1.0))


def _is_telling(entity: Entity) -> bool:
    name = entity.name
    if entity.kind == "code":
        return not name.isalpha() or not (name.islower() or name.istitle())
    if any(map(is_han, name)):
        return len(name) > 3 or (entity.kind == "person" and len(name) > 2)
    return len(name.split()) > 1


@lru_cache(maxsize=4096)
def folded(title: str) -> str:
    """A title in the form in which names are found in it."""
    return f" {key(title)} "
