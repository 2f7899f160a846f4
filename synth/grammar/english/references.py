"""Questions on the entries of a reference: default values, and what an option does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files

from synth.core.records import Draft
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.page import Page
from synth.grammar.entries import ReferenceEntry, ReferenceForms, entries, terms
from synth.grammar.reading import Reading

_DEFAULT, _SWITCH, _MEANING, _TERM = 0.8, 0.66, 0.72, 0.76
_SWITCHES = ("true", "false")
_LEAST_WORDS, _MOST_WORDS = 5, 24
"""Words of a description that is an answer."""

_LONGEST_TITLE = 6
_LONGEST_TERM = 4
_CUT = re.compile(r"\b[A-Z]$")
_ODD = re.compile(r"[\"“”?!,;|/]")
_TABLE = json.loads(files(__package__).joinpath("reference.json").read_text("utf-8"))
_VERBS = "|".join(re.sub("y$", "(?:y|ie)", verb) for verb in _TABLE["verbs"])
_DOES = re.compile(rf"(?:{_VERBS})(?:e?s)?\b(?! (?:of|for|on|from|in)\b)")
_IS = re.compile(rf"(?:The |An? )?(?:[A-Za-z-]+ ){{0,3}}?(?:{'|'.join(_TABLE['kinds'])})\b", re.IGNORECASE)
_SMALL = word_set("the and for that with from which will can")
_ACTIVITIES = word_set("how what why when where migrate")


def reference_drafts(reading: Reading, page: Page) -> Iterator[Draft]:
    """ "What is the default value of the realm option in BasicAuth?" """
    forms = ReferenceForms.of(__package__)
    for entry in entries(reading, forms):
        scope = _scope(entry, page, forms)
        if scope is None:
            continue
        named = f"the {entry.name} {entry.noun or 'option'}"
        if entry.whole or entry.status:
            named = f"{entry.noun} {entry.name}".strip() if entry.status else entry.name
        if value := forms.value(entry):
            worth = _SWITCH if value.casefold() in _SWITCHES else _DEFAULT
            yield _draft(entry, f"What is the default value of {named}{scope}?", value, "default", worth)
        meaning, verb = forms.meaning(entry), _verb(entry, forms)
        if verb and len(meaning.split()) <= _MOST_WORDS:
            yield _draft(entry, f"What does {named} {verb}{scope}?", meaning, "option", _MEANING)


def glossary_drafts(reading: Reading, page: Page) -> Iterator[Draft]:
    """ "What is Tide Gate?" of a glossary that says "Tide Gate - A gate that ..."."""
    forms = ReferenceForms.of(__package__)
    for entry in terms(reading, forms):
        meaning, words = forms.meaning(entry), entry.name.split()
        if (
            not re.match(r"(?:An?|The) ", meaning)
            or _CUT.search(meaning)
            or not _LEAST_WORDS <= len(meaning.split()) <= _MOST_WORDS
        ):
            continue
        if len(words) <= _LONGEST_TERM and not _ODD.search(entry.name):
            known = not any(word[0].islower() for word in words) and entry.name.lower() not in page.lower
            question = f"What is {entry.name}?" if known else f"What does the term {entry.name} mean?"
            yield _draft(entry, question, meaning, "term", _TERM)


def _verb(entry: ReferenceEntry, forms: ReferenceForms) -> str:
    """The verb of the question about an entry, by the beginning of its description; "" for no question."""
    meaning = forms.meaning(entry)
    if entry.code or entry.status:
        return "mean" if meaning else ""
    if len(meaning.split()) < _LEAST_WORDS or not (entry.noun or entry.whole) or entry.plain(forms):
        return ""
    if _repeats_name(entry.name, meaning):
        return ""
    return "do" if _DOES.match(meaning) else "specify" if _IS.match(meaning) else ""


def _repeats_name(name: str, meaning: str) -> bool:
    """True if a description says hardly more than the name: "Defines the root key of the store" of `rootKey`."""
    last = re.split(r"[._:/-]", name)[-1] if "." in name else name
    pieces = [piece.lower() for piece in re.findall(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}", last)]
    words = set(re.findall(r"[a-z]{3,}", meaning.partition(" ")[2].lower())) - _SMALL
    return sum(not any(word.startswith(piece) or piece.startswith(word) for piece in pieces) for word in words) <= 1


def _draft(entry: ReferenceEntry, question: str, answer: str, pattern: str, worth: float) -> Draft:
    return Draft(question=question, golden_answers=(answer,), spans=entry.spans, pattern=pattern, worth=worth)


def _scope(entry: ReferenceEntry, page: Page, forms: ReferenceForms) -> str | None:
    """ " in BasicAuth", "" for a name that needs no section; None where no title says which thing is meant."""
    if entry.whole:
        return ""
    titles = (*([] if entry.local else [page.title]), *entry.headings[-1:])
    title = next(filter(None, (_title(title, page, forms) for title in titles)), "")
    return f" in {title}" if title else None


def _title(title: str, page: Page, forms: ReferenceForms) -> str:
    """A title as a question names what it is about; "" for one that names nothing, or an activity."""
    bare = forms.bare(title)
    words = bare.split()
    if not 1 <= len(words) <= _LONGEST_TITLE or words[0].casefold() in _ACTIVITIES or words[0].endswith("ing"):
        return ""
    if not re.fullmatch(r"[\w ./'’()-]+", bare) or bare == bare.lower():
        return ""
    if any(word.endswith("s") and word.casefold() in page.lower for word in words[:-1]):
        return ""  # "HTTP Middlewares IPAllowList" is a path of headings, not a name
    if len(words) == 1:
        return bare if not bare[1:].islower() or (bare.lower() not in page.lower and page.capital[bare] > 1) else ""
    return f"the {bare.lower()}" if all(word.casefold() in page.lower for word in words) else bare
