"""Entries that the help text of a command tells in a block of code: `--limit int   most rows to show (default 50)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.reference_forms import ReferenceEntry, ReferenceForms

if TYPE_CHECKING:
    from synth.grammar.reading import Reading

_FLAG = re.compile(
    r"^[ \t]+(?:-\w, )?(?P<name>--[A-Za-z][\w.-]*\w)(?:[ =][^\s(]+)?(?: {2,}|\t+)"
    r"(?P<meaning>\S.*?) ?\(default:? (?P<default>[^()\[\]\n]+)\)\.?$",
    re.MULTILINE,
)
_NO_CHOICE = re.compile(r"\"?/(?:root|home|Users|tmp)/|\d{16}")
"""The beginning of a path on the machine that wrote the help text, and of the largest number that there is."""


def help_entries(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """The flags with a default value in the help texts of a document."""
    text = reading.document.text
    for block in reading.blocks:
        if block.kind != "code" or any(forms.inherited.search(heading) for heading in block.headings):
            continue
        # From the line's beginning: an indented block starts behind the spaces before its first line.
        start = text.rfind("\n", 0, block.start) + 1
        for flag in _FLAG.finditer(text, start, block.end):
            told_twice = forms.default_word.search(flag["meaning"])
            if not told_twice and not forms.outdated.search(flag["meaning"]) and not _NO_CHOICE.match(flag["default"]):
                yield ReferenceEntry(
                    name=flag["name"],
                    noun="",
                    default=flag["default"],
                    meaning=flag["meaning"],
                    headings=block.headings,
                    spans=((flag.start("name"), flag.end()),),
                )
