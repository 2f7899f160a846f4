"""Sentences that state an amount or deny something, as questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.conditions import NUMBERS
from synth.grammar.english.headings import FORMS
from synth.grammar.english.phrases import Unsure
from synth.grammar.english.reader_voice import as_reader, as_reader_text, inverted
from synth.grammar.structure.language import Stated

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

_SPACE = re.compile(r"\s+")


def statements(reading: Reading, section: Section) -> Iterator[Stated]:
    """What sentences of a section say of an amount, or deny, as questions."""
    if not section.body:
        return
    start, end = section.body[0].start, section.body[-1].end
    steps = [(block.start, block.end) for block in section.body if block.kind == "list_item" and block.number]
    for sentence, doc in zip(reading.sentences, reading.parsed, strict=True):
        if (
            not start <= sentence.start < end
            or any(a <= sentence.start < b for a, b in steps)
            or not 5 <= len(doc) <= 34
        ):
            continue
        try:
            found = _amount_asked(doc) or _denied(doc)
        except Unsure:
            continue
        if found is None:
            continue
        pattern, question, answer = found
        question = _SPACE.sub(" ", question).replace(" ,", ",").replace(" ?", "?").replace(" '", "'").replace(" ’", "’")
        if (
            FORMS.has("consequence_leans", question)
            or _WRITER.search(question)
            or question.count("(") != question.count(")")
        ):
            continue
        yield Stated(
            pattern=pattern,
            question=question,
            answer=answer,
            spans=((sentence.start, sentence.end),),
        )


_WRITER = re.compile(r"\b(?:we|our|us|me|you|here|there|then|now|also|instead|so)\b|[;:]", re.IGNORECASE)


def _parts(doc: Doc) -> tuple[Token, Span] | None:
    """The main verb of a sentence that begins with its subject, and the subject."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or root.pos_ not in ("VERB", "AUX"):
        return None
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None or subject.left_edge.i != 0 or subject.i > root.i:
        return None
    span = doc[0 : subject.right_edge.i + 1]
    if any(t.dep_ == "conj" or t.text in (",", ";", ":") for t in span):
        return None
    if subject.pos_ == "PRON" and subject.lower_ != "you":
        return None
    if len(span) > 10 or any(t.dep_ in ("relcl", "conj") and t.pos_ == "VERB" for t in root.children):
        return None
    return root, span


def _amount_asked(doc: Doc) -> tuple[str, str, str] | None:
    """How many, how much or what percentage: of the object of the verb, where a number counts it."""
    parts = _parts(doc)
    if parts is None or any(t.dep_ == "neg" for t in parts[0].children):
        return None
    root, subject = parts
    if subject[0].lower_ in ("a", "an"):
        return None
    thing = next((t for t in root.children if t.dep_ in ("dobj", "attr") and t.i > root.i), None)
    if thing is None or root.lemma_ == "be":
        return None
    span = doc[thing.left_edge.i : thing.right_edge.i + 1]
    match = _COUNTED.match(span.text)
    if match is None:
        return None
    after = doc[span.end :].text.rstrip(" .!")
    if any(t.dep_ in ("advcl", "ccomp") or t.lower_ in ("which", "who", "but", "and") for t in doc[span.end :]):
        return None
    auxiliary, verb = inverted(root)
    if match["money"] or match["percent"]:
        of = (match["rest"] or "").strip()
        what = "What percentage" if match["percent"] else "How much"
        if (
            match["money"]
            and of
            and not of.startswith(("of ", "per ", "for ", "on ", "toward", "in ", "a ", "each ", "towards"))
        ):
            return None
        head = f"{what} {of}" if match["percent"] else what
        after = f"{of} {after}" if match["money"] else after
    else:
        counted = (match["rest"] or "").strip()
        if not counted or match["n"].lower() in ("one", "1") or " to " in match["rest"]:
            return None
        head = f"How many {counted}"
    if thing.text in match["amount"].split() and not match["money"]:
        return None
    answer = match["amount"] if match["money"] or match["percent"] else f"{match['amount']} {thing.text}"
    question = f"{as_reader_text(head)} {auxiliary} {as_reader(subject)} {verb} {as_reader_text(after)}?"
    return "amount_said", question, answer


_COUNTED = re.compile(
    r"(?P<amount>(?:up to |at least |at most |no more than |a maximum of |a minimum of |about |approximately |only )?"
    rf"(?P<money>[$€£])?\s?(?P<n>\d[\d,.]*|{'|'.join(NUMBERS)})(?P<percent>\s?%| percent)?)(?:(?P<rest>\s.*)|$)",
    re.IGNORECASE,
)


_ALLOWS = re.compile(
    r"\b(?:can|could|may|must|should|required?|allowed|permitted|eligible|covered?|paid|pay|available|supported?|includ\w+|"
    r"refund\w*|needs?|charged?|accept\w*|offer\w*|provid\w+|reimburs\w+|expires?|transfer\w*|carry)\b",
    re.IGNORECASE,
)


def _denied(doc: Doc) -> tuple[str, str, str] | None:
    """Whether something is so that the sentence denies."""
    parts = _parts(doc)
    if parts is None or not doc.text.endswith("."):
        return None
    root, subject = parts
    negations = [t for t in root.children if t.dep_ == "neg" and t.lower_ in ("not", "n't", "n’t")]
    if subject[0].lower_ in ("some", "many", "most", "few", "not", "any", "several", "all", "every", "each"):
        return None
    if len(negations) != 1 or any(t.dep_ == "conj" for t in root.children):
        return None
    rest = FORMS.patterns["hedge"].sub("", doc[root.i + 1 :].text.rstrip(" ."))
    if len(rest.split()) < 2 or re.search(
        r"\b(?:but|unless|until|because|only|necessarily|yet|however|except|just|always)\b", rest
    ):
        return None
    auxiliary, verb = inverted(root)
    verb = re.sub(r"^not ?", "", verb)
    if not _ALLOWS.search(doc.text):
        return None
    if root.lemma_ in ("want", "know", "worry", "think", "hesitate", "forget", "mean", "matter", "have", "expect"):
        return None
    adverbs = [
        t.text
        for t in root.children
        if t.dep_ == "advmod" and t.i < root.i and t.lower_ not in ("also", "however", "generally")
    ]
    question = f"{auxiliary.capitalize()} {as_reader(subject)} {' '.join(adverbs)} {verb} {as_reader_text(rest)}?"
    return None if " not " in question else ("whether", question, "No")
