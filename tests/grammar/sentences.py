"""The drafts on entries, glossaries and headings that ask, without those on what the structure says."""

from synth.grammar import author
from synth.grammar.structure.author import PATTERNS


def drafts(reading):
    return [draft for draft in author.drafts(reading) if draft.pattern not in PATTERNS]
