"""What was found of a judge is kept, and shown beside every score of the same judge with the same prompts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synth.core.jsonl import write_atomic
from synth.core.records import digest
from synth.evaluation.judging.judged_metric import JudgedMetric
from synth.evaluation.judging.panel import Panel

_FOLDER = "judge-checks"


def keep_check(folder: Path, panel: Panel, metric: JudgedMetric, found: Mapping[str, Any]) -> None:
    """Keep what was found of the judge of a metric, in the place of what was found before."""
    path = _path(folder, panel, metric)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(found, ensure_ascii=False, indent=2) + "\n")


def kept_checks(folder: Path, panel: Panel) -> dict[str, Any]:
    """By metric what was found of this judge; None for a metric it was never measured on."""
    found = {}
    for metric in panel.metrics:
        path = _path(folder, panel, metric)
        found[metric.title] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None
    return found


def _path(folder: Path, panel: Panel, metric: JudgedMetric) -> Path:
    """Another model, another metric or parameter, other prompts, other votes: another judge."""
    prompts = [panel.judge.prompt(name, language).digest for name in metric.prompts for language in ("en", "zh-Hans")]
    key = digest(panel.identity, metric.title, repr(metric), prompts, panel.judge.votes)
    return folder / _FOLDER / f"{key[:24]}.json"
