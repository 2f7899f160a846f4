"""The user's cache folder for stored replies and downloaded models."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from synth.core.errors import ConfigError


def user_cache() -> Path:
    """The folder `synth` in XDG_CACHE_HOME, else in the home folder's `.cache`.

    A user without a home folder, as in a container, gets a folder of their own among the temporary files. Raises
    ConfigError where that belongs to somebody else.
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
        raise ConfigError(f"{folder} is not yours alone; name a folder with --workspace or SYNTH_WORKSPACE")
    return folder
