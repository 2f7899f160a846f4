"""Registry of language packs, which are folders beside this file or entry points of other packages."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib import metadata
from importlib.util import find_spec

import synth.grammar as home
from synth.core.errors import ConfigError
from synth.grammar.pack import LanguagePack

GROUP = "synth.languages"
"""Group of entry points that name the LanguagePack of another package."""


def pack_of(language: str) -> LanguagePack | None:
    """Return the pack of a language, or None if there is none."""
    return packs().get(language)


@cache
def packs() -> dict[str, LanguagePack]:
    """Return the language packs by language tag. Raise ConfigError if two packs have the same language.

    A folder beside this file lists its packs in `PACKS` of its module `pack`.
    """
    by_language: dict[str, LanguagePack] = {}
    for pack in (*_own(), *_foreign()):
        for language in pack.languages:
            if language in by_language:
                raise ConfigError(
                    f"both {by_language[language].folder} and {pack.folder} declare the language '{language}'; "
                    "uninstall one of them"
                )
            by_language[language] = pack
    return dict(sorted(by_language.items()))


def recognised(text: str) -> str:
    """Return the language tag of a text that is neither English nor Chinese, or "other" if no pack recognises it.

    The first pack that recognises the text decides.
    """
    claims = (pack.recognises(text) for pack in packs().values() if pack.recognises)
    return next(filter(None, claims), "other")


def _own() -> list[LanguagePack]:
    folders = sorted(part.name for part in pkgutil.iter_modules(home.__path__) if part.ispkg)
    modules = [f"{home.__name__}.{name}.pack" for name in folders]
    return [pack for name in modules if find_spec(name) for pack in importlib.import_module(name).PACKS]


def _foreign() -> list[LanguagePack]:
    loaded = [point.load() for point in sorted(metadata.entry_points(group=GROUP), key=lambda point: point.name)]
    for pack in loaded:
        if not isinstance(pack, LanguagePack):
            raise ConfigError(f"an entry point of {GROUP} leads to {pack!r}; it must be a LanguagePack")
    return loaded
