"""Facts stored about an endpoint: its dialect is learned once, and problems are reported before anything is spent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from synth.core.errors import ModelError
from synth.core.store import Store
from synth.models.chat.api_keys import Key
from synth.models.chat.concurrency import Slots
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.openai import OpenAIModel

from . import server
from .parts import jobs, results
from .server import Act, Body, Status
from .test_openai import FAST, SECRET, Serve, echo


def only_objects(body: dict[str, Any], number: int) -> Act:
    if body.get("response_format", {}).get("type") == "json_schema":
        return Status(400, "response_format json_schema is not supported")
    if "max_tokens" in body:
        return Status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    return echo(body, number)


def test_what_a_server_understands_is_found_out_by_one_request_and_kept(tmp_path: Path, serve: Serve) -> None:
    chat = serve(only_objects)
    names = [str(number) for number in range(8)]
    with Store(tmp_path / "s.sqlite") as store:
        for more in ("", "later"):
            model = OpenAIModel("m", base_url=chat.url, cache=store)
            driver = Driver({"author": model}, store, Sending(slots=Slots(8), retries=FAST))
            asked = [name + more for name in names]
            assert results(driver.run(jobs(*asked))) == [(name, f"<{name}>") for name in asked]
    assert len(chat.bodies) == 16 + 2, "the first request alone was refused, twice, and never again"


def test_at_an_address_where_one_model_answers_another_need_not_ask_alone_first(tmp_path: Path, serve: Serve) -> None:
    names = [str(number) for number in range(8)]
    all_here = threading.Barrier(len(names), timeout=4.0)

    def together(body: dict[str, Any], number: int) -> Act:
        if body["model"] == "second":
            with contextlib.suppress(threading.BrokenBarrierError):
                all_here.wait()
        return echo(body, number)

    chat = serve(together)
    with Store(tmp_path / "s.sqlite") as store:
        models = [OpenAIModel(name, base_url=chat.url, cache=store) for name in ("first", "second")]
        for model in models:
            driver = Driver({"author": model}, store, Sending(slots=Slots(8), retries=FAST))
            assert results(driver.run(jobs(*names))) == [(name, f"<{name}>") for name in names]
    assert not all_here.broken, "its first eight requests were there at the same time"


def check(server_url: str, key: Key | None = None) -> str:
    model = OpenAIModel("m", base_url=server_url, key=key)
    try:
        asyncio.run(model.check())
    except ModelError as error:
        return str(error)
    return ""


def test_a_server_without_a_list_of_models_is_taken_at_its_word(serve: Serve) -> None:
    assert check(serve(echo).url) == ""


@pytest.mark.parametrize(
    ("status", "kind", "body", "complaint"),
    [
        (401, "application/json", '{"error": {"message": "no"}}', "check the API key"),
        (200, "text/html", "<html><body>Welcome</body></html>", "web page"),
        (403, "application/json", "{}", ""),
        (404, "text/html", "<html>not here</html>", ""),
        (200, "application/json", '{"object": "list", "data": []}', ""),
    ],
)
def test_troubles_of_the_endpoint_are_told_in_one_line(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, status: int, kind: str, body: str, complaint: str
) -> None:
    def do_get(handler: Any) -> None:
        handler._send(status, body, kind, {})

    monkeypatch.setattr(server._Handler, "do_GET", do_get, raising=False)
    told = check(serve(echo).url, Key(SECRET))
    assert complaint in told
    assert bool(told) == bool(complaint)
    assert "\n" not in told
    assert SECRET not in told


def test_a_place_where_nobody_listens_is_told_at_once() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        told = check(f"http://127.0.0.1:{free.getsockname()[1]}/v1")
    assert "cannot be reached" in told
    assert "--base-url" in told


def test_azure_gets_the_key_in_its_own_header() -> None:
    async def headers(url: str) -> dict[str, str]:
        model = OpenAIModel("m", base_url=url, key=Key(SECRET))
        found = {name.lower(): value for name, value in model.client().default_headers.items()}
        await model.close()
        return found

    assert asyncio.run(headers("https://x.openai.azure.com/openai/v1"))["api-key"] == SECRET
    assert "api-key" not in asyncio.run(headers("https://api.example.org/v1"))


def test_tokens_that_the_endpoint_knew_are_counted_apart(serve: Serve) -> None:
    def cached(body: dict[str, Any], number: int) -> Act:
        usage = {"prompt_tokens": 90, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}}
        message = {"role": "assistant", "content": json.dumps({"answer": "x"})}
        whole = {"choices": [{"index": 0, "finish_reason": "stop", "message": message}], "usage": usage}
        return Body(json.dumps(whole), "application/json")

    model = OpenAIModel("m", base_url=serve(cached).url)
    driver = Driver({"author": model}, sending=Sending(retries=FAST))
    assert results(driver.run(jobs("a"))) == [("a", "x")]
    assert (driver.accounts.total("prompt_tokens"), driver.accounts.total("known_prompt_tokens")) == (90, 64)
