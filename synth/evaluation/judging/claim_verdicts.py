"""Claims against a text: each supported, contradicted or absent, with the sentence that decides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.evaluation.judging import claim_table
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Ballot, Judge, Judged, JudgedValue, NoVerdict, Values
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Steps
from synth.text.sentences import split_sentences

PROMPT = "judges/verdicts"
SUPPORTED, CONTRADICTED, ABSENT = "supported", "contradicted", "absent"
AT_ONCE = 8
"""Claims in one request: more make weak judges lose count."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What a judge found of one claim: the verdict, the sentence that decides ("" for none), and why."""

    claim: str
    verdict: str
    sentence: str = ""
    reason: str = ""

    def row(self) -> dict[str, str]:
        """As JSON values."""
        return {"claim": self.claim, "verdict": self.verdict, "sentence": self.sentence, "reason": self.reason}


def check(claims: Sequence[str], text: str, case: Case, judge: Judge) -> Steps[list[ClaimVerdict]]:
    """What a text says of each claim. Raises NoVerdict when the judge's replies cannot be used."""
    (found,) = yield from check_each(claims, [text], case, judge)
    return found


def check_each(
    claims: Sequence[str], texts: Sequence[str], case: Case, judge: Judge
) -> Steps[list[list[ClaimVerdict]]]:
    """What each text by itself says of each claim: a list a text."""
    parts = [claims[first : first + AT_ONCE] for first in range(0, len(claims), AT_ONCE)]
    sentences = [_sentences(text) for text in texts]
    pairs = [(part, said) for said in sentences if said for part in parts]
    ballots = yield from judge.ask_all(PROMPT, case.language, [_values(part, said) for part, said in pairs])
    read = iter([_decided(part, said, cast) for (part, said), cast in zip(pairs, ballots, strict=True)])
    return [
        [finding for _ in parts for finding in next(read)]
        if said
        else [ClaimVerdict(claim, ABSENT) for claim in claims]
        for said in sentences
    ]


def supported_share(verdicts: Sequence[ClaimVerdict]) -> Judged:
    """The share of the verdicts that are `supported`, with all of them as detail."""
    value = claim_table.mean([verdict.verdict == SUPPORTED for verdict in verdicts])
    return Undefined("there is no claim") if value is None else JudgedValue(value, [item.row() for item in verdicts])


def numbered(lines: Sequence[str]) -> str:
    """Lines with their numbers, from 1, as the prompts show them."""
    return "\n".join(f"[{i}] {' '.join(line.split())}" for i, line in enumerate(lines, start=1))


def _sentences(text: str) -> list[str]:
    said = without_orders(text)
    return [said[start:end] for start, end in split_sentences(said)]


def _values(claims: Sequence[str], sentences: Sequence[str]) -> Values:
    text = numbered(sentences)
    return lambda turned: {"text": text, "claims": numbered(claims[::-1] if turned else claims)}


def _decided(claims: Sequence[str], sentences: Sequence[str], ballots: Sequence[Ballot]) -> list[ClaimVerdict]:
    """For each claim the verdict that most ballots give; absent where they are divided."""
    read = [one for ballot in ballots if (one := _read(claims, sentences, ballot))]
    if 2 * len(read) <= len(ballots):
        given = len(ballots[0].data["verdicts"])
        raise NoVerdict(f"the judge gave {given} verdicts that cannot be told apart, on {len(claims)} claims")
    found = []
    for i, claim in enumerate(claims):
        ((verdict, count),) = Counter(one[i].verdict for one in read).most_common(1)
        agreed = [one[i] for one in read if one[i].verdict == verdict]
        found.append(agreed[0] if 2 * count > len(read) else ClaimVerdict(claim, ABSENT, "", "the votes are divided"))
    return found


def _read(claims: Sequence[str], sentences: Sequence[str], ballot: Ballot) -> list[ClaimVerdict] | None:
    """One ballot in the order of the claims; None unless it has each claim's verdict once."""
    rows: dict[int, Mapping[str, Any]] = {row["claim"]: row for row in ballot.data["verdicts"]}
    if len(ballot.data["verdicts"]) != len(claims) or set(rows) != set(range(1, len(claims) + 1)):
        return None
    order = range(len(claims), 0, -1) if ballot.turned else range(1, len(claims) + 1)
    return [_finding(claim, rows[number], sentences) for claim, number in zip(claims, order, strict=True)]


def _finding(claim: str, row: Mapping[str, Any], sentences: Sequence[str]) -> ClaimVerdict:
    """A verdict that names no sentence of the text does not stand."""
    number = row["sentence"]
    if row["verdict"] == ABSENT:
        return ClaimVerdict(claim, ABSENT, "", row["reason"])
    if not 1 <= number <= len(sentences):
        return ClaimVerdict(claim, ABSENT, "", f"'{row['verdict']}' without a sentence of the text: {row['reason']}")
    return ClaimVerdict(claim, row["verdict"], sentences[number - 1], row["reason"])
