"""What a thing is: definitions, superlatives, attributes and names of offices."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synth.grammar.chinese.candidates import Candidate, Found, Writer, candidate, named, nominal, when
from synth.grammar.chinese.clauses import Statement, level
from synth.grammar.chinese.lexicon import ABOUT, NUMBER, TIME, UNIT
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.topic import PERSON

_IS = re.compile(
    r"^(?:也|亦|便|就|则|仍|仍然|曾|曾经)*(?:是|为|系|即|乃是|便是|就是|即为)(?!由|因|在|以|了|否|指|说|从|对|通过|用来|用于|什么)"
)
_BECOMES = re.compile(_IS.pattern.replace("乃是", "成为了?|乃是"))
_TOP = re.compile(
    r"最[\u4e00-\u9fff]|首[个位座次家部条届支名所任]|第一[个位座家部条届名所任]|唯一|第[二三四五六七八九十]+大"
)
_SCOPE = re.compile(
    r"世界|全球|全国|全省|全市|[中美英法德日俄韩]国|历史上|[亚欧非美]洲|国内|史上|太阳系|银河系|地球|人类"
)
_ONE_OF = re.compile(r"一[种个座位家部条名所支项款套类门幅本颗处间首片场系列]")
_LOOSE = re.compile(
    r"重要|主要|常见|著名|典型|有趣|特别|良好|一致|一样|相同|不同|可能|必要|必须|一部分|组成部分|结果|原因|情况|问题|方式之|关键|例外|例子|选择|目标|基础|核心|象征$|标志$|概念$|东西$|事物$|过程$|更|毕业生$|的人$|之人$"
)

_PLURAL = re.compile(r"之一|其中|以下|如下|多个|一些|各种|许多|几[个种]|多种|等$")


def copulas(statements: Sequence[Statement], writer: Writer) -> Found:
    """Questions on what the things of one sentence are."""
    for statement in statements:
        yield from attribute(statement, writer)
        if statement.subject is None:
            continue
        yield from superlative(statement, writer)
        yield from role(statement, writer)
        yield from definition(statement, writer)


def _complement(statement: Statement, verb: re.Pattern[str] = _IS) -> tuple[int, int] | None:
    match = verb.match(statement.predicate)
    if match is None:
        return None
    start, end = statement.start + match.end(), statement.end
    line = statement.line
    if start >= end or start not in line.edges or not (nominal(line, start, end) or described(line, start, end)):
        return None
    return start, end


def described(line: Line, start: int, end: int) -> bool:
    """Whether the span is 一种…的N: one noun phrase, whatever stands before its last 的."""
    text = line.simple[start:end]
    if not _ONE_OF.match(text) or text.count("的") != 1 or end not in line.edges:
        return False
    after = start + text.rindex("的") + 1
    return after < end and after in line.edges and nominal(line, after, end)


def superlative(statement: Statement, writer: Writer) -> Found:
    """X是中国最大的Y -> 中国最大的Y是哪个？"""
    found, subject, line = _complement(statement, _BECOMES), statement.subject, statement.line
    if found is None or subject is None or subject.level < 3 or re.search(r"[、和与及]", subject.simple):
        return
    text = line.simple[found[0] : found[1]]
    tokens = line.span(*found)
    if statement.time and line.simple[statement.time[1]] != ",":
        return
    if not _TOP.search(text) or _PLURAL.search(text) or not 6 <= len(text) <= 28 or re.search(r"[、,]", text):
        return
    if not (
        _SCOPE.search(text)
        or (re.match("第一[个位]|首位|唯一", text) and len(text) >= 9)
        or any(t.tag in ("LOC", "ORG", "nz", "nw", "PER") for t in tokens)
    ):
        return
    word = _which(text, subject.person)
    if (
        word is None
        or (word == "谁" and not subject.person)
        or re.search("(?:距离|时间|速度|[记纪]录|长度|温度|面积|高度)$", text)
    ):
        return
    quoted = line.written(*found)
    at = line.simple.find(subject.simple)
    answer = line.answer(at, at + len(subject.simple)) if at >= 0 else subject.text
    answer = answer if "（" not in answer and "(" not in answer else subject.text
    yield candidate(
        writer, statement, "{X}是" + word + "？", answer, "superlative", 0.9, X=re.sub("^一[个座位种家部]", "", quoted)
    )


def _which(text: str, person: bool) -> str | None:
    """How to ask for the thing that a noun phrase describes, by its head."""
    for pattern, word in _HEAD_KINDS:
        if re.search(pattern, text):
            return word
    if re.search(
        r"[人者员家长手帝后王]$|总统$|总理$|主席$|教授$|先生$|女性$|男性$|冠军$|将军$|球员$|选手$|得主$|皇帝$|诗人$",
        text,
    ):
        return "谁"
    if person and not re.search(r"奖项?$|公司$", text):
        return "谁"
    return "什么" if re.search(r"[物品金属素语言症病洞]$|动物$|植物$|框架$|方法$|工具$|原因$|来源$", text) else "哪个"


_HEAD_KINDS = (
    (r"城市$|城$|岛屿?$|桥$|湖$|塔$|山峰$|水库$|建筑$|博物馆$|图书馆$", "哪座"),
    (r"国家$|省$|县$|州$|行政区$|地区$", "哪个"),
    (r"大学$|学校$|中学$|学院$|医院$", "哪所"),
    (r"公司$|银行$|企业$|报纸$|电视台$|机构$", "哪家"),
    (r"河流?$|线$|路$|铁路$|公路$|峡谷$|瀑布$|街道$", "哪条"),
    (r"电影$|小说$|作品$|电视剧$|漫画$|动画$|剧集$|游戏$|法律$|词典$|著作$", "哪部"),
    (r"球队$|队伍?$|乐队$|部队$", "哪支"),
)


_ROLES = (
    (
        "谁",
        re.compile(
            "(?:作者|创始人|创办人|创建者|发明者|发明人|导演|编剧|主席|总统|校长|市长|父亲|母亲|妻子|丈夫|队长|主教练|设计者|设计师|继任者)$"
        ),
    ),
    ("哪里", re.compile("(?:首都|首府|省会|县城|发源地|故乡|总部)$")),
    ("什么", re.compile("(?:前身|官方语言|国教|法定货币|最高峰|主食|别名|简称|总称|通称)$")),
)


def role(statement: Statement, writer: Writer) -> Found:
    """X是Y的创始人 -> Y的创始人是谁？"""
    found, subject, line = _complement(statement), statement.subject, statement.line
    if found is None or subject is None or subject.level < 3 or statement.time:
        return
    text, tokens = line.simple[found[0] : found[1]], line.span(*found)
    if re.search("[、和与及]", subject.simple) or _PLURAL.search(text) or not 5 <= len(text) <= 24 or not named(tokens):
        return
    word = next((word for word, heads in _ROLES if heads.search(text)), None)
    if word is None or (word == "谁" and not subject.person) or re.match("一|其中|前|原", text):
        return
    at = line.simple.find(subject.simple)
    answer = line.answer(at, at + len(subject.simple)) if at >= 0 else subject.text
    yield candidate(writer, statement, "{X}是" + word + "？", answer, "role", 0.86, X=line.written(*found))


def definition(statement: Statement, writer: Writer) -> Found:
    """X是一种Y -> X是什么？"""
    found, subject, line = _complement(statement), statement.subject, statement.line
    if found is None or subject is None or subject.level < 3 or statement.time:
        return
    start, end = found
    text = line.simple[start:end]
    counted = re.match(r"(?:其中)?一[种个座位家部条名所支项款套类门部幅本颗处间首座片场系列]", text)
    if (
        _LOOSE.search(text)
        or _PLURAL.search(text)
        or not 5 <= len(text) <= 34
        or re.search(TIME, text)
        or text.count("、") > 3
        or re.search(rf"{NUMBER}(?:{UNIT})$", text)
    ):
        return
    if (
        (not counted and (subject.level < 4 or len(text) < 7))
        or text.startswith("个")
        or re.match("也|亦", statement.predicate)
    ):
        return
    if (
        (subject.source != "own" and statement.order > 3)
        or re.search(r"[、和与及]", subject.simple)
        or re.match("变量|参数", subject.simple)
    ):
        return
    person = PERSON.search(text) or (subject.person and re.search("[长手员者师家官]$", text))
    word = "谁" if person else "什么"
    sure = 0.84 if subject.level == 4 else 0.74
    if subject.source != "own":
        sure -= 0.02
    if len(text) < 8:
        sure -= 0.1
    if len(text) < 8 or (subject.level == 4 and subject.index != line.index):
        sure -= 0.1
    yield candidate(writer, statement, "{S}是" + word + "？", line.answer(start, end), "definition", sure)


_HEADS = {
    "谁": "作者|创始人|创办人|创建者|发明者|发明人|导演|编剧|主演|设计师|设计者|建筑师|总统|总理|主席|市长|州长|"
    "校长|院长|会长|董事长|首席执行官|主编|父亲|母亲|妻子|丈夫|儿子|女儿|老师|教练|主教练|队长|主持人|领导人|"
    "首领|国王|皇帝|部长|总监|制作人|开发者|主角|冠军|继任者|前任|祖父|哥哥|弟弟|得主|主任",
    "哪里": "总部|首都|首府|省会|出生地|发源地|所在地|产地|原产地|故乡|位置|地点|起点|终点|校址|会址|源头|故居|老家|"
    "驻地|墓地|中心",
    "什么": "名称|名字|英文名|中文名|简称|全称|昵称|外号|校训|口号|目的|目标|宗旨|用途|作用|特点|特征|特色|主题|"
    "首要任务|任务|功能|职责|官方语言|货币|语言|单位|符号|学名|别名|别称|含义|意思|优势|优点|缺点|默认值|"
    "返回值|类型|值|格式|前身|原型|最大城市|最高峰|主要成分|成分|原料|食物|主食|天敌|宗教|国教|代号|编号|"
    "支柱产业|主要产业|绰号|职业|体裁|题材|结果|本质|核心|基础|标题|书名|后继者|第一步|别号|座右铭|吉祥物|"
    "主键|扩展名|后缀",
}
_HEAD_WORD = tuple((word, re.compile(rf"(?:{heads})$")) for word, heads in _HEADS.items())
_ATTRIBUTE = re.compile(r"^(?P<S>.+?)(?:是|为|叫做|叫|:)(?P<A>.+)$")


def attribute(statement: Statement, writer: Writer) -> Found:
    """X的总部是Y -> X的总部是什么？"""
    line = statement.line
    match = _ATTRIBUTE.match(line.simple[statement.begin : statement.end])
    if match is None or statement.time:
        return
    s1, s2 = statement.begin, statement.begin + match.end("S")
    a, b = statement.begin + match.start("A"), statement.end
    if not line.whole(s1, s2) or not line.whole(a, b) or not nominal(line, s1, s2) or len(match.group("S")) > 22:
        return
    owner = line.span(s1, s2)
    subject = match.group("S")
    anchored = level(owner)
    if anchored < 2 or re.match(r"各|每|平均|总|一|第一[^任届位]|唯一|主要|其|有", subject):
        return
    word, sure = _head_word(subject, line.simple[a:b])
    if word not in ("谁", "哪里", "什么") and anchored < 3:
        return
    if word is None or _PLURAL.search(line.simple[a:b]):
        return
    if not re.match(rf"{ABOUT}{NUMBER}(?:{UNIT})$|{TIME}$", line.simple[a:b]) and not nominal(line, a, b):
        return
    if (re.match(r"一[个种](?!月)", line.simple[a:b]) and b - a < 8) or b - a > 30:
        return
    if re.match(r"函数|变量|参数|路径", subject):
        return
    if word in ("谁",) and line.span(a, b)[-1].tag != "PER":
        return
    made = candidate(
        writer, statement, "{X}是" + word + "？", line.answer(a, b), "attribute", sure, X=line.written(s1, s2)
    )
    yield Candidate(made.question, made.answer, line, (line.index,), made.pattern, sure, 3 if anchored == 3 else 2)


def _head_word(subject: str, answer: str) -> tuple[str | None, float]:
    if re.match(rf"{ABOUT}{NUMBER}(?:{UNIT})(?:左右|以上)?$", answer):
        return "多少", 0.88
    if re.search(r"(?:类型|[^认]值|名称|名字)$", subject):
        return "什么", 0.66
    if re.match(rf"{TIME}$", answer):
        return when(answer), 0.84
    if "的" not in subject and not re.search(r"首任|现任|第.任|[A-Za-z]", subject):
        return None, 0.0
    for word, heads in _HEAD_WORD:
        if heads.search(subject):
            return word, 0.88
    return None, 0.0
