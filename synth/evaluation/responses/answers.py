"""Text of an answer, read from the formats that chat models and frameworks return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

CONTAINERS = (
    "output_text", "answer", "response", "generated_answer", "prediction", "content", "text", "generated_text",
    "completion", "result", "output", "message", "messages", "choices", "candidates", "replies", "answers", "parts",
    "blocks", "generations", "data", "kwargs", "body", "refusal",
)  # fmt: skip
"""Field names for the text of an answer or for an object that contains it; the first one with a value is used."""

_ANSWERING = ("assistant", "ai", "model")
_SPEAKING = (*_ANSWERING, "human", "user", "system", "developer", "tool", "function", "chat")
_TEXT_PARTS = ("text", "output_text", "refusal")


def text_of(value: Any) -> str | None:
    """Return the text of an answer; None if the format is unknown.

    Known formats:

    - strings, numbers and booleans
    - messages and completions of OpenAI (chat, responses, batches), Anthropic, Gemini and Ollama
    - messages of LangChain, LlamaIndex and Haystack, alone or in a list whose last answer is used
    - lists of the parts of one message
    - objects that contain one of these under a name in `CONTAINERS`
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, Mapping):
        texts = (text_of(value[name]) for name in CONTAINERS if value.get(name) is not None)
        silent = "" if "content" in value else None  # a message that only calls tools
        return next((text for text in texts if text is not None), silent)
    return _text_of_list(value) if isinstance(value, Sequence) else None


def _text_of_list(values: Sequence[Any]) -> str | None:
    """Return the last answer of a conversation, the joined parts of a message, or the first of several completions."""
    objects = [value for value in values if isinstance(value, Mapping)]
    if any(_speaker(value) for value in objects):
        answers = [value for value in objects if _speaker(value) in _ANSWERING]
        return text_of(answers[-1]) if answers else None
    if any(_kind(value) for value in objects):
        return "".join(filter(None, (_text_of_part(value) for value in values)))
    if len(values) == 1 or len(objects) == len(values):
        return text_of(values[0]) if values else ""
    return None


def _text_of_part(value: Any) -> str | None:
    if isinstance(value, Mapping) and _kind(value) not in ("", *_TEXT_PARTS):
        return None
    return text_of(value)


def _speaker(value: Mapping[str, Any]) -> str:
    """Return the role of the speaker of a message; "" if the object is no message."""
    speaker = str(value.get("role") or value.get("type") or "").casefold()
    return speaker if speaker in _SPEAKING else ""


def _kind(value: Mapping[str, Any]) -> str:
    return str(value.get("type") or value.get("block_type") or "")
