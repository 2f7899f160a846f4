"""Prompt injections in documents: instructions to a language model, fake turns of a dialogue, fake replies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.text.normalise import to_simplified
from synth.text.sentences import split_sentences

_ENGLISH = (
    r"\b(?:ignore|disregard|forget|override|do not follow|stop following)\b.{0,60}"
    r"\b(?:above|previous|prior|earlier|preceding|rules?|instructions?|prompts?|guidelines)\b"
    r"|\b(?:new|real|actual|updated) (?:instructions?|task|orders?)\s*[:：]"
    r"|\b(?:you are|act as|pretend to be|behave as) (?:now )?(?:an? )?(?:\w+ )?"
    r"(?:ai|assistant|chatbot|language model|llm|jailbr\w+)\b"
    r"|\b(?:answer|reply|respond|write|say|output|print|return|use)\b.{0,60}"
    r"\b(?:to|for|in|as) (?:every|each|all) (?:questions?|answers?|repl(?:y|ies)|quotes?)\b"
    r"|\b(?:answer|reply|respond|output)\s+(?:only|just|exactly|nothing but)\b"
    r"|\b(?:answer|reply|respond|output|write|say|print)\b[^.!?\n]{0,20}[\"'“]?(?-i:\b[A-Z]{4,}\b)"
    r"|\b(?:system|developer) (?:prompt|message)\b|\bas an ai\b"
)
_CHINESE = (
    r"(?:忽略|无视|忽视|不要理会|不要遵守|忘记|忘掉|停止遵守).{0,16}"
    r"(?:上面|以上|上述|之前|先前|前面|此前|规则|指令|指示|要求|提示|设定)"
    r"|(?:你现在是|你是一个|你是一名|请扮演|假装你是).{0,12}(?:AI|人工智能|助手|机器人|语言模型)"
    r"|(?:每个|每一个|所有|一切|任何)(?:的)?(?:问题|提问|答案|回答).{0,12}(?:回答|答|写|输出|回复|填)"
    r"|(?:回答|输出|回复|写).{0,12}(?:每个|每一个|所有|一切|任何)(?:的)?(?:问题|提问|答案|回答)"
    r"|(?:只|仅|必须|一律|直接)(?:能|要|可以|准)?(?:输出|回答|回复|写)\s?[“”「『\"'A-Za-z:：]"
    r"|新的?(?:指令|指示|任务|要求)\s*[:：]|系统(?:提示词?|消息)"
)
_TURNS = (
    r"<\|?/?(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)\|?>|\[/?INST\]|<</?SYS>>"
    r"|^\W{0,4}(?:system|assistant|user|human|developer|系统|助手|用户|开发者)\s*[:：]\s*(?:\S+(?:\s+\S+){2}|[\u3400-\u9fff]{5})"
    r"|^#+\s*(?:instructions?|system|response)\b\s*:?\s*$"
    r"|</?(?:passage|evidence|focus|known|question|text|first|second)(?:-\w*)?>"
)
_REPLIES = r'\{\s*"(?:question|answer|quote|found|steps|stated|missing|facts|entities|summary|operation)"\s*:'
_ORDERS = re.compile("|".join((_ENGLISH, _CHINESE, _TURNS, _REPLIES)), re.IGNORECASE | re.MULTILINE)
_QUOTED = r"(?<![^\W\u3400-\u9fff])[\"“‘「『]([^\s,:\"”’」』][^\"”’」』\n]{0,79})[\"”’」』](?!\s*:)"
_PAYLOAD_ENGLISH = (
    r"(?=\b(?:answers?\b.{0,40}?\b(?:is|are|be)"
    r"|answer|reply|respond|write|say|output|print|return|use|add|mention|insert|with)"
    r"(?:\s+(?:only|just|exactly|nothing but|always|with|as|the words?|the phrase))*[\s:：]+"
    r"([^\s\"“‘.,;:!?][^\"“”‘’.,;:!?\n]{0,80}?)"
    r"(?:\s+(?:to|for|in|as|instead|and|when|whenever|regardless)\b|\s*(?:[\".,;:!?“”‘’<]|$)))"
)
_PAYLOAD_CHINESE = (
    r"(?=(?:回答|答案(?:都|一律|必须|应)?(?:是|为)|回复|输出|填写|写|填|说|加上|改成)(?:上|成|出|道|为|是|只|一律|\s|[:：])*"
    r"([^\s，。；！？、：“”「」『』\"']{2,20}?)"
    r"(?:这个[词字]|这几个字|两个字|就行|就好|即可|[，。；！？、“”「」『』\"'\s<]|$))"
)
_PAYLOAD = re.compile("|".join((_QUOTED, _PAYLOAD_ENGLISH, _PAYLOAD_CHINESE)), re.IGNORECASE | re.MULTILINE)
_PARAGRAPH = re.compile(r"[^\n]+(?:\n(?!\s*\n)[^\n]+)*")


def gives_orders(text: str) -> bool:
    """Return whether a text has a passage that addresses a language model."""
    return _ORDERS.search(to_simplified(text)) is not None


def without_orders(text: str) -> str:
    """`text` without the paragraphs that address a language model; such a paragraph is dropped as a whole."""
    if not gives_orders(text):
        return text
    return "\n\n".join(paragraph for paragraph in _paragraphs(text) if not gives_orders(paragraph))


def payloads(text: str) -> tuple[str, ...]:
    """Words that the orders in a text tell a model to say, Chinese ones simplified, each once."""
    matches: dict[str, None] = {}
    if not gives_orders(text):
        return ()
    for sentence in _sentences(text):
        if gives_orders(sentence):
            for match in _PAYLOAD.finditer(to_simplified(sentence)):
                payload = next(filter(None, match.groups()), "").strip()
                if len(payload) > 1:
                    matches[payload] = None
    return tuple(matches)


def without_order_sentences(text: str) -> str:
    """`text` less the sentences that have something for a language model in them."""
    return "\n".join(sentence for sentence in _sentences(text) if not gives_orders(sentence))


def order_spans(text: str) -> list[tuple[int, int]]:
    """Offsets of the paragraphs that address a language model."""
    if not gives_orders(text):
        return []
    return [match.span() for match in _PARAGRAPH.finditer(text) if gives_orders(match[0])]


def _sentences(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in split_sentences(text))


def _paragraphs(text: str) -> Iterator[str]:
    return (match[0] for match in _PARAGRAPH.finditer(text))
