"""The English author: simple questions from dependency parses, judged and ranked."""

from __future__ import annotations

from synth.grammar.english.author import drafts

__all__ = ["drafts"]
