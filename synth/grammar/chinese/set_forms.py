"""Facts in a set form: where a thing lies, what it is called, what it belongs to, how big it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from synth.grammar.chinese.candidates import Candidate, Found, Writer, candidate, named, nominal, spans_of, strip_quotes
from synth.grammar.chinese.clauses import Statement
from synth.grammar.chinese.lexicon import ABOUT, MEASURE, NUMBER, TIME, UNIT

_ADV = r"(?:也|亦|又|还|都|均|曾经|曾|已经|已|主要|大多|大部分|最早|最初|正式|一般|通常|则|始终|共同)*"


@dataclass(frozen=True, slots=True)
class Fact:
    """A construction: `form` over the predicate with the answer in group A, and what it asks.

    `kind` says what the answer must be: "place", "name" (one name, quotes taken off), "noun", "any".
    `dated` facts hold at a time, which the question then tells.
    """

    name: str
    form: re.Pattern[str]
    question: str
    worth: float
    kind: str = "noun"
    longest: int = 26
    dated: bool = False


def _fact(
    name: str, form: str, question: str, worth: float, kind: str = "noun", longest: int = 26, *, dated: bool = False
) -> Fact:
    return Fact(name, re.compile(f"^{_ADV}{form}$"), question, worth, kind, longest, dated)


FACTS = (
    _fact("located", r"(?:坐落|座落|位|地处)(?:于|在)?(?P<A>.+)", "{S}位于哪里？", 0.9, "place", 30),
    _fact("headquarters", r"总部(?:设|位)(?:于|在)(?P<A>.+)", "{S}的总部在哪里？", 0.9, "place"),
    _fact("born_in", r"(?<!原)(?:出?生)(?:于|在)(?P<A>.+)", "{S}出生于哪里？", 0.9, "place"),
    _fact(
        "graduated",
        r"毕业(?:于|自)(?P<A>.+(?:大学|学院|学校|中学|小学|高中|分校|校|大|系|部|科))",
        "{S}毕业于哪所学校？",
        0.9,
    ),
    _fact(
        "distributed",
        r"(?P<V>(?:分布|生长|栖息|生活|原产|原生|产)(?:于|在))(?P<A>.+)",
        "{S}{V}哪里？",
        0.84,
        "place",
        40,
    ),
    _fact("short_name", r"简称(?:为|作|是)?(?P<A>.+)", "{S}的简称是什么？", 0.9, "name"),
    _fact("full_name", r"全[称名](?:为|作|是)?(?P<A>.+)", "{S}的全称是什么？", 0.9, "name", 40),
    _fact("first_name", r"(?:原名|本名|原称)(?:为|叫|作|是)?(?P<A>.+)", "{S}原名是什么？", 0.88, "name"),
    _fact("old_name", r"(?:旧[称名]|古[称名])(?:为|作|是)?(?P<A>.+)", "{S}的{K}是什么？", 0.88, "name"),
    _fact("folk_name", r"(?:俗[称名])(?:为|作|是)?(?P<A>.+)", "{S}的俗称是什么？", 0.88, "name"),
    _fact("scientific", r"学名(?:为|是)?(?P<A>.+)", "{S}的学名是什么？", 0.88, "name"),
    _fact(
        "other_name",
        r"(?:又|亦|也|或)(?:被)?(?:称为|称作|称之为|名为|称|名|叫做|叫)(?P<A>.+)",
        "{S}又叫什么？",
        0.86,
        "name",
    ),
    _fact(
        "byname",
        r"(?:别[名称]|绰号|外号|昵称|笔名|艺名|法号|谥号|庙号|国号|年号)(?:为|是|叫)?(?P<A>.+)",
        "{S}的{K}是什么？",
        0.86,
        "name",
    ),
    _fact("courtesy", r"字(?P<A>.{1,3})", "{S}的字是什么？", 0.88, "name", 3),
    _fact("style_name", r"号(?P<A>.{2,5})", "{S}的号是什么？", 0.84, "name", 5),
    _fact(
        "praised",
        r"被(?P<V>誉为|称为|称作|评为|选为|列为|列入|命名为|视为|认定为|指定为|改编成|改编为)了?(?P<A>.+)",
        "{S}被{V}什么？",
        0.82,
        "noun",
        dated=True,
    ),
    _fact(
        "known_for",
        r"(?P<P>以|因|因为|因其|以其)(?P<A>.+?)而?(?P<V>著称|闻名|著名|出名|知名|闻名于世)",
        "{S}{P}什么而{V}？",
        0.88,
        "any",
    ),
    _fact("named_after", r"因(?P<A>.+?)而得名", "{S}因什么而得名？", 0.88, "any"),
    _fact("named_for", r"以(?P<A>[^,]{2,16}?)(?:的名字|之名|的姓氏)?(?:来)?(?:命名|冠名)", "{S}以什么命名？", 0.86),
    _fact("inspired", r"(?:深)?受到?(?:了)?(?P<A>[^,]{2,16}?)的?启发", "{S}受到什么的启发？", 0.82),
    _fact(
        "kin",
        r"(?:也|只|就|实际上|其实|本质上)*是(?P<A>[^,的]{2,20}?)的(?P<V>(?:一个)?(?:子类|别名|缩写|简写|超集|子集|同义词|前身|衍生版|分支|姊妹篇|续集|前传|支流|首都|首府|省会|总部所在地))",
        "{S}是什么的{V}？",
        0.84,
    ),
    _fact("uses_as", r"以(?P<A>.{1,20}?)(?:作)?为(?P<V>(?:主要)[\u4e00-\u9fff]{2,6})", "{S}以什么为{V}？", 0.84),
    _fact(
        "occurs",
        r"(?P<V>(?:只|仅|主要|集中|最早|最初|首次)*(?:存在于|发生于|发生在|出现于|出现在|集中在|集中于|运行在|流行于|建立在|保存在|保存于|收藏于|珍藏于))(?P<A>.+)",
        "{S}{V}哪里？",
        0.82,
        "place",
    ),
    _fact("built_on", r"(?:完全|主要)*建立在(?P<A>.+?)之上", "{S}建立在什么之上？", 0.7),
    _fact("feeds", r"以(?P<A>.+?)为(?P<V>食|主食)", "{S}以什么为{V}？", 0.9),
    _fact(
        "family",
        r"(?:是|为|属于?)(?:.*?[门纲目])?(?P<A>[^的目纲门]{1,8}?(?<![预学外内专本百产文理])科)(?:的?.{0,8}[属种科鱼鸟龙树草木花]|的?(?:其中)?.{0,3}(?:植物|动物|恐龙|昆虫|鱼类|鸟类)(?:的一[种属个]种?)?|的?(?:其中)?(?:一种|一个种|一属|一个属|之下的一个种))",
        "{S}属于哪一科？",
        0.88,
    ),
    _fact("belongs", r"(?:隶|从)属于?(?P<A>.+)", "{S}隶属于哪里？", 0.82),
    _fact("belongs_to", r"属于?(?P<A>.{3,})", "{S}属于什么？", 0.66),
    _fact(
        "origin",
        r"(?P<V>起源于|发源于|源自于?|源于|来源于|来自于|来自|取自|改编自|脱胎于|衍生自|演变自|出自|注入|汇入|流入|毗邻|得名于|取材自|取材于)(?P<A>.+)",
        "{S}{V}哪里？",
        0.84,
        "origin",
    ),
    _fact("dedicated", r"(?P<V>旨在)(?P<A>.+)", "{S}旨在做什么？", 0.84, "any", 30),
    _fact(
        "buried",
        r"(?P<V>葬于|葬在|安葬于|逝世于|病逝于|卒于|死于|去世于|定居于|定居在|就读于|任教于|任职于|就职于|效力于)(?P<A>.+)",
        "{S}{V}哪里？",
        0.84,
        "place",
    ),
    _fact("ancestral", r"(?:祖籍|籍贯)(?:为|是|在)?(?P<A>.+?)人?", "{S}祖籍哪里？", 0.88, "place"),
    _fact(
        "capital",
        r"(?:首都|首府|省会|治所|行政中心|县治)(?:为|是|位于|设在|设于|在)(?P<A>.+)",
        "{S}的{K}在哪里？",
        0.88,
        "place",
    ),
    _fact("made_of", r"(?:是)?由(?P<A>.+?)(?P<V>组成|构成|制成|合成)(?:的)?", "{S}由什么{V}？", 0.84, "noun", 40),
    _fact(
        "meaning",
        r"(?P<V>意为|意思是|意即|意思为|意指|象征着?|代表着?|寓意着?)(?P<A>.+)",
        "{S}{V}什么？",
        0.84,
        "any",
        24,
    ),
)

_OF_TOPIC = frozenset(("byname", "courtesy", "style_name", "ancestral"))
QUANTITY = re.compile(
    r"^(?:其中)?(?P<K>全长|总长度?|长度|长|总高度?|高度|高|宽度|宽|深度|水深|深|总面积|占地面积|建筑面积|面积|占地|平均海拔|最高海拔|海拔高?度?|"
    r"总人口|人口密度|人口|体长|身长|身高|体重|翼展|总重量?|重量|重|直径|半径|跨度|容量|蓄水量|射速|时速|速度|最大航速|航速|射程|有效射程|"
    r"总投资|造价|耗资|投资|总奖金|奖金|票房|收视率|排水量|载重|流量|流域面积|载客量|产量|年产量|深度|厚度|厚|温度|密度|年降水量|平均气温|装机容量|总装机容量)"
    rf"(?P<M>为|是|有|达到|达|可达|可长达|长达|只有|仅为|仅|共|共计|共有|:)?(?P<A>{ABOUT}{NUMBER}(?P<U>{UNIT})(?:[多余]|左右|以上|以下|以内)?)$"
)
_SIZED = frozenset(
    [
        "全长",
        "长",
        "高",
        "宽",
        "深",
        "重",
        "占地",
        "身高",
        "体重",
        "海拔",
        "耗资",
        "体长",
        "厚",
        "水深",
        "时速",
        "航速",
        "直径",
        "人口",
        "面积",
        "总面积",
        "占地面积",
    ]
)
_COUNT = re.compile(
    rf"^{_ADV}(?P<V>一?共有|共设有|总共有|拥有|设有|下设|下辖|辖有|辖|现有|建有|包含|包括|收录了?|收藏了?|藏有|发行了?|生产了?|建造了?|获得过?了?|赢得了?|夺得了?|"
    rf"出版了?|创作了?|有|分为|分成|设|由|历时|持续了?|耗时|连续|容纳|可容纳)(?P<A>{ABOUT}{NUMBER}(?:多|余)?(?P<C>[{MEASURE}]|平方公里|公里|小时|个月|分钟|公顷|吨|米)?)(?P<N>.*)$"
)


def facts(statements: Sequence[Statement], writer: Writer) -> Found:
    """Questions on the facts in set form of one sentence."""
    for statement in statements:
        if statement.subject is None:
            continue
        for fact in FACTS:
            made = _ask(fact, statement, writer)
            if made:
                yield made
                break
        yield from quantity(statement, writer)
        yield from count(statement, writer)


def _ask(fact: Fact, statement: Statement, writer: Writer) -> Candidate | None:
    match = fact.form.match(statement.predicate)
    if match is None or statement.subject is None or re.search(r"[、,]", statement.subject.simple):
        return None
    if fact.name == "kin" and statement.order:
        return None
    line = statement.line
    start, end = spans_of(match, "A", statement)
    if fact.kind == "name":
        start, end = strip_quotes(line, start, end)
        if not _is_name(line.simple[start:end]):
            return None
    elif not _suits(fact, statement, start, end):
        return None
    if not 1 <= end - start <= fact.longest:
        return None
    parts = {"V": _written(statement, match, "V"), "P": _written(statement, match, "P"), "K": ""}
    if "{K}" in fact.question:
        key = statement.start + match.start("A")
        parts["K"] = _key(line.simple[statement.start : key], line.written(statement.start, key))
    parts["A"] = line.written(start, end)
    form = _where(fact, line.simple[start:end], statement, start, end)
    if fact.dated and statement.time:
        form = "{T}，" + form
        parts["T"] = line.written(*statement.time)
    answer = line.answer(start, end)
    worth = fact.worth if fact.name not in _OF_TOPIC or statement.subject.level == 4 else fact.worth - 0.15
    if form.startswith("谁"):
        at = line.simple.find(statement.subject.simple)
        answer = line.answer(at, at + len(statement.subject.simple)) if at >= 0 else statement.subject.text
    return candidate(writer, statement, form, answer, fact.name, worth, **parts)


def _key(simple: str, written: str) -> str:
    """The word that names the relation, 旧称 or 别名, as written."""
    found = re.search("[旧古别绰外昵笔艺法谥庙国年首省治][称名号府都会所]|行政中心|县治", simple)
    return written[found.start() : found.end()] if found and len(simple) == len(written) else "名称"


def _where(fact: Fact, answer: str, statement: Statement, start: int, end: int) -> str:
    if fact.name == "meaning" and statement.predicate.startswith("意"):
        return "{S}是什么意思？"
    if (
        fact.name == "praised"
        and statement.subject
        and statement.subject.person
        and re.search("第一|首[位个任]|最|之父|唯一", answer)
    ):
        return "谁被{V}" + "{A}？"
    if fact.name == "origin" and statement.line.span(start, end)[-1].tag not in ("LOC", "s"):
        return "{S}{V}什么？"
    if fact.name == "belongs" and not re.search(r"[省市县区州镇乡国府]$", answer):
        return "{S}隶属于什么？" if not re.search(r"[部局院会处司署校团社]$", answer) else "{S}隶属于哪个机构？"
    if fact.name == "buried" and re.search(r"学院|大学|学校|中学$", answer):
        return "{S}{V}哪所学校？"
    if fact.name == "buried" and re.search(r"队$|俱乐部$", answer):
        return "{S}{V}哪支球队？"
    return fact.question


def _suits(fact: Fact, statement: Statement, start: int, end: int) -> bool:
    line = statement.line
    if fact.kind == "any":
        return line.whole(start, end) and (fact.name != "meaning" or nominal(line, start, end))
    if fact.name == "family":
        return True
    if not nominal(line, start, end):
        return False
    return fact.kind != "place" or _place(statement, start, end)


def _place(statement: Statement, start: int, end: int) -> bool:
    tokens = statement.line.span(start, end)
    text = statement.line.simple[start:end]
    if (
        re.match(rf"{TIME}", text)
        or text.count("的") > 2
        or re.search(r"(?:城镇|城市|国家|地方|地区之一|一部分)$", text)
    ):
        return False
    return any(t.tag in ("LOC", "ORG", "s") for t in tokens) or bool(
        re.search(r"[省市县区州镇乡村路街山河湖海岛国洋洲湾岸带林边部口内]$", text)
    )


def _is_name(text: str) -> bool:
    return not re.search(r"[、,;:()。]|或|以及|和|^[为是]|是一|为一", text) or bool(re.match(r"^《[^》]+》$", text))


def _written(statement: Statement, match: re.Match[str], group: str) -> str:
    if group not in match.re.groupindex or match.group(group) is None:
        return ""
    start, end = spans_of(match, group, statement)
    return statement.line.written(start, end)


def quantity(statement: Statement, writer: Writer) -> Found:
    """How long, how high, how many inhabitants."""
    match = QUANTITY.match(statement.predicate.lstrip("的"))
    if match is None or statement.subject is None or "、" in statement.subject.simple:
        return
    shift = len(statement.predicate) - len(statement.predicate.lstrip("的"))
    line, start = statement.line, statement.start + shift
    a, b = match.start("A") + start, match.end("A") + start
    key = match.group("K")
    form = "{S}{K}多少{U}？" if key in _SIZED and not shift else "{S}的{K}是多少？"
    if "人口" in key:
        form = "{S}的{K}是多少？"
    elif "面积" in key:
        form = "{S}的{K}是多少{U}？"
    if statement.time:
        form = "{T}，" + form
    parts = {
        "K": line.written(match.start("K") + start, match.end("K") + start),
        "U": line.written(match.start("U") + start, match.end("U") + start),
        "T": line.written(*statement.time) if statement.time else "",
    }
    yield candidate(writer, statement, form, line.answer(a, b), "quantity", 0.9, **parts)


def count(statement: Statement, writer: Writer) -> Found:
    """How many of something there are."""
    match = _COUNT.match(statement.predicate)
    if match is None or statement.subject is None:
        return
    line = statement.line
    a, b = spans_of(match, "A", statement)
    n1, n2 = spans_of(match, "N", statement)
    verb, unit = match.group("V"), match.group("C") or ""
    amount = line.simple[a:b]
    if (
        re.match(r"^[一1](?!\d|[十百千万亿0-9])", amount)
        or not (n1 == n2 or nominal(line, n1, n2))
        or n2 not in line.edges
    ):
        return
    if (n1 == n2 and unit in ("个", "种", "名", "位")) or not unit:
        return
    if (
        statement.subject.level < 2
        or re.search(r"[、,\d]", line.simple[n1:n2])
        or (re.search(r"[内里中上下间]$", statement.subject.simple) and verb != "有")
    ):
        return
    if verb == "由" or (verb in ("有", "设") and not unit and n1 == n2):
        return
    rest = line.written(n1, n2) if n1 < n2 else ""
    shift = statement.start
    parts = {
        "V": re.sub("[了过]+$", "", line.written(match.start("V") + shift, match.end("V") + shift)),
        "C": line.written(match.start("C") + shift, match.end("C") + shift) if unit else "",
        "N": rest,
        "T": line.written(*statement.time) if statement.time else "",
    }
    form = ("{T}，" if statement.time else "") + "{S}{V}多少{C}{N}？"
    sure = 0.86 if (unit and named(line.span(n1, n2))) or verb != "有" else 0.82
    yield candidate(writer, statement, form, line.answer(a, b), "count", sure, **parts)
