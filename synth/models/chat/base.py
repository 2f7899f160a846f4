"""What parts say to chat models and hear back: requests, completions, failures, and the model Protocol."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

from synth.core.errors import Passing
from synth.models.chat.structured import check_schema
from synth.models.prompts import Prompt

Role = Literal["author", "judge"]
FaultKind = Literal["throttled", "server", "connection", "timeout", "truncated", "unparsable", "refused", "empty"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation; `role` is "system", "user" or "assistant".

    `images` are addresses or data URLs, for endpoints that take them.
    """

    role: str
    content: str
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a part asks of a chat model.

    `purpose` names the stage for the accounts; `schema` is the JSON Schema the reply must satisfy, or
    None for free text; `max_tokens` bounds the reply; `prompt` is the `name@digest` of the prompt file;
    `role` chooses which of the run's models is asked.
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
        """The request that `prompt` makes of `values`, one string for each of its inputs.

        Raises ConfigError when the values do not fit the inputs, or when replies cannot be checked by the schema.
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

    `text` has no reasoning preamble; `data` is the reply, parsed and valid by the request's schema, or
    None when there is none. Tokens are those of every exchange this answer took, repairs included.
    `cached` says that nothing was sent: the answer was kept, or is shared with an equal request.
    """

    text: str
    data: Any = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached: bool = False


class RequestFailed(Passing):
    """A request got no usable answer after all its retries.

    The driver throws it into the part at its `yield`; a part that lets it go fails its item with the
    same `kind` and `reason`.
    """

    def __init__(self, kind: FaultKind, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind: FaultKind = kind
        self.reason = reason


Asked: TypeAlias = Request | Sequence[Request]
T = TypeVar("T")
# A part that asks a model: yields a Request and receives a Completion, or yields several and receives a
# tuple of Completions in their order, with a RequestFailed in the place of each that failed.
Steps: TypeAlias = Generator[Asked, Any, T]


@dataclass(frozen=True, slots=True)
class Round:
    """What a part asks at one `yield`: a `single` request, or several at once."""

    requests: tuple[Request, ...] = ()
    single: bool = False


def begun(part: Steps[Any]) -> Round:
    """What a part asks first; raises what the part raises, StopIteration with its result at its end."""
    return _round(next(part))


def advanced(part: Steps[Any], asked: Round, answers: Sequence[Completion | RequestFailed]) -> Round:
    """What a part asks after it was given the answers to what it asked before; raises as `begun` does.

    The failure of a single request is raised at the part's `yield`.
    """
    if not asked.single:
        return _round(part.send(tuple(answers)))
    (answer,) = answers
    return _round(part.throw(answer) if isinstance(answer, RequestFailed) else part.send(answer))


def _round(asked: Asked) -> Round:
    return Round((asked,), single=True) if isinstance(asked, Request) else Round(tuple(asked))


@dataclass(frozen=True, slots=True)
class RateLimits:
    """What an endpoint said of its limits with a reply: whether nothing is left, and for how many seconds."""

    exhausted: bool = False
    reset_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """What an endpoint answered, before anybody has looked into it.

    `finish_reason` is the endpoint's word: "stop", "length", "content_filter" or "refusal". Of the prompt's
    tokens, `known_tokens` were in the endpoint's own cache, for which most charge less.
    """

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 0
    completion_tokens: int = 0
    known_tokens: int = 0
    limits: RateLimits = RateLimits()


class Fault(Exception):
    """An endpoint gave no reply this time; another try may mend it.

    `retry_after` is the wait in seconds that the endpoint asked for, or None.
    """

    def __init__(self, kind: FaultKind, reason: str, retry_after: float | None = None) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind: FaultKind = kind
        self.reason = reason
        self.retry_after = retry_after


class ChatModel(Protocol):
    """A chat model behind an endpoint.

    `identity` says endpoint, model and fixed parameters, never a secret: replies are kept under it.
    """

    @property
    def identity(self) -> str: ...

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """One exchange, with no retry, of at most `timeout` seconds.

        Raises Fault when another try may help, ModelError when none will.
        """
        ...


@runtime_checkable
class Flushable(Protocol):
    """A model that gathers requests until it is told that nothing more will be asked for now."""

    def flush(self) -> None: ...


@runtime_checkable
class Closable(Protocol):
    """A model that holds connections; closed on the event loop it was used on."""

    async def close(self) -> None: ...
