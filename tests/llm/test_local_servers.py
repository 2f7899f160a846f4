"""Servers of chat models on this machine: the only model there is becomes that of --llm auto."""

import json
import socket

import pytest

from synth.cli.main import main
from synth.models.chat import local_servers
from tests.chat import behave, stations
from tests.llm.hub import Hub, models


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as bound:
        return bound.getsockname()[1]


@pytest.fixture
def hosts(monkeypatch):
    """Starts servers with the models given by provider; nothing listens at the addresses of the other providers."""
    started = []

    def start(**served):
        addresses = {name: f"http://127.0.0.1:{free_port()}/v1" for name in ("ollama", "lmstudio", "vllm")}
        for provider, names in served.items():
            started.append(Hub(models(*names) if names is not None else {}))
            addresses[provider] = f"{started[-1].url}/v1"
        monkeypatch.setattr(local_servers, "ADDRESSES", addresses)
        return addresses

    yield start
    for server in started:
        server.close()


def auto(tmp_path, capsys):
    """Exit code and messages of a run with --llm auto."""
    output = str(tmp_path / "set.jsonl")
    folder = stations(tmp_path / "docs")
    run = ["generate", str(folder), "-o", output, "-n", "2", "--llm", "auto", "--quiet"]
    code = main([*run, "--workspace", str(tmp_path / "ws")])
    return code, capsys.readouterr().err.splitlines()


def test_the_only_model_of_the_only_server_is_taken_and_named(tmp_path, hosts, serve, monkeypatch, capsys):
    addresses = hosts(ollama=["small"])
    server = serve(behave)
    addresses["ollama"] = server.url
    monkeypatch.setattr(local_servers, "_models", lambda url: ("small",) if url == server.url else None)
    code, messages = auto(tmp_path, capsys)
    assert code == 0
    assert messages[0] == f"synth: --llm auto: {server.url}: ollama/small"
    assert {body["model"] for body in server.bodies} == {"small"}
    model = json.loads((tmp_path / "set.manifest.json").read_text(encoding="utf-8"))["settings"]["model"]
    assert (model["name"], model["base_url"]) == ("ollama/small", server.url)


def test_a_server_at_its_usual_address_needs_no_address_in_the_manifest():
    usual = local_servers.LocalServer("vllm", "http://127.0.0.1:8000/v1", ("Qwen/Qwen3-8B",))
    assert local_servers.only_model([usual]) == ("vllm/Qwen/Qwen3-8B", "")


@pytest.mark.parametrize(
    ("served", "first", "second"),
    [
        ({}, "no server answers at http://127.0.0.1:", "--llm auto needs a server with a model"),
        ({"ollama": []}, "no model", "--llm auto needs a server with a model"),
        ({"ollama": None}, "no server answers", "--llm auto needs a server with a model"),
        ({"ollama": ["a", "b"]}, "ollama/a, ollama/b", "name one of the models, such as --llm ollama/a"),
        ({"ollama": ["a"], "vllm": ["b"]}, "vllm/b", "name one of the models, such as --llm ollama/a"),
    ],
)
def test_without_one_model_two_lines_say_what_was_found(served, first, second, tmp_path, hosts, capsys):
    hosts(**served)
    code, messages = auto(tmp_path, capsys)
    assert code == 2
    assert len(messages) == 2
    assert first in messages[0]
    assert second in messages[1]


def test_doctor_lists_the_servers_when_asked(hosts, capsys):
    addresses = hosts(ollama=["a", "b"], vllm=["c"])
    assert main(["doctor", "--servers"]) == 0
    out = capsys.readouterr().out
    assert [name in out for name in ("ollama/a", "ollama/b", "vllm/c", addresses["ollama"])] == [True] * 4
    assert main(["doctor", "--servers", "--json"]) == 0
    assert [server["models"] for server in json.loads(capsys.readouterr().out)] == [["a", "b"], ["c"]]


def test_nothing_is_asked_without_being_told_to(monkeypatch, capsys):
    monkeypatch.setattr(local_servers, "local_servers", lambda *_: pytest.fail("a port was asked"))
    assert main(["doctor"]) == 0
    assert main(["doctor", "--json"]) == 0


@pytest.mark.parametrize("body", [b"{}", b"[]", b"<html>", b'{"data": 1}', b"[" * 100_000])
def test_what_is_no_list_of_models_is_no_server(body):
    server = Hub({"/v1/models": body})
    assert local_servers.local_servers({"ollama": f"{server.url}/v1"}) == []
    server.close()
