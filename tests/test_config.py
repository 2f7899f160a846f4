"""Settings: what is accepted, what is refused, and how it is said."""

import pytest

from synth.core.errors import ConfigError
from synth.core.store import Store
from synth.workflows.assembly import assemble, set_filters
from synth.workflows.settings import Settings, changed, read_settings

FULL = """
n = 20
language = "zh"
seed = 3
types = { simple = 1 }

[corpus]
include = ["*.md"]
strict = true

[chunks]
size = 200

[model]
name = "local"
base_url = "http://127.0.0.1:1/v1"
timeout_s = 5

[filters]
specific = false
copied = { max_words = 8 }
"""


def settings_of(tmp_path, text):
    path = tmp_path / "synth.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path)


def test_a_file_sets_everything_and_the_command_line_goes_before_it(tmp_path):
    settings = settings_of(tmp_path, FULL)
    assert (settings.n, settings.language, settings.seed, settings.chunks.size) == (20, "zh", 3, 200)
    assert (settings.corpus.include, settings.corpus.strict) == (("*.md",), True)
    assert settings.model.timeout_s == 5.0
    over = changed(settings, {"n": 7, "seed": None, "model.name": "other", "corpus.include": ["*.txt"]})
    assert (over.n, over.seed, over.model.name, over.model.base_url) == (7, 3, "other", "http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rows = 5", "unknown 'rows'; known: n, types"),
        ("n = 'many'", "'n' must be a whole number, was 'many'"),
        ("n = true", "'n' must be a whole number"),
        ("n = 0", "n must be at least 1, was 0"),
        ("language = 'fr'", "language must be one of auto, en, zh"),
        ("by_model = ['magic']", "by_model must be one or more of entities, summaries, was 'magic'"),
        ("types = { simple = 0 }", "types must contain"),
        ("[chunks]\nsize = 0", "size"),
        ("[corpus]\ninclude = 'a'", "field 'corpus.include' must be a list of texts"),
        ("corpus = 3", "'corpus' must be a table"),
        ("[model]\nconcurrency = 0", "concurrency"),
        ("[types]\nsimplest = 1.0", "unknown question type 'simplest'; did you mean simple?"),
        ("n = ", "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path, text, complaint):
    with pytest.raises(ConfigError) as caught:
        settings_of(tmp_path, text)
    assert complaint in str(caught.value)
    assert "synth.toml" in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ConfigError, match="cannot read the settings"):
        read_settings(tmp_path / "none.toml")


def assembled(tmp_path, **settings):
    with Store(tmp_path / "s.sqlite") as store:
        return assemble(Settings(**settings), store)


def test_filters_come_cheapest_first_and_those_with_a_model_only_with_one(tmp_path):
    without = [filter_.name for filter_ in assembled(tmp_path).filters]
    assert without.index("well_formed") < without.index("grounded") < without.index("specific")
    assert "judged" not in without
    model = changed(Settings(), {"model.name": "local"}).model
    assert [filter_.name for filter_ in assembled(tmp_path, model=model).filters][-1] == "judged"


def test_what_a_model_makes_needs_one(tmp_path):
    with pytest.raises(ConfigError, match="needs a chat model"):
        assembled(tmp_path, by_model=("entities",))
    model = changed(Settings(), {"model.name": "small"}).model
    made = assembled(
        tmp_path, transforms=("entities", "topics"), by_model=("entities", "summaries"), model=model
    ).transforms
    assert [part.name for part in made] == ["llm_entities", "topics", "llm_summaries"]
    assert all("small" in part.model for part in made if part.name != "topics")


def test_filters_are_switched_off_and_set_by_name(tmp_path):
    filters = {g.name: g for g in assembled(tmp_path, filters={"specific": False, "copied": {"max_words": 8}}).filters}
    assert "specific" not in filters
    assert filters["copied"].max_words == 8
    (duplicate,) = set_filters(Settings(filters={"duplicate": {"threshold": 0.9}}))
    assert duplicate.threshold == 0.9


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"filters": {"nice": True}}, "unknown filter 'nice'; known: answerable, copied"),
        (
            {"filters": {"copied": {"max_word": 1}}},
            "unknown threshold of filters.copied 'max_word'; did you mean max_words?",
        ),
        ({"filters": {"leaked_answer": {"x": 1}}}, "unknown threshold of filters.leaked_answer 'x'; known: max_share"),
        (
            {"filters": {"copied": {"max_words": "6"}}},
            "filters.copied.max_words must be a whole number, was '6'",
        ),
        (
            {"filters": {"copied": {"max_words": True}}},
            "filters.copied.max_words must be a whole number, was True",
        ),
        ({"filters": {"copied": 3}}, "filters.copied must be true, false or a table"),
        ({"transforms": ("magic",)}, "unknown transform 'magic'; known: entities, key_phrases"),
        ({"types": {"simplest": 1.0}}, "unknown question type 'simplest'; did you mean simple"),
    ],
)
def test_names_nobody_has_are_refused_with_the_known_ones(tmp_path, settings, complaint):
    with pytest.raises(ConfigError, match=complaint):
        assembled(tmp_path, **settings)
