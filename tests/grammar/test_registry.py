"""Languages are folders: those of the package, and a third one."""

import json
from pathlib import Path

import pytest

import synth.grammar
from synth.core.errors import ConfigError
from synth.core.records import Document, text_hash
from synth.grammar import author, registry
from synth.grammar.reading import Reading
from tests.transforms.made import MemoryStore

TEXT = "waso Tomo li lape lon kasi suli.\n\njan Sonja li pana e kili tawa waso.\n\nni: kili mute."


@pytest.fixture
def toy(monkeypatch):
    """The toy language's folder as one beside those of the package."""
    monkeypatch.setattr(synth.grammar, "__path__", [*synth.grammar.__path__, str(Path(__file__).parent)])
    registry.packs.cache_clear()
    yield
    registry.packs.cache_clear()


def reading(cache=None):
    document = Document(doc_id="d", source="d", title="", text=TEXT, content_hash=text_hash(TEXT), metadata={})
    return Reading(document, cache)


def test_the_languages_of_the_package():
    assert author.languages() == ["en", "zh-Hans", "zh-Hant"]
    assert reading().language == "other"
    assert author.drafts(reading()) == []


def test_a_third_language_is_a_folder(toy):
    store = MemoryStore()
    assert author.languages() == ["en", "tok", "zh-Hans", "zh-Hant"]
    assert reading(store).language == "tok"
    found = author.drafts(reading(store), store)
    assert [(draft.question, draft.golden_answers[0]) for draft in found] == [
        ("waso Tomo li seme?", "lape lon kasi suli"),
        ("jan Sonja li seme?", "pana e kili tawa waso"),
    ]
    assert author.drafts(reading(store), store) == found, "kept as they were made"


def test_two_packs_of_one_language_are_refused(toy, monkeypatch):
    monkeypatch.setattr(registry, "_foreign", lambda: [registry._own()[0]])
    with pytest.raises(ConfigError, match="have the language"):
        registry.packs()


def test_a_run_asks_in_a_third_language(toy, tmp_path, capsys):
    from synth.cli.main import main

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "waso.txt").write_text(TEXT, encoding="utf-8")
    place = ["--workspace", str(tmp_path / "ws"), "--quiet"]
    code = main(["generate", str(tmp_path / "docs"), "-o", str(tmp_path / "set.jsonl"), "-n", "1", *place])
    assert code == 0, capsys.readouterr().err
    row = json.loads((tmp_path / "set.jsonl").read_text(encoding="utf-8"))
    assert row["metadata"]["language"] == "tok"


def test_a_type_that_a_language_does_not_give_names_a_model(toy, tmp_path, capsys):
    from synth.cli.main import main

    (tmp_path / "waso.txt").write_text(TEXT, encoding="utf-8")
    place = ["--workspace", str(tmp_path / "ws"), "--quiet"]
    for kind in ("reasoning", "conditional"):
        code = main(["generate", str(tmp_path), "-o", str(tmp_path / "s.jsonl"), "--types", f"{kind}=1", *place])
        said = capsys.readouterr().err
        assert code == 5
        assert "--llm" in said
