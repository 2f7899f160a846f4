"""A chat model that answers from stored replies only."""

from __future__ import annotations

from dataclasses import dataclass

from synth.models.chat.base import RawReply, Request


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """Offline stand-in for the model with this `identity`: requests without a stored reply are refused."""

    identity: str

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """Return a refusal. The driver calls this only if it has found no stored reply."""
        return RawReply(text="no reply to this request is stored, and no model was asked", finish_reason="refusal")
