"""Sentences that may be asked about at all."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import FIRST_PERSON

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.text.prose import Sentence

MIN_WORDS, MAX_WORDS = 5, 45
_EXAMPLE = re.compile(
    r"\b(e\.g\.|eg\.|i\.e\.|for example|for instance|let's|imagine|suppose|in our case|in this case|in that case|"
    r"as follows|as described|as mentioned|as explained|as shown|as you (?:saw|can see)|see also|according to some)",
    re.I,
)
_POINTS_BACK = re.compile(
    r"^(?:but |and |so |then |however,? |also,? )?(?:this|these|those|that|it|they|he|she|such|here|"
    r"there|both|another|others|"
    r"the (?:former|latter|same|following|above|first|second|third|last|other|next|previous)|one|some|many|most|"
    r"after (?:this|that)|because of (?:this|that)|in (?:this|that|these)|with (?:this|that)|for (?:this|that)|"
    r"similarly|likewise|as a result|instead|otherwise|again|if (?:so|not)|in addition to (?:this|that))\b",
    re.I,
)
_RELATIVE_TIME = re.compile(
    r"\b(today|currently|nowadays|at present|recently|this (?:year|month|week|century)|last (?:year|month)|so far|"
    r"as of (?:now|this)|in the meantime|up to now|soon|coming|will be added|at the moment|at this point)\b",
    re.I,
)
_CODE_NEXT = re.compile(r"\s*\n(?:\s*\n)*(?:```|~~~|\{\*|    \S|\t\S|\.\. code)")
_LEAD = re.compile(
    r"\b(follow\w*|like|this|these|as|below|here|so|would be|is|are|example|expect|see|looks?|with|contain\w*|run"
    r"|something|some|output|response|similar|would|will)\b[^,]{0,12}:$",
    re.I,
)
_HEDGED = re.compile(r"\b(one of|some of|many of|most of|may have|might have|allegedly|it is said|rumou?red)\b", re.I)
_ODD = re.compile(r"https?://|www\.|[<>{}|=\\^~]|\[[^\]]*\]|\.\.\.|…|--\s|\*\*|[\U0001F300-\U0001FAFF]")


def admitted(sentence: Sentence, doc: Doc, following: str = "", *, meant: bool = False) -> bool:
    """True if a sentence states something by itself, in sound prose, so that it may be asked about.

    `following` is the document's text after it: a colon may end a sentence only when code follows.
    `meant` says that the pronoun which opens it is understood.
    """
    text = sentence.text
    if text.endswith(":") and _CODE_NEXT.match(following) and not _LEAD.search(text):
        text = text[:-1] + "."
    words = [token for token in doc if not token.is_punct and not token.is_space]
    if not MIN_WORDS <= len(words) <= MAX_WORDS or not text.rstrip('"”’)').endswith("."):
        return False
    if not (text[0].isupper() or _starts_with_code(sentence) or text[0].isdigit() or text[0] in "\"“'‘"):
        return False
    prose = _without_code(sentence)
    if _ODD.search(prose) or not _balanced(text) or _shouts(prose):
        return False
    if any(token.lower_ in FIRST_PERSON for token in words):
        return False
    points_back = not meant and _POINTS_BACK.search(prose)
    return not (_EXAMPLE.search(prose) or points_back or _RELATIVE_TIME.search(prose))


def hedged(text: str) -> bool:
    """True if `text` says that it is one of several or uncertain, so that one answer is in doubt."""
    return bool(_HEDGED.search(text))


def _starts_with_code(sentence: Sentence) -> bool:
    return any(start == 0 for start, _ in sentence.code)


def _without_code(sentence: Sentence) -> str:
    """The text with each piece of inline code made one neutral word."""
    pieces, last = [], 0
    for start, end in sentence.code:
        pieces.append(sentence.text[last:start])
        pieces.append("code")
        last = end
    return "".join(pieces) + sentence.text[last:]


def _balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if depth < 0:
            return False
    return depth == 0 and text.count('"') % 2 == 0 and text.count("“") == text.count("”")


def _shouts(text: str) -> bool:
    letters = [char for char in text if char.isalpha()]
    return not letters or sum(char.isupper() for char in letters) > len(letters) * 0.4 or "!" in text or "?" in text
