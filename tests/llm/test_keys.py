from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.models.chat.api_keys import Key, redact

SECRET = "sk-abcdefghijklmnop"


def test_a_key_hides_itself() -> None:
    key = Key(f" {SECRET}\n")
    assert key.reveal() == SECRET
    assert SECRET not in f"{key} {key!r} {[key]}"
    for write in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="must not be written"):
            write(key)


def test_a_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", SECRET)
    key = Key.from_environment("MY_KEY")
    assert key is not None
    assert key.reveal() == SECRET
    monkeypatch.setenv("MY_KEY", "  ")
    assert Key.from_environment("MY_KEY") is None
    monkeypatch.delenv("MY_KEY")
    assert Key.from_environment("MY_KEY") is None


def test_a_key_comes_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text(SECRET + "\n")
    assert Key.from_file(path).reveal() == SECRET
    with pytest.raises(ConfigError, match="missing with the API key cannot be read: No such file"):
        Key.from_file(tmp_path / "missing")


@pytest.mark.parametrize("wrong", ["", " \n", "two\nlines", "密钥"])
def test_what_cannot_be_a_key_is_refused_without_showing_it(wrong: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Key(wrong)
    assert not wrong.strip() or wrong not in str(raised.value)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"key {SECRET} is wrong", "key *** is wrong"),
        (f"{SECRET}{SECRET}", "***"),
        ("starts with sk-abcdef...", "starts with ***..."),
        ("a密钥ijklmnop尾", "a密钥***尾"),
        ("abcdefg is too short a part", "abcdefg is too short a part"),
        ("nothing here", "nothing here"),
    ],
)
def test_a_secret_and_its_parts_are_hidden(text: str, shown: str) -> None:
    assert redact(text, [SECRET, "none"]) == shown


@given(st.text(), st.text(), st.integers(0, 11))
def test_no_eight_characters_of_a_secret_stay(before: str, after: str, start: int) -> None:
    shown = redact(before + SECRET[start:] + after, [SECRET])
    assert not any(SECRET[i : i + 8] in shown for i in range(len(SECRET) - 7))
