"""The page of a character, from the offsets where the pages of a document begin."""

from __future__ import annotations

import pytest

from synth.core.records import Document
from synth.generation.evidence_pages import page_at


@pytest.mark.parametrize(
    ("starts", "offset", "page"),
    [([0, 40, 80], 0, 1), ([0, 40, 80], 39, 1), ([0, 40, 80], 40, 2), ([0, 40, 40], 41, 3), ([2, 9], 0, 1), ([], 5, None), (3, 5, None)],
)  # fmt: skip
def test_the_page_is_the_last_that_begins_before_the_character(starts: object, offset: int, page: int | None) -> None:
    document = Document(doc_id="a.pdf", source="a.pdf", title="", text="", content_hash="", metadata={"pages": starts})
    assert page_at(document, offset) == page
