"""The forms of the words that English rewordings put in: verbs and phrases of them, plurals, articles."""

from __future__ import annotations

from synth.grammar.styles.verbs import past, third_person

_PARTICIPLES = {
    "beat": "beaten",
    "become": "become",
    "begin": "begun",
    "break": "broken",
    "choose": "chosen",
    "come": "come",
    "draw": "drawn",
    "drive": "driven",
    "fall": "fallen",
    "get": "got",
    "give": "given",
    "go": "gone",
    "grow": "grown",
    "hide": "hidden",
    "know": "known",
    "rise": "risen",
    "run": "run",
    "see": "seen",
    "speak": "spoken",
    "take": "taken",
    "tear": "torn",
    "throw": "thrown",
    "write": "written",
}
_PASTS = {
    "be": "was",
    "bring": "brought",
    "cut": "cut",
    "drive": "drove",
    "forbid": "forbade",
    "lose": "lost",
    "put": "put",
    "set": "set",
    "shut": "shut",
    "split": "split",
    "strike": "struck",
    "shrink": "shrank",
}
_SAME_PARTICIPLE = {"forbid": "forbidden", "be": "been", "shrink": "shrunk", "strike": "struck"}
_DOUBLING = frozenset(
    "admit begin compel cut forbid get ban map occur permit stop put run set shut split swap win plan".split()
)
_PLURALS = {"child": "children", "man": "men", "woman": "women", "person": "people"}
_VOWEL = "aeiou"
_SOUNDS_LIKE_YOU = ("uni", "use", "usu", "euro", "one", "uti")


def conjugated(phrase: str, tag: str) -> str:
    """A verb in its base form, or a phrase that begins with one, in the form of a Penn Treebank tag, VB to VBZ."""
    verb, _, rest = phrase.partition(" ")
    made = _form(verb, tag)
    return f"{made} {rest}" if rest else made


def _form(verb: str, tag: str) -> str:
    if tag == "VBZ":
        return third_person(verb)
    if tag == "VBD":
        return _PASTS.get(verb) or past(verb)
    if tag == "VBN":
        return _PARTICIPLES.get(verb) or _SAME_PARTICIPLE.get(verb) or _PASTS.get(verb) or past(verb)
    return gerund(verb) if tag == "VBG" else verb


def gerund(verb: str) -> str:
    """The form of a base form that ends in "ing"."""
    if verb == "be":
        return "being"
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return (verb + verb[-1] if verb in _DOUBLING else verb) + "ing"


def plural(noun: str) -> str:
    """The plural of a noun, or of a phrase that ends in one."""
    before, _, last = noun.rpartition(" ")
    if last in _PLURALS:
        made = _PLURALS[last]
    elif last.endswith(("s", "sh", "ch", "x", "z")):
        made = last + "es"
    elif last.endswith("y") and last[-2] not in _VOWEL:
        made = last[:-1] + "ies"
    else:
        made = last + "s"
    return f"{before} {made}" if before else made


def with_article(before: str, word: str) -> str:
    """ "a" or "an", as `word` wants it, where `before` is one of the two; else `before`."""
    if before.lower() not in ("a", "an"):
        return before
    first = word.lower()
    vowel = first[:1] in _VOWEL and not first.startswith(_SOUNDS_LIKE_YOU)
    made = "an" if vowel or first.startswith("hour") else "a"
    return made.capitalize() if before[0].isupper() else made
