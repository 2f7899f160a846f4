"""Commands that messages print: each runs as it is printed."""

import ast
import re
import shlex
from pathlib import Path

import pytest

import synth
from synth.cli.main import COMMANDS, build_parser
from synth.core.errors import ConfigError

ROOT = Path(synth.__file__).parent
VERB = re.compile(rf"\bsynth (?=(?:{'|'.join(COMMANDS)})(?![a-zX\".-]))")
END = re.compile(r"[`\n;]|  |[,:)] |[,)]?$| (?:>|and|or|lists|shows|which) ")


def messages():
    """The texts of the package with their place, without docstrings and help; a computed part stands as X."""
    for file in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        keywords = (word for node in ast.walk(tree) if isinstance(node, ast.Call) for word in node.keywords)
        left_out |= {id(word.value) for word in keywords if word.arg == "help"}
        for node in ast.walk(tree):
            if id(node) in left_out:
                continue
            if isinstance(node, ast.JoinedStr):
                left_out |= {id(part) for part in node.values}
                yield file.name, "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield file.name, node.value


def commands():
    for file, text in messages():
        for match in VERB.finditer(text):
            rest = text[match.end() :]
            yield file, rest[: END.search(rest).start()].strip()


@pytest.mark.parametrize(("file", "command"), sorted(set(commands())))
def test_every_printed_command_is_whole(file, command):
    try:
        options = build_parser().parse_args(shlex.split(command))
    except (ConfigError, SystemExit) as error:
        if command.endswith(" --help"):
            return
        pytest.fail(f"{file} prints `synth {command}`, which does not run: {error}")
    assert callable(options.run)


def test_commands_are_found_in_messages():
    assert {("annotate.py", "annotate review X --disputed"), ("export.py", "export --list")} <= set(commands())
