"""All good simple questions of one English document, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.admission import admitted
from synth.grammar.english.circumstances import CONSTRUCTIONS as CIRCUMSTANCES
from synth.grammar.english.clauses import clauses
from synth.grammar.english.conditions import guided
from synth.grammar.english.definitions import CONSTRUCTIONS as DEFINITIONS
from synth.grammar.english.explanations import CONSTRUCTIONS as EXPLANATIONS
from synth.grammar.english.guidance import CONSTRUCTIONS as GUIDANCE
from synth.grammar.english.page import Page, page_of
from synth.grammar.english.phrases import Unsure, code_tokens
from synth.grammar.english.proposals import Fact, Proposal
from synth.grammar.english.ranking import worth
from synth.grammar.english.things import CONSTRUCTIONS as THINGS
from synth.grammar.reading import Reading
from synth.records import Draft

if TYPE_CHECKING:
    from spacy.tokens import Doc

    from synth.text.prose import Sentence

MIN_WORTH = 0.45
_CONSTRUCTIONS = (*CIRCUMSTANCES, *DEFINITIONS, *EXPLANATIONS, *GUIDANCE, *THINGS)


def drafts(reading: Reading) -> list[Draft]:
    """Simple questions on one English document, best first.

    A draft asks for one fact of one sentence; its evidence is that sentence. `worth` is how likely a
    demanding reader is to accept it; those below MIN_WORTH are not given.
    """
    page = page_of(reading)
    found: list[tuple[float, int, Draft]] = []
    for sentence, doc in zip(reading.sentences, reading.english, strict=True):
        if not admitted(sentence, doc, reading.document.text[sentence.end : sentence.end + 200]):
            continue
        for proposal in _proposals(sentence, doc, page):
            value = worth(proposal)
            if value >= MIN_WORTH:
                found.append((-value, len(found), _draft(proposal, value)))
    found.sort(key=lambda item: item[:2])
    return _distinct([draft for _, _, draft in found])


def _proposals(sentence: Sentence, doc: Doc, page: Page) -> Iterator[Proposal]:
    code = code_tokens(sentence, doc)
    yield from guided(sentence, doc, page, code)
    for clause in clauses(sentence, doc):
        for construction in _CONSTRUCTIONS:
            try:
                yield from construction(Fact(clause, page, code))
            except Unsure:
                continue


def _draft(proposal: Proposal, value: float) -> Draft:
    sentence = proposal.fact.clause.sentence
    first, last = proposal.answer
    answer = trimmed(str(proposal.fact.clause.doc[first:last].text))
    return Draft(
        question=proposal.question,
        golden_answers=(answer,),
        spans=((sentence.start, sentence.end),),
        pattern=proposal.pattern,
        worth=value,
    )


def _distinct(found: list[Draft]) -> list[Draft]:
    """The best draft of each question; of one sentence, only drafts whose answers do not overlap."""
    questions: set[str] = set()
    answers: dict[tuple[tuple[int, int], ...], list[str]] = {}
    kept = []
    for draft in found:
        said = answers.setdefault(draft.spans, [])
        answer = draft.golden_answers[0].casefold()
        known = any(answer in other or other in answer for other in said)
        if known or draft.question.casefold() in questions:
            continue
        questions.add(draft.question.casefold())
        said.append(answer)
        kept.append(draft)
    return kept


def trimmed(answer: str) -> str:
    """An answer without outer quotes and stops, without ", not ..." and without a "the same" that pointed back."""
    answer = re.sub(r",? (?:and |but )?not (?:with |by |in |as )?(?:a|an|the) .*$", "", answer)
    answer = answer.strip(" ,.;:")
    if len(answer) > 1 and answer[0] + answer[-1] in ('""', "“”", "‘’", "''") and answer.count(answer[0]) < 3:
        answer = answer[1:-1].strip(" ,.;:")
    return re.sub(r"^the same (?=[\w.]*[A-Z_.][\w.]*$)", "", answer)
