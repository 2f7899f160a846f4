"""Lead-ins (sentences above a list that introduce it), and the questions that their lists answer."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from synth.grammar.english.headings import FORMS
from synth.grammar.english.reader_voice import Unsure, as_reader, as_reader_text, inverted, plain_word

if TYPE_CHECKING:
    from spacy.tokens import Doc


_FOLLOWING = re.compile(
    r"\b(?:the |any of the |one of the |all of the )?following(?P<noun>(?: [a-z-]+){0,4})", re.IGNORECASE
)
_PREPOSITION = re.compile(r" ((?:in|for|as|to|on|with|from|at|by) )")
_SPACE = re.compile(r"\s+")


def listing(lead: str, parse: Any) -> str:
    """Return the question that the list below a lead-in answers, or "". `parse` is the parse of the lead-in."""
    if parse is None or not parse.text.rstrip().endswith(":"):
        return ""
    try:
        question = _listing(parse)
    except Unsure:
        return ""
    if not question or FORMS.has("consequence_leans", question) or re.search(r"\b(?:we|our|us)\b", question, re.I):
        return ""
    return question


def _listing(doc: Doc) -> str:
    text = doc.text.rstrip(" :")
    for name, frame in (
        ("lead_goal", "How do I {}?"),
        ("lead_steps", "How do I {}?"),
        ("lead_count", "What are the {}?"),
    ):
        if match := FORMS.patterns[name].fullmatch(text):
            return frame.format(as_reader_text(match["what"]))
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or len(doc) > 30:
        return ""
    subject = next((t for t in root.children if t.dep_ in ("nsubj", "nsubjpass")), None)
    if subject is None:
        return ""
    subject_span = doc[subject.left_edge.i : subject.right_edge.i + 1]
    if "," in subject_span.text:
        return ""
    if match := _FOLLOWING.match(subject_span.text):
        what = match["noun"].strip()
        rest = doc[subject.right_edge.i + 1 :].text.rstrip(" :")
        return (
            f"Which {what} {as_reader_text(rest)}?"
            if (what and rest and root.lemma_ != "be") or (what and len(rest.split()) > 1)
            else ""
        )
    if doc[0].i != subject_span.start and subject_span.start > 0:
        head = doc[: subject_span.start].text.strip(" ,")
        if not re.match(r"^(?:for|in|at|on|during|under|as|when|if|to|after|before)\b", head, re.I):
            return ""
        tail = f" {as_reader_text(head[:1].lower() + head[1:])}"
    else:
        tail = ""
    auxiliary, verb = inverted(root)
    after = doc[root.i + 1 :].text.rstrip(" :")
    after = re.sub(r",? ?(?:such as|for example|namely|like|as follows)$", "", after)
    if re.search(r"\b(?:if|until|unless|when|once|because|which|who)\b", after):
        return ""  # the list belongs to another clause
    subject_text = as_reader(subject_span)
    if root.lemma_ == "have" and not auxiliary.startswith("d"):
        return ""
    what = "What"
    if match := _FOLLOWING.search(after):
        noun_, _, rest = _PREPOSITION.sub(r"|\1", match["noun"].strip(), count=1).partition("|")
        what = f"Which {noun_}" if noun_ else "What"
        after = as_reader_text(f"{after[: match.start()]}{after[match.end() :]} {rest}").strip()
        open_end = not after or after.split()[-1].lower() in ("for", "in", "with", "to", "of", "by", "on", "from")
        if not open_end and not noun_ and root.lemma_ not in FORMS.tables["having"]:
            return ""
    elif after and root.lemma_ not in ("be",):
        return ""  # the list is not the object of the verb
    elif root.lemma_ == "be" and not after:
        return f"What {plain_word(root)} {subject_text}{tail}?" if len(subject_span) >= 2 else ""
    elif after:
        return ""
    asked = _SPACE.sub(" ", f"{what} {auxiliary} {subject_text} {verb} {after}{tail}?")
    return asked.replace(" ?", "?").replace("not not", "not")
