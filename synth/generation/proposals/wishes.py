"""The user's wishes for the form of questions, as instructions to the author."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from synth.generation.question_form import QuestionMix
from synth.generation.writer import WriterContext
from synth.models.prompts import fence
from synth.text.language import is_chinese

_LANGUAGES = {"en": "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
_ELSE = "the language and script of the passage"

_STYLES: Mapping[str, tuple[str, str]] = {
    "keywords": ("as a search query of a few key words, without a question mark", "写成几个关键词的搜索词，不用问号"),
    "conversational": ("as in a chat with a colleague", "用跟同事聊天的口气"),
    "formal": ("formally and politely, as in a letter", "用正式、礼貌的书面语"),
}
_LENGTHS: Mapping[str, tuple[str, str]] = {
    "short": ("in at most 8 words", "不超过12个字"),
    "medium": ("in 9 to 12 words", "13到17个字"),
    "long": ("in more than 12 words", "超过17个字"),
}


def language_name(language: str) -> str:
    """Return the name of a language for a prompt."""
    return _LANGUAGES.get(language, _ELSE)


def wishes(
    mix: QuestionMix, task_id: str, chunk_id: str, material: WriterContext, language: str
) -> tuple[dict[str, Any], str]:
    """Return (metadata, instruction): the form of the samples of a task, and the instruction to the author.

    The instruction is "" if there is no wish.
    """
    form = mix.form(task_id, chunk_id, material.corpus, material.graph)
    chinese = is_chinese(language)
    phrases = [
        table[name][chinese] for table, name in ((_STYLES, form.style), (_LENGTHS, form.length)) if name in table
    ]
    metadata: dict[str, Any] = {"style": form.style} if form.style in _STYLES else {}
    if form.persona is not None:
        about = f"{form.persona.name}: {form.persona.about}"
        who = "\n" + fence(about, "reader") + "\n"  # topics of documents are in it
        phrases.insert(0, f"以提问者的身份：{who}" if chinese else f"as this reader would: {who}")
        metadata["persona"] = form.persona.name
    if not phrases:
        return metadata, ""
    return (
        metadata,
        f"问题的写法：{'；'.join(phrases)}。" if chinese else f" Put the questions {', and '.join(phrases)}.",
    )
