"""Chinese constructions that ask the same: "X位于哪里" and "X坐落在什么地方"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

GAP = "…"
_GAPS = re.compile(f"{GAP}+")
_CARRIED = ("s", "v", "o", "l")
AGENTS = {
    "设计": "设计者", "创造": "创造者", "创建": "创建者", "创立": "创立者", "创办": "创办人", "发明": "发明者",
    "发现": "发现者", "撰写": "作者", "写成": "作者", "写": "作者", "创作": "作者", "编写": "编写者", "开发": "开发者",
    "建造": "建造者", "修建": "修建者", "提出": "提出者", "制作": "制作者", "翻译": "译者", "命名": "命名者",
    "维护": "维护者", "领导": "领导者", "演唱": "演唱者", "推动": "推动者", "管理": "管理者", "绘制": "绘制者",
    "出版": "出版者", "制定": "制定者", "发起": "发起人", "主办": "主办方", "资助": "资助者",
}  # fmt: skip
"""Verbs and the word for the one who does them."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A construction and others that ask the same.

    `said` is matched with a whole question without its mark; the groups go over into `made`, where {who} is the word
    for the one who does the verb of group `agent`. `subject` must end the group s, `answer` stand in the golden
    answer; `not_subject` must not stand in s.
    """

    said: re.Pattern[str]
    made: tuple[str, ...]
    subject: re.Pattern[str] | None = None
    not_subject: re.Pattern[str] | None = None
    answer: re.Pattern[str] | None = None

    def others(self, body: str, answer: str) -> Iterator[tuple[str, str, str]]:
        """Each other way to put `body`, whose answer is `answer`, with what was said and what is said now."""
        found = self.said.fullmatch(body)
        if not found or (self.answer and not self.answer.search(answer)):
            return
        parts = {name: part.strip() for name, part in found.groupdict(default="").items()}
        subject = parts.get("s", "")
        if (self.subject and not self.subject.search(subject)) or (
            self.not_subject and self.not_subject.search(subject)
        ):
            return
        parts["who"] = AGENTS.get(parts.get("agent", ""), "")
        gaps = {name: GAP if part and name in _CARRIED else part for name, part in parts.items()}
        for made in self.made:
            yield made.format(**parts), _shown(found), _GAPS.sub(GAP, made.format(**gaps))


def _shown(found: re.Match[str]) -> str:
    """What was matched, with a gap for each group that goes over as it is."""
    spans = sorted(found.span(name) for name in _CARRIED if found.groupdict().get(name))
    text, shown, at = found.string, "", 0
    for start, end in spans:
        shown += text[at:start] + GAP
        at = end
    return _GAPS.sub(GAP, shown + text[at:])


def frame(said: str, *made: str, subject: str = "", not_subject: str = "", answer: str = "") -> Frame:
    """A frame from patterns as text; `subject` is that of the end of s."""
    return Frame(
        said=re.compile(said),
        made=made,
        subject=re.compile(f"{subject}$") if subject else None,
        not_subject=re.compile(not_subject) if not_subject else None,
        answer=re.compile(answer) if answer else None,
    )
