"""Facts in words, from which questions are put together: statement, predicate, and what stands before 的."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from synth.grammar.chinese.lexicon import DEICTIC, UNRULY
from synth.grammar.chinese.lines import Line, balanced
from synth.grammar.chinese.predicates import Predicate
from synth.grammar.chinese.script import template
from synth.grammar.chinese.terms import kind_of
from synth.text.normalise import fold_width, to_simplified

_SEAM = re.compile(r"(?<=[A-Za-z0-9_)\"`])(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?=[A-Za-z])")
_LEANING = frozenset("也 亦 又 还 都 均 皆 已 已经 就 则 便 才 仍 仍然 依然 依旧 再 再次".split())
_ROLE = re.compile(
    r"(?:兄弟类|子类|父类|之一|部分|干爹|主角|音译|初阵|版本|终点|起点|继室|继任|毕业生|得主|冠军|作者|创始人|创办人|首都|"
    r"首府|省会|父亲|母亲|儿子|女儿|妻子|丈夫|弟弟|哥哥|缩写|简称|前身|别名|成员|代表|原因|结果|"
    r"子类|别称|部|者|象征|标志|核心|基础|问题|情况|名字|名称|方式|意思|地方|事情|东西|其中|所在地|故乡|"
    r"来源|起源|目的|目标|任务|组成)$"
)
_KIND_LEAD = re.compile(r"^(?:一|1)(?:[种个座位名家部条所支项款套类幅本颗处间首片场系列门只头件份张架艘台层枚]|系列)")


@dataclass(frozen=True, slots=True)
class Renderer:
    """Writes the wording of facts in the script of `language`.

    `spaced` says that the document sets a space between Chinese and Latin words.
    """

    spaced: bool
    language: str

    def wording(self, line: Line, subject: str, said: Predicate) -> Mapping[str, str]:
        """The renderings by role; a role that cannot be rendered surely is left out."""
        whole = template(said.words, self.language) if said.words else self.text(line, said.pieces)
        made: dict[str, str] = {}
        if not _fit(whole):
            return MappingProxyType(made)
        made["statement"] = self.join(subject, whole)
        made["predicate"] = whole
        gap = whole if said.words else self.subject_gap(line, said)
        if gap:
            made["subject_gap"] = gap
        rest = self.object_gap(line, subject, said)
        if rest:
            made["object_gap"] = rest
        kind = self.kind(line, said)
        if kind:
            made["type"] = kind
        return MappingProxyType(made)

    def text(self, line: Line, pieces: tuple[tuple[int, int], ...], *, gap: bool = False) -> str:
        """The pieces as one text; with `gap` without 了 and words that lean on what was said before."""
        made = ""
        joined = [pieces[0]] if pieces else []
        for a, b in pieces[1:]:
            if joined[-1][1] == a:
                joined[-1] = (joined[-1][0], b)
            else:
                joined.append((a, b))
        for a, b in joined:
            made = self.join(made, self._without(line, a, b, gap=gap))
        return made

    def _without(self, line: Line, a: int, b: int, *, gap: bool) -> str:
        if not gap or not line.whole(a, b):
            return line.written(a, b)
        made, start, depth = "", a, 0
        for token in line.span(a, b):
            depth += sum(c in "《“「『" for c in token.text) - sum(c in "》”」』" for c in token.text)
            if not depth and token.text in ("了", "着") and token.start > a:
                made = self.join(made, line.written(start, token.start))
                start = token.end
        return self.join(made, line.written(start, b)) if start < b else made

    def join(self, left: str, right: str) -> str:
        """Two texts one after the other, spaced as the document does it."""
        if not left or not right:
            return left or right
        if left[-1].isascii() and right[0].isascii() and left[-1].isalnum() and right[0].isalnum():
            return f"{left} {right}"
        seam = self.spaced and _SEAM.search(left[-1] + right[0])
        return f"{left} {right}" if seam else left + right

    def subject_gap(self, line: Line, said: Predicate) -> str:
        """设立北方灯塔委员会, to stand before 的机构."""
        if said.form == "copula":
            return ""
        text = self.text(line, said.pieces, gap=True)
        if said.form == "quality" and not said.negated:
            simple = to_simplified(text)
            return text[1:-1] if simple.startswith("是") and simple.endswith("的") else ""
        simple = to_simplified(text)
        if said.form == "agent" and simple.startswith(("是由", "是基于")):
            text = text[1:].removesuffix("的")
            simple = to_simplified(text)
        text = text.strip()
        if len(text) < 2 or simple.endswith(("的", "了")):
            return ""
        return text

    def object_gap(self, line: Line, subject: str, said: Predicate) -> str:
        """国会设立, to stand before 的机构."""
        if any(part.kind == "quantity" for part in said.parts):
            return ""
        if said.form != "verb" or said.object is None or said.pieces[-1] != said.object or len(said.pieces) < 2:
            return ""
        verb = self.text(line, said.pieces[:-1], gap=True)
        simple = to_simplified(verb)
        if re.search(
            r"(?:于|在|自|为|成|至|到|入|向|往|给|带有|有着|作为|包括|包含|属|用于|用来|负责|旨在|达|经|占|距|具|"
            r"含有|拥有|具有|设有|需要|支持|允许)$",
            simple,
        ):
            return ""
        if re.search("将|把", simple) or len(subject) > 16 or re.search("的.*的", subject):
            return ""
        return self.join(subject, verb)

    def kind(self, line: Line, said: Predicate) -> str:
        """灯塔 of 是一座灯塔, where a thing is said to be of a kind."""
        if said.form != "copula" or said.object is None or said.negated or said.modal or said.relation != "是":
            return ""
        a, b = said.object
        simple = line.simple[a:b]
        lead = _KIND_LEAD.match(simple)
        named = re.search(r"[《“「]", simple)
        if named or re.search(r"[、,]|以及|[和与或及].{0,9}$", simple) or said.parts:
            return ""
        start = a + (lead.end() if lead else 0)
        cut = line.simple.rfind("的", start, b)
        if cut >= 0 and not lead and kind_of(line, start, cut) == "person":
            return ""
        start = cut + 1 if cut >= 0 else start
        counted = _KIND_LEAD.match(line.simple[start:b])
        start += counted.end() if counted and cut >= 0 else 0
        praise = re.match("著名|知名|重要|主要|普通|典型|常见", line.simple[start:b])
        start += praise.end() if praise and start + praise.end() in line.edges else 0
        text = line.simple[start:b]
        if (
            start not in line.edges
            or not 2 <= len(text) <= 14
            or _ROLE.search(text)
            or not re.search("[\u4e00-\u9fff]", text)
        ):
            return ""
        tokens = line.span(start, b)
        if not lead and (
            (len(tokens) == 1 and tokens[0].tag in ("PER", "LOC", "ORG", "nz"))
            or tokens[-1].tag in ("PER", "LOC", "TIME", "m", "q")
        ):
            return ""
        return (
            ""
            if re.match(
                r".*(?:第[一二三四五]|最|首[个座位次]|唯一|之|前(?![锋卫])|原|[曾现]任)|[\d一二三四五六七八九十两]",
                text,
            )
            or tokens[0].tag in ("m", "q", "r", "d")
            else line.written(start, b)
        )


def _fit(text: str) -> bool:
    simple = re.sub("[你您]的", "", to_simplified(fold_width(text)))
    return (
        bool(text) and len(text) <= 60 and balanced(simple) and not DEICTIC.search(simple) and not UNRULY.search(simple)
    )
