"""Flags that the help text of a command tells in a block of code."""

from __future__ import annotations

import pytest

from synth.grammar.reading import Reading
from tests.corpus import document
from tests.grammar.sentences import drafts

PAGE = """# {title}

{prose}

### {heading}

```
  -h, --help                    help for the gate
{flag}
```
"""
ENGLISH = "The gate of the mill lets the water of the pond in at night."
CHINESE = "水车旁边的水闸每天晚上打开，让水塘里的水流进来。"


def asked(flag: str, title: str = "mill gate", heading: str = "Options", prose: str = ENGLISH) -> dict[str, str]:
    text = PAGE.format(title=title, prose=prose, heading=heading, flag=flag)
    found = drafts(Reading(document("d.md", text, title=title)))
    for draft in found:
        assert all(draft.golden_answers[0] in text[start:end] for start, end in draft.spans)
    return {draft.question: draft.golden_answers[0] for draft in found if draft.worth}


@pytest.mark.parametrize(
    ("flag", "name", "value"),
    [
        ('      --side string            side of the gate (default "north")', "--side", "north"),
        ("  -t, --wait-time duration     time to wait for water (default 5m0s)", "--wait-time", "5m0s"),
        ("      --open=true              open the gate at night (default true)", "--open", "true"),
        ("      --mill.gate-rate float   rate of the water (default: 0.5).", "--mill.gate-rate", "0.5"),
    ],
)
def test_a_flag_is_asked_for_its_default_with_its_command(flag: str, name: str, value: str) -> None:
    assert asked(flag) == {f"What is the default value of {name} in mill gate?": value}
    noun = "" if "." in name else "参数 "
    assert asked(flag, prose=CHINESE) == {f"mill gate 中，{noun}{name} 的默认值是什么？": value}


def test_the_command_of_a_flag_may_be_a_heading_above() -> None:
    text = (
        f'## mill start\n\n{ENGLISH}\n\n### Options\n\n```\n  --side string   side of the gate (default "north")\n```\n'
    )
    (draft,) = drafts(Reading(document("d.md", text, title="start")))
    assert draft.question == "What is the default value of --side in mill start?"


@pytest.mark.parametrize(
    ("flag", "changes"),
    [
        (
            '      --side string   side of the gate (default "north")',
            {"heading": "Options inherited from parent commands"},
        ),
        ('      --side string   side of the gate (default "north")', {"heading": "繼承的選項", "prose": CHINESE}),
        ('      --side string   side of the gate (default "north")', {"title": "The gates of mills"}),
        ('      --side string   side of the gate (default "/home/keeper/gate")', {}),
        ("      --side int   side of the gate, default 1 (default 2)", {}),
        ("      --side uint   side of the gate (default 18446744073709551615)", {}),
        ('      --side string   deprecated: side of the gate (default "north")', {}),
        ("      --side strings   sides of the gate (default [north,south])", {}),
        ("      --side string   side of the gate", {}),
        ("      --side string   side of the gate (default north\n  or south)", {}),
    ],
)
def test_other_flags_are_not_asked_for(flag: str, changes: dict[str, str]) -> None:
    assert asked(flag, **changes) == {}
