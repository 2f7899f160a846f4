"""A chat model for the stations: it answers synth's own prompts from the passages in them."""

import json
import re

from tests.prompt_labels import label_pattern

NAMES = ("Alder Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Spruce Thorn Willow Yew Aspen").split()
_HEAD = rf"^{label_pattern('item')} (\d+)"
_ITEM = re.compile(rf"{_HEAD}[^\n]*\n(.*?)(?={_HEAD}|\Z)", re.MULTILINE | re.DOTALL)
_QUESTION = re.compile(rf"^{label_pattern('question')}(?:: |：)", re.MULTILINE)
_EVIDENCE = re.compile(rf"^{label_pattern('evidence')}[^\n]*?(?:: |：)(.*)$", re.MULTILINE)
_FACT = re.compile(r"The (\w+) station opened in (\d{4})\.|(\w)站[于於](\d{4})年[启啟]用。")


def stations(folder):
    """A folder of documents about stations: English, simplified and traditional."""
    folder.mkdir()
    for number, name in enumerate(NAMES):
        text = f"# {name} line\n\n## When did the {name} station open?\n\n"
        text += f"The {name} station opened in {1900 + number}. It has two platforms and a roof of glass.\n"
        (folder / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    for number, name in enumerate("东南西北"):
        text = f"{name}站于{1950 + number}年启用。车站里有两个站台和一间很大的候车室。\n"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "繁體.txt").write_text("中站於1960年啟用。車站裡有兩個月臺和一間很大的候車室。\n", encoding="utf-8")
    return folder


def behave(body, number):
    """The reply to a request of synth: questions on the facts of the passages, and verdicts by what they say."""
    system, user = (message["content"] for message in body["messages"][:2])
    reply = _reply(system, user)
    return f"<think>Let me see …</think>\n```json\n{json.dumps(reply, ensure_ascii=False)}\n```"


def _reply(system, user):
    if '"brief"' in system:
        return {"brief": "A collection of pages on railway stations. A question must name the station."}
    if '"natural"' in system:
        numbers = map(int, re.findall(r"^\[(\d+)\]", user, re.MULTILINE))
        verdict = {"unnamed": "", "clear": True, "natural": 4, "matters": 4, "known": ""}
        return {"verdicts": [{"item": item, **verdict} for item in numbers]}
    if '"proved"' in system:
        return {"verdicts": [_open(item, user) for item in _ITEM.finditer(user)]}
    if '"found"' in system:
        return {"verdicts": [_answered(item) for item in _ITEM.finditer(user)]}
    if '"notes"' not in system:
        return {"candidates": []}
    if '"type"' not in system:
        return {"notes": [], "candidates": []}
    return {"notes": [], "candidates": [_candidate(fact, user) for fact in _FACT.finditer(user)]}


def _open(item, user):
    golden = re.search(rf"^{label_pattern('golden')} {item[1]}(?:: |：)(.*)$", user, re.MULTILINE)[1]
    evidence = " ".join(_EVIDENCE.findall(item[2]))
    holds = golden.casefold() in evidence.casefold()
    if not (gap := re.search(r"____", item[2])):
        name = re.search(r"the (\w+) station|(\w)站", _QUESTION.split(item[2])[-1])
        holds = holds and bool(name) and (name[1] or name[2]) in evidence
    else:
        told = re.search(r"[\"“]([^\"“”]*____[^\"“”]*)[\"”]", item[2])[1]
        holds = told.replace(gap[0], golden).casefold() in evidence.casefold()
    verdict = {
        "complete": True,
        "other": "",
        "one": True,
        "turned": "",
        "typed": True,
        "why": "" if holds else "it says otherwise",
        "grave": not holds,
    }
    return {"item": int(item[1]), "answer": golden, "proved": holds, "right": holds, **verdict}


def _answered(item):
    text, question = _QUESTION.split(item[2])[:2]
    fact = next((one for one in _FACT.finditer(text) if (one[1] or one[3]) in question), None)
    year = (fact[2] or fact[4]) if fact else ""
    return {"item": int(item[1]), "found": bool(year), "answer": year}


def _candidate(fact, user):
    name, year = fact[1] or fact[3], fact[2] or fact[4]
    question = (
        f"In which year did the {name} station open?"
        if fact[1]
        else f"{name}站是哪一年{'启' if '启' in fact[0] else '啟'}用的？"
    )
    number = re.findall(r"^\[(\d+)\]", user[: fact.end()], re.MULTILINE)[-1]
    more = {"hops": [], "otherwise": "", "condition": "", "reckoning": "", "worth": 4}
    return {"type": "simple", "question": question, "answer": year, "sentences": [int(number)], **more}
