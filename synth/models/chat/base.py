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
    """A turn of a conversation; `role` is "system", "user" or "assistant".

    `images` are addresses or data URLs, for endpoints that accept them.
    """

    role: str
    content: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a chat model.

    `purpose` is the stage under which usage is counted; `schema` is the JSON Schema of the reply, or None for free
    text; `max_tokens` limits the reply; `prompt` is the `name@digest` of the prompt file; `role` selects one of the
    run's models.
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
        """Request of a `prompt` with `values`, one string for each of its inputs.

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
    """A model's answer to a request.

    `text` has no reasoning preamble; `data` is the reply parsed by the request's schema, or None without a schema.
    Tokens are those of all exchanges for this answer, repairs included. `cached` marks an answer for which nothing was
    sent: it was stored, or it is shared with an equal request.
    """

    text: str
    data: Any = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


class RequestFailed(ExpectedFailure):
    """A request without a usable answer after all retries.

    The driver raises it in the part at its `yield`. A part that does not catch it fails its item with the same `kind`
    and `reason`.
    """

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind: FaultKind = kind
        self.reason = reason


Asked: TypeAlias = Request | Sequence[Request]
T = TypeVar("T")
# A part that asks a model yields a Request and receives a Completion, or yields several Requests and receives a tuple
# of Completions in their order, with a RequestFailed in the place of each that failed.
Steps: TypeAlias = Generator[Asked, Any, T]


@dataclass(frozen=True, slots=True)
class Round:
    """Requests of a part at one `yield`: a `single` one, or several."""

    requests: tuple[Request, ...] = ()
    single: bool = False


def begun(part: Steps[Any]) -> Round:
    """First requests of a part. Raises what the part raises, and StopIteration with its result at its end."""
    return _round(next(part))


def advanced(part: Steps[Any], asked: Round, answers: Sequence[Completion | RequestFailed]) -> Round:
    """Next requests of a part after the answers to the previous ones. Raises as `begun` does.

    The failure of a single request is raised at the part's `yield`.
    """
    if not asked.single:
        return _round(part.send(tuple(answers)))
    (answer,) = answers
    return _round(part.throw(answer) if isinstance(answer, RequestFailed) else part.send(answer))


def _round(asked: Asked) -> Round:
    return Round((asked,), single=True) if isinstance(asked, Request) else Round(tuple(asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """An endpoint's reply before it is parsed.

    `finish_reason` is the endpoint's: "stop", "length", "content_filter" or "refusal"; "malformed" with the
    reason as its text where the endpoint answered with something that cannot be read. `known_tokens` of the prompt
    tokens were in the endpoint's prompt cache, for which most charge less.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    known_tokens: int = 0
    pause_s: float = 0.0


class Fault(Exception):
    """A failed exchange that a retry may fix.

    `retry_after` is the wait in seconds that the endpoint asked for, or None.
    """

    def __init__(self, kind: FaultKind, reason: str, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind: FaultKind = kind
        self.reason = reason
        self.retry_after = retry_after


class ChatModel(Protocol):
    """A chat model behind an endpoint.

    `identity` names endpoint, model and fixed parameters, without any secret; replies are stored under it.
    """

    @property
    def identity(self) -> str: ...

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """One exchange of at most `timeout` seconds, without retries.

        Raises Fault when a retry may help, ModelError when none can.
        """
        ...


@runtime_checkable
class Discreet(Protocol):
    """A model that has secrets, and hides them in a text."""

    def hidden(self, text: str) -> str: ...


@runtime_checkable
class Flushable(Protocol):
    """A model that collects requests until `flush` announces that no more will come for now."""

    def flush(self) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """A model with open connections, to be closed on the event loop that used it."""

    async def close(self) -> None: ...
