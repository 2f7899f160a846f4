"""Signs of questions that lean on their passage, say nothing, or rest on words cut in the wrong place."""

from __future__ import annotations

import re
from dataclasses import replace

from synth.grammar.chinese.candidates import Candidate
from synth.grammar.chinese.lexicon import NAMES
from synth.grammar.chinese.lines import Token
from synth.grammar.chinese.names import proper
from synth.text.normalise import to_simplified

_LEANING = frozenset(
    ("又", "还", "也", "再", "再次", "继续", "仍", "仍然", "则", "却", "就", "便", "重又", "反而", "依然", "亦", "也都")
)
_TIME_PATTERNS = frozenset(("time", "founded"))
_STATE_PATTERNS = frozenset(("superlative", "located", "attribute"))
_EMPTY = re.compile(
    r"特定|相应|相同|同样|某[些个种]|这些|那些|对应的|任意|普通的|毗邻的|邻近的|附近的|适当|合适|各自|类似的|不同的|各种"
)
_PRESENT_REFERENCE = re.compile(
    r"市郊|院内|原址|现址|当地|该地|市内|校内|校园内|城内|馆内|园内|区内|岛内|院子|途中|附近|周边|四周|前往该|期间(?=是哪)|对方|所在地区|期间的两场"
)
_PROCESS = re.compile(r"逐步|逐渐|陆续|先后|渐渐|日益|多次|一再|屡次|不断|断断续续|经常|一直|始终")
_DOUBLED = re.compile(r"(.{2,}) \1")
"""A link and the name of the same thing: "Traefik Traefik"."""

_EXAMPLE = re.compile(r"[A-Z][a-z]+[A-Z]")
"""A name of an example: ClusterB."""

_LATIN = re.compile("[A-Za-z]")
_LATIN_WIDE = re.compile("[\uff21-\uff3a\uff41-\uff5a\uff06]")
_BARE_SCOPE = re.compile(
    r"^(?:内核|系统|集群|项目|框架|代码|程序)[中里]"
    r"|^(?:[东西南北中][东西南北]?部?|内陆|沿海|首都)[省州县区市郡]"
)
_BARE_PLACE = re.compile(
    r"^[\u4e00-\u9fff]{2}(?:店|厂|站|馆|队|校|区|市场|分店|分校|分部|市区|城区|地区)$|^[东西南北中]部的"
    "|^(?:社区|企业|专业|标准|开源|商业|旗舰|免费|付费)版$"
)
_THAT_TIME = re.compile(r"当时|那时|其时|同时期")
_CLAIM_VERB = re.compile(r"(?:认为|指出|声称|主张|相信|写道|表示|提出|宣布|猜想称|建议|提议),")
_SPEECH_NOUN = re.compile(r"的(?:声明|决定|报告|演讲|建议|专利|要求|做法|行为|说法|提议|计划)$")
_BARE_PERSON = re.compile(
    r"^[\u4e00-\u9fff](?:氏|皇后|太后|妃|王妃|先生|女士|教授)$|^\d+[岁歲]的|大多数|"
    "^(?:政府|自治区|省|市|县|党委)*(?:副|前|现任)?(?:主席|书记|市长|省长|县长|部长|局长|处长|主任|总理|总统)$"
)
_PEOPLE = re.compile(r"(?:移民|人|人口|居民|殖民地|部队|军队)$")
_CIRCULAR = re.compile(
    r"服务于什么|被视为什么|会用来|启发.*什么|允许使用什么|(?:出色|良好|更好|强大|优秀)的.{0,5}(?:支持|体验|性能)|(?:将|把)(?:每|所有|全部|整个)|在哪里[^？]*后|将[^？]*做出"
)
_PAIRED = re.compile(
    r"(?:把|将)(?P<N>[^把将]{1,12}?)(?:从|由|向|往|给|扔|迁|西迁|东迁|南迁|北迁|带|送|转|移|分|改|列|作|视|称|建|卖|交|拆|打|传|运|搬|放)"
)


def suspicious(candidate: Candidate, question: str, answer: str) -> bool:
    """True if a candidate shows such a sign; `question` and `answer` are simplified and half width."""
    return (
        _leans_on_passage(candidate, question, answer)
        or _says_little(candidate, question, answer)
        or _is_unclear(candidate, question, answer)
    )


def _leans_on_passage(candidate: Candidate, question: str, answer: str) -> bool:
    """True if there is a word of continuation, or of a place or time that only the passage tells."""
    words = [token for token in candidate.line.tokens if token.text in _LEANING]
    kept = re.sub("又叫什么|又称|又名|就[读业任职]|成就|还原|再[生现]|也门|规则|原则|否则|仍旧", "", question)
    if any(_repeats(token, kept, candidate) for token in words):
        return True
    if candidate.pattern in _TIME_PATTERNS and any(_is_left_out(token, kept, candidate) for token in words):
        return True
    before = candidate.line.simple[: max(0, candidate.line.simple.find(answer))]
    if candidate.subject and _CLAIM_VERB.search(before):
        return True
    if candidate.pattern in _STATE_PATTERNS and _THAT_TIME.search(candidate.line.simple):
        return True
    return _PRESENT_REFERENCE.search(question) is not None and not _LATIN.search(question)


def _repeats(token: Token, question: str, candidate: Candidate) -> bool:
    """True if the question has the word in the place where the sentence has it."""
    after = candidate.line.simple[token.end : token.end + 1]
    before = candidate.line.simple[max(0, token.start - 1) : token.start]
    return token.text + after in question or before + token.text in question


def _is_left_out(token: Token, question: str, candidate: Candidate) -> bool:
    """True if the question goes on with what follows the word, and leaves only the word out."""
    return (
        token.text not in ("也", "则", "就", "便", "亦")
        and candidate.line.simple[token.end : token.end + 2] in question
    )


def _says_little(candidate: Candidate, question: str, answer: str) -> bool:
    """True if the answer or the verb says nothing."""
    process = candidate.pattern in _TIME_PATTERNS and _PROCESS.search(question)
    return bool(_EMPTY.search(answer) or _CIRCULAR.search(question) or process)


def _is_unclear(candidate: Candidate, question: str, answer: str) -> bool:
    """True if the subject, the object or the scope is no name of its own."""
    name = candidate.subject
    if any(form.search(name) for form in (_BARE_PLACE, _SPEECH_NOUN, _BARE_PERSON)) or _LATIN_WIDE.search(
        candidate.question
    ):
        return True
    if _DOUBLED.fullmatch(name) or _EXAMPLE.fullmatch(name):
        return True
    apart = re.search("（([^（）]+)）$", to_simplified(name))
    if apart is not None and apart.group(1) in answer:
        return True
    if candidate.pattern in ("located", "origin", "distributed"):
        return answer[:3] == to_simplified(name)[:3] or _PEOPLE.search(name) is not None
    if candidate.pattern == "superlative" and _BARE_SCOPE.match(question):
        return True
    if re.search("^(?:以上|以下|上述|下列)|约定的|里面的|上面的|外面的|[不未].*什么|目标是什么", question):
        return True
    if re.fullmatch("[a-z]{1,9}(?: ?(?:命令|函数|字段|参数|方法))?", name):
        return True
    return _moves_unnamed(candidate, question)


def _moves_unnamed(candidate: Candidate, question: str) -> bool:
    """True if something without a name is moved or made into something: 把灵柩西迁."""
    match = _PAIRED.search(question)
    if match is None or _LATIN.search(question):
        return False
    at = candidate.line.simple.find(match.group("N"))
    end = at + len(match.group("N"))
    touched = [token for token in candidate.line.tokens if token.start < end and token.end > at]
    # LAC takes rare common nouns for persons, so the second segmenter has the say.
    return at >= 0 and not any(proper(replace(token, tag="LOC")) for token in touched if token.tag in NAMES)
