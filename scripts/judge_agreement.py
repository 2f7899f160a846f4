"""How a judge, and what stands in for one without a model, agree with people, on two public sets of decisions.

    python scripts/judge_agreement.py --evouna NQ.jsonl --wice claim_dev.jsonl [--rows 60] [--llm MODEL --base-url URL]
        [--once]

EVOUNA-NQ (answers of systems to open questions, right or wrong by people) for answer_correctness and
factual_correctness, WiCE's claims (supported by their evidence or not) for faithfulness; the same rows each time, drawn
by a hash. Without --llm the substitutes alone are measured.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from synth.core.records import digest
from synth.core.table import table
from synth.workflows.judge_checking import judge_agreement, judge_check, read_labelled
from synth.workflows.judges import Judging, choose
from synth.workflows.settings import ModelSettings

SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
METRICS = {"evouna": ("answer_correctness", "factual_correctness"), "wice": ("faithfulness",)}


def main() -> None:
    """Draw rows, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--evouna", type=Path, help="NQ.jsonl of EVOUNA")
    parser.add_argument("--wice", type=Path, help="claim_dev.jsonl of WiCE")
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--llm", default="")
    parser.add_argument("--base-url", default="http://127.0.0.1:8080/v1")
    parser.add_argument("--concurrency", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=300.0)
    parser.add_argument("--workspace", default="")
    parser.add_argument("--once", action="store_true", help="about half of the calls: nothing is asked again")
    options = parser.parse_args()
    model = ModelSettings(
        name=options.llm, base_url=options.base_url, concurrency=options.concurrency, timeout_s=options.timeout
    )
    judging = Judging(model=model, workspace=options.workspace)
    shown: list[list[Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, read in (("evouna", evouna), ("wice", wice)):
            path = getattr(options, name)
            if path is not None:
                labels = Path(folder) / f"{name}.jsonl"
                rows = sorted(read(path), key=digest)[: options.rows]
                labels.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
                for metric in METRICS[name]:
                    shown += measured(name, metric, labels, judging, once=options.once)
    heads = ["data", "judged by", "rows", "kappa", "low", "high", "agree", "auc", "mean", "people", "length", "again"]
    print(table(heads, shown))


def measured(name: str, metric: str, labels: Path, judging: Judging, *, once: bool) -> Iterator[list[Any]]:
    """A line for the judge, if there is one, and for each substitute."""
    columns = ("kappa", "kappa_low", "kappa_high", "agree", "auc", "mean", "mean_of_people", "length_bias")
    if judging.model.name:
        found = judge_check(labels, metric, judging, once=once)
        said = {f"{metric} by {found.model}": found.judge, **found.substitutes}
    else:
        rows = read_labelled(labels)
        said = {}
        if metric != "factual_correctness":
            (part,) = choose((metric,), (), judging).plain
            said[part.name] = judge_agreement(rows, [of[0].value for of in part.scores([row.case for row in rows])])
    for title, of in said.items():
        again = of.get("repeat_changed")
        shown = (*(of[key] for key in columns), "-" if again is None else again)
        yield [name, title, f"{of['n']} of {of['of']}", *shown]


def evouna(path: Path) -> Iterator[dict[str, Any]]:
    """Answers with what people decided; questions that are improper are left out."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        for system in SYSTEMS:
            label, answer = row.get(f"judge_{system}"), row.get(f"answer_{system}")
            if isinstance(label, bool) and answer and not row.get("improper"):
                golden = [one.strip() for one in str(row["golden_answer"]).split("/") if one.strip()]
                yield {"question": row["question"], "answer": answer, "golden_answers": golden, "label": label}


def wice(path: Path) -> Iterator[dict[str, Any]]:
    """Claims as answers, their evidence as contexts; partly supported counts as not."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sentences = row["evidence"]
        contexts = [" ".join(sentences[first : first + 20]) for first in range(0, len(sentences), 20)]
        label = row["label"] == "supported"
        yield {"question": "What is known?", "answer": row["claim"], "contexts": contexts, "label": label}


if __name__ == "__main__":
    main()
