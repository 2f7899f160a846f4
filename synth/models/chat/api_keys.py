"""API keys: reading them, and hiding them in all output."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

from synth.core.errors import ConfigError
from synth.core.small_file import small_text

_SHORTEST = 6
_WINDOW = 8
_LARGEST = 10_000  # bytes of a file with a key
HIDDEN = "***"


class Key:
    """API key that repr and str hide, and that cannot be pickled or copied.

    Raises ConfigError when `secret` is not one line of ASCII characters.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        if not secret.strip() or not secret.isascii() or not secret.strip().isprintable():
            raise ConfigError(
                "an API key must be one line of ASCII characters; the given key is empty or contains other characters"
            )
        self._secret = secret.strip()

    @classmethod
    def from_environment(cls, name: str = "OPENAI_API_KEY") -> Key | None:
        """Return the key in the environment variable `name`, or None if it is not set."""
        secret = os.environ.get(name, "")
        return cls(secret) if secret.strip() else None

    @classmethod
    def from_file(cls, path: Path) -> Key:
        """Return the key that is the whole content of the file `path`. Raises ConfigError when it cannot be read."""
        try:
            return cls(small_text(path, _LARGEST))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not text"
            raise ConfigError(f"the file {path} with the API key cannot be read: {reason}") from None

    def reveal(self) -> str:
        """Return the secret itself, to be sent to the endpoint."""
        return self._secret

    def __repr__(self) -> str:
        return f"Key({HIDDEN})"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an API key must not be written or copied")


def redact(text: str, secrets: Iterable[str]) -> str:
    """Return `text` with every secret hidden, and with any eight or more consecutive characters of a secret hidden too.

    Secrets of fewer than six characters are placeholders such as "none" and are not hidden.
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
