"""Weights from the hub: said and agreed to, resumed where a connection was cut, checked by their hash."""

import hashlib
import io
import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError, ModelError
from synth.core.extras import install_command
from synth.models.chat import embedded, weights
from synth.workflows.endpoints import models
from synth.workflows.settings import ModelSettings
from tests.chat import behave, stations
from tests.llm.hub import Hub

DATA = b"GGUF" + random.Random(1).randbytes(100_000)
REAL = next(iter(weights.LOCAL_MODELS.values()))
MODEL = replace(REAL, file="small.gguf", size=len(DATA), sha256=hashlib.sha256(DATA).hexdigest())


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "LOCAL_MODELS", MappingProxyType({"small": MODEL}))
    return MODEL.path


@pytest.fixture
def hub(monkeypatch):
    started = []

    def start(data=DATA, **how):
        started.append(Hub({f"/{MODEL.repository}/resolve/{MODEL.revision}/{MODEL.file}": data}, **how))
        monkeypatch.setenv("HF_ENDPOINT", started[-1].url)
        return started[-1]

    yield start
    for server in started:
        server.close()


def ranges(server):
    return [asked for _, asked in server.asked]


def test_the_model_is_told_with_its_size_and_licence():
    told = str(REAL)
    assert told.startswith("Qwen3-4B-Instruct-2507, Q4_K_M, 2.5 GB, Apache-2.0, from https://huggingface.co/")
    assert REAL.url.endswith(f"/resolve/{REAL.revision}/{REAL.file}")


def test_a_download_is_counted_kept_and_made_once(cache, hub):
    server, counts = hub(), []
    assert weights.fetch(MODEL, counts.append) == cache
    assert (cache.read_bytes(), sum(counts)) == (DATA, len(DATA))
    weights.fetch(MODEL)
    assert len(server.asked) == 1


def test_a_cut_connection_goes_on_where_it_was_cut(cache, hub):
    server, counts = hub(), []
    server.cut = [40_000, 30_000]
    weights.fetch(MODEL, counts.append)
    assert cache.read_bytes() == DATA
    assert ranges(server) == ["bytes=0-", "bytes=40000-", "bytes=70000-"]
    assert sum(counts) == len(DATA)


def test_a_download_that_breaks_off_is_gone_on_with_by_the_next_run(cache, hub):
    server = hub()
    server.cut = [10_000] * 5
    with pytest.raises(ModelError, match=r"broke off at 50,000 of 100,004 bytes .* the same command continues there"):
        weights.fetch(MODEL)
    assert not cache.exists()
    server.asked.clear()
    weights.fetch(MODEL)
    assert (cache.read_bytes(), ranges(server)) == (DATA, ["bytes=50000-"])


def test_a_hub_without_ranges_begins_again(cache, hub):
    server, counts = hub(ranges=False), []
    server.cut = [40_000]
    weights.fetch(MODEL, counts.append)
    assert (cache.read_bytes(), sum(counts)) == (DATA, len(DATA))


def test_a_file_with_another_hash_is_removed(cache, hub):
    hub(DATA[:-1] + b"?")
    with pytest.raises(ModelError, match=f"not {MODEL.sha256}; the download was removed"):
        weights.fetch(MODEL)
    assert list(cache.parent.iterdir()) == []


def test_a_hub_that_does_not_have_the_file_is_not_asked_again(cache, hub):
    server = hub()
    server.files.clear()
    with pytest.raises(ModelError, match="cannot be downloaded: 404"):
        weights.fetch(MODEL)
    assert len(server.asked) == 1


def test_a_disk_without_room_is_told_before_the_download(cache, hub, monkeypatch):
    server = hub()
    monkeypatch.setattr(weights.shutil, "disk_usage", lambda _: SimpleNamespace(free=1000))
    with pytest.raises(ModelError, match="has no room"):
        weights.fetch(MODEL)
    assert server.asked == []


class Params(SimpleNamespace):
    """Parameters of the stand-in: any that are set."""

    def __init__(self):
        super().__init__(model=SimpleNamespace(), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace())


@pytest.fixture
def llama(serve, monkeypatch):
    """A stand-in for xllamacpp whose server is the scripted one; records the servers that are started and closed."""
    log = SimpleNamespace(started=[], closed=[], chat=serve(behave))

    class Server:
        def __init__(self, params):
            self.path = params.model.path
            if b"broken" in Path(self.path).read_bytes():
                raise RuntimeError("Failed to init server")
            log.started.append(params)

        @property
        def listening_address(self):
            return log.chat.url.removesuffix("/v1")

        def __del__(self):
            log.closed.append(self.path)

    monkeypatch.setitem(sys.modules, "xllamacpp", SimpleNamespace(CommonParams=Params, Server=Server))
    yield log
    embedded._servers.clear()


def generate(tmp_path, name, *options):
    folder = tmp_path / "docs"
    if not folder.exists():
        stations(folder)
    run = ["generate", str(folder), "-o", str(tmp_path / "set.jsonl"), "-n", "3", "--llm", name, "--quiet", *options]
    return main([*run, "--workspace", str(tmp_path / "ws")])


def test_a_model_file_runs_inside_the_process(tmp_path, llama):
    path = tmp_path / "mine.gguf"
    path.write_bytes(DATA)
    assert generate(tmp_path, f"gguf:{path}") == 0
    (params,) = llama.started
    assert (params.model.path, params.port, params.hostnames) == (str(path), 0, ["127.0.0.1"])
    assert params.n_ctx == params.n_parallel * 8192
    assert llama.chat.most_in_flight <= params.n_parallel
    manifest = json.loads((tmp_path / "set.manifest.json").read_text(encoding="utf-8"))
    assert manifest["settings"]["model"]["name"] == f"gguf:{path}"
    assert llama.closed == []
    embedded._servers.clear()  # as at the end of the process
    assert llama.closed == [str(path)]


def test_a_model_file_takes_the_cores_that_the_process_may_use(tmp_path, llama, monkeypatch):
    monkeypatch.setattr(embedded.os, "sched_getaffinity", lambda _: {3, 5, 6}, raising=False)
    path = tmp_path / "mine.gguf"
    path.write_bytes(DATA)
    embedded.address(path)
    (params,) = llama.started
    assert (params.cpuparams.n_threads, params.cpuparams_batch.n_threads) == (3, 3)


def test_another_process_with_another_port_has_the_replies_that_are_kept(tmp_path, llama, serve):
    path = tmp_path / "mine.gguf"
    path.write_bytes(DATA)
    assert generate(tmp_path, f"gguf:{path}") == 0
    wanted = (tmp_path / "set.jsonl").read_bytes()
    embedded._servers.clear()
    llama.chat = serve(behave)
    assert generate(tmp_path, f"gguf:{path}") == 0
    assert llama.chat.bodies == []
    assert (tmp_path / "set.jsonl").read_bytes() == wanted
    path.write_bytes(DATA + b"other weights")
    assert generate(tmp_path, f"gguf:{path}") == 0
    assert llama.chat.bodies != []


@pytest.mark.parametrize(
    ("content", "code", "told"),
    [(None, 2, "cannot read the model"), (b"PK", 2, "is not a GGUF file"), (b"GGUFbroken", 4, "cannot load the model")],
)
def test_a_file_that_is_no_model_is_told_in_one_line(content, code, told, tmp_path, llama, capsys):
    path = tmp_path / "mine.gguf"
    if content is not None:
        path.write_bytes(content)
    assert generate(tmp_path, f"gguf:{path}") == code
    (line,) = capsys.readouterr().err.splitlines()
    assert told in line


def test_a_model_inside_the_process_needs_its_extra(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    path = tmp_path / "mine.gguf"
    path.write_bytes(DATA)
    assert generate(tmp_path, f"gguf:{path}") == 2
    assert install_command("local") in capsys.readouterr().err


def test_the_local_model_is_downloaded_when_agreed_to_and_named_in_the_manifest(tmp_path, cache, hub, llama, capsys):
    server = hub()
    assert generate(tmp_path, "local") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"--llm local needs a one-time download of {MODEL}" in line
    assert line.endswith("agree to it with --yes")
    assert server.asked == []
    assert generate(tmp_path, "local", "--yes") == 0
    assert cache.read_bytes() == DATA
    manifest = json.loads((tmp_path / "set.manifest.json").read_text(encoding="utf-8"))
    assert manifest["settings"]["model"]["name"] == "local/small"
    assert generate(tmp_path, "local") == 0
    assert len(server.asked) == 1


def test_what_sends_nothing_asks_for_no_download(tmp_path, cache, hub, llama, capsys):
    server, folder = hub(), stations(tmp_path / "docs")
    here = ("--llm", "local", "-n", "2", "--quiet", "--workspace", str(tmp_path / "ws"))
    assert main(["generate", str(folder), "--plan", *here]) == 0
    assert main(["estimate", str(folder), *here]) == 0
    assert main(["estimate", str(folder), "--try", "1", *here]) == 2
    assert "agree to it with --yes" in capsys.readouterr().err.splitlines()[-1]
    assert server.asked == []


def test_an_update_opens_the_model_file_that_the_user_names_and_not_that_of_the_set(tmp_path, llama, capsys):
    path = tmp_path / "mine.gguf"
    path.write_bytes(DATA)
    assert generate(tmp_path, f"gguf:{path}") == 0
    path.unlink()
    set_path, docs = str(tmp_path / "set.jsonl"), tmp_path / "docs"
    update = ["update", set_path, "--corpus", str(docs), "-o", set_path, "--quiet", "--workspace", str(tmp_path / "ws")]
    assert main(update) == 0, "nothing is to be done"
    document = min(docs.iterdir())
    document.write_text(document.read_text(encoding="utf-8") + "\n\nAnother line.\n", encoding="utf-8")
    capsys.readouterr()
    assert main(update) == 2
    assert f"add --llm gguf:{path}" in capsys.readouterr().err.splitlines()[-1]
    named = [*update, "--llm", f"gguf:{path}"]
    assert main(named) == 2
    assert f"cannot read the model {path}" in capsys.readouterr().err
    path.write_bytes(DATA)
    assert main(named) in (0, 10, 11)


@pytest.mark.parametrize(("answer", "code", "asked"), [("yes\n", 0, 1), ("y\n", 0, 1), ("\n", 2, 0), ("no\n", 2, 0)])
def test_on_a_terminal_it_is_asked(answer, code, asked, tmp_path, cache, hub, llama, monkeypatch):
    server, terminal = hub(), io.StringIO(answer)
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)
    assert generate(tmp_path, "local") == code
    assert len(server.asked) == asked


def test_local_at_an_address_is_a_name_like_any_other(tmp_path, serve):
    server = serve(behave)
    assert generate(tmp_path, "local", "--base-url", server.url) == 0
    assert {body["model"] for body in server.bodies} == {"local"}


def test_a_judge_runs_inside_the_process_too(tmp_path, llama, serve):
    path = tmp_path / "judge.gguf"
    path.write_bytes(DATA)
    author = serve(behave)
    # An author at an address has its judge there; one that is named has not.
    assert generate(tmp_path, "small", "--base-url", author.url, "--judge", "large") == 0
    assert {body["model"] for body in author.bodies} == {"small", "large"}
    assert llama.started == []
    made = ModelSettings(name="small", base_url=author.url, judge=f"gguf:{path}")
    assert models(made)["judge"].identity.endswith("in this process")
    made = models(ModelSettings(name="ollama/small", judge=f"gguf:{path}"))
    assert isinstance(made["judge"], embedded.EmbeddedModel)
    assert made["author"].model == "small"


def test_an_unknown_local_model_lists_those_that_are_known():
    with pytest.raises(ConfigError, match=r"unknown local model 'huge'; known: qwen3-4b-instruct-2507"):
        weights.local_model("local/huge")
