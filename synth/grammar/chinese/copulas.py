"""Questions on definitions, superlatives and attributes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from synth.grammar.chinese.candidates import Candidate, Candidates, TemplateWriter, candidate, nominal, when
from synth.grammar.chinese.clauses import Statement, level
from synth.grammar.chinese.lexicon import ABOUT, NUMBER, TIME, UNIT
from synth.grammar.chinese.lines import ChineseLine
from synth.grammar.chinese.topic import PERSON

_IS = re.compile(
    r"^(?:也|亦|便|就|则|仍|仍然|曾|曾经)*(?:是|为|系|即|乃是|便是|就是|即为)(?!由|因|在|以|了|否|指|说|从|对|通过|用来|用于|什么)"
)
_BECOMES = re.compile(_IS.pattern.replace("乃是", "成为了?|乃是"))
_TOP = re.compile(
    r"最(?!佳实践|佳做法|终|近)[\u4e00-\u9fff]|首[个位座次家部条届支名所任]|第一[个位座家部条届名所任]|唯一|第[二三四五六七八九十]+大"
)
_SCOPE = re.compile(
    r"世界|全球|全国|全省|全市|[中美英法德日俄韩]国|历史上|[亚欧非美]洲|国内|史上|太阳系|银河系|地球|人类"
)
_ONE_OF = re.compile(r"一[种个座位家部条名所支项款套类门幅本颗处间首片场系列]")
_LOOSE = re.compile(
    r"重要|主要|常见|著名|典型|有趣|特别|良好|一致|一样|相同|不同|可能|必要|必须|一部分|组成部分|结果|原因|情况|问题|方式之|关键|例外|例子|选择|目标|基础|核心|象征$|标志$|概念$|东西$|事物$|过程$|更|毕业生$|的人$|之人$"
    r"|实验性|新增|新引入|弃用|废弃|仅.*可用|仅适用|基石$|课题$|利器$|版(?:本)?的?(?:功能|特性)$|^一个的|一个.*一个"
)

_PLURAL = re.compile(r"之一|其中|以下|如下|多个|一些|各种|许多|几[个种]|多种|等$")


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(files(__package__).joinpath("heads.json").read_text("utf-8"))
    return table


def heads_of(table: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The question words of a table, "attributes" or "kinds", and the head nouns that are asked for with each."""
    return ((row["word"], tuple(row["heads"])) for row in _table()[table])


def copulas(statements: Sequence[Statement], writer: TemplateWriter) -> Candidates:
    """Questions on what the things of one sentence are."""
    for statement in statements:
        yield from attribute(statement, writer)
        if statement.subject is None:
            continue
        yield from superlative(statement, writer)
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


def described(line: ChineseLine, start: int, end: int) -> bool:
    """True if the span is 一种…的N: one noun phrase, whatever stands before its last 的."""
    text = line.simple[start:end]
    if not _ONE_OF.match(text) or text.count("的") != 1 or end not in line.edges:
        return False
    after = start + text.rindex("的") + 1
    return after < end and after in line.edges and nominal(line, after, end)


def superlative(statement: Statement, writer: TemplateWriter) -> Candidates:
    """X是中国最大的Y -> 中国最大的Y是哪个？"""
    span, subject, line = _complement(statement, _BECOMES), statement.subject, statement.line
    if span is None or subject is None or subject.level < 3 or re.search(r"[、和与及]", subject.simple):
        return
    text = line.simple[span[0] : span[1]]
    tokens = line.span(*span)
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
        or re.search("(?:距离|时间|速度|[记纪]录|长度|温度|面积|高度|标识符?|选择|实践|做法|部分)$|用户|我们", text)
    ):
        return
    if _IDENTIFIER.fullmatch(subject.simple):
        return  # a setting is not what it sets: minVersion是可接受的最小 TLS 版本
    quoted = line.written(*span)
    at = line.simple.find(subject.simple)
    answer = line.answer(at, at + len(subject.simple)) if at >= 0 else subject.text
    answer = answer if "（" not in answer and "(" not in answer else subject.text
    yield candidate(
        writer, statement, "{X}是" + word + "？", answer, "superlative", 0.9, X=re.sub("^一[个座位种家部]", "", quoted)
    )


def _which(text: str, person: bool) -> str | None:
    """Question word for the thing that a noun phrase describes, by its head."""
    for word, heads in heads_of("kinds"):
        if text.endswith(heads):
            return word
    if re.search(
        r"[人者员家长手帝后王]$|总统$|总理$|主席$|教授$|先生$|女性$|男性$|冠军$|将军$|球员$|选手$|得主$|皇帝$|诗人$",
        text,
    ):
        return "谁"
    if person and not re.search(r"奖项?$|公司$", text):
        return "谁"
    return "什么" if re.search(r"[物品金属素语言症病洞]$|动物$|植物$|框架$|方法$|工具$|原因$|来源$", text) else "哪个"


_IDENTIFIER = re.compile(r"[a-z]\w*[A-Z_.-]\w.*", re.ASCII)
_COUNTED = re.compile(r"一[种个座位家部条名所支项款套类门幅本颗处间首片场系列]")
_RANKED = re.compile("教徒$|第一|唯一|最|首[个位座次家部]")
_MIN_CORE = 9
"""Characters below which a description that the sentence goes on to explain is none; a foreign word counts as two."""
_MIN_WHOLE = 5
"""The same of one that ends the sentence."""
_FOREIGN = re.compile(r"[A-Za-z0-9_.+#-]+")
_GOES_ON = re.compile(
    r" ?, ?(?![但却而因如详参也有是或和]|目前|现在|最[初早近新]|首次|所以|不过|并不|其中|包[括含]|\d)"
    r"[^,;:!?。你我他她这那该等]{4,}"
    r"(?:,[^,;:!?。你我他她这那该等]+)*(?=。?$)"
)
_LONGEST = 60
"""Characters of a definition with the clauses that go on to say what the thing does."""


def definition(statement: Statement, writer: TemplateWriter) -> Candidates:
    """X是一种Y -> X是什么？ where a sentence opens with it, or the first one of a document on X tells it."""
    span, subject, line = _complement(statement), statement.subject, statement.line
    if span is None or subject is None or subject.level < 3 or statement.time:
        return
    if statement.order if subject.source == "own" else (subject.index != line.index or statement.order > 3):
        return
    if re.match(rf"{re.escape(subject.simple)}[^,]*的[^,]*,", line.simple) and subject.source == "carried":
        return  # Google 提出的框架 SLSA，是一套准则: of the framework
    start, end = span
    text = line.simple[start:end]
    counted = _COUNTED.match(text)
    if not 5 <= len(text) <= 34 or text.count("、") > 3 or text[0] in "个为作":
        return
    if any(form.search(text) for form in (_LOOSE, _PLURAL, _RANKED, _DATED)):
        return
    if not counted and (subject.level < 4 or len(text) < 7):
        return
    if re.search(r"[、和与及的]|^(?:变量|参数)", subject.simple) or re.match("也|亦", statement.predicate):
        return
    person = (
        PERSON.search(text)
        or re.match("一[名位]", text)
        or (subject.person and re.search("[长手员者师家官人徒]$", text))
    )
    if person and subject.simple.isascii() and not subject.person:
        return  # Agent 是一名 AI 员工
    if not person and (subject.person or re.search("[人者员徒手]$|冠军$", text)):
        return
    core = text[counted.end() :] if counted else text
    least = _MIN_CORE if statement.stop == "," else _MIN_WHOLE
    if not person and len(_FOREIGN.sub("字词", core).replace(" ", "")) < least:
        return
    sure = (0.84 if subject.level == 4 else 0.74) - 0.1 * (len(text) < 8)
    on = _GOES_ON.match(line.simple, end)
    if on is not None and on.end() - start <= _LONGEST:
        end = on.end()
    yield candidate(
        writer, statement, "{S}是" + ("谁" if person else "什么") + "？", line.answer(start, end), "definition", sure
    )


_DATED = re.compile(rf"{TIME}|{NUMBER}(?:{UNIT})$")
_NAMELESS = re.compile(r"[a-z_] ?(?:函数|变量|参数|字段|方法)")
_ATTRIBUTE = re.compile(r"^(?P<S>.+?)(?:是|为|叫做|叫|:)(?P<A>.+)$")


def attribute(statement: Statement, writer: TemplateWriter) -> Candidates:
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
    if re.match(r"函数|变量|参数|路径|[a-z]+(?![A-Za-z0-9_.])", subject) or _NAMELESS.search(subject):
        return
    if word in ("谁",) and line.span(a, b)[-1].tag != "PER":
        return
    basis = candidate(
        writer, statement, "{X}是" + word + "？", line.answer(a, b), "attribute", sure, X=line.written(s1, s2)
    )
    yield Candidate(basis.question, basis.answer, line, (line.index,), basis.pattern, sure, 3 if anchored == 3 else 2)


def _head_word(subject: str, answer: str) -> tuple[str | None, float]:
    if re.match(rf"{ABOUT}{NUMBER}(?:{UNIT})(?:左右|以上)?$", answer):
        return "多少", 0.88
    if re.search(r"类型$|[^认]值$|名称$|名字$|功能$", subject):
        return None, 0.0
    if re.match(rf"{TIME}$", answer):
        return when(answer), 0.84
    if "的" not in subject and not re.search(r"首任|现任|第.任|[A-Za-z]", subject):
        return None, 0.0
    for word, heads in heads_of("attributes"):
        if subject.endswith(heads):
            return word, 0.88
    return None, 0.0
