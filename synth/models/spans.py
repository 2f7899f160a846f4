"""OpenTelemetry spans of calls to models, if opentelemetry-api is installed.

Names are those of the GenAI semantic conventions (https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/).
Spans contain no text: no prompt, no reply and no error message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

CHAT, EMBEDDINGS = "chat", "embeddings"
_PROVIDER = "openai"
"""Name of the API. The conventions require it from clients that do not know the provider of a model."""


@contextmanager
def call_span(
    operation: str, model: str, url: str, attributes: Mapping[str, Any] | None = None
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Open a span for a call of the kind `operation` to `model` at `url`.

    Yields a function that adds attributes after the reply. Attributes that are None are left out. An exception sets
    `error.type` to its kind. Without opentelemetry-api, nothing is recorded.
    """
    try:
        from opentelemetry import trace
    except ModuleNotFoundError:
        yield lambda _: None
        return
    address = urlsplit(url)
    known = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": _PROVIDER,
        "gen_ai.request.model": model,
        "server.address": address.hostname,
        "server.port": address.port,
        **(attributes or {}),
    }
    with trace.get_tracer("synth").start_as_current_span(
        f"{operation} {model}",
        kind=trace.SpanKind.CLIENT,
        attributes={name: value for name, value in known.items() if value is not None},
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield span.set_attributes
        except BaseException as error:
            span.set_attribute("error.type", str(getattr(error, "kind", type(error).__name__)))
            span.set_status(trace.StatusCode.ERROR)
            raise
