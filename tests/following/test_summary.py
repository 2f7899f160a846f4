"""The summary of an update for a pull request."""

from synth.testset.update.summary import markdown


def test_every_document_is_counted():
    text = markdown("set", [], [], {}, {"changed": ["a.md", "b.md", "c.md"], "removed": ["d.md"]})
    assert "<summary>Documents (4)</summary>" in text
    assert "Documents: 3 changed, 1 removed." in text
