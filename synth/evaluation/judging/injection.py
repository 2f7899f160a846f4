"""Prompt injection: sentences in an answer or a passage that address the judge."""

from __future__ import annotations

from synth.text.prompt_injection import orders_a_judge
from synth.text.sentences import split_sentences


def without_orders(text: str) -> str:
    """Return `text` without sentences that instruct the judge or another language model.

    Only clear instructions are removed. The prompts quote the remaining text as data.
    """
    if not orders_a_judge(text):
        return text
    kept, at = [], 0
    for start, end in split_sentences(text):
        if orders_a_judge(text[start:end]):
            kept.append(text[at:start])
            at = end
    return ("".join(kept) + text[at:]).strip()
