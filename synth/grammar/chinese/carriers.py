"""Whom a clause is about that names nobody itself, or names somebody in a way only half sure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synth.grammar.chinese.bearers import Bearer, clean, mixed, vague
from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.clauses import level, make_subject, noun_phrase_end
from synth.grammar.chinese.constructions import ALIAS, MEASURED
from synth.grammar.chinese.lexicon import CLOSING, NAMES
from synth.grammar.chinese.lines import Line, Token
from synth.grammar.chinese.names import agreed, proper
from synth.grammar.chinese.page import Told
from synth.grammar.chinese.terms import term
from synth.grammar.chinese.times import time_at
from synth.grammar.reading import Reading
from synth.records import Term

_JOINT = re.compile(
    r"(?:但是|但|然而|不过|而且|而|并且|并(?!不|非|未|没)|且|因此|所以|因而|于是|此外|另外|同时|最终|最后|随后|后来|后(?=[任于在改升转])|之后|其后|此后|首先|然后)(?!不|是)"
)
_ONCE = re.compile(r"(?P<Y>同年|次年|翌年)?(?P<M>\d{1,2}月(?:\d{1,2}[日号]|[初底末]|[上中下]旬)?)?(?=[\u4e00-\u9fff])")
_HE = re.compile(
    "(?P<P>[他她它])(?!们|的|[·人])|(?P<W>该|此|这[一座家所部条种个支本款项间届栋幢]?)(?P<N>[\u4e00-\u9fff]{1,4})"
)
_ADVICE = re.compile(
    "(?:那么)?(?:则|就|便|也|还)?(?:请)?(?P<V>可以?|也可以?|必须|需要?|应该?|应当|只需|务必)(?![见能])"
)
_READER = re.compile("(?:你|您)(?![们的])")
DESCRIBED = 0.62
"""How sure a subject is that is only described."""

_MEASURES = re.compile("(?:含量|效率|数量|比例|名称|名字|内容|价格|产量|长度|建议|行为|作品|顺序)$")
_TURNS = re.compile(
    r"(?:有|设|包括|包含|分为|推出|任命|命名|委托|派|聘|雇|要求|邀请|使|让|令|请|命|由|称|导致|属于|交给|送给|传给|嫁|娶|生|与|和|击败|杀|立)"
)
_UNSURE_HEAD = re.compile(
    r"(?:[和与及或、]|等|们|时|后|前|中|上|内|下|之间)$|^(?:由|被|在|以|从|于|对|将|把|第)|[,=]|\d年|[早傍夜]晚$|[春夏秋冬]|(?:[率量值数度]|时任)$|^(?:现任|前任|时任|原任|首任|注意)"
)
_NO_VERB = frozenset(("等", "的", "之", "、", "和", "与", "及", "》", "”", "·", "时", "后", "前", "中", "间"))


@dataclass(frozen=True, slots=True)
class Held:
    """One who may be spoken of further: how the name reads, and how well it is known."""

    term: Term
    simple: str
    index: int
    topic: bool
    person: bool
    sure: float


class Carrier:
    """Remembers whom the clauses and sentences of a document have spoken of last."""

    def __init__(self, reading: Reading, texts: Sequence[str]) -> None:
        self.reading = reading
        self.texts = texts
        self._last: Held | None = None
        self._topic: Held | None = None
        self._here: Held | None = None
        self._strangers = False
        self._year = ""
        self._before = (0, 0)
        self._names: set[str] = set()
        self._reads = any(re.search("[你您]", text) for text in texts)

    def open(self, told: Told) -> None:
        """A new sentence begins."""
        kept = self._here or self._last or self._topic
        if kept is not None and not kept.topic and len(self._names) > 1:
            kept = self._topic
        first = self.reading.sentences[told.line.index].first
        self._last = kept if kept is not None and (kept.topic or not first) else self._topic
        self._here, self._strangers, self._year, self._before = None, False, "", (0, 0)
        self._names = set()

    def took(self, told: Told, found: Bearer) -> None:
        """The clause is about `found`, and what it says is understood."""
        if found.term is None and found.sure >= 0.69 and found.text not in ("你", "您"):
            self._hold(told, found, found.sure)

    def passed(self, told: Told, found: Bearer) -> None:
        """The clause is about `found`, but what it says is not understood."""
        line = told.line
        known = found.sure >= 0.9 and not found.lines and "的" not in found.text
        if (
            found.term is None
            and known
            and re.match("[是为有由在于被将曾与因从自对以原]|\\d", line.simple[found.stop :])
        ):
            self._hold(told, found, 0.7)
        elif found.text not in ("你", "您"):
            self.lost()

    def past(self, begin: int, end: int, times: Sequence[str]) -> None:
        """The clause is read; `times` are its times."""
        self._before = (begin, end)
        years = [m.group() for text in times if (m := re.search(r"(?:公元前?)?\d{3,4}年", text))]
        self._year = years[-1] if len(years) == 1 else "" if years else self._year

    @property
    def strangers(self) -> bool:
        """Whether an earlier clause of the sentence was about somebody else who was not understood."""
        return self._strangers

    def lost(self) -> None:
        """The clause speaks of somebody else who is not understood."""
        self._here, self._strangers = None, True

    def find(self, told: Told, begin: int, end: int, *, conditional: bool) -> Bearer | None:
        """Whom the clause is about, read gently; None where that stays unclear."""
        line = told.line
        parts, start = self.timed(line, begin, end)
        if start not in line.edges or start >= end:
            return None
        reader = _READER.match(line.simple, start, end)
        if reader is not None:
            return (
                Bearer(reader.group(), start, reader.end(), reader.end(), parts, (), "", 0.72)
                if reader.end() in line.edges
                else None
            )
        said = _HE.match(line.simple, start, end)
        if said is not None:
            return self._meant(told, said, start, parts)
        if not (ALIAS.match(line.simple, start, end) or MEASURED.match(line.simple[start:end])):
            found = self._own(told, start, end, parts)
            if found is not None or self._strangers_begin(line, start, end):
                return found
        return self._carried(told, start, end, parts, conditional=conditional)

    def timed(self, line: Line, begin: int, end: int) -> tuple[tuple[Part, ...], int]:
        """The time at the head of a clause, behind 但 and the like, and where the rest of it begins."""
        return self._time(line, self._joined(line, begin, end), end)

    def _joined(self, line: Line, begin: int, end: int) -> int:
        for _ in range(2):
            joint = _JOINT.match(line.simple, begin, end)
            if joint is None or joint.end() not in line.edges or joint.end() >= end:
                break
            begin = joint.end()
        return begin

    def _time(self, line: Line, begin: int, end: int) -> tuple[tuple[Part, ...], int]:
        """The time at the head of a clause; 同年 and a month alone are of the year named before."""
        lead = time_at(line, begin, end)
        if lead is not None:
            return (Part("time", lead.start, lead.end, lead.stop),), lead.stop
        once = _ONCE.match(line.simple, begin, end)
        if once is None or once.end() == begin or once.end() not in line.edges or not self._year:
            return (), begin
        number = re.search(r"\d+", self._year)
        if number is None or self._year.startswith("公元前"):
            return (), end
        year = int(number.group()) + (once.group("Y") in ("次年", "翌年"))
        return (Part("time", begin, once.end(), once.end(), f"{year}年{once.group('M') or ''}"),), once.end()

    def _meant(self, told: Told, said: re.Match[str], start: int, parts: tuple[Part, ...]) -> Bearer | None:
        line = told.line
        held = self._here or (self._last if not self._strangers else None)
        if held is None:
            return None
        stop = said.end()
        if said.group("N"):
            stop = said.start("N") + self._named_again(held, said.group("N"))
            fits = stop > said.start("N")
        elif said.group("P") in "他她":
            fits = held.person and (held.topic or held.index == line.index or not self._others(held))
        else:
            fits = not held.person and (held.topic or held.index != line.index)
        if not fits or stop not in line.edges:
            return None
        sentence = self.reading.sentences[line.index]
        words = replace(
            term(sentence, line, start, stop, kind=held.term.kind, text=held.term.text), head=held.term.head
        )
        sure = 0.74 if held.topic else 0.7
        lines = () if held.index == line.index else (held.index,)
        found = Bearer(held.term.text, start, stop, stop, parts, lines, words.kind, min(sure, held.sure), words)
        self._here = held
        return found

    def _named_again(self, held: Held, words: str) -> int:
        """How many characters of 公司成立 name the kind that `held` is said to be by its own name."""
        for size in range(min(4, len(words)), 0, -1):
            noun = words[:size]
            if held.simple.endswith(noun) and (size > 1 or noun in "市县镇村岛湖山河桥寺校馆院站国州区线塔"):
                return size
            if held.simple.startswith("《") and noun in (
                "书",
                "片",
                "剧",
                "专辑",
                "歌曲",
                "影片",
                "小说",
                "作品",
                "节目",
                "电影",
            ):
                return size
        return 0

    def _others(self, held: Held) -> bool:
        """Whether the sentence that speaks of `held` names another person."""
        words = self.reading.chinese[held.index]
        return any(w.tag == "PER" and w.simple not in held.simple and held.simple not in w.simple for w in words)

    def _own(self, told: Told, start: int, end: int, parts: tuple[Part, ...]) -> Bearer | None:
        line = told.line
        stop = noun_phrase_end(line, start, end)
        if stop <= start or stop >= end:
            return None
        tokens = line.span(start, stop)
        subject = make_subject(line, start, stop)
        if subject is None or not clean(subject) or _UNSURE_HEAD.search(subject.simple) or not _says(line, stop, end):
            return None
        final = tokens[-1]
        if mixed(line, start, stop):
            return None
        if self._reads and _described(line, subject.simple, tokens, stop):
            return Bearer(subject.text, start, stop, stop, parts, (), None, DESCRIBED)
        lone = len(tokens) == 1 and final.tag == "code" and len(final.text) > 1
        ends = final.tag in NAMES or final.text in CLOSING or final.tag in ("n", "vn")
        if not ends or (not lone and level(tokens) < 3):
            return None
        if (len(tokens) > 1 and any(t.tag == "v" for t in tokens)) or (final.tag == "vn"):
            return None
        kind = "person" if final.tag == "PER" and subject.person else None
        return Bearer(subject.text, start, stop, stop, parts, (), kind, 0.76 if proper(final) or lone else 0.7)

    def _strangers_begin(self, line: Line, start: int, end: int) -> bool:
        """Whether the clause begins with a noun phrase, so that it is about something of its own."""
        stop = noun_phrase_end(line, start, end)
        if stop <= start:
            return False
        if stop < end:
            self.lost()
        return True

    def _carried(
        self, told: Told, start: int, end: int, parts: tuple[Part, ...], *, conditional: bool
    ) -> Bearer | None:
        line = told.line
        first = line.span(start, end)[:1]
        verbal = bool(first) and (
            first[0].tag in ("v", "d", "vd", "ad", "p") or first[0].text in ("是", "有", "为", "由", "被")
        )
        if not (verbal or ALIAS.match(line.simple, start, end) or MEASURED.match(line.simple[start:end])):
            self.lost()
            return None
        held, sure = self._here, 0.76
        if held is None and conditional and self._reads and told.about is None:
            return self._advised(told, start, end, parts)
        if held is None:
            dated = bool(parts) and self._last is not None and self._last.person
            opens = (self._before == (0, 0) or dated) and not self._strangers
            held = self._last if opens and self._last is not None and self._last.topic else None
            sure = 0.7
        elif _TURNS.search(line.simple, *self._before) and not parts:
            return None
        if held is None:
            return None
        lines = () if held.index == line.index else (held.index,)
        self._here = held
        return Bearer(
            held.term.text, start, start + 1, start, parts, lines, held.term.kind, min(sure, held.sure), held.term
        )

    def _advised(self, told: Told, start: int, end: int, parts: tuple[Part, ...]) -> Bearer | None:
        """The reader, to whom 可以使用… is said without 你; placed where the advice begins."""
        line = told.line
        match = _ADVICE.match(line.simple, start, end)
        if match is None or match.start("V") not in line.edges:
            return None
        sentence = self.reading.sentences[line.index]
        stop = match.start("V")
        first = next(t for t in line.tokens if t.start == stop)
        words = replace(term(sentence, line, first.start, first.end, kind="", text="你"), head="你")
        return Bearer("你", stop, stop + 1, stop, parts, (), "", 0.68, words)

    def _hold(self, told: Told, found: Bearer, sure: float) -> None:
        line = told.line
        sentence = self.reading.sentences[line.index]
        words = term(sentence, line, found.start, found.end, text=found.text, kind=found.kind)
        about = told.about
        topic = about is not None and about.text == found.text
        simple = line.simple[found.start : found.end]
        person = words.kind == "person" or (topic and about is not None and about.person)
        final = line.span(found.start, found.end)[-1:] if line.whole(found.start, found.end) else ()
        torn = bool(final) and final[0].tag == "PER" and "·" not in simple and not agreed(line, found.end)
        if torn or _MEASURES.search(simple):
            self.lost()
            return
        self._names.add(found.text)
        self._here = Held(words, about.simple if topic and about else simple, line.index, topic, person, sure)
        if topic:
            self._topic = self._here

    def introduce(self, told: Told, begin: int, end: int) -> bool:
        """Whether a clause is a name alone, 玉山箭竹，又名…, of which the next clauses speak."""
        line = told.line
        if (
            told.about is None
            or begin != 0
            or not line.whole(begin, end)
            or told.about.simple != line.simple[begin:end]
        ):
            return False
        found = Bearer(told.about.text, begin, end, end, (), (), "person" if told.about.person else None, 0.9)
        self._hold(told, found, 0.9)
        return True


def _described(line: Line, simple: str, tokens: tuple[Token, ...], stop: int) -> bool:
    """Whether a noun phrase without a name, 路径操作函数, may still stand for one kind of thing."""
    if level(tokens) == 3 or len(simple) < 4 or "的" in simple or vague(simple) or not agreed(line, stop):
        return False
    whole = all(t.tag in ("n", "vn", "nz", "LOC", "code", "nw", "a") for t in tokens)
    return whole and tokens[-1].tag in ("n", "nz") and tokens[-1].text not in ("时间", "原因", "结果", "问题")


def _says(line: Line, stop: int, end: int) -> bool:
    """Whether what begins at `stop` is the head of a predicate."""
    token: Token | None = next((t for t in line.tokens if t.start == stop), None)
    if token is None or token.text in _NO_VERB:
        return False
    if token.tag in ("v", "d", "p", "vd", "ad") or token.text[0] in "是有为由被":
        single = len(token.text) == 1 and token.tag == "v"
        return not single or token.text in "是有为由被任获在于位属含"
    return time_at(line, stop, end) is not None
