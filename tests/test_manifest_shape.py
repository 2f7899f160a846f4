"""The manifest of a set as it is read: what others may have written in it is checked."""

import json
import warnings

import pytest

from synth.cli.main import main
from synth.core.declared_parts import Malformed
from synth.testset.stored_manifest import manifest_of


def stored(folder, content):
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return folder / "testset.jsonl"


@pytest.mark.parametrize(
    ("part", "left"),
    [
        ({"corpus": True}, {}),
        ({"corpus": {"outlines": {"a.md": True, "b.md": "x"}}}, {"corpus": {"outlines": {"b.md": "x"}}}),
        ({"corpus": {"documents": "a.md"}}, {"corpus": {}}),
        ({"set": {"wanted": "SECRET_KEY", "rows": 2}}, {"set": {"rows": 2}}),
        ({"set": {"goal": {"simple": -1, "reasoning": 2}}}, {"set": {"goal": {"reasoning": 2}}}),
        ({"set": {"rows": 10**60}}, {"set": {}}),
        ({"set": {"rows": True}}, {"set": {}}),
        ({"set": [1]}, {}),
        ({"history": {}}, {}),
        ({"history": ["first", {"number": 2}]}, {"history": [{"number": 2}]}),
        ({"history": [{"counts": [], "rows": 3}]}, {"history": [{"rows": 3}]}),
        ({"history": [{"changes": [5, {"reason": 7, "id": "q"}]}]}, {"history": [{"changes": [{"id": "q"}]}]}),
        ({"history": [{"documents": {"added": "a.md"}}]}, {"history": [{"documents": {}}]}),
        ({"filters": [None, {"name": "copied"}]}, {"filters": [{"name": "copied"}]}),
        ({"funnel": {"simple": {"tried": "x", "kept": 1}}}, {"funnel": {"simple": {"kept": 1}}}),
        ({"model": {"calls": float("nan")}}, {"model": {}}),
        ({"brief": ["x"], "trial": 1}, {}),
    ],
)
def test_a_part_of_a_wrong_type_is_absent_and_named(tmp_path, part, left):
    with pytest.warns(Malformed, match=r"manifest\.json: .*" + next(iter(part))):
        assert manifest_of(stored(tmp_path, {"format": 2, **part})) == {"format": 2, **left}


def test_a_manifest_that_synth_writes_is_read(tmp_path):
    written = {"format": 2, "set": {"wanted": {"simple": 1}}, "corpus": {"outlines": {"a.md": "ab"}}, "history": [{}]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert manifest_of(stored(tmp_path, written)) == written
        assert manifest_of(tmp_path / "other.jsonl") == {}


@pytest.mark.parametrize("content", [b"{", b"[" * 10**5, b"\xff", b"[1]"])
def test_what_is_no_manifest_is_named(tmp_path, content):
    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.warns(Malformed, match="the manifest"):
        assert manifest_of(tmp_path / "testset.jsonl") == {}


def test_the_command_line_names_a_malformed_part_once_in_one_line(tmp_path, capsys):
    testset = stored(tmp_path, {"history": [{"number": 1, "counts": 5, "changes": "x"}]})
    testset.write_text("", encoding="utf-8")
    assert main(["log", str(testset)]) == 0
    assert main(["diff", str(testset), str(testset)]) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if "history" in line]
    wanted = "synth: manifest.json: ignored as invalid: history[0].counts, history[0].changes"
    assert lines == [wanted, wanted]
