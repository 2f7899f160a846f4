"""Lengths of sentences and words up to which a parser is given them."""

from __future__ import annotations

import re

from synth.text.prose import Sentence

_LONGEST_WORD = 500
"""Characters without a space, Chinese ones aside, that a parser is given: spaCy takes time by their square."""

_LONGEST_SENTENCE = 5000
"""Characters of a sentence that a parser is given."""

_TOO_LONG = re.compile(rf"(?<![^\s\u3400-\u9fff])[^\s\u3400-\u9fff]{{{_LONGEST_WORD + 1},}}")


class Unparsable(Exception):
    """A sentence that no parser is given."""


def check_length(sentence: Sentence) -> None:
    """Raise Unparsable for a sentence that is too long, or that has a word that is."""
    if match := _TOO_LONG.search(sentence.text):
        size = match.end() - match.start()
        raise Unparsable(f"{size} characters without a space, at most {_LONGEST_WORD} are parsed")
    if len(sentence.text) > _LONGEST_SENTENCE:
        raise Unparsable(f"a sentence of {len(sentence.text):,} characters, at most {_LONGEST_SENTENCE:,} are parsed")
