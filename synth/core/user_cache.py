"""The user's cache folder, for stored replies and downloaded models."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from synth.core.errors import ConfigError


def user_cache() -> Path:
    """Return the folder `synth` in XDG_CACHE_HOME, or else in `.cache` of the home folder.

    A user without a home folder, as in a container, gets a private folder among the temporary files. Raises ConfigError
    when that folder belongs to somebody else or others may use it.
    """
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "synth"
    try:
        return Path.home() / ".cache" / "synth"
    except RuntimeError:  # neither HOME nor an entry in passwd
        return _own_temporary_folder()


def _own_temporary_folder() -> Path:
    folder = Path(tempfile.gettempdir()) / f"synth-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise ConfigError(
            f"{folder} belongs to somebody else or is open to others; name a folder with --workspace or SYNTH_WORKSPACE"
        )
    return folder
