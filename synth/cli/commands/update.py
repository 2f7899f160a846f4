"""The command update."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    force_option,
    model_options,
    named_model,
    print_barren,
    print_errors,
    print_given_up,
    print_json,
    print_reviewed,
    print_skipped,
    print_withheld,
    progress_of,
    settings_of,
    shares,
)
from synth.core.errors import ShortfallError, UntrustedModel
from synth.core.table import table
from synth.core.terminal import counted, printable

if TYPE_CHECKING:
    from synth.workflows.update_job import Updated

SUMMARY = "adapt a testset to its changed documents"
EXAMPLE = "synth update testset.jsonl --corpus docs/ -o testset.jsonl"
EXIT_CODES = """\
exit codes without an error:
  0   nothing changed
  10  the set changed
  11  the set changed, and some rows need review

"""
RARE = (*base.RARE, "--against", "--like", "--personas", "--retire-most", "--seed", "--types", "-n")
NOTHING, CHANGED, REVIEW = 0, 10, 11


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth update`."""
    command.add_argument("testset", help="the testset, JSONL; settings are read from its manifest")
    command.add_argument(
        "--corpus", nargs="+", required=True, metavar="SOURCE", help="folder or file with the current documents"
    )
    command.add_argument("-o", "--output", **base.OUTPUT, help="the updated testset; may be the testset itself")
    command.add_argument(
        "--dry-run", action="store_true", help="print the changes and the number of calls, but write nothing"
    )
    command.add_argument("--regenerate", action="store_true", help="replace every row that no person decided on")
    command.add_argument("--retire-most", action="store_true", help="allow half or more of the rows to be retired")
    command.add_argument(
        "--without-model", action="store_true", help="update by rules alone, although a chat model made the set"
    )
    command.add_argument(
        "--summary", metavar="FILE", help="write a summary as Markdown to this file, for a pull request"
    )
    command.add_argument("-n", type=int, help="number of rows to reach (as requested when the set was made)")
    command.add_argument("--types", type=shares, metavar="TYPE=SHARE,…", help="shares of question types (the set's)")
    command.add_argument("--against", metavar="FILE", help="a testset whose questions are not repeated")
    command.add_argument(
        "--personas", metavar="FILE", help="file of personas for new rows (made from topics, if those of the set were)"
    )
    command.add_argument(
        "--like", metavar="FILE", help="a log of real questions; new rows get similar styles, lengths and kinds"
    )
    command.add_argument("--seed", type=int, help="the seed of new rows (the set's)")
    force_option(command)
    corpus_options(command)
    model_options(command)
    command.add_argument("--prompts", metavar="DIR", help="folder of your own prompts, which replace packaged ones")


def run(options: argparse.Namespace) -> int:
    """Update the testset and print the result. Return 0 for no change, 10 for changes, 11 for rows to review."""
    from synth.core.errors import ConfigError
    from synth.core.jsonl import write_atomic
    from synth.testset.update.summary import markdown
    from synth.workflows.update_job import settings_of_set
    from synth.workflows.updating import update

    if not options.output and not options.dry_run:
        raise ConfigError("update needs a file to write; name it with -o FILE, or see with --dry-run what would change")
    testset = Path(options.testset)
    before = None if options.config else settings_of_set(testset, named_model(options))
    settings = settings_of(options, before, sends=not options.dry_run)
    print_withheld(testset, settings)
    done = update(
        testset,
        options.corpus,
        Path(options.output or testset),
        settings,
        progress_of(options),
        dry_run=options.dry_run,
        regenerate=options.regenerate,
        retire_most=options.retire_most,
        without_model=options.without_model,
        force=options.force,
    )
    _print_untaken(done, options)
    if options.summary:
        summary = markdown(testset.name, done.decisions, done.new_rows, done.counts, done.documents)
        write_atomic(Path(options.summary), summary)
    if options.json:
        _print_json(done, dry_run=options.dry_run)
    else:
        _print(done, options)
    print_given_up(done.given_up, settings.model.patience)
    print_barren(done.barren)
    if done.untrusted:
        missing = ", ".join(f"{count} {kind}" for kind, count in done.shortfall.items())
        raise UntrustedModel(f"{done.untrusted}; the valid rows were written to {done.output} (missing: {missing})")
    if done.shortfall:
        missing = ", ".join(f"{count} {kind}" for kind, count in done.shortfall.items())
        raise ShortfallError(
            f"the corpus allows no more rows (missing: {missing}); the other rows are written; ask for fewer with -n"
            f"{'' if settings.model.name else ', or name a chat model with --llm'}"
        )
    if done.review:
        return REVIEW
    return NOTHING if done.unchanged else CHANGED


def _print_untaken(done: Updated, options: argparse.Namespace) -> None:
    """If the log beside the set contains decisions, print on the error stream how to apply them."""
    if done.untaken:
        testset = Path(options.testset)
        accepted = shlex.quote(str(testset.with_name(f"{testset.stem}.accepted.jsonl")))
        print(
            f"synth: decisions on {counted(len(done.untaken), 'row')} of {testset} are not applied yet; first write "
            f"the accepted rows with: synth annotate accept {shlex.quote(str(testset))} --corpus "
            f"{shlex.join(map(str, options.corpus))} -o {accepted}\n"
            f"synth: then update {accepted}",
            file=sys.stderr,
        )


def _print(done: Updated, options: argparse.Namespace) -> None:
    from synth.testset.update.summary import answers, documents_line, outcomes

    print_skipped(done.skipped, options, Path(options.testset))
    print_errors(done.errors)
    if done.unchanged:
        corpus = f"documents: {documents_line(done.documents)}" if done.documents else "the corpus is unchanged"
        print(f"nothing to do: {counted(done.counts.get('keep', 0), 'row')} kept, {corpus}")
        print_reviewed(done.reviewed)
        return
    rows = []
    for decision in done.decisions:
        if decision.kind in ("keep", "relocate") and not decision.review:
            continue
        old, new = answers(decision.existing.row), answers(decision.row)
        answer = f"{old} → {new}" if decision.row and old != new else old
        rows.append(
            [decision.kind, decision.review or decision.reason, decision.existing.row.get("question", ""), answer]
        )
    rows += [["generate", "", row["question"], answers(row)] for row in done.new_rows]
    if rows:
        print(table(["class", "because", "question", "answer"], rows))
    print(table(["rows", ""], list(map(list, outcomes(done.counts, done.decisions)))))
    print(f"documents: {documents_line(done.documents)}")
    if done.review:
        _print_review(done, options)
    if options.dry_run:
        calls = f"about {counted(done.calls, 'call')}" if done.calls else "no calls"
        calls = "an unknown number of calls" if done.calls is None else calls
        print(f"nothing was written; the update would need {calls} to a chat model")
    else:
        print(f"version {done.version.number} in {done.output}")
        print_reviewed(done.reviewed)


def _print_review(done: Updated, options: argparse.Namespace) -> None:
    """Print each row that a person must review, and the commands that settle it."""
    raised = [decision for decision in done.review if decision.existing.sample]
    lines = [decision for decision in done.review if not decision.existing.sample]
    for decision in raised:
        row = decision.row or decision.existing.row
        texts = (str(text) for text in (row["id"], row["question"], decision.review))
        print("to review: {}, {} ({})".format(*map(printable, texts)))
    for decision in lines:
        print(
            f"to review: line {decision.existing.line} is not a valid row; correct it in the file: "
            f"{printable(decision.review)}"
        )
    if raised and not options.dry_run:
        output = shlex.quote(str(done.output))
        accepted = shlex.quote(str(done.output.with_name(f"{done.output.stem}.accepted.jsonl")))
        print(
            f"decide on {counted(len(raised), 'row')} with: synth annotate review {output} --raised --corpus "
            f"{shlex.join(map(str, options.corpus))}\n"
            f"then write the set with: synth annotate accept {output} --with-unreviewed --corpus "
            f"{shlex.join(map(str, options.corpus))} -o {accepted}"
        )


def _print_json(done: Updated, *, dry_run: bool) -> None:
    print_json(
        {
            "output": None if dry_run else str(done.output),
            "unchanged": done.unchanged,
            "version": done.version.number,
            "hash": done.version.hash,
            "parent": done.version.parent,
            "counts": done.counts,
            "review": [{"id": item.id, "line": item.existing.line, "reason": item.review} for item in done.review],
            "changes": done.changes,
            "documents": done.documents,
            "shortfall": done.shortfall,
            "calls": done.calls,
            "errors": [item.packed() for item in done.errors],
        }
    )
