"""Prompt injection: sentences in an answer or a passage that address its judge."""

from __future__ import annotations

import re

from synth.text.normalise import to_simplified
from synth.text.sentences import split_sentences

_TOP = r"(?:1(?:\.0+)?|5|10|100 ?%?|full|top|high(?:est)?|max(?:imum)?|perfect)"
_MARK = r"(?:scor\w+|rat(?:e|ing)\w*|grad(?:e|ing)\w*|marks?|verdicts?|points?)"
_JUDGED = r"(?:supported|faithful|correct|relevant|entailed|true)"
_ORDERS = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,40}\b(?:instructions?|rules?|prompts?|criteria|rubrics?|the above)"
    rf"|\b(?:judges?|graders?|evaluators?|raters?|assessors?)\b[^.]{{0,60}}\b{_MARK}\b[^.]{{0,40}}\b(?:{_TOP}|{_JUDGED})\b"
    rf"|\b(?:give|assign|award|return|output|set|respond with|reply with|answer with)\b[^.]{{0,40}}\b{_MARK}\b"
    rf"[^.]{{0,12}}\b{_TOP}(?![\w.]*\d)"
    rf"|\b{_MARK}\b (?:this|the|my) (?:answer|response|text|claim|context|passage)s?\b"
    rf"|\bmark (?:this|it|all|every|each)\b[^.]{{0,40}}\b{_JUDGED}\b"
    r"|(?:忽略|无视|不要理会|忘记|忘掉)[^。]{0,20}(?:指令|指示|规则|要求|提示|标准|以上|上述|之前)"
    r"|(?:评委|裁判|评估者|评分者|评审|评判者|打分者)[^。]{0,30}(?:分|判|支持|正确)"
    r"|(?:请|务必|必须|应当|直接)[^。]{0,16}(?:打|给|评|判|输出|返回)[^。]{0,10}(?:满分|最高分|1(?:\.0)?分|1\.0|5分|10分|100分)"
    r"|(?:请|务必|必须|应当|直接)[^。]{0,16}(?:判|标|评)(?:为|成|定为|定)[^。]{0,8}(?:支持|正确|相关|忠实|supported)",
    re.IGNORECASE,
)


def without_orders(text: str) -> str:
    """`text` without the sentences that tell a judge what to decide.

    Only sentences that clearly address a judge are removed; the prompts quote everything else as data.
    """
    if not _ORDERS.search(to_simplified(text)):
        return text
    kept, at = [], 0
    for start, end in split_sentences(text):
        if _ORDERS.search(to_simplified(text[start:end])):
            kept.append(text[at:start])
            at = end
    return ("".join(kept) + text[at:]).strip()
