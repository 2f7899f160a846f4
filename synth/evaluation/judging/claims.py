"""What a text claims, each claim by itself, as a judge takes it apart."""

from __future__ import annotations

from collections.abc import Sequence

from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, NoVerdict
from synth.evaluation.measuring.word_coverage import WordIndex, content, share, weights
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps

PROMPT = "judges/claims"
TRIPLES = "judges/triples"
FORMS = ("claims", "triples")


def claims_of(text: str, case: Case, judge: Judge, what: str, form: str = "claims") -> Steps[list[str]]:
    """The claims of a text that answers the row's question. `what` names the text in reasons.

    With the form "triples" each is a subject, a relation and an object. Raises NoVerdict when there is none.
    """
    said = without_orders(text)
    if not said.strip():
        raise NoVerdict(f"{what} is empty")
    values = {"question": case.item.question, "text": said}
    (data,) = yield from judge.ask(TRIPLES if form == "triples" else PROMPT, case.language, values, votes=1)
    if form == "triples":
        found = [" | ".join(one[part].strip() for part in ("subject", "relation", "object")) for one in data["triples"]]
    else:
        found = [one.strip() for one in data["claims"]]
    distinct = list(dict.fromkeys(one for one in found if one.strip(" |")))
    if not distinct:
        raise NoVerdict(f"the judge finds no claim in {what}")
    return distinct


def answer_claims(case: Case, judge: Judge, form: str = "claims") -> Steps[list[str]]:
    """The claims of the response's answer."""
    return (yield from claims_of(case.answer, case, judge, "the answer", form))


def golden_claims(case: Case, judge: Judge, form: str = "claims") -> Steps[list[str]]:
    """The claims of the golden answer that is nearest to the response."""
    return (yield from claims_of(golden(case), case, judge, "the golden answer", form))


def golden(case: Case) -> str:
    """The golden answer of which the response says most. Raises NoVerdict when the row has none."""
    if not case.item.golden_answers:
        raise NoVerdict("the row has no golden answer")
    said = WordIndex.of(content(case.answer))
    return max(case.item.golden_answers, key=lambda one: (share(content(one), weights(content(one)), said), one))


def stated(case: Case, answer: str) -> str:
    """An answer as a text to check claims against: short ones mean little without their question."""
    return f"{case.item.question}\n\n{answer}"


def contexts_of(case: Case) -> list[str]:
    """The texts of the contexts. Raises NoVerdict where there are contexts without texts."""
    texts = [one.text for one in case.contexts]
    if texts and not all(texts):
        raise NoVerdict("the contexts have no texts; responses must give them for a judge to read")
    return texts


def joined(texts: Sequence[str], judge: Judge) -> str:
    """Passages as one text, the other way round where the judge is measured by it."""
    return "\n\n".join(texts[::-1] if judge.turned else texts)
