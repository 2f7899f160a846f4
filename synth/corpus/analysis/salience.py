"""Salience: the degree to which a passage is about an entity, and to which a shared entity binds two passages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.core.records import Entity
from synth.corpus.analysis.mentions.broad import is_broad
from synth.corpus.analysis.mentions.names import key
from synth.text.language import is_han

_TOKENS_A_MENTION = 50  # a passage is about an entity that it names this often
_SHORT_PASSAGE_TOKENS = 12  # a passage of so few tokens is about every entity that it names
_MENTIONS_OF_A_LIST = 8  # a passage with more mentions lists names rather than writes about them
_MIN_SALIENCE = 0.15
_OPENING_BONUS = 0.2
_LOOSE = 0.35
_RARE = 0.8
_PLAIN = 0.7
_REGNAL = re.compile(r"\w+ [IVX]+")


def about(times: int, tokens: int, mentions: int, *, opens: bool, titled: bool) -> float:
    """Degree from 0.02 to 1 to which a passage is about an entity.

    The passage of `tokens` tokens names it `times` times, among `mentions` mentions of all entities. `opens`: the
    passage begins with it; `titled`: its title or a heading names it.
    """
    if titled:
        return 1.0
    passing = 1.0 if times == mentions or tokens <= _SHORT_PASSAGE_TOKENS else 0.15 + 0.25 * times
    dense = min(1.0, passing, times * _TOKENS_A_MENTION / max(1, tokens))
    listed = min(1.0, _MENTIONS_OF_A_LIST * times / max(1, mentions))
    return max(0.02, min(1.0, max(_MIN_SALIENCE, dense) + (_OPENING_BONUS if opens else 0.0)) * listed)


@dataclass(frozen=True, slots=True)
class Traits:
    """Traits of the name of an entity: its normalised forms, to search titles for, and how specific it is.

    A `broad` name occurs in texts on any subject, a `loose` one is that of a place, a `shared` one is that of many
    people, and a `telling` one is long or special enough to mean one thing.
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
        """Whether one of the titles, each normalised by `folded`, names the entity."""
        for title in titles:
            bare = title.replace(" ", "") if self.han else ""
            for form in (*self.latin, *self.han):
                if form in (title if form[0] == " " else bare) and not (self.broad and 2 * len(form) < len(title)):
                    return True
        return False


def binding(traits: Traits, rarity: float, here: float, there: float) -> float:
    """Confidence from 0 to 1 that two passages belong together by an entity they are `here` and `there` about.

    A rare entity (`rarity` from 0 to 1) binds passages that only name it; a common one binds passages that are about
    nothing else. Telling names bind more, broad, loose and shared ones less.
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
    """A title in the normalised form in which names are searched."""
    return f" {key(title)} "
