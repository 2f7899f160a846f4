"""Services that store sets: checks of their keys in the environment, and one-line error messages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from synth.core.errors import ConfigError, InputError, SynthError
from synth.models.chat.api_keys import redact

_LONGEST_MESSAGE = 300


def check_variables(service: str, *names: str) -> None:
    """Raise ConfigError if an environment variable that a service needs is not set."""
    unset = [name for name in names if not os.environ.get(name)]
    if unset:
        raise ConfigError(
            f"{service} needs {' and '.join(unset)} in the environment; copy the values from its settings page"
        )


@contextmanager
def reported(service: str, *secrets: str) -> Iterator[None]:
    """Turn an error of a client into an InputError of one line. The values of the variables `secrets` are removed."""
    try:
        yield
    except SynthError:
        raise
    except Exception as error:  # each client raises its own kinds of errors
        values = [value for name in secrets if (value := os.environ.get(name))]
        message = " ".join(redact(str(error), values).split())[:_LONGEST_MESSAGE]
        raise InputError(f"{service} refused the set: {message or type(error).__name__}") from None
