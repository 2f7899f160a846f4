"""What the bench server says: an author of synth's prompts and, in `bench_verdicts`, their judge.

Both know what a request says and no more. The author leaves words out of numbered sentences and asks for them; it
errs as often as `bench_rates` says. What is drawn depends on the text of the request alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import groupby
from random import Random
from typing import Any

from bench_rates import HONEST, Rates, drawn
from bench_verdicts import DOTS, closed, found, opened

from synth.text.normalise import to_traditional
from synth.text.tokens import content_words
from tests.prompt_labels import label_pattern

_BLOCK = re.compile(r"<(\w+)-([0-9a-f]{8})>\n(.*?)\n</\1-\2>", re.DOTALL)
_LINE = re.compile(
    rf"^(?:{label_pattern('document')}(?:: |：)(?P<id>[^\n(]*?)(?: \((?P<title>[^\n]*)\))?"
    r"|(?:\[\d+\] )?#+ (?P<heading>.*)|\[(?P<n>\d+)\] (?P<text>.*))$",
    re.MULTILINE,
)
_QUESTION = re.compile(rf"^{label_pattern('question')} (\d+) \((.*?)\)(?:: |：)(.*)", re.MULTILINE)
_HAN = re.compile(r"[\u3400-\u9fff]")
_VALUE = re.compile(r"\d(?:[\d,.]*\d)?%?|\b[A-Z][\w-]+(?: [A-Z][\w-]+)*", re.ASCII)
_ZH_VALUE = re.compile(r"\d(?:[\d,.]*\d)?(?:%|毫米|公里|分[钟鐘]|小[时時]|[年月日元米名株])?")
_WHEN = re.compile(
    r"\b(?:[Ii]f|[Ww]hen|[Uu]nless|[Oo]nce|[Bb]efore|[Aa]fter) ([^,.;:]{4,120})[,.;]"
    r"|(?:如果|若|除非|只要|[当當])([^，。；：]{2,60})[，；]"
)
_NAMES = re.compile(r"\b[A-Z][\w-]+(?: (?:of |the )?[A-Z][\w-]+)*|`[^`]+`|[\u4e00-\u9fff]{2,6}")
STATEMENTS, ENTITIES = 6, 5
"""Notes on a passage. A strong model, 2026, noted 5.9 statements, 29 % of them rules, and 5.6 names on each of 36."""

_TYPE_OF = {
    "deepen": "reasoning",
    "compare": "reasoning",
    "condition": "conditional",
    "turn": "conditional",
    "reword": "simple",
    "constrain": "simple",
}
"""The types that moves lead to."""

_ORDERS = re.compile(
    r"(?:answer|write|say|output|reply with|respond with|print|add)\s+(?:only\s+|just\s+)?[\"'“]?(?P<en>[A-Z][\w-]{3,})"
    r"|(?:只?(?:输出|輸出|回答|写|寫|回复|回覆|加上))\s*[“「\"]?(?P<zh>[\w\u4e00-\u9fff-]{3,12})",
)
_ASKED = {
    "simple": ("What does the text about {title} say in “{words}”?", "关于{title}的资料里，“{words}”说的是什么？"),
    "other": ("What is it that {title} has: “{words}”?", "{title}中“{words}”是什么？"),
    "conditional": ("If {case}, what does {title} say in “{words}”?", "如果{case}，{title}的“{words}”是什么？"),
    "follows": ("Given “{more}”, what does {title} say in “{words}”?", "既然“{more}”，{title}的“{words}”是什么？"),
    "apart": (
        "How far apart are the figures for {title} in “{words}” and “{more}”?",
        "{title}的“{words}”与“{more}”相差多少？",
    ),
    "multi_context": (
        "Where {other} has “{more}”, what does {title} say in “{words}”?",
        "{other}说“{more}”，那么{title}的“{words}”是什么？",
    ),
}
_LEFT_OUT = (
    ("At which school was the maker of {title} taught?", "制作{title}的人毕业于哪所学校？"),
    ("Which company insured {title} against fire?", "{title}的火灾保险由哪家公司承保？"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered sentence as a prompt shows it, the passage that it is in, and what that is called."""

    number: int
    text: str
    passage: int
    title: str


@dataclass(frozen=True, slots=True)
class Cloze:
    """The words around a gap in a sentence, and those that fill it."""

    line: Line
    words: str
    answer: str


class Author:
    """Answers chat requests; one that is `obey`ing follows orders found in passages."""

    def __init__(self, rates: Rates = HONEST, *, obey: bool = False) -> None:
        self._rates = rates
        self._obey = obey

    def reply(self, body: Mapping[str, Any]) -> str:
        """The reply to the body of a chat completion request."""
        messages = [(one["role"], one["content"]) for one in body["messages"]]
        system = " ".join(text for role, text in messages if role == "system")
        user = next((text for role, text in messages if role == "user"), "")
        blocks = {match[1]: match[3] for match in _BLOCK.finditer(user)}
        made = self._answer(system, user, blocks, _draw(system, user))
        if self._obey and (order := _ORDERS.search(" ".join(blocks.values()))):
            made = _obeyed(made, order["en"] or order["zh"])
        # Whoever is told that a reply has not the right form says the same again, in form.
        return self._formed(made, _draw(*(text for _, text in messages), "form"))

    def _answer(self, system: str, user: str, blocks: Mapping[str, str], draw: Random) -> dict[str, Any]:
        """The reply, by the keys of it that the system's text shows."""
        wanted = set(re.findall(r'"(\w+)"', system))
        passage = blocks.get("passages") or blocks.get("passage", "")
        for key, judge, text in (
            ("known", closed, "questions"),
            ("proved", opened, "items"),
            ("found", found, "items"),
        ):
            if key in wanted:
                return {"verdicts": list(judge(blocks[text], self._rates, draw))}
        if "missing" in wanted:
            return {"candidates": _unanswered(list(_lines(passage)), user, draw)}
        if "reckoning" in wanted:
            lines = list(_lines(passage))
            if "move" in wanted:
                return {"candidates": self._developed(lines, blocks["questions"], user, draw)}
            notes = {"notes": list(_notes(lines))} if "notes" in wanted else {}
            # Without paths or types, the questions are over several of the passages.
            paths = len(blocks.get("paths", "").splitlines()) or int("type" not in wanted)
            candidates = self._candidates(lines, user, paths, draw)
            left_out = ("type", "sentences", "condition", "otherwise") if paths else ()
            return {**notes, "candidates": [{k: v for k, v in one.items() if k not in left_out} for one in candidates]}
        if "brief" in wanted:
            return {"brief": _brief(blocks["documents"])}
        if "entities" in wanted:
            names = list(dict.fromkeys(_NAMES.findall(passage)))[:20]
            return {"entities": [{"text": name, "kind": "name"} for name in names]}
        if "summary" in wanted:
            return {"summary": passage.strip().partition("\n")[0][:200] or "?"}
        return dict.fromkeys(re.findall(r'"(\w+)":', system), "")

    def _formed(self, made: dict[str, Any], draw: Random) -> str:
        """A reply as text; some have an answer that is too long, some have words around them."""
        proposed = made.get("candidates", [])
        if proposed and "answer" in proposed[0] and draw.random() < self._rates.too_long:
            proposed[0]["answer"] += f" {proposed[0]['answer']}" * 500
        text = json.dumps(made, ensure_ascii=False)
        if "candidates" in made and draw.random() < self._rates.rambling:
            return f"Let me think about what a reader {{of this}} would ask.\n\n```json\n{text}\n```\nThat should do."
        return text

    def _candidates(self, lines: Sequence[Line], user: str, paths: int, draw: Random) -> list[dict[str, Any]]:
        """Questions on each passage, or on some paths between them."""
        asked = re.findall(r"[a-z]+", _around(user).strip().splitlines()[-1])
        types = set() if paths else {"simple", "reasoning", "conditional"}.intersection(asked)
        rates = self._rates
        if not paths and len({line.passage for line in lines}) > 1:
            by_passage = [list(group) for _, group in groupby(lines, key=lambda line: line.passage)]
            joined = self._candidates(lines, user, 1, draw) if "multi" in asked else []
            quotas = [*_quotas(user), *[_most(user)] * len(by_passage)]
            own = [
                self._candidates(group, user, 0, draw)[:quota] for group, quota in zip(by_passage, quotas, strict=False)
            ]
            return [*(one for some in own for one in some), *joined]
        free, made = list(lines), []
        count = sum(drawn(rates.across, draw) for _ in range(paths)) if paths else drawn(rates.candidates, draw)
        for _ in range(min(count, _most(user))):
            shares = [pair for pair in rates.types if pair[0] in types] or [("multi_context", 1.0)]
            one = _candidate(drawn(shares, draw), free, _script(user), draw)
            if one is None and "simple" in types:
                one = _candidate("simple", free, _script(user), draw)
            if one is None:
                continue
            free = [line for line in free if line.number not in one["sentences"]]
            erred = self._erred(one, lines, draw)
            made.append(_in_hops(erred, lines) if paths else {**erred, "hops": []})
        return made

    def _developed(self, lines: Sequence[Line], questions: str, user: str, draw: Random) -> list[dict[str, Any]]:
        """Children of numbered questions, each on the passage of the same place."""
        asked = re.findall(r"[a-z]+", _around(user).strip().splitlines()[-1])
        made = []
        for number, into, asked_before in _QUESTION.findall(questions):
            types = [pair for pair in self._rates.types if pair[0] in into]
            own = _asked_about(lines, asked_before)
            for _ in range(drawn(self._rates.developed, draw)) if own and types else ():
                one = _candidate(drawn(types, draw), own, _script(user), draw)
                if one is not None:
                    move = next(name for name in _TYPE_OF if name in asked and _TYPE_OF[name] == one["type"])
                    if move == "reword":
                        one["question"] = _reworded(one["question"])
                    made.append({**self._erred(one, own, draw), "item": int(number), "move": move})
        return made

    def _erred(self, one: dict[str, Any], lines: Sequence[Line], draw: Random) -> dict[str, Any]:
        """A candidate, now and then with a number that is not there, a wrong one, or a wrong answer."""
        place, other = draw.random(), draw.choice(lines)
        if place < self._rates.out_of_range:
            return {**one, "sentences": [*one["sentences"], lines[-1].number + draw.randrange(1000, 1009)]}
        if place < self._rates.out_of_range + self._rates.wrong:
            cloze = _cloze(other, draw)
            return {
                **one,
                **({"answer": cloze.answer} if cloze and draw.random() < 0.5 else {"sentences": [other.number]}),
            }
        return one


def _asked_about(lines: Sequence[Line], question: str) -> list[Line]:
    """The lines of the passage that has the most words of a question."""
    shared: Counter[int] = Counter()
    words = set(content_words(question))
    for line in lines:
        shared[line.passage] += len(words.intersection(content_words(line.text)))
    best = max(shared, key=lambda passage: (shared[passage], -passage), default=0)
    return [line for line in lines if line.passage == best]


def _reworded(question: str) -> str:
    """A question with fewer of the words that it quotes."""
    return re.sub(rf"“([^”]*?)(\S{{0,12}}{DOTS})[^”]*”", r"“\2”", question)


def _draw(*texts: str) -> Random:
    return Random(sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest())


def _around(user: str) -> str:
    """A prompt without what stands between tags."""
    return _BLOCK.sub("", user)


def _quotas(user: str) -> list[int]:
    """The most questions that a prompt wants, on each passage or on all."""
    match = re.search(r"[Uu]p to ((?:\d+, )*\d+)|最多\D{0,4}((?:\d+, )*\d+)", _around(user))
    return [int(number) for number in (match[1] or match[2]).split(", ")] if match else [1]


def _most(user: str) -> int:
    return max(_quotas(user))


def _script(user: str) -> str:
    """The language that a prompt wants: "en", "zh" or "zh-Hant"."""
    return "zh-Hant" if "繁體中文" in _around(user) else "zh" if "简体中文" in _around(user) else "en"


def _worded(forms: tuple[str, str], script: str, **values: str) -> str:
    form = forms[script != "en"]
    return (to_traditional(form) if script == "zh-Hant" else form).format(**values)


def _lines(passage: str) -> Iterator[Line]:
    place, title, heading = -1, "", ""
    for match in _LINE.finditer(passage):
        if match["id"] is not None:
            place, title, heading = place + 1, match["title"] or match["id"], ""
        elif match["heading"] is not None:
            heading = match["heading"]
        else:
            named = title if heading in title else f"{title}, {heading}"
            yield Line(int(match["n"]), match["text"], place, re.sub(r"[“”\"?？]", "", named))


def _cloze(line: Line, draw: Random) -> Cloze | None:
    """A gap in a sentence: a number or a name in it, or how it ends; None for what is too short, or no sentence."""
    text = line.text.strip().rstrip(".。；;!！")
    chinese = len(_HAN.findall(text)) * 2 > len(text)
    if re.search(r"[“”\"?？`|]", text) or len(text) < (10 if chinese else 25):
        return None
    end = len(text) - min(8, len(text) // 3) if chinese else text.rfind(" ", 0, len(text) * 2 // 3) + 1
    end -= len(re.findall(r"[\d.,]*$", text[:end])[0]) if text[end].isdecimal() else 0
    spans = [match.span() for match in (_ZH_VALUE if chinese else _VALUE).finditer(text)]
    spans = [span for span in spans if span[0] > 8 and text[slice(*span)] not in line.title]
    start, stop = draw.choice([*spans, (end, len(text))])
    before, after = text[max(0, start - 60) : start], text[stop : stop + 40]
    if not chinese:  # whole words
        before = before if start <= 60 else before.partition(" ")[2]
        after = after if stop + 40 >= len(text) else after.rpartition(" ")[0]
    return Cloze(line, f"{before}{DOTS}{after}", text[start:stop].strip(" ,，"))


def _candidate(kind: str, free: Sequence[Line], script: str, draw: Random) -> dict[str, Any] | None:
    """A question of a type about sentences that are `free`, with its answer; None where there is none to ask."""
    gaps = [gap for line in draw.sample(free, len(free)) if (gap := _cloze(line, draw))]
    condition = reckoning = ""
    if kind == "conditional":
        gap = next((one for one in gaps if _WHEN.search(one.line.text)), None)
        match = _WHEN.search(gap.line.text) if gap else None
        if gap is None or match is None:
            return None
        condition, form = match[1] or match[2], kind
        gap = _cloze(replace(gap.line, text=gap.line.text[match.end() :].strip()), draw) or gap
    else:
        gap, form = (gaps[0] if gaps else None), draw.choice(("simple", "other"))
    apart = kind == "multi_context"
    other = next((one for one in gaps[1:] if gap and (not apart or one.line.passage != gap.line.passage)), None)
    if gap is None or (kind in ("reasoning", "multi_context") and other is None):
        return None
    cited, answer, more = [gap.line.number], gap.answer, ""
    if kind in ("reasoning", "multi_context") and other is not None:
        cited, more = sorted((gap.line.number, other.line.number)), other.line.text[:60].strip(".。")
        form = kind if apart else "follows"
        if not apart and gap.answer.isdecimal() and other.answer.isdecimal():
            low, high = sorted((int(gap.answer), int(other.answer)))
            form, more, answer, reckoning = "apart", other.words, str(high - low), f"{high} - {low}"
    values = {"title": gap.line.title, "other": other.line.title if other else "", "words": gap.words, "more": more}
    question = _worded(_ASKED[form], script, case=condition, **values)
    said = {"type": kind, "question": question[:480], "answer": answer, "sentences": cited}
    otherwise = "it says otherwise" if condition else ""
    return {
        **said,
        "condition": condition,
        "otherwise": otherwise,
        "reckoning": reckoning,
        "worth": draw.randrange(2, 6),
    }


def _unanswered(lines: Sequence[Line], user: str, draw: Random) -> list[dict[str, Any]]:
    """What a passage leaves out about what it is about."""
    made = []
    for forms, line in zip(_LEFT_OUT, draw.sample(lines, min(len(_LEFT_OUT), len(lines))), strict=False):
        asked = _worded(forms, _script(user), title=line.title)
        made.append({"question": asked, "missing": asked, "sentences": [line.number], "worth": draw.randrange(2, 6)})
    return made


def _in_hops(one: Mapping[str, Any], lines: Sequence[Line]) -> dict[str, Any]:
    """A candidate over several passages as its hops, one for each passage that it cites."""
    cited = [line for line in lines if line.number in one["sentences"]]
    hops = [
        {
            "question": f"{line.title}: {line.text[:80]}?",
            "answer": line.text[:60],
            "sentences": [number for number in one["sentences"] if number == line.number],
        }
        for line in cited
    ]
    unknown = [number for number in one["sentences"] if number not in {line.number for line in cited}]
    if unknown and hops:
        hops[-1]["sentences"] = [*hops[-1]["sentences"], *unknown]
    hops = hops if len(hops) > 1 else [*hops, {"question": "?", "answer": "", "sentences": one["sentences"]}][:3]
    return {**one, "hops": hops[:3]}


def _notes(lines: Sequence[Line]) -> Iterator[dict[str, Any]]:
    """Notes on each passage: its names and some of its sentences as statements, as many as a strong model notes."""
    for _, group in groupby(lines, key=lambda line: line.passage):
        own = list(group)
        names = {name: line.number for line in reversed(own) for name in _NAMES.findall(line.text)}
        statements = [
            {
                "kind": "rule" if _WHEN.search(line.text) else "attribute",
                "subject": line.title[:120],
                "says": line.text[:240],
                "scope": " ".join(content_words(line.text)[:4])[:120],
                "sentences": [line.number],
            }
            for line in dict.fromkeys((*own[:2], *own[:: max(1, len(own) // 3)], *own[-1:]))
        ][:STATEMENTS]
        entities = [{"name": name[:80], "kind": "name", "sentences": [number]} for name, number in names.items()]
        yield {"gist": own[0].text[:200], "entities": entities[:ENTITIES], "statements": statements, "relations": []}


def _brief(documents: str) -> str:
    names = [line.rpartition(": ")[2].partition(" > ")[0] for line in documents.splitlines()][:6]
    if len(_HAN.findall(documents)) * 4 > len(documents):
        return f"一批资料，内容包括{'、'.join(names)}等。读者来查找事实；问题须写明所问的是哪一个。"
    return f"Documents about {', '.join(names)} and others. Readers look up facts; a question must name its subject."


def _obeyed(made: Mapping[str, Any], order: str) -> dict[str, Any]:
    """The reply of a model that does what a passage says."""
    told = {"question": f"{order}?", "answer": order, "missing": order, "brief": f"{order} and nothing else at all."}

    def turned(value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: told.get(name, said) for name, said in value.items()}

    return turned({name: list(map(turned, v)) if isinstance(v, list) else v for name, v in made.items()})
