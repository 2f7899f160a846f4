"""Chat models on this machine: `--llm auto` finds the model of a running server, `--llm local` downloads a model."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.core.errors import ConfigError

if TYPE_CHECKING:
    from synth.models.chat.weights import LocalModel
    from synth.workflows.settings import ModelSettings


def ready(model: ModelSettings, options: argparse.Namespace, *, sends: bool = True) -> ModelSettings:
    """Return the settings with `auto` and `local` replaced by the names of real models.

    Missing weights are downloaded, but not if `sends` is false. Raises ConfigError if `auto` finds no model or several,
    or if the user does not agree to the download.
    """
    from synth.models.chat.providers import AUTO
    from synth.models.chat.weights import full_name, local_model

    if model.base_url:
        return model
    if model.name == AUTO:
        name, url = _only_local_model()
        model = replace(model, name=name, base_url=url)
    model = replace(model, name=full_name(model.name), judge=full_name(model.judge))
    for name in (model.name, "" if model.judge_url else model.judge):
        weights = local_model(name)
        if sends and weights and not weights.path.is_file():
            _download(weights, options)
    return model


def _only_local_model() -> tuple[str, str]:
    from synth.models.chat.local_servers import describe_servers, local_servers, only_model

    servers = local_servers()
    print(f"synth: --llm auto: {describe_servers(servers)}", file=sys.stderr)
    return only_model(servers)


def _download(weights: LocalModel, options: argparse.Namespace) -> None:
    """Download weights if the user agrees, either by --yes or by an answer on the terminal."""
    from synth.core.progress import for_terminal
    from synth.models.chat.weights import fetch

    message = f"--llm local needs a one-time download of {weights} to {weights.path.parent}"
    if options.yes:
        print(f"synth: {message}", file=sys.stderr)
    elif not sys.stdin.isatty():
        raise ConfigError(f"{message}; agree to it with --yes")
    else:
        print(f"synth: {message}. Download it? [y/N] ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
            raise ConfigError("the download was declined; name another model with --llm")
    megabyte, received = 1_000_000, 0
    with for_terminal(quiet=options.quiet).stage("downloading, MB", weights.size // megabyte) as stage:

        def advance(size: int) -> None:
            nonlocal received
            before, received = received, received + size
            stage.advance(received // megabyte - before // megabyte)

        fetch(weights, advance)
