"""Spans of calls, by the in-memory exporter of the SDK: what they have, and that no text is in them."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from synth.core.errors import ModelError
from synth.models.chat.driver import Driver
from synth.models.chat.exchange import Sending
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.retries import Retries
from synth.models.encoders.endpoint import EndpointEncoder

from .parts import jobs, results
from .server import Status

FAST = Retries(first_pause=0.01, longest_pause=0.02)


@pytest.fixture
def spans(monkeypatch):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter.get_finished_spans


def driver_of(server):
    return Driver({"author": OpenAIModel("m", base_url=server.url)}, sending=Sending(retries=FAST, timeout_s=5.0))


def test_a_call_has_a_span_with_model_tokens_and_no_text(serve, spans):
    server = serve(json.dumps({"answer": "a secret answer"}))
    with trace.get_tracer("test").start_as_current_span("run"):
        results(driver_of(server).run(jobs("a secret question")))
    span, run = spans()
    assert span.name == "chat m"
    assert span.kind is SpanKind.CLIENT
    assert span.parent.span_id == run.context.span_id
    assert span.status.status_code is StatusCode.UNSET
    attributes = dict(span.attributes)
    assert attributes["gen_ai.operation.name"] == "chat"
    assert attributes["gen_ai.request.model"] == "m"
    assert (attributes["server.address"], str(attributes["server.port"])) == (
        "127.0.0.1",
        server.url.split(":")[2][:-3],
    )
    assert attributes["gen_ai.usage.input_tokens"] > 0
    assert attributes["gen_ai.usage.output_tokens"] > 0
    assert attributes["gen_ai.response.finish_reasons"] == ("stop",)
    assert attributes["synth.role"] == "author"
    assert "secret" not in span.to_json()


def test_each_try_has_a_span_and_a_failed_one_its_kind_without_a_message(serve, spans):
    server = serve(lambda body, number: Status(500, "a secret message") if number == 0 else json.dumps({"answer": "x"}))
    results(driver_of(server).run(jobs("a")))
    failed, answered = spans()
    assert failed.attributes["error.type"] == "server"
    assert failed.status.status_code is StatusCode.ERROR
    assert failed.events == ()
    assert "secret" not in failed.to_json()
    assert "error.type" not in answered.attributes


def test_vectors_have_a_span(bench, serve, spans):
    EndpointEncoder("e", base_url=bench().url).encode(["a secret text"])
    with pytest.raises(ModelError):
        EndpointEncoder("e", base_url=serve("a secret message").url).encode(["x"])
    given, refused = spans()
    assert given.name == "embeddings e"
    assert given.attributes["gen_ai.operation.name"] == "embeddings"
    assert given.attributes["gen_ai.usage.input_tokens"] > 0
    assert refused.attributes["error.type"] == "ModelError"
    assert "secret" not in given.to_json() + refused.to_json()


def test_without_opentelemetry_a_call_has_none():
    code = (
        "import sys\nsys.modules['opentelemetry'] = None\n"
        "from synth.models.spans import call_span\n"
        "with call_span('chat', 'm', 'http://127.0.0.1/v1') as record:\n    record({'a': 1})\nprint('done')"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "done\n"
