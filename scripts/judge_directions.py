"""Count the good questions that a judge, and the rules without one, refuse, and the bad ones that they let pass.

    python scripts/judge_directions.py LABELLED.jsonl --corpus FOLDER [--llm MODEL --base-url URL] [--spoil N]

LABELLED.jsonl has rows of testsets with a field "accept", true or false, by strict readers who did not write them.
`--spoil N` adds up to N rows that are made bad out of accepted ones, by turns: the answer of another row, half of the
answer, the evidence of another row, and a question without its name. Rows are judged in batches, good and bad
together in an order drawn by a hash. Printed are the good refused and the bad passed, of the judge where a model is
named, and of the rules; and those that the judge passes with a doubt, which a run takes last.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from synth.core.jsonl import row_to_sample
from synth.core.progress import Silent
from synth.core.records import Sample, digest
from synth.core.table import table
from synth.generation.filters.base import Corpus, Filter
from synth.generation.filters.judged import Judged
from synth.models.chat.driver import Job
from synth.text.language import is_chinese
from synth.workflows.assembly import assemble
from synth.workflows.session import corpus_of, load_sources, opened, read_loaded
from synth.workflows.settings import ModelSettings, Settings

BATCH = 4
KEPT, DOUBTED, REFUSED = "kept", "doubted", "refused"
_NAME = re.compile(r"(?<=\w )[A-Z][\w.-]+(?:(?: of| the|'s)? [A-Z][\w.-]+)*(?:'s)?")
_CHINESE_NAME = re.compile(r"《[^《》]+》|[A-Za-z][\w.-]*(?: [A-Za-z][\w.-]*)*")


def main() -> None:
    """Read, spoil, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labelled", type=Path)
    parser.add_argument("--corpus", nargs="+", required=True)
    parser.add_argument("--llm", default="")
    parser.add_argument("--base-url", default="http://127.0.0.1:8080/v1")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--timeout", type=float, default=300.0)
    parser.add_argument("--workspace", default="")
    parser.add_argument("--brief", default="", help="the brief of the documents")
    parser.add_argument("--spoil", type=int, default=0)
    options = parser.parse_args()
    model = ModelSettings(
        name=options.llm, base_url=options.base_url, concurrency=options.concurrency, timeout_s=options.timeout
    )
    settings = Settings(model=model, workspace=options.workspace, brief=options.brief)
    lines = [json.loads(line) for line in options.labelled.read_text(encoding="utf-8").splitlines()]
    rows = [(row_to_sample(line, str(options.labelled)), bool(line["accept"]), "read") for line in lines]
    rows += spoiled([sample for sample, accept, _ in rows if accept], options.spoil)
    rows.sort(key=lambda row: digest("order", row[0].language, row[0].evidence[0].doc_id, row[0].id, row[2]))
    with opened(settings) as (store, parts):
        built = read_loaded(load_sources(options.corpus, settings), settings, store, parts, Silent())
        corpus = corpus_of(built.graph, settings, options.brief)
        shown = [("rules", by_rules([row[0] for row in rows], corpus, assemble(Settings(), store).filters))]
        if options.llm:
            shown.append((options.llm, by_judge([row[0] for row in rows], corpus, settings)))
    heads = ["decided by", "rows", "kept", "doubted", "of", "share"]
    lines_shown: list[list[object]] = []
    for name, decisions in shown:
        tally = Counter((accept, kind, decision) for (_, accept, kind), decision in zip(rows, decisions, strict=True))
        for accept, kind in sorted({(accept, kind) for _, accept, kind in rows}):
            kept, doubted, refused = (tally[accept, kind, decision] for decision in (KEPT, DOUBTED, REFUSED))
            whole = kept + doubted + refused
            share = f"{(kept + doubted) / whole:.0%}"
            lines_shown.append([name, f"{'good' if accept else 'bad'}: {kind}", kept, doubted, whole, share])
    print(table(heads, lines_shown))
    for (sample, accept, kind), decision in zip(rows, shown[-1][1], strict=True):
        if accept != (decision == KEPT):
            print(f"{decision} ({kind}): {sample.question} | {sample.golden_answers[0]}")


def spoiled(good: Sequence[Sample], most: int) -> list[tuple[Sample, bool, str]]:
    """Rows made bad, by turns in each of four ways."""
    found: list[tuple[Sample, bool, str]] = []
    for number, sample in enumerate(sorted(good, key=lambda one: digest("spoil", one.id))):
        others = [one for one in good if one.language == sample.language and one.evidence != sample.evidence]
        if not others:
            continue
        other = others[int(digest("other", sample.id)[:8], 16) % len(others)]
        for kind, made in list(_spoilt(sample, other))[number % 4 :][:1]:
            found.append((made, False, kind))
        if len(found) == most:
            break
    return found


def _spoilt(sample: Sample, other: Sample) -> Iterator[tuple[str, Sample]]:
    answer = sample.golden_answers[0]
    yield "wrong answer", replace(sample, golden_answers=other.golden_answers)
    yield "other evidence", replace(sample, evidence=other.evidence)
    pattern = _CHINESE_NAME if is_chinese(sample.language) else _NAME
    unnamed = pattern.sub("它" if is_chinese(sample.language) else "it", sample.question, count=1)
    if unnamed != sample.question:
        yield "missing name", replace(sample, question=unnamed)
    half = (
        answer[: len(answer) // 2]
        if is_chinese(sample.language)
        else " ".join(answer.split()[: len(answer.split()) // 2])
    )
    yield (
        ("half an answer", replace(sample, golden_answers=(half,)))
        if len(half) > 3
        else (
            "wrong answer",
            replace(sample, golden_answers=other.golden_answers),
        )
    )


def by_rules(samples: Sequence[Sample], corpus: Corpus, rules: Sequence[Filter]) -> list[str]:
    """The decision on each sample: kept when every rule keeps it."""
    bare = [replace(one, metadata={k: v for k, v in one.metadata.items() if k != "ratings"}) for one in samples]
    return [KEPT if all(rule.decide(one, corpus).kept for rule in rules) else REFUSED for one in bare]


def by_judge(samples: Sequence[Sample], corpus: Corpus, settings: Settings) -> list[str]:
    """The judge's decision on each sample; so many are asked about at once as in a run."""
    judge = Judged()
    batches = [samples[start : start + BATCH] for start in range(0, len(samples), BATCH)]
    with opened(settings) as (_, parts):
        jobs = (Job(key=str(n), steps=judge.judge_all(batch, corpus)) for n, batch in enumerate(batches))
        decisions: dict[int, list[str]] = {}
        for outcome in parts.driver.run(jobs):
            number = int(outcome.key)
            decisions[number] = [
                (DOUBTED if judgement.doubt else KEPT) if judgement.verdict.kept else REFUSED
                for judgement in outcome.value or ()
            ] or [REFUSED] * len(batches[number])
    return [decision for number in sorted(decisions) for decision in decisions[number]]


if __name__ == "__main__":
    main()
