"""Which candidates are good questions, and how good."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from synth.grammar.chinese.candidates import Candidate
from synth.grammar.chinese.lexicon import DEICTIC, UNRULY
from synth.grammar.chinese.lines import balanced
from synth.grammar.chinese.suspicion import suspicious
from synth.text.normalise import fold_width, normalise, to_simplified

_BAD_ANSWER = re.compile(
    r"等$|等等|等(?=[^待级于候等]{0,8}$)|^[的了和与及或、,]|[的和与及或、,]$|例如|比如|以下|如下|上述|[:：]$|^(?:它|其|这|那|此|该|本)|[他她它]们?$"
)
_WEAK_START = re.compile(r"^(?:了|的|和|与|及(?!时)|等|过|有的|之)")
_GENERAL = frozenset(
    (
        *("how_to", "by_means", "wanted", "behaviour", "purpose", "definition", "made_of", "reason", "instrument"),
        *("praised", "occurs", "takes_in", "done_at", "means", "share", "uses_as", "feeds", "family", "known_for"),
    )
)
_INTO = re.compile("(?<![称稱视視誉譽评評列名认認作因])[为為](什[么麼]？)$")
_EXAMPLE = re.compile(r"例如|比如|譬如|假设|示例|例子|假如|想象一下|上例|本例|此例|举例|剧透|教程|章节")
_RELATIVE_LEAD = re.compile(
    r"^(?:当时|那时|此时|同年|次年|翌年|目前|现在|如今|今天|后来|此后|随后|之后|此前|同时|这时|同样|在此|在这|在该|其中|而后|不久|最近|"
    r"当年|当天|当日|同日|同月|最后|接着|然后|另外|另一方面)"
)
_STATES = frozenset(("superlative", "role", "located", "attribute"))
_NOW = re.compile("目前|现在|如今|今天")
_WEASEL = re.compile(r"可能|也许|或许|大概|似乎|据说|传说|有人认为|被认为")


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate and its final worth."""

    candidate: Candidate
    worth: float


def judge(found: Candidate, often: Callable[[str], int], *, spaced: bool) -> Ranked | None:
    """The candidate with its worth, or None when it can be no question of a set.

    `often` counts the sentences of the document that speak of a name; `spaced` says that the
    document sets a space between Chinese and Latin words.
    """
    if found.pattern != "reason":
        found = replace(found, question=_INTO.sub(r"成\1", found.question))
    question = to_simplified(fold_width(found.question))
    answer = to_simplified(fold_width(found.answer))
    if not _asks_alone(question) or not _answers(answer, question):
        return None
    worth = found.worth + _features(found, question, answer) - suspicious(found, question, answer)
    if worth <= 0:
        return None
    rest = _residue(found, question)
    if rest is not None and len(rest) <= 2 and found.pattern not in ("definition", "purpose", "means", "takes_in"):
        worth -= 0.2
    if rest is not None and found.pattern == "behaviour" and len(rest) <= 8 and not _LATIN.search(rest):
        worth -= 0.12
    told = found.pattern == "definition" and len(answer) >= 10 and answer.startswith("一")
    if rest is not None and not told and often(found.subject) > 3:
        worth -= 0.25 if len(rest) <= 4 else 0.1 if len(rest) <= 12 and not _LATIN.search(rest) else 0.0
    found = replace(found, question=_spaced(found.question) if spaced else found.question)
    return Ranked(found, round(max(0.05, min(0.97, worth)), 3))


def _asks_alone(question: str) -> bool:
    body = question[:-1]
    if not 6 <= len(question) <= 60 or DEICTIC.search(body) or UNRULY.search(body.replace("<", "").replace(">", "")):
        return False
    if _WEAK_START.match(question) or not balanced(question) or "我" in question or "你" in question:
        return False
    return not re.search(r"[:。;]|,.*,.*,|、什么|的什么|什么什么", body)


def _answers(answer: str, question: str) -> bool:
    if not 1 <= len(answer) <= 60 or _BAD_ANSWER.search(answer) or not balanced(answer) or DEICTIC.search(answer):
        return False
    if re.search(r"[(（\[]", answer) and len(answer) > 40:
        return False
    bare = normalise(answer)
    return bool(bare) and bare not in normalise(question)


def sets_spaces(text: str) -> bool:
    """Whether a text sets a space between Chinese and Latin words more often than not."""
    return len(_GAP.findall(text)) > len(_SEAM.findall(text))


def _spaced(question: str) -> str:
    return _SEAM.sub(" ", question)


_GAP = re.compile(r"[A-Za-z)] [\u4e00-\u9fff]|[\u4e00-\u9fff] [A-Za-z]")
_SEAM = re.compile(r"(?<=[A-Za-z0-9_)\"])(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?=[A-Za-z])")


def _residue(found: Candidate, question: str) -> str | None:
    """What an open question asks beside its subject: X支持什么？ asks little, and may have many answers."""
    if found.pattern not in _OPEN or not found.subject:
        return None
    name = to_simplified(fold_width(found.subject))
    rest = question.replace(name.replace(" ", ""), "").replace(name, "")
    return re.sub(r"什么|用来做|[?？ 的会可以将]", "", rest)


_LATIN = re.compile("[A-Za-z]")
_OPEN = frozenset(["behaviour", "purpose", "means", "definition", "achieved", "takes_in", "instrument"])


def _features(found: Candidate, question: str, answer: str) -> float:
    """What the shape of question, answer and sentence adds to the worth of the construction."""
    change = 0.0
    if found.level <= 1:
        change -= 0.08 if found.pattern in _STATES and _NOW.match(found.line.simple) else 0.4
    elif found.level == 2:
        change -= 0.1 if found.pattern in _GENERAL else 0.36
    elif found.level == 4:
        change += 0.03
    size = len(question)
    if size > 40:
        change -= 0.08
    elif size > 32:
        change -= 0.04
    if size < 8:
        change -= 0.04
    if len(answer) > 30:
        change -= 0.05
    if len(found.line.raw) > 110:
        change -= 0.05
    if _EXAMPLE.search(found.line.simple):
        change -= 0.3
    if _RELATIVE_LEAD.match(found.line.simple):
        change -= 0.08 if found.pattern in _STATES and _NOW.match(found.line.simple) else 0.25
    if _WEASEL.search(found.line.simple):
        change -= 0.06
    if question.count("的") > 3:
        change -= 0.06
    if "、" in answer and found.pattern not in ("feeds", "made_of", "distributed", "known_for", "reason", "purpose"):
        change -= 0.06
    return change
