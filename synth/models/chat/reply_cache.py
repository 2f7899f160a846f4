"""Replies are kept the moment they arrive, and found again by all that they depend on; so are failures."""

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
    """A cache that lasts as long as it is held."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], bytes] = {}

    def get(self, kind: str, key: str) -> bytes | None:
        return self._kept.get((kind, key))

    def put(self, kind: str, key: str, value: bytes) -> None:
        self._kept.setdefault((kind, key), value)


def reply_key(identity: str, request: Request) -> str:
    """The hash of the model and of everything that is sent to it; what is not sent does not count."""
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
    """Keep a usable answer. What could not be used is not kept, so that a later run may ask again."""
    value = {
        "text": completion.text,
        "prompt_tokens": completion.prompt_tokens,
        "completion_tokens": completion.completion_tokens,
    }
    cache.put(KIND, key, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def find(cache: Cache, key: str, request: Request) -> Completion | None:
    """The answer kept under `key`, read anew by the request's schema; None if there is none that fits."""
    value = cache.get(KIND, key)
    if value is None:
        return None
    kept = json.loads(value.decode("utf-8", "surrogatepass"))
    try:
        data = None if request.schema is None else parse_reply(kept["text"], request.schema)
    except BadReply:
        return None
    return Completion(
        text=kept["text"],
        data=data,
        prompt_tokens=kept["prompt_tokens"],
        completion_tokens=kept["completion_tokens"],
        cached=True,
    )


def quarantine(cache: Cache, key: str, failure: RequestFailed) -> None:
    """Keep that a request was given up, and why, so that it is not asked again unless somebody wants that."""
    value = {"kind": failure.kind, "reason": failure.reason}
    cache.put(QUARANTINE, key, json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def quarantined(cache: Cache, key: str) -> RequestFailed | None:
    """Why the request `key` was given up before; None if it was not."""
    value = cache.get(QUARANTINE, key)
    if value is None:
        return None
    kept = json.loads(value.decode("utf-8", "surrogatepass"))
    return RequestFailed(kept["kind"], kept["reason"])
