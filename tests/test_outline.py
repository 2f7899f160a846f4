"""What a document is made of: fingerprints that survive another lay-out, and nothing else."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.corpus.fingerprints import LONG, WIDTH, fingerprint, fingerprints, outline, paragraphs

PIECES = st.sampled_from(
    ["One line.", "一行字。", "一行臺灣字。", "# Head", "- item\n- item", "```\ncode\n\ncode\n```", "a b  c"]
)


@settings(max_examples=60)
@given(st.lists(st.tuples(PIECES, st.sampled_from(["\n", "\n\n", "\n \n\n"])), max_size=8))
def test_every_character_that_is_no_space_is_in_one_paragraph(parts):
    text = "".join(piece + gap for piece, gap in parts)
    spans = list(paragraphs(text))
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(a < b <= c for (a, b), (c, _) in pairwise(spans))
    assert all(text[a:b] == text[a:b].strip() for a, b in spans)
    assert len(outline(text)) == WIDTH * len(spans)


def test_a_heading_is_a_paragraph_of_its_own():
    text = "# Top\nBelow it.\n## Next\n\nMore."
    assert [text[a:b] for a, b in paragraphs(text)] == ["# Top", "Below it.", "## Next", "More."]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("It opened in 1900.", "It opened\n   in 1900.", True),
        ("车站于1900年启用，有两个站台。", "车站于1900年启用，\n有两个站台。", True),
        ("It opened in 1900.", "It opened in 1901.", False),
        ("車站於1900年啟用。", "車站於1901年啟用。", False),
    ],
)
def test_only_white_space_does_not_matter(one, other, same):
    assert (fingerprint(one) == fingerprint(other)) is same
    assert (fingerprints(outline(one)) == fingerprints(outline(other))) is same


def test_a_long_table_is_taken_line_by_line():
    lines = [f"| row {n} | {'x' * 40} |" for n in range(LONG // 40)]
    changed = [*lines[:10], "| another | row |", *lines[10:]]
    assert len(fingerprints(outline("\n".join(changed))) - fingerprints(outline("\n".join(lines)))) == 1
