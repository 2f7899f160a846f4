"""Predicates read with less care than the sure ones: longer objects, clefts, verbs that a time completes."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.grammar.chinese.candidates import nominal
from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.constructions import AMOUNT, amounts
from synth.grammar.chinese.lexicon import CLOSING, DEICTIC, NOMINAL, OPENING, UNRULY
from synth.grammar.chinese.lines import Line, Token
from synth.grammar.chinese.predicates import ASPECT, Predicate, complements, reports
from synth.grammar.chinese.times import time_at

_COPULA = re.compile(
    r"(?:[都均皆]?是|为|乃|即|成为了?)(?!由|因|在|了|否|指|说|从|对|通过|用来|用于|什么|不|被|根据|如何|以|让|把|将|要|想|会|能|可|更)"
)
_PIVOTS = re.compile(
    r"使|让|令|派|请|要求|邀请|帮助|允许|鼓励|禁止|促使|迫使|命|劝|准许|委托|组织$|率|带领|带|叫|求|告诉|告知|提醒|防止|避免|阻止|有$|没有|开始|继续|进行|试|能|可|会|要|应|得以|给予|"
    r"^[上下起进出回过去来作做当成算像属等分想看听问知说]$|无法|难以|容易|值得|善于|擅|敢|肯|愿|导致|引起|造成|^[时现原前曾]任$|[低高大小多少优劣早晚等]于$|确认|确保|利用|表示|看作|保持|采取|注意|看到|位居|称|属于$|^距|为期"
)
_SINGLE = "任获著攻灭娶嫁赴建设含产夺"
_EMPTY_HEAD = re.compile(
    r"(?:人|者|之一|原因|结果|问题|方式|方法|情况|东西|事情|部分|目的|关键|选择|例子|意思|时候|地方|一样|过程|做法|特点|好处|重点|内容|数据|一种|机会|想法)$"
)
_LED = re.compile(r"(?:于|在|自|向|至|到|给|往)$")


def broad(line: Line, start: int, end: int) -> Predicate | None:
    """The predicate whose verb begins at `start`, where the sure way of reading does not see one."""
    if not line.whole(start, end):
        return None
    tokens = line.span(start, end)
    return (
        _cleft(line, start, end)
        or _relative(line, start, end)
        or _share(line, start, end)
        or _acts(line, start, end, tokens)
    )


def _cleft(line: Line, start: int, end: int) -> Predicate | None:
    """是1998年建成的, 是在北京出生的."""
    match = re.compile("是(?=在|于|[\\d公]|由)(?P<X>.+)的$").match(line.simple, start, end)
    if match is None or not line.whole(*match.span("X")):
        return None
    place, parts = match.start("X"), []
    time = time_at(line, place, match.end("X"))
    if time is None:
        return None
    parts.append(Part("time", time.start, time.end))
    rest = line.span(time.stop, match.end("X")) if line.whole(time.stop, match.end("X")) else ()
    if not rest or rest[0].tag not in ("v", "vn") or len(rest) > 2 or reports(rest[0].text):
        return None
    verb = "".join(t.text for t in rest if t.text not in ASPECT)
    if len(verb) < 2 or (len(rest) == 2 and rest[1].tag not in ("v", "u")):
        return None
    return Predicate("passive", verb, None, ((time.stop, match.end("X")),), tuple(parts), sure=0.76)


def _relative(line: Line, start: int, end: int) -> Predicate | None:
    """是IBM于2007年推出的微处理器: a noun behind a clause."""
    match = _COPULA.match(line.simple, start, end)
    if match is None or match.end() not in line.edges:
        return None
    a = match.end()
    if match.group() == "为" and next(t for t in line.tokens if t.start == start).tag == "p":
        return None
    text = line.simple[a:end]
    cut = line.simple.rfind("的", a, end) + 1
    if not 0 < cut < end or not 4 <= len(text) <= 40 or not _level(text) or cut not in line.edges:
        return None
    head = line.simple[cut:end]
    if not 2 <= len(head) <= 14 or not nominal(line, cut, end) or _EMPTY_HEAD.search(head):
        return None
    if re.search(r"[;:。,?]|是|认为|一样|所进行|之前|时(?![间代期区刻])|中$", text):
        return None
    tokens = line.span(a, end)
    if tokens[0].tag in ("c", "u", "d", "r") or any(t.text in ("了", "着") and t.end > cut - 2 for t in tokens):
        return None
    if match.group().startswith("成"):
        return Predicate("verb", "成为", (a, end), ((start, a), (a, end)), sure=0.74)
    sure = 0.74 if match.group() in ("是", "为") else 0.68
    return Predicate("copula", "是", (a, end), ((start, a), (a, end)), sure=sure)


def _share(line: Line, start: int, end: int) -> Predicate | None:
    """占雨林面积的60%."""
    match = re.compile(
        r"(?:大?约|将近|近)?占(?:了|到)?(?P<O>[^,、]{2,16}?)的?(?P<A>(?:大?约|近|超过)?\d+(?:\.\d+)?%?(?:(?:至|到|-|~|–)\d+(?:\.\d+)?)?%)$"
    ).match(line.simple, start, end)
    if match is None or not line.whole(*match.span("A")) or match.start("O") not in line.edges:
        return None
    a, b = match.span("A")
    whole = match.group("O").removesuffix("的")
    return Predicate("measure", f"占{whole}", (a, b), ((start, a), (a, b)), (Part("quantity", a, b),), sure=0.78)


def _acts(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    """A verb and an object of any make that is surely one thing."""
    first = tokens[0]
    if first.tag not in ("v", "vn") or reports(first.text) or first.text[-1] in "是有为" or _PIVOTS.search(first.text):
        return None
    after = complements(tokens)
    if after >= len(tokens):
        return None
    verb = "".join(t.text for t in tokens[:after] if t.text not in ASPECT)
    if (len(verb) == 1 and verb not in _SINGLE) or (first.tag == "vn" and after == 1):
        return None
    a = tokens[after].start
    if not thing(line, a, end):
        return None
    object_ = line.span(a, end)
    short = end - a <= 12 and not any(t.text == "的" for t in object_)
    sure = 0.76 if short else 0.7
    return Predicate("verb", verb, (a, end), ((start, a), (a, end)), amounts(line, a, end), sure=sure)


def thing(line: Line, start: int, end: int) -> bool:
    """Whether the span is likely one noun phrase, also where a verb stands inside a compound or before 的."""
    if not line.whole(start, end) or not 2 <= end - start <= 36:
        return False
    text = line.simple[start:end]
    tokens = [t for t in line.span(start, end) if t.text.strip()]
    if (
        not tokens
        or not _level(text)
        or re.search(r"[;:。?!]|如何|怎|什么|是否|为何|时(?![间代期区刻任])|[后前](?=[的会将])", text)
    ):
        return False
    if AMOUNT.fullmatch(text):
        return True
    first, final = tokens[0], tokens[-1]
    if first.tag in ("c", "u", "d", "p", "xc", "vd", "ad", "r") or first.text in CLOSING or first.text in ("的", "、"):
        return False
    if final.text in ("的", "之", "、", "等", "和", "与", "及", "中", "后", "前", "时", "里", "上", "下", "内", "之间"):
        return False
    if final.tag not in NOMINAL and final.text not in CLOSING:
        return False
    return _built(tokens)


def _built(tokens: list[Token]) -> bool:
    """Whether each verb of the phrase stands inside a compound or in a clause before 的."""
    ofs = [i for i, t in enumerate(tokens) if t.text == "的"]
    last = ofs[-1] if ofs else -1
    if len(ofs) > 2 or (ofs and ofs[0] == 0):
        return False
    depth = 0
    if sum(t.tag == "v" for t in tokens[: max(last, 0)]) > 1:
        return False
    for i, token in enumerate(tokens):
        depth += sum(c in OPENING for c in token.text) - sum(c in CLOSING for c in token.text)
        if depth:
            continue
        after = tokens[i + 1] if i + 1 < len(tokens) else None
        if token.text == ",":
            return False
        if token.tag in ("v", "d", "p", "ad", "vd"):
            inside = token.tag == "v" and after is not None and after.tag in ("n", "vn", "nz") and nounlike(token.text)
            if i > last and not inside:
                return False
            # A verb that opens the phrase or one behind an adverb may as well be a second predicate.
            if i < last and (i == 0 or token.tag in ("d", "ad") or token.text in _LINKS):
                return False
        if token.tag in ("c",) and token.text not in ("和", "与", "及", "以及", "或"):
            return False
        if token.tag == "u" and token.text not in ("的", "之", "等", "所"):
            return False
    return True


@lru_cache(maxsize=65536)
def nounlike(text: str) -> bool:
    """Whether the second segmenter takes a word that LAC calls a verb for a noun of action."""
    import rjieba

    pairs = rjieba.tag(text)
    return len(pairs) == 1 and pairs[0][1] in ("vn", "n", "b", "nz", "j")


_LINKS = frozenset("是 为 成为 有 担任 作为 任 使 让 令 进行".split())


def _level(text: str) -> bool:
    return sum(text.count(c) for c in OPENING) == sum(text.count(c) for c in CLOSING)


def completes(relation: str, parts: tuple[Part, ...]) -> bool:
    """Whether a verb without an object is complete by when it happened or happens: 于2019年3月发布."""
    if _FAILS.fullmatch(relation) and any(part.kind == "condition" for part in parts):
        return True
    return _HAPPENED.fullmatch(relation) is not None and any(part.kind == "time" for part in parts)


_FAILS = re.compile("报错|失败|崩溃|重启|重新启动|重新加载|停止|终止|退出|生效|失效|过期|关闭|打开|更新|继续运行|运行")
_HAPPENED = re.compile(
    r"创建|创制|创办|发布|推出|继位|嗣位|就任|上任|卸任|入伍|参军|复出|夭折|失踪|解体|破产|重组|合并|重建|扩建|改建|修复|拆除|通航|首映|上市|停运|停业|停播|"
    r"完结|开播|发售|连载|获救|入狱|出狱|归国|回国|返国|亡国|建国|建校|建市|设市|设县|建县|撤县|废除|撤销|重启|成军|出道|首演|开课|停课|下水|服役|退伍|"
    r"入学|登场|面世|称帝|起义|离任|当选|连任|落选|去职|复职|挂牌|首航|首飞|试飞|开拍|杀青|动土|奠基|开幕|封闭|停办|复办|复校|被毁|毁于火灾|破土|封港|开港|开埠|修建|"
    r"建造|兴建|制作|签署|签订|颁布|通过|公布|批准|任职|执政|掌权|下台|遇刺|被杀|被捕|处死|受洗|受封|退出|加入|停用|改名|更名|易名|重开|启航|入籍|移居|下葬|安葬|殉职|战死|自尽|丧生|遇难|圆寂|驾崩|崩|薨"
)


_BOUND = re.compile(
    r"(?:也|还|都|就|便|则|仍|依然|仍然|总是|始终|同样)*"
    r"(?P<M>不会|不能|无法|不得|不可以|不应该?|不需要|无需|不必|可以|可能会|可能|能够|能|应该|应当|需要|必须|只需|会|将会|将)?"
)
_MODES = {"可以": "can", "能够": "can", "能": "can", "可能": "may", "可能会": "may"}
_MODES |= {"应该": "should", "应当": "should", "需要": "must", "必须": "must", "只需": "must"}
_DENIED = {
    "不会": "",
    "不能": "can",
    "无法": "can",
    "不得": "can",
    "不可以": "can",
    "不应": "should",
    "不应该": "should",
}
_LOOSE_TALK = re.compile(
    r"[,:]|什么|如何|怎|哪|是否|也许|相同|类似|同样|更|希望|想|看到|这|尝试|需要注意|发现|注意|了解|知道|参考|查看|阅读|感觉|得到|记住|确保|很|非常|没问题|有用|不变|一样|而不是|[你您]"
)


def bound(line: Line, start: int, end: int) -> Predicate | None:
    """What follows from a condition, taken as one: 会自动重新加载代码. Only for the last clause of a sentence."""
    match = _BOUND.match(line.simple, start, end)
    if (
        match is None
        or match.end() not in line.edges
        or not line.whole(start, end)
        or line.simple[end : end + 1] == ","
    ):
        return None
    text = line.simple[match.end() : end]
    first = next((t for t in line.tokens if t.start == match.end()), None)
    if first is None or first.tag not in ("v", "ad", "vd", "p") or not 4 <= len(text) <= 24 or not _level(text):
        return None
    if _LOOSE_TALK.search(text) or DEICTIC.search(text) or UNRULY.search(text) or text[-1] in "的了是":
        return None
    if not any(t.tag == "v" for t in line.span(match.end(), end)) or first.text in ("是", "有", "为"):
        return None
    word = match.group("M") or ""
    if word in ("不需要", "无需", "不必"):
        return None
    return Predicate(
        "verb",
        text,
        None,
        ((match.start("M") if word else match.end(), end),),
        negated=word in _DENIED,
        modal=_MODES.get(word, _DENIED.get(word, "")),
        sure=0.7,
    )
