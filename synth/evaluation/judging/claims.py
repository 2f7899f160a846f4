"""Claims of a text, extracted by a judge."""

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


def claims_of(text: str, case: Case, judge: Judge, label: str, form: str = "claims") -> Steps[list[str]]:
    """The claims of a text that answers the row's question. `label` names the text in reasons.

    With the form "triples" each is a subject, a relation and an object. Raises NoVerdict when there is none.
    """
    plain = without_orders(text)
    if not plain.strip():
        raise NoVerdict(f"{label} is empty")
    values = {"question": case.item.question, "text": plain}
    (data,) = yield from judge.ask(TRIPLES if form == "triples" else PROMPT, case.language, values, votes=1)
    if form == "triples":
        claims = [
            " | ".join(claim[part].strip() for part in ("subject", "relation", "object")) for claim in data["triples"]
        ]
    else:
        claims = [claim.strip() for claim in data["claims"]]
    distinct = list(dict.fromkeys(claim for claim in claims if claim.strip(" |")))
    if not distinct:
        raise NoVerdict(f"the judge found no claim in {label}")
    return distinct


def answer_claims(case: Case, judge: Judge, form: str = "claims") -> Steps[list[str]]:
    """The claims of the response's answer."""
    return (yield from claims_of(case.answer, case, judge, "the answer", form))


def golden_claims(case: Case, judge: Judge, form: str = "claims") -> Steps[list[str]]:
    """The claims of the golden answer nearest to the response."""
    return (yield from claims_of(golden(case), case, judge, "the golden answer", form))


def golden(case: Case) -> str:
    """The golden answer of which the response covers most. Raises NoVerdict when the row has none."""
    if not case.item.golden_answers:
        raise NoVerdict("the row has no golden answer")
    answer = WordIndex.of(content(case.answer))
    return max(
        case.item.golden_answers, key=lambda golden: (share(content(golden), weights(content(golden)), answer), golden)
    )


def stated(case: Case, answer: str) -> str:
    """An answer with its question, as a text to check claims against: a short answer means little alone."""
    return f"{case.item.question}\n\n{answer}"


def contexts_of(case: Case) -> list[str]:
    """The texts of the contexts. Raises NoVerdict where contexts have no texts."""
    texts = [context.text for context in case.contexts]
    if texts and not all(texts):
        raise NoVerdict("the contexts have no texts; responses must give them for a judge to read")
    return texts


def joined(texts: Sequence[str], judge: Judge) -> str:
    """Passages as one text, in reverse order where the judge is tested for position bias."""
    return "\n\n".join(texts[::-1] if judge.turned else texts)
