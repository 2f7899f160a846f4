"""Sentences with "if": what follows from the condition, and an example case that the condition covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.headings import FORMS, VERBS
from synth.grammar.english.reader_voice import as_reader, as_reader_text
from synth.grammar.structure.language import Advice, Rule
from synth.grammar.structure.outline import concluding

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section
    from synth.text.prose import Sentence

NUMBERS = "one two three four five six seven eight nine ten twelve fifteen twenty thirty sixty ninety".split()
_VALUES = dict(zip(NUMBERS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, 90), strict=True))
_THRESHOLD = re.compile(
    r"(?P<bound>\b(?:more than|over|at least|longer than|greater than|higher than|older than|less than|fewer than|"
    r"under|shorter than|younger than|lower than|no more than|at most))\s+(?P<money>[$€£]?)"
    rf"(?P<n>\d[\d,]*|{'|'.join(NUMBERS)})(?P<percent>\s?%|)(?P<joint>[- ]?)",
    re.IGNORECASE,
)
_UPWARDS = ("more than", "over", "at least", "longer than", "greater than", "higher than", "older than")
_DATE = re.compile(r"\d+[/-]\d+[/-]\d+|\b(?:19|20)\d\d\b")
_MOST_CONDITION, _LEAST_CONDITION = 26, 4
_LONGEST = 320
_MOST_SUBJECT = 5
"""Maximum number of words of a subject that a question names."""


def conditional(sentence: Sentence) -> bool:
    """Return whether a sentence may state a rule."""
    return " if " in f" {sentence.text.lower()}" and len(sentence.text) <= _LONGEST


def rules(reading: Reading, section: Section, thing: str) -> Iterator[Rule]:
    """Yield the rules in the sentences of a section that no later sentence continues, except numbered steps."""
    for sentence in concluding(reading, section, FORMS):
        if conditional(sentence) and (rule := _rule(reading.parse_of(sentence), (sentence.start, sentence.end))):
            yield rule


def advice(text: str, condition: str) -> Advice | None:
    """Return everything that a text advises for the case that it starts with, or None.

    `condition` is the bold part of the text, or "".

    >>> advice("If you feel unsafe at work, call the police. They can help.", "").question
    'What should I do if I feel unsafe at work?'
    """
    match = _ADVICE.match(text)
    if condition:
        match = re.match(rf"If (?P<c>{re.escape(condition[3:])})[:,.]? (?P<a>\S.*)", text, re.DOTALL)
    if match is None or re.match(r"(?:after|before|when|and|not|in|on|at|for|so)\b", match["c"]):
        return None
    said, answer = match["c"].strip(" ,:").removesuffix(" now"), _POINTING.sub("", match["a"].strip())
    leans = (not condition and FORMS.has("weak", said)) or FORMS.has("consequence_leans", said) or _DATE.search(said)
    if leans or not _LEAST_CONDITION <= len(said.split()) <= _MOST_CONDITION or "(" in said:
        return None
    main = answer.split(". ")[0]
    if FORMS.has("no_consequence", main) or FORMS.has("consequence_leans", main) or re.search(r"\balso\b", main):
        return None
    first = answer.split()[0].lower().strip(",.") if answer else ""
    acts = first in VERBS or first in (
        "call",
        "please",
        "go",
        "be",
        "tell",
        "contact",
        "make",
        "visit",
        "email",
        "talk",
    )
    can = re.match(r"you (?:can|may)\b", answer, re.IGNORECASE)
    must = re.match(r"you(?:['’]ll| will)? (?:must|should|need|have)\b", answer, re.IGNORECASE)
    happens = re.match(
        r"(?:you(?:['’]ll| will| won['’]t| lose| get| do not| don['’]t)|we(?:['’]ll| will))\b", answer, re.IGNORECASE
    )
    ask = "What should I do" if acts or must else "What can I do" if can else "What happens" if happens else ""
    reader = as_reader_text(said)
    if (
        not ask
        or not answer.endswith((".", "!"))
        or re.search(r"\b(?:you(?:r|rs)?|us|we|our)\b", reader, re.IGNORECASE)
    ):
        return None
    presumed = tuple(match["noun"] for match in _DEFINITE.finditer(said))
    return Advice(f"{ask} if {reader}?", answer[:1].upper() + answer[1:], presumed)


_ADVICE = re.compile(
    r"If (?P<c>[^:]{12,160}?)(?:: |, (?=(?:please |then )?(?:[a-z]+ )?(?:you\b|we\b|we['’]|you['’]|"
    + "|".join(sorted(VERBS))
    + r"|call|tell|go|be sure|make sure|contact|visit|email|talk)\b))(?P<a>.+)",
    re.DOTALL,
)
_POINTING = re.compile(r"\s*(?:Learn|Read|Find out|See|Go to|Get) (?:more|how|the|our|a)\b[^.]*\.?$")
_DEFINITE = re.compile(r"\bthe (?P<noun>(?:[\w-]+ )?[\w’-]+)\b(?! (?:of|that|who|which|in|at|on|for|to|you)\b)")


def _rule(doc: Doc, span: tuple[int, int]) -> Rule | None:
    """Return the rule that a sentence with one "if" states, or None."""
    marks = [token for token in doc if token.lower_ == "if" and token.dep_ == "mark"]
    if len(marks) != 1 or not doc.text.rstrip().endswith((".", "!")):
        return None
    clause = marks[0].head
    root = clause.head
    first, last = clause.left_edge.i, clause.right_edge.i
    if clause.dep_ != "advcl" or root.dep_ != "ROOT" or doc[first].i != marks[0].i:
        return None
    condition = doc[first + 1 : last + 1]
    while len(condition) and condition[-1].is_punct:
        condition = condition[:-1]
    if not _LEAST_CONDITION <= len(condition) <= _MOST_CONDITION or ";" in condition.text or "(" in condition.text:
        return None
    has_subject = any(t.dep_.startswith("nsubj") for t in condition)
    if not has_subject or FORMS.has("weak", condition.text) or _DATE.search(condition.text):
        return None
    before, after = doc[:first].text.strip(), doc[last + 1 :].text.strip().lstrip(",;–— ").strip()
    if before and after.strip(" .!") and len(before.split()) > 4:
        return None
    main = f"{before} {after}".strip() if 0 < len(before.split()) <= 4 else (after if after.strip(" .!") else before)
    main = re.sub(r"^(?:(?:then|so|however|also|otherwise),?\s)+", "", main, flags=re.IGNORECASE).strip(" .!,")
    if re.search(r"\b(?:is|are|was|in|at|on|to|of|the|a|an|and|or|via|from|with|by|for)$", main):
        return None
    main = re.sub(r"(?<=[a-z]) (?:however|also|then)(?= )", "", main)
    if FORMS.has("no_consequence", main) or "," in condition.text or (before and "," in main):
        return None
    if main.lower().startswith(("and ", "but ", "or ", "also ")) or len(main.split()) < 3:
        return None
    if FORMS.has("consequence_leans", main) or FORMS.has("pointing_verb", main) or main.count("(") != main.count(")"):
        return None
    subjects = [t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")]
    commands = root.tag_ == "VB" and not any(t.dep_ in ("aux", "auxpass") for t in root.children)
    if any(first <= t.i <= last for t in subjects) or not (subjects or commands):
        return None
    if _embeds(doc, marks[0], root) or _tells_of(root) or doc.text.count(",") > 2:
        return None
    ask = _consequence(root)
    said = as_reader(condition)
    if re.search(r"\byou(?:r|rs)?\b", said, re.I):
        return None
    answer = main[:1].upper() + main[1:]
    case = _case(said)
    return Rule(
        condition=said,
        answer=answer,
        question=f"{ask} if {said}?",
        case=f"{case}." if case else "",
        case_question=f"{ask}?",
        presumed=_presumed(doc, first, last),
        spans=(span,),
    )


def _presumed(doc: Doc, first: int, last: int) -> tuple[str, ...]:
    """Return the nouns with "the" that nothing after them explains, with the words before them.

    Left out are names, and nouns of the consequence that also occur in the condition, tokens `first` to `last`.
    """
    told = {token.lemma_ for token in doc[first : last + 1]}
    definite = [token for token in doc if any(c.lower_ == "the" and c.head.i == token.i for c in token.lefts)]
    return tuple(
        " ".join(word.text for word in (*token.lefts, token) if word.dep_ != "det")
        for token in definite
        if token.pos_ == "NOUN"
        and not any(child.dep_ in ("prep", "relcl", "acl") for child in token.rights)
        and (first <= token.i <= last or token.lemma_ not in told)
    )


def _embeds(doc: Doc, mark: Token, root: Token) -> bool:
    """Return whether "if" means "whether": "check if", "ask your manager if"."""
    verbs = FORMS.tables["embedding"]
    return root.lemma_ in verbs or (mark.i > 0 and doc[mark.i - 1].lemma_ in verbs)


def _tells_of(root: Token) -> bool:
    """Return whether a main clause describes a symptom, a cause or the past, rather than a consequence or action."""
    subject = next((t.lower_ for t in root.children if t.dep_ == "nsubj"), "")
    may = any(t.lower_ in ("may", "might") for t in root.children if t.dep_ == "aux")
    if may and subject == "you" and root.lemma_ not in FORMS.tables["outcomes"]:
        return True
    if not subject and (root.lemma_ in ("try", "help") or len([*root.subtree]) < 6) and root.tag_ == "VB":
        return True
    going_on = root.tag_ == "VBG" and not any(t.lower_ == "going" for t in root.subtree)
    return going_on or root.tag_ == "VBD" or root.lemma_ in FORMS.tables["symptoms"]


def _consequence(root: Token) -> str:
    """Return the words that ask for the consequence, from subject and verb of the main clause."""
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None and root.tag_ == "VB":
        return "What should I do"
    passive = any(t.dep_ == "auxpass" for t in root.children)
    if subject is None or passive or root.lemma_ in ("be", "receive", "get", "lose"):
        return "What happens"
    modal = next((t.lower_ for t in root.children if t.dep_ == "aux" and t.tag_ == "MD"), "")
    negated = " not" if any(t.dep_ == "neg" for t in root.children) else ""
    named = subject.doc[subject.left_edge.i : subject.right_edge.i + 1]
    if subject.lower_ != "you":
        asked = modal in ("must", "should") and len(named) <= _MOST_SUBJECT
        return f"What {modal} {as_reader(named)}{negated} do" if asked else "What happens"
    urges = root.lemma_ in ("need", "have", "want") and any(t.dep_ == "xcomp" for t in root.children)
    if modal in ("must", "should") or (modal in ("may", "might") and urges):
        return f"What {'must' if modal == 'must' else 'should'} I{negated} do"
    if modal in ("can", "could") and not negated:
        return "What can I do"
    return "What do I need to do" if urges and root.lemma_ != "want" and not negated else "What happens"


def _case(condition: str) -> str:
    """Return the condition as an example case whose number its threshold covers, or "" if it has no threshold."""
    match = _THRESHOLD.search(condition)
    if re.search(r"\b(?:not|never|no)\b|n['’]t\b", condition):
        return ""
    if match is None or len(_THRESHOLD.findall(condition)) > 1:
        return ""
    word = match["n"].lower()
    n = _VALUES.get(word) or int(word.replace(",", ""))
    if n < 2 and match["bound"].lower() not in _UPWARDS:
        return ""
    number = n + max(1, round(n * 0.3)) if match["bound"].lower() in _UPWARDS else max(1, n * 2 // 3)
    if number == n:
        return ""
    shown = f"{match['money']}{number:,}{match['percent']}{match['joint']}"
    rest = condition[match.end() :]
    if n == 1:
        rest = re.sub(
            r"^(year|month|week|day|hour|minute|mile|person|night)\b",
            lambda m: "people" if m[1] == "person" else m[1] + "s",
            rest,
        )
    said = condition[: match.start()] + shown + rest
    return said[:1].upper() + said[1:]
