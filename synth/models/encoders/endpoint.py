"""Encoders at OpenAI-compatible endpoints (`/v1/embeddings`), in batches."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from synth.core.errors import ConfigError, ModelError
from synth.models.chat import bounded
from synth.models.chat.api_keys import Key, redact
from synth.models.chat.openai import split_credentials, token_count, transport_of
from synth.models.chat.providers import DEFAULT_BASE_URL
from synth.models.spans import EMBEDDINGS, call_span

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

BATCH = 96
"""Maximum number of texts per request, the lowest limit among well-known servers."""

_TRIES = 5
_TIMEOUT_S = 120.0
_MAX_MESSAGE = 200


class EndpointEncoder:
    """Encoder at an OpenAI-compatible endpoint.

    `spent` is called with the number of prompt tokens of each reply. Transient failures are retried after the wait that
    the endpoint asks for. Raises ConfigError when `model` is empty or `base_url` is not an address.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        key: Key | None = None,
        spent: Callable[[int], None] = lambda _: None,
    ) -> None:
        if not model.strip():
            raise ConfigError("an encoder at an endpoint needs the name of its model, as in endpoint:MODEL")
        self._model = model
        self._url = base_url
        self._place, credentials = split_credentials(base_url.rstrip("/"))
        self._secrets = (*([key.reveal()] if key else []), *credentials)
        self._key = key
        self._spent = spent

    @property
    def name(self) -> str:
        """Model and address, without credentials."""
        return f"{self._model} at {self._place}"

    @cached_property
    def dimension(self) -> int:
        """Length of a vector. The first access sends a request to find out."""
        return int(self.encode(["dimension"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text. Raises ModelError when the endpoint fails."""
        import numpy as np

        if not texts:
            return np.zeros((0, self.dimension), dtype=np.float32)
        batches = [self._batch(list(texts[first : first + BATCH])) for first in range(0, len(texts), BATCH)]
        if len(dimensions := {batch.shape[1] for batch in batches}) > 1:
            raise self._no_vectors(f"the vectors have {' and '.join(map(str, sorted(dimensions)))} dimensions")
        vectors = np.concatenate(batches)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)

    def _batch(self, texts: list[str]) -> Vectors:
        import openai

        # Most servers refuse an empty text.
        filled = [text or " " for text in texts]
        try:
            with call_span(EMBEDDINGS, self._model, self._place) as record:
                raw = self._client.embeddings.with_raw_response.create(
                    model=self._model, input=filled, encoding_format="float"
                )
                if refusal := bounded.refused(raw.http_response):
                    raise self._no_vectors(refusal)
                vectors, tokens = self._read(raw.text, len(texts))
                record({"gen_ai.usage.input_tokens": tokens})
        except openai.OpenAIError as error:
            raise self._no_vectors(str(error)) from None
        self._spent(tokens)
        return vectors

    def _read(self, text: str, count: int) -> tuple[Vectors, int]:
        """Return the vectors of a reply, in the order of their texts, and the number of its prompt tokens."""
        import numpy as np

        try:
            body = json.loads(text)
            rows = {item.get("index", place): item["embedding"] for place, item in enumerate(body["data"])}
            tokens = token_count((body.get("usage") or {}).get("prompt_tokens"))
            with np.errstate(over="ignore"):
                vectors = np.asarray([rows[place] for place in range(count)], dtype=np.float32)
        except (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError):
            raise self._no_vectors(f"the reply contains no vectors for {count} texts: {text[:_MAX_MESSAGE]}") from None
        if len(rows) != count:
            raise self._no_vectors(f"the reply contains {len(rows)} vectors for {count} texts")
        if vectors.ndim != 2 or not vectors.size or not np.isfinite(vectors).all():
            raise self._no_vectors("the reply contains vectors that are not lists of finite numbers")
        return vectors, tokens

    def _no_vectors(self, why: str) -> ModelError:
        message = " ".join(redact(why, self._secrets).split())[:_MAX_MESSAGE]
        return ModelError(
            f"the encoder {self.name} returned no valid vectors ({message}); check --encoder, --encoder-url and the key"
        )

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(
            api_key=self._key.reveal() if self._key else "none",
            base_url=self._url.partition("?")[0],
            default_query=dict(parse_qsl(urlsplit(self._url).query)),
            max_retries=_TRIES,
            timeout=_TIMEOUT_S,
            http_client=openai.DefaultHttpxClient(
                headers=bounded.ENCODINGS,
                event_hooks={"response": [bounded.read]},
                **transport_of(self._url),
            ),
        )
