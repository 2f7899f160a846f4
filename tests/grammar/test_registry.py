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

TEXT = """# Urba biblioteko

La biblioteko pruntas librojn al ĉiu loĝanto.

## Postuloj

- karto de membro
- aktuala foto

## Libroj

| Libro | Prezo (eŭroj) | Paĝoj | Aŭtoro |
| --- | --- | --- | --- |
| La Maro | 12 | 210 | Ana Lum |
| La Monto | 9 | 130 | Karlo Ŝtono |
| La Rivero | 15 | 95 | Eva Kampo |
"""


@pytest.fixture
def third(monkeypatch):
    """The folder of a third language as one beside those of the package."""
    monkeypatch.setattr(synth.grammar, "__path__", [*synth.grammar.__path__, str(Path(__file__).parent)])
    registry.packs.cache_clear()
    yield
    registry.packs.cache_clear()


def reading(cache=None):
    metadata = {"format": "markdown"}
    return Reading(
        Document(
            doc_id="d", source="d", title="Urba biblioteko", text=TEXT, content_hash=text_hash(TEXT), metadata=metadata
        ),
        cache,
    )


def test_the_languages_of_the_package():
    assert author.languages() == ["en", "zh-Hans", "zh-Hant"]
    assert reading().language == "other"
    assert author.drafts(reading()) == []


def test_a_third_language_is_a_folder_of_tables(third):
    store = MemoryStore()
    assert author.languages() == ["en", "eo", "zh-Hans", "zh-Hant"]
    assert reading(store).language == "eo"
    found = {draft.question: draft.golden_answers[0] for draft in author.drafts(reading(store), store)}
    assert found["Kiuj estas la postuloj de Urba biblioteko?"] == "karto de membro; aktuala foto"
    assert found["Kiom estas la prezo de La Monto?"] == "9 eŭroj"
    assert found["Kio estas la aŭtoro de La Maro?"] == "Ana Lum"
    assert found["Kiom da paĝoj havas La Rivero?"] == "95"
    assert found["Kiu libro havas la plej altan prezo?"] == "La Rivero"
    assert {draft.question for draft in author.drafts(reading(store), store)} == set(found), "kept as they were made"


def test_two_packs_of_one_language_are_refused(third, monkeypatch):
    monkeypatch.setattr(registry, "_foreign", lambda: [registry._own()[0]])
    with pytest.raises(ConfigError, match="declare the language"):
        registry.packs()


def test_a_run_asks_in_a_third_language(third, tmp_path, capsys):
    from synth.cli.main import main

    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "biblioteko.md").write_text(TEXT, encoding="utf-8")
    place = ["--workspace", str(tmp_path / "ws"), "--quiet"]
    code = main(["generate", str(tmp_path / "docs"), "-o", str(tmp_path / "set.jsonl"), "-n", "3", *place])
    assert code == 0, capsys.readouterr().err
    rows = [json.loads(line) for line in (tmp_path / "set.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["metadata"]["language"] for row in rows} == {"eo"}
    assert {row["metadata"]["question_type"] for row in rows} == {"simple", "reasoning"}


def test_a_type_that_a_language_does_not_give_names_a_model(third, tmp_path, capsys):
    from synth.cli.main import main

    (tmp_path / "biblioteko.md").write_text(TEXT, encoding="utf-8")
    place = ["--workspace", str(tmp_path / "ws"), "--quiet"]
    code = main(["generate", str(tmp_path), "-o", str(tmp_path / "s.jsonl"), "--types", "conditional=1", *place])
    assert code == 5
    assert "--llm" in capsys.readouterr().err
