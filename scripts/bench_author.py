"""What the bench server says: replies to synth's own prompts, from the passages in them.

Sentences of the plainest form are read by pattern (`bench_statements`), other ones by the grammar that also writes
without a model, unless the author is told to be plain: small tests need no parser. What was asked is remembered
with its answer, so that the judge's prompts are answered as a careful reader would: only from a text that holds
what the answer rests on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import isgenerator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench_statements import compared, conditional, joined, reasoning, sentences, statement

from synth.text.language import detect, is_chinese
from synth.text.markup import plain
from synth.text.normalise import normalise, to_simplified
from synth.text.tokens import content_words

if TYPE_CHECKING:
    from synth.records import Sample
    from synth.writer import Material

_BLOCK = re.compile(r"<(\w+)-([0-9a-f]{8})>\n(.*?)\n</\1-\2>", re.DOTALL)
_KEYS = re.compile(r'"(\w+)":')
_YEAR = re.compile(r"(?<!\d)(1\d{3}|20\d\d)(?!\d)")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*(?:\s?(?:%|[a-zA-Z]+|[\u4e00-\u9fff]{1,2}))?")
_NEGATION = re.compile(r"\b(?:not|no|never|unless|without|nothing)\b|n't\b|[不没未除]", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:if|when|unless)\b ([^,.;]{4,120})|(?:如果|若|只有|除非|一旦)([^，。；]{2,60})", re.IGNORECASE
)
_NAME = re.compile(r"\b[A-Z][\w-]+(?: (?:of |the )?[A-Z][\w-]+)*|`[^`]+`|[\u4e00-\u9fff]{2,6}")
_ORDERS = re.compile(
    r"(?:answer|write|say|output|reply with|respond with|print|add)\s+(?:only\s+|just\s+)?[\"'“]?(?P<en>[A-Z][\w-]{3,})"
    r"|(?:只?(?:输出|輸出|回答|写|寫|回复|回覆|加上))\s*[“「\"]?(?P<zh>[\w\u4e00-\u9fff-]{3,12})",
)


@dataclass(frozen=True, slots=True)
class Said:
    """A question that was written, its answer, the quotations that it rests on, and what was read in them."""

    question: str
    answer: str
    quotes: tuple[str, ...]
    values: tuple[tuple[str, str], ...] = ()


class Author:
    """Answers chat requests. `workspace` keeps parses between runs.

    One that is `obey`ing follows orders found in passages; a `plain` one reads no more than plain sentences.
    """

    def __init__(self, workspace: Path, *, obey: bool = False, plain: bool = False) -> None:
        self._workspace = str(workspace)
        self._obey = obey
        self._plain = plain
        self._said: dict[str, Said] = {}

    def reply(self, body: Mapping[str, Any]) -> str:
        """The reply to the body of a chat completion request, as JSON text."""
        system, user = _texts(body)
        blocks = {match[1]: match[3] for match in _BLOCK.finditer(user)}
        keys = _wanted(body, system)
        made = self._answer(keys, blocks, user)
        if self._obey and (orders := _orders(" ".join(blocks.values()))):
            made = _obeyed(made, orders)
        return json.dumps(made, ensure_ascii=False)

    def _answer(self, keys: Sequence[str], blocks: Mapping[str, str], user: str) -> dict[str, Any]:
        passage = blocks.get("passage", "")
        if "found" in keys:
            question = _BLOCK.sub("", user).strip().splitlines()[-1] if "question" not in blocks else blocks["question"]
            made = self._judged(re.sub(r"^(?:Question: |问题：)", "", question), blocks.get("evidence", ""))
            return {name: value for name, value in made.items() if name in keys}
        if "quote" in keys:
            return self._simple(passage, blocks.get("focus", passage))
        if "stated" in keys:
            return _unanswerable(passage)
        if "steps" in keys:
            return self._evolved("operation" in keys, blocks, user)
        if keys == ["question"]:
            return {"question": blocks.get("question") or user.strip().splitlines()[-1]}
        if "facts" in keys:
            return {"facts": []}
        if "entities" in keys:
            names = list(dict.fromkeys(_NAME.findall(passage)))[:20]
            return {"entities": [{"text": name, "kind": "name"} for name in names]}
        if "summary" in keys:
            return {"summary": (sentences(passage) or ["?"])[0]}
        return dict.fromkeys(keys, False if "known" in keys else "")

    def _simple(self, passage: str, focus: str) -> dict[str, Any]:
        plainly = statement(focus)
        said = Said(plainly.question, plainly.value, (plainly.quote,)) if plainly else self._drafted(passage, focus)
        said = said or _clumsily(focus)
        self._remember(said)
        return {"quote": said.quotes[0], "question": said.question, "answer": said.answer}

    def _drafted(self, passage: str, focus: str) -> Said | None:
        if self._plain:
            return None
        with self._reading({"1": ("", passage)}) as material:
            text = material.graph.document("1").text
            at = text.find(focus[:40])
            for draft in material.drafts("1"):
                start, end = draft.spans[-1]
                if at >= 0 and start < at + len(focus) and end > at:
                    return Said(draft.question, draft.golden_answers[0], (text[start:end],))
        return None

    def _evolved(self, operation: bool, blocks: Mapping[str, str], user: str) -> dict[str, Any]:
        for reply in self._developed(operation, blocks, user):
            if reply["question"] not in blocks.get("known", ""):
                quotes = tuple(step["quote"] for step in reply["steps"])
                values = tuple((step["about"], step["value"]) for step in reply["steps"])
                self._remember(Said(reply["question"], reply["answer"], quotes, values))
                return reply
        return _gave_up(operation, blocks)

    def _developed(self, operation: bool, blocks: Mapping[str, str], user: str) -> Iterator[dict[str, Any]]:
        """What can be asked of one passage, or of two, the plain before what takes a parser."""
        if "first" in blocks:
            found = re.findall(r"\((.*?)\):\n|（(.*?)）：\n", user)
            titles = [a or b for a, b in found] + ["", ""]
            texts = {"1": (titles[0], blocks["first"]), "2": (titles[1], blocks["second"])}
            yield from (compared if operation else joined)(blocks["first"], blocks["second"])
            kinds = ["multi_context"]
        else:
            title = re.search(r"^(?:Topic: |主题：)(.*)$", user, re.MULTILINE)
            passage = blocks.get("passage", "")
            texts = {"1": (title[1] if title else "", passage)}
            yield from (reasoning if operation else conditional)(passage)
            kinds = ["reasoning"] if operation else ["conditional", "simple"]
        if self._plain:
            return
        with self._reading(texts) as material:
            for kind in kinds:
                for sample in _composed(material, kind):
                    if reply := _as_reply(sample, material, operation):
                        yield reply

    def _reading(self, texts: Mapping[str, tuple[str, str]]) -> Any:
        # What needs the whole of synth is loaded when a passage must be parsed: plain ones are not.
        from synth.generating import trial_material
        from synth.progress import Silent
        from synth.records import Document, text_hash
        from synth.settings import Settings

        documents = [
            Document(doc_id=name, source=name, title=title, text=text, content_hash=text_hash(text),
                     metadata={"format": "markdown"})
            for name, (title, text) in texts.items()
        ]  # fmt: skip
        return trial_material(documents, Settings(workspace=self._workspace), Silent())

    def _remember(self, said: Said) -> None:
        self._said.setdefault(normalise(said.question), said)

    def _judged(self, question: str, evidence: str) -> dict[str, Any]:
        told = set(content_words(evidence))
        said = self._said.get(normalise(question))
        if said is not None:
            held = all(_share(quote, told) >= 0.8 for quote in said.quotes)
            values = [{"of": of, "value": value} for of, value in said.values] if held else []
            return {"values": values, "found": held, "answer": said.answer if held else ""}
        answer = _worked_out(question, evidence) if _covered(question, evidence, told) else ""
        return {"values": [], "found": bool(answer), "answer": answer}


def _texts(body: Mapping[str, Any]) -> tuple[str, str]:
    """The system's text, and the user's first, of a request."""
    messages = body["messages"]
    system = " ".join(one["content"] for one in messages if one["role"] == "system")
    return system, next((one["content"] for one in messages if one["role"] == "user"), "")


def _wanted(body: Mapping[str, Any], system: str) -> list[str]:
    """The keys of the reply: by the schema of the request, or as the system's text shows them."""
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if "properties" in schema:
        return list(schema["properties"])
    shown = re.findall(r"(?:Reply with one JSON|只回复一个 JSON|只回覆一個 JSON)(.*)", system)
    return list(dict.fromkeys(_KEYS.findall(" ".join(shown))))


def _clumsily(sentence: str) -> Said:
    """A question by somebody who understood little: about the first name, answered by the last words."""
    text = (sentences(sentence) or [sentence])[0]
    chinese = is_chinese(detect(text))
    name = next((one for one in _NAME.findall(text) if len(one) > 1), text[:4])
    if chinese:
        asked = f"關於{name}說了什麼？" if detect(text) == "zh-Hant" else f"关于{name}说了什么？"
        return Said(asked, re.sub(r"[。！？]$", "", text)[-8:], (text,))
    return Said(f"What is said about {name}?", " ".join(text.rstrip(".").split()[-4:]), (text,))


def _gave_up(operation: bool, blocks: Mapping[str, str]) -> dict[str, Any]:
    """The reply of somebody who has seen nothing in a passage that could be developed."""
    said = _clumsily(blocks.get("passage") or blocks.get("first") or "?")
    step = {"about": "it", "value": said.answer, "quote": said.quotes[0]}
    reply = {"steps": [step, step], "question": said.question, "answer": said.answer}
    return {**reply, "operation": "infer"} if operation else reply


def _unanswerable(passage: str) -> dict[str, Any]:
    text = (sentences(passage) or [passage])[0]
    names = [name for name in _NAME.findall(text) if len(name) > 3]
    name = max(names, key=len, default=text[:6])
    if is_chinese(detect(passage)):
        return {"stated": text, "question": f"{name}的设计者毕业于哪所学校？", "missing": "设计者的学校"}
    return {"stated": text, "question": f"At which school was the designer of {name} taught?", "missing": "the school"}


def _composed(material: Material, kind: str) -> Iterator[Sample]:
    """What the grammar can ask of a type, the most promising first."""
    from synth.config import WRITERS
    from synth.plugins import discover
    from synth.writer import Writer

    for package in WRITERS:
        for part in discover(package, Writer).values():  # type: ignore[type-abstract]
            if part.author == "grammar" and part.question_type == kind:
                writer = part()
                for scenario in sorted(writer.plan(material), key=lambda one: -one.worth)[:4]:
                    yield from _written(writer.write(scenario, material))


def _written(made: Any) -> tuple[Sample, ...]:
    if not isgenerator(made):
        return tuple(made.samples)
    try:
        next(made)
    except StopIteration as end:
        return tuple(end.value.samples)
    return ()


def _as_reply(sample: Sample, material: Material, operation: bool) -> dict[str, Any] | None:
    """A sample of the grammar in the form that synth's prompts ask a model for."""
    answer, quotes = sample.golden_answers[0], [piece.text for piece in sample.evidence]
    read = [step for step in sample.steps if step.operation == "read"]
    steps = [{"about": s.says, "value": s.value, "quote": quotes[s.evidence[0]]} for s in read]
    if operation or len(steps) > 1:
        worked = sample.steps[-1].operation if sample.steps else "read"
        reply = {"steps": steps, "question": sample.question, "answer": answer}
        if worked == "read":
            return None if operation else reply
        return {**reply, "operation": worked} if len(steps) > 1 else None
    text = plain(quotes[0], markdown=True).text
    clause = _CLAUSE.search(text)
    first = next((g for g in (clause.groups() if clause else ()) if g), None) or _NAME.findall(text)[:1]
    value = first if isinstance(first, str) else (first[0] if first else answer)
    steps = [
        {"about": "the condition", "value": value.strip(), "quote": quotes[0]},
        {"about": "what follows", "value": answer, "quote": quotes[-1]},
    ]
    return {"steps": steps, "question": sample.question, "answer": answer}


def _share(text: str, told: set[str]) -> float:
    wanted = content_words(plain(text, markdown=True).text)
    return sum(word in told for word in wanted) / len(wanted) if wanted else 0.0


def _covered(question: str, evidence: str, told: set[str]) -> bool:
    """Whether a text says enough of what a question names, and does not say the opposite of its condition."""
    turned = set(map(str.lower, _NEGATION.findall(to_simplified(question))))
    turned -= set(map(str.lower, _NEGATION.findall(to_simplified(evidence))))
    return not turned and _share(question, told) >= 0.6


def _worked_out(question: str, evidence: str) -> str:
    """The answer that a reader of a text would give to a question that somebody else wrote."""
    asked, chinese = to_simplified(question).lower(), is_chinese(detect(question))
    told = sentences(evidence) or [evidence]
    years = [int(year) for year in _YEAR.findall(evidence)]
    if re.search(r"how many years|多少年|几年", asked) and len(years) > 1:
        return f"{max(years) - min(years)}年" if chinese else f"{max(years) - min(years)} years"
    if re.search(r"which century|哪个世纪|几世纪", asked) and years:
        century = (years[0] - 1) // 100 + 1
        return f"{century}世纪" if chinese else f"the {century}th century"
    if re.search(r"which decade|哪个年代", asked) and years:
        return f"{(years[0] - 1) // 100 + 1}世纪{years[0] % 100 // 10}0年代" if chinese else f"the {years[0] // 10}0s"
    if options := _options(question):
        return _chosen(asked, options, told)
    if re.search(r"how many more|how much (?:more|longer|higher)|比.*多少", asked):
        return _apart(told)
    best = max(told, key=lambda one: _share(question, set(content_words(one))))
    if re.search(r"year|when|哪一年|哪年|什么时候|何时", asked) and (year := _YEAR.search(best)):
        return f"{year[0]}年" if chinese else year[0]
    if re.search(r"how (?:many|much|long|tall|far|old|high|wide|deep)|多少|几", asked):
        amounts = [match[0] for match in _NUMBER.finditer(best) if match[0] not in question]
        if amounts:
            return amounts[0]
    return _left_over(question, best, chinese)


def _options(question: str) -> tuple[str, ...]:
    """The two things that a question offers to choose from."""
    found = (
        re.search(r"(?:^是|先)(.+?)(?:在先)?，(?:还是|還是)先?(.+?)(?:在先)?[?？]", question)
        or re.search(r"[,，]\s*(.+?)(?: or |还是|還是)(.+?)[?？]", question)
        or re.search(r"^(?:请问|請問)?(.+?)和(.+?)[，,]?哪一?[个個座]", question)
    )
    return tuple(option.strip() for option in found.groups()) if found else ()


def _chosen(asked: str, options: Sequence[str], told: Sequence[str]) -> str:
    """Which of two things is the first, or the greater, by the numbers said of each; "" where one is not spoken of."""
    values = []
    for option in options:
        best = max(told, key=lambda one: _share(option, set(content_words(one))))
        number = re.search(r"\d+(?:[.,]\d+)*", best.replace(option, ""))
        if number is None or _share(option, set(content_words(best))) < 1:
            return ""
        values.append((float(number[0].replace(",", "")), option))
    least = re.search(r"first|earlier|before|older|less|fewer|smaller|shorter|先|早|少|小|短|低", asked)
    return (min if least else max)(values)[1]


def _apart(told: Sequence[str]) -> str:
    """How far the first amounts of two sentences lie apart; "" where there are not two."""
    amounts = [match[0] for one in told if (match := _NUMBER.search(one))]
    numbers = [float(re.sub(r"[^\d.].*$|,", "", amount)) for amount in amounts]
    return re.sub(r"^[\d.,]+", f"{abs(numbers[0] - numbers[1]):g}", amounts[0]) if len(amounts) == 2 else ""


def _left_over(question: str, sentence: str, chinese: bool) -> str:
    """The longest run of a sentence that the question does not have."""
    asked = to_simplified(question).lower()
    units = list(sentence) if chinese else sentence.rstrip(".").split()
    runs: list[list[str]] = [[]]
    for unit in units:
        new = to_simplified(unit).lower().strip(",;:()") not in asked
        runs[-1].append(unit) if new else runs.append([])
    best = max(runs, key=len)
    return ("" if chinese else " ").join(best).strip("，。,;: ")


def _orders(text: str) -> str | dict[str, Any]:
    """What a text tells its reader to write: a word, or a reply that stands in it ready made; "" for nothing."""
    decoder = json.JSONDecoder(strict=False)
    for match in re.finditer(r"\{", text):
        try:
            value, _ = decoder.raw_decode(text, match.start())
        except ValueError:
            continue
        if isinstance(value, dict) and {"question", "answer"} & set(value):
            return value
    order = _ORDERS.search(text)
    return str(order["en"] or order["zh"]) if order else ""


def _obeyed(made: Mapping[str, Any], orders: str | Mapping[str, Any]) -> dict[str, Any]:
    """The reply of a model that does what the passage says."""
    if not isinstance(orders, str):
        return {name: orders.get(name, value) for name, value in made.items()}
    told: dict[str, Any] = {}
    for name, value in made.items():
        if name == "question":
            told[name] = f"{orders}?"
        elif isinstance(value, str) and name in ("answer", "summary", "missing"):
            told[name] = orders
        else:
            told[name] = True if name == "found" else value
    return told
