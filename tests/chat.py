"""A chat model for the stations: it answers synth's own prompts from the passages in them."""

import json
import re

NAMES = ("Alder Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Spruce Thorn Willow Yew Aspen").split()
_FACT = re.compile(r"The (\w+) station opened in (\d{4})\.|(\w)站[于於](\d{4})年[启啟]用。")


def stations(folder):
    """A folder of documents about stations: English, simplified and traditional."""
    folder.mkdir()
    for number, name in enumerate(NAMES):
        text = f"# {name} line\n\nThe {name} station opened in {1900 + number}. It has two platforms and a roof of glass.\n"
        (folder / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    for number, name in enumerate("东南西北"):
        text = f"{name}站于{1950 + number}年启用。车站里有两个站台和一间很大的候车室。\n"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "繁體.txt").write_text("中站於1960年啟用。車站裡有兩個月臺和一間很大的候車室。\n", encoding="utf-8")
    return folder


def behave(body, number):
    """The reply to a request: a question about the sentence in focus, or the answer that the evidence gives."""
    system, user = (message["content"] for message in body["messages"][:2])
    facts = list(_FACT.finditer(user))
    if not facts and "found" in system:
        return json.dumps({"found": False, "answer": ""})
    fact = facts[-1]
    name, year = fact.group(1) or fact.group(3), fact.group(2) or fact.group(4)
    if "found" in system:
        return json.dumps({"found": True, "answer": year}, ensure_ascii=False)
    if fact.group(1):
        question = f"In which year did the {name} station open?"
    else:
        question = f"{name}站是哪一年{'启' if '启' in fact.group() else '啟'}用的？"
    reply = {"quote": fact.group(), "question": question, "answer": year}
    return f"<think>About {name} …</think>\n```json\n{json.dumps(reply, ensure_ascii=False)}\n```"
