"""All good simple questions of one English document, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.grammar.english.admission import admitted
from synth.grammar.english.antecedents import antecedent, pronoun
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

MIN_WORTH = 0.5
MAX_SPANS = 3
_CONSTRUCTIONS = (*CIRCUMSTANCES, *DEFINITIONS, *EXPLANATIONS, *GUIDANCE, *THINGS)


def drafts(reading: Reading) -> list[Draft]:
    """Simple questions on one English document, best first.

    A draft asks for one fact of one sentence; its evidence is that sentence, and the one before when
    that names what the pronoun at its head stands for. `worth` is how likely a
    demanding reader is to accept it; those below MIN_WORTH are not given.
    """
    page = page_of(reading)
    found: list[tuple[float, int, Draft]] = []
    before: tuple[Sentence, Doc, str | None] | None = None
    spans: tuple[tuple[int, int], ...] = ()
    for sentence, doc in zip(reading.sentences, reading.english, strict=True):
        at = pronoun(sentence, doc)
        meant = antecedent(*before, doc[at], page) if before and at is not None else None
        spans = (*(spans if meant else ()), (sentence.start, sentence.end))
        before = (sentence, doc, meant if len(spans) < MAX_SPANS else None)
        told = replace(page, meant=meant, meant_at=at if meant and at is not None else -1)
        following = reading.document.text[sentence.end : sentence.end + 200]
        if not admitted(sentence, doc, following, meant=meant is not None and at == 0):
            continue
        for proposal in _proposals(sentence, doc, told):
            value = worth(proposal)
            if value >= MIN_WORTH:
                found.append((-value, len(found), _draft(proposal, spans, value)))
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


def _draft(proposal: Proposal, spans: tuple[tuple[int, int], ...], value: float) -> Draft:
    first, last = proposal.answer
    answer = trimmed(str(proposal.fact.clause.doc[first:last].text))
    return Draft(
        question=proposal.question,
        golden_answers=(answer,),
        spans=spans,
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
