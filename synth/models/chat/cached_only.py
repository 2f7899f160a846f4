"""A chat model that is not asked: only what it said before is found."""

from __future__ import annotations

from dataclasses import dataclass

from synth.models.chat.base import RawReply, Request


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """Stands for the model whose replies are kept under `identity`; a request without one is refused."""

    identity: str

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        return RawReply(text="no reply to it is kept, and none is asked for", finish_reason="refusal")
