"""Pages of the documentation made from the code: commands, settings, the Python API, and how to add parts.

`python scripts/reference_pages.py` names what it would change, with `--write` it changes it.
"""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any

import synth
from synth.cli.commands.init import template
from synth.cli.main import GROUPS, build_parser

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
_COMMON = ("help", "help_all", "json", "quiet")
_CLI_HEAD = """# CLI

A command ends with one of the [exit codes](settings.md#exit-codes). Every command also has:

| option | |
| --- | --- |
| `--help` | the usual options |
| `--help-all` | all options, where a command has rare ones |
| `--json` | the result as JSON |
| `--quiet` | no progress, and no table of the files that were not read |

Tables and messages fit the terminal: `python scripts/record_terminal.py FOLDER` shows what one of 80 columns has after
the usual commands on the documents of a folder.

This page is made from the parsers by `python scripts/reference_pages.py --write`.
"""
_SETTINGS = re.compile(r'(?<=^```toml title="synth.toml"\n).*?(?=^```$)', re.DOTALL | re.MULTILINE)


def cli_page() -> str:
    """The page of commands: each with its summary, an example and all its options."""
    commands = _commands(build_parser())
    lines = [_CLI_HEAD]
    for group, names in GROUPS.items():
        lines.append(f"\n## {group[0].upper()}{group[1:]}\n")
        for name in names:
            lines += _command(commands[name], 3)
    return "".join(lines)


def settings_page(page: str) -> str:
    """The page of settings with all defaults as `synth init` writes them; ValueError without a place for them."""
    if len(_SETTINGS.findall(page)) != 1:
        raise ValueError('the page must have one block that begins with ```toml title="synth.toml"')
    return _SETTINGS.sub(lambda _: template("synth.toml"), page)


_NAME = re.compile(r"(?<=^### )(\w+)\n.*?(?=^##|\Z)", re.DOTALL | re.MULTILINE)
_PART = re.compile(r"^(## [^\n]*)\n\nFrom `(\S+)`\..*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)


def python_page(page: str) -> str:
    """The page of the Python API, with the signature and the docstring of each name that has a heading."""
    return _NAME.sub(lambda match: f"{match[1]}\n\n{_described(match[1])}\n", page).rstrip("\n") + "\n"


def extending_page(page: str) -> str:
    """The page on adding parts, with the text of each README that it names."""
    return _PART.sub(lambda match: f"{match[1]}\n\nFrom `{match[2]}`.\n\n{_section(match[2])}\n", page).rstrip() + "\n"


def _section(readme: str) -> str:
    """The text of a README below its title, its headings a level lower."""
    text = (ROOT / readme).read_text(encoding="utf-8").partition("\n")[2].strip("\n")
    parts = re.split(r"(^```.*?^```$)", text, flags=re.DOTALL | re.MULTILINE)
    return (
        "".join(part if part.startswith("```") else re.sub("^#", "##", part, flags=re.MULTILINE) for part in parts)
        + "\n"
    )


def _described(name: str) -> str:
    """The signature of a name of the package, its docstring, and the methods of a class."""
    value = getattr(synth, name)
    if inspect.isfunction(value):
        return f"{_code(_signature(value, name))}\n{_prose(value)}\n"
    blocks = [_code(_signature(value, name)), f"{_prose(value)}\n"]
    for method, held in vars(value).items():
        function = held.fget if isinstance(held, property) else getattr(held, "__func__", held)
        if method.startswith("_") or method == "notebook_table" or not inspect.isfunction(function):
            continue
        if not inspect.getdoc(function):
            continue
        shown = method if isinstance(held, property) else _one_line(_signature(function, method, is_method=True))
        blocks.append(f"- `{shown}`: {_prose(function)}".replace("\n\n", "\n\n    "))
    return "\n".join(blocks) + ("\n" if len(blocks) > 2 else "")


def _signature(value: Any, name: str, *, is_method: bool = False) -> str:
    """A call with a line for each parameter; for a result of a verb, its fields."""
    parameters = [one for one in inspect.signature(value).parameters.values() if one.name not in ("self", "cls")]
    lines, is_keyword = [], False
    for one in parameters:
        if one.kind is one.KEYWORD_ONLY and not is_keyword:
            is_keyword = True
            lines += [] if is_dataclass(value) or inspect.isclass(value) else ["*"]
        default = "" if one.default is one.empty else f" = {_default(one.default)}"
        shown = re.sub(r"^InitVar\[(.*)\]$", r"\1", str(one.annotation))
        lines.append(f"{'*' if one.kind is one.VAR_POSITIONAL else ''}{one.name}: {shown}{default}")
    back = inspect.signature(value).return_annotation
    arrow = f" -> {back}" if isinstance(back, str) and not inspect.isclass(value) and back != "None" else ""
    if not lines:
        return f"{name}(){arrow}"
    return f"{name}(\n" + "".join(f"    {line},\n" for line in lines) + f"){arrow}"


def _default(value: Any) -> str:
    shown = repr(value)
    return "…" if shown.startswith("<") or "object at" in shown or (is_dataclass(value) and len(shown) > 30) else shown


def _one_line(signature: str) -> str:
    return re.sub(r",?\n\s*\)", ")", re.sub(r"(?<=,)\n\s*", " ", re.sub(r"\(\n\s*", "(", signature)))


def _code(text: str) -> str:
    return f"```python\n{text}\n```\n"


def _prose(value: Any) -> str:
    """A docstring in which each paragraph, and each item of a list, is a line."""
    text = inspect.getdoc(value) or ""
    return "\n\n".join(
        "\n".join(" ".join(line.split()) for line in re.split(r"\n(?=- )", block)) for block in text.split("\n\n")
    )


def pages() -> dict[str, str]:
    """Text of each generated page by the name of its file."""
    return {
        "cli.md": cli_page(),
        "python.md": python_page((DOCS / "python.md").read_text(encoding="utf-8")),
        "extending.md": extending_page((DOCS / "extending.md").read_text(encoding="utf-8")),
        "settings.md": settings_page((DOCS / "settings.md").read_text(encoding="utf-8")),
    }


def _command(command: argparse.ArgumentParser, level: int) -> Iterator[str]:
    """A command, and the commands in it one level below."""
    yield f"\n{'#' * level} {command.prog}\n\n{_escaped(command.description or '')}\n"
    example = getattr(command, "example", "")
    if example:
        yield f"\n```sh\n{example}\n```\n"
    for group in command._action_groups:
        actions = [action for action in group._group_actions if _shown(action)]
        if actions:
            yield f"\n| {_title(group)} | |\n| --- | --- |\n"
            yield from (f"| `{_invocation(action)}` | {_meaning(action)} |\n" for action in actions)
    for inner in _commands(command).values():
        yield from _command(inner, level + 1)


def _commands(command: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """The commands in a parser by name."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _shown(action: argparse.Action) -> bool:
    hidden = action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction)
    return not hidden and action.dest not in _COMMON


def _title(group: argparse._ArgumentGroup) -> str:
    return {"positional arguments": "argument", "options": "option"}.get(group.title or "", group.title or "")


def _invocation(action: argparse.Action) -> str:
    """An argument as it is typed."""
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return names
    value = str(action.metavar or (_choices(action) if action.choices else action.dest)).replace("|", " or ")
    if names and not action.metavar and not action.choices:
        value = value.upper()
    value = {"?": f"[{value}]", "+": f"{value} …", "*": f"[{value} …]"}.get(str(action.nargs), value)
    return f"{names} {value}".strip()


def _choices(action: argparse.Action) -> str:
    return "{" + ",".join(map(str, action.choices or ())) + "}"


def _meaning(action: argparse.Action) -> str:
    return _escaped((action.help or "") % vars(action))


def _escaped(text: str) -> str:
    """Text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_<\[|])", r"\\\1", " ".join(text.split()))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the pages, or name those that are not current."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="rewrite the pages in docs/")
    write = options.parse_args(arguments).write
    for name, text in pages().items():
        path = DOCS / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        print(f"{'wrote' if write else 'not current:'} {path.name}")
        if write:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
