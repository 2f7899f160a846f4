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
    """Return the distinct claims of a text that answers the row's question.

    `form` is "claims" or "triples" (subject, relation, object). `label` is the name of the text in reasons. Raises
    NoVerdict if the text is empty or the judge finds no claim.
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
    """Return the claims of the system's answer."""
    return (yield from claims_of(case.answer, case, judge, "the answer", form))


def golden_claims(case: Case, judge: Judge, form: str = "claims") -> Steps[list[str]]:
    """Return the claims of the golden answer that is nearest to the system's answer."""
    return (yield from claims_of(golden(case), case, judge, "the golden answer", form))


def golden(case: Case) -> str:
    """Return the golden answer that the system's answer covers most. Raises NoVerdict if the row has none."""
    if not case.item.golden_answers:
        raise NoVerdict("the row has no golden answer")
    answer = WordIndex.of(content(case.answer))
    return max(
        case.item.golden_answers, key=lambda golden: (share(content(golden), weights(content(golden)), answer), golden)
    )


def stated(case: Case, answer: str) -> str:
    """Return the question followed by an answer, as the text to check claims against.

    The question is needed because a short answer such as "1852" does not state a claim by itself.
    """
    return f"{case.item.question}\n\n{answer}"


def contexts_of(case: Case) -> list[str]:
    """Return the texts of the contexts. Raises NoVerdict if a context has no text."""
    texts = [context.text for context in case.contexts]
    if texts and not all(texts):
        raise NoVerdict("the contexts have no texts; add their texts to the responses")
    return texts


def joined(texts: Sequence[str], judge: Judge) -> str:
    """Join passages to one text, in reverse order if the judge is tested for position bias."""
    return "\n\n".join(texts[::-1] if judge.turned else texts)
