"""A chat model that answers from stored replies only."""

from __future__ import annotations

from dataclasses import dataclass

from synth.models.chat.base import RawReply, Request


@dataclass(frozen=True, slots=True)
class KeptReplies:
    """Stand-in for the model with this `identity`. It refuses requests without a stored reply."""

    identity: str

    async def reply(self, request: Request, *, timeout: float) -> RawReply:
        """Refuse the request. The driver looks for a stored reply first, and found none."""
        return RawReply(text="no reply to this request is stored, and no model was asked", finish_reason="refusal")
