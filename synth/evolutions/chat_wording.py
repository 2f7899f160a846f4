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
_BE = re.compile(r"\b(?:is|are|was|were)\b", re.IGNORECASE)
_DO = re.compile(r"\b(?:do|does|did)\b", re.IGNORECASE)
_ASKING = re.compile(
    r"(?P<before>(?:in|on|at|under|by|for|from|to|of|since|until)\s+)?"
    r"(?P<word>who|whom|whose|when|where|why|how|which|what)\b(?:\s+(?P<next>[a-z]+))?",
    re.IGNORECASE,
)
_TIME = frozenset("year years date day month decade century time".split())
_CASE = frozenset("condition conditions case cases circumstances situation event".split())
_ASKING_CHINESE = {
    "who": re.compile("谁|哪位|什么人"),
    "why": re.compile("为什么|为何|何以"),
    "how": re.compile("多少|几|多(?:大|高|长|久|远|重|深|宽|快)"),
    "when": re.compile("什么时候|何时|哪一?年|哪一?天|哪个月|(?:什么|哪种|何种)(?:情况|情形|条件)|何种情况|时机"),
    "where": re.compile("哪里|哪儿|何处|什么地方"),
}
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
    if _asks_otherwise(before, question, language):
        return "it asks for something else"
    if _BE.search(before) and _DO.search(question) and not _DO.search(before):
        return "it asks what something does of which was asked what it is, or what was done to it"
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


def _asks_otherwise(before: str, after: str, language: str) -> bool:
    """Whether two questions ask for different kinds of things: somebody, a time or a case, a place, a reason, how much,
    or some other thing."""
    if is_chinese(language):
        plain = to_simplified(before), to_simplified(after)
        return any(bool(said.search(plain[0])) != bool(said.search(plain[1])) for said in _ASKING_CHINESE.values())
    kinds = _asked_first(before), _asked_first(after)
    return all(kinds) and kinds[0] != kinds[1]


def _asked_first(question: str) -> str:
    """What kind of thing an English question asks for, by the words it begins with; "" where it begins otherwise."""
    found = _ASKING.match(question)
    if found is None:
        return ""
    word, after = found["word"].lower(), (found["next"] or "").lower()
    if word in ("which", "what"):
        is_when = after in _TIME or (after in _CASE and found["before"])
        return "when" if is_when else "which"
    return "who" if word.startswith("who") else word


def _turned(before: str, after: str) -> bool:
    """Whether a rewording asks for the last where the first was asked for, or for less instead of more."""
    return any(_says(before, mine) and not _says(before, theirs) and _says(after, theirs) for mine, theirs in _TURNS)


def _says(question: str, pattern: str) -> bool:
    return re.search(pattern, to_simplified(question), re.IGNORECASE) is not None
