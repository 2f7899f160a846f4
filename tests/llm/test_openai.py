"""The OpenAI adapter and the driver together, over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from synth.core.errors import ConfigError, ModelError
from synth.core.store import Store
from synth.models.chat.api_keys import Key
from synth.models.chat.base import Fault
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.retries import Retries

from .parts import SCHEMA, jobs, request, results, run_one
from .server import Act, Behaviour, Body, ChatServer, Misdeed, Reply, Status

SECRET = "sk-proj-Zx81kQ0vLmN7pRt2"
Serve = Callable[[Behaviour | Act], ChatServer]
FAST = Retries(first_pause=0.01, longest_pause=0.02)


def said(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])


def echo(body: dict[str, Any], number: int) -> Act:
    return json.dumps({"answer": f"<{said(body)}>"})


def first(*acts: Act) -> Behaviour:
    """Do `acts` one after another, then answer well."""
    return lambda body, number: acts[number] if number < len(acts) else echo(body, number)


def driver_of(server: ChatServer, cache: Store | None = None, **settings: Any) -> Driver:
    model = OpenAIModel("m", base_url=server.url, key=Key(SECRET))
    return Driver({"author": model}, cache, Sending(**{"retries": FAST, "timeout_s": 5.0, **settings}))


def fatal(driver: Driver) -> str:
    """The one line with which a run of many jobs ends at once."""
    with pytest.raises(ModelError) as raised:
        list(driver.run(jobs(*map(str, range(20)))))
    message = str(raised.value)
    assert SECRET not in "".join(traceback.format_exception(raised.value))
    assert "\n" not in message
    assert len(message) < 500
    return message


def test_many_jobs_at_once_come_back_in_order_and_within_the_limit(serve: Serve) -> None:
    together = threading.Barrier(4)

    def behave(body: dict[str, Any], number: int) -> Act:
        if number < 4:
            together.wait(10)
        return echo(body, number)

    server = serve(behave)
    driver = driver_of(server, slots=Slots(4))
    assert results(driver.run(jobs(*(f"问题{n}" for n in range(30))))) == [
        (f"问题{n}", f"<问题{n}>") for n in range(30)
    ]
    assert server.most_in_flight == 4
    assert len(server.bodies) == 30
    assert driver.accounts.total("prompt_tokens") == 300
    assert driver.accounts.total("completion_tokens") == 150


def test_what_is_sent(serve: Serve) -> None:
    server = serve(echo)
    model = OpenAIModel(
        "m", base_url=server.url + "/", key=Key(SECRET), headers={"X-Title": "synth"}, parameters={"top_p": 0.5}
    )
    run_one(Driver({"author": model}))
    (body,), (headers,) = server.bodies, server.headers
    assert headers["authorization"] == f"Bearer {SECRET}"
    assert headers["x-title"] == "synth"
    assert body["messages"] == [{"role": "system", "content": "Answer."}, {"role": "user", "content": "hello"}]
    assert {k: body[k] for k in ("model", "max_tokens", "temperature", "seed", "top_p")} == {
        "model": "m",
        "max_tokens": 512,
        "temperature": 0.0,
        "seed": 7,
        "top_p": 0.5,
    }
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "test", "schema": SCHEMA, "strict": True},
    }


@pytest.mark.parametrize(
    ("acts", "retried"),
    [
        ([Status(429, "slow down")], {"throttled": 1}),
        ([Status(429, "slow down", {"Retry-After": "0.01"})], {"throttled": 1}),
        ([Status(500), Status(502, body="<html>bad gateway</html>"), Status(503)], {"server": 3}),
        ([Body("not json", "application/json")], {"server": 1}),
        ([Body('{"choices": []}', "application/json")], {"server": 1}),
        ([Body('{"error": "overloaded"}', "application/json")], {"server": 1}),
        ([Misdeed("reset"), Misdeed("reset")], {"connection": 2}),
        ([Reply('{"answer": "cut', "length")], {"truncated": 1}),
        ([Reply('{"answer": ')], {"unparsable": 1}),
        ([Reply('{"wrong": "schema"}'), Reply('{"answer": 3}')], {"unparsable": 2}),
        ([Reply(""), Reply(None)], {"empty": 2}),
    ],
)
def test_faults_are_mended(serve: Serve, acts: list[Act], retried: dict[str, int]) -> None:
    server = serve(first(*acts))
    driver = driver_of(server)
    outcome = run_one(driver)
    assert outcome.failure is None
    assert driver.accounts.summary()["retries"] == retried
    assert len(server.bodies) == len(acts) + 1


@pytest.mark.parametrize("kind", ["hang", "drip"])
def test_a_deadline_fires_whatever_the_server_does(serve: Serve, kind: str) -> None:
    server = serve(first(Misdeed(kind)))
    driver = driver_of(server, timeout_s=0.3)
    assert run_one(driver).value == "<hello>"
    assert driver.accounts.summary()["retries"] == {"timeout": 1}


@pytest.mark.parametrize("kind", ["hang", "drip"])
def test_a_request_that_is_never_answered_fails_and_the_others_do_not(serve: Serve, kind: str) -> None:
    server = serve(lambda body, n: Misdeed(kind) if said(body) == "bad" else echo(body, n))
    driver = driver_of(server, timeout_s=0.3, retries=Retries(limits={"timeout": 0}))
    outcomes = list(driver.run(jobs("a", "bad", "b")))
    assert results(outcomes) == [("a", "<a>"), ("bad", "timeout"), ("b", "<b>")]
    assert outcomes[1].failure is not None
    assert outcomes[1].failure.reason == "no complete reply within 0.3 s"


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Reply("I cannot help with that.", "content_filter"), "the model refused: I cannot help with that."),
        (Reply(None, refusal="No."), "the model refused: No."),
        (Status(400, "context length is 4096"), "the endpoint refused the request with 400: context length is 4096"),
        (Status(413, "too large"), "the endpoint refused the request with 413: too large"),
    ],
)
def test_a_refusal_costs_one_item(serve: Serve, act: Act, reason: str) -> None:
    server = serve(lambda body, n: act if said(body) == "bad" else echo(body, n))
    outcomes = list(driver_of(server, slots=Slots(1)).run(jobs("a", "bad", "b")))
    assert results(outcomes) == [("a", "<a>"), ("bad", "refused"), ("b", "<b>")]
    assert outcomes[1].failure is not None
    assert outcomes[1].failure.reason == reason
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("act", "line"),
    [
        (
            Status(401, f"Incorrect API key provided: {SECRET}"),
            "refused the key with 401 (Incorrect API key provided: ***)",
        ),
        (Status(403, f"the key {SECRET[:14]}... may not"), "refused the key with 403 (the key ***... may not)"),
        (Status(404, "The model `m` does not exist"), "404 (The model `m` does not exist); check --llm and --base-url"),
        (Status(404, body="<!DOCTYPE html><p>no"), "404 (a web page (HTML) instead of an answer)"),
        (Body("<!DOCTYPE html>\n<html>hello</html>"), "answers with a web page (HTML)"),
        (Status(302, body="moved", headers={"location": "/login"}), "302 (moved); check --llm and --base-url"),
        (Body("<html>", "text/plain"), "answers with a web page (HTML)"),
        (Status(429, "You exceeded your quota", error_code="insufficient_quota"), "requires payment (You exceeded"),
    ],
)
def test_what_no_retry_will_mend_ends_the_run_with_one_line(serve: Serve, act: Act, line: str) -> None:
    server = serve(act)
    message = fatal(driver_of(server, slots=Slots(1)))
    assert line in message
    assert message.startswith(f"m at {server.url} ")
    assert len(server.bodies) == 1


def test_a_server_that_wants_a_key_nobody_gave_says_how(serve: Serve) -> None:
    server = serve(Status(401, "no key"))
    assert "set OPENAI_API_KEY" in fatal(Driver({"author": OpenAIModel("m", base_url=server.url)}))


def test_a_host_that_cannot_be_reached_ends_the_run_with_one_line() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        message = fatal(Driver({"author": OpenAIModel("m", base_url=url)}, sending=Sending(retries=FAST)))
    assert message.startswith(f"m at {url}: cannot be reached")
    assert "(Connection refused); check that the endpoint is up" in message


@pytest.mark.parametrize(
    ("supported", "refusal", "formats"),
    [
        ("json_object", "response_format.type json_schema is not supported", ["json_schema", "json_object"]),
        ("plain", "unknown field response_format", ["json_schema", "json_object", None]),
        ("plain", "bad request", ["json_schema", "json_object", None]),
    ],
)
def test_the_reply_format_a_server_knows_is_found_out_once(
    serve: Serve, supported: str, refusal: str, formats: list[str | None]
) -> None:
    def behave(body: dict[str, Any], number: int) -> Act:
        wanted = body.get("response_format", {}).get("type", "plain")
        return echo(body, number) if wanted in (supported, "plain") else Status(400, refusal)

    server = serve(behave)
    driver = driver_of(server, slots=Slots(1))
    assert results(driver.run(jobs("a", "b", "c"))) == [(x, f"<{x}>") for x in "abc"]
    seen = [body.get("response_format", {}).get("type") for body in server.bodies]
    assert seen == formats + [formats[-1]] * 2
    assert '"required": ["answer"]' in server.bodies[-1]["messages"][0]["content"]
    assert driver.accounts.summary()["retries"] == {}


@pytest.mark.parametrize(
    ("refusal", "refused", "instead"),
    [
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("Unsupported value: 'temperature' must be 1", "temperature", None),
        ("seed is not supported with this model", "seed", None),
    ],
)
def test_parameters_a_model_refuses_are_left_out_from_then_on(
    serve: Serve, refusal: str, refused: str, instead: str | None
) -> None:
    server = serve(lambda body, n: Status(400, refusal) if refused in body else echo(body, n))
    assert results(driver_of(server, slots=Slots(1)).run(jobs("a", "b"))) == [("a", "<a>"), ("b", "<b>")]
    assert [refused in body for body in server.bodies] == [True, False, False]
    assert instead is None or server.bodies[-1][instead] == 512
    assert "response_format" in server.bodies[-1]


def test_a_second_run_sends_nothing_and_another_endpoint_is_asked(serve: Serve, tmp_path: Path) -> None:
    server, other = serve(echo), serve(lambda body, _: json.dumps({"answer": "other"}))
    with Store(tmp_path / "store.sqlite") as store:
        made = results(driver_of(server, cache=store).run(jobs("a", "乙")))
        assert results(driver_of(server, cache=store).run(jobs("a", "乙"))) == made
        assert len(server.bodies) == 2
        assert results(driver_of(other, cache=store).run(jobs("a"))) == [("a", "other")]
        assert results(driver_of(server, cache=store).run(jobs("a", "乙!"))) == [("a", "<a>"), ("乙!", "<乙!>")]
    assert len(server.bodies) == 3


def test_replies_that_came_before_the_end_stay_kept(serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda body, n: Misdeed("hang") if said(body) == "slow" else echo(body, n))
    with Store(tmp_path / "store.sqlite") as store:
        outcomes = driver_of(server, cache=store, slots=Slots(2), timeout_s=60.0).run(jobs("a", "b", "slow", "c"))
        assert [next(outcomes).value for _ in range(2)] == ["<a>", "<b>"]
        outcomes.close()
        server.behave = echo
        assert results(driver_of(server, cache=store).run(jobs("a", "b"))) == [("a", "<a>"), ("b", "<b>")]
    asked = [said(body) for body in server.bodies]
    assert (asked.count("a"), asked.count("b")) == (1, 1), "what was begun besides may have come in meanwhile"


def test_the_key_shows_nowhere(serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not in a reply that echoes it, not in an error, not in what is kept, not in what is logged or printed."""
    server = serve(
        lambda body, n: (
            json.dumps({"answer": f"key {SECRET}"})
            if said(body) == "a"
            else Status(400, f"length: your key {SECRET} and {SECRET[3:15]}")
        )
    )
    model = OpenAIModel("m", base_url=server.url, key=Key(SECRET), headers={"x-other-key": SECRET[::-1]})
    with caplog.at_level("DEBUG", "synth"), Store(tmp_path / "store.sqlite") as store:
        driver = Driver({"author": model}, store, Sending(slots=Slots(1)))
        outcomes = list(driver.run(jobs("a", "b")))
    assert outcomes[0].value == "key ***"
    shown = [repr(model), model.identity, repr(outcomes), str(outcomes[1].failure), caplog.text, repr(driver.accounts)]
    assert outcomes[1].failure is not None
    assert "your key *** and ***" in outcomes[1].failure.reason
    for text in shown:
        assert SECRET not in text
        assert SECRET[3:15] not in text
    for path in tmp_path.iterdir():
        assert SECRET.encode() not in path.read_bytes()
    with Store(tmp_path / "store.sqlite") as store:
        kept = [store.get("reply", key) for (key,) in store._db.execute("SELECT key FROM artifacts")]
    assert len(kept) == 1
    assert kept[0] is not None
    assert SECRET.encode() not in kept[0]


def test_credentials_in_the_address_show_nowhere() -> None:
    model = OpenAIModel("m", base_url="https://user:hunter2secret@example.org:8443/v1?api-version=1")
    assert model.identity == "m at https://example.org:8443/v1"
    assert "hunter2secret" not in repr(model)


def test_a_proxy_in_the_environment_does_not_stand_before_loopback(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert run_one(driver_of(serve(echo))).value == "<hello>"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"Retry-After": "Wed, 01 Jan 2020 00:00:09 GMT", "Date": "Wed, 01 Jan 2020 00:00:00 GMT"}, 9.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-1"}, None),
        ({}, None),
    ],
)
def test_the_wait_a_server_asks_for_is_read(serve: Serve, headers: dict[str, str], wait: float | None) -> None:
    fault = _fault(serve(Status(503, "later", headers)))
    assert (fault.kind, fault.retry_after) == ("server", pytest.approx(wait) if wait is not None else None)


def _fault(server: ChatServer) -> Fault:
    async def ask() -> None:
        model = OpenAIModel("m", base_url=server.url)
        try:
            await model.reply(request(), timeout=5.0)
        finally:
            await model.close()

    with pytest.raises(Fault) as raised:
        asyncio.run(ask())
    return raised.value


def test_a_model_serves_one_event_loop_after_another(serve: Serve) -> None:
    driver = driver_of(serve(echo))
    assert [results(driver.run(jobs(x))) for x in "ab"] == [[("a", "<a>")], [("b", "<b>")]]


def test_a_reply_without_a_count_of_tokens_is_taken(serve: Serve) -> None:
    driver = driver_of(serve(Reply('{"answer": "x"}', usage=False)))
    assert run_one(driver).value == "x"
    assert driver.accounts.total("prompt_tokens") > 10
    assert driver.accounts.total("completion_tokens") > 2


@pytest.mark.parametrize("count", ["-5", "1e400", "NaN", "1.5", '"12"', "true", "null", "[]", str(10**30)])
def test_a_count_of_tokens_that_is_none_is_made_here(serve: Serve, count: str) -> None:
    usage = f'{{"prompt_tokens": {count}, "completion_tokens": {count}, "prompt_tokens_details": {{"cached_tokens": {count}}}}}'
    reply = f'{{"choices": [{{"message": {{"content": "{{\\"answer\\": \\"x\\"}}"}}}}], "usage": {usage}}}'
    driver = driver_of(serve(Body(reply, "application/json")))
    assert run_one(driver).value == "x"
    told = driver.accounts.summary()
    assert 10 < told["prompt_tokens"] < 1000
    assert 2 < told["completion_tokens"] < 100
    assert told["known_prompt_tokens"] == 0


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_an_address_that_is_none_is_named(url: str) -> None:
    with pytest.raises(ConfigError, match="base URL of the chat model"):
        OpenAIModel("m", base_url=url)
