"""Chat model with scripted replies, for tests, demonstrations and trying prompts offline."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from synth.core.errors import ModelError
from synth.models.chat.base import RawReply, Request

Said: TypeAlias = str | Mapping[str, Any] | RawReply | Exception
"""Scripted reply: a text, a mapping that is sent as JSON, a RawReply, or a Fault or ModelError to raise."""
Script: TypeAlias = Callable[[Request], Said] | Iterable[Said]


class ScriptedModel:
    """Chat model that answers from a function of the request, or from a list of replies in order.

    `calls` lists every request. If the script gives no token counts, four characters count as a token.
    """

    def __init__(self, script: Script, *, identity: str = "scripted") -> None:
        self.identity = identity
        self.calls: list[Request] = []
        self._answer = script if callable(script) else _in_turn(script)

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """Return the next reply of the script, at once.

        Raises the exception if the script gives one, and ModelError when no reply is left.
        """
        self.calls.append(request)
        line = self._answer(request)
        if isinstance(line, Exception):
            raise line
        if isinstance(line, RawReply):
            return line
        text = line if isinstance(line, str) else json.dumps(dict(line), ensure_ascii=False)
        prompt = sum(len(message.content) for message in request.messages)
        return RawReply(text=text, prompt_tokens=prompt // 4, completion_tokens=len(text) // 4)


def _in_turn(lines: Iterable[Said]) -> Callable[[Request], Said]:
    rest = iter(lines)

    def answer(request: Request) -> Said:
        for line in rest:
            return line
        raise ModelError(f"the scripted model has no reply left for {request.prompt} ({request.purpose}); add one")

    return answer
