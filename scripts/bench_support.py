"""Agreement of `support` with people on claims, its speed, and faults planted in supported claims.

    python scripts/bench_support.py --wice claim_dev.jsonl [FOLDER...] [--most 300] [--seed 1]

WiCE's claims are supported by their pages or not (in part counts as not). AUC needs no threshold; kappa and balanced
accuracy are at the threshold with the best kappa on nine tenths of the articles, for the claims of the other tenth.
Faults are those of bench_correctness.py: in WiCE's supported claims, and in the first sentences of the texts in the
folder `docs` of each FOLDER, with that text as the passage; each of a claim that scores as supported before.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path

from bench_correctness import day, digit, first_name, month, negated_verb, scale, surname, unit, year

from synth.core.records import digest
from synth.core.table import table
from synth.evaluation.judging.statistics import auc, kappa
from synth.evaluation.measuring.support import SUPPORTED, supported
from synth.text.language import detect, is_chinese
from synth.text.sentences import split_sentences

FOLDS, PAGE = 10, 20
FAULTS = (month, day, year, digit, scale, unit, first_name, surname, negated_verb)

Claim = tuple[str, list[str]]
"""A statement and its passages."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--wice", type=Path, help="claim_dev.jsonl of WiCE")
    parser.add_argument("--most", type=int, default=300, help="faults of a kind and a source")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sources: dict[str, list[Claim]] = {}
    if options.wice:
        rows = [json.loads(line) for line in options.wice.read_text(encoding="utf-8").splitlines()]
        print(table(["claims", "AUC", "kappa", "balanced", "threshold", "a second", "again"], [agreement(rows)]))
        sources["WiCE"] = [claim(row) for row in rows if row["label"] == "supported"]
    for folder in options.folders:
        for text, language in first_sentences(folder):
            sources.setdefault(f"sentences, {language}", []).append(text)
    caught = [
        [kind.__name__.replace("_", " "), *(share(kind, claims, options) for claims in sources.values())]
        for kind in FAULTS
    ]
    print(table(["below the threshold", *sources], caught))


def claim(row: dict[str, list[str]]) -> Claim:
    """A claim of WiCE with its page in passages of some sentences."""
    page = row["evidence"]
    return str(row["claim"]), [" ".join(page[first : first + PAGE]) for first in range(0, len(page), PAGE)]


def agreement(rows: list[dict[str, dict[str, str]]]) -> list[str | int]:
    """The line of the table on people's decisions."""
    claims, people = [claim(row) for row in rows], [row["label"] == "supported" for row in rows]  # type: ignore[arg-type,comparison-overlap]
    speeds = []
    for _ in range(2):
        began = time.process_time()
        scores = [supported([statement], passages) for statement, passages in claims]
        speeds.append(round(len(claims) / (time.process_time() - began)))
    folds = [int(digest(row["meta"]["claim_title"])[-8:], 16) % FOLDS for row in rows]
    thresholds = [best_threshold(people, scores, [other != fold for other in folds]) for fold in range(FOLDS)]
    decided = [score >= thresholds[fold] for score, fold in zip(scores, folds, strict=True)]
    right = [
        [mine == theirs for mine, theirs in zip(decided, people, strict=True) if theirs == side] for side in (0, 1)
    ]
    balanced = sum(sum(of) / len(of) for of in right) / 2
    spread = f"{min(thresholds):.2f} to {max(thresholds):.2f}"
    return [
        len(rows),
        f"{auc(people, scores):.3f}",
        f"{kappa(people, decided):.3f}",
        f"{balanced:.3f}",
        spread,
        *speeds,
    ]


def best_threshold(people: list[bool], scores: list[float], chosen: list[bool]) -> float:
    """The score with the best kappa on the chosen rows when it and all above count as supported."""
    rows = [(score, label) for score, label, take in zip(scores, people, chosen, strict=True) if take]
    labels = [label for _, label in rows]
    return max(
        {score for score, _ in rows}, key=lambda least: kappa(labels, [score >= least for score, _ in rows]) or 0
    )


def first_sentences(folder: Path) -> Iterator[tuple[Claim, str]]:
    """The first two sentences of each text, with the text and its language."""
    for path in sorted(folder.glob("docs/**/*.txt")):
        text = path.read_text(encoding="utf-8")
        language = "zh" if is_chinese(detect(text)) else "en"
        for start, end in split_sentences(text)[:2]:
            yield (text[start:end], [text]), language


def share(kind: object, claims: list[Claim], options: argparse.Namespace) -> str:
    """The share of planted faults of a kind that score below the threshold."""
    assert callable(kind)
    draw, scores = random.Random(options.seed), []
    for statement, passages in claims:
        wrong = kind(statement, draw)
        if wrong and wrong != statement and supported([statement], passages) >= SUPPORTED:
            scores.append(supported([wrong], passages))
        if len(scores) == options.most:
            break
    return f"{100 * sum(score < SUPPORTED for score in scores) / len(scores):.1f} % of {len(scores)}" if scores else "-"


if __name__ == "__main__":
    main()
