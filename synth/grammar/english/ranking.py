"""Judging proposals: how likely a demanding reader is to accept a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.admission import hedged
from synth.grammar.english.lexicon import FILE_ENDINGS, PLACEHOLDERS, POINTING, POSSESSIVES, PRONOUNS, word_set
from synth.grammar.english.phrases import is_name, is_person, unresolved, vague
from synth.grammar.english.proposals import Proposal
from synth.grammar.english.specificity import looseness
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from spacy.tokens import Token

MIN_WORDS, MAX_WORDS = 4, 24
_CLAUSAL = word_set("reason purpose manner method content condition infinitive")
_AMOUNTS = ("count", "percentage", "measure")
_EMPTY = word_set("use need want just happens don't know do make have work get see like well also instead")
_READING_ON = re.compile(
    r"\b(learn|read|see|know|find|details?|check|more info\w*)\b.*\b(more|about|out|details?|docs)\b", re.I
)
_ANAPHORS = word_set("it its they them their itself themselves")
_POINTERS = word_set("this these those such above following former latter here there")
_DANGLING = word_set("in the a by that to of with and or not")
# Words that only what was said before gives a meaning.
_CONTEXT = re.compile(
    r"\b(?:the same(?! (?:time|way|as)\b)|(?:the|an)other\b|such an?\b|the following|the above|aforementioned|etc\b)",
    re.I,
)
_SAME_NAME = re.compile(r"[Tt]he same [\w.]*[A-Z_.][\w.]*$")
_REFERRING = re.compile(r"\b(?:explained|described|mentioned|shown|discussed|seen|covered) (?:in|by|above|below)\b")
_POSSESSED = re.compile(
    r"(?:(?:because|out) of |due to |for |in |with |by )?(?:its|their|his|her|both)\b(?! \w+ and\b)", re.I
)
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_LIST_LEFT_OPEN = re.compile(r"\b(such as|like|including|etc|among others|e\.g|and so on|and more|and others)\b", re.I)
_FILE = re.compile(rf"\S\.(?:{'|'.join(sorted(FILE_ENDINGS))})\b", re.I)


def worth(proposal: Proposal) -> float:
    """The worth of a proposal, from 0 (refused) to 1."""
    if _refused(proposal):
        return 0.0
    value = proposal.base + _of_question(proposal) + _of_answer(proposal) + _of_sentence(proposal)
    return round(min(max(value, 0.0), 1.0), 3)


def _refused(proposal: Proposal) -> bool:
    question, tokens = proposal.question, proposal.answer_tokens
    size = len(question.split())
    answer = _text(proposal)
    if proposal.pattern == "definition":
        size += 1
    if not MIN_WORDS <= size <= MAX_WORDS or not answer or not re.search(r"\w", answer):
        return True
    if any(token.i in proposal.fact.code and token.text.endswith("=") for token in (*proposal.asked, *tokens)):
        return True
    if _READING_ON.search(question) or _READING_ON.search(answer):
        return True
    if any(_loose(token, proposal) for token in proposal.asked):
        return True
    if question.count('"') % 2 or answer.count('"') % 2 or answer.count("(") != answer.count(")") or "(" in question:
        return True
    limit = 26 if proposal.pattern in _CLAUSAL or proposal.pattern in ("definition", "apposition") else 20
    if len(answer.split()) > limit or any(_loose_in_answer(token, proposal) for token in tokens):
        return True
    if (
        re.search(r"[;:—]| – ", question)
        or _FILE.search(answer)
        or "://" in answer
        or ("/" in answer and len(tokens) == 1)
    ):
        return True
    if _goes_on(proposal) or (question.rstrip("?").split()[-1] in _DANGLING and proposal.pattern != "stranded"):
        return True
    if _CONTEXT.search(question) or _REFERRING.search(answer) or answer.lower().startswith("no "):
        return True
    if _CONTEXT.search(answer) and not _SAME_NAME.match(answer):
        return True
    if _POSSESSED.match(answer) or tokens[0].lower_ in ("other", "another", "many", "several", "various"):
        return True
    return not _says_something(proposal)


def _goes_on(proposal: Proposal) -> bool:
    """Whether the answer was cut in the middle of a coordination or a compound."""
    first, last = proposal.answer
    doc = proposal.fact.clause.doc
    if last >= len(doc):
        return False
    after = doc[last]
    if doc[last - 1].tag_ == "VB" and proposal.pattern in ("object", "definition", "apposition"):
        return True
    if after in proposal.asked and after.like_num:
        return True
    if after.tag_ in ("VBZ", "VBD", "MD") and proposal.pattern not in ("subject", "condition", *_AMOUNTS):
        return True
    hangs = first <= after.head.i < last and not after.is_punct and proposal.pattern not in _AMOUNTS
    return after.text in "/-–" or hangs or (last in proposal.fact.code and doc[last - 1].text != ",")


def _text(proposal: Proposal) -> str:
    first, last = proposal.answer
    return str(proposal.fact.clause.doc[first:last].text).strip()


def _says_something(proposal: Proposal) -> bool:
    """Whether the answer adds words that the question does not have."""
    asked = {token.text for token in proposal.asked}
    if any(token.i in proposal.fact.code and token.text not in asked for token in proposal.answer_tokens):
        return True
    return bool(set(content_words(_text(proposal))) - set(content_words(proposal.question)))


def _loose(token: Token, proposal: Proposal) -> bool:
    """Whether a word of the question points to what the question does not say."""
    word = token.lower_
    if token.i in proposal.fact.code or proposal.fact.page.understood(token):
        return False
    if word in ("his", "her"):
        return not _owner_in_question(token, proposal)
    if word in _ANAPHORS:
        owned = word in POSSESSIVES and _owner_in_question(token, proposal)
        return not owned and not _said_before(token, proposal)
    if word in ("who", "which", "whom", "whose", "what") and token.dep_ != "ROOT":
        return token.head.dep_ not in ("relcl", "ccomp", "pcomp") and token.dep_ not in (
            "nsubj",
            "dobj",
            "poss",
            "pobj",
        )
    if word in PRONOUNS:
        return True
    if word == "same":
        return token.nbor().lower_ not in ("time", "way") if token.i + 1 < len(token.doc) else True
    if word in _POINTERS:
        return not ((word == "there" and token.dep_ == "expl") or _such_as(token))
    if word == "that":
        return _demonstrative(token)
    return (
        word in POINTING
        and token.dep_ in ("advmod", "det", "amod", "nsubj", "dobj", "pobj")
        and word not in ("each", "both", "either")
    )


def _such_as(token: Token) -> bool:
    return token.lower_ == "such" and token.i + 1 < len(token.doc) and token.nbor().lower_ == "as"


def _demonstrative(token: Token) -> bool:
    """Whether "that" points ("that file"), rather than opens a clause ("the file that ...")."""
    if token.dep_ in ("mark", "complm") or token.tag_ == "WDT":
        return False
    opens = (
        token.dep_ in ("nsubj", "nsubjpass", "dobj")
        and token.head.dep_ in ("relcl", "ccomp")
        and token.i < token.head.i
    )
    return not opens and token.dep_ in ("det", "nsubj", "nsubjpass", "dobj", "pobj")


def _said_before(token: Token, proposal: Proposal) -> bool:
    """Whether "it" or "they" has a fitting noun earlier in the question, and is no part of the main clause's frame."""
    verb = proposal.fact.clause.verb
    if verb in (token.head, token.head.head):
        return False
    earlier = []
    for word in proposal.asked:
        if word == token:
            break
        if word.i > token.i:
            continue  # it stands behind the pronoun in the text, which so means something else
        earlier.append(word)
    return _fits(token.lower_, earlier)


def _fits(pronoun: str, nouns: Sequence[Token]) -> bool:
    plural = pronoun in ("they", "them", "their", "themselves")
    tags = ("NNS", "NNPS") if plural else ("NN", "NNP")
    return any(noun.tag_ in tags and not vague(noun) and noun.dep_ != "compound" for noun in nouns)


def _owner_in_question(token: Token, proposal: Proposal) -> bool:
    subject = proposal.fact.clause.subject
    if subject is None or subject.start <= token.i < subject.end or subject.head.lower_ == "you":
        return False
    if proposal.pattern == "agent":
        return False
    person = is_person(subject.head) or (subject.head.pos_ == "PROPN" and subject.head.ent_type_ in ("", "PERSON"))
    if proposal.pattern == "subject":
        return token.lower_ in ("his", "her") and person
    plural = subject.head.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" for c in subject.head.children)
    fits = {"its": not plural, "their": plural or not person}.get(token.lower_, person and not plural)
    return fits and subject.head in proposal.asked


def _loose_in_answer(token: Token, proposal: Proposal) -> bool:
    word = token.lower_
    if token.i in proposal.fact.code:
        return False
    if word in ("it", "they", "them", "itself", "themselves") and proposal.pattern in _CLAUSAL:
        if proposal.pattern == "reason" and token.dep_ in ("nsubj", "nsubjpass"):
            return False
        mine = [t for t in proposal.answer_tokens if t.i < token.i]
        return not _fits(word, [*proposal.asked, *mine])
    if word in ("he", "she", "it", "they", "them", "him", "we", "us", "i", "me"):
        return True
    if word in POSSESSIVES:
        mine = [t for t in proposal.answer_tokens if t.i < token.i]
        return not _owner_in_question(token, proposal) and not (word in ("its", "their") and _fits(word, mine))
    if word in ("this", "these", "those", "such", "above", "following", "former", "latter", "here"):
        return not _such_as(token)
    return word == "that" and _demonstrative(token)


def _of_question(proposal: Proposal) -> float:
    """What the words of the question add or take: does it stand alone, is it specific, is it short?"""
    code = proposal.fact.code
    asked = proposal.asked
    size = len(proposal.question.split())
    content = len(set(content_words(proposal.question)) - _EMPTY)
    names = {token.text for token in asked if is_name(token, code)}
    if any(proposal.fact.page.understood(token) for token in asked):
        names.add(proposal.fact.page.meant or "")
    value = -0.5 * len(unresolved(asked, code))
    topics = proposal.fact.page.topics
    if names and names <= topics and content < 5 and proposal.pattern != "definition":
        value -= 0.2
    if not names:
        if proposal.pattern == "condition":
            content += 1
        value -= 0.0 if content >= 5 else 0.05 if content >= 4 else 0.1 if content >= 3 else 0.3
    elif len(names) >= 2:
        value += 0.06
    if proposal.pattern not in ("definition", "apposition", "content"):
        value -= 0.2 * max(0, 3 - content)
    value -= 0.015 * max(0, size - 15) + 0.02 * max(0, size - 19)
    value -= looseness(proposal)
    if re.search(rf"\b({_MONTHS})\b", proposal.question) and not re.search(r"\d{4}", proposal.question):
        value -= 0.3
    value -= 0.15 * bool(re.search(r" for you\b|\bincluding\b", proposal.question))
    value -= _of_subject(proposal, named=bool(names))
    value -= 0.3 * ("import from" in proposal.question)
    compared = any(token.tag_ in ("JJR", "RBR") and token.lower_ not in ("more", "less") for token in asked)
    value -= 0.2 * (compared and " than " not in proposal.question)
    value -= 0.04 * any(token.lower_ in _ANAPHORS and not proposal.fact.page.understood(token) for token in asked)
    if any(token.lower_ in ("other", "others") for token in asked):
        value -= 0.1
    auxiliaries = {token.lower_ for token in proposal.fact.clause.auxiliaries}
    value -= 0.35 * bool(auxiliaries & {"had", "would", "might", "may"})
    value -= 0.1 * ("will" in auxiliaries and proposal.pattern in ("object", "infinitive"))
    if "could" in auxiliaries and not any(token.lower_ == "you" for token in asked):
        value -= 0.2
    value -= 0.15 * (proposal.question.count(" as ") > 1)
    subject = proposal.fact.clause.subject
    if subject is not None and any(t in asked for t in subject.tokens):
        value -= 0.15 * any(t.dep_ == "relcl" or t.lower_ == "your" for t in subject.tokens)
        value -= 0.04 * max(0, subject.end - subject.start - 6)
    value -= 0.15 * any(_bare_definite(t) for t in asked)
    return value - 0.3 * _placeholders(asked, code) - 0.3 * bool(_FILE.search(proposal.question))


def _of_subject(proposal: Proposal, *, named: bool) -> float:
    """What it costs to ask for the subject: little for a named one, more for a thing that few would search for."""
    if proposal.pattern != "subject":
        return 0.0
    known = any(is_name(token, proposal.fact.code) for token in proposal.answer_tokens)
    thing = 0.05 if known else 0.2
    return 0.1 * (not named) + thing * proposal.question.startswith("What ")


def _bare_definite(token: Token) -> bool:
    """Whether "the work" or the like is spoken of, without "of" to say which."""
    the = any(child.lower_ == "the" for child in token.children)
    return the and token.pos_ == "NOUN" and vague(token) and not any(c.lower_ == "of" for c in token.children)


def _placeholders(tokens: Sequence[Token], code: frozenset[int]) -> bool:
    """Whether example code's names are spoken of."""
    return any(
        piece in PLACEHOLDERS for token in tokens if token.i in code for piece in re.split(r"[^a-z]+", token.lower_)
    )


def _of_answer(proposal: Proposal) -> float:
    doc, code = proposal.fact.clause.doc, proposal.fact.code
    tokens = proposal.answer_tokens
    span = doc[proposal.answer[0] : proposal.answer[1]]
    head = span.root
    text = _text(proposal)
    value = 0.0
    if proposal.pattern not in _CLAUSAL and proposal.pattern not in (
        "count",
        "percentage",
        "when",
        "measure",
        "version",
    ):
        if vague(head):
            value -= 0.3
        named = any(is_name(token, code) for token in tokens)
        value += 0.06 if named else 0.0
        if not named and sum(token.pos_ != "DET" for token in tokens) == 1:
            value -= 0.15
        if all(token.text in proposal.fact.page.topics or token.pos_ == "DET" for token in tokens):
            value -= 0.35
        value -= 0.25 * len(unresolved(tokens, code))
        value -= 0.03 * max(0, len(text.split()) - 11)
    else:
        value -= 0.02 * max(0, len(text.split()) - 14)
        value -= (0.2 if proposal.pattern == "content" else 0.1) * len(unresolved(tokens, code))
        again = {t.lemma_ for t in tokens if t.pos_ == "VERB"} & {t.lemma_ for t in proposal.asked if t.pos_ == "VERB"}
        value -= 0.15 * (proposal.pattern == "condition" and bool(again - {"use", "declare"}))
        value -= 0.05 * any(t.lower_ in _ANAPHORS for t in tokens)
        mine = {t.head.lemma_ for t in tokens if t.lower_ == "your"} - {t.lemma_ for t in proposal.asked}
        value -= 0.2 * len(mine)
    if any(token.lower_ == "your" for token in tokens) and proposal.pattern not in _CLAUSAL:
        value -= 0.1
    if proposal.pattern == "recipe" and tokens[0].lower_ in ("a", "an") and not any(is_name(t, code) for t in tokens):
        value -= 0.2
    if text.lower().startswith("your "):
        value -= 0.15
    if _LIST_LEFT_OPEN.search(text):
        value -= 0.2
    if "(" in text or _placeholders(tokens, code):
        value -= 0.15
    if len(tokens) == 1 and head.i in code and (len(text) < 3 or (text.islower() and len(text) < 4)):
        value -= 0.3
    shared = set(content_words(text)) & set(content_words(proposal.question))
    cost = 0.03 if proposal.pattern in _CLAUSAL or head.i in code else 0.08
    return value - cost * len(shared)


def _of_sentence(proposal: Proposal) -> float:
    clause = proposal.fact.clause
    value = -0.06 if clause.cut or not clause.main else 0.0
    following = clause.doc[proposal.answer[1] : proposal.answer[1] + 1].text
    if following == "," and re.search(r", (and|or) ", clause.doc[proposal.answer[1] :].text):
        value -= 0.12
    value -= 0.005 * max(0, len(clause.doc) - 28)
    if clause.cut and proposal.pattern == "recipe":
        value -= 0.15
    if hedged(clause.doc.text):
        value -= 0.15
    if proposal.fact.page.meant:
        value -= 0.04
    if clause.sentence.kind == "list_item":
        value -= 0.3 if clause.subject is None and proposal.pattern == "recipe" else 0.08
    if clause.doc[0].lower_ in ("but", "and", "so", "then", "or", "yet", "nor", "however"):
        value -= 0.05
    return value
