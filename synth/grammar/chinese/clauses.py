"""Clauses of a line, and in each its time, its subject and its predicate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from synth.grammar.chinese.lexicon import CLOSING, CONNECTIVE, NAMES, NOMINAL, OPENING, TIME
from synth.grammar.chinese.lines import ChineseLine, Token
from synth.grammar.chinese.names import agreed, located, proper

_JOINING = frozenset("和与及暨")
_INSIDE = frozenset("·・、-–/‧•．.")
_TIME_LEAD = re.compile(rf"(?:早在|大约在|约|在|于)?(?P<time>{TIME})(?P<rest>[时间春夏秋冬])?")
_TAIL_TIME = re.compile(rf"(?:于|在)?(?P<time>{TIME})(?P<rest>[时间春夏秋冬])?")
_LETTER = re.compile(r"[A-Za-z\u3400-\u9fff]")
_QUOTED = re.compile(r"[“「][^”」]{3,}[”」]")
_RANGE = re.compile(r"[至到~～\-–—、和与]|以[来后前]|之[前后间]|前后|期间|[前后]")
_LEAD = re.compile(
    r"^(?:在|对于|关于|按|根据|依据|依照|与|和|比|除|自|从|随着|就|至于|截[至止]|直到|经过|通过|作为|相比|不同于|相对|相较|据)"
)
CONTEXT = re.compile(
    r"^(?!.*是)(?:默认情况下|从[^,]{3,10}(?:到|至)[^,]{3,10}|(?:在|对于)[^,]{2,14}(?:中|上|里|下|内|之前|之后|期间|时|情况下)?|(?!当|如果|若|而|但|只有|除非|即使|尽管|虽然)[^,]{3,22}(?:时|之前|之后|后|情况下))$"
)
GENERIC = re.compile(
    r"(?:学校|中学|小学|大学|学院|公司|城市|政府|博士|总统|总理|国王|皇帝|军队|人|人们|士兵|队|球队|球员|机构|组织|委员会|工程|项目|计划|电影|作品|节目|系列|法院|议会|母亲|父亲|妻子|太子|"
    r"作者|研究|结果|问题|情况|方法|方式|过程|部分|成员|图书馆|大楼|建筑|建筑群|公园|地区|国家|街区|社区|系统|数据|内容|报告|文章|影响|原因|目的|观点|理论|定理|事件|时期|阶段|战争|协议|条约|"
    r"应用|程序|代码|函数|请求|响应|客户端|服务器|用户|开发者|文件|参数|类型|模型|对象|文档|教程|章节|示例|数量|体积|面积|容量|价格|比赛|运动员|选手|剧集|书|一切|事情|东西|全书|全文|正文|本书|品牌|号|藏品|案例|实例|剧院|博物馆|医院|教堂|机场|车站|球会|交易所|合院|庭院|综合体)$"
)
_JOINT = re.compile(
    r"(?:但是|但|然而|不过|而且|而|并且|因此|所以|因而|于是|此外|另外|同时|事实上|实际上|最终|最后|总之|通常|当然|其实|注意|请注意|幸运的是|据估计|据统计|据报道|据说|据悉)(?!不|是)"
)
_APPOSED = re.compile(
    r"(?:又|亦|也|原|本|别|简|全|俗|旧|古|学|艺|笔|绰|外|昵|谥|庙|国|年|法|英文|中文|日文|拉丁)(?:名|称|号)|字(?=[^\u4e00]{1,3}$)|号(?=.{2,4}$)|祖籍|籍贯|总部|首府|首都|省会|面积|人口|海拔|占地|全长|总面积|"
    r"意为|意思|出生|生于|俗|简称|占地面积|建筑面积|海拔|长度|高度"
)
_VAGUE = re.compile(
    r"一些|许多|很多|不少|大多|多数|有些|有的|部分|大部分|几|各|每|任何|所有|其|整个|全部|人们|大家|这|那|本|该|此|一[个种名位座所家部项条只支群批次场]"
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of a clause.

    `level` says how well it can be told apart: 4 the topic of the document, 3 with a name in it,
    2 a described thing, 1 a bare common noun. `source` is "own", "carried" (from an earlier clause
    of the sentence), "referred" (named in the sentence `index`) or "topic" (introduced there).
    """

    text: str
    simple: str
    level: int
    source: str
    index: int
    person: bool = False


@dataclass(frozen=True, slots=True)
class Statement:
    """A clause taken apart: `line.simple[start:end]` is its predicate, `stop` the mark after it."""

    line: ChineseLine
    order: int
    context: str
    hazy: bool
    begin: int
    start: int
    end: int
    stop: str
    subject: Subject | None
    time: tuple[int, int] | None

    @property
    def predicate(self) -> str:
        """The predicate, simplified."""
        return self.line.simple[self.start : self.end]

    @property
    def clause(self) -> str:
        """The clause as a whole, simplified."""
        return self.line.simple[self.begin : self.end]


def clauses(line: ChineseLine) -> Iterator[tuple[int, int, str]]:
    """(start, end, mark after it) of the clauses of a line; none within quotes or brackets."""
    depth, start = 0, 0
    for token in line.tokens:
        if token.tag == "code":
            continue
        for i, char in enumerate(token.text, token.start):
            if char in OPENING:
                depth += 1
            elif char in CLOSING:
                depth = max(0, depth - 1)
            elif depth == 0 and char in ",;:。!?；：" and not _within_number(line.simple, i):
                if i > start:
                    yield start, i, char
                start = i + 1
    if start < len(line.simple):
        yield start, len(line.simple), ""


def _within_number(text: str, i: int) -> bool:
    return 0 < i < len(text) - 1 and text[i - 1].isdigit() and text[i + 1].isdigit() and text[i] in ",:"


def statements(
    line: ChineseLine, topic: Subject | None, meant: tuple[Subject, int, int] | None = None
) -> list[Statement]:
    """The clauses of a line with their subjects; one that has none gets the subject before it.

    `meant` is whom the line means by its first pronoun, and where that begins and ends.
    """
    result: list[Statement] = []
    carried: Subject | None = None
    subject: Subject | None
    time: tuple[int, int] | None = None
    context, hazy = "", False
    introduces = topic is not None and topic.index == line.index
    for order, (begin, end, stop) in enumerate(clauses(line)):
        joint = _JOINT.match(line.simple, begin, end)
        if joint and joint.end() in line.edges and joint.end() < end:
            begin = joint.end()
        elif joint and joint.end() == end:
            continue
        lead = _time_lead(line, begin, end)
        if lead is not None and lead.ranged:
            whole = not any(
                t.tag in ("v", "vn", "d") and t.text not in ("到", "至")
                for t in line.span(*_whole_words(line, begin, end))
            )
            context, hazy = (
                (line.written(begin, end), hazy)
                if whole and stop == "," and not result and end - begin <= 22
                else ("", True)
            )
            if lead.start >= end or lead.loose or context:
                continue
        if lead is not None and lead.start >= end:
            time = lead.span
            continue
        own_time = lead.span if lead and not lead.ranged else None
        if lead is None and not result and stop == "," and _is_lead(line.simple[begin:end]):
            text = line.simple[begin:end]
            context = line.written(begin, end) if CONTEXT.match(text) else ""
            hazy = hazy or not (context or (re.match("根据|依据|据", text) and not re.search(TIME, text)))
            result.append(Statement(line, order, "", True, begin, begin, end, stop, None, None))
            continue
        start = lead.start if lead else begin
        if meant is not None and start == meant[1] and meant[2] < end:
            subject, start = meant[0], meant[2]
        else:
            subject, start = find_subject(line, start, end, topic)
        if subject is not None and lead is not None and lead.prepositional:
            subject = None
        if subject is None and begin == start and CONNECTIVE.match(line.simple[begin:end]):
            result.append(Statement(line, order, context, hazy, begin, start, end, stop, None, own_time or time))
            carried = None
        else:
            if subject is None:
                subject = _carried_subject(line, start, end, _as_carried(topic) if introduces and result else carried)
            tail = _TAIL_TIME.match(line.simple, start, end)
            if (
                tail
                and tail.end() in line.edges
                and tail.end() < end
                and own_time is None
                and not _RANGE.match(line.simple, tail.end())
            ):
                own_time, start = tail.span("time"), tail.end()
            result.append(Statement(line, order, context, hazy, begin, start, end, stop, subject, own_time or time))
            carried = None if _fragment(line, start, end) else _as_carried(subject)
        time = None
    return result


def _fragment(line: ChineseLine, start: int, end: int) -> bool:
    """True if what follows a subject is the rest of a noun phrase, 写作的一部作品, not a predicate."""
    tokens = line.span(start, end) if line.whole(start, end) else ()
    if len(tokens) < 3 or tokens[0].tag != "v" or tokens[-1].tag not in ("n", "nz", "vn", "LOC", "ORG"):
        return False
    of = next((i for i, token in enumerate(tokens) if token.text == "的"), 99)
    return (
        of <= 4
        and not any(t.text in ("了", "过", "着", "是", "为", "有") or t.tag in ("v", "p") for t in tokens[1:of])
        and not any(t.tag in ("v", "d", "p") for t in tokens[of:])
    )


def _whole_words(line: ChineseLine, start: int, end: int) -> tuple[int, int]:
    """The part of the span that is made of whole words."""
    places = [edge for edge in line.edges if start <= edge <= end]
    return (min(places), max(places)) if places else (start, start)


def _is_lead(text: str) -> bool:
    """True if a clause only sets the scene for the next one."""
    return _LEAD.match(text) is not None or CONTEXT.match(text) is not None


@dataclass(frozen=True, slots=True)
class _Lead:
    """A time at the head of a clause: its span, where the rest begins, and whether it is no point in time."""

    span: tuple[int, int]
    start: int
    ranged: bool
    loose: bool
    prepositional: bool


def _time_lead(line: ChineseLine, begin: int, end: int) -> _Lead | None:
    match = _TIME_LEAD.match(line.simple, begin, end)
    if match is None:
        return None
    stop = match.end()
    ranged = _RANGE.match(line.simple, match.end("time"), end) is not None
    if not ranged and stop not in line.edges and stop < end:
        return None
    if re.search(r"^[\u4e00-\u9fff]", match.group("time")) and not re.match(
        "公元|西元|[〇零一二三四五六七八九十]", match.group("time")
    ):
        tokens = [t for t in line.tokens if t.start < match.end("time") and t.end > match.start("time")]
        if not any(t.tag == "TIME" for t in tokens):
            return None
    prepositional = line.simple[begin] in "于在" or line.simple.startswith(("早在", "大约在"), begin)
    return _Lead(match.span("time"), stop, ranged, ranged and stop not in line.edges, prepositional)


def _as_carried(subject: Subject | None) -> Subject | None:
    """The subject as the next clause may take it over."""
    if subject is None or subject.source == "carried":
        return subject
    return Subject(subject.text, subject.simple, subject.level, "carried", subject.index, subject.person)


def _carried_subject(line: ChineseLine, start: int, end: int, carried: Subject | None) -> Subject | None:
    """The subject of the clause before, where this one begins as a predicate does."""
    if carried is None or start not in line.edges:
        return None
    first = line.span(start, end)[:1]
    if not first:
        return None
    begins = first[0].tag in ("v", "d", "vd", "ad", "p", "a") or first[0].text[0] in "又亦也全原是为有位字号简俗旧古"
    return carried if begins or _APPOSED.match(line.simple, start, end) else None


def find_subject(line: ChineseLine, start: int, end: int, topic: Subject | None) -> tuple[Subject | None, int]:
    """The subject at `start`, if there is one, and where the predicate begins."""
    named = _topic_at(line, start, end, topic)
    if named is not None:
        return named
    if (
        start > 1
        and line.simple[start - 1] == ","
        and line.simple[start - 2].isascii()
        and line.simple[start].isascii()
    ):
        return None, start
    if start not in line.edges or _APPOSED.match(line.simple, start, end):
        return None, start
    stop = noun_phrase_end(line, start, end)
    if not start < stop < end or _is_torn_name(line, stop) or not (_is_marker(line, stop) or agreed(line, stop)):
        return None, start
    if _nominalised(line, start, stop) or runs_on(line, stop, end):
        return None, start
    subject = make_subject(line, start, stop)
    return (subject, stop) if subject else (None, start)


def _topic_at(line: ChineseLine, start: int, end: int, topic: Subject | None) -> tuple[Subject, int] | None:
    if topic is None:
        return None
    for form in (topic.simple, f"《{topic.simple}》", f"“{topic.simple}”", *short_forms(topic)):
        stop = start + len(form)
        if form and line.simple.startswith(form, start) and stop < end and not _goes_on(line, stop):
            level = topic.level
            text = line.written(start, stop) if form[0] in "《“" else topic.text
            return Subject(text, form, level, "own", line.index, topic.person), stop
    return None


def short_forms(topic: Subject) -> tuple[str, ...]:
    """The first and the last name of a foreign person named in full; none for others."""
    parts = re.split("[·・‧•]", topic.simple)
    return tuple(part for part in (parts[-1], parts[0]) if len(part) >= 2) if topic.person and len(parts) > 1 else ()


def _goes_on(line: ChineseLine, stop: int) -> bool:
    """True if the noun phrase that ends at `stop` goes on behind it."""
    if stop not in line.edges:
        return True
    token = next((token for token in line.tokens if token.start == stop), None)
    if token is None:
        return True
    return token.text in ("的", "之", "和", "与", "及", "、", "》", "”", "·") or (
        token.tag in NAMES | {"n", "f", "s", "vn"}
        and not re.match(
            r"全长|全称|全名|原名|本名|总|面积|简称|别名|别称|学名|俗名|人口|海拔|占地|体长|身高|国号|年号|号|字|意为|意|生于|原|始",
            token.text,
        )
    )


def noun_phrase_end(line: ChineseLine, start: int, end: int) -> int:
    """End of the noun phrase that begins at `start`; `start` when there is none."""
    depth, last = 0, start
    tokens = line.span(start, end)
    for position, token in enumerate(tokens):
        after = tokens[position + 1] if position + 1 < len(tokens) else None
        if token.tag != "code":
            depth += sum(char in OPENING for char in token.text) - sum(char in CLOSING for char in token.text)
        if depth or token.text in CLOSING:
            last = token.end
        elif token.text in ("的", "之") or (token.tag == "c" and token.text in _JOINING) or token.text in _INSIDE:
            if last == start:
                return start
        elif token.tag == "a":
            if not after or not (after.text == "的" or after.tag in NOMINAL):
                break
        elif (
            token.tag in NOMINAL
            and (token.tag != "TIME" or (after and after.tag == "n" and last > start))
            and not _verbal(token)
        ):
            last = token.end
        elif token.tag == "v" and last > start and token.text not in ("是", "有", "为", "会", "可以"):
            return _modified_end(line, tokens[position:], last)
        else:
            break
    return last


def _modified_end(line: ChineseLine, rest: tuple[Token, ...], last: int) -> int:
    """The end of a noun phrase with a clause in it, 忽必烈创建的制度, before a predicate; else `last`."""
    of = next((i for i, token in enumerate(rest) if token.text == "的"), None)
    if not of or of > 5 or of + 1 >= len(rest) or any(t.tag in ("w", "d", "p", "c", "r", "u") for t in rest[1:of]):
        return last
    stop = of + 1
    while stop < len(rest) and rest[stop].tag in ("n", "nz", "nw", "vn", "LOC", "ORG", "PER", "a", "code"):
        stop += 1
    if stop == of + 1 or stop >= len(rest) or rest[stop].tag not in ("v", "d", "vd", "p", "ad"):
        return last
    return rest[stop - 1].end


def _nominalised(line: ChineseLine, start: int, stop: int) -> bool:
    """True if the last word before `stop` is more likely a verb: 参数接收|表示状态码的数字."""
    before = line.span(start, stop)
    after = next(token for token in line.tokens if token.start == stop)
    if len(before) < 2 or before[-1].tag != "vn" or after.tag != "v":
        return False
    return before[-2].tag in ("code", "nz") or not re.match("[是为有会可能将被位属需应必须要包]", after.text)


def runs_on(line: ChineseLine, stop: int, end: int) -> bool:
    """True if verb, noun and a second predicate follow `stop`: 正规军|增援部队|于…抵达, 公司|代表|联系."""
    tokens = line.span(stop, end)
    if not tokens or tokens[0].tag not in ("v", "vn") or _PIVOTAL.search(tokens[0].text) or len(tokens[0].text) < 2:
        return False
    if tokens[0].text in ("代表", "同知", "负责", "联系") and len(tokens) > 1 and tokens[1].tag in ("v", "vn"):
        return True
    if len(tokens) < 3 or tokens[1].tag != "n":
        return False
    return tokens[2].tag in ("p", "v", "d") and tokens[2].text not in ("来", "去", "为", "给", "到", "至", "并")


_PIVOTAL = re.compile(
    r"[了过于出成为至给]$|派|任命|命令|要求|邀请|帮助|使|让|允许|率|带领|领导|指挥|担任|受|用|通过|利用|借助|加入|鼓励|组织|请|委托|禁止|阻止|支持|需要|位|没有|拥有|指定|推举|选举|说服"
)


def _is_marker(line: ChineseLine, stop: int) -> bool:
    """True if the word after `stop` is one that begins predicates, behind a personal name."""
    before = next((token for token in line.tokens if token.end == stop), None)
    return before is not None and before.tag == "PER" and line.simple[stop] in "被于由在为是与从向以将把曾"


def _is_torn_name(line: ChineseLine, stop: int) -> bool:
    """True if the word after `stop` is more likely the rest of a name than a verb."""
    token = next(token for token in line.tokens if token.start == stop)
    return token.tag in ("v", "d", "a", "vd", "xc") and len(token.text) == 1 and token.text not in _SINGLE


_SINGLE = frozenset(
    "是有为被在于由与从向以将把获入进出赴到和受迁改建升死生卒任称率攻占会可能应须需必不没未也又亦还均都曾已仅只最更则便就才再位属指含设让使令令长高宽深重达超约用像如当因对据按给要能想会共即乃开杀败降封葬娶嫁赐逃返回赢输胜负写唱演拍产含返"
)


def _verbal(token: Token) -> bool:
    return token.text in (
        "位于",
        "建于",
        "始建于",
        "生于",
        "是",
        "为",
        "属",
        "即",
        "指",
        "又名",
        "简称",
        "全称",
        "别名",
        "俗称",
        "原名",
        "学名",
    ) or (token.tag not in NAMES and token.text in ("全长", "占地", "总面积", "占地面积"))


def make_subject(line: ChineseLine, start: int, end: int) -> Subject | None:
    """The subject `line.simple[start:end]`, or None when it is no noun phrase to be asked about."""
    simple = line.simple[start:end]
    tokens = line.span(start, end)
    if not tokens or _VAGUE.match(simple) or len(simple) > 28 or re.search(r"\d年", simple):
        return None
    final = tokens[-1]
    if (
        len(simple) < 2
        or simple[-1] in "意史别又俗"
        or final.text in ("的", "之")
        or (final.tag not in NOMINAL and final.text not in CLOSING)
        or final.tag in ("m", "q", "TIME")
        or re.search("(?:期间|时期|之间|途中|前后)$|(?:公司|[部局会院]|大学)(?:代表|负责|继续|要求|决定).{2,}", simple)
    ):
        return None
    person = (
        final.tag == "PER"
        and not located(final.text)
        and all(
            token.tag in ("PER", "LOC", "ORG", "n", "nz", "nw", "f") or token.text in _INSIDE or token.text == "的"
            for token in tokens
        )
    )
    return Subject(line.written(start, end), simple, level(tokens), "own", line.index, person)


def level(tokens: tuple[Token, ...]) -> int:
    """Distinctness of a noun phrase, from 1 to 3."""
    text = "".join(token.text for token in tokens)
    if not _LETTER.search(text):
        return 1
    if tokens[0].tag == "m" and not any(proper(token) for token in tokens):
        return 1
    if any(proper(token) for token in tokens) or "《" in text or _QUOTED.search(text):
        return 3
    return 2 if len(text) >= 9 or (len(text) >= 3 and not GENERIC.search(text)) else 1
