"""The manifest of a set as it is read: what others may have written in it is checked."""

import json

import pytest

from synth.testset.manifest import manifest_of


@pytest.mark.parametrize(
    "part",
    [
        {"corpus": True},
        {"corpus": {"outlines": {"a.md": True}}},
        {"corpus": {"documents": "a.md"}},
        {"set": {"wanted": "SECRET_KEY"}},
        {"set": [1]},
        {"history": {}},
        {"history": ["first"]},
        {"model": 7},
    ],
)
def test_a_manifest_of_other_types_is_as_good_as_none(tmp_path, part):
    output = tmp_path / "testset.jsonl"
    (tmp_path / "manifest.json").write_text(json.dumps({"format": 2, "set": {"rows": 1}, **part}), encoding="utf-8")
    assert manifest_of(output) == {}


def test_a_manifest_that_synth_writes_is_read(tmp_path):
    written = {"format": 2, "set": {"wanted": {"simple": 1}}, "corpus": {"outlines": {"a.md": "ab"}}, "history": [{}]}
    (tmp_path / "manifest.json").write_text(json.dumps(written), encoding="utf-8")
    assert manifest_of(tmp_path / "testset.jsonl") == written
