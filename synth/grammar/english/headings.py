"""English headings and labels: the task or the name in them, as written inside a sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from synth.grammar.structure.forms import StructureForms
from synth.grammar.structure.outline import bare
from synth.text.stems import stems

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.grammar.reading import Reading

FORMS = StructureForms.of(__package__)
_HOW_TO = re.compile(r"^how (?:do (?:i|you|we)|to|can (?:i|you|we)) (?P<goal>[a-z].*?)\??$", re.IGNORECASE)
YOURS = {"your": "my", "yours": "mine", "yourself": "myself"}


def _gerunds() -> dict[str, str]:
    known = {}
    for verb in FORMS.tables["verbs"]:
        known[verb + "ing"] = verb
        if verb.endswith("e") and not verb.endswith("ee"):
            known[verb[:-1] + "ing"] = verb
        if re.fullmatch(r"(?:.*[^aeiou])?[aeiou][bdgmnprt]", verb):
            known[verb + verb[-1] + "ing"] = verb
    return known


GERUNDS = _gerunds()
VERBS = frozenset(FORMS.tables["verbs"])
_NOUN_TOO = frozenset(FORMS.tables["noun_too"])
_ACTING = {verb.removesuffix("e") for verb in VERBS - _NOUN_TOO}
_LONGEST_ROW = 7
_AFTER_VERB = frozenset(FORMS.tables["after_verb"])


def goal(heading: str, reading: Reading) -> str:
    """Return the task that a heading names, with the verb in the base form, or "" if it names no task.

    "Requesting time off" becomes "request time off".
    """
    if match := _HOW_TO.match(heading):
        return _mine(match["goal"], reading)
    first, _, rest = heading.rstrip(".").partition(" ")
    word = first.lower()
    verb = word if word in VERBS else GERUNDS.get(word, "")
    second = rest.partition(" ")[0].lower()
    if not verb or not rest or len(heading.split()) > 9:
        return ""
    if word in _NOUN_TOO and second not in _AFTER_VERB:
        return ""
    if second == "and" or (word in GERUNDS and second == "of"):
        return ""
    return _mine(f"{verb} {rest}", reading)


def product(title: str) -> str:
    """Return the name in a title such as "Sign up for an Arduino Cloud plan" ("Arduino Cloud"); "" for title case."""
    if re.search(r"\s[A-Z]", title) and not re.search(r"\s[a-z]{4}", title):
        return ""
    match = re.search(r"(?<=\s)[A-Z]\w+(?: [A-Z]\w+)*", title)
    return match.group() if match else ""


def _mine(text: str, reading: Reading) -> str:
    """Return a text in the first person ("your" becomes "my"). Title case is removed, except from names."""
    words = [YOURS.get(word.lower(), word) for word in text.split()]
    title_case = sum(word[:1].isupper() for word in words[1:]) > len(words[1:]) / 2
    return " ".join(
        word.lower() if title_case and _PLAIN.fullmatch(word) and set(stems(word)) <= small_stems(reading) else word
        for word in words
    )


def noun(text: str, reading: Reading) -> str:
    """Return a heading or label as written in a sentence: in lower case, unless one of its words is a name.

    A word is a name if the prose of the document never writes it, or another form of it, in lower case.
    """
    words = text.strip().split()
    small = small_stems(reading)
    plain = [_PLAIN.fullmatch(word.strip("()[],.;:'\"’“”")) is not None for word in words]
    known = all(set(stems(word)) <= small for word, is_plain in zip(words, plain, strict=True) if is_plain)
    if (
        not known
        or _INNER.search(text)
        or (" " in text and any(text in sentence.text[1:] for sentence in reading.sentences))
    ):
        return " ".join(words)
    return " ".join(w.lower() if is_plain and w != "I" else w for w, is_plain in zip(words, plain, strict=True))


_INNER = re.compile(r"[a-z][A-Z]|[A-Z]{2}")
_PLAIN = re.compile(r"[A-Z](?:[a-z’'-]*|[a-z]+(?:-[A-Za-z]+)+)")


def label(text: str, reading: Reading) -> str:
    """Return the name of an attribute as written in a sentence: in lower case, except abbreviations and names."""
    small = small_stems(reading)
    known = FORMS.has("attribute_label", text)
    text = text.lower() if text.isupper() and len(text) > 3 and known else text
    return " ".join(
        word.lower()
        if _PLAIN.fullmatch(word.strip("()[],.;:'\"’“”")) and (at == 0 or known or set(stems(word)) <= small)
        else word
        for at, word in enumerate(text.strip().split())
    )


def thing(heading: str, reading: Reading) -> str:
    """Return the name in a heading as written in a sentence, with an article if needed; "" if there is none."""
    is_task = heading.partition(" ")[0].lower() in VERBS and bool(goal(heading, reading))
    if is_task or FORMS.has("no_name", heading):
        return ""
    sentence = next((one for one in reading.headings if bare(one.text) == heading), None)
    if sentence is not None and not _is_phrase(reading.parse_of(sentence)):
        return ""
    said = noun(heading, reading)
    last = said.rstrip(")").split()[-1].lower() if said else ""
    starts = said.lower().startswith(("the ", "a ", "an "))
    acts = said.split()[0].lower() in GERUNDS if said else False
    said = said[0].lower() + said[1:] if acts else said
    if last and not starts and FORMS.has("role", last) and said.count(" ") < 4:
        return f"{'an' if said[0].lower() in 'aeiou' else 'a'} {said}"
    return f"the {said}" if last in _WITH_ARTICLE and not starts and not acts else said


def row(name: str, reading: Reading) -> str:
    """Return the name of a table row as written in a sentence ("the day ticket", "MV Avocet").

    Return "" if the name is a clause or too long.
    """
    said = noun(name, reading)
    verbs = {word.removesuffix("s").removesuffix("e") for word in said.split()[1:] if word.endswith("s")}
    if len(said.split()) > _LONGEST_ROW or verbs & _ACTING:
        return ""
    first, _, rest = said.partition(" ")
    if rest.islower() and _PLAIN.fullmatch(first):
        said = f"{first.lower()} {rest}"
    if said[:1].isupper() and said.split()[-1].isalpha() and said.split()[-1].islower() and " " in said:
        return said if said.startswith(("The ", "A ", "An ")) or FORMS.has("plural", said) else f"the {said}"
    is_named = not said[:1].islower() or said.startswith(("the ", "a ", "an ")) or FORMS.has("plural", said)
    return said if is_named or not said.isascii() or "_" in said else f"the {said}"


def _is_phrase(parse: Doc) -> bool:
    """Return whether a parse is a noun phrase, or a gerund with its object."""
    root = next((token for token in parse if token.dep_ == "ROOT"), None)
    if root is None or any(token.tag_ in ("MD", "PRP") for token in parse):
        return False
    if root.tag_ == "VBG":
        return any(child.dep_ in ("dobj", "prep", "prt") for child in root.children)
    ends = root.tag_ in ("VB", "VBP", "NN", "NNP") and root.i == len(parse) - 1  # "Annual Leave" is not a sentence
    if not ends and any(child.dep_ in ("nsubj", "nsubjpass", "aux") for child in root.children):
        return False
    return root.pos_ in ("NOUN", "PROPN", "NUM", "X") or (
        root.pos_ in ("VERB", "ADJ") and len(parse) > 1 and root.i > 0
    )


_WITH_ARTICLE = frozenset(FORMS.tables["with_article"])


def small_stems(reading: Reading) -> set[str]:
    """Return the stems of the words that the prose of a document writes in lower case."""
    if reading not in _STEMS:
        text = " ".join(sentence.text for sentence in reading.sentences)
        _STEMS[reading] = set(stems(" ".join(set(_SMALL_WORD.findall(text))))) | _FUNCTION_STEMS
    return _STEMS[reading]


_STEMS: WeakKeyDictionary[Reading, set[str]] = WeakKeyDictionary()
_SMALL_WORD = re.compile(r"(?<![\w/.-])[a-z]+(?![\w/-])")
_FUNCTION_STEMS = set(stems("a an the of to in on at by for with from and or about your my our a "))
