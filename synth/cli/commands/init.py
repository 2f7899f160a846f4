"""The command init."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from synth.cli.commands import generate
from synth.cli.commands.base import print_json

SUMMARY = "write a settings file with every setting, its default and a comment"
EXAMPLE = "synth init synth.toml"
_HEAD = """# Settings of synth: synth generate docs/ -o testset.jsonl --config {name}
# Each line shows a default. Remove the # to change it. Options on the command line override this file.
"""
_TABLES = {"bands": "thresholds of difficulty levels and tags"}


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth init`."""
    command.add_argument("file", nargs="?", default="synth.toml", metavar="FILE", help="the file to write (synth.toml)")
    command.add_argument("--force", action="store_true", help="replace an existing file")


def run(options: argparse.Namespace) -> int:
    """Write the settings file."""
    from synth.core.errors import ConfigError
    from synth.core.jsonl import write_atomic

    path = Path(options.file)
    if path.exists() and not options.force:
        raise ConfigError(f"{path} already exists; name another file, or replace it with --force")
    write_atomic(path, template(path.name))
    print_json({"output": str(path)}) if options.json else print(f"wrote {path}")
    return 0


def template(name: str) -> str:
    """Return a settings file named `name` that contains every setting as a comment with its default."""
    from synth.workflows.settings import Settings

    comments = (
        {action.dest: (action.help or "").replace("%%", "%") for action in _actions()} | _TABLES | _own_comments()
    )
    return "\n".join([_HEAD.format(name=name), *_lines(Settings(), comments, "")]) + "\n"


def _own_comments() -> dict[str, str]:
    """Return the comments in `setting_comments.toml` by name of the setting, such as `chunks.size`."""
    from synth.core.fields import parsed_toml

    source = resources.files("synth.cli").joinpath("setting_comments.toml").read_text(encoding="utf-8")
    comments: dict[str, str] = {}
    for name, value in parsed_toml(source, "setting_comments.toml").values.items():
        comments |= (
            {f"{name}.{inner}": text for inner, text in value.items()} if isinstance(value, dict) else {name: value}
        )
    return comments


def _actions() -> list[argparse.Action]:
    parser = argparse.ArgumentParser(add_help=False)
    generate.add_options(parser)
    return parser._actions


def _lines(settings: Any, comments: Mapping[str, str], prefix: str) -> Iterator[str]:
    """Yield the lines of a settings object. Tables come after its single values."""
    from dataclasses import fields, is_dataclass

    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    for name, value in values.items():
        if not is_dataclass(value):
            comment = comments.get(prefix + name, "").removesuffix(f" ({value})")
            yield f"#{name} = {_toml(value)}" + (f"  # {comment}" if comment else "")
    for name, value in values.items():
        if is_dataclass(value):
            yield f"\n[{prefix}{name}]" + (f"  # {comments[name]}" if name in comments else "")
            yield from _lines(value, comments, f"{prefix}{name}.")


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_toml(entry)}" for key, entry in value.items()) + " }" if value else "{}"
    return json.dumps(value, ensure_ascii=False)
