"""The command update."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands.base import (
    corpus_options,
    model_options,
    print_contained,
    print_json,
    print_skipped,
    progress_of,
    settings_of,
    shares,
    tell_given_up,
)
from synth.core.errors import ShortfallError, UntrustedModel
from synth.core.table import table

if TYPE_CHECKING:
    from synth.workflows.update_job import Updated

SUMMARY = "bring a testset up to a corpus that changed"
EXAMPLE = "synth update testset.jsonl --corpus docs/ -o testset.jsonl"
NOTHING, CHANGED, REVIEW = 0, 10, 11


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth update`."""
    command.add_argument("testset", help="the testset, JSONL; its manifest beside it says how it was made")
    command.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE", help="folder or file, as it is now")
    command.add_argument("-o", "--output", metavar="FILE", help="the testset as it is to be; may be the same file")
    command.add_argument("--dry-run", action="store_true", help="say what would be done and what it would cost")
    command.add_argument(
        "--regenerate", action="store_true", help="make every row anew, but for those that people decided on"
    )
    command.add_argument(
        "--retire-most", action="store_true", help="obey a corpus that retires more than half of the rows"
    )
    command.add_argument("--summary", metavar="FILE", help="write what was done as Markdown, for a pull request")
    command.add_argument("-n", type=int, help="rows; more than the set has are added (as many as it has)")
    command.add_argument("--types", type=shares, metavar="TYPE=SHARE,…", help="question types and shares (the set's)")
    command.add_argument("--against", metavar="FILE", help="a testset none of whose questions is asked (the set's)")
    command.add_argument("--seed", type=int, help="the seed of new rows (the set's)")
    corpus_options(command)
    model_options(command)
    command.add_argument("--prompts", metavar="DIR", help="your own prompts, which go before the packaged ones")


def run(options: argparse.Namespace) -> int:
    from synth.core.errors import ConfigError
    from synth.core.jsonl import write_atomic
    from synth.testset.update.summary import markdown
    from synth.workflows.updating import settings_of_set, update

    if not options.output and not options.dry_run:
        raise ConfigError("update needs a file to write; name one with -o FILE, or see what it would do with --dry-run")
    testset = Path(options.testset)
    settings = settings_of(options, None if options.config else settings_of_set(testset))
    done = update(
        testset,
        options.corpus,
        Path(options.output or testset),
        settings,
        progress_of(options),
        dry_run=options.dry_run,
        regenerate=options.regenerate,
        retire_most=options.retire_most,
    )
    if options.summary:
        said = markdown(testset.name, done.decisions, done.made, done.counts, done.documents)
        write_atomic(Path(options.summary), said)
    if options.json:
        _print_json(done, dry_run=options.dry_run)
    else:
        _print(done, dry_run=options.dry_run)
    tell_given_up(done.given_up, settings.model.patience)
    if done.untrusted:
        missing = ", ".join(f"{count} {kind}" for kind, count in done.shortfall.items())
        raise UntrustedModel(f"{done.untrusted}; the rows that hold were written to {done.output} (missing: {missing})")
    if done.shortfall:
        missing = ", ".join(f"{count} {kind}" for kind, count in done.shortfall.items())
        raise ShortfallError(
            f"the corpus gives no more rows (missing: {missing}); what there is has been written; ask for fewer with "
            "-n, or name a chat model with --llm"
        )
    if done.review:
        return REVIEW
    return NOTHING if done.unchanged else CHANGED


def _print(done: Updated, *, dry_run: bool) -> None:
    from synth.testset.update.summary import LABELS, answers, documents_line

    print_skipped(done.skipped)
    print_contained(done.contained)
    if done.unchanged:
        corpus = f"documents: {documents_line(done.documents)}" if done.documents else "the corpus is what it was"
        print(f"nothing to do: {done.counts.get('keep', 0)} rows hold, {corpus}")
        return
    rows = []
    for one in done.decisions:
        if one.kind in ("keep", "relocate") and not one.review:
            continue
        old, new = answers(one.existing.row), answers(one.row)
        answer = f"{old} → {new}" if one.row and old != new else old
        rows.append([one.kind, one.review or one.reason, one.existing.row.get("question", ""), answer])
    rows += [["generate", "", row["question"], answers(row)] for row in done.made]
    if rows:
        print(table(["class", "because", "question", "answer"], rows))
    print(table(["rows", ""], [[done.counts[kind], said] for kind, said in LABELS.items() if kind in done.counts]))
    print(f"documents: {documents_line(done.documents)}")
    if done.review:
        print(f"{len(done.review)} rows need a look: they have a `review` in their metadata, or are no rows")
    if dry_run:
        calls = "nobody can tell how many" if done.calls is None else f"about {done.calls}" if done.calls else "no"
        print(f"nothing was written; it would take {calls} calls to a chat model")
    else:
        print(f"version {done.version.number} in {done.output}")


def _print_json(done: Updated, *, dry_run: bool) -> None:
    print_json(
        {
            "output": None if dry_run else str(done.output),
            "unchanged": done.unchanged,
            "version": done.version.number,
            "hash": done.version.hash,
            "parent": done.version.parent,
            "counts": done.counts,
            "review": [{"id": one.id, "line": one.existing.line, "reason": one.review} for one in done.review],
            "changes": done.changes,
            "documents": done.documents,
            "shortfall": done.shortfall,
            "calls": done.calls,
            "contained": [one.packed() for one in done.contained],
        }
    )
