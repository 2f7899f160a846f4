"""English questions in other words than their passage: another beginning, another order, other words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from synth.grammar.parsing import parse_english
from synth.grammar.rewording.base import Reworded
from synth.grammar.rewording.copying import Wording
from synth.grammar.rewording.english_forms import with_article
from synth.grammar.rewording.english_openings import other_opening
from synth.grammar.rewording.english_order import other_orders
from synth.grammar.rewording.english_words import Substitution, substitutions
from synth.text.beginnings import stems
from synth.text.markup import plain
from synth.text.prose import Sentence
from synth.text.tokens import ENGLISH_STOP, words

if TYPE_CHECKING:
    from spacy.tokens import Doc

MOST_WORDS = 2
"""Words that are said otherwise in one question, at most: with more it reads as a paraphrase, not as a question."""

_LONGEST = 300
_QUOTED = re.compile(r"[\"“”`][^\"“”`]*[\"“”`]|'[^']+'")
_ARTICLE = re.compile(r"\b([Aa]n?) $")


def reworded(question: str, told: Sequence[str], keep: Sequence[str], answers: Sequence[str] = ()) -> Reworded | None:
    """`question` in words that its passages do not have, or None; see `synth.grammar.rewording.reword`."""
    if len(question) > _LONGEST or not question.endswith("?") or "\n" in question:
        return None
    wording = Wording.of(told)
    made = _reshaped(question, wording, answers)
    changes = [_change(question, made)] if made != question else []
    for substitution in _chosen(made, wording, keep):
        changes.append((substitution.old, substitution.new))
        made = _with(made, substitution)
    return Reworded(made, tuple(changes)) if changes else None


def _reshaped(question: str, wording: Wording, answers: Sequence[str]) -> str:
    """The question with another beginning and in another order, where either has less of the passages' wording."""
    opened = other_opening(question, answers)
    bodies = [question, *other_orders(_parsed(question))]
    made = [*bodies, *(one for body in bodies if (one := other_opening(body, answers)))]
    made += other_orders(_parsed(opened)) if opened else ()
    return min(made, key=wording.copied)


def _change(old: str, new: str) -> tuple[str, str]:
    """Two questions without the words that both begin with, and both end with."""
    before, after = old.split(), new.split()
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    return " ".join(before), " ".join(after)


def _chosen(question: str, wording: Wording, keep: Sequence[str]) -> list[Substitution]:
    """The substitutions that take words of the passages away, rare words first, at most `MOST_WORDS`; last in the
    question first, so that one can be made after the other."""
    fixed = [*_places(question, keep), *(match.span() for match in _QUOTED.finditer(question))]
    found: list[Substitution] = []
    for one in substitutions(_parsed(question)):
        if any(start < stop and begin < end for start, end, _ in one.parts for begin, stop in fixed):
            continue
        apart = all(_apart(one, other) for other in found)
        if apart and _helps(one, wording) and not _is_term(question, one, wording):
            found.append(one)
    best = sorted(found, key=lambda one: (-_weight(one), one.parts))[:MOST_WORDS]
    return sorted(best, key=lambda one: one.parts, reverse=True)


def _weight(one: Substitution) -> int:
    """Longer words carry more."""
    return len(max(stems(one.old), key=len, default=""))


def _apart(one: Substitution, other: Substitution) -> bool:
    return one.parts[-1][1] <= other.parts[0][0] or other.parts[-1][1] <= one.parts[0][0]


def _places(question: str, keep: Sequence[str]) -> Iterator[tuple[int, int]]:
    for kept in keep:
        at = question.find(kept) if kept else -1
        while at >= 0:
            yield at, at + len(kept)
            at = question.find(kept, at + 1)


def _helps(one: Substitution, wording: Wording) -> bool:
    """Whether the passages have what was said, and none of what is said now."""
    old, new = stems(one.old), stems(one.new)
    return any(word in wording.words for word in old) and not any(
        word in wording.words for word in new if word not in old
    )


def _is_term(question: str, one: Substitution, wording: Wording) -> bool:
    """Whether a word and the one beside it are a term of the passages."""
    if len(one.parts) > 1:
        return False
    start, end, _ = one.parts[0]
    before, after = words(question[:start])[-1:], words(question[end:])[:1]
    own = words(question[start:end])
    return any(pair in wording.terms for pair in pairwise([*before, *own, *after]) if not ENGLISH_STOP & set(pair))


def _with(question: str, one: Substitution) -> str:
    for start, end, new in sorted(one.parts, reverse=True):
        question = question[:start] + new + question[end:]
        article = _ARTICLE.search(question[:start])
        if article:
            question = question[: article.start(1)] + with_article(article[1], new) + question[article.end(1) :]
    return question[:1].upper() + question[1:]


@lru_cache(maxsize=1024)
def _parsed(question: str) -> Doc:
    body = plain(question, 0, len(question), markdown=False)
    sentence = Sentence(question, 0, len(question), body, (), "paragraph", True)
    return parse_english([sentence])[0]
