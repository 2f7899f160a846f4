"""The parsers: what they load, and that a parse does not depend on what is parsed with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from synth.core.store import Store
from synth.grammar.parsing import pack_english
from synth.grammar.reading import Reading, prepare_together
from tests.corpus import document

CORPORA = Path(__file__).parents[2] / "corpora"

PARSED = """
import sys
from synth.core.records import Document, text_hash
from synth.grammar.reading import Reading
text = "# Kell\\n\\nThe Kell lighthouse was built in 1811.\\n"
reading = Reading(
    Document(doc_id="d", source="d", title="", text=text, content_hash=text_hash(text), metadata={"format": "markdown"})
)
assert [doc.text for doc in reading.parsed] == ["The Kell lighthouse was built in 1811."], reading.parsed
assert [doc.text for doc in reading.parsed_headings] == ["Kell"]
assert "torch" not in sys.modules
import torch
"""


def test_english_is_parsed_without_torch_which_can_be_imported_afterwards() -> None:
    subprocess.run([sys.executable, "-c", PARSED], check=True)


@pytest.fixture(scope="module")
def documents():
    """Documents of both corpora, and two without a sentence or a language."""
    paths = [path for language in ("en", "zh") for path in sorted((CORPORA / language).rglob("*.md"))[:6]]
    read = [document(path.name, path.read_text(encoding="utf-8")) for path in paths]
    return [*read, document("empty.md", ""), document("code.md", "    0 1 2\n")]


def test_documents_parsed_together_are_parsed_as_each_alone(documents):
    alone = [Reading(one) for one in documents]
    together = [Reading(one) for one in documents]
    prepare_together(together)
    for one, other in zip(alone, together, strict=True):
        assert "_parses" in other.__dict__ or one.language == "other"
        for parse, same in zip(one.parsed + one.parsed_headings, other.parsed + other.parsed_headings, strict=True):
            if one.is_chinese:
                assert parse == same
            else:
                assert pack_english([parse]) == pack_english([same])


def test_what_is_kept_is_not_parsed_again_and_the_rest_is_kept(documents, tmp_path):
    with Store(tmp_path / "synth.sqlite") as store:
        Reading(documents[0], store).prepare()
        readings = [Reading(one, store) for one in documents]
        prepare_together(readings)
        assert "_parses" not in readings[0].__dict__
        assert store.count("parse") == sum(reading.language != "other" for reading in readings)
        parses = [[*reading.parsed, *reading.parsed_headings] for reading in readings]
        again = [Reading(one, store) for one in documents]
        assert [len(one.parsed + one.parsed_headings) for one in again] == [*map(len, parses)]


@pytest.mark.parametrize(
    ("line", "head", "language"),
    [
        ("用过Born Free,NUK,Avent", "名称 | 品牌 | 备注", "zh-Hans"),
        ("用過Born Free,NUK,Avent", "名稱 | 品牌 | 備註", "zh-Hant"),
        ("We have used Born Free, NUK and Avent.", "Name | Brand | Note", "en"),
        (
            "The bottles that we have used, with a note on what is good and what is not good about each of them. " * 2,
            "名称 | 品牌 | 备注",
            "en",
        ),
    ],
)
def test_a_line_of_names_says_less_of_the_language_than_the_table_below_it(line, head, language):
    row = "Storage Bags | NUK | 一直很好用" if language.startswith("zh") else "Storage Bags | NUK | good"
    text = f"{line}\n\n{head}\n--- | --- | ---\n{row}\n"
    assert Reading(document("a.md", text)).language == language
