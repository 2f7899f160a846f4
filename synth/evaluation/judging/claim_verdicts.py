"""Verdicts of a judge on claims: supported, contradicted or absent in a text, with the deciding sentence."""

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
"""Number of claims in one request; weak judges lose count if there are more."""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Verdict of a judge on a claim, with the deciding sentence ("" if there is none) and the reason."""

    claim: str
    verdict: str
    sentence: str = ""
    reason: str = ""

    def row(self) -> dict[str, str]:
        """Return the verdict as JSON values."""
        return {"claim": self.claim, "verdict": self.verdict, "sentence": self.sentence, "reason": self.reason}


def check(claims: Sequence[str], text: str, case: Case, judge: Judge) -> Steps[list[ClaimVerdict]]:
    """Return the verdict on each claim against one text. Raises NoVerdict if the judge's replies are unusable."""
    (verdicts,) = yield from check_each(claims, [text], case, judge)
    return verdicts


def check_each(
    claims: Sequence[str], texts: Sequence[str], case: Case, judge: Judge
) -> Steps[list[list[ClaimVerdict]]]:
    """Return the verdicts on each claim against each text separately: one list per text.

    Raises NoVerdict if the judge's replies are unusable.
    """
    parts = [claims[first : first + AT_ONCE] for first in range(0, len(claims), AT_ONCE)]
    sentences = [_sentences(text) for text in texts]
    pairs = [(part, lines) for lines in sentences if lines for part in parts]
    ballots = yield from judge.ask_all(PROMPT, case.language, [_values(part, lines) for part, lines in pairs])
    read = iter([_decided(part, lines, votes) for (part, lines), votes in zip(pairs, ballots, strict=True)])
    return [
        [finding for _ in parts for finding in next(read)]
        if lines
        else [ClaimVerdict(claim, ABSENT) for claim in claims]
        for lines in sentences
    ]


def supported_share(verdicts: Sequence[ClaimVerdict]) -> Judged:
    """Return the share of `supported` verdicts, with all verdicts as detail; Undefined if there is no claim."""
    value = claim_table.mean([verdict.verdict == SUPPORTED for verdict in verdicts])
    return Undefined("there is no claim") if value is None else JudgedValue(value, [item.row() for item in verdicts])


def numbered(lines: Sequence[str]) -> str:
    """Return lines with their numbers, from 1, as the prompts show them."""
    return "\n".join(f"[{i}] {' '.join(line.split())}" for i, line in enumerate(lines, start=1))


def _sentences(text: str) -> list[str]:
    plain = without_orders(text)
    return [plain[start:end] for start, end in split_sentences(plain)]


def _values(claims: Sequence[str], sentences: Sequence[str]) -> Values:
    text = numbered(sentences)
    return lambda turned: {"text": text, "claims": numbered(claims[::-1] if turned else claims)}


def _decided(claims: Sequence[str], sentences: Sequence[str], ballots: Sequence[Ballot]) -> list[ClaimVerdict]:
    return most_voted(claims, [_read(claims, sentences, ballot) for ballot in ballots])


def most_voted(claims: Sequence[str], votes: Sequence[Sequence[ClaimVerdict] | None]) -> list[ClaimVerdict]:
    """Return for each claim the verdict of more than half of the usable `votes`; "absent" if votes are divided.

    Each vote contains one verdict per claim, or is None if the reply was unusable. Raises NoVerdict if at least half
    are None.
    """
    usable = [vote for vote in votes if vote is not None]
    if 2 * len(usable) <= len(votes):
        raise NoVerdict(
            f"at least half of the judge's replies do not give one verdict for each of the {len(claims)} claims"
        )
    decided = []
    for i, claim in enumerate(claims):
        ((verdict, count),) = Counter(verdicts[i].verdict for verdicts in usable).most_common(1)
        agreed = [verdicts[i] for verdicts in usable if verdicts[i].verdict == verdict]
        decided.append(
            agreed[0] if 2 * count > len(usable) else ClaimVerdict(claim, ABSENT, "", "the votes are divided")
        )
    return decided


def _read(claims: Sequence[str], sentences: Sequence[str], ballot: Ballot) -> list[ClaimVerdict] | None:
    """Return the verdicts of a vote in the order of the claims; None unless each claim occurs exactly once."""
    rows = rows_in_order(ballot.data["verdicts"], len(claims))
    if rows is None:
        return None
    return [
        _finding(claim, row, sentences) for claim, row in zip(claims, rows[:: -1 if ballot.turned else 1], strict=True)
    ]


def rows_in_order(rows: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]] | None:
    """Return the rows of a reply by claim number; None unless each of `count` claims has exactly one row."""
    by_number = {row["claim"]: row for row in rows}
    numbers = range(1, count + 1)
    return [by_number[number] for number in numbers] if len(rows) == count and set(by_number) == set(numbers) else None


def _finding(claim: str, row: Mapping[str, Any], sentences: Sequence[str]) -> ClaimVerdict:
    """Return the verdict in a row of a reply; "absent" if the row names no sentence of the text."""
    number = row["sentence"]
    if row["verdict"] == ABSENT:
        return ClaimVerdict(claim, ABSENT, "", row["reason"])
    if not 1 <= number <= len(sentences):
        return ClaimVerdict(claim, ABSENT, "", f"'{row['verdict']}', but no sentence is named: {row['reason']}")
    return ClaimVerdict(claim, row["verdict"], sentences[number - 1], row["reason"])
