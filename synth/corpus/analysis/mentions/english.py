"""Names in English sentences: recognised entities, product-like words, capitalised names, acronyms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from synth.corpus.analysis.mentions.code import is_code_name
from synth.corpus.analysis.mentions.kinds import is_placed, settled
from synth.corpus.analysis.mentions.names import is_name, long_form, trimmed
from synth.corpus.analysis.mentions.vocabulary import IMPERATIVES, JOINERS, ROLES, TIME_BEFORE, VAGUE
from synth.text.prose import Sentence
from synth.text.tokens import ENGLISH_STOP

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_KINDS = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organisation",
    "NORP": "name",
    "PRODUCT": "name",
    "EVENT": "name",
    "LAW": "work",
    "WORK_OF_ART": "work",
    "LANGUAGE": "name",
}
# Recognised entities that may end in a common noun: "Amazon rainforest".
_WITH_NOUN = frozenset(("LOC", "FAC", "EVENT", "GPE"))
_PRODUCT = re.compile(
    r"(?=[A-Za-z]*[a-z][A-Z])\w++|[A-Z]{2}\w*+|[A-Z]\d\w*+|[A-Z]\w*(?:[+#]+|\.js)|(?=\w*[a-z]\d*[A-Z])\w++"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_SMALL = re.compile(r"\d{1,4}[A-Za-z]?|\d{1,2}\.\d{1,2}")
_DATED = frozenset(("Act", "Order", "Regulations", "Directive", "Treaty", "Convention", "Rules", "Report", "Olympics"))
_MODEL = re.compile(r"(?<![\w-])[A-Z][A-Za-z]{0,9}-\d+[A-Za-z]*(?![\w-])")
_SHORT = re.compile(r"\(\s*(?P<short>[A-Z][A-Za-z0-9&/-]{1,9}?)s?\s*[),;]")
_SPELT_OUT = re.compile(r"\b(?P<short>[A-Z][A-Za-z0-9&-]{1,9})\s*\(\s*(?P<long>[A-Za-z][^()]{4,60}?)\s*\)")

_CAPITAL = r"[A-ZÀ-Þ][\w'’.-]*"
_SMALL_WORDS = r"(?:(?:of|the|and|a|an|in|on|for|to|with|at|from|de|la|von|van)\s)*"
# A capitalised name, possibly with small words inside, followed by an optional bracket and "is a".
_DEFINED = re.compile(
    rf"(?:The\s|An?\s)?(?P<name>{_CAPITAL}(?:\s{_SMALL_WORDS}{_CAPITAL})+)\s?(?:\([^()]*\)?\s?)?,?\s?(?:is|was)\s(?:an?|the|one)\b"
)

Local = tuple[int, int, str]
Pair = tuple[tuple[int, int], tuple[int, int]]


def find(sentences: Sequence[Sentence], docs: Sequence[Doc]) -> Iterator[tuple[list[Local], list[Pair]]]:
    """Yield (names, aliases) for each sentence. Names may overlap; an alias is a pair of spans for the same thing."""
    inside = {t.text for doc in docs for t in doc if t.i > 0 and _is_proper(t)}
    for sentence, doc in zip(sentences, docs, strict=True):
        spans = [*_code(sentence), *_entities(doc, sentence), *_runs(doc, sentence, inside)]
        spans += [(*match.span(), "name") for match in _MODEL.finditer(sentence.text)]
        spans += [*_opening(sentence)]
        pairs = [*_acronyms(sentence.text)]
        spans += [(a, b, "term") for pair in pairs for a, b in pair]
        yield [span for span in spans if _fits(sentence.text[span[0] : span[1]], span[2])], pairs


def _fits(surface: str, kind: str) -> bool:
    return kind == "code" or (is_name(surface) and surface.casefold() not in ROLES)


def _acronyms(text: str) -> Iterator[Pair]:
    """Yield spans of acronyms and their long forms, as (short, long)."""
    for match in _SHORT.finditer(text):
        if sum(char.isupper() for char in match["short"]) < 2:
            continue
        before = text[: match.start()].rstrip(" \"'”’")
        clause = max(before.rfind(mark) for mark in ".;:(") + 1
        place = long_form(match["short"], before[clause:])
        if place is not None:
            yield match.span("short"), trimmed(before, clause + place, len(before))
    for match in _SPELT_OUT.finditer(text):
        if sum(char.isupper() for char in match["short"]) > 1 and long_form(match["short"], match["long"]) == 0:
            yield match.span("short"), match.span("long")


def _opening(sentence: Sentence) -> Iterator[Local]:
    """Yield the name at the start of a definition: "Trail of the Heron" in "The Trail of the Heron is a 1919 film"."""
    match = _DEFINED.match(sentence.text)
    if not match or match["name"].split()[0].casefold() in ENGLISH_STOP:
        return
    if not _touches(*match.span("name"), sentence.code):
        yield *trimmed(sentence.text, *match.span("name")), "name"


def _code(sentence: Sentence) -> Iterator[Local]:
    return ((a, b, "code") for a, b in sentence.code if is_code_name(sentence.text[a:b]))


def _entities(doc: Doc, sentence: Sentence) -> Iterator[Local]:
    for span in doc.ents:
        kind = _KINDS.get(span.label_)
        if kind is None or _touches(span.start_char, span.end_char, sentence.code):
            continue
        cut = _proper_part(span)
        if cut is None or (span.label_ == "NORP" and all(t.tag_ == "JJ" for t in cut)):
            continue
        for part in _conjuncts(cut):
            start, end = trimmed(sentence.text, *_with_numbers(part))
            if start < end:
                doubtful = kind == "place" and not is_placed(part)
                yield start, end, settled("name" if doubtful else kind, sentence.text[start:end])


def _conjuncts(span: Span) -> list[Span]:
    """Split "LA Galaxy and Chivas USA" into two names, but not "School of Arts and Crafts" or "Trinidad and Tobago"."""
    ands = [t.i for t in span if t.text == "and"]
    if len(ands) != 1 or min(ands[0] - span.start, span.end - 1 - ands[0]) < 2:
        return [span]
    left, right = span.doc[span.start : ands[0]], span.doc[ands[0] + 1 : span.end]
    return [span] if any(t.text in ("of", "for", "on", "&", ",") for t in left) else [left, right]


def _proper_part(span: Span) -> Span | None:
    """Return a recognised entity without words that are not part of the name; None if no proper name remains."""
    start, end = span.start, span.end
    doc = span.doc
    while start < end and (not _is_named(doc[start]) or _is_imperative(doc[start])):
        start += 1
    while end > start and not _is_named(doc[end - 1]):
        if span.label_ in _WITH_NOUN and doc[end - 1].pos_ == "NOUN" and end - 1 > start and _is_named(doc[end - 2]):
            break
        end -= 1
    kept = doc[start:end]
    if not len(kept) or any(_breaks(token) for token in kept[:-1]):
        return None
    single = len(kept) == 1
    if single and kept[0].pos_ not in ("PROPN", "NOUN", "ADJ", "X", "NUM") and not _PRODUCT.fullmatch(kept.text):
        return None
    return kept


def _is_imperative(token: Token) -> bool:
    return token.i == 0 and len(token.doc) > 1 and token.text.casefold() in IMPERATIVES


def _breaks(token: Token) -> bool:
    if token.text in ("-", "–", "—", "|", "/") and token.i and token.nbor(-1).whitespace_:
        return True
    lower = token.text[:1].islower()
    return lower and token.text.casefold() not in JOINERS and token.text not in ("'s", "’s") and token.pos_ != "NOUN"


def _is_named(token: Token) -> bool:
    return (
        token.text[:1].isupper()
        or (token.text[:1].isdigit() and any(c.isalpha() for c in token.text))
        or bool(_PRODUCT.fullmatch(token.text))
        or (token.i > 0 and token.text[:1].isdigit() and token.nbor(-1).text[:1].isupper() and len(token.text) < 4)
    )


def _is_proper(token: Token) -> bool:
    return token.text[:1].isupper() and token.pos_ == "PROPN"


def _runs(doc: Doc, sentence: Sentence, inside: set[str]) -> Iterator[Local]:
    """Yield runs of product-like and capitalised words."""

    def fits(token: Token) -> bool:
        product = bool(_PRODUCT.fullmatch(token.text))
        if not (product or _is_proper(token)) or _is_imperative(token):
            return False
        if _touches(token.idx, token.idx + len(token), sentence.code):
            return False
        return product or token.i > 0 or token.text in inside or _followed(token)

    shouted = sum(t.is_upper for t in doc if t.is_alpha) * 2 > len(doc)
    for named, group in groupby(doc, key=fits):
        run = list(group)
        if named and not shouted and not all(t.text[:1].islower() and "." in t.text for t in run):
            span = doc[run[0].i : run[-1].i + 1]
            start, end = trimmed(sentence.text, *_with_numbers(span))
            yield start, end, settled("name", sentence.text[start:end])


def _followed(token: Token) -> bool:
    """Whether the first word of a sentence begins a capitalised name of several words."""
    return token.i + 1 < len(token.doc) and _is_proper(token.nbor(1)) and token.dep_ == "compound"


def _with_numbers(span: Span) -> tuple[int, int]:
    """Return start and end of a name, including numbers that belong to it.

    A year before the name ("the 2018 Annual Report") or after it ("Harbours Act 1847") belongs to it. So does a number
    that qualifies it ("Apollo 11"). The year in "In 2018 Northwind sold" does not belong to the name.
    """
    doc = span.doc
    start, end = int(span.start_char), int(span.end_char)
    if span.start and len(span) > 1 and _YEAR.fullmatch(doc[span.start - 1].text):
        first = span.start == 1
        if first or doc[span.start - 2].text.casefold() not in TIME_BEFORE:
            start = int(doc[span.start - 1].idx)
    if span.end < len(doc) and span[-1].whitespace_:
        number = doc[span.end]
        dated = _YEAR.fullmatch(number.text) and span[-1].text in _DATED
        qualifies = _SMALL.fullmatch(number.text) and span.start <= number.head.i < span.end
        if dated or (qualifies and not _YEAR.fullmatch(number.text)):
            end = int(number.idx) + len(number)
    return start, end


def _touches(start: int, end: int, ranges: Sequence[tuple[int, int]]) -> bool:
    return any(start < b and end > a for a, b in ranges)


def heading_phrases(docs: Sequence[Doc]) -> Iterator[tuple[int, int, int]]:
    """Yield noun phrases of two to five words in headings, as (heading index, start, end)."""
    for number, doc in enumerate(docs):
        for chunk in doc.noun_chunks:
            start, end = chunk.start, chunk.end
            while start < end and not _opens_term(doc[start]):
                start += 1
            words = doc[start:end]
            if (
                2 <= len(words) <= 5
                and all(t.is_alpha or "-" in t.text for t in words)
                and words[-1].pos_ in ("NOUN", "PROPN")
            ):
                yield number, words.start_char, words.end_char


def _opens_term(token: Token) -> bool:
    folded = token.text.casefold()
    return token.pos_ in ("NOUN", "PROPN", "ADJ", "X") and folded not in VAGUE and not _is_imperative(token)
