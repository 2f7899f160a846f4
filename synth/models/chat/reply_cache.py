"""Cache of replies and failures. The key is a hash of the model and the whole request."""

from __future__ import annotations

import json

from synth.core.records import digest
from synth.core.store import Cache
from synth.models.chat.base import Completion, Request, RequestFailed
from synth.models.chat.structured import BadReply, parse_reply

KIND = "reply"
QUARANTINE = "failed"
_FORMAT = 1


class MemoryCache:
    """Cache in memory, which is lost at the end of the process."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], bytes] = {}

    def get(self, kind: str, key: str) -> bytes | None:
        return self._values.get((kind, key))

    def put(self, kind: str, key: str, value: bytes) -> None:
        self._values.setdefault((kind, key), value)


def reply_key(identity: str, request: Request) -> str:
    """Return the cache key of a request: a hash of the model's `identity` and of everything that is sent to it."""
    return digest(
        _FORMAT,
        identity,
        [[message.role, message.content, *message.images] for message in request.messages],
        request.schema,
        request.max_tokens,
        request.temperature,
        request.seed,
    )


def keep(cache: Cache, key: str, completion: Completion) -> None:
    """Store a usable reply."""
    value = {
        "text": completion.text,
        "prompt_tokens": completion.prompt_tokens,
        "completion_tokens": completion.completion_tokens,
    }
    cache.put(KIND, key, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def find(cache: Cache, key: str, request: Request) -> Completion | None:
    """Return the reply stored under `key`, parsed by the request's schema; None if there is no valid reply."""
    value = cache.get(KIND, key)
    if value is None:
        return None
    reply = json.loads(value.decode("utf-8", "surrogatepass"))
    try:
        data = None if request.schema is None else parse_reply(reply["text"], request.schema)
    except BadReply:
        return None
    return Completion(
        text=reply["text"],
        data=data,
        prompt_tokens=reply["prompt_tokens"],
        completion_tokens=reply["completion_tokens"],
        cached=True,
    )


def quarantine(cache: Cache, key: str, failure: RequestFailed) -> None:
    """Store the failure of a request, so that later runs do not send it again unless the user asks for it."""
    value = {"kind": failure.kind, "reason": failure.reason}
    cache.put(QUARANTINE, key, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def quarantined(cache: Cache, key: str) -> RequestFailed | None:
    """Return the stored failure of the request with this key, or None."""
    value = cache.get(QUARANTINE, key)
    if value is None:
        return None
    failure = json.loads(value.decode("utf-8", "surrogatepass"))
    return RequestFailed(failure["kind"], failure["reason"])
