"""Chat models at OpenAI-compatible endpoints, through the `openai` client."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from synth.core.errors import ConfigError, ModelError
from synth.core.records import digest
from synth.core.store import Cache
from synth.models.chat import bounded
from synth.models.chat.api_keys import Key, redact
from synth.models.chat.base import Fault, RawReply, Request
from synth.models.chat.budget import prompt_tokens
from synth.models.chat.dialect import Dialect
from synth.models.chat.endpoint_memory import EndpointMemory
from synth.models.chat.headers import pause_of, retry_after
from synth.models.chat.prices import is_local
from synth.models.chat.providers import DEFAULT_BASE_URL, DEFAULT_KEY_ENV
from synth.models.spans import CHAT, call_span
from synth.text.tokens import count_tokens

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_CONNECT_S = 5.0
_SCOUT_S = 5.0
_LONGEST_MESSAGE = 300
_MOST_TOKENS = 100_000_000  # of one call; a higher number is not a valid count
_AZURE = (".azure.com", ".azure-api.net", ".azure.us", ".azure.cn")
_LIST_WITHOUT_BEARER = "api.anthropic.com"
"""Host that takes the key as a bearer token for chat completions, but in another header for the list of models."""

_WEB_PAGE = re.compile(r"\s*(?:<!doctype|<html|<head|<\?xml)", re.IGNORECASE)
_TRANSIENT = frozenset({408, 409, 425})


class OpenAIModel:
    """Chat model at an OpenAI-compatible endpoint.

    `model` is the endpoint's name for the model, and `base_url` usually ends in /v1. `key` is None for a server without
    keys. Messages about a missing key name the environment variable `key_env`. With `needs_key`, nothing is
    sent without a key. `headers` are sent with every call. `parameters` are further fields of every call,
    such as {"top_p": 0.9}.

    The first request finds out what the server supports (JSON Schema, names of parameters), and `cache` stores the
    result. At an address that has never answered, the other requests wait for the first.

    Raises ConfigError when `model` is empty or `base_url` is not an address.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        key: Key | None = None,
        key_env: str = DEFAULT_KEY_ENV,
        needs_key: bool = False,
        headers: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
        cache: Cache | None = None,
    ) -> None:
        if not model.strip():
            raise ConfigError("the name of the chat model must not be empty; name one with --llm")
        self.model = model
        self._url = base_url.rstrip("/")
        self._place, credentials = split_credentials(self._url)
        self._key = key
        self._key_env = key_env
        self._needs_key = needs_key
        self._headers = dict(headers or {})
        self._parameters = dict(parameters or {})
        self._secrets = (*([key.reveal()] if key else []), *self._headers.values(), *credentials)
        self._memory = EndpointMemory(cache, self.identity, self._place)
        self._dialect = self._memory.dialect()
        self._scout: asyncio.Event | None = None
        self._client: tuple[asyncio.AbstractEventLoop, AsyncOpenAI] | None = None

    @property
    def base_url(self) -> str:
        """Address of the endpoint, without credentials."""
        return self._place

    @property
    def identity(self) -> str:
        """Name of model, endpoint and fixed parameters, without secrets. Replies are stored under it."""
        fixed = f" {digest(self._parameters)[:12]}" if self._parameters else ""
        return f"{self.model} at {self._place}{fixed}"

    def __repr__(self) -> str:
        return f"OpenAIModel({self.identity!r})"

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """Send the request and return the reply.

        If the server refuses a parameter or the reply format, the request is sent again at once in a plainer form.
        Raises Fault when a retry may help, and ModelError when none can.
        """
        if self._memory.reached:
            return await self._exchange(request, timeout)
        if self._scout is not None:
            # The wait is limited, because the first request may hang.
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._scout.wait(), min(_SCOUT_S, timeout / 4))
            return await self._exchange(request, timeout)
        self._scout = scout = asyncio.Event()
        try:
            return await self._exchange(request, timeout)
        finally:
            scout.set()
            self._scout = None

    async def check(self) -> None:
        """Check that an endpoint that has never answered can be used, before anything is spent.

        It requests the list of models, which costs nothing. A server without a list of models passes. Raises ModelError
        when the endpoint cannot be reached, is not an API, or refuses the key.
        """
        if self._memory.known:
            return
        openai = _import_openai()
        limits = openai.Timeout(_CONNECT_S, connect=_CONNECT_S)
        try:
            raw = await self.client().models.with_raw_response.list(timeout=limits)
        except openai.APIStatusError as error:
            if error.status_code == 401 and urlsplit(self._url).hostname != _LIST_WITHOUT_BEARER:
                raise self._refusal(error) from None
        except openai.APITimeoutError as error:
            if "ConnectTimeout" in {type(cause).__name__ for cause in _chain(error)}:
                raise self._fatal("cannot be reached; check that the endpoint is up and --base-url is right") from None
        except openai.APIConnectionError as error:
            why = self._broken(error, _CONNECT_S).reason
            raise self._fatal(f"{why}; check that the endpoint is up and --base-url is right") from None
        else:
            if _is_page(raw.text, raw.headers.get("content-type", "")):
                raise self._page()
        finally:
            await self.close()

    async def _exchange(self, request: Request, timeout: float) -> RawReply:
        with call_span(CHAT, self.model, self._place, _span_attributes(request)) as record:
            reply = await self._send(request, timeout)
            record(
                {
                    "gen_ai.usage.input_tokens": reply.prompt_tokens,
                    "gen_ai.usage.output_tokens": reply.completion_tokens,
                    "gen_ai.usage.cache_read.input_tokens": reply.known_tokens,
                    "gen_ai.response.finish_reasons": [reply.finish_reason],
                }
            )
            return reply

    async def _send(self, request: Request, timeout: float) -> RawReply:
        openai = _import_openai()
        client = self.client()
        dialect = self._dialect
        limits = openai.Timeout(timeout, connect=min(_CONNECT_S, timeout))
        while True:
            extra = {**dialect.parameters(request), **self._parameters}
            try:
                # `extra_body` replaces the empty messages: the client would inspect every part of them, a fifth of
                # its time at 160 calls a second.
                raw = await client.chat.completions.with_raw_response.create(
                    model=self.model, messages=[], extra_body=extra, timeout=limits
                )
            except openai.APIStatusError as error:
                plainer = dialect.after(error.status_code, _server_message(error), request)
                if plainer is None:
                    raise self._refusal(error) from None
                dialect = plainer
            except openai.APIConnectionError as error:
                raise self._broken(error, timeout) from None
            else:
                if refusal := bounded.refused(raw.http_response):
                    # The reply was generated and is paid for, so count the most tokens that it can have.
                    return RawReply(
                        text=refusal,
                        finish_reason="malformed",
                        prompt_tokens=prompt_tokens(request),
                        completion_tokens=request.max_tokens,
                    )
                content_type, pause_s = raw.headers.get("content-type", ""), pause_of(raw.headers)
                reply = self._read(raw.text, content_type, pause_s, request)
                self._remember(dialect)
                return reply

    def body(self, request: Request) -> dict[str, Any]:
        """Return the body of the HTTP request for `request`, in the form that the server is known to accept."""
        return {"model": self.model, **self._dialect.parameters(request), **self._parameters}

    def answered(self, status: int, body: Any, request: Request) -> RawReply:
        """Return the reply in the `body` of an answer from a batch.

        Raises Fault for an error. If the server refused a parameter or the reply format, the next try uses a plainer
        form.
        """
        if status == 200:
            reply = self._read(json.dumps(body), "", 0.0, request)
            self._remember(self._dialect)
            return reply
        message = self._one_line(_message_in(body) or str(body))
        if (plainer := self._dialect.after(status, message, request)) is not None:
            self._dialect = plainer
            raise Fault("server", f"{status}: {message}")
        if status == 429 or status >= 500 or status in _TRANSIENT:
            raise Fault("throttled" if status == 429 else "server", f"{status}: {message}")
        raise Fault("refused", f"the endpoint refused the request with {status}: {message}")

    def trouble(self, error: Exception) -> Fault | ModelError:
        """Convert an exception of the client to a Fault that a retry may fix, or to a ModelError that ends the run."""
        openai = _import_openai()
        if isinstance(error, openai.APIStatusError):
            return self._refusal(error)
        return self._broken(error, _CONNECT_S)

    def _remember(self, dialect: Dialect) -> None:
        """Store the dialect of an answered request."""
        if dialect != self._dialect or not self._memory.known:
            self._dialect = dialect
            self._memory.learned(dialect)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            _, client = self._client
            self._client = None
            await client.close()

    def client(self) -> AsyncOpenAI:
        """Return the client of the running event loop. Connections cannot be shared between loops.

        Raises ModelError when the endpoint needs a key and none is given.
        """
        if self._needs_key and self._key is None:
            raise self._fatal(f"needs an API key: set {self._key_env}, or name its file with --key-file")
        loop = asyncio.get_running_loop()
        if self._client is None or self._client[0] is not loop:
            openai = _import_openai()
            client = openai.AsyncOpenAI(
                api_key=self._key.reveal() if self._key else "none",
                base_url=self._url.partition("?")[0],
                default_query=dict(parse_qsl(urlsplit(self._url).query)),
                default_headers={**self._azure(), **self._headers},
                max_retries=0,
                http_client=openai.DefaultAsyncHttpxClient(
                    headers=bounded.ENCODINGS,
                    event_hooks={"response": [bounded.read_async]},
                    **transport_of(self._url),
                ),
            )
            self._client = (loop, client)
        return self._client[1]

    def _azure(self) -> dict[str, str]:
        """Return the header with the key for an endpoint of Azure; empty for other endpoints."""
        host = urlsplit(self._url).hostname or ""
        return {"api-key": self._key.reveal()} if self._key and host.endswith(_AZURE) else {}

    def hidden(self, text: str) -> str:
        """Return `text` without the secrets of the endpoint."""
        return redact(text, self._secrets)

    def _one_line(self, text: str) -> str:
        """Return `text` on one line, shortened and without secrets."""
        if _WEB_PAGE.match(text):
            return "a web page (HTML) instead of an answer"
        return " ".join(self.hidden(text).split())[:_LONGEST_MESSAGE]

    def _broken(self, error: Exception, timeout: float) -> Fault:
        chain = _chain(error)
        names = {type(e).__name__ for e in chain}
        if "APITimeoutError" in names and "ConnectTimeout" not in names:
            return Fault("timeout", f"no complete reply within {timeout:g} s")
        detail = self._one_line(_reason(chain[-1])) or type(chain[-1]).__name__
        return Fault("connection", f"cannot be reached or broke the connection ({detail})")

    def _refusal(self, error: APIStatusError) -> Fault | ModelError:
        """Convert an error status to a Fault of this request, or to a ModelError that ends the run."""
        status, message = error.status_code, self._one_line(_server_message(error))
        wait = retry_after(error.response.headers)
        if status in (401, 403):
            advice = (
                "check the API key" if self._key else f"it needs an API key: set {self._key_env or DEFAULT_KEY_ENV}"
            )
            return self._fatal(f"refused the key with {status} ({message}); {advice}")
        if status == 402 or error.code in ("insufficient_quota", "billing_hard_limit_reached"):
            return self._fatal(f"requires payment ({message}); check the account's quota")
        if status < 400 or status in (404, 405):
            return self._fatal(f"does not know this model or address, {status} ({message}); check --llm and --base-url")
        if status == 429:
            return Fault("throttled", f"429: {message}", wait)
        if status >= 500 or status in _TRANSIENT:
            return Fault("server", f"{status}: {message}", wait)
        return Fault("refused", f"the endpoint refused the request with {status}: {message}")

    def _fatal(self, what: str) -> ModelError:
        return ModelError(f"{self.model} at {self._place} {what}")

    def _page(self) -> ModelError:
        return self._fatal("answers with a web page (HTML), not as an API; --base-url usually ends in /v1")

    def _read(self, text: str, content_type: str, pause_s: float, request: Request) -> RawReply:
        if _is_page(text, content_type):
            raise self._page()
        try:
            body = json.loads(text)
            choice = body["choices"][0]
            message = choice["message"]
            content, refusal = _text(message.get("content")), message.get("refusal")
            if not content and not refusal and request.schema is not None:
                # Some servers take the whole reply for reasoning.
                content = _text(message.get("reasoning_content")) or _text(message.get("reasoning"))
            usage = body.get("usage") or {}
            prompt = token_count(usage.get("prompt_tokens")) or prompt_tokens(request)
            written = token_count(usage.get("completion_tokens")) or count_tokens(content or str(refusal or ""))
            known = token_count((usage.get("prompt_tokens_details") or {}).get("cached_tokens"))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            shown = self._one_line(text)[:120]
            raise Fault("server", f"the endpoint's reply is not a chat completion: {shown}") from None
        return RawReply(
            text=self._without_key(content or str(refusal or "")),
            finish_reason="refusal" if refusal and not content else str(choice.get("finish_reason") or "stop"),
            prompt_tokens=prompt,
            completion_tokens=written,
            known_tokens=min(known, prompt),
            pause_s=pause_s,
        )

    def _without_key(self, text: str) -> str:
        """Return `text` without the key, which a server may echo and which must never reach the store."""
        return redact(text, [self._key.reveal()]) if self._key and self._key.reveal() in text else text


def _span_attributes(request: Request) -> dict[str, Any]:
    """Return the attributes of a request for its OpenTelemetry span, without any text."""
    return {
        "gen_ai.output.type": "text" if request.schema is None else "json",
        "gen_ai.request.max_tokens": request.max_tokens,
        "gen_ai.request.temperature": request.temperature,
        "gen_ai.request.seed": request.seed,
        "synth.purpose": request.purpose,
        "synth.role": request.role,
    }


def _import_openai() -> Any:
    """Import the client library, which takes a second and is needed only when something is sent."""
    import openai

    return openai


def split_credentials(url: str) -> tuple[str, tuple[str, ...]]:
    """Return an address without user, password and query, and a tuple of these secrets.

    Raises ConfigError when `url` is not an address.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigError(f"the base URL of the chat model is not an address: {error}") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ConfigError("the base URL of the chat model must be like https://host/v1 or http://127.0.0.1:8080/v1")
    shown = f"[{host}]" if ":" in host else host
    place = urlunsplit((parts.scheme, f"{shown}:{port}" if port else shown, parts.path, "", ""))
    basic = b64encode(f"{unquote(parts.username or '')}:{unquote(parts.password or '')}".encode()).decode()
    secrets = [parts.username, parts.password, parts.query, *(value for _, value in parse_qsl(parts.query))]
    secrets += [unquote(part) for part in (parts.username, parts.password) if part]
    return place, tuple(part for part in (*secrets, basic if parts.username else "") if part)


def without_credentials(url: str) -> str:
    """Return an address without user, password and query. Raises ConfigError when `url` is not an address."""
    return split_credentials(url.rstrip("/"))[0]


def transport_of(url: str) -> dict[str, Any]:
    """Return the settings of connections to an address.

    Redirects are not followed, because they would pass the key on to another server. A proxy from the environment
    cannot reach this machine's loopback, so loopback addresses use no proxy. For plain HTTP on loopback, certificates
    are not loaded, which saves a tenth of a second.
    """
    parts = urlsplit(url)
    local = is_local(url)
    plain = {"verify": False} if local and parts.scheme == "http" else {}
    return {"trust_env": not local, "follow_redirects": False, **plain}


def _is_page(text: str, content_type: str) -> bool:
    return "html" in content_type or _WEB_PAGE.match(text) is not None


def _chain(error: BaseException | None) -> list[BaseException]:
    chain: list[BaseException] = []
    while error is not None:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def _reason(error: BaseException) -> str:
    """Return the operating system's message for a broken connection, or else that of the exception."""
    if isinstance(error, OSError) and error.errno and error.errno > 0:
        return os.strerror(error.errno)
    return str(error)


def _server_message(error: APIStatusError) -> str:
    """Return the server's error message, from the body if it contains one."""
    return _message_in(error.body) or str(error.response.text or error.message)


def _message_in(body: Any) -> str:
    if not isinstance(body, Mapping):
        return ""
    inner = body.get("error", body)
    if isinstance(inner, Mapping):
        return str(inner.get("message") or inner.get("detail") or dict(inner))
    return str(inner)


def token_count(said: Any) -> int:
    """Return `said`, a token count from a server, or 0 if it is not a valid count."""
    return said if isinstance(said, int) and not isinstance(said, bool) and 0 <= said <= _MOST_TOKENS else 0


def _text(content: Any) -> str:
    """Return the text of a message's content, which some servers send as a list of parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""
