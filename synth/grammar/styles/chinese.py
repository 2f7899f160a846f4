"""Chinese questions as keywords, as small talk, and as a formal request, in either script."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from synth.text.normalise import to_simplified, to_traditional
from synth.text.style import size

_END = re.compile(r"[?？]+$")
_HAN = re.compile(r"[\u3400-\u9fff]")
_YEAR, _TIME = "(?:哪一?年|何年)", "(?:什么时候|何时|什么时间)"
_PLACE = "(?:哪里|哪儿|何处|什么地方)"
_DATED = re.compile(rf"^(?P<s>.+?)(?P<be>是)(?P<w>{_YEAR}|{_TIME}|{_PLACE}|在{_PLACE})(?P<v>.+)的$")

_BRIEF = 12  # characters of a question that is a query as it stands
# What a search box gets, most special first. Groups: s the subject, v what is said of it.
_NOMINAL: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        (r"^(?P<s>[^，]+)(?:成立于|是)哪一?年(?:成立的)?$", "{s} 成立年份"),
        (r"^(?P<s>[^，]+?)(?:成立|建立|创立)于(?:哪一?年|何年|什么时候|何时)$", "{s} 成立时间"),
        (r"^(?P<s>[^，]+?)(?:建成|修建|建造|建)于(?:哪一?年|何年|什么时候|何时)$", "{s} 建成时间"),
        (r"^(?P<s>[^，]+?)(?P<v>[\u4e00-\u9fff]{2})于(?:哪一?年|何年)$", "{s} {v}年份"),
        (r"^(?P<s>[^，]+?)(?P<v>[\u4e00-\u9fff]{2})于(?:什么时候|何时)$", "{s} {v}时间"),
        (rf"^(?P<s>[^，]+?)出生于{_PLACE}$", "{s} 出生地"),
        (rf"^(?P<s>[^，]+?)分布[于在]{_PLACE}$", "{s} 分布地区"),
        (rf"^(?P<s>[^，]+?)(?:位于|坐落于|坐落在|(?<![\u4e00-\u9fff][发生建设住])在){_PLACE}$", "{s} 位置"),
        (r"^(?P<s>[^，的]+?)(?<![上中里下]) ?是(?P<v>什么|谁|哪[座所个家条部位款])$", "{s} 是{v}"),
        (r"^(?P<s>[^，]+?)(?:又叫|又称|亦称|又名|也叫|别名是|别称是)什么$", "{s} 别名"),
        (r"^(?P<s>[^，]+?)(?:因什么(?:而)?得名|为什么叫.*|的名字来源于什么|的名称来源于什么)$", "{s} 名称由来"),
        (r"^(?P<s>[^，]+?)(?:用于什么|用来做什么|有什么用(?:途|处)?)$", "{s} 用途"),
        (r"^(?P<s>[^，]+?)(?:负责什么)$", "{s} 职责"),
        (r"^(?P<s>[^，的]+?)属于哪一?(?P<v>[科目属纲门])$", "{s} 属于哪{v}"),
        (r"^(?P<s>.+?)的(?P<v>目的|[^的，是]{1,8})是(?:什么|多少|谁|哪里|哪个|哪些)$", "{s} {v}"),
        (r"^(?:应该|可以|能)?(?:使用|用)什么(?P<n>[\u4e00-\u9fff]{0,2}?)(?:来|在|(?=从))(?P<v>.+)$", "{v} 用什么{n}"),
        (r"^要(?P<v>.+?)，(?:需要|应该|该)?怎么做$", "如何{v}"),
        (r"^(?:如何|怎么|怎样|应该如何|应该怎么|可以如何)(?P<v>.+)$", "如何{v}"),
        (r"^(?P<s>[^，]+[和与][^，]+?)(?:之间|中)?，?(?P<v>(?:哪一?[个座家位条部]|谁)[更较最].+)$", "{s} {v}"),
        (r"^(?:如果|若|要是)(?P<v>[^，]+)，(?P<s>.*?)(?:会怎么样|会发生什么|会怎样)$", "{v} {s} 会怎样"),
        (r"^(?P<s>[^，]+)为什么(?P<v>.+)$", "{s} {v} 原因"),
        (
            r"^(?P<s>[^，]+?)(?:一共有|总共有|共有|有)多少[名个位座条种家所部本层]?(?P<v>[\u4e00-\u9fffA-Za-z]{2,8})$",
            "{s} {v} 数量",
        ),
    )
)
_DROPPED = frozenset(
    "的 了 在 是 会 可以 应该 应当 能 能够 来 所 地 着 呢 请问 一下 一个 一种 一座 一名 一位 一条 一部 一款 一项 "
    "， 。 ； ： 要 而".split()
)
_JOINING = frozenset("了 地 着 所 而".split())
_WHOLE = re.compile(
    r"《[^》]*》|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`|\"[^\"]*\"|"
    r"[A-Za-z0-9_.+#/\-()=,'·•%]+(?: [A-Za-z0-9_.+#/\-()=]+)*"
)
_ASKED = re.compile(
    rf"{_YEAR}|{_TIME}|{_PLACE}|为什么|什么|谁|多少|怎么样|怎么|怎样|如何|"
    r"哪一?[个些种家位名部座条天所款项间支科本张届]"
)

_HELLO = ("请问一下，{q}{p}？", "你好，请问{q}{p}？", "想问一下，{q}{p}？", "你好，想请教一下，{q}{p}？")
_KNOWN = ("你知道{q}吗？", "有人知道{q}吗？", "请问有人知道{q}吗？", "大家知道{q}吗？")
_REQUESTS = ("能否说明{q}？", "可否请您说明{q}？", "烦请告知：{q}？", "请说明：{q}？")
_COLLOQUIAL = (
    ("何时", "什么时候"),
    ("何处", "哪里"),
    ("为何", "为什么"),
    ("如何", "怎么"),
    ("位于哪里", "在哪里"),
    ("是否", "是不是"),
)
_FORMAL: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), made)
    for pattern, made in (
        (rf"是哪一?年({'(?!.*[，])'}.+)的$", r"于何年\1"),
        (r"是(?:什么时候|什么时间)((?!.*，).+)的$", r"于何时\1"),
        (r"于哪一?年$", "于何年"),
        (r"于(?:什么时候|什么时间)$", "于何时"),
        (r"(?<=[由被])谁", "何人"),
        (r"是谁$", "是何人"),
        (r"出生于(?:哪里|哪儿)$", "出生于何地"),
        (r"(?<=[于在])(?:哪里|哪儿|什么地方)", "何处"),
        (r"(?<![称叫作名改视])为什么", "为何"),
        (r"因什么而?得名$", "因何得名"),
        (r"会(?:怎么样|怎样|发生什么)$", "会出现何种结果"),
        (r"怎么做$", "如何操作"),
        (r"(?:怎么|怎样)(?!样|做)", "如何"),
        (r"用于什么$", "用于何种用途"),
        (r"有什么(?=[作用途影响区别特点])", "有何"),
        (r"属于哪一?科", "属于何科"),
    )
)


def keywords(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """What is typed into a search box, in words with spaces between; None when too little is left."""
    body = _body(question)
    found = _nominal(body, keep)
    query = " ".join(found.replace("，", " ").split()) if found else _spaced(body, keep)
    content = [part for part in query.split() if not _ASKED.fullmatch(part)]
    if (
        not content
        or (query == body and size(query, "zh") > _BRIEF)
        or any(_folded(kept) not in query.replace(" ", "") for kept in _within(keep, body))
    ):
        return None
    if _ASKED.fullmatch(query.replace(" ", "")) or len(query.replace(" ", "")) < 3:
        return None
    return query


def _folded(text: str) -> str:
    return text.replace(" ", "")


def _nominal(body: str, keep: Sequence[str]) -> str:
    """The question turned into a noun phrase: "灯塔 成立时间"; "" where no pattern fits."""
    dated = _DATED.match(body)
    if dated and "，" not in dated["v"]:
        asked = dated["w"].removeprefix("在")
        kind = "年份" if re.fullmatch(_YEAR, asked) else "地点" if re.fullmatch(_PLACE, asked) else "时间"
        short = len(dated["v"]) <= 3 and not dated["v"].startswith("被")
        subject = dated["s"].removeprefix("在") if "，" in dated["s"] else _parted(dated["s"], keep)
        return f"{subject} {dated['v']}{'' if short else ' '}{kind}"
    for pattern, made in _NOMINAL:
        found = pattern.match(body)
        if found:
            parts = {name: (found.groupdict().get(name) or "") for name in "svn"}
            if len(parts["v"]) == 1 and made == "{s} {v}":
                made = "{s}的{v}"
            return made.format(**{**parts, "s": _parted(parts["s"], keep)})
    return ""


def _parted(subject: str, keep: Sequence[str]) -> str:
    """A subject with a space for each 的 that is a word of its own."""
    return "".join(" " if token == "的" else token for token in _tokens(subject, keep))


def _spaced(text: str, keep: Sequence[str]) -> str:
    """`text` without function words, a space where one was."""
    parts: list[str] = []
    for piece in text.split(" "):
        parts += _runs(piece, keep)
    return " ".join(part for part in parts if part)


def _runs(piece: str, keep: Sequence[str]) -> list[str]:
    runs = [""]
    tokens = _tokens(piece, keep)
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else ""
        if _stays(token, following, runs[-1]) or (token == "在" and at):
            latin = runs[-1][-1:].isascii() and runs[-1] and token[:1].isascii()
            if latin:
                runs.append(token)
            else:
                runs[-1] += token
        elif runs[-1] and token not in _JOINING:
            runs.append("")
    return runs


def _stays(token: str, following: str, run: str) -> bool:
    if token == "是":
        return not re.match(rf"{_TIME}|{_YEAR}|[由在因]", following)
    if token == "的":
        return bool(following)
    if token == "了" and run.endswith("过"):
        return True
    return token not in _DROPPED


def _tokens(piece: str, keep: Sequence[str]) -> list[str]:
    """Words of a piece; what stands in quotes, in another script or in `keep` is one word."""
    whole = [re.escape(kept) for kept in sorted(keep, key=lambda kept: (-len(kept), kept)) if kept and kept in piece]
    pattern = re.compile("|".join([*whole, _WHOLE.pattern, _ASKED.pattern]))
    found: list[str] = []
    at = 0
    for match in pattern.finditer(piece):
        found += [*_cut(piece[at : match.start()]), match.group()]
        at = match.end()
    return [*found, *_cut(piece[at:])]


def _cut(text: str) -> list[str]:
    return list(_jieba().cut(text)) if text else []


@lru_cache(maxsize=1)
def _jieba() -> Any:
    import rjieba

    return rjieba


def conversational(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """Small talk around the question: Chinese keeps its order after 你知道, so every one can be framed."""
    body = _body(question)
    for stiff, easy in _COLLOQUIAL:
        if not any(stiff in kept for kept in keep) and _stands_free(stiff, body):
            body = body.replace(stiff, easy)
    asks = body.endswith(("吗", "呢"))
    if not asks and rng.random() < 0.4:
        return rng.choice(_KNOWN).format(q=body)
    return rng.choice(_HELLO).format(q=body, p="" if asks else rng.choice(_particles(body)))


def _stands_free(word: str, body: str) -> bool:
    return word in _tokens(body, ()) or body.endswith(word)


def _particles(body: str) -> tuple[str, ...]:
    """Particles that may end a question: 呀 after 的 and question words, 呢 after all."""
    return ("呢", "呀", "啊") if body.endswith(("的", "里", "谁", "么", "少", "个")) else ("呢", "")


def formal(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """A request in written Chinese: 何年, 何处, 何人 for the spoken question words, after 请问 or 能否说明."""
    body = _body(question).removeprefix("请问")
    defined = re.fullmatch(r"(?P<s>[^，的]{1,16})(?<![上中里下])是什么", body)
    if defined and rng.random() < 0.5:
        return f"请问何为{_padded(defined['s'])}？"
    said = body
    for pattern, made in _FORMAL:
        match = pattern.search(said)
        if match and not any(match.group() in kept for kept in keep):
            said = said[: match.start()] + match.expand(made) + said[match.end() :]
    if said.endswith("吗"):
        return f"请问{said}？" if said != question else None
    frames = ("请问{q}？", *_REQUESTS) if said != body else _REQUESTS
    return rng.choice(frames).format(q=said)


def _padded(name: str) -> str:
    return f" {name.strip()}" if name.strip()[:1].isascii() and name != name.strip() else name


def _within(keep: Sequence[str], body: str) -> list[str]:
    return [kept for kept in keep if kept and kept in body]


def _body(question: str) -> str:
    return _END.sub("", question.strip())


_Style = Callable[[str, random.Random, Sequence[str]], str | None]


def in_script(style: _Style) -> _Style:
    """A style for simplified script as one for traditional script.

    The characters of the question come out as they were; only what the style adds is converted.
    """

    def styled(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
        simple = to_simplified(question)
        made = style(simple, rng, [to_simplified(kept) for kept in keep])
        return None if made is None else restored(made, simple, question)

    return styled


def restored(made: str, simple: str, question: str) -> str:
    """`made` with each run taken from `simple` as it stands in `question`, and the rest in traditional script."""
    parts: list[str] = []
    at = 0
    while at < len(made):
        length = 0
        while at + length < len(made) and made[at : at + length + 1] in simple:
            length += 1
        if length >= 2 or (length == 1 and not _HAN.match(made[at])):
            start = simple.index(made[at : at + length])
            parts.append(question[start : start + length])
            at += length
        else:
            end = at + 1
            while end < len(made) and made[end : end + 2] not in simple:
                end += 1
            parts.append(to_traditional(made[at:end]))
            at = end
    # Two ways to write one character; the reader's own is the one in the question.
    return "".join(parts) if "爲" in question else "".join(parts).replace("爲", "為")


CHINESE: dict[str, _Style] = {"keywords": keywords, "conversational": conversational, "formal": formal}
