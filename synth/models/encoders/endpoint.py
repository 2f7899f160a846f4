"""Encoders at OpenAI-compatible endpoints (`/v1/embeddings`), in batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from synth.core.errors import ConfigError, ModelError
from synth.models.chat.api_keys import Key, redact
from synth.models.chat.openai import without_credentials
from synth.models.chat.providers import DEFAULT_BASE_URL
from synth.models.spans import EMBEDDINGS, call_span

if TYPE_CHECKING:
    from synth.models.encoders.vectors import Vectors

BATCH = 96
"""Texts per request: the lowest limit of the well-known servers."""

_TRIES = 5
_TIMEOUT_S = 120.0
_MAX_MESSAGE = 200


class EndpointEncoder:
    """An encoder at an OpenAI-compatible endpoint.

    `spent` is called with the prompt tokens of every request. Transient failures are retried after the wait that the
    endpoint asks for. Raises ConfigError when `base_url` is not an address.
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
            raise ConfigError("an encoder at an endpoint is named endpoint:MODEL, with the name of its model")
        self._model = model
        self._url = base_url
        self._place = without_credentials(base_url)
        self._key = key
        self._spent = spent

    @property
    def name(self) -> str:
        return f"{self._model} at {self._place}"

    @cached_property
    def dimension(self) -> int:
        return int(self.encode(["dimension"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text. Raises ModelError when the endpoint fails."""
        import numpy as np

        rows: list[Any] = []
        for first in range(0, len(texts), BATCH):
            rows += self._batch(list(texts[first : first + BATCH]))
        if not rows:
            return np.zeros((0, self.dimension), dtype=np.float32)
        vectors = np.asarray(rows, dtype=np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths == 0, 1, lengths), dtype=np.float32)

    def _batch(self, texts: list[str]) -> list[Any]:
        import openai

        # Most servers refuse an empty text.
        filled = [text or " " for text in texts]
        try:
            with call_span(EMBEDDINGS, self._model, self._place) as record:
                reply = self._client.embeddings.create(model=self._model, input=filled, encoding_format="float")
                tokens = int(getattr(reply.usage, "prompt_tokens", 0) or 0)
                record({"gen_ai.usage.input_tokens": tokens})
        except openai.OpenAIError as error:
            message = " ".join(redact(str(error), [self._key.reveal()] if self._key else []).split())[:_MAX_MESSAGE]
            raise ModelError(
                f"the encoder {self.name} gives no vectors ({message}); check --encoder, --encoder-url and the key"
            ) from None
        if len(reply.data) != len(texts):
            raise ModelError(f"the encoder {self.name} gave {len(reply.data)} vectors for {len(texts)} texts")
        self._spent(tokens)
        return [item.embedding for item in sorted(reply.data, key=lambda item: item.index)]

    @cached_property
    def _client(self) -> Any:
        import openai

        return openai.OpenAI(
            api_key=self._key.reveal() if self._key else "none",
            base_url=self._url,
            max_retries=_TRIES,
            timeout=_TIMEOUT_S,
        )
