"""Runs that stop before they pay for what cannot be used: equal failures in a row, and a store without room."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from synth.core.errors import InputError, NoRoom, RepliesUnusable
from synth.core.store import Store
from synth.models.chat.base import RawReply, Request
from synth.models.chat.circuit_breaker import STOP_AFTER
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.scripted import Said, ScriptedModel

from .parts import jobs, results

TEXTS = [str(number) for number in range(60)]
UNUSABLE: dict[str, Said] = {
    "unparsable": "Sure!\x1b[2J Here it is",
    "schema": {"reply": "Sure! Here it is"},
    "empty": "",
    "refused": RawReply(text="I cannot help", finish_reason="refusal"),
    "truncated": RawReply(text='{"answer": "an', finish_reason="length"),
}
Usage = namedtuple("Usage", "total used free")


@pytest.mark.parametrize("concurrency", [1, 8])
@pytest.mark.parametrize("kind", UNUSABLE)
def test_a_model_that_always_fails_alike_ends_the_run(kind: str, concurrency: int) -> None:
    model = ScriptedModel(lambda _: UNUSABLE[kind])
    with pytest.raises(RepliesUnusable, match=f"{STOP_AFTER} requests in a row") as ended:
        list(Driver({"author": model}, sending=Sending(slots=Slots(concurrency))).run(jobs(*TEXTS)))
    assert len(model.calls) <= 4 * max(STOP_AFTER, concurrency)
    assert "--resume" in str(ended.value)
    assert ended.value.exit_code == 9
    if kind in ("unparsable", "schema"):
        assert "Here it is" in str(ended.value)
        assert "\x1b" not in str(ended.value)


def test_what_fails_while_others_succeed_ends_nothing() -> None:
    def answer(request: Request) -> Said:
        number = int(request.messages[1].content)
        return {"answer": "good"} if number % STOP_AFTER == 0 else "bad"

    model = ScriptedModel(answer)
    outcomes = results(Driver({"author": model}, sending=Sending(slots=Slots(1))).run(jobs(*TEXTS)))
    assert [value for _, value in outcomes] == ["unparsable" if n % STOP_AFTER else "good" for n in range(60)]


def test_a_model_whose_second_try_is_good_ends_nothing() -> None:
    model = ScriptedModel(lambda request: {"answer": "good"} if len(request.messages) > 2 else "bad")
    outcomes = results(Driver({"author": model}, sending=Sending(slots=Slots(8))).run(jobs(*TEXTS)))
    assert {value for _, value in outcomes} == {"good"}


def test_the_excerpt_hides_what_an_endpoint_keeps_secret() -> None:
    class Telling(ScriptedModel):
        def hidden(self, text: str) -> str:
            return text.replace("secret", "***")

    with pytest.raises(RepliesUnusable, match=r"\*\*\* is said") as ended:
        list(Driver({"author": Telling(lambda _: "secret is said")}).run(jobs(*TEXTS)))
    assert "secret" not in str(ended.value)
    address = "http://localhost:9/v1?token=abcdefghij"
    assert "abcdefghij" not in OpenAIModel("m", base_url=address).hidden("it said abcdefghij")


@pytest.mark.parametrize("concurrency", [1, 8])
def test_nothing_is_sent_whose_reply_finds_no_room(
    concurrency: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = [10**9]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 0, free[0]))

    def answer(_: Request) -> Said:
        if len(model.calls) == 10:
            free[0] = 1000
        return {"answer": "good"}

    model = ScriptedModel(answer)
    for _ in range(2):
        with Store(tmp_path / "s.sqlite") as store, pytest.raises(NoRoom, match="make room"):
            list(Driver({"author": model}, store, Sending(slots=Slots(concurrency))).run(jobs(*TEXTS)))
        assert len(model.calls) == 10
    free[0] = 10**9
    with Store(tmp_path / "s.sqlite") as store:
        assert len(results(Driver({"author": model}, store).run(jobs(*TEXTS)))) == len(TEXTS)
    assert len(model.calls) == len(TEXTS)


def test_room_is_reserved_for_every_request_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    with Store(tmp_path / "s.sqlite") as store:
        monkeypatch.setattr(store, "check_room", asked.append)
        list(Driver({"author": ScriptedModel(lambda _: {"answer": "a"})}, store).run(jobs("a", max_tokens=1000)))
        one = asked[0]
        list(Driver({"author": ScriptedModel(lambda _: {"answer": "a"})}, store).run(jobs("b", max_tokens=2000)))
    assert one > 8 * 1000
    assert asked[1] - one == 8 * 1000


def test_a_reply_that_the_store_refuses_ends_the_run() -> None:
    class Refusing:
        def get(self, kind: str, key: str) -> None:
            return None

        def put(self, kind: str, key: str, value: bytes) -> None:
            raise InputError("the store cannot be used: disk is full; make room")

    model = ScriptedModel(lambda _: {"answer": "a"})
    with pytest.raises(NoRoom, match="no further request was sent: the store cannot be used"):
        list(Driver({"author": model}, Refusing(), Sending(slots=Slots(1))).run(jobs(*TEXTS)))
    assert len(model.calls) == 1
