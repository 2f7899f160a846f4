"""The catalogue of messages: complete in each language, with the values that the code gives, which are escaped."""

import re
from pathlib import Path
from string import Formatter

import pytest

import synth
from synth.evaluation.messages import LANGUAGES, _catalogue, message, verbatim
from synth.evaluation.scoring import RULES
from synth.retrieval.reference import DESCRIPTIONS

PACKAGE = Path(synth.__file__).parent
GIVEN = {"description", "definition"}
"""Values that are an English text themselves."""


def entries():
    for group, texts in _catalogue().items():
        if group == "taiwan":
            continue
        for name, both in texts.items() if isinstance(texts, dict) else [("", texts)]:
            yield f"{group}.{name}" if name else group, both


def placeholders(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize(("key", "both"), entries())
def test_a_message_says_the_same_in_both_languages(key, both):
    english, chinese = both
    assert english
    assert chinese
    if placeholders(english) & GIVEN:
        assert placeholders(chinese) <= {"k", *GIVEN}
    else:
        assert placeholders(english) == placeholders(chinese)


def test_every_key_of_the_code_is_in_the_catalogue():
    known = {key for key, _ in entries()}
    used = set()
    for path in PACKAGE.joinpath("evaluation").rglob("*"):
        if path.suffix in (".py", ".html"):
            text = path.read_text(encoding="utf-8")
            used.update(re.findall(r"\b(?:message|t)\(\s*\"(\w+\.\w+)\"", text))
            used.update(f"ungraded.{name}" for name in re.findall(r"_ungraded\(\w+, \"(\w+)\"", text))
    assert len(used) > 60
    assert used - known == set()


def test_every_aspect_and_reference_retriever_has_its_texts():
    for name in RULES:
        assert message(f"aspect.{name}").in_language("zh-Hans") != message(f"rule.{name}").in_language("zh-Hans")
    assert set(_catalogue()["retriever"]) == set(DESCRIPTIONS)


def test_a_metric_without_a_text_is_explained_by_its_definition():
    for language in LANGUAGES:
        assert message("metric.brevity", k="", definition="Brevity {k}").in_language(language) == "Brevity {k}"


def test_messages_within_a_message_are_in_its_language():
    grades = [message("set.lowest_grade", aspect=message(f"aspect.{name}"), letter="E") for name in ("size", "hard")]
    lowest = message("set.lowest", grades=grades)
    assert lowest.text == "lowest grades: size (E), hard (E)"
    assert lowest.in_language("zh-Hans") == "评级最低：规模（E）、难度（E）"
    assert lowest.in_language("zh-Hant") == "評級最低：規模（E）、難度（E）"


def test_values_are_text_in_html_and_stay_as_they_are_in_traditional_chinese():
    leak = message("fault.leak", answer="<script>数据</script>")
    html = leak.__html__()
    assert "<script>" not in html
    assert html.count("&lt;script&gt;数据&lt;/script&gt;") == 3
    assert leak.in_language("zh-Hant") == "題面含有答案「<script>数据</script>」"
    assert verbatim("{x} 数据").text == verbatim("{x} 数据").in_language("zh-Hant") == "{x} 数据"
