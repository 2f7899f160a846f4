"""What happened at a time, where the careful ways of reading a clause see no predicate in it."""

from __future__ import annotations

import re
from dataclasses import replace

from synth.grammar.chinese.bearers import Bearer, clean, mixed, vague
from synth.grammar.chinese.broader import completes, nounlike, thing
from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.clauses import Subject, level, make_subject, noun_phrase_end, runs_on
from synth.grammar.chinese.lexicon import CLOSING, DEICTIC, NAMES, UNRULY
from synth.grammar.chinese.lines import Line, Token, balanced
from synth.grammar.chinese.lines import line as parsed
from synth.grammar.chinese.names import agreed
from synth.grammar.chinese.page import Told
from synth.grammar.chinese.predicates import ASPECT, Predicate, complements, reports
from synth.grammar.chinese.terms import term
from synth.grammar.chinese.times import time_at
from synth.grammar.reading import Reading
from synth.records import Term

_LEANING = re.compile(
    "(?:也|亦|又|还|都|均|皆|已经|已|就|则|便|才|即|遂|却|曾经|曾|而|并|随即|随后|最终|终于|因此|于是)+"
)
_STILL = re.compile(
    "为了|因|由于|针对|作为|根据|关于|凭|在[\u4e00-\u9fff]{2}一|不|没|未|无|可能|可以|可|能|应|须|必须|必需|需|会|将会|将要|似乎|或许|也许|大概|仍|依然|依旧|一直|始终|继续|只|仅|唯一|尚|正在?(?!式)|几乎|差点|"
    "是|为(?!了)|有|拥有|位于|属于?|处于|具有|包括|包含|占|约|超过|多达|高达|达到?|保持|维持|存在|生活|居住|认为|如|像|比|按|据|根据|随着|除|至于|对于|当|"
    "全|总|共|每|平均|至少|最|更|很|非常|十分|越|等|以来|年间|期间|之间|时期?|至|到达?期|前后|左右|末|初|底|中期|后期|[的、和与及·度版款级届]|名列|排名|位居|位列|意为|称为"
)
_UNTOLD = re.compile(
    "打算|计划|希望|拟|企图|试图|准备|声称|宣称|据称|被指|被控|涉嫌|传出|否认|认为|相信|表示|指出|说明|显示|报道|报导|提出要|要求|如果|假如|虽然|尽管|"
    "什么|如何|怎样|怎么|是否|为何|哪|例如|比如|分别|几乎|自己|彼此|当中|其中|左右|相比|[?？]"
)
_TORN_TAIL = re.compile(
    "(?:时|之?后|之?前|期间|中|以来|的|来|去|以|并|而|且|和|与|及|或|为止|起|说|称|道|到|是|于|在|从|由|被|将|把|对|向|为|给|止|间|里|内|等|最|更|不|未)$"
)
_YEAR = r"\d|世纪|[一二三四五六七八九]年"
_SPECIAL_YEAR = re.compile(r"\d{3,4}年|\d世纪|年代")
_ABOUT_WHOM = re.compile(
    "(?:年仅|年满|时年|现年|时任|任职|前任|现任|当时|原本|其中|同时|结果|目前|首次|第一次|再次|正式|开始|先后)$"
)
_PERSONAL = re.compile(
    "出生|毕业|任|当选|加入|加盟|参加|参军|入伍|就读|考入|结婚|逝|去世|病|退役|退休|获|赢|夺|效力|转会|移居|入学|升|调|赴|留学|进入|荣|辞|出演|饰|主演|娶|嫁|生于|卒|死|葬|拜|"
    "封|授|师从|担任|出任|兼|晋|贬|中举|登|入选|签约|租借|转投|代表|回到|返回|出版|发表|发行|创作|创办|成立|推出"
)
_SERIAL = re.compile(
    "出任|担任|就任|转任|改任|兼任|历任|任$|加盟|加入|参加|参与|进入|发行|发布|发表|推出|成为|组建|建立|创[办建立]|成立|设立|改[名编组]|更名|命名|列入|选入|入选|夺[得取回]|"
    "赢得|获得|取得|攻[占克入破]|占领|收复|击败|打败|送[往至到]|移[交至往]|迁[往至入到]|搬[到至]|前往|抵达|到达|返回|回到|出战|出演|主演|执导|出版|创作|撰写|翻译|签[订署约]|"
    "迎娶|嫁给|接替|接任|继承|接管|收购|合并|并入|划[归入]|隶属|转[入投会]|升[任至格]|晋升|当选|建造|兴建|修建|开[设办发]|提出|通过|颁布|宣布|结束|脱离|废除|取消|举[行办]|"
    ".*[为成入到至于]$"
)
_POWERS = re.compile("欧盟|北约|联合国|东盟|非盟|[美英法德苏日俄清明宋元金辽汉晋唐]军|国民政府|北洋政府")
_SINGLES = "任获著攻娶嫁赴建写入改升迁封授卒葬领率返购售演播"
# What a person or an office does, and what befalls a person.
_AGENT = re.compile("命令|委任|任命|委派|派|委托|要求|邀请|决定|命|率|攻|讨伐|补助|聘|请|批准|同意|下令|指示|允许")
_LIFE = re.compile("被.*[杀捕害]|^(?:担|出)?任$|当选|出生|逝世|去世|毕业|入学|就读|结婚|退休|退役")
_MOVING = frozenset(
    "在 于 到 往 向 从 自 由 被 与 和 跟 同 随 对 把 将 以 因 因为 由于 经 通过 为 为了 给 获 受 透过 跟随 用 遭 作为 "
    "沿 朝 凭 凭借".split()
)
_ONCE = frozenset(("首次", "第一次", "正式", "成功", "开始"))
_INNER = frozenset(("成", "为", "成为", "到", "至"))
_WITHIN = frozenset("的 和 与 及 、 · 《 》 “ ” 「 」".split())
_OFFICE = re.compile("(?:担|出|历|兼|升|改|调|转|就|接|继|连)?任|当选为?|获选为|受聘为|获委任为|被任命为|获任命为")
_BEGINS = frozenset(("开始", "进行", "停止", "继续", "予以", "加以"))
_VERBS = ("v", "vn", "vd")
_SHORTEST, _LONGEST = 3, 38
_LONGEST_RELATION = 24
NAMED, CARRIED = 0.76, 0.7
"""How sure a subject is that is named in its clause, and the topic that a clause without one speaks of."""


YEAR = re.compile(_YEAR)
"""What a time must have to be one that can be asked for."""


def happened(
    told: Told, reading: Reading, span: tuple[int, int], time: tuple[tuple[Part, ...], int], *, dated: bool, opens: bool
) -> tuple[Bearer, Predicate] | None:
    """Who did what in a clause that has a time; None where any of it is unsure.

    `time` is what stands at its head, and where its rest begins. `dated` says that a time was told before
    it, `opens` that no clause before it speaks of another.
    """
    line, (_, end) = told.line, span
    lead, start = time
    if start >= end or start not in line.edges or (lead and dated):
        return None
    found = _subject(told, start, end) or _carried(told, reading, start, end, opens=opens)
    if found is None:
        return None
    inner = time_at(line, found.stop, end)
    if (inner is not None) == bool(lead or dated):
        return None
    own = lead or ((Part("time", inner.start, inner.end, inner.stop),) if inner else ())
    if own and not re.search(_YEAR, own[0].text or line.simple[own[0].start : own[0].end]):
        return None
    said = _told(line, inner.stop if inner else found.stop, end)
    if said is None or (found.stop != found.end and not _fits(told, said)):
        return None
    return (replace(found, parts=own), said)


def _subject(told: Told, start: int, end: int) -> Bearer | None:
    """The named thing that the clause begins with."""
    line = told.line
    stop = _trimmed(line, start, noun_phrase_end(line, start, end))
    if stop <= start or stop >= end or not line.whole(start, stop):
        return None
    subject, tokens = make_subject(line, start, stop), line.span(start, stop)
    topic = told.about is not None and line.simple[start:stop] == told.about.simple
    if subject is None or not clean(subject) or not (topic or _named(line, subject, tokens, stop)):
        return None
    following = next((t for t in line.tokens if t.start == stop), None)
    if following is None or following.text in ("的", "之", "、", "和", "与", "及") or following.tag in ("n", "nz", "f"):
        return None
    person = told.about.person if topic and told.about else tokens[-1].tag == "PER"
    text = told.about.text if topic and told.about else subject.text
    return Bearer(text, start, stop, stop, kind="person" if person else None, sure=NAMED)


def _trimmed(line: Line, start: int, stop: int) -> int:
    """The end of a noun phrase without 第一次 and the like, which belong to the verb."""
    tokens = list(line.span(start, stop)) if line.whole(start, stop) else []
    while tokens and (tokens[-1].tag in ("m", "q", "TIME", "f") or _ABOUT_WHOM.match(tokens[-1].text)):
        tokens.pop()
    return tokens[-1].end if tokens else start


def _named(line: Line, subject: Subject, tokens: tuple[Token, ...], stop: int) -> bool:
    simple, final = subject.simple, tokens[-1]
    if (
        (level(tokens) < 3 and not _POWERS.fullmatch(simple))
        or vague(simple)
        or mixed(line, tokens[0].start, stop)
        or not agreed(line, stop)
    ):
        return False
    if final.tag not in (*NAMES, "n") and final.text not in CLOSING:
        return False
    if any(t.tag in ("v", "d", "p", "r", "u") and t.text != "的" for t in tokens) or re.search("[,=]|的.*的", simple):
        return False
    return len(simple) <= 24 and not _ABOUT_WHOM.search(simple)


def _carried(told: Told, reading: Reading, start: int, end: int, *, opens: bool) -> Bearer | None:
    """The topic of the document, or the subject before, for a clause that begins with its verb."""
    line, topic = told.line, told.about
    if topic is not None and opens and line.simple[start] in ("他她" if topic.person else ""):
        return _pronoun(line, reading, topic, start, end)
    first = next((t for t in line.tokens if t.start == start), None)
    if first is None or not (first.tag in ("v", "vd", "p", "d", "ad") or first.text in _MOVING) or start >= end:
        return None
    if topic is None or not opens:
        return None
    place = line.simple.find(topic.simple)
    if 0 <= place < start and line.whole(place, place + len(topic.simple)):
        return Bearer(topic.text, place, place + len(topic.simple), start, kind=_kind(topic), sure=CARRIED + 0.04)
    if topic.index == line.index:
        return None
    words = _first_named(reading, topic)
    if words is None:
        return None
    return Bearer(topic.text, start, start + 1, start, (), (topic.index,), words.kind, CARRIED, words)


def _pronoun(line: Line, reading: Reading, topic: Subject, start: int, end: int) -> Bearer | None:
    """The topic, a person, where 他 stands for it: no other person is named before it in its sentence."""
    stop = start + 1
    others = any(t.tag == "PER" and t.text not in topic.simple for t in line.tokens if t.start < start)
    if others or stop not in line.edges or stop >= end or line.simple[stop] in "们的人自":
        return None
    words = term(reading.sentences[line.index], line, start, stop, kind="person", text=topic.text)
    lines = () if topic.index == line.index else (topic.index,)
    return Bearer(topic.text, start, stop, stop, (), lines, "person", CARRIED, replace(words, head=topic.simple))


def _first_named(reading: Reading, topic: Subject) -> Term | None:
    """The topic where the sentence that introduces it names it."""
    sentence = reading.sentences[topic.index]
    first = parsed(topic.index, sentence.text, reading.chinese[topic.index])
    place = first.simple.find(topic.simple) if first is not None else -1
    if first is None or place < 0:
        return None
    return term(sentence, first, place, place + len(topic.simple), kind=_kind(topic), text=topic.text)


def _kind(topic: Subject) -> str | None:
    return "person" if topic.person else None


def _fits(told: Told, said: Predicate) -> bool:
    """Whether what is told without a subject is of the make that is told of the topic."""
    assert told.about is not None
    if told.about.person:
        return _PERSONAL.search(said.relation) is not None
    founds = said.object is not None and re.search("(?:成立|创立|设立|创办|建立)$", said.relation)
    return not (_AGENT.match(said.relation) or _LIFE.search(said.relation) or founds)


def _told(line: Line, start: int, end: int) -> Predicate | None:
    """The predicate that the rest of a clause is as a whole."""
    lean = _LEANING.match(line.simple, start, end)
    if lean and lean.end() in line.edges:
        start = lean.end()
    if not line.whole(start, end):
        return None
    while line.simple[end - 1] == "了" and end - 1 in line.edges:
        end -= 1
    text = line.simple[start:end]
    if not _SHORTEST <= len(text) <= _LONGEST or _STILL.match(text) or _UNTOLD.search(text) or not balanced(text):
        return None
    if runs_on(line, start, end) or re.search("本[赛届季片剧书次]", text):
        return None
    if DEICTIC.search(text) or UNRULY.search(text) or _TORN_TAIL.search(text) or _SPECIAL_YEAR.search(text):
        return None
    tokens = line.span(start, end)
    if tokens[0].tag not in (*_VERBS, "p", "d", "ad") and tokens[0].text not in _MOVING | _ONCE:
        return None
    if tokens[0].tag in _VERBS and len(tokens[0].text) == 1 and tokens[0].text not in _MOVING | set(_SINGLES):
        return None
    if any(t.text == "的" and _goes_on(tokens[i + 1 :]) for i, t in enumerate(tokens)):
        return None
    verbs = [i for i, t in enumerate(tokens) if t.tag in _VERBS and t.text not in _MOVING and t.text not in ASPECT]
    if (
        not verbs
        or any(reports(tokens[i].text) for i in verbs[:1])
        or any(t.tag in ("r", "w") and t.text in "，,;；" for t in tokens)
    ):
        return None
    return _parted(line, tokens, verbs) or _whole(line, tokens, verbs)


def _goes_on(rest: tuple[Token, ...]) -> bool:
    """Whether a predicate follows the noun behind 的: 设在大厅的法庭|将囚犯送上…."""
    nouns = next(
        (i for i, t in enumerate(rest) if t.tag not in ("n", "nz", "nw", "vn", "LOC", "ORG", "PER", "a")), len(rest)
    )
    return 0 < nouns < len(rest) and (
        rest[nouns].text in ("将", "把", "被", "在", "于", "由") or rest[nouns].tag in ("d", "ad")
    )


def _parted(line: Line, tokens: tuple[Token, ...], verbs: list[int]) -> Predicate | None:
    """Verb and object, parted behind the first verb that a noun phrase follows up to the end."""
    start, end = tokens[0].start, tokens[-1].end
    office = _OFFICE.match(line.simple, start, end)
    if office and office.end() in line.edges and office.end() < end and tokens[-1].tag in ("n", "nz", "ORG"):
        a = office.end()
        return Predicate("passive", office.group(), (a, end), ((start, a), (a, end)), sure=0.78)
    for i in verbs:
        after = i + complements(tokens[i:])
        if (
            after >= len(tokens)
            or tokens[i].tag == "vn"
            or tokens[i].text in _BEGINS
            or (i != verbs[0] and not _SERIAL.match(tokens[i].text))
        ):
            continue
        a = tokens[after].start
        relation = _bare(line, start, a)
        if len(relation) > _LONGEST_RELATION or (len(relation) < 2 and relation not in "任获著攻娶嫁赴建写"):
            continue
        if any(t.text in _INNER for t in tokens[after:]) or tokens[after].text in ("成功", "完成"):
            return None
        if thing(line, a, end) and not relation.endswith(("的", "是", "有", "为")):
            return Predicate("passive", relation, (a, end), ((start, a), (a, end)), sure=0.78)
    return _loosely(line, tokens, verbs[0]) if not any(_SERIAL.match(tokens[i].text) for i in verbs[1:]) else None


def _loosely(line: Line, tokens: tuple[Token, ...], verb: int) -> Predicate | None:
    """Verb and object, where the object holds what may be a verb but is one run of nouns otherwise."""
    after = verb + complements(tokens[verb:])
    rest = tokens[after:]
    if rest and rest[0].text in ("成功", "完成"):
        return None
    if not rest or tokens[verb].tag == "vn" or tokens[verb].text in _BEGINS or len(rest) > 7:
        return None
    if rest[-1].tag not in (*NAMES, "n") and not nounlike(rest[-1].text):
        return None
    if rest[0].tag in ("p", "d", "c", "r", "u", "w") or rest[0].text[0] in "了着过到至":
        return None
    if any(t.tag in ("p", "d", "r") or (t.tag in "cuw" and t.text not in _WITHIN) for t in rest[1:]):
        return None
    start, a, end = tokens[0].start, rest[0].start, rest[-1].end
    relation = _bare(line, start, a)
    if not 2 <= len(relation) <= _LONGEST_RELATION:
        return None
    return Predicate("passive", relation, (a, end), ((start, a), (a, end)), sure=0.72)


def _whole(line: Line, tokens: tuple[Token, ...], verbs: list[int]) -> Predicate | None:
    """A predicate that ends in its verb, 到日本求援, or whose end is no noun phrase."""
    start, end = tokens[0].start, tokens[-1].end
    relation = _bare(line, start, end)
    final = tokens[verbs[-1]]
    if final.end != end or len(relation) > _LONGEST_RELATION or len(final.text) < 2:
        return None
    moved = any(t.text in _MOVING for t in tokens[: verbs[-1]])
    begun = len(verbs) > 1 and tokens[verbs[-2]].text in ("开始", "停止") and tokens[verbs[-2]].end == final.start
    timed = begun or completes(final.text, (Part("time", start, end),))
    if not (moved or timed) or final.tag == "vd":
        return None
    return Predicate("passive", relation, None, ((start, end),), sure=0.76 if timed else 0.72)


def _bare(line: Line, start: int, end: int) -> str:
    return "".join(t.text for t in line.span(start, end) if t.text not in ("了", "着")).strip()
