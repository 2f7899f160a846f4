"""Dialect of a server: the request parameters that it accepts, learned from the requests that it refuses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from synth.models.chat.base import Message, Request
from synth.models.chat.structured import schema_instruction

_NEXT_FORMAT: Mapping[str, Literal["json_object", "plain"]] = {"json_schema": "json_object", "json_object": "plain"}
_REFUSED = frozenset({400, 422, 501})
_FORMAT_WORDS = re.compile(
    r"response.?format|json.?schema|json.?object|json mode|grammar|guided|structured", re.IGNORECASE
)
_OTHER_CAUSE = re.compile(
    r"context|too (?:long|large|many)|length|content.?filter|content management|safety", re.IGNORECASE
)
_NAME = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Dialect:
    """Request parameters that one server accepts: reply format, name of the token limit, and optional parameters."""

    reply_format: Literal["json_schema", "json_object", "plain"] = "json_schema"
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: bool = True
    seed: bool = True

    def parameters(self, request: Request) -> dict[str, Any]:
        """Return the body of the HTTP request for `request`, without the name of the model."""
        body: dict[str, Any] = {
            "messages": [{"role": m.role, "content": _content(m)} for m in self._messages(request)],
            self.limit_name: request.max_tokens,
        }
        if self.temperature:
            body["temperature"] = request.temperature
        if self.seed and request.seed is not None:
            body["seed"] = request.seed
        if request.schema is not None and self.reply_format != "plain":
            body["response_format"] = self._response_format(request)
        return body

    def after(self, status: int, message: str, request: Request) -> Dialect | None:
        """Return the dialect to try after a server refused this dialect with `message`.

        Returns None if the dialect is not the cause of the refusal.
        """
        message = message.lower()
        about_format = request.schema is not None and self.reply_format != "plain"
        if about_format and status == 500 and _FORMAT_WORDS.search(message):
            return self._plainer()
        if status not in _REFUSED:
            return None
        if self.limit_name == "max_tokens" and "max_completion_tokens" in message:
            return replace(self, limit_name="max_completion_tokens")
        if self.temperature and "temperature" in message:
            return replace(self, temperature=False)
        if self.seed and request.seed is not None and re.search(r"\bseed\b", message):
            return replace(self, seed=False)
        if about_format and (_FORMAT_WORDS.search(message) or not _OTHER_CAUSE.search(message)):
            return self._plainer()
        return None

    def _plainer(self) -> Dialect:
        return replace(self, reply_format=_NEXT_FORMAT[self.reply_format])

    def _messages(self, request: Request) -> tuple[Message, ...]:
        """Return the messages of a request, with the schema in words if the server does not enforce it."""
        if request.schema is None or self.reply_format == "json_schema":
            return request.messages
        instruction = schema_instruction(request.schema)
        first, *rest = request.messages
        if first.role == "system":
            return (Message("system", f"{first.content}\n\n{instruction}"), *rest)
        return (Message("system", instruction), *request.messages)

    def _response_format(self, request: Request) -> dict[str, Any]:
        if self.reply_format == "json_object":
            return {"type": "json_object"}
        schema = dict(request.schema or {})
        name = _NAME.sub("_", request.purpose)[:64] or "reply"
        return {"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": _closed(schema)}}


def _content(message: Message) -> str | list[dict[str, Any]]:
    """Return the content of a message: a text or, with images, a list of parts."""
    if not message.images:
        return message.content
    images = [{"type": "image_url", "image_url": {"url": image}} for image in message.images]
    return [{"type": "text", "text": message.content}, *images]


def _closed(schema: Mapping[str, Any]) -> bool:
    """Return whether strict mode accepts a schema: each object requires all its properties and allows no others."""
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    if "properties" in schema or schema.get("type") == "object":
        names = set(schema.get("properties", {}))
        if schema.get("additionalProperties", True) is not False or set(schema.get("required", ())) != names:
            return False
    return all(_closed(part) for part in inner)
