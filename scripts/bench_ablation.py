"""What the parts of a chat author give: sets made without evolution, without the graph, and with both.

    python scripts/bench_ablation.py FOLDER ... [-n 40] [--base-url URL --llm MODEL]

Without an endpoint the scripted author of the bench server answers. Printed for each folder and variant are requests
and prompt tokens for a row, the trial apart, rows by type and by difficulty and hops, developed rows, the share of the
words that questions have from their passages, and how many candidates over several passages had a shortcut.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import mean
from typing import Any

from bench_model import served

from synth import Settings, generate
from synth.workflows.settings import ModelSettings

VARIANTS: Mapping[str, tuple[str, ...]] = {
    "neither": ("evolution", "graph"),
    "without graph": ("graph",),
    "without evolution": ("evolution",),
    "both": (),
}


def figures(manifest: Mapping[str, Any], samples: Sequence[Any]) -> dict[str, Any]:
    """The figures of a set from its manifest and rows."""
    spent = [counts for purpose, counts in manifest["model"]["by_purpose"].items() if purpose != "trial"]
    rows = len(samples) or 1
    signals = [sample.metadata["difficulty_signals"] for sample in samples if "difficulty_signals" in sample.metadata]
    levels = Counter(
        f"{sample.metadata.get('difficulty', '')}, hops {sample.metadata['difficulty_signals']['hops']}"
        for sample in samples
        if "difficulty_signals" in sample.metadata
    )
    shortcuts = manifest["funnel"].get("multi_context", {})
    return {
        "rows": len(samples),
        "requests a row": round(sum(counts["calls"] for counts in spent) / rows, 2),
        "prompt tokens a row": round(sum(counts["prompt_tokens"] for counts in spent) / rows),
        "types": dict(Counter(sample.question_type for sample in samples)),
        "difficulty": dict(sorted(levels.items())),
        "developed": sum(bool(sample.evolutions) for sample in samples),
        "overlap": round(mean([one["overlap"]["words"] for one in signals] or [0.0]), 3),
        "shortcuts": f"{shortcuts.get('shortcut', 0)} of {shortcuts.get('tried', 0)} tried",
        "links": dict(
            Counter(node["link"] for sample in samples for node in sample.metadata.get("path", ()) if "link" in node)
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("-n", type=int, default=40)
    parser.add_argument("--base-url", default="")
    parser.add_argument("--llm", default="scripted")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as scratch,
        nullcontext(options.base_url) if options.base_url else served() as url,
    ):
        for folder in options.folders:
            for name, without in VARIANTS.items():
                place = Path(scratch) / f"{Path(folder).name} {name}"
                model = ModelSettings(name=options.llm, base_url=url, without=without, trust=not options.base_url)
                settings = Settings(n=options.n, model=model, workspace=str(place / "ws"))
                made = generate([folder], place / "set.jsonl", settings)
                print(folder, name, json.dumps(figures(made.manifest, made.outcome.samples)), flush=True)


if __name__ == "__main__":
    main()
