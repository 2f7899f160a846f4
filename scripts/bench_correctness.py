"""Wrong answers that `correctness` lets pass, and right ones that it refuses, made from golden answers of other people.

    python scripts/bench_correctness.py FOLDER... [--most 300] [--seed 1] [--show KIND] [--evouna NQ.jsonl]

A folder has JSONL files whose rows have `question` and `golden_answers`, and a folder `docs` of texts, whose sentences
are golden answers too. Chinese answers are measured in both scripts. A fault is caught below 0.5, a paraphrase passes
from 0.5 on. --evouna adds the agreement with people on the two halves of EVOUNA-NQ, by a hash of the question.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

from judge_agreement import evouna

from synth.core.records import Response, digest
from synth.core.table import table
from synth.evaluation.judging.statistics import auc, kappa
from synth.evaluation.metrics.base import Case
from synth.evaluation.metrics.correctness import Correctness
from synth.testset.dataset import Item
from synth.text.calendar_names import MONTHS
from synth.text.language import is_chinese
from synth.text.normalise import to_traditional
from synth.text.sentences import split_sentences
from synth.text.tokens import ENGLISH_STOP

RIGHT_FROM = 0.5
MONTH = "|".join(MONTHS)
ENGLISH_DATE = re.compile(rf"\b(?:({MONTH}) (\d{{1,2}}),? (\d{{4}})|(\d{{1,2}}) ({MONTH}) (\d{{4}}))\b")
CHINESE_DATE = re.compile(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
NUMBER = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w,.]*\d)")
UNITS = dict(
    pair.split(">")
    for pair in (
        "kilometres>miles kilometers>miles km>miles miles>kilometres metres>feet feet>metres m>km hours>days "
        "minutes>hours days>weeks weeks>months years>months months>years percent>dollars %>km kg>pounds tons>grams "
        "dollars>euros euros>dollars 公里>英里 英里>公里 平方公里>平方米 米>公里 厘米>米 毫米>厘米 公斤>克 吨>公斤 "
        "分钟>小时 小时>分钟 年>个月 天>个月 周>天 美元>英镑 英镑>美元 日元>美元 人民币>日元 元>欧元"
    ).split()
)
SCALES = {
    "thousand": "million",
    "million": "billion",
    "billion": "million",
    "trillion": "billion",
    "万": "亿",
    "亿": "万",
}
CURRENCIES = {"$": "€", "€": "£", "£": "$"}
PERSON = re.compile(r"(?<![\w-])([A-Z][a-z]+) (?:[A-Z]\. |[A-Z][a-z]+ )?([A-Z][a-z]+)\b(?!['’-])")
NO_NAMES = {"Until", "While", "Later", "Rev", "Most", "Doctor", "Lord", "Major", "President", *MONTHS}
FIRST = "James Oliver Sophia Henry Laura Peter Agnes Victor Hannah Simon".split()
LAST = "Whitfield Okafor Lindqvist Moreau Tanaka Barlow Novak Herrera Castell Dunmore".split()
DOTTED = re.compile(r"([\u4e00-\u9fff]{1,5})·([\u4e00-\u9fff]{2,6})")
ENGLISH_AUXILIARY = re.compile(r"\b(is|was|are|were|can|will|has|had|could|would)\b")
CHINESE_VERB = re.compile(r"(?<![不没未])(是|在|有|可以|会|能|属于)")


def month(text: str, draw: random.Random) -> str:
    if found := re.search(rf"\b(?:{MONTH})\b(?= \d| of \d|,? \d)|(?<=\d )\b(?:{MONTH})\b|^(?:{MONTH})$", text):
        return text[: found.start()] + draw.choice([m for m in MONTHS if m != found[0]]) + text[found.end() :]
    return _count(text, r"(?<=年)(\d{1,2})(?=月)|^(\d{1,2})(?=月)", 12, draw)


def day(text: str, draw: random.Random) -> str:
    return _count(
        text, rf"(?<=月)(\d{{1,2}})(?=日)|\b(\d{{1,2}})(?= (?:{MONTH})\b)|(?<=[a-z] )(\d{{1,2}})(?=, \d{{4}})", 28, draw
    )


def year(text: str, draw: random.Random) -> str:
    return _count(text, r"(?<![\d,.$])(1[1-9]\d\d|20[0-2]\d)(?![\d,%])(?=年|[^\d]|$)", 2020, draw, least=1100)


def digit(text: str, draw: random.Random) -> str:
    if not (found := NUMBER.search(text)):
        return ""
    places = [i for i in range(found.start(), found.end()) if text[i].isdigit()]
    place = draw.choice(places)
    other = draw.choice([d for d in "123456789" if d != text[place]])
    return text[:place] + other + text[place + 1 :]


def scale(text: str, draw: random.Random) -> str:
    found = re.search(r"(?<=\d )(thousand|million|billion|trillion)|(?<=[\d〇一二三四五六七八九])[万亿](?!亿)", text)
    return text[: found.start()] + SCALES[found[0]] + text[found.end() :] if found else ""


def unit(text: str, draw: random.Random) -> str:
    if found := re.search(r"[$€£](?=\d)", text):
        return text[: found.start()] + CURRENCIES[found[0]] + text[found.end() :]
    names = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
    found = re.search(rf"(?<![\d-]\d[\d-])(?<=\d)(?<![12]\d{{3}})\s?({names})(?!²)(?![A-Za-z月代])(?!年)", text)
    return text[: found.start(1)] + UNITS[found[1]] + text[found.end(1) :] if found else ""


def first_name(text: str, draw: random.Random) -> str:
    return _renamed(
        text,
        1,
        draw.choice(FIRST),
        draw.choice("汉斯 艾琳 奥托 布兰登".split()),
        draw.choice("慧敏 国栋 天佑 雪梅".split()),
    )


def surname(text: str, draw: random.Random) -> str:
    return _renamed(
        text, 2, draw.choice(LAST), draw.choice("默里森 科瓦奇 林德奎斯特".split()), draw.choice("欧司柳尤")
    )


def negation(text: str, draw: random.Random) -> str:
    return f"不是{text}" if _chinese(text) else f"It is not {text}"


def negated_verb(text: str, draw: random.Random) -> str:
    pattern, no = (CHINESE_VERB, "不") if _chinese(text) else (ENGLISH_AUXILIARY, " not")
    if not (found := pattern.search(text)) or len(text) < 12:
        return ""
    if no == "不":
        return text[: found.start()] + ("没有" if found[0] == "有" else "不" + found[0]) + text[found.end() :]
    return text[: found.end()] + no + text[found.end() :]


def half_a_list(text: str, draw: random.Random) -> str:
    parts = _list(text)
    return ("、" if _chinese(text) else ", ").join(parts[: len(parts) // 2]) if parts else ""


def swapped(text: str, draw: random.Random) -> str:
    figures = r"(?<![\d.,至到-])\d{2,}(?:年|万|人|个|米|%)(?![\d月至到-])"
    names = "|".join(re.escape(word) for word, tag in tagged(text) if tag in ("nr", "ns") and len(word) > 1)
    pattern = (
        f"{figures}|{names}"
        if names
        else figures
        if _chinese(text)
        else r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*\b(?! [A-Z]|[.'’-])"
    )
    whole = (match for match in re.finditer(pattern, text) if not re.search(r"\b[A-Z][\w.]* $", text[: match.start()]))
    found = [match for match in whole if match[0] not in MONTHS]
    for one, other in pairwise(found):
        between = text[one.end() : other.start()]
        linked = re.search(r"^(?:, |、|·|\s?[(（])|\b(?:and|or) (?:the )?$|[和与及]|[·、-]", between)
        if one[0] != other[0] and one[0][-1].isalpha() == other[0][-1].isalpha() and len(between) > 5 and not linked:
            return text[: one.start()] + other[0] + between + one[0] + text[other.end() :]
    return ""


def several(text: str, draw: random.Random) -> str:
    if len(text) > 30:
        return ""
    if re.fullmatch(r"\d[\d,]*年?", text):
        return f"{text}{'或' if text.endswith('年') else ' or '}{digit(text, draw)}"
    return f"{text} or {draw.choice(FIRST)} {draw.choice(LAST)}" if PERSON.fullmatch(text) else ""


def in_a_sentence(text: str, draw: random.Random) -> str:
    return (
        f"根据这份资料，答案是{text}。"
        if _chinese(text)
        else f"According to the text, it is {text.removesuffix('.')}, as far as that is told."
    )


def other_date(text: str, draw: random.Random) -> str:
    if found := ENGLISH_DATE.search(text):
        m, d, y = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
        forms = [f"{m} {d}, {y}", f"{d} {m} {y}", f"{y}-{MONTHS.index(m) + 1:02}-{int(d):02}", f"{m[:3]} {d}, {y}"]
        forms.remove(found[0]) if found[0] in forms else None
        return text[: found.start()] + draw.choice(forms) + text[found.end() :]
    if found := CHINESE_DATE.search(text):
        other = draw.choice(
            [f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}", f"{found[1]} 年 {found[2]} 月 {found[3]} 日"]
        )
        return text[: found.start()] + other + text[found.end() :]
    return ""


def other_number(text: str, draw: random.Random) -> str:
    if found := re.search(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?![\d.])", text):
        return text[: found.start()] + found[0].replace(",", "") + text[found.end() :]
    if found := re.search(r"(?<![\w.])(\d+)(?:\.(\d))? (thousand|million|billion)", text):
        size = {"thousand": 3, "million": 6, "billion": 9}[found[3]]
        digits = found[1] + (found[2] or "").ljust(size, "0")
        return text[: found.start()] + f"{int(digits):,}" + text[found.end() :]
    if found := re.search(r"(?<![\d.,])(\d{1,4})万(?![亿\d])", text):
        return text[: found.start()] + f"{int(found[1]) * 10000:,}" + text[found.end() :]
    if found := re.search(r"(?<![\w.,])(\d{4,7})(?![\w.,%年-])", text):
        return text[: found.start()] + f"{int(found[1]):,}" + text[found.end() :] if int(found[1]) > 2100 else ""
    return ""


def articles(text: str, draw: random.Random) -> str:
    if _chinese(text) or len(text) > 60:
        return ""
    return (
        re.sub(r"^(?:the|a|an) ", "", text, flags=re.IGNORECASE)
        if re.match(r"(?:the|an?) ", text, re.IGNORECASE)
        else f"the {text}"
    )


def word_order(text: str, draw: random.Random) -> str:
    parts = _list(text)
    if not parts or len(text) > 80:
        return ""
    turned = [*parts[1:], parts[0]]
    return "、".join(turned) if _chinese(text) else ", ".join(turned[:-1]) + " and " + turned[-1]


FAULTS: tuple[Callable[[str, random.Random], str], ...] = (
    month, day, year, digit, scale, unit, first_name, surname, negation, negated_verb, half_a_list, swapped, several,
)  # fmt: skip
PARAPHRASES = (in_a_sentence, other_date, other_number, articles, word_order)


def main() -> None:
    """Make wrong and right answers, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=300, help="answers of a kind and a language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", default="", help="print the answers of this kind that are measured wrongly")
    parser.add_argument("--evouna", type=Path)
    options = parser.parse_args()
    goldens = [pair for folder in options.folders for pair in golden_answers(folder)]
    shown: dict[str, dict[str, str]] = {}
    for kind in [k for k in (*FAULTS, *PARAPHRASES, source) if options.show in ("", k.__name__)]:
        for language in ("en", "zh-Hans", "zh-Hant"):
            measured = list(measure(kind, goldens, language, options))
            good = sum(score < RIGHT_FROM if kind in FAULTS else score >= RIGHT_FROM for score in measured)
            text = f"{100 * good / len(measured):.1f} % of {len(measured)}" if measured else "-"
            shown.setdefault(kind.__name__.replace("_", " "), {})[language] = text
    if goldens:
        print(
            table(
                ["caught, then passed", "en", "zh-Hans", "zh-Hant"],
                [[kind, *by.values()] for kind, by in shown.items()],
            )
        )
    if options.evouna:
        print(table(["half", "answers", "kappa", "AUC", "a second"], halves(options.evouna)))


def golden_answers(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Questions, golden answers and the text that has them; sentences of the texts for no question."""
    texts = {
        str(path.relative_to(folder / "docs")): path.read_text(encoding="utf-8")
        for path in sorted(folder.glob("docs/**/*.txt"))
    }
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for golden in row.get("golden_answers", ())[:1]:
                yield row["question"], golden, texts.get(row.get("doc_id", ""), "")
    for text in texts.values():
        for start, end in split_sentences(text)[:3]:
            if end - start < (70 if _chinese(text) else 200):
                yield ("这段话说了什么？" if _chinese(text) else "What is said?"), text[start:end], ""


def source(text: str, draw: random.Random) -> str:
    """The sentence of the source that has the golden answer: `measure` knows it."""
    return ""


def measure(
    kind: Callable[[str, random.Random], str],
    goldens: list[tuple[str, str, str]],
    language: str,
    options: argparse.Namespace,
) -> Iterator[float]:
    """The scores of the answers of one kind in one language; traditional ones are converted."""
    draw, count = random.Random(options.seed), 0
    for question, golden, text in sorted(goldens, key=lambda pair: digest(pair[:2])):
        if is_chinese(language) != _chinese(golden + question):
            continue
        if kind is source:
            holding = [text[a:b] for a, b in split_sentences(text) if golden in text[a:b]]
            answer = holding[0] if holding else ""
        else:
            answer = kind(golden, draw)
        if not answer or answer == golden:
            continue
        if language == "zh-Hant":
            question, golden, answer = map(to_traditional, (question, golden, answer))
        score = scored(question, (golden,), answer)
        if options.show == kind.__name__ and (score >= RIGHT_FROM) == (kind in FAULTS):
            print(f"{score:.2f} | {question} | {golden} | {answer}")
        yield score
        count += 1
        if count == options.most:
            return


def scored(question: str, goldens: tuple[str, ...], answer: str) -> float:
    """The `correctness` of an answer."""
    row = Item(id="r", question=question, golden_answers=goldens)
    value = Correctness().measure(Case(row, Response(sample_id="r", answer=answer)))["correctness"]
    assert isinstance(value, float)
    return value


def halves(path: Path) -> list[list[str | int]]:
    """Agreement with people on each half of the questions."""
    rows = list(evouna(path))
    shown: list[list[str | int]] = []
    for half in (0, 1):
        mine = [row for row in rows if int(digest(row["question"])[-8:], 16) % 2 == half]
        began = time.process_time()
        scores = [scored(row["question"], tuple(row["golden_answers"]), row["answer"]) for row in mine]
        took = time.process_time() - began
        people = [row["label"] for row in mine]
        agree = kappa(people, [score >= RIGHT_FROM for score in scores])
        shown.append([half, len(mine), f"{agree:.4f}", f"{auc(people, scores):.4f}", round(len(mine) / took)])
    return shown


def _chinese(text: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text))


def _count(text: str, pattern: str, most: int, draw: random.Random, least: int = 1) -> str:
    found = re.search(pattern, text)
    if not found:
        return ""
    return (
        text[: found.start()]
        + str(draw.choice([n for n in range(least, most + 1) if n != int(found[0])]))
        + text[found.end() :]
    )


def _list(text: str) -> list[str]:
    if _chinese(text):
        parts = (
            re.split(r"、|(?<=[\u4e00-\u9fff])(?:以及|[和与及])(?=[\u4e00-\u9fff])", text)
            if "、" in text and len(text) < 40
            else []
        )
    else:
        parts = re.split(r", (?:and )?| and ", text) if re.search(r"\w,? and \w", text) and len(text) < 80 else []
    return parts if len(parts) > 1 and all(1 < len(part) < 30 for part in parts) else []


def _renamed(text: str, part: int, english: str, dotted: str, chinese: str) -> str:
    for found in (*PERSON.finditer(text), *DOTTED.finditer(text)):
        if found[1].casefold() not in ENGLISH_STOP and found[1] not in NO_NAMES:
            other = dotted if "·" in found[0] else english
            return text[: found.start(part)] + other + text[found.end(part) :]
    name = next((word for word, tag in tagged(text) if tag == "nr" and len(word) == 3), "")
    other = (name[0] + chinese if part == 1 else chinese + name[1:]) if name else ""
    return text.replace(name, other) if name else ""


def tagged(text: str) -> list[tuple[str, str]]:
    """The words of a Chinese text with their tags."""
    import rjieba

    return list(rjieba.tag(text)) if _chinese(text) else []


if __name__ == "__main__":
    main()
