"""The command generate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from synth.cli.commands.base import (
    corpus_options,
    model_options,
    percentage,
    print_contained,
    print_json,
    print_skipped,
    progress_of,
    settings_of,
    shares,
    tell_given_up,
)
from synth.core.errors import ConfigError, JudgeFailed, ShortfallError
from synth.core.table import table

SUMMARY = "make a testset"
EXAMPLE = "synth generate docs/ -o testset.jsonl -n 50"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth generate`."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    command.add_argument("-o", "--output", metavar="FILE", help="the testset, JSONL")
    command.add_argument("-n", type=int, help="rows (50)")
    command.add_argument("--types", type=shares, metavar="TYPE=SHARE,…", help="question types and shares (simple=1)")
    command.add_argument("--difficulty", type=shares, metavar="LEVEL=SHARE,…", help="easy, medium, hard (as they come)")
    command.add_argument(
        "--limits",
        type=shares,
        metavar="TAG=SHARE,…",
        help="largest share of rows tagged keyword, vague, copied_wording, closed_book (none)",
    )
    command.add_argument(
        "--control", type=percentage, metavar="SHARE", help="test the judge on that share of scenarios, such as 5%% (0)"
    )
    command.add_argument(
        "--styles",
        type=shares,
        metavar="STYLE=SHARE,…",
        help="plain, keywords, conversational, formal, typos (plain=1)",
    )
    command.add_argument("--lengths", type=shares, metavar="LENGTH=SHARE,…", help="short, medium, long (as they come)")
    command.add_argument("--personas", metavar="FILE", help="who asks: a TOML or JSONL file, or 'topics' to make them")
    command.add_argument("--like", metavar="FILE", help="a log of real questions whose mix the set follows")
    command.add_argument("--against", metavar="FILE", help="a testset none of whose questions is asked again")
    command.add_argument(
        "--plan", action="store_true", help="print what the corpus can give, by type and topic, and stop"
    )
    command.add_argument(
        "--nearest", action="store_true", default=None, help="take the nearest distribution that the corpus can give"
    )
    command.add_argument("--seed", type=int, help="another seed gives another set (0)")
    corpus_options(command)
    model_options(command)
    command.add_argument(
        "--brief", metavar="TEXT|FILE", help="what the documents are and what to ask; '+TEXT' adds to the model's brief"
    )
    command.add_argument("--prompts", metavar="DIR", help="your own prompts, which go before the packaged ones")


_PLANNED = ("asked", "scenarios", "reachable", "topics", "lost", "levels", "asked_levels")


def run(options: argparse.Namespace) -> int:
    from synth.core.errors import BudgetSpent
    from synth.generation.admission import INTERRUPTED
    from synth.generation.judge_controls import trusted
    from synth.workflows.generating import generate

    if options.plan:
        return _plan(options)
    if not options.output:
        raise ConfigError("generate needs a file to write; name one with -o FILE, or see what is possible with --plan")
    settings = settings_of(options)
    made = generate(options.sources, Path(options.output), settings, progress_of(options))
    outcome = made.outcome
    if options.json:
        print_json(
            {
                "output": str(made.output),
                "rows": len(outcome.samples),
                "shortfall": outcome.shortfall,
                "funnel": outcome.funnel,
                "held": made.manifest["rows"],
                "skipped": [{"source": s.source, "reason": s.reason, "detail": s.detail} for s in made.skipped],
                "model": made.manifest["model"],
                "contained": [one.packed() for one in made.contained],
            }
        )
    else:
        print_skipped(made.skipped)
        print_contained(made.contained)
        funnel = [[kind, stage, count] for kind, tally in outcome.funnel.items() for stage, count in tally.items()]
        print(table(["type", "stage", "candidates"], funnel))
        held = [[what, name, count] for what, tally in made.manifest["rows"].items() for name, count in tally.items()]
        if held:
            print(table(["rows by", "", "rows"], held))
        print(f"{len(outcome.samples)} rows in {made.output}; what was refused, and why, in {made.rejected}")
    _tell_trial(made.manifest.get("trial"))
    _tell_spent(made.manifest["model"])
    if not trusted(outcome.controls):
        passed = [one for one in outcome.controls if one.admitted]
        raise JudgeFailed(
            f"the judge let {len(passed)} of {len(outcome.controls)} control items pass, such as "
            f"'{passed[0].question}' ({passed[0].fault}); its verdicts cannot be trusted: name another with --judge; "
            "the manifest lists the items"
        )
    if outcome.stopped == INTERRUPTED:
        raise KeyboardInterrupt
    if outcome.stopped:
        raise BudgetSpent(f"{len(outcome.samples)} of {sum(outcome.wanted.values())} rows made: {outcome.stopped}")
    tell_given_up(outcome.given_up, settings.model.patience)
    if outcome.shortfall:
        missing = f"missing: {_missing(outcome.short_cells) or _missing(outcome.shortfall)}"
        said = "as near to the types asked for as can be had" if settings.nearest else missing
        raise ShortfallError(
            f"{len(outcome.samples)} of {sum(outcome.wanted.values())} rows could be made ({said}); "
            f"the table above says where candidates were lost, {made.rejected} why; add documents, or ask for fewer "
            f"rows{'' if settings.model.name else '; or name a chat model with --llm'}"
        )
    return 0


def _tell_trial(values: Mapping[str, Any] | None) -> None:
    """Print the figures of the trial to the error stream, and a warning of a weak author."""
    if not values:
        return
    from synth.generation.proposals.trial import Trial

    trial = Trial.unpacked(values)
    print(f"synth: trial: {trial.figures}", file=sys.stderr)
    if not trial.author:
        print(
            "synth: this author often cites wrong sentences; the judge refuses what they do not prove, which takes "
            "more requests a row; name a better author with --llm",
            file=sys.stderr,
        )


def _tell_spent(model: Mapping[str, Any]) -> None:
    """Of a chat model: what it was asked, on the error stream, and what was not asked again."""
    if not model:
        return
    cost = f", cost {model['cost']:.4f}" if model.get("cost") else ""
    print(
        f"synth: {model['calls']} calls ({model['cached']} answers were kept), {model['prompt_tokens']} tokens read, "
        f"{model['completion_tokens']} written{cost}",
        file=sys.stderr,
    )
    if model["quarantined"]:
        print(
            f"synth: {model['quarantined']} requests that earlier runs gave up were not asked again; --resume does",
            file=sys.stderr,
        )


def _plan(options: argparse.Namespace) -> int:
    from synth.generation.difficulty import LEVELS
    from synth.workflows.generating import plan

    settings = settings_of(options)
    found = plan(options.sources, settings, progress_of(options))
    missing = _missing(found.shortfall) or _missing(found.short_cells)
    offer = ",".join(f"{kind}={count}" for kind, count in found.nearest.items())
    offer = f"nearest to it: --types {offer} -n {sum(found.nearest.values())}"
    if options.json:
        kinds = {name: {what: getattr(kind, what) for what in _PLANNED} for name, kind in found.kinds.items()}
        print_json({"types": kinds, "shortfall": found.shortfall, "nearest": found.nearest})
    else:
        tried = all(kind.reachable is not None for kind in found.kinds.values())
        topics = [[name, topic, count] for name, kind in found.kinds.items() for topic, count in kind.topics.items()]
        print(table(["type", "topic", "rows" if tried else "scenarios"], topics))
        rows = [
            [name, kind.asked, kind.scenarios, "?" if kind.reachable is None else kind.reachable, _most(kind.lost)]
            for name, kind in found.kinds.items()
        ]
        levels = [
            [name, level, kind.asked_levels.get(level, ""), kind.levels.get(level, 0) if kind.levels else "?"]
            for name, kind in found.kinds.items()
            for level in LEVELS
            if kind.levels or kind.asked_levels
        ]
        if levels:
            print(table(["type", "difficulty", "rows asked for", "rows at most"], levels))
        print(table(["type", "rows asked for", "scenarios", "rows at most", "most refused by"], rows))
        if missing and settings.nearest:
            print(f"the corpus cannot give {missing}; {offer}")
    if missing and not settings.nearest:
        raise ShortfallError(
            f"the corpus cannot give {missing}; the last table says where candidates are lost; {offer}, "
            "which generate takes by itself with --nearest"
        )
    return 0


def _missing(short: Mapping[Any, int]) -> str:
    """Types, or types and levels, with the rows they are short of."""
    named = (
        (kind, count) if isinstance(kind, str) else (" ".join(reversed(kind)), count) for kind, count in short.items()
    )
    return ", ".join(f"{count} {name}" for name, count in named)


def _most(lost: Mapping[str, int]) -> str:
    """The three filters that refuse the most."""
    return ", ".join(f"{stage} {count}" for stage, count in list(lost.items())[:3])
