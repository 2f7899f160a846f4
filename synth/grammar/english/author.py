"""All good simple questions of one English document, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from synth.core.records import Draft
from synth.grammar.english.abbreviations import abbreviations
from synth.grammar.english.circumstances import CONSTRUCTIONS as CIRCUMSTANCES
from synth.grammar.english.clauses import clauses
from synth.grammar.english.definitions import CONSTRUCTIONS as DEFINITIONS
from synth.grammar.english.judging import sound
from synth.grammar.english.lexicon import KNOWN_ABBREVIATIONS
from synth.grammar.english.lifetimes import lifetimes
from synth.grammar.english.page import page_of
from synth.grammar.english.phrases import Unsure, code_tokens
from synth.grammar.english.proposals import Proposal, Stated
from synth.grammar.english.references import glossary_drafts, reference_drafts
from synth.grammar.english.statements import EnglishStatement, statements
from synth.grammar.english.versions import versions
from synth.grammar.headed_questions import PATTERN, HeadedForms, headed_drafts
from synth.grammar.reading import Reading
from synth.text.markup import plain
from synth.text.same_answer import gist

_LIFE_WORTH, _ABBREVIATION_WORTH, _SINCE_WORTH = 0.75, 0.72, 0.78
_PASSING_ABBREVIATION_WORTH = 0.0
"""Worth of an abbreviation that everyone knows or that is named in passing: it only tells of other words for it."""

_MIN_OCCURRENCES = 3
"""Occurrences in a document from which on an abbreviation is one of its words, not named in passing."""

_LOSS_PER_WORD = 0.01
"""Loss of worth per word of a question."""

FACTS = ("count", "deadline", "life", "measure", "percentage", "when")
"""The names of the constructions that ask for a fact of a sentence."""

PATTERNS = (*FACTS, "abbreviation", "default", "definition", PATTERN, "option", "since", "term")
"""The names of all constructions, which drafts carry."""

_MEANINGS = ("definition", "term", "abbreviation")
"""Constructions that ask what something is."""

_CONSTRUCTIONS = (*CIRCUMSTANCES, *DEFINITIONS)


def drafts(reading: Reading) -> list[Draft]:
    """Simple questions on one English document, best first.

    A draft asks for one fact of one sentence; its evidence is that sentence, and the one before when
    that names what the pronoun at its head stands for. `worth` is that of its construction, less for a long question.
    """
    ranked: list[tuple[float, int, Draft]] = []
    page = page_of(reading)
    for statement in statements(reading, page):
        for draft in (
            *_life_drafts(statement),
            *map(partial(_draft, spans=statement.spans), filter(_usable, _proposals(statement))),
        ):
            ranked.append((-draft.worth, len(ranked), draft))
    headed = headed_drafts(reading, HeadedForms.of(__package__))
    documented = (*reference_drafts(reading, page), *glossary_drafts(reading), *headed)
    for draft in (*_sentence_drafts(reading), *documented):
        ranked.append((-draft.worth, len(ranked), draft))
    ranked.sort(key=lambda item: item[:2])
    return _distinct(_undisputed([draft for _, _, draft in ranked]))


def _proposals(statement: EnglishStatement) -> Iterator[Proposal]:
    code = code_tokens(statement.sentence, statement.doc)
    for clause in clauses(statement.sentence, statement.doc):
        for construction in _CONSTRUCTIONS:
            try:
                yield from construction(Stated(clause, statement.page, code))
            except Unsure:
                continue


def _life_drafts(statement: EnglishStatement) -> Iterator[Draft]:
    for question, answer in lifetimes(statement.sentence.text):
        yield Draft(
            question=question, golden_answers=(answer,), spans=statement.spans, pattern="life", worth=_LIFE_WORTH
        )


def _sentence_drafts(reading: Reading) -> Iterator[Draft]:
    """Drafts on abbreviations and versions."""
    for sentence in reading.sentences:
        span = ((sentence.start, sentence.end),)
        for short, words in abbreviations(sentence.text):
            used = len(
                re.findall(rf"\b{short}\b", reading.document.text)
            ) >= _MIN_OCCURRENCES or sentence.text.startswith(short)
            worth = _ABBREVIATION_WORTH if used and short not in KNOWN_ABBREVIATIONS else _PASSING_ABBREVIATION_WORTH
            question = f"What does {short} stand for?"
            yield Draft(question=question, golden_answers=(words,), spans=span, pattern="abbreviation", worth=worth)
        for question, version in versions(sentence.text):
            yield Draft(question=question, golden_answers=(version,), spans=span, pattern="since", worth=_SINCE_WORTH)
    yield from _headed_abbreviations(reading)


def _headed_abbreviations(reading: Reading) -> Iterator[Draft]:
    """Abbreviations that headings spell out, without worth: they tell where a sentence does it in another way."""
    for block in reading.blocks:
        if block.kind == "heading":
            for short, words in abbreviations(plain(reading.document.text, block.start, block.end).text):
                question, spans = f"What does {short} stand for?", ((block.start, block.end),)
                yield Draft(question=question, golden_answers=(words,), spans=spans, pattern="abbreviation", worth=0.0)


def _usable(proposal: Proposal) -> bool:
    """True if a proposal is sound, or without worth."""
    return not proposal.base or sound(proposal)


def _draft(proposal: Proposal, spans: tuple[tuple[int, int], ...]) -> Draft:
    first, last = proposal.answer
    return Draft(
        question=proposal.question,
        golden_answers=(trimmed(str(proposal.fact.clause.doc[first:last].text)),),
        spans=spans,
        pattern=proposal.pattern,
        worth=proposal.base and round(proposal.base - _LOSS_PER_WORD * len(proposal.question.split()), 3),
    )


def _undisputed(ranked: list[Draft]) -> list[Draft]:
    """The drafts; those on what something is have no worth where the document says it in several ways."""
    told: dict[str, set[str]] = {}
    for draft in ranked:
        if draft.pattern in _MEANINGS:
            told.setdefault(draft.question.casefold(), set()).add(gist(draft.golden_answers[0]))
    return [replace(d, worth=0.0) if len(told.get(d.question.casefold(), ())) > 1 else d for d in ranked]


def _distinct(ranked: list[Draft]) -> list[Draft]:
    """The best draft of each question; of one sentence, only drafts whose answers do not overlap."""
    questions: set[str] = set()
    answers: dict[tuple[tuple[int, int], ...], list[str]] = {}
    kept = []
    for draft in ranked:
        kept_answers = answers.setdefault(draft.spans, [])
        answer = draft.golden_answers[0].casefold()
        known = any(answer in other or other in answer for other in kept_answers)
        if known or draft.question.casefold() in questions:
            continue
        questions.add(draft.question.casefold())
        kept_answers.append(answer)
        kept.append(draft)
    return kept


def trimmed(answer: str) -> str:
    """An answer without outer quotes and stops, ", not ...", a "the same" that pointed back, and hedges.

    "just 308" is "308", "The Gallery" at the head of a sentence "Gallery", "a Norman named Oursel" "Oursel".
    """
    answer = re.sub(r",? (?:and |but )?not (?:with |by |in |as )?(?:a|an|the) .*$", "", answer)
    answer = answer.strip(" ,.;:")
    if len(answer) > 1 and answer[0] + answer[-1] in ('""', "“”", "‘’", "''") and answer.count(answer[0]) < 3:
        answer = answer[1:-1].strip(" ,.;:")
    answer = re.sub(r"^the same (?=[\w.]*[A-Z_.][\w.]*$)", "", answer)
    answer = re.sub(r"^(?:[Jj]ust|[Oo]nly|[Mm]erely|[Ss]imply|[Ss]ome(?= \d)) (?=\S)", "", answer)
    answer = re.sub(
        r"^(?:[Aa]n?|[Tt]he) (?:[\w-]+ ){1,3}(?:named|called) (?=[A-Z][\w-]*(?: [A-Z][\w-]*)*$)", "", answer
    )
    return re.sub(r"^The (?=[A-Z]\S* \S|[\w.]*[_.(])(?!.* (?:which|that|who) )", "", answer)
