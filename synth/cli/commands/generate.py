"""The command generate."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    model_options,
    print_barren,
    print_errors,
    print_given_up,
    print_json,
    print_reviewed,
    print_skipped,
    progress_of,
    row_options,
    settings_of,
)
from synth.core.errors import ConfigError, JudgeFailed, RunStopped, ShortfallError
from synth.core.table import table
from synth.core.terminal import broken, counted

if TYPE_CHECKING:
    from synth.generation.planning import Plan
    from synth.workflows.generating import Generated
    from synth.workflows.settings import Settings

SUMMARY = "make a testset from documents"
EXAMPLE = "synth generate docs/ -o testset.jsonl -n 50"
RARE = (*base.RARE, *base.RARE_ROWS)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth generate`."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    command.add_argument("-o", "--output", **base.OUTPUT, help="the testset, JSONL")
    row_options(command)
    command.add_argument(
        "--plan", action="store_true", help="print how many rows the corpus allows, by type and topic, and stop"
    )
    command.add_argument(
        "--force", action="store_true", help="also replace a set of other documents, or a set that people worked on"
    )
    corpus_options(command)
    model_options(command)


_TOPICS = 8
"""Number of topics named in the plan of a run with a chat model."""

_PLAN_FIELDS = ("asked", "scenarios", "reachable", "topics", "lost", "levels", "asked_levels")


def run(options: argparse.Namespace) -> int:
    """Make a testset and print the result, or print a plan."""
    from synth.workflows.generating import generate

    if options.plan:
        return _plan(options)
    if not options.output:
        raise ConfigError("generate needs a file to write; name it with -o FILE, or see with --plan what is possible")
    settings = settings_of(options)
    result = generate(options.sources, options.output, settings, progress_of(options), force=options.force)
    if options.json:
        print_json(_as_json(result))
    else:
        _print(result, options)
    _print_trial(result.manifest.get("trial"))
    _print_usage(result.manifest["model"])
    _raise_unfinished(result, settings)
    return 0


def _as_json(result: Generated) -> dict[str, Any]:
    outcome = result.outcome
    return {
        "output": str(result.output),
        **({"kept": str(result.kept)} if result.kept else {}),
        **({"reviewed": str(result.reviewed)} if result.reviewed else {}),
        "rows": len(outcome.samples),
        "shortfall": outcome.shortfall,
        "funnel": outcome.funnel,
        "row_counts": result.manifest["rows"],
        "distractors": result.manifest["corpus"].get("distractors", []),
        "skipped": [{"source": s.source, "reason": s.reason, "detail": s.detail} for s in result.skipped],
        "model": result.manifest["model"],
        "errors": [item.packed() for item in result.errors],
    }


def _print(result: Generated, options: argparse.Namespace) -> None:
    from synth.generation.filters.base import objections

    outcome = result.outcome
    print_skipped(result.skipped, options)
    print_errors(result.errors)
    funnel = [[kind, stage, count] for kind, tally in outcome.funnel.items() for stage, count in tally.items()]
    print(table(["type", "stage", "candidates"], funnel))
    counts = [
        [grouping, name, count] for grouping, tally in result.manifest["rows"].items() for name, count in tally.items()
    ]
    if counts:
        print()
        print(table(["rows by", "", "rows"], counts))
    print()
    rows = counted(len(outcome.samples), "row")
    place = f", replacing {result.replaced}" if result.replaced > len(outcome.samples) else ""
    print(f"{rows} in {result.output}{place}; refused candidates with reasons in {result.rejected}")
    doubted = sum(bool(objections(sample)) for sample in outcome.samples)
    is_file = Path(result.rejected).is_file()  # no device, pipe or address
    if doubted and is_file:
        show = shlex.join(["synth", "show", str(result.output), "--signals"])
        print(f"a rule or the judge doubts {doubted} of these rows, but proved no fault; to see them:\n  {show}")
    if (distractors := result.manifest["corpus"].get("distractors")) is not None:
        print(f"{counted(len(distractors), 'document')} searched but not asked about (--distractors)")
    print_reviewed(result.reviewed)


def _raise_unfinished(result: Generated, settings: Settings) -> None:
    """Raise the error of a run that was stopped, whose judge failed, or that made too few rows.

    A complete run raises nothing.
    """
    from synth.generation.admission import INTERRUPTED
    from synth.generation.judge_controls import trusted
    from synth.workflows.generating import missing_rows, scarcity

    outcome = result.outcome
    # The existing set is larger than what was made, and stays.
    kept = f"; {result.kept} was not changed, and the new rows are in {result.output}" if result.kept else ""
    if not trusted(outcome.controls):
        passed = [item for item in outcome.controls if item.admitted]
        raise JudgeFailed(
            f"the judge passed {len(passed)} of {len(outcome.controls)} faulty control items, such as "
            f"'{passed[0].question}' ({passed[0].fault}); its verdicts cannot be trusted: "
            f"name another judge with --judge; the manifest lists the items{kept}"
        )
    if outcome.stopped == INTERRUPTED:
        raise KeyboardInterrupt(
            f"{len(outcome.samples)} of {sum(outcome.wanted.values())} rows made{kept}; repeat the command to continue"
        )
    if outcome.stopped:
        short = missing_rows(outcome.short_cells) or missing_rows(outcome.shortfall)
        missing = f" (missing: {short})" if short else ""
        made = f"{len(outcome.samples)} of {sum(outcome.wanted.values())} rows made{missing}"
        raise RunStopped(f"{made}: {outcome.stopped}{kept}")
    print_given_up(outcome.given_up, settings.model.patience)
    if outcome.scarce:
        print(f"synth: {scarcity(outcome.scarce)}", file=sys.stderr)
    print_barren(outcome.barren)
    if result.shortage:
        raise ShortfallError(f"{result.shortage}{kept}{'; --force replaces the set by these rows' if kept else ''}")


def _print_trial(values: Mapping[str, Any] | None) -> None:
    """Print the figures of the trial to the error stream, with a warning if the author is weak."""
    if not values:
        return
    from synth.generation.proposals.trial import FEWEST, Trial

    trial = Trial.unpacked(values)
    print(f"synth: trial: {trial.figures}", file=sys.stderr)
    if not trial.author_passed and trial.proposals >= FEWEST:
        print(
            "synth: this model often cites wrong sentences as evidence; the judge refuses such questions, so each row "
            "needs more requests; name a better model with --llm",
            file=sys.stderr,
        )


def _print_usage(model: Mapping[str, Any]) -> None:
    """Print the usage of a chat model on the error stream."""
    if not model:
        return
    cost = f", cost {model['cost']:.4f}" if model.get("cost") else ""
    print(
        f"synth: {counted(model['calls'], 'call')} ({counted(model['cached'], 'stored reply', 'stored replies')}), "
        f"{model['prompt_tokens']} tokens read and {model['completion_tokens']} written{cost}",
        file=sys.stderr,
    )
    if model["quarantined"]:
        print(
            f"synth: requests that failed in earlier runs and were not repeated: {model['quarantined']}; "
            "repeat them with --resume",
            file=sys.stderr,
        )


def _plan(options: argparse.Namespace) -> int:
    from synth.workflows.generating import missing_rows, plan

    settings = settings_of(options, sends=False)
    result = plan(options.sources, settings, progress_of(options))
    is_tried = any(kind.reachable is not None for kind in result.kinds.values())
    if options.json:
        kinds = {name: {field: getattr(kind, field) for field in _PLAN_FIELDS} for name, kind in result.kinds.items()}
        print_json({"types": kinds, "shortfall": result.shortfall, "nearest": result.nearest})
    elif is_tried:
        _print_tried(result)
    else:
        _print_untried(result)
    missing = missing_rows(result.shortfall) or missing_rows(result.short_cells)
    if not missing:
        return 0
    total = sum(result.nearest.values())
    lost = "; the last table shows where candidates are lost" if is_tried else ""
    if not total:
        raise ShortfallError(f"the documents allow no question of these types{lost}")
    shares = f"--types {','.join(f'{kind}={count}' for kind, count in result.nearest.items())} -n {total}"
    exchanges = settings.exchanges and total >= settings.n and not result.short_cells
    if not (settings.nearest or exchanges):
        possible = (
            f"the nearest possible set is {shares}, which"
            if result.shortfall
            else "there are rows of other levels, which"
        )
        raise ShortfallError(f"the corpus does not allow {missing}{lost}; {possible} generate chooses with --nearest")
    if not options.json:
        instead = ", ".join(f"{count} {kind}" for kind, count in result.nearest.items())
        most = "" if is_tried else "at most "
        others = f"types replace them (the same as {shares})" if result.shortfall else "levels replace them"
        print(
            f"generate will write {most}{counted(total, 'row')}: {instead}. The documents do not allow {missing}, "
            f"so other {others}"
        )
    return 0


def _print_tried(result: Plan) -> None:
    """Print the plan of a run without a chat model. It counts the rows of a trial."""
    from synth.generation.difficulty import LEVELS

    topics = [[name, topic, count] for name, kind in result.kinds.items() for topic, count in kind.topics.items()]
    print(table(["type", "topic", "rows"], topics))
    rows = [
        [name, kind.asked, kind.scenarios, kind.reachable, _top_filters(kind.lost)]
        for name, kind in result.kinds.items()
    ]
    levels = [
        [name, level, kind.asked_levels.get(level, ""), kind.levels.get(level, 0) if kind.levels else "?"]
        for name, kind in result.kinds.items()
        for level in LEVELS
        if kind.levels or kind.asked_levels
    ]
    if levels:
        print(table(["type", "difficulty", "rows asked for", "rows at most"], levels))
    print(table(["type", "rows asked for", "scenarios", "rows at most", "most refused by"], rows))


def _print_untried(result: Plan) -> None:
    """Print the plan of a run with a chat model. It counts scenarios, because rows would need requests to the model."""
    rows = [
        [
            name,
            kind.asked,
            ", ".join(f"{rows} {level}" for level, rows in kind.asked_levels.items() if rows),
            kind.scenarios,
        ]
        for name, kind in result.kinds.items()
    ]
    print(table(["type", "rows asked for", "of them", "scenarios"], rows))
    topics = {topic: count for kind in result.kinds.values() for topic, count in kind.topics.items()}
    first = [f"{topic} {count}" for topic, count in list(topics.items())[:_TOPICS]]
    if first:
        print(broken(f"{counted(len(topics), 'topic')}, with scenarios for a type: {', '.join(first)}"))
    print(
        broken(
            "only the model can tell how many scenarios become rows; to measure this, run the command estimate with "
            "these options and --try 20; the run reuses its replies"
        )
    )


def _top_filters(lost: Mapping[str, int]) -> str:
    """Return the three stages that lose the most candidates, as text."""
    return ", ".join(f"{stage} {count}" for stage, count in list(lost.items())[:3])
