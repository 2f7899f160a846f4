"""Names in inline code: classes, functions, options, packages."""

from __future__ import annotations

import keyword
import re

from synth.corpus.analysis.mentions.vocabulary import GENERIC_CODE_NAMES
from synth.text.file_endings import FILE_ENDINGS
from synth.text.tokens import ENGLISH_STOP

_IDENTIFIER = re.compile(r"@?[A-Za-z_][A-Za-z0-9_]*(?:[.:]{1,2}[A-Za-z_][A-Za-z0-9_]*)*(?:\(\))?")
_OPTION = re.compile(r"--[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_PACKAGE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_HEADER = re.compile(r"[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)+")
_FILE = re.compile(rf"[\w.-]+\.(?:{'|'.join(sorted(FILE_ENDINGS))})")
# Keywords that name a programming technique, which texts explain.
_TELLING = frozenset(("async", "await", "yield", "lambda"))


def is_code_name(code: str) -> bool:
    """Whether a piece of inline code names a part of a program or one of its options."""
    if len(code) > 50:
        return False
    if _OPTION.fullmatch(code) or _HEADER.fullmatch(code):
        return True
    if _FILE.fullmatch(code) or code.startswith("__"):
        return False
    if _PACKAGE.fullmatch(code):
        return len(code) > 4
    if not _IDENTIFIER.fullmatch(code):
        return False
    bare = code.strip("@()")
    if (
        bare in GENERIC_CODE_NAMES
        or bare.casefold() in ENGLISH_STOP
        or (keyword.iskeyword(bare) and bare not in _TELLING)
    ):
        return False
    return sum(char.isalpha() for char in bare) >= 3 and not bare.startswith(("my_", "My", "fake_", "some_", "_"))
