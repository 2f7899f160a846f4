"""Questions on the entries of a reference manual: the default value of an option, and what it does."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from synth.core.records import Draft
from synth.grammar.entries import entries
from synth.grammar.glossaries import terms
from synth.grammar.reading import Reading
from synth.grammar.reference_forms import ReferenceEntry, ReferenceForms
from synth.text.stems import stem

if TYPE_CHECKING:
    from spacy.tokens import Doc

_DEFAULT, _SWITCH, _MEANING, _TERM = 0.8, 0.66, 0.72, 0.76
_SWITCHES = ("true", "false")
_LEAST_WORDS, _MOST_WORDS = 5, 24
"""Minimum and maximum number of words of a description that is an answer."""

_LONGEST_TITLE = 6
_LONGEST_TERM = 4
_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_CUT = re.compile(r"\b[A-Z]$")
_INNER_CAPITAL = re.compile(r"[a-z\d][A-Z]")
_TOPIC = re.compile(r"[A-Z][a-z]+")
_ODD = re.compile(r"[\"“”?!,;|/]")
_TABLE = json.loads(files(__package__).joinpath("reference.json").read_text("utf-8"))
_VERBS = "|".join(re.sub("y$", "(?:y|ie)", verb) for verb in _TABLE["verbs"])
_DOES = re.compile(rf"(?:{_VERBS})(?:e?s)?\b(?! (?:of|for|on|from|in)\b)")
_IS = re.compile(rf"(?:The |An? )?(?:[A-Za-z-]+ ){{0,3}}?(?:{'|'.join(_TABLE['kinds'])})\b", re.IGNORECASE)
_SMALL = frozenset(("the", "and", "for", "that", "with", "from", "which", "will", "can"))
_SUBJECT = (
    r"(?P<article>(?:the|an?) )?(?P<name>{}) "
    r"(?:(?P<kind>(?!also |only |now |name |value |type |key |id )[a-z-]+(?<!s)(?<!ly)) )?(?:is|has|[a-z]{{2,}}s)\b"
)


@dataclass(frozen=True, slots=True)
class Spelling:
    """Spelling of words in a document: `small` are words in lower case, `capital` counts capitalised ones.

    Words at the start of a sentence are not counted as capitalised.
    """

    small: frozenset[str]
    capital: Counter[str]

    @classmethod
    def of(cls, reading: Reading) -> Spelling:
        """Return the spelling of the words of a document outside its inline code."""
        small: set[str] = set()
        capital: Counter[str] = Counter()
        for sentence in reading.sentences:
            for match in _WORD.finditer(sentence.text):
                first, *parts = match.group().split("-")
                if any(start <= match.start() < end for start, end in sentence.code):
                    continue
                if first[0].islower():
                    small.add(first)
                elif match.start() > 1:
                    capital[match.group()] += 1
                capital.update(part for part in parts if part[:1].isupper())
        return cls(frozenset(small), capital)


def drafts(reading: Reading) -> Iterator[Draft]:
    """Yield the questions on the reference entries and the glossary terms of a document."""
    yield from reference_drafts(reading)
    yield from glossary_drafts(reading)


def reference_drafts(reading: Reading) -> Iterator[Draft]:
    """Yield questions such as "What is the default value of the realm option of the BasicAuth middleware?"."""
    forms, spelling = ReferenceForms.of(__package__), Spelling.of(reading)
    for entry in entries(reading, forms):
        named = _named(entry, reading, spelling, forms)
        if not named:
            continue
        if value := forms.value(entry):
            worth = _SWITCH if value.casefold() in _SWITCHES else _DEFAULT
            yield _draft(entry, f"What is the default value of {named}?", value, "default", worth)
        meaning, verb = forms.meaning(entry), _verb(entry, forms)
        if verb and len(meaning.split()) <= _MOST_WORDS:
            yield _draft(entry, f"What does {named} {verb}?", meaning, "option", _MEANING)


def _named(entry: ReferenceEntry, reading: Reading, spelling: Spelling, forms: ReferenceForms) -> str:
    """Return the name of an entry in a question, with its owner: "the realm option of the BasicAuth middleware".

    Return "" if the name is ambiguous and the document does not name the owner.
    """
    title = forms.bare(reading.document.title)
    if command := entry.command(title):
        return f"{entry.name} in {command}"
    # A page with a single word as its title, such as "Browser", is about a topic.
    within = f"in {of}" if (of := entry.page_of_one(title)) and not _TOPIC.fullmatch(of) else ""
    whole = f"{entry.noun} {entry.name}".strip() if entry.status else entry.name
    if entry.whole and (within or not entry.phrase):
        return f"{whole} {within}".strip()
    owner = "" if entry.local else _owner(title, reading, spelling)
    if not owner and (part := _owner(forms.bare("".join(entry.headings[-1:])), reading, spelling)):
        # The ec2 block is part of the subject of the page.
        owner = part if of.casefold() in part.casefold() else f"{part} {within}".strip()
    owner = owner or (within if _INNER_CAPITAL.search(within) and not entry.local else "")
    noun = "" if entry.status else f" {entry.noun or 'option'}"
    # "the broker_url option" already names its owner, the broker.
    said = all(word in ("in", "of", "the") or word in entry.name.casefold() for word in owner.casefold().split())
    if not owner:
        return whole if entry.whole else ""
    return f"the {entry.name}{noun}" + ("" if said else f" {owner}")


def _owner(title: str, reading: Reading, spelling: Spelling) -> str:
    """Return a phrase for the subject of a title, in the words of a sentence of the document, or "" if none fits.

    "The BasicAuth middleware grants ..." below the title "Traefik BasicAuth" gives "of the BasicAuth middleware".
    """
    words = title.split()[:_LONGEST_TITLE]
    for first in range(len(words)):
        opens = re.compile(_SUBJECT.format(re.escape(" ".join(words[first:]))), re.IGNORECASE)
        for match in filter(None, (opens.match(sentence.text) for sentence in reading.sentences)):
            name, kind, article = match["name"], match["kind"], match["article"]
            if kind and article and (not first or not name.islower()):
                return f"of the {name} {kind}"
            if article and name.islower() and name.isalpha():
                continue  # "the entity" is one of many
            if not kind and (not first or _INNER_CAPITAL.search(name)) and (article or _proper(name, spelling)):
                return f"in the {name}" if article else f"in {name}"
    return ""


def _proper(name: str, spelling: Spelling) -> bool:
    """Return whether `name`, found at the start of a sentence, is a proper name and not only capitalised there."""
    words = name.split()
    common = name.isupper() or any(word.casefold() in spelling.small for word in words)
    return not common and (not name[1:].islower() or spelling.capital[name] > 1)


def glossary_drafts(reading: Reading) -> Iterator[Draft]:
    """Yield questions such as "What does the term Tide Gate mean?" for "Tide Gate - A gate that ...".

    For every term there is also the draft "What is Tide Gate?" with worth 0. It records that the document answers this
    question.
    """
    forms = ReferenceForms.of(__package__)
    by_start = {sentence.start: sentence for sentence in reading.sentences}
    for entry in terms(reading, forms):
        meaning, name = forms.meaning(entry), entry.name
        yield _draft(entry, f"What is {name}?", meaning or entry.meaning, "term", 0.0)
        if (
            not re.match(r"(?:An?|The) ", meaning, re.IGNORECASE)
            or _states(reading.parse_of(by_start[entry.spans[-1][0]]), meaning)
            or _CUT.search(meaning)
            or re.search(re.escape(name), meaning, re.IGNORECASE)
            or not _LEAST_WORDS <= len(meaning.split()) <= _MOST_WORDS
        ):
            continue
        if len(name.split()) <= _LONGEST_TERM and not _ODD.search(name):
            # A glossary does not show whether a name that consists of common words needs an article.
            coded = all(re.search(r"[^-][A-Z\d]", word) for word in name.split())
            question = f"What is {name}?" if coded else f"What does the term {name} mean?"
            yield _draft(entry, question, meaning, "term", _TERM)


def _states(doc: Doc, meaning: str) -> bool:
    """Return whether a meaning is a sentence with a subject ("A release can be upgraded") and not a definition."""
    start = doc.text.find(meaning)
    return any(t.dep_ in ("nsubj", "nsubjpass") and t.head.dep_ == "ROOT" and t.idx >= start for t in doc)


def _verb(entry: ReferenceEntry, forms: ReferenceForms) -> str:
    """Return the verb of the question about an entry ("do", "specify" or "mean"), or "" to ask no question."""
    meaning = forms.meaning(entry)
    if entry.code or entry.status:
        return "mean" if meaning else ""
    if len(meaning.split()) < _LEAST_WORDS or not entry.noun or entry.tells_itself(forms):
        return ""
    if _repeats_name(entry.name, meaning):
        return ""
    return "do" if _DOES.match(meaning) else "specify" if _IS.match(meaning) else ""


def _repeats_name(name: str, meaning: str) -> bool:
    """Return whether a description adds little to the name: "Defines the root key of the store" for `rootKey`."""
    last = re.split(r"[.:/]", name)[-1]
    pieces = [stem(piece.lower()) for piece in re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}", last)]
    words = set(re.findall(r"[a-z]{3,}", meaning.partition(" ")[2].lower())) - _SMALL
    repeated = (word in last.lower() or any(stem(word).startswith(piece) for piece in pieces) for word in words)
    return len(words) - sum(repeated) <= 2


def _draft(entry: ReferenceEntry, question: str, answer: str, pattern: str, worth: float) -> Draft:
    return Draft(question=question, golden_answers=(answer,), spans=entry.spans, pattern=pattern, worth=worth)
