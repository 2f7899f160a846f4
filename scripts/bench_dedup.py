"""What the duplicate filter catches, misses and wrongly drops, and how its time grows, on questions made here.

    python scripts/bench_dedup.py [--largest 100000] [--languages en,zh-Hans,zh-Hant]

Of each language 1,000, 10,000 and 100,000 questions: one in ten repeats an earlier one in other punctuation or with a
word more, and one in ten is an earlier one with another name, number or date and the same answer. `left` counts the
pairs of Jaccard similarity 0.7 or more with one answer and no such difference that stand in what was kept, found by
comparing each kept question with all others that share its answer; `dropped` counts the near misses that were refused.
Meanings are not compared: that is the work of an encoder. An exponent of 1 is linear.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import defaultdict
from collections.abc import Iterator
from random import Random

from synth.core.records import Sample
from synth.generation.filters.duplicate import Duplicate
from synth.text.normalise import to_traditional
from synth.text.question_identity import ComparedQuestion

SYLLABLES = "bel cor dan fen gal hol kes lun mar nor pel ros sal tor vel wen yar zim".split()
SIGNS = "安白昌德恩丰高海吉凯兰明宁平清荣森泰文新"
ENGLISH = (
    "In which year was the stone lighthouse of {name} first lit by its keepers?",
    "How many ships passed the harbour of {name} in the year {year}?",
    "Who designed the iron bridge across the river at {name} for the railway?",
    "What was the price of coal at the market of {name} in {year}?",
    "Why did the council of {name} close the old ferry to travellers?",
)
CHINESE = (
    "{name}的石砌灯塔是在哪一年由守塔人首次点亮的？",
    "在{year}年一共有多少艘船经过{name}的港口？",
    "为铁路设计{name}那座跨河铁桥的工程师是谁？",
    "{year}年{name}市场上每吨煤的价格是多少？",
    "{name}议会为什么不再让旅客乘坐那条旧渡船？",
)


def name_of(number: int, language: str) -> str:
    """A different name for each number."""
    parts = SYLLABLES if language == "en" else list(SIGNS)
    made = ""
    number += len(parts) ** 2
    while number:
        number, rest = divmod(number, len(parts))
        made += parts[rest]
    return made.capitalize()


def question(kind: int, name: int, year: int, language: str) -> str:
    text = (ENGLISH if language == "en" else CHINESE)[kind].format(name=name_of(name, language), year=year)
    return to_traditional(text) if language == "zh-Hant" else text


def repeated(text: str, language: str, rng: Random) -> str:
    """The same question as another hand would type it."""
    if language == "en":
        return rng.choice((text.lower(), text.replace("the ", "the  ", 1), text.replace(" the ", " that ", 1)))
    return rng.choice((text.replace("？", "?"), text.replace("的", "", 1), "请问" + text))


def made(count: int, language: str) -> Iterator[tuple[str, Sample]]:
    """What each question is ("new", "repeat", "near miss"), and the sample."""
    rng = Random(f"{count}:{language}")
    known: list[tuple[int, int, int, str]] = []
    for number in range(count):
        turn = rng.random() if known else 1.0
        if turn < 0.2:
            kind, name, year, answer = rng.choice(known)
            if turn < 0.1:
                text, what = repeated(question(kind, name, year, language), language, rng), "repeat"
            else:
                text, what = question(kind, number, year, language), "near miss"
        else:
            kind, name, year = rng.randrange(len(ENGLISH)), number, rng.randrange(1800, 2000)
            answer = str(rng.randrange(count)) if kind else str(rng.randrange(1500, 1900))
            known.append((kind, name, year, answer))
            text, what = question(kind, name, year, language), "new"
        yield (
            what,
            Sample(question=text, golden_answers=(answer,), evidence=(), question_type="simple", language=language),
        )


def left(kept: list[Sample], threshold: float) -> int:
    """Pairs of kept questions with one answer that should not both be there, by comparing all."""
    groups = defaultdict(list)
    for sample in kept:
        groups[sample.golden_answers].append(ComparedQuestion.of(sample.question, sample.language))
    pairs = 0
    for group in groups.values():
        for i, one in enumerate(group):
            for other in group[:i]:
                if one.numbers == other.numbers and one.likeness(other) >= threshold:
                    pairs += not one.differs(other)
    return pairs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", type=int, default=100_000, metavar="QUESTIONS")
    parser.add_argument("--languages", default="en,zh-Hans,zh-Hant", metavar="CODE,…")
    options = parser.parse_args()
    sizes = [options.largest // 100, options.largest // 10, options.largest]
    head = ("language", "questions", "seconds", "exponent", "repeats", "caught", "left", "near misses", "dropped")
    print(" ".join(f"{word:>11}" for word in head))
    for language in options.languages.split(","):
        before = 0.0
        for size in sizes:
            items = list(made(size, language))
            filter_, kept = Duplicate(), []
            tally: dict[tuple[str, bool], int] = defaultdict(int)
            begun = time.process_time()
            for what, sample in items:
                verdict = filter_.check(sample)
                tally[what, verdict.kept] += 1
                if verdict.kept:
                    filter_.admit(sample)
                    kept.append(sample)
            took = time.process_time() - begun
            exponent = f"{math.log(took / before, 10):.2f}" if before else ""
            repeats, near = (tally[what, True] + tally[what, False] for what in ("repeat", "near miss"))
            caught, dropped = tally["repeat", False], tally["near miss", False]
            caught, dropped = tally["repeat", False], tally["near miss", False]
            row = (
                language,
                size,
                f"{took:.1f}",
                exponent,
                repeats,
                caught,
                left(kept, filter_.threshold),
                near,
                dropped,
            )
            print(" ".join(f"{value:>11}" for value in row), flush=True)
            before = took


if __name__ == "__main__":
    main()
