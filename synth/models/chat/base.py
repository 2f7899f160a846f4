"""Requests to chat models, their completions and failures, and the protocol of a model."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from synth.core.errors import ExpectedFailure
from synth.models.chat.structured import check_schema
from synth.models.prompts import Prompt

Role = Literal["author", "judge"]
FaultKind = Literal["throttled", "server", "connection", "timeout", "truncated", "unparsable", "refused", "empty"]


@dataclass(frozen=True, slots=True)
class Message:
    """Message of a conversation. `role` is "system", "user" or "assistant".

    `images` are addresses or data URLs, for endpoints that accept images.
    """

    role: str
    content: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Request to a chat model.

    `purpose` names the stage of the run, for counting usage. `prompt` is the `name@digest` of the prompt file. `schema`
    is the JSON Schema of the reply, or None for free text. `max_tokens` limits the reply. `role` selects the run's
    model for writing ("author") or for judging ("judge").
    """

    purpose: str
    messages: tuple[Message, ...]
    prompt: str
    schema: Mapping[str, Any] | None = None
    max_tokens: int = 512
    temperature: float = 0.0
    seed: int | None = None
    role: Role = "author"

    @classmethod
    def of(
        cls,
        prompt: Prompt,
        values: Mapping[str, str],
        *,
        purpose: str,
        role: Role = "author",
        seed: int | None = None,
        temperature: float = 0.0,
    ) -> Request:
        """Return the request of a `prompt` with `values`, one string for each of its inputs.

        Raises ConfigError when the values do not match the inputs, or when the schema uses an unsupported keyword.
        """
        if prompt.schema is not None:
            check_schema(prompt.schema, f"the schema of the prompt {prompt.source}")
        text = prompt.render(values)
        system = (Message("system", text.system),) if text.system else ()
        return cls(
            purpose=purpose,
            messages=(*system, Message("user", text.user)),
            prompt=prompt.label,
            schema=prompt.schema,
            max_tokens=prompt.max_tokens,
            temperature=temperature,
            seed=seed,
            role=role,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Answer of a model to a request.

    `text` contains no reasoning preamble. `data` is the reply parsed by the request's schema, or None without a schema.
    Token counts include all calls for this answer, such as those that repair a reply. `cached` is True if nothing was
    sent, because the answer was stored or an equal request was in progress.
    """

    text: str
    data: Any = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


class RequestFailed(ExpectedFailure):
    """Error for a request without a usable answer after all retries.

    The driver raises it at the `yield` of the generator that made the request. If the generator does not catch it, its
    job fails with the same `kind` and `reason`.
    """

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind: FaultKind = kind
        self.reason = reason


Asked: TypeAlias = Request | Sequence[Request]
T = TypeVar("T")
# A part (author, filter, metric) that asks a model is a generator. It yields a Request and receives a Completion, or
# yields several Requests and receives a tuple in the same order, with a Completion or a RequestFailed for each.
Steps: TypeAlias = Generator[Asked, Any, T]


@dataclass(frozen=True, slots=True)
class Round:
    """Requests that a part (a generator, see `Steps`) yielded together, or a `single` request."""

    requests: tuple[Request, ...] = ()
    single: bool = False


def begun(part: Steps[Any]) -> Round:
    """Start a part, which is a generator of requests (see `Steps`), and return its first requests.

    Raises any exception of the part. When the part ends, raises StopIteration with its result.
    """
    return _round(next(part))


def advanced(part: Steps[Any], asked: Round, answers: Sequence[Completion | RequestFailed]) -> Round:
    """Send a part the answers to its previous requests `asked`, and return its next requests.

    The failure of a single request is raised at the part's `yield`. Raises as `begun` does.
    """
    if not asked.single:
        return _round(part.send(tuple(answers)))
    (answer,) = answers
    return _round(part.throw(answer) if isinstance(answer, RequestFailed) else part.send(answer))


def _round(asked: Asked) -> Round:
    return Round((asked,), single=True) if isinstance(asked, Request) else Round(tuple(asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """Reply of an endpoint before it is parsed.

    `finish_reason` is the endpoint's: "stop", "length", "content_filter" or "refusal". It is "malformed" if the
    endpoint's answer cannot be read. Then `text` says why. `known_tokens` counts the prompt tokens in the endpoint's
    prompt cache, which most endpoints charge less for. `pause_s` is the wait in seconds before the next request, by the
    endpoint's rate limit.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    known_tokens: int = 0
    pause_s: float = 0.0


class Fault(Exception):
    """Error for a failed call that a retry may fix.

    `retry_after` is the wait in seconds that the endpoint asked for, or None.
    """

    def __init__(self, kind: FaultKind, reason: str, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind: FaultKind = kind
        self.reason = reason
        self.retry_after = retry_after


class ChatModel(Protocol):
    """Chat model behind an endpoint.

    `identity` names endpoint, model and fixed parameters, without any secret. Replies are stored under it.
    """

    @property
    def identity(self) -> str: ...

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """Send the request once, and return the reply within `timeout` seconds.

        Raises Fault when a retry may help, and ModelError when none can.
        """
        ...


@runtime_checkable
class Discreet(Protocol):
    """Model that has secrets and can hide them in a text."""

    def hidden(self, text: str) -> str: ...


@runtime_checkable
class Flushable(Protocol):
    """Model that collects requests and sends them when `flush` is called."""

    def flush(self) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """Model with open connections, which must be closed on the event loop that used them."""

    async def close(self) -> None: ...
