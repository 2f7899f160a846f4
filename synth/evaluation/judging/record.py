"""Record of a judge's agreement with people, shown beside scores from the same judge and prompts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synth.core.jsonl import write_atomic
from synth.core.records import digest
from synth.core.small_file import small_text
from synth.evaluation.judging.judged_metric import JudgedMetric
from synth.evaluation.judging.panel import Panel

_FOLDER = "judge-checks"


def keep_check(folder: Path, panel: Panel, metric: JudgedMetric, agreement: Mapping[str, Any]) -> None:
    """Store a judge's agreement with people on a metric, replacing an earlier record."""
    path = _path(folder, panel, metric)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, json.dumps(agreement, ensure_ascii=False, indent=2) + "\n")


def kept_checks(folder: Path, panel: Panel) -> dict[str, Any]:
    """Return the recorded agreement of this judge by metric; None for a metric without a readable record."""
    return {metric.title: _kept(_path(folder, panel, metric)) for metric in panel.metrics}


def _kept(path: Path) -> Any:
    try:
        return json.loads(small_text(path))
    except (OSError, ValueError, RecursionError):
        return None


def _path(folder: Path, panel: Panel, metric: JudgedMetric) -> Path:
    """Return the file for one combination of model, metric with parameters, prompts and number of votes."""
    prompts = [panel.judge.prompt(name, language).digest for name in metric.prompts for language in ("en", "zh-Hans")]
    key = digest(panel.identity, metric.title, repr(metric), prompts, panel.judge.votes)
    return folder / _FOLDER / f"{key[:24]}.json"
