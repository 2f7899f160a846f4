import pytest

from synth.core.records import Entity
from synth.corpus.analysis.salience import Traits, about, binding, folded


def traits(name, kind="name", *others):
    return Traits.of(Entity(entity_id="e", name=name, kind=kind, surface_forms=(name, *others)))


def test_a_title_and_frequency_say_what_a_passage_is_about():
    named = {times: about(times, 200, 20, opens=False, titled=False) for times in (1, 2, 4)}
    assert named[1] < named[2] < named[4] <= 1.0
    assert about(1, 200, 20, opens=False, titled=True) == 1.0
    assert about(1, 200, 20, opens=True, titled=False) > named[1]


def test_one_of_many_names_in_a_list_is_not_what_a_passage_is_about():
    assert about(1, 100, 30, opens=False, titled=False) < about(1, 100, 5, opens=False, titled=False)


@pytest.mark.parametrize(
    ("broad", "telling"),
    [
        ("United Kingdom", "Rivermark Library"),
        ("日本", "河岸图书馆"),
        ("臺灣", "河岸圖書館"),
        ("French", "harbour_tool"),
    ],
)
def test_a_country_named_in_passing_binds_less_than_a_telling_name(broad, telling):
    passing = 0.4
    assert binding(traits(broad), 1.0, passing, passing) < 0.1
    assert binding(traits(telling, "code" if "_" in telling else "name"), 1.0, passing, passing) > 0.3
    assert binding(traits(broad), 1.0, 1.0, 1.0) == 1.0


def test_a_last_name_alone_may_be_of_two_people():
    assert (
        binding(traits("Keller", "person"), 1.0, 0.5, 0.5)
        < 0.3
        < binding(traits("Maria Keller", "person"), 1.0, 0.5, 0.5)
    )
    assert binding(traits("Frederick II", "person"), 1.0, 0.5, 0.5) < 0.3


def test_what_is_all_over_binds_only_what_is_about_it():
    assert binding(traits("Tideline Server"), 0.1, 0.5, 0.5) < 0.2 < binding(traits("Tideline Server"), 0.1, 1.0, 1.0)


@pytest.mark.parametrize(
    ("name", "title", "found"),
    [
        ("port", "The old port of Venn", True),
        ("port", "The old airport", False),
        ("港务局", "港務局的歷史", True),
        ("港務局", "港务局", True),
        ("Kenya", "Kenya", True),
        ("Japan", "Railways of western Japan after the war", False),
        ("日本", "日本国有铁路電力列車", False),
    ],
)
def test_names_in_titles(name, title, found):
    assert traits(name).in_title([folded(title)]) is found
