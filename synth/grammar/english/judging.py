"""Sound proposals: each sign of trouble drops a proposal, and none is weighed against another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.admission import hedged
from synth.grammar.english.lexicon import (
    LIFE_VERBS,
    PLACEHOLDERS,
    POINTING,
    POSSESSIVES,
    PRONOUNS,
    word_set,
)
from synth.grammar.english.phrases import is_name, is_person, unresolved, vague
from synth.grammar.english.proposals import Proposal
from synth.grammar.english.wording import bare_name
from synth.text.calendar_names import MONTHS
from synth.text.file_endings import FILE_ENDINGS
from synth.text.stems import stems

if TYPE_CHECKING:
    from spacy.tokens import Token

MIN_WORDS, MAX_WORDS = 4, 16
LONGEST_ANSWER = {"definition": 22}
"""Words of an answer by pattern; of another `SHORT_ANSWER`."""

SHORT_ANSWER = 14
LEAST_DEFINITION = 5
"""Words below which what is said of a thing leaves out what it does: "a team within GitHub"."""
_AMOUNTS = ("count", "deadline", "measure", "percentage", "when")
_ANAPHORS = word_set("it its they them their itself themselves")
_POINTERS = word_set("this these those such above following former latter here there")
_IN_ANSWER = word_set("he she it they them him we us i me this these those such above following former latter here")
_OPINIONS = word_set("many very various often usually generally typically")
"""Words of what is said about a thing, where its definition says what it is."""
_DANGLING = word_set("in the a by that to of with and or not")
_UNSURE = word_set("would might may could will")
_LOOSE_WORDS = word_set(
    "other others each every numerous many several additional various some further any multiple more most few also "
    "often sometimes usually frequently generally typically rarely almost normally no"
)
# Words that only what was said before gives a meaning.
_CONTEXT = re.compile(
    r"\b(?:the same(?! (?:time|way|as)\b)|(?:the|an)other\b|such an?\b|the following|the above|aforementioned|etc\b)",
    re.I,
)
_REFERRING = re.compile(r"\b(?:explained|described|mentioned|shown|discussed|seen|covered) (?:in|by|above|below)\b")
_POSSESSED = re.compile(
    r"(?:(?:because|out) of |due to |for |in |with |by )?(?:its|their|his|her|both|your)\b(?! \w+ and\b)", re.I
)
_BACKWARD = word_set("this that these those it them so")
_OPEN_LIST = re.compile(r"\b(such as|like|including|etc|among others|e\.g|and so on|and more|and others)\b", re.I)
_MONTH = re.compile(rf"\b(?:{'|'.join(MONTHS)})\b(?!.*\d{{4}})")
_FILE = re.compile(rf"\S\.(?:{'|'.join(sorted(FILE_ENDINGS))})\b", re.I)
_ODD = re.compile(r"[;:—()\[\]]| – | [A-Z] \d|\s[,.]|\w\"\s?\w| \"|\$ ")
_EVERYDAY_CODE = re.compile(r"[a-z]+")


def sound(proposal: Proposal) -> bool:
    """True if a demanding reader would find nothing wrong with a proposal, as far as its words tell."""
    return not (_odd_question(proposal) or _odd_answer(proposal) or _leans(proposal))


def _odd_question(proposal: Proposal) -> bool:
    question, clause = proposal.question, proposal.fact.clause
    size = len(question.split()) + (proposal.pattern == "definition")
    words = {token.lower_ for token in proposal.asked if token.i not in proposal.fact.code}
    last = question.rstrip("?").split()[-1]
    return (
        not MIN_WORDS <= size <= MAX_WORDS
        or clause.sentence.kind == "list_item"
        or hedged(clause.doc.text)
        or bool(words & _LOOSE_WORDS)
        or bool({token.lower_ for token in clause.auxiliaries} & _UNSURE)
        or any(token.tag_ in ("JJR", "RBR") for token in proposal.asked)
        or any(map(_amount, proposal.asked))
        or any(_doubtful_capital(token, proposal) for token in proposal.asked[:8])
        or _cut_object(proposal)
        or bool(_ODD.search(question) or _MONTH.search(question) or _FILE.search(question) or _CONTEXT.search(question))
        or last in _DANGLING
    )


def _amount(token: Token) -> bool:
    """True if a token counts something, which nobody knows who asks about the rest: "22 times"."""
    counts = token.dep_ == "nummod" and token.head.i > token.i and token.head.tag_ == "NNS"
    return bool(counts or (token.like_num and token.ent_type_ == "QUANTITY"))


def _doubtful_capital(token: Token, proposal: Proposal) -> bool:
    """True if only the place at the head of the sentence tells that a word has a capital: "Budget guidelines"."""
    page = proposal.fact.page
    if token.i or token.i in proposal.fact.code or not token.text.istitle() or page.capital[token.text]:
        return False
    if token.ent_type_ in ("NORP", "GPE", "LOC"):
        return False
    joined = [token.head] if token.dep_ in ("compound", "amod", "nmod") else list(token.conjuncts)
    return token.pos_ in ("PROPN", "NOUN", "ADJ") and any(t.text.islower() for t in joined) and not page.common(token)


def _cut_object(proposal: Proposal) -> bool:
    """True if the object of the verb was cut off, as it stands behind another verb: "call (and await) a function"."""
    clause = proposal.fact.clause
    if clause.part("dobj") is not None:
        return False
    verbs = [clause.verb, *(verb for verb in clause.verb.children if verb.dep_ == "conj")]
    return any(child.dep_ == "dobj" and child.i >= clause.end for verb in verbs for child in verb.children)


def _odd_answer(proposal: Proposal) -> bool:
    tokens, code = proposal.answer_tokens, proposal.fact.code
    first, last = proposal.answer
    doc = proposal.fact.clause.doc
    answer = str(doc[first:last].text).strip()
    if not re.search(r"\w", answer) or len(answer.split()) > LONGEST_ANSWER.get(proposal.pattern, SHORT_ANSWER):
        return True
    if any(mark in answer for mark in ("(", ")", "://", ";")) or answer.count('"') % 2 or _FILE.search(answer):
        return True
    if tokens[-1].lower_ in _BACKWARD:
        return True
    if _OPEN_LIST.search(answer) or _REFERRING.search(answer) or _CONTEXT.search(answer) or _POSSESSED.match(answer):
        return True
    if tokens[0].lower_ in ("no", "other", "another", "many", "several", "various", "some"):
        return True
    if proposal.pattern == "definition" and (
        len(answer.split()) < LEAST_DEFINITION or any(t.lower_ in _OPINIONS for t in tokens)
    ):
        return True
    if proposal.pattern not in _AMOUNTS:
        if any(_loose_in_answer(token, proposal) for token in tokens):
            return True
        unknown = set(unresolved(tokens, code)) - (
            {doc[first:last].root} if proposal.pattern == "definition" else set()
        )
        if unknown:
            return True
        named = any(is_name(token, code) for token in tokens)
        content = [token for token in tokens if token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "X") or token.i in code]
        if not named and (vague(doc[first:last].root) or len(content) < 2):
            return True
    if tokens[-1].tag_ == "VBG" or not set(stems(answer)) - set(stems(proposal.question)):
        return True
    return _goes_on(proposal)


def _goes_on(proposal: Proposal) -> bool:
    """True if the answer was cut in the middle of a coordination or a compound."""
    first, last = proposal.answer
    doc = proposal.fact.clause.doc
    if last >= len(doc):
        return False
    after = doc[last]
    if after.text == "," and re.search(r", (and|or) ", doc[last:].text):
        return True
    if after.lower_ in ("and", "or") and proposal.pattern not in _AMOUNTS:
        return True
    if after.tag_ in ("VBZ", "VBD", "MD") and proposal.pattern not in _AMOUNTS:
        return True
    hangs = first <= after.head.i < last and not after.is_punct and proposal.pattern not in _AMOUNTS
    return after.text in "/-–" or hangs or (last in proposal.fact.code and doc[last - 1].text != ",")


def _leans(proposal: Proposal) -> bool:
    """True if the question is understood only by one who has read the lines before it."""
    asked, code = proposal.asked, proposal.fact.code
    if unresolved(asked, code) or any(_loose(token, proposal) for token in asked):
        return True
    for token in (*asked, *proposal.answer_tokens):
        if token.i in code and (_EVERYDAY_CODE.fullmatch(token.text) or token.text.endswith("=")):
            return True
        if token.i in code and any(piece in PLACEHOLDERS for piece in re.split(r"[^a-z]+", token.lower_)):
            return True
    if any(_bare_name(token, proposal) for token in asked):
        return True
    subject = proposal.fact.clause.subject
    if subject is not None and any(t.dep_ == "relcl" or t.lower_ == "your" for t in subject.tokens if t in asked):
        return True
    return not (_names_something(proposal) and _about(proposal))


def _names_something(proposal: Proposal) -> bool:
    """True if the question has a name, an identifier, or a noun that the headings have."""
    page = proposal.fact.page
    if any(page.understood(token) for token in proposal.asked):
        return True
    return bool(proposal.fact.clause.sentence.headings) or any(
        is_name(token, proposal.fact.code) and not token.like_num for token in proposal.asked
    )


def _about(proposal: Proposal) -> bool:
    """True if the question says what the section is about: it has a word of its headings or of the title."""
    sentence = proposal.fact.clause.sentence
    if not sentence.headings:
        return True
    above = {word for heading in (proposal.fact.page.title, *sentence.headings) for word in stems(heading)}
    return bool(above & set(stems(proposal.question)))


def _bare_name(token: Token, proposal: Proposal) -> bool:
    """True if a person, or the subject, is called by one word of a longer name, of whom there may be many."""
    page, clause = proposal.fact.page, proposal.fact.clause
    if page.understood(token):
        return token.lower_ in ("he", "she") and len((page.meant or "").split()) < 2
    named = token.pos_ == "PROPN" or (token.pos_ == "NOUN" and token.text[:1].isupper() and not page.common(token))
    if not named or token.dep_ == "compound" or token.i in proposal.fact.code or bare_name(token, page):
        return False
    subject = clause.subject is not None and token == clause.subject.head
    longer = token.text in page.longer and not page.addressed
    if token.ent_type_ != "PERSON" and not (subject and (longer or clause.verb.lemma_ in LIFE_VERBS)):
        return False
    return not any(abs(other.i - token.i) == 1 and other.pos_ == "PROPN" for other in proposal.asked)


def _loose(token: Token, proposal: Proposal) -> bool:
    """True if a word of the question points to what the question does not say."""
    word = token.lower_
    if token.i in proposal.fact.code or proposal.fact.page.understood(token):
        return False
    if word in POSSESSIVES:
        return not _owner_in_question(token, proposal)
    if word in ("who", "which", "whom", "whose", "what") and token.dep_ != "ROOT":
        return token.head.dep_ not in ("relcl", "ccomp", "pcomp")
    if word in PRONOUNS or word in _ANAPHORS or word == "same":
        return True
    if word in _POINTERS:
        return not (word == "there" and token.dep_ == "expl")
    if word == "that":
        return _demonstrative(token)
    return word in POINTING and token.dep_ in ("advmod", "det", "amod", "nsubj", "dobj", "pobj")


def _demonstrative(token: Token) -> bool:
    """True if "that" points ("that file"), rather than opens a clause ("the file that ...")."""
    if token.dep_ in ("mark", "complm") or token.tag_ == "WDT":
        return False
    return not (token.dep_ in ("nsubj", "nsubjpass", "dobj") and token.head.dep_ in ("relcl", "ccomp"))


def _owner_in_question(token: Token, proposal: Proposal) -> bool:
    """True if the subject, asked about by name, is whose "its" or "her" is."""
    subject = proposal.fact.clause.subject
    if subject is None or subject.head not in proposal.asked or subject.start <= token.i < subject.end:
        return False
    plural = subject.head.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in subject.head.children)
    person = is_person(subject.head) or (subject.head.pos_ == "PROPN" and subject.head.ent_type_ == "PERSON")
    return {"its": not plural and not person, "their": plural}.get(token.lower_, person and not plural)


def _loose_in_answer(token: Token, proposal: Proposal) -> bool:
    word = token.lower_
    if token.i in proposal.fact.code:
        return False
    if word in _IN_ANSWER:
        return True
    if word in POSSESSIVES:
        return not _owner_in_question(token, proposal) and not _named_before(token, proposal.answer_tokens)
    return word == "that" and _demonstrative(token)


def _named_before(token: Token, tokens: Sequence[Token]) -> bool:
    tags = ("NNS", "NNPS") if token.lower_ == "their" else ("NN", "NNP")
    return any(noun.tag_ in tags and noun.i < token.i and not vague(noun) for noun in tokens)
