"""Check that an entity is of the kind it seems to be, by its name or the words around it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from synth.core.records import Entity
from synth.corpus.graph import KnowledgeGraph
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified

AROUND = 160
"""Number of characters after a mention of a person that are searched for a pronoun such as "he"."""

_TWICE = 2

_ENGLISH_ENDS = re.compile(
    r"\b(?:university|college|institute|society|company|corporation|inc|ltd|agency|academy|association|foundation|"
    r"museum|library|orchestra|bank|ministry|council|commission|school|club|board)$",
    re.IGNORECASE,
)
_CHINESE_ENDS = re.compile(
    r"(?:公司|集团|大学|学院|学会|协会|研究所|研究院|基金会|博物馆|图书馆|银行|医院|报社|电视台|俱乐部|委员会)$"
)
_BEFORE: Mapping[bool, re.Pattern[str]] = {
    False: re.compile(r"\b(?:in|throughout|across|outside)\s$", re.IGNORECASE),
    True: re.compile(r"(?:在|位于|前往|来自|抵达)$"),
}
_PERSON: Mapping[bool, re.Pattern[str]] = {
    False: re.compile(r"^[^.]{0,80}\b(?:he|his|him|she|her)\b|^[^.]{0,120}\. (?:he|his|she|her)\b", re.IGNORECASE),
    True: re.compile(r"^(?:[^。]{0,40}|[^。]{0,60}。)(?<!其)[他她](?![们人国])"),
}


def surely(kind: str, entity: Entity, language: str, graph: KnowledgeGraph) -> bool:
    """Return whether the text confirms that an entity is of this kind.

    A person needs a pronoun such as "he" or 她 after a mention, and in English a name of two words. A place needs two
    mentions after a word such as "in". An organisation needs a name with an ending like "Society" or 公司. All other
    kinds count as confirmed.
    """
    chinese = is_chinese(language)
    name = to_simplified(entity.name)
    if kind == "organisation":
        return bool((_CHINESE_ENDS if chinese else _ENGLISH_ENDS).search(name))
    if kind == "person":
        if not chinese and len(name.split()) < _TWICE:
            return False
        return any(_PERSON[chinese].search(after) for _, after in _contexts(entity, graph))
    if kind == "place":
        return sum(bool(_BEFORE[chinese].search(before)) for before, _ in _contexts(entity, graph)) >= _TWICE
    return True


def _contexts(entity: Entity, graph: KnowledgeGraph) -> list[tuple[str, str]]:
    """Return the text before and after each mention of an entity."""
    contexts = []
    for mention in graph.mentions_of(entity.entity_id):
        text = graph.document(mention.doc_id).text
        before, after = text[max(0, mention.start - 12) : mention.start], text[mention.end : mention.end + AROUND]
        contexts.append((to_simplified(before), to_simplified(after)))
    return contexts
