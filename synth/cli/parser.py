"""Argument parser of the commands: short help, full help, and two lines for an invalid command line."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Collection
from importlib import resources
from typing import Any, NoReturn

from synth.core.fields import parsed_toml
from synth.core.plugins import closest_name
from synth.core.terminal import printable

_KINDS = {int: "a whole number", float: "a number"}


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Help formatter that shows an integer value as N, and any other value by the name of its option."""

    def _get_default_metavar_for_optional(self, action: argparse.Action) -> str:
        return "N" if action.type is int else max(action.option_strings, key=len).strip("-").upper()


class CommandParser(argparse.ArgumentParser):
    """A parser whose `--help` hides the options named in `rare`, and whose `--help-all` shows all options.

    `rare` contains option strings such as `--rpm`; options that this parser lacks are ignored. `example` is a working
    command line, shown in the help and if an argument is missing. Options cannot be abbreviated: a script that uses
    `--max` must not change its meaning when an option is added.
    """

    def __init__(self, *, rare: Collection[str] = (), example: str = "", **arguments: Any) -> None:
        super().__init__(
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
            formatter_class=_Formatter,
            **arguments,
        )
        self.rare = frozenset(rare)
        self.example = example
        self.add_argument("-h", "--help", action=_Help, nargs=0, help="show this help and exit")
        if rare:
            self.add_argument("--help-all", action="help", help="show every option and exit")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments. An invalid value or an unknown argument ends the program with an error of two lines."""
        try:
            known, extras = super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:
            if error.argument_name is None:  # from Python 3.13 on, a missing argument is such an error
                self.error(error.message)
            self._wrong_value(error)
        if extras:
            self._unknown(extras[0])
        return known, extras

    def error(self, message: str) -> NoReturn:
        """End with exit code 2 after a message that states the error and what to do."""
        if missing := re.match("the following arguments are required: (.*)", message):
            commands = next((a for a in self._actions if isinstance(a, argparse._SubParsersAction)), None)
            verb = "are" if ", " in missing[1] else "is"
            message = (
                f"no command is given; choose one of {', '.join(commands.choices)}"
                if commands
                else f"{missing[1]} {verb} missing"
            )
        self._end(message, f"for example: {self.example}" if self.example else f"{self.prog} --help lists the options")

    def short_help(self) -> str:
        """Return the help without the rare options. Afterwards, this parser keeps the rare options hidden."""
        hidden = [action for action in self._actions if self.rare.intersection(action.option_strings)]
        if not hidden:
            return self.format_help()
        for action in hidden:
            action.help = argparse.SUPPRESS
        for group in self._action_groups:
            if all(action.help == argparse.SUPPRESS for action in group._group_actions):
                group.description = None
        operands = (action for action in self._actions if not action.option_strings)
        names = (f"{action.metavar or action.dest}{' ...' if action.nargs == '+' else ''}" for action in operands)
        self.usage = f"{self.prog} {' '.join(names)} [options]"
        return f"{self.format_help()}\n{len(hidden)} more options: {self.prog} --help-all\n"

    def _unknown(self, argument: str) -> NoReturn:
        name = argument.partition("=")[0]
        if name.startswith("-") and name != "-":
            message = f"there is no option {name}"
            hint = self._meant(name)
        else:
            message, hint = f"unexpected argument '{argument}'", ""
        self._end(
            f"{message}; did you mean {hint}?" if hint else message, f"{self.prog} {self._all()} lists the options"
        )

    def _meant(self, name: str) -> str:
        """Return the option that was probably meant by `name`, or ""."""
        text = resources.files("synth.cli").joinpath("synonyms.toml").read_text(encoding="utf-8")
        for option, words in parsed_toml(text, "synonyms.toml").values.items():
            if option in self._option_string_actions and name.lstrip("-") in words:
                return str(option)
        long = {option.lstrip("-"): option for option in self._option_string_actions if option.startswith("--")}
        return long.get(closest_name(name.lstrip("-"), long), "")

    def _wrong_value(self, error: argparse.ArgumentError) -> NoReturn:
        name = error.argument_name or ""
        action = next((a for a in self._actions if argparse._get_action_name(a) == error.argument_name), None)
        name = max(action.option_strings, key=len) if action and action.option_strings else name
        message = str(error.message)
        value = re.search(r": '(.*?)'(?: \(choose from .*\))?$", message, re.DOTALL)
        if isinstance(action, argparse._SubParsersAction):
            hint = closest_name(value[1], action.choices) if value else ""
            message = f"there is no command '{value[1]}'" if value else f"{name} is missing"
            self._end(f"{message}; did you mean {hint}?" if hint else message, f"{self.prog} --help lists the commands")
        if action and action.choices and value:
            *first, last = map(str, action.choices)
            choices = f"{', '.join(first)} or {last}" if first else last
            message = f"{name} must be {choices}, was '{value[1]}'"
        elif action and action.type in _KINDS and value and message.startswith("invalid"):
            message = f"{name} must be {_KINDS[action.type]}, was '{value[1]}'"
        elif message.startswith("expected"):
            message = f"{name} needs a value" if "one" in message else f"{name}: {message}"
        else:
            message = f"{name}: {message}"
        described = f"{name}: {action.help % vars(action)}" if action and action.help else ""
        self._end(message, described or f"{self.prog} {self._all()} lists the options")

    def _all(self) -> str:
        return "--help-all" if self.rare else "--help"

    def _end(self, message: str, advice: str) -> NoReturn:
        print(f"{self.prog}: {printable(message)}\n{advice}", file=sys.stderr)
        sys.exit(2)


class _Help(argparse.Action):
    """Prints the short help."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        print(parser.short_help() if isinstance(parser, CommandParser) else parser.format_help(), end="")
        parser.exit()


def commands_of(parser: CommandParser, required: bool = True, **arguments: Any) -> Any:
    """Return the subcommands of a parser. `add_parser` of the result adds a command."""
    return parser.add_subparsers(
        metavar="COMMAND", required=required, prog=parser.prog, parser_class=CommandParser, **arguments
    )
