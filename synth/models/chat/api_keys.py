"""Secrets: where an API key comes from, and that it never shows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from synth.core.errors import ConfigError

_SHORTEST = 6
_WINDOW = 8
HIDDEN = "***"


class Key:
    """An API key. Its repr and str hide it, and it refuses to be pickled or copied into settings."""

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        if not secret.strip() or not secret.isascii() or not secret.strip().isprintable():
            raise ConfigError("an API key must be one line of ASCII characters, was empty or held others")
        self._secret = secret.strip()

    @classmethod
    def from_environment(cls, name: str = "OPENAI_API_KEY") -> Key | None:
        """The key in the environment variable `name`; None where it is not set."""
        secret = os.environ.get(name, "")
        return cls(secret) if secret.strip() else None

    @classmethod
    def from_file(cls, path: Path) -> Key:
        """The key in the file `path`, which holds nothing else. Raises ConfigError."""
        try:
            return cls(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise ConfigError(f"the file {path} with the API key cannot be read: {reason}") from None

    def reveal(self) -> str:
        """The secret itself, for the one place that sends it."""
        return self._secret

    def __repr__(self) -> str:
        return f"Key({HIDDEN})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an API key is not to be written or copied")


def redact(text: str, secrets: Iterable[str]) -> str:
    """`text` with every secret hidden, also where only a part of it shows.

    A part is eight characters of a secret that stand together. Secrets under six characters are
    placeholders such as "none" and are left alone.
    """
    hidden = [False] * len(text)
    for secret in secrets:
        size = min(_WINDOW, len(secret))
        if len(secret) < _SHORTEST:
            continue
        for part in {secret[i : i + size] for i in range(len(secret) - size + 1)}:
            place = text.find(part)
            while place >= 0:
                hidden[place : place + size] = [True] * size
                place = text.find(part, place + 1)
    return "".join(
        char if not covered else "" if place and hidden[place - 1] else HIDDEN
        for place, (char, covered) in enumerate(zip(text, hidden, strict=True))
    )
