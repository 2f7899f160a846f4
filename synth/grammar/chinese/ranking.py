"""Ranking of candidates."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from synth.grammar.chinese.candidates import Candidate
from synth.grammar.chinese.lexicon import DEICTIC, UNRULY
from synth.grammar.chinese.lines import balanced
from synth.grammar.chinese.statutes import LONGEST
from synth.grammar.chinese.suspect_questions import suspicious
from synth.text.normalise import fold_width, normalise, to_simplified

_BAD_ANSWER = re.compile(
    r"等$|等等|等(?=[^待级于候等]{0,8}$)|^[的了和与及或、,]|^[也亦](?!门)|[的和与及或、,]$|例如|比如|以下|如下|上述|[:：]$|^(?:它|其|这|那|此|该|本)|[他她它]们?$"
)
_WEAK_START = re.compile(r"^(?:了|的|和|与|及(?!时)|等|过|有的|之)")
_INTO = re.compile("(?<![称稱视視誉譽评評列名认認作因])[为為](什[么麼]？)$")
_EXAMPLE = re.compile(r"例如|比如|譬如|假设|示例|例子|假如|想象一下|上例|本例|此例|举例|剧透|教程|章节")
_RELATIVE_LEAD = re.compile(
    r"^(?:当时|那时|此时|同年|次年|翌年|目前|现在|如今|今天|后来|此后|随后|之后|此前|同时|这时|同样|在此|在这|在该|其中|而后|不久|最近|"
    r"当年|当天|当日|同日|同月|最后|接着|然后|另外|另一方面)"
)
_WEASEL = re.compile(r"可能|也许|或许|大概|似乎|据说|传说|有人认为|被认为")
_LISTED = frozenset(("distributed", "known_for"))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate and its final worth."""

    candidate: Candidate
    worth: float


def judge(candidate: Candidate, *, spaced: bool) -> Ranked | None:
    """The candidate with its worth, or None when it can be no question of a set.

    `spaced` says that the document sets a space between Chinese and Latin words.
    """
    candidate = replace(candidate, question=_INTO.sub(r"成\1", candidate.question))
    question = to_simplified(fold_width(candidate.question))
    answer = to_simplified(fold_width(candidate.answer))
    if (
        candidate.level < 3
        or not _asks_alone(question)
        or not _answers(answer, question, LONGEST if candidate.pattern == "statute" else 60)
    ):
        return None
    sentence = candidate.line.simple
    if _EXAMPLE.search(sentence) or _RELATIVE_LEAD.match(sentence) or suspicious(candidate, question, answer):
        return None
    listed = "、" in answer and candidate.pattern not in _LISTED
    signs = (len(question) > 32, len(question) > 40, len(answer) > 30, len(candidate.line.raw) > 110)
    doubts = sum((*signs, bool(_WEASEL.search(sentence)), question.count("的") > 3, listed))
    worth = candidate.worth + 0.03 * (candidate.level == 4) - 0.05 * doubts
    candidate = replace(candidate, question=SEAM.sub(" ", candidate.question) if spaced else candidate.question)
    return Ranked(candidate, round(max(0.05, min(0.97, worth)), 3))


def _asks_alone(question: str) -> bool:
    body = question[:-1]
    if not 6 <= len(question) <= 60 or DEICTIC.search(body) or UNRULY.search(body.replace("<", "").replace(">", "")):
        return False
    if _WEAK_START.match(question) or not balanced(question) or "我" in question or "你" in question:
        return False
    return not re.search(r"[:。;]|,.*,.*,|、什么|的什么|什么什么", body)


def _answers(answer: str, question: str, longest: int) -> bool:
    if not 1 <= len(answer) <= longest or _BAD_ANSWER.search(answer) or not balanced(answer) or DEICTIC.search(answer):
        return False
    if re.search(r"[(（\[](?!\))", answer) and len(answer) > 40:
        return False
    bare = normalise(answer)
    return bool(bare) and bare not in normalise(question)


def sets_spaces(text: str) -> bool:
    """True if a text sets a space between Chinese and Latin words more often than not."""
    return len(_GAP.findall(text)) > len(SEAM.findall(text))


_GAP = re.compile(r"[A-Za-z)] [\u4e00-\u9fff]|[\u4e00-\u9fff] [A-Za-z]")
SEAM = re.compile(r"(?<=[A-Za-z0-9_)\"])(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?=[A-Za-z])")
