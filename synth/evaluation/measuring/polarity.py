"""Polarity of answers: the clauses that state, and those that deny or refuse, English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.measuring.refusals import abstains
from synth.text.sentences import split_sentences

_NOT = re.compile(
    r"\b(?:not|never|cannot|nobody|neither|nor|rather than|instead of|false that|incorrect|wrong|untrue)\b|n['’]t\b"
    r"|\bno\b(?!\.)|\b(?:denies|denied|rejects|rejected) that\b"
    r"|不(?:是|会|能|可|要|应|曾|再|属|在|存|包|以|为|由|对|正)|并不|从不|并非|绝非|而非|没有?|未(?!来|婚)|无法|从无|(?<![\u3400-\u9fff])[不非无]"
    r"|错误的",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\bnot (?:only|just|merely|simply|until|surprisingly|to (?:be confused|mention))\b"
    r"|\bno (?:later|earlier|less|more|fewer|longer) than\b|\bno (?:doubt|one other|other than)\b|\bnone other\b"
    r"|\bnothing (?:but|other)\b|\b(?:if|whether|or) not\b|\bwithout (?:a )?doubt\b"
    r"|不仅|不但|不只|不止|不单|不可思议|不在话下|无不|不得不|不能不|不可或缺|是不是|能不能|会不会|有没有|没有[吗么]",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“「『《][^\"”」』》]{1,80}[\"”」』》]")
_CLAUSES = re.compile(
    r"(?:[;:\n，；：。()（）\u2014]|,(?!\s?\d))+|(?=\b(?:but|although|though|whereas|because|so that|which|who|while|rather than|instead of)\b)"
    r"|(?=而是|而不是|而非|但是|然而)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a text, with the mark that ends it; `denied` when it denies what it says, or refuses to answer."""

    text: str
    denied: bool


@lru_cache(maxsize=2048)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text, in order."""
    found: list[Clause] = []
    for start, end in split_sentences(text):
        refuses, place = abstains(text[start:end]), start
        plain = _QUOTED.sub(lambda match: "x" * len(match[0]), text[:end])
        for mark in (*_CLAUSES.finditer(plain, start), None):
            stop = mark.end() if mark else end
            if text[place:stop].strip():
                found.append(Clause(text[place:stop], refuses or negated(plain[place:stop])))
            place = stop
    return tuple(found)


def stated(text: str, *, denied: bool = False) -> str:
    """The clauses that state something, or with `denied` the others; a line break where one is left out."""
    return "".join(f"{clause.text} " if clause.denied == denied else "\n" for clause in clauses(text))


def negated(clause: str) -> bool:
    """Return whether a clause denies what it says: an odd number of negations."""
    return len(_NOT.findall(_HARMLESS.sub(" ", _QUOTED.sub(" ", clause)))) % 2 == 1
