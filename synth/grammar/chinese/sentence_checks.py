"""True if a sentence states what it says."""

from __future__ import annotations

import re

from synth.grammar.chinese.lines import ChineseLine

_HEARSAY = re.compile(
    r"据说|据称|据传|据信|据悉|据报|传说|相传|传闻|传言|有人|[^\u4e00-\u9fff]一说|另一说|又说|一般认为|"
    r"普遍认为|人们认为|被认为|被视为|理论上|似乎|好像|看似|仿佛|谣传|疑似|"
    r"假设|假如|假使|想象|例如|比如|譬如|试想|如下|以下|上例|本例|此例|示例|教程|本章|这个例子|[上下]面的?(?:代码|例子)|剧透|虚构|"
    r"梦见|推测|猜测|大概|也许|或许|未必"
)
_SPEAKING = re.compile(r"[说道称问答写言云曰]:?[“「]|^[“「][^”」]*[”」]$")
_GLOSSED = re.compile(r"[^，。,]{1,40}?(?:\s[-–—]\s|——|[:：]\s)")


def stated(line: ChineseLine) -> bool:
    """True if a sentence is the document's own word on how things are."""
    text = line.simple
    if _GLOSSED.match(line.raw):
        return False
    return not (_HEARSAY.search(text) or _SPEAKING.search(text) or re.search("我们?(?!国|军|方)|咱", text))
