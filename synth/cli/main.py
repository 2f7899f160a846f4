"""Entry point of the command line: build the parser, run the command, turn errors into exit codes."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from importlib import import_module
from typing import Any

from synth.core import interruption
from synth.core.errors import SynthError
from synth.core.table import printable

COMMANDS = (
    "generate", "estimate", "brief", "verify", "score", "rejudge", "show", "update", "log", "diff", "annotate",
    "evaluate", "compare", "judge-check", "run", "sweep", "export", "adopt", "graph", "doctor",
)  # fmt: skip
"""The commands in the order of --help: modules of synth.cli.commands with SUMMARY, EXAMPLE, `add_options`, `run`."""

_EXIT_CODES = (
    "exit codes: 0 done; 1 rows fail (verify, export) or a reviewer's decision cannot be imported (annotate import);\n"
    "2 a setting or an input is wrong, or an extra is not installed; 3 a model cannot be loaded; 4 the chat model\n"
    "cannot be used; 5 fewer rows than asked for (generate, adopt, update); 6 below a threshold, 7 too few rows\n"
    "to decide (evaluate); 8 the judge failed its control items; 9 the budget is spent, or the endpoint stopped\n"
    "answering; 10 the set changed, 11 it changed and rows need review (update); 130 interrupted"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    # A terminal that cannot show a character must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    if threading.current_thread() is threading.main_thread():
        # SIGTERM is treated like Ctrl-C: background jobs get no Ctrl-C, and containers and CI send SIGTERM.
        signal.signal(signal.SIGTERM, interruption.request)
    try:
        # With `-o -` messages go to standard error; the output is written to descriptor 1 (core.jsonl).
        with redirect_stdout(sys.stderr) if getattr(options, "output", None) == "-" else nullcontext():
            code: int = options.run(options)
        sys.stdout.flush()
        return code
    except SynthError as error:
        print(f"synth: {printable(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("synth: interrupted; finished work is kept, and the same command continues from there", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of the output (head) closed the pipe: no error, and no second one when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="synth",
        description="Evaluation sets for retrieval-augmented generation, from a folder of documents.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    for name in COMMANDS:
        _add_command(commands, name)
    return parser


def _add_command(commands: Any, name: str) -> None:
    module = import_module(f"synth.cli.commands.{name.replace('-', '_')}")
    command = commands.add_parser(
        name,
        help=module.SUMMARY,
        description=module.SUMMARY[0].upper() + module.SUMMARY[1:] + ".",
        epilog=f"example:\n  {module.EXAMPLE}\n\n{_EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_options(command)
    command.set_defaults(run=module.run)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.add_argument("--quiet", action="store_true", help="show no progress")


class _Version(argparse.Action):
    """Prints the version; argparse's own action would need it, and an import, for every command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        from synth.core.installation import versions

        print(f"synth {versions()['synth']}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
