"""All good simple questions of one English document, best first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.grammar.english.circumstances import CONSTRUCTIONS as CIRCUMSTANCES
from synth.grammar.english.clauses import clauses
from synth.grammar.english.conditions import guided
from synth.grammar.english.definitions import CONSTRUCTIONS as DEFINITIONS
from synth.grammar.english.explanations import CONSTRUCTIONS as EXPLANATIONS
from synth.grammar.english.guidance import CONSTRUCTIONS as GUIDANCE
from synth.grammar.english.phrases import Unsure, code_tokens
from synth.grammar.english.proposals import Proposal, Stated
from synth.grammar.english.ranking import worth
from synth.grammar.english.telling import Told, told
from synth.grammar.english.things import CONSTRUCTIONS as THINGS
from synth.grammar.reading import Reading
from synth.records import Draft

MIN_WORTH = 0.5
_CONSTRUCTIONS = (*CIRCUMSTANCES, *DEFINITIONS, *EXPLANATIONS, *GUIDANCE, *THINGS)


def drafts(reading: Reading) -> list[Draft]:
    """Simple questions on one English document, best first.

    A draft asks for one fact of one sentence; its evidence is that sentence, and the one before when
    that names what the pronoun at its head stands for. `worth` is how likely a
    demanding reader is to accept it; those below MIN_WORTH are not given.
    """
    found: list[tuple[float, int, Draft]] = []
    for one in told(reading):
        for proposal in _proposals(one):
            value = worth(proposal)
            if value >= MIN_WORTH:
                found.append((-value, len(found), _draft(proposal, one.spans, value)))
    found.sort(key=lambda item: item[:2])
    return _distinct([draft for _, _, draft in found])


def _proposals(one: Told) -> Iterator[Proposal]:
    code = code_tokens(one.sentence, one.doc)
    yield from guided(one.sentence, one.doc, one.page, code)
    for clause in clauses(one.sentence, one.doc):
        for construction in _CONSTRUCTIONS:
            try:
                yield from construction(Stated(clause, one.page, code))
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
