"""Whether another wording of a question still asks the same."""

from __future__ import annotations

import re
from collections import Counter

from synth.derivation import CHOOSING
from synth.graph import KnowledgeGraph
from synth.records import Sample
from synth.text.language import is_chinese
from synth.text.normalise import holds, normalise, to_simplified
from synth.text.tokens import content_words, numbers

_KEPT = 0.65
"""Share of the content words of a question that its rewording keeps, at least."""

_ADDED = 0.6
"""Content words that a rewording may add, for each that the question has."""

_LONGER = 2.0

_NAMES = re.compile(r"`[^`]+`|[《「『“\"][^》」』”\"]+[》」』”\"]|\b[A-Za-z_]*[A-Z_\d][\w.]*\b")
_LIMITS = re.compile(
    r"\b(?:not|no|never|unless|only|except|without|if|when|both|all|each|at least|at most)\b|n't\b"
    r"|(?:不(?!同)|没|未|除非|除了|只有|仅|如果|若|一旦|都|至少|至多)",
    re.IGNORECASE,
)
_MAY_COME_AND_GO = frozenset(("if", "when", "如果", "若", "一旦", "both", "each", "all", "都"))
_EARLIER = r"\b(?:first|earli\w+|before|older|oldest|sooner)\b|先|早"
_LATER = r"\b(?:last|later|latest|after|newer|newest)\b|后|晚|迟"
_GREATER = (
    r"\b(?:more|most|greater|greatest|larger|largest|higher|highest|taller|tallest|longer|longest|bigger|biggest)\b"
    r"|更多|更大|更高|更长|最多|最大|最高|最长"
)
_LESS = (
    r"\b(?:less|least|fewer|fewest|smaller|smallest|lower|lowest|shorter|shortest)\b"
    r"|更少|更小|更低|更短|最少|最小|最低|最短"
)
_TURNS = ((_EARLIER, _LATER), (_LATER, _EARLIER), (_GREATER, _LESS), (_LESS, _GREATER))


def lost(composed: Sample, question: str, graph: KnowledgeGraph) -> str:
    """What a rewording of a sample's question has lost or put in, or "" when it asks the same."""
    before, language = composed.question, composed.language
    if not question.endswith(("?", "？")) or len(question) > _LONGER * len(before) + 20:
        return "it is not one question of about the same length"
    if numbers(question) != numbers(before):
        return "its numbers differ"
    for name in _names(composed, graph):
        if not holds(question, name):
            return f"it does not name '{name}'"
    if new := [name for name in _written_names(question, language) if not holds(before, name)]:
        return f"it names '{new[0]}', of which nothing was said"
    if any(holds(question, answer) and not holds(before, answer) for answer in composed.golden_answers):
        return "it gives the answer away"
    if _limits(question) != _limits(before):
        return "its conditions differ"
    if _turned(before, question):
        return "it asks for the opposite"
    return _reworked(composed, question)


def _reworked(composed: Sample, question: str) -> str:
    """Whether too many words were changed, or a Chinese word of the text was lost, which no capital marks."""
    asked, now = (set(content_words(text)) - _MAY_COME_AND_GO for text in (composed.question, question))
    if len(asked & now) < _KEPT * len(asked) or len(now - asked) > _ADDED * len(asked):
        return "too many of its words differ"
    left = set(to_simplified(question))
    told = to_simplified(" ".join(piece.text for piece in composed.evidence))
    gone = (word for word in sorted(asked - now) if word > "\u3400" and word in told and left.isdisjoint(word))
    return next((f"it does not say '{word}'" for word in gone), "")


def _names(composed: Sample, graph: KnowledgeGraph) -> list[str]:
    """What a rewording must name: options, names as written, and the entities of the evidence that are named."""
    question, found = composed.question, _written_names(composed.question, composed.language)
    last = composed.steps[-1] if composed.steps else None
    if last and last.operation in CHOOSING:
        found += [composed.steps[number].says for number in last.of]
    for chunk_id in dict.fromkeys(piece.chunk_id for piece in composed.evidence):
        for entity in graph.entities_of(chunk_id):
            forms = sorted((f for f in entity.surface_forms if holds(question, f)), key=lambda f: (-len(f), f))
            found += forms[:1]
    return [name for name in dict.fromkeys(found) if normalise(name) and holds(question, name)]


def _written_names(question: str, language: str) -> list[str]:
    """Names, identifiers and quoted words, by how they are written; the word that begins a sentence tells nothing."""
    found = _NAMES.findall(question)
    first = "" if is_chinese(language) else question.split(" ", 1)[0]
    return [name for name in found if name not in (first, "I")]


def _limits(question: str) -> Counter[str]:
    """The words that limit a question, less those for which there are many others."""
    found = Counter(word.casefold().replace("n't", "not") for word in _LIMITS.findall(to_simplified(question)))
    return Counter({word: count for word, count in found.items() if word not in _MAY_COME_AND_GO})


def _turned(before: str, after: str) -> bool:
    """Whether a rewording asks for the last where the first was asked for, or for less instead of more."""
    return any(_says(before, mine) and not _says(before, theirs) and _says(after, theirs) for mine, theirs in _TURNS)


def _says(question: str, pattern: str) -> bool:
    return re.search(pattern, to_simplified(question), re.IGNORECASE) is not None
