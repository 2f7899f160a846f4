import json
from dataclasses import replace

import pytest

from synth.core.errors import InputError
from synth.generation.query_log import LogProfile, QuestionTraits, read_log

LOG = (
    "When was the Kell lighthouse opened?",
    "Do you know who built the Kell lighthouse?",
    "kell lighthouse height",
    "凯尔灯塔是哪一年建成的？",
    "请问一下，凯尔灯塔在哪里呀？",
    "凱爾燈塔由誰負責看守？",
)


def write(path, lines, encoding="utf-8"):
    path.write_bytes("\n".join(lines).encode(encoding))
    return path


@pytest.mark.parametrize("field", ["question", "query", "text"])
def test_a_log_of_objects_is_read(tmp_path, field):
    lines = [json.dumps({field: question, "user": 7}, ensure_ascii=False) for question in LOG]
    assert read_log(write(tmp_path / "log.jsonl", lines)).questions == LOG


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_log_of_lines_is_read_in_several_encodings(tmp_path, encoding):
    log = read_log(write(tmp_path / "log.txt", [*LOG[3:5], "", *LOG[3:5]], encoding))
    assert log.questions == (*LOG[3:5], *LOG[3:5])


def test_a_damaged_line_is_named_and_costs_only_itself(tmp_path):
    lines = ['{"question": "What is Kell?"}', "{", "[1]", '{"q": 1}', '{"question": 3}', '"Who built Kell?"', '"?!"']
    log = read_log(write(tmp_path / "log.jsonl", lines))
    assert log.questions == ("What is Kell?", "Who built Kell?")
    assert [damaged.line for damaged in log.damaged] == [2, 3, 4, 5, 7]
    assert "log.jsonl:4: the line has none of the fields question, query, text" in [
        damaged.reason for damaged in log.damaged
    ]


@pytest.mark.parametrize(
    ("name", "text", "questions"),
    [
        ("array.json", '[{"question": "When?"},\n {"query": "Who?"}]', ("When?", "Who?")),
        ("array.jsonl", '["When?", "Who?"]', ("When?", "Who?")),
        ("object.json", '{\n "question": "When?"\n}', ("When?",)),
        ("brace.txt", "{name} what is it?\nWho?", ("{name} what is it?", "Who?")),
        ("texts.txt", '"When?"\n"Who?"', ("When?", "Who?")),
        ("old.txt", "When?\rWho?\r\nWhy?", ("When?", "Who?", "Why?")),
        ("null.jsonl", '{"question": null, "query": "When?"}\n{"question": "", "text": "Who?"}', ("When?", "Who?")),
    ],
)
def test_a_log_is_read_however_it_is_laid_out(tmp_path, name, text, questions):
    log = read_log(write(tmp_path / name, [text]))
    assert log.questions == questions
    assert log.damaged == ()


@pytest.mark.parametrize(
    ("asked", "other"),
    [
        ("When was the lighthouse built?", "When was the lighthouse not built?"),
        ("When was the upper Kell lighthouse built?", "When was the lower Kell lighthouse built?"),
        ("Which lamps are lit in winter?", "Which lamps aren't lit in winter?"),
    ],
)
def test_a_negation_or_a_contrast_makes_another_question(asked, other):
    profile = LogProfile([asked])
    assert profile.repeats(asked.lower())
    assert not profile.repeats(other)


def test_a_question_of_no_known_language_is_compared_in_the_language_of_the_log():
    assert LogProfile(["灯塔"], "zh-Hans").mix("language") == {"zh-Hans": 1}


@pytest.mark.parametrize("lines", [[], ["", "  "], ['{"q": 1}']])
def test_an_empty_log_is_an_error(tmp_path, lines):
    with pytest.raises(InputError, match="contains no question"):
        read_log(write(tmp_path / "log.jsonl", lines))
    with pytest.raises(InputError, match="cannot read"):
        read_log(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="at least one question"):
        LogProfile([])


def test_the_mix_counts_languages_styles_lengths_and_kinds():
    profile = LogProfile(LOG)
    assert profile.mix("language") == {"en": 3, "zh-Hans": 2, "zh-Hant": 1}
    assert profile.mix("style") == {"plain": 3, "conversational": 2, "keywords": 1}
    assert profile.mix("kind") == {"when": 2, "who": 2, "other": 1, "where": 1}
    assert profile.mix("length") == {"short": 5, "medium": 1} or profile.mix("length") == {"short": 6}


def test_shares_are_of_what_was_asked_in_any_language_and_add_up():
    profile = LogProfile(LOG)
    assert sum(
        profile.share(cell) for cell in {replace(cell, language="en") for cell in profile.cells}
    ) == pytest.approx(1)
    asked = QuestionTraits.of("Who painted the Kell lighthouse?", "en")
    assert profile.share(replace(asked, language="zh-Hant")) == profile.share(asked) > 0
    assert profile.share(replace(asked, style="formal")) == 0


@pytest.mark.parametrize(
    "question",
    [
        "when was the kell lighthouse opened",
        "When was the Kell Lighthouse opened?",
        "When was Kell lighthouse opened?",
        "When was it that the Kell lighthouse opened?",
        "凯尔灯塔是哪一年建成？",
        "凱爾燈塔是哪一年建成的？",
        "凱爾燈塔 由誰負責看守?",
    ],
)
def test_a_question_of_the_log_is_never_repeated(question):
    assert LogProfile(LOG).repeats(question)


@pytest.mark.parametrize(
    "question",
    [
        "When was the Orm lighthouse opened?",
        "Why was the Kell lighthouse opened?",
        "Who paints the tower?",
        "凯尔灯塔是哪一年拆除的？",
        "奥姆灯塔由谁负责看守？",
        "凯尔灯塔的灯具烧什么？",
    ],
)
def test_another_question_may_be_asked(question):
    assert not LogProfile(LOG).repeats(question)


def test_the_order_of_the_log_changes_nothing():
    assert LogProfile(tuple(reversed(LOG))).cells == LogProfile(LOG).cells
