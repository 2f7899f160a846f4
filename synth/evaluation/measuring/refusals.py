"""Answers that say that there is no answer, in English and Chinese."""

from __future__ import annotations

import re

from synth.text.normalise import to_simplified

_NOT = r"(?:do|does|did|is|are|was|were|can|could)(?:n['’]t| not|not) (?:\w+ ){0,3}?"
_KNOWN = (
    "know answer say said mention mentioned state stated provide provided specify specified contain found find include "
    "information enough determine"
).replace(" ", "|")
_REFUSALS = re.compile(
    rf"{_NOT}(?:{_KNOWN})|cannot (?:be )?(?:answer|determine|find|say|known)|no (?:answer|information|mention)"
    r"|not (?:answerable|mentioned|given|stated|available|known|enough)|unanswerable|unknown|insufficient"
    r"|不知道|无法(?:回答|确定|得知|判断|找到|提供)|不能(?:回答|确定)|没有(?:提及|提到|说明|答案|相关|足够|找到|给出)"
    r"|未(?:提及|提到|说明|给出|找到)|无(?:相关|从)|不清楚|不确定|信息不足",
    re.IGNORECASE,
)


def abstains(answer: str) -> bool:
    """Return whether an answer is empty or says that there is no answer."""
    return not answer.strip() or bool(_REFUSALS.search(to_simplified(answer)))
