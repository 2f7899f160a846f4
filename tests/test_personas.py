import json
import re

import pytest

from synth.core.errors import ConfigError, InputError, SynthError
from synth.generation.personas import (
    Persona,
    affinity,
    nearest,
    personas_from_topics,
    read_personas,
)
from synth.text.normalise import simplified_only
from synth.workflows.assembly import check_personas
from synth.workflows.estimating import estimate
from synth.workflows.generating import generate, plan
from synth.workflows.settings import ModelSettings, Settings
from tests.corpus import corpus, graph_of

TEXTS = {
    "en": {
        "a": "The lamp of the lighthouse burns oil. A keeper cleans the lamp of the lighthouse.",
        "b": "The keeper of a lighthouse paints the tower every spring.",
        "c": "The tide rises with the moon. A chart shows every tide of the harbour.",
    },
    "zh-Hans": {
        "a": "灯塔的灯具烧油。守塔人每天擦拭灯塔的灯具。",
        "b": "灯塔的守塔人每年春天粉刷塔身。",
        "c": "潮汐随月亮涨落。海图上标有港口的每次潮汐。",
    },
    "zh-Hant": {
        "a": "燈塔的燈具燒油。守塔人每天擦拭燈塔的燈具。",
        "b": "燈塔的守塔人每年春天粉刷塔身。",
        "c": "潮汐隨月亮漲落。海圖上標有港口的每次潮汐。",
    },
}
TOPICS = {
    "en": {"a": "lighthouses", "b": "lighthouses", "c": "tides"},
    "zh-Hans": {"a": "灯塔", "b": "灯塔", "c": "潮汐"},
    "zh-Hant": {"a": "燈塔", "b": "燈塔", "c": "潮汐"},
}
LANGUAGES = tuple(TEXTS)


def categorised(language):
    graph = graph_of(corpus(**TEXTS[language]))
    for chunk in graph.chunks():
        graph.assign(chunk.chunk_id, "category", TOPICS[language][chunk.doc_id])
    return graph


@pytest.mark.parametrize("language", LANGUAGES)
def test_readers_are_made_from_topics_the_largest_first(language):
    graph = categorised(language)
    readers = personas_from_topics(graph, language, 3)
    largest, second = TOPICS[language]["a"], TOPICS[language]["c"]
    assert [largest in readers[0].name, second in readers[1].name, largest in readers[2].name] == [True] * 3
    assert len({reader.name for reader in readers}) == 3
    assert readers[0].keywords[0] == largest
    assert readers == personas_from_topics(graph, language, 3)


def test_traditional_readers_are_described_in_traditional_script():
    for reader in personas_from_topics(categorised("zh-Hant"), "zh-Hant", 8):
        assert not set(reader.name + reader.about) & simplified_only()


def test_topics_of_another_language_and_no_topics_give_no_readers():
    assert personas_from_topics(categorised("en"), "zh-Hans", 5) == ()
    assert personas_from_topics(graph_of(corpus(**TEXTS["en"])), "en", 5) == ()
    assert personas_from_topics(categorised("en"), "en", 0) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_goes_to_the_reader_of_its_topic(language):
    graph = categorised(language)
    readers = personas_from_topics(graph, language, 2)
    for doc_id, at in (("b", 0), ("c", 1)):
        text = graph.document(doc_id).text
        assert nearest(readers, text) == readers[at]
        assert affinity(readers[at], text) > affinity(readers[1 - at], text)
        assert affinity(readers[at], "", TOPICS[language][doc_id]) == 1.0


def test_a_reader_without_keywords_is_known_by_the_description():
    reader = Persona(name="pilot", about="Reads tide tables of the harbour.")
    assert affinity(reader, "The harbour has a tide table.") > 0
    assert affinity(reader, "Bread is baked at night.") == 0
    assert nearest([reader], "Bread is baked at night.") is None


def test_a_toml_file_and_a_jsonl_file_say_the_same(tmp_path):
    toml, jsonl = tmp_path / "a.toml", tmp_path / "a.jsonl"
    toml.write_text(
        '[[persona]]\nname = "a pilot"\nabout = "每天引船进港，要核对海流和海图。"\nkeywords = ["tide", "潮汐"]\nstyle = "keywords"\n',
        encoding="utf-8",
    )
    entry = {
        "name": "a pilot",
        "about": "每天引船进港，要核对海流和海图。",
        "keywords": ["tide", "潮汐"],
        "style": "keywords",
    }
    jsonl.write_text("\n" + json.dumps(entry, ensure_ascii=False) + "\n", encoding="gb18030")
    wanted = (
        Persona(name="a pilot", about="每天引船进港，要核对海流和海图。", keywords=("tide", "潮汐"), style="keywords"),
    )
    assert read_personas(toml) == read_personas(jsonl) == wanted


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.toml", "[[persona]]\nname = 3\nabout = 'x'", r"field 'persona\[0\].name' must be a text"),
        ("p.toml", "[[persona]]\nname = 'x'", r"field 'persona\[0\].about'"),
        ("p.toml", "name = 'x'", "unknown 'name'; known: persona"),
        ("p.toml", "[[persona]\n", "not TOML"),
        ("p.jsonl", '{"name": "a", "about": "b", "age": 3}', "p.jsonl:1: unknown 'age'"),
        ("p.jsonl", '{"name": "a", "about": "b"}\n{', "p.jsonl:2: not JSON"),
        ("p.jsonl", '{"name": "a", "about": "b", "style": "loud"}', "field 'style' must be one of plain"),
        ("p.jsonl", '{"name": "a", "about": "b", "keywords": "c"}', "field 'keywords' must be a list"),
        ("p.jsonl", "[1]", "must be an object"),
        ("p.jsonl", "\n", "contains no persona"),
        ("p.jsonl", '{"name": "a", "about": "b"}\n{"name": "a", "about": "c"}', "name 'a' 2 times"),
    ],
)
def test_a_damaged_file_is_explained(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SynthError, match=said):
        read_personas(path)


def test_a_missing_file_is_explained(tmp_path):
    with pytest.raises(ConfigError, match="cannot read the personas"):
        read_personas(tmp_path / "none.toml")
    with pytest.raises(InputError, match="cannot read"):
        read_personas(tmp_path / "none.jsonl")


CHAT = ModelSettings(name="m", base_url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    "run",
    [
        lambda given: generate(["none"], "t.jsonl", given),
        lambda given: plan(["none"], given),
        lambda given: estimate(["none"], given),
    ],
)
def test_topics_that_no_transform_finds_are_refused_before_anything_is_read(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ConfigError, match="add --transforms entities,key_phrases,topics,near_duplicates,references, or"
    ):
        run(Settings(personas="topics", model=CHAT))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "given",
    [
        {"model": CHAT},
        {"model": CHAT, "transforms": ("references", "entities")},
        {"model": CHAT, "transforms": ("entities", "key_phrases", "near_duplicates", "references")},
        {"transforms": ("similarity",)},
    ],
)
def test_the_transforms_that_the_message_names_find_topics(given):
    with pytest.raises(ConfigError) as caught:
        check_personas(Settings(personas="topics", **given))
    named = re.search(r"--transforms (\S+),", str(caught.value))[1]
    check_personas(Settings(personas="topics", **{**given, "transforms": tuple(named.split(","))}))


@pytest.mark.parametrize("given", [{"personas": "topics"}, {"personas": "own.toml", "model": CHAT}, {"model": CHAT}])
def test_other_personas_need_no_transform(given):
    check_personas(Settings(**given))
