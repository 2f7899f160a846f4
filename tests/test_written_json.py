"""Objects of JSON that are kept as text, and manifests that hold them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synth.core.written_json import MemberWriter, WrittenObject, indented
from synth.corpus.outlines import Outlines, OutlinesWriter

TEXTS = st.dictionaries(st.text(), st.text(), max_size=8)


def written(path: Path, members: dict[str, str]) -> WrittenObject:
    with open(path, "wb") as file:
        writer = MemberWriter(file)
        for name, value in members.items():
            writer.add(name, value)
        writer.end()
    return WrittenObject(path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS)
def test_written_objects_are_indented_as_json_does(tmp_path: Path, one: dict[str, str], other: dict[str, str]) -> None:
    kept, more = written(tmp_path / "one", one), written(tmp_path / "other", other)
    (tmp_path / "one").unlink()
    value = {"a": [1, None, {"b": kept}], "c": more, "d": {}}
    assert indented(value) == json.dumps(
        {"a": [1, None, {"b": one}], "c": other, "d": {}}, ensure_ascii=False, indent=2
    )
    assert (kept, dict(more), len(kept)) == (one, other, len(one))


def test_indented_refuses_what_json_cannot_say() -> None:
    with pytest.raises(TypeError, match="set is not a JSON value"):
        indented({"a": {1}})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS)
def test_outlines_written_one_by_one_are_those_of_all(tmp_path: Path, hashes: dict[str, str]) -> None:
    found = [(doc_id, hashes[doc_id], hashes[doc_id][::-1]) for doc_id in sorted(hashes)]
    with open(tmp_path / "documents", "wb") as documents, open(tmp_path / "outlines", "wb") as outlines:
        writer = OutlinesWriter(documents, outlines)
        for one in found:
            writer.add(*one)
        hash_of_all = writer.end()
    kept = Outlines(hash_of_all, WrittenObject(tmp_path / "documents"), WrittenObject(tmp_path / "outlines"))
    assert kept == Outlines.of(found)
