"""Questions on sentences that define a name or the subject of a heading, or that state a deadline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.headings import FORMS, GERUNDS, VERBS, noun, small_stems
from synth.grammar.english.reader_voice import Unsure, as_reader, as_reader_text, inverted
from synth.grammar.structure.language import Stated
from synth.grammar.structure.outline import bare
from synth.text.stems import stems

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

_BEING = re.compile(
    r"(?:(?:An?|The) )?(?P<name>[^,.;:]{2,60}?)(?: \([^()]{1,40}\))?,? "
    r"(?P<verb>is|are|refers to|means|stands for) (?P<what>(?:an?|the|any)\b(?! number of)(?: [^\s:]+){5,45})\.",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"\b(?P<lead>by|before|until|no later than|within)\b (?P<when>[^,.;]*\b(?:\d+|one|two|three|four|five|six|"
    r"seven|ten|fourteen|thirty|sixty|ninety)\b[^,.;]*)",
    re.IGNORECASE,
)
_WITHIN = re.compile(
    r"(?P<n>\S+) "
    r"(?P<unit>(?:(?:calendar|business|working) )?(?:hours?|days?|weeks?|months?|years?))\b"
    r"(?P<rest>(?: (?:of|after|from|before|prior to) .*)?)"
)
_INNER = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d")
"""Pattern of a capital or digit inside a word. Such a word is a name."""

_DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|"
    r"\d[:/.]\d|\d ?[ap]\.?m\b"
)
_MOST_WORDS, _LEAST_WORDS = 32, 3


def dated(text: str) -> bool:
    """Return whether a sentence may state a deadline."""
    return len(text.split()) <= _MOST_WORDS and bool(_WHEN.search(text)) and " if " not in text


def stated(reading: Reading, section: Section) -> Iterator[Stated]:
    """Yield the questions that sentences of a section answer with a definition or a deadline."""
    if not section.body:
        return
    first, last = reading.within(section.body[0].start, section.body[-1].end)
    for at in range(first, last):
        sentence = reading.sentences[at]
        span = ((sentence.start, sentence.end),)
        is_first = at == first and section.head is not None
        asked = _defined(sentence.text, section, reading, is_first=is_first) if sentence.kind == "paragraph" else None
        if asked:
            question, answer, name = asked
            following = reading.sentences[at + 1] if at + 1 < last else sentence
            goes_on = re.match(rf"(?:It|They|{re.escape(name)}) (?:is|are)\b", following.text)
            if following is not sentence and goes_on and not FORMS.has("points", following.text):
                span, answer = ((sentence.start, following.end),), f"{answer}. {following.text.rstrip('.')}"
            yield Stated(pattern="defined", question=question, answer=answer, spans=span)
        elif dated(sentence.text) and (until := _until(reading.parse_of(sentence))):
            yield Stated(pattern="dated", question=until[0], answer=until[1], spans=span, presumed=until[2])


def _defined(text: str, section: Section, reading: Reading, *, is_first: bool) -> tuple[str, str, str] | None:
    """Return (question, answer, name) for a sentence that defines a name, such as "What is X?"; else None.

    The subject of the heading may be defined too, by the first sentence below it (`is_first`).
    """
    match = _BEING.fullmatch(text.strip())
    name = match["name"].strip("*_`\"“”'") if match else ""
    if match is None or FORMS.has("description_leans", match["what"]) or FORMS.has("no_name", name):
        return None
    headed = is_first and bare(section.heading).casefold() in (name.casefold(), f"{name}s".casefold())
    if not (named(name, reading) or (headed and (" " in name or name.casefold() in section.title.casefold()))):
        return None
    verb = {"is": "is", "are": "are"}.get(match["verb"].lower(), "")
    what = match["what"][0].upper() + match["what"][1:]
    thing = text[: match.end("name")].strip("*_` ")
    starts = thing.lower().startswith(("a ", "an ", "the "))
    thing = thing[:1].lower() + thing[1:] if starts else noun(thing, reading)
    who = "Who" if FORMS.has("somebody", match["what"]) else "What"
    return (f"{who} {verb} {thing}?" if verb else f"What does {thing} mean?"), what, name


def named(text: str, reading: Reading) -> bool:
    """Return whether a text is a name of at most four words that is not generally known.

    Each word needs a capital or a digit, and the document must not contain it in lower case. Words such as "of" and
    "the" are ignored.
    """
    words = [word for word in text.split() if word not in _SMALL]
    capitals = all(re.search(r"[A-Z\d]", word) for word in words)
    is_famous = text.casefold() in FORMS.tables["famous"]
    return (
        bool(words)
        and capitals
        and len(words) < 5
        and not is_famous
        and not set(stems(" ".join(words))) & small_stems(reading)
    )


_SMALL = ("of", "the", "and", "for", "in", "on", "de", "la")


def described(name: str, text: str, reading: Reading) -> str:
    """Return the question that an item such as "NERDTree: plugin for browsing files" answers, or ""."""
    first, _, rest = text.partition(" ")
    if (
        not (_INNER.search(name) and named(name, reading))
        or " and " in name
        or sum(map(str.isalpha, rest.split())) < _LEAST_WORDS
        or not first.isalpha()
        or FORMS.has("no_description", text)
    ):
        return ""
    word = first.lower()
    if word.endswith("s") and {word[:-1], word[:-2]} & VERBS:
        return f"What does {name} do?"
    return "" if word in VERBS | GERUNDS.keys() else f"What is {name}?"


def _until(doc: Doc) -> tuple[str, str, tuple[str, ...]] | None:
    """Return (question, answer, presumed nouns) for a sentence that states a deadline, else None.

    Presumed nouns are nouns that readers must know to understand the question.
    """
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None) if root is not None else None
    modal = next((t for t in root.children if t.dep_ == "aux" and t.tag_ == "MD"), None) if root is not None else None
    match = _WHEN.search(doc.text)
    if root is None or subject is None or modal is None or match is None or modal.lower_ in ("may", "might", "could"):
        return None
    named = doc[subject.left_edge.i : subject.right_edge.i + 1]
    before = doc.text[: match.start()].rstrip(" ,")
    verb_end = root.idx + len(root)
    if subject.i > root.i or named.start > 0 or match.start() < verb_end or match.end() < len(doc.text.rstrip(" .")):
        return None
    if subject.pos_ == "PRON" and subject.lower_ != "you":
        return None
    try:
        auxiliary, verb = inverted(root)
    except Unsure:
        return None
    rest = as_reader_text(before[verb_end:].strip())
    lead, when = match["lead"].lower(), match["when"].strip()
    if (
        re.search(r",|\band\b", f"{rest} {when}")
        or FORMS.has("consequence_leans", f"{rest} {when}")
        or FORMS.has("consequence_leans", named.text)
    ):
        return None
    within = _WITHIN.fullmatch(when)
    passive = any(token.dep_ == "auxpass" for token in root.children)
    if not (rest or passive or (within and within["rest"])):
        return None
    if lead == "within" and within:
        start = f"Within how many {within['unit'].removesuffix('s')}s {as_reader_text(within['rest'])}"
        answer = f"{within['n']} {within['unit']}"
    elif lead != "within" and _DATE.search(when):
        start, answer = ("Until when" if lead == "until" else "By when"), f"{match['lead']} {when}"
    else:
        return None
    definite = tuple(t.text for t in doc if any(c.lower_ in ("the", "this") for c in t.lefts) and t.pos_ == "NOUN")
    question = " ".join(f"{start} {auxiliary} {as_reader(named)} {verb} {rest}".split())
    return f"{question}?", answer[:1].upper() + answer[1:], definite
