"""Which sentences of a document are worth a chat model's call."""

from __future__ import annotations

import re

from synth.text.language import is_chinese
from synth.text.orders import gives_orders
from synth.text.prose import Sentence
from synth.text.tokens import content_words

_LEANS = re.compile(
    r"^(?:it|he|she|they|this|that|these|those|there|here|but|and|or|so|however|also|then|now|thus|therefore|instead|"
    r"moreover|otherwise|i|we|you|let's|for example|note|as (?:you|we)|in this|if you want)\b|"
    r"^(?:它|他|她|这|這|那|其|该|該|此|但|而|所以|因此|然而|不过|不過|并|並|也|或|我|你|如果你想|例如|比如|注意|现在|現在|接下来|接下來|同样|同樣)",
    re.IGNORECASE,
)
_FACT = re.compile(r"\d|(?<!^)\b[A-Z][a-z]+|[A-Za-z]_[A-Za-z]|[《「『“]")
_ENDS = re.compile(r"[.。！!；;][”’」』）)\"']*$")


def worth(sentence: Sentence, language: str) -> float:
    """How promising a sentence is, from 0 (do not ask) to 1: it stands alone and says something."""
    text = sentence.text
    if gives_orders(text):
        return 0.0
    if not _ENDS.search(text) or text.rstrip("”’」』）)\"'").endswith((":", "：")):
        return 0.0
    size = len(text) if is_chinese(language) else len(text.split())
    low, high = (14, 120) if is_chinese(language) else (7, 45)
    if not low <= size <= high or len(content_words(text)) < 4:
        return 0.0
    score = 0.6
    score -= 0.4 * bool(_LEANS.search(text))
    score += 0.2 * bool(_FACT.search(text))
    score += 0.1 * (sentence.kind == "paragraph")
    score += 0.1 * bool(not sentence.previous)
    return max(0.05, score)
