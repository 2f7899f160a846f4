"""Models by name: the provider before the slash gives the address and the variable of the key."""

import json

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError, ModelError
from synth.models.chat.api_keys import Key
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.providers import DEFAULT_BASE_URL, PROVIDERS, Endpoint, endpoint_of
from synth.models.chat.usage import Accounts
from synth.workflows import endpoints
from synth.workflows.settings import ModelSettings
from tests.chat import behave, stations
from tests.llm.hub import Hub

LOCAL = "http://127.0.0.1:9/v1"
SECRET = "sk-of-a-provider-123456"


@pytest.mark.parametrize(
    ("name", "base_url", "wanted"),
    [
        ("gpt-5", "", Endpoint("gpt-5", DEFAULT_BASE_URL, "OPENAI_API_KEY", True)),
        ("openai/gpt-5", "", Endpoint("gpt-5", DEFAULT_BASE_URL, "OPENAI_API_KEY", True)),
        ("anthropic/claude-x", "", Endpoint("claude-x", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", True)),
        ("openrouter/a/b", "", Endpoint("a/b", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY", True)),
        ("ollama/qwen3:4b", "", Endpoint("qwen3:4b", "http://127.0.0.1:11434/v1", "")),
        ("vllm/Qwen/Qwen3-8B", "", Endpoint("Qwen/Qwen3-8B", "http://127.0.0.1:8000/v1", "")),
        # An address wins: there, a name is sent as it is, but for the name of a server of one's own.
        ("Qwen/Qwen2.5-7B", LOCAL, Endpoint("Qwen/Qwen2.5-7B", LOCAL)),
        ("openai/gpt-oss-20b", LOCAL, Endpoint("openai/gpt-oss-20b", LOCAL)),
        ("ollama/qwen3:4b", LOCAL, Endpoint("qwen3:4b", LOCAL, "")),
        ("auto", LOCAL, Endpoint("auto", LOCAL)),
    ],
)
def test_a_name_gives_the_endpoint(name, base_url, wanted):
    assert endpoint_of(name, base_url) == wanted


def test_azure_takes_its_address_from_the_environment(monkeypatch):
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)
    with pytest.raises(ConfigError, match="set AZURE_OPENAI_ENDPOINT, or give --base-url"):
        endpoint_of("azure/gpt-5")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com/")
    wanted = Endpoint("gpt-5", "https://mine.openai.azure.com/openai/v1", "AZURE_OPENAI_API_KEY", True)
    assert endpoint_of("azure/gpt-5") == wanted


@pytest.mark.parametrize(
    ("name", "told"), [("olama/qwen3", r"an unknown provider \(known: openai, "), ("auto", "name a model instead")]
)
def test_a_name_that_leads_nowhere_is_refused(name, told):
    with pytest.raises(ConfigError, match=told):
        endpoint_of(name)


@pytest.mark.parametrize("provider", [name for name, provider in PROVIDERS.items() if not provider.own_server])
def test_a_missing_key_is_named_in_one_line_and_nothing_is_sent(provider, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://mine.openai.azure.com")
    monkeypatch.delenv(PROVIDERS[provider].key_env, raising=False)
    folder = stations(tmp_path / "docs")
    output = str(tmp_path / "set.jsonl")
    workspace = ("--workspace", str(tmp_path / "ws"), "--quiet")
    assert main(["generate", str(folder), "-o", output, "--llm", f"{provider}/some-model", *workspace]) == 4
    (line,) = capsys.readouterr().err.splitlines()
    assert f"needs an API key: set {PROVIDERS[provider].key_env}" in line


def settings(**given):
    return ModelSettings(**given)


def seen(model):
    """Model, address and key of a model."""
    return model.model, model.base_url, model._key and model._key.reveal()


def test_each_provider_gets_its_own_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-12345678")
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.setenv("OTHER_KEY", "sk-other-12345678")
    made = endpoints.models(settings(name="ollama/small", judge="anthropic/claude-x"))
    assert seen(made["author"]) == ("small", "http://127.0.0.1:11434/v1", None)
    assert seen(made["judge"]) == ("claude-x", "https://api.anthropic.com/v1", SECRET)
    made = endpoints.models(settings(name="openai/gpt-5", judge="gpt-5-mini", headers={"X-A": "1"}))
    assert seen(made["judge"]) == ("gpt-5-mini", DEFAULT_BASE_URL, "sk-openai-12345678")
    assert made["judge"]._headers == {"X-A": "1"}
    made = endpoints.models(settings(name="openai/gpt-5", judge="ollama/small", headers={"X-A": "1"}))
    assert (seen(made["judge"])[2], made["judge"]._headers) == (None, {})
    made = endpoints.models(settings(name="anthropic/claude-x", key_env="OTHER_KEY"))
    assert seen(made["author"])[2] == "sk-other-12345678"
    assert made["author"] is made["judge"]


def test_the_address_of_the_author_is_that_of_its_judge_too():
    made = endpoints.models(settings(name="small", base_url=LOCAL, judge="openai/gpt-oss-20b"))
    assert seen(made["judge"])[:2] == ("openai/gpt-oss-20b", LOCAL)


def test_an_encoder_at_an_endpoint_is_named_alike(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    made = endpoints.encoder("endpoint:ollama/bge-m3", settings(name="anthropic/claude-x"), Accounts())
    assert made.name == "bge-m3 at http://127.0.0.1:11434/v1"
    with pytest.raises(
        ConfigError, match="set OPENAI_API_KEY, or name another environment variable with --encoder-key-env"
    ):
        endpoints.encoder("endpoint:openai/text-embedding-3-small", settings(name="ollama/small"), Accounts())


def test_the_manifest_has_the_provider_and_never_the_key(tmp_path, monkeypatch, serve):
    monkeypatch.setenv("AZURE_OPENAI_API_KEY", SECRET)
    server = serve(behave)
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", server.url.removesuffix("/v1"))
    folder, output = stations(tmp_path / "docs"), tmp_path / "set.jsonl"
    run = ["generate", str(folder), "-o", str(output), "-n", "4", "--llm", "azure/some-model", "--quiet"]
    assert main([*run, "--workspace", str(tmp_path / "ws")]) == 0
    manifest = (tmp_path / "set.manifest.json").read_text(encoding="utf-8")
    assert json.loads(manifest)["settings"]["model"]["name"] == "azure/some-model"
    row = json.loads(output.read_text(encoding="utf-8").splitlines()[0])
    assert row["metadata"]["provenance"]["model"] == "azure/some-model"
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {SECRET}"}
    assert {body["model"] for body in server.bodies} == {"some-model"}
    assert SECRET not in "".join(path.read_text("utf-8") for path in tmp_path.glob("set.*"))


def test_the_list_of_models_decides_on_a_key_only_where_it_takes_the_key(monkeypatch):
    hub = Hub({"/v1/models": 401})
    model = OpenAIModel("m", base_url=f"{hub.url}/v1", key=Key(SECRET))
    with pytest.raises(ModelError, match="refused the key with 401"):
        endpoints.reach({"author": model})
    monkeypatch.setattr("synth.models.chat.openai._LIST_WITHOUT_BEARER", "127.0.0.1")
    endpoints.reach({"author": model})
    assert len(hub.asked) == 2
    hub.close()


def test_a_model_without_its_key_sends_nothing_however_it_is_asked():
    model = OpenAIModel("m", base_url=LOCAL, needs_key=True, key_env="MY_KEY")
    with pytest.raises(ModelError, match="set MY_KEY"):
        endpoints.reach({"author": model})
