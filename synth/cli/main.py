"""Entry point of the command line: build the parser, run the command, turn errors into exit codes."""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib import import_module
from types import ModuleType
from typing import Any

from synth.cli.parser import CommandParser, commands_of
from synth.core import interruption
from synth.core.errors import Notice, SynthError
from synth.core.terminal import guarded_output, printable

GROUPS = {
    "make a set": ("generate", "estimate", "brief", "init"),
    "read and check it": ("show", "view", "verify", "score", "rejudge"),
    "follow the documents": ("update", "log", "diff"),
    "have people review it": ("annotate",),
    "measure a system": ("evaluate", "compare", "judge-check", "run", "sweep"),
    "take it elsewhere": ("export", "adopt", "graph", "merge"),
    "get help": ("explain", "doctor"),
}
"""Commands by purpose. Each command is a module of synth.cli.commands.

A module defines SUMMARY, EXAMPLE, `add_options` and `run`. It may define RARE: options that only `--help-all` shows.
"""
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
"""Names of all commands."""

_JOBS = """synth makes evaluation sets for retrieval-augmented generation, from a folder of documents.

  a set of your documents     synth generate docs/ -o testset.jsonl -n 50
  reviewed by people          synth annotate review testset.jsonl --corpus docs/
  when the documents change   synth update testset.jsonl --corpus docs/
"""

_HELP = """
synth COMMAND --help       the options of a command
synth explain NAME         the meaning of a name in a table, or of an exit code"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    # A terminal that cannot show a character must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    with guarded_output(), interruption.heeded(), _told():
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()  # also if the parser exits, for example after --help


@contextmanager
def _told() -> Iterator[None]:
    """Print each notice once, as a message on the error stream."""
    with warnings.catch_warnings():
        warnings.simplefilter("default", Notice)
        show = warnings.showwarning

        def shown(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, Notice):
                print(f"synth: {printable(str(message))}", file=sys.stderr)
            else:
                show(message, category, *place, **more)

        warnings.showwarning = shown
        yield


def _run(arguments: Sequence[str] | None) -> int:
    try:
        options = build_parser().parse_args(arguments)
        # With `-o -` messages go to standard error; the output is written to descriptor 1 (core.swapping).
        with redirect_stdout(sys.stderr) if getattr(options, "output", None) == "-" else nullcontext():
            code: int = options.run(options)
        return code
    except SynthError as error:
        interruption.taken()
        print(f"synth: {printable(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt as error:
        interruption.taken()
        more = str(error) or "finished work is kept; repeat the command to continue"
        print(f"synth: interrupted; {printable(more)}", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of `-o -` closed the pipe
        return 0


def build_parser() -> CommandParser:
    """Return the parser of the command line, with all commands."""
    parser = CommandParser(prog="synth", usage="synth COMMAND ...", description=_overview())
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    parser.set_defaults(run=_print_overview, output=None)
    commands = commands_of(parser, required=False)
    for name in COMMANDS:
        _add_command(commands, name)
    return parser


def _add_command(commands: Any, name: str) -> None:
    module = _module(name)
    command = commands.add_parser(
        name,
        description=module.SUMMARY[0].upper() + module.SUMMARY[1:] + ".",
        epilog=f"{getattr(module, 'EXIT_CODES', '')}example:\n  {module.EXAMPLE}",
        rare=getattr(module, "RARE", ()),
        example=module.EXAMPLE,
    )
    module.add_options(command)
    command.set_defaults(run=module.run)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.add_argument("--quiet", action="store_true", help="hide progress and the list of files that were not read")


def _module(name: str) -> ModuleType:
    return import_module(f"synth.cli.commands.{name.replace('-', '_')}")


def _overview() -> str:
    """Return the three main jobs, and the commands in groups."""
    lines = [_JOBS]
    for group, names in GROUPS.items():
        lines.append(group)
        lines += [f"  {name:<12} {_module(name).SUMMARY}" for name in names]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n" + _HELP


def _print_overview(_: argparse.Namespace) -> int:
    print(_overview())
    return 0


class _Version(argparse.Action):
    """Prints the version. The built-in action would compute the version before every command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        from synth.core.installation import versions

        print(f"synth {versions()['synth']}")
        parser.exit()


if __name__ == "__main__":
    sys.exit(main())
